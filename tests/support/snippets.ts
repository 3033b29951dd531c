// What Assay proposes to add to a target file, pasted into it
import { parse, parseDocument } from "yaml";
import { planOf } from "../../cli/looking.ts";
import { ownProject } from "../../cli/project.ts";
import { pastedProposals, remedyOf, type Snippet } from "../../cli/snippets.ts";
import { placeholder } from "../../cli/target.ts";
import { unmetNeedsIn } from "../../harness/engine/plan.ts";
import type { Target } from "../../harness/targets/target.ts";
import { readTarget } from "../../harness/targets/targetFile.ts";

const planFor = (target: Target) => planOf({ project: ownProject } as Parameters<typeof planOf>[0], target);
const targetIn = (text: string): Target => readTarget(ownProject.form, "target.yaml", {}, { text, placeholder });
/** But for k6, which isn't looked for here. */
const lacksIn = (target: Target) =>
  unmetNeedsIn(planFor(target), target).filter(({ unmetNeed }) => unmetNeed.kind !== "noGenerator");

/** How many requirements lack something in fewer checks than before. */
function furtherTested(before: ReturnType<typeof lacksIn>, after: ReturnType<typeof lacksIn>): number {
  const countIn = (lacks: typeof before, id: string): number => lacks.filter((lack) => lack.id === id).length;
  return [...new Set(before.map(({ id }) => id))].filter((id) => countIn(after, id) < countIn(before, id)).length;
}

/** @throws Error where what is to be replaced isn't there, or what is to be added is */
function pasted(text: string, { goes, path, yaml }: Snippet): string {
  if (goes === "at the end") return `${text}\n${yaml}\n`;
  const document = parseDocument(text);
  const [[name, value] = ["", null]] = Object.entries(parse(yaml) as object);
  const place = goes === "under" ? [...path, name] : path;
  if (document.hasIn(place) !== (goes === "in place of")) throw new Error(`${goes} ${place.join(".")}: ${yaml}`);
  document.setIn(place, value);
  return document.toString();
}

/** Each proposal for a target file: how many requirements it promises to test further, and how many it does. */
export function proposalsPasted(text: string) {
  const target = targetIn(text);
  const before = lacksIn(target);
  return pastedProposals(planFor(target), target).map((proposal) => ({
    says: remedyOf(proposal).add,
    promised: proposal.requirements,
    unlocked: furtherTested(before, lacksIn(targetIn(proposal.snippets.reduce(pasted, text)))),
  }));
}
