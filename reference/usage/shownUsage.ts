// Usage documents that were shown before: made, and written out, only once
import type { Project } from "../platform/project.ts";
import type { UsageRules } from "../platform/rules.ts";
import { type Doc, remembered } from "../platform/wire.ts";
import { type UsageRead, usageOf } from "./document.ts";

interface Shown {
  readonly madeOf: readonly unknown[];
  readonly document: Doc;
}

const lastShown = new WeakMap<Project, Shown>();

/** For honest rules: ledgers only grow, and plans are replaced whole, so few values identify a document. */
export function shownUsage(project: Project, rules: UsageRules, read: UsageRead): Doc {
  const madeOf = [project.ledger.entries.length, project.plan, project.billingAnchor, read.now_ms, read.hint_h];
  const last = lastShown.get(project);
  if (last?.madeOf.every((part, index) => part === madeOf[index])) return last.document;
  const document = remembered(usageOf(project, rules, read));
  lastShown.set(project, { madeOf, document });
  return document;
}
