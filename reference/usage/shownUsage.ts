// Was this document shown before? It is made, and written out, anew only where something that it is made of has changed.
import { honestRules, type Rules } from "../platform/rules.ts";
import { remembered, type Value } from "../platform/wire.ts";
import type { Project } from "../platform/world.ts";
import { type Read, usageOf } from "./usage.ts";

interface Shown {
  readonly madeOf: readonly unknown[];
  readonly document: { [member: string]: Value };
}

const lastShown = new WeakMap<Project, Shown>();

/** Ledgers only grow, and plans are replaced whole. A mutant may look at more, so its documents are always made anew. */
export function shownUsage(project: Project, rules: Rules, read: Read): { [member: string]: Value } {
  if (rules !== honestRules) return usageOf(project, rules, read);
  const madeOf = [project.ledger.entries.length, project.plan, project.billingAnchor, read.now_ms, read.hint_h];
  const last = lastShown.get(project);
  if (last?.madeOf.every((part, index) => part === madeOf[index])) return last.document;
  const document = remembered(usageOf(project, rules, read));
  lastShown.set(project, { madeOf, document });
  return document;
}
