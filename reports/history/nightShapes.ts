// Shapes of a night: members and headers of answers, by operation, status and outcome
import { stepsOf } from "../../harness/core/json.ts";
import { headerNames } from "../../harness/model/fingerprint.ts";
import type { Run } from "../../harness/record/run.ts";
import { type Answer, plainAnswers } from "../compare/questions.ts";
import { Shapes } from "../compare/shapes.ts";
import { groupedBy } from "../lists.ts";

/** Of answers with one operation, status and outcome. */
export interface GroupShape {
  readonly operation: string;
  readonly status: number;
  readonly outcome: "served" | "refused";
  readonly answers: number;
  /** Types by place, e.g. `null|string`, with `?` where some lack it; `header: date` has none. */
  readonly places: { readonly [place: string]: string };
}

function headersIn(answers: readonly Answer[]): readonly (readonly [string, string])[] {
  const counts = new Map<string, number>();
  for (const { answer } of answers)
    for (const name of headerNames(answer)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => [`header: ${name}`, count === answers.length ? "" : "?"]);
}

function placesIn(answers: readonly Answer[]): GroupShape["places"] {
  const shapes = new Shapes();
  for (const answer of answers) shapes.add(answer);
  const members = [...shapes.places.keys()].map((at) => {
    const path = stepsOf(at);
    const { haveAtAll, ofAtAll } = shapes.has(path);
    const isAlways = path.length === 0 || path.at(-1) === "*" || haveAtAll === ofAtAll;
    return [at, `${shapes.typesAt(path).join("|")}${isAlways ? "" : "?"}`] as const;
  });
  return Object.fromEntries([...members, ...headersIn(answers)]);
}

export function shapesIn(run: Run): readonly GroupShape[] {
  return (["served", "refused"] as const).flatMap((outcome) => {
    const answers = plainAnswers(run).filter((one) => one.outcome === outcome);
    const groups = groupedBy(answers, ({ operation, answer }) => `${operation} ${answer.status}`);
    return [...groups.values()].map((group): GroupShape => {
      const [{ operation, answer }] = group;
      return { operation, status: answer.status, outcome, answers: group.length, places: placesIn(group) };
    });
  });
}
