// Mutations of usage documents that mutants share
import type { LedgerEntry } from "../platform/ledger.ts";
import { numberAt, usageDoc } from "../platform/mutant.ts";
import type { Project } from "../platform/project.ts";
import { honestUsage } from "../platform/rules.ts";
import { creditsLimitIn } from "../platform/usageParts.ts";
import type { Doc, ResponseMutation } from "../platform/wire.ts";
import { usageOf } from "./document.ts";

/** Changes the document of the key's own project. */
export const own = (change: (doc: Doc, project: Project, now_ms: number) => Doc): ResponseMutation =>
  usageDoc((doc, { project, now_ms }) => (project ? change(doc, project, now_ms) : doc));
export const honestDocument = (project: Project, now_ms: number): Doc =>
  usageOf(project, honestUsage, { now_ms, before: 0, hint_h: 0 });

/** The document that other entries lead to. */
export const usageDocumentOf = (project: Project, entries: readonly LedgerEntry[], now_ms: number): Doc =>
  honestDocument({ ...project, ledger: project.ledger.of(entries) }, now_ms);

/** The document that some entries of a project's ledger lead to. */
export const rememberedDocument = (
  project: Project,
  now_ms: number,
  counts: (entry: LedgerEntry, nth: number) => boolean,
): Doc => usageDocumentOf(project, project.ledger.entries.filter(counts), now_ms);

/** Remaining credits that agree with a document's other figures. */
export const consistent = (doc: Doc): Doc => ({
  ...doc,
  creditsRemaining: Math.max(
    0,
    creditsLimitIn(doc) - (numberAt(doc, "/creditsUsed") - numberAt(doc, "/prepaidCreditsUsed")),
  ),
});
