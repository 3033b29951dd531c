// What documents say of the interface, in one sentence.
import { counted } from "../numbers.ts";
import type { PublishedReport } from "./report.ts";

/** `2 requirements contradicted, 39 confirmed, 89 silent`; since earlier documents, what changed stands before it. */
export function publishedHeadline({ requirements, changes }: PublishedReport): string {
  const count = (state: string): number => requirements.filter(({ is }) => is === state).length;
  const contradicted = `${counted(count("contradicted"), "requirement")} contradicted`;
  const today = `${contradicted}, ${count("confirmed")} confirmed, ${count("silent")} silent`;
  if (!changes) return today;
  const changed = changes.requirements.length;
  if (changed === 0) return `The documents say of the requirements what they said before: ${today}`;
  const questioned = changes.requirements.filter(({ isInQuestion }) => isInQuestion).length;
  const inQuestion = `${counted(questioned, "verdict")} ${questioned === 1 ? "is" : "are"} in question`;
  return `The documents changed at ${counted(changed, "requirement")}, ${inQuestion}: ${today}`;
}
