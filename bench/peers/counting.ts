// What each tool found of the mutants, and whom it accused: the arithmetic of the table
import { median } from "simple-statistics";
import type { JudgedPlatform, Outcome } from "./outcome.ts";
import type { ChosenPlatform } from "./platforms.ts";

export interface Result {
  readonly platform: Pick<ChosenPlatform, "name" | "kind" | "area" | "isDescribed">;
  readonly outcome: Outcome;
}

export const toolNames = ["assay", "schemathesis", "drift", "prism"] as const;
export type ToolName = (typeof toolNames)[number];

export type Results = { readonly [tool in ToolName]?: readonly Result[] };

interface Found {
  readonly findings: readonly string[];
}

export interface Tally {
  /** Mutants with findings that the honest platform hasn't. */
  readonly found: readonly (Result["platform"] & Found)[];
  readonly missed: readonly Result["platform"][];
  /** Honest and lawful platforms with one, and the findings. */
  readonly accused: readonly (Pick<Result["platform"], "name"> & Found)[];
  /** Honest and lawful platforms that it has judged. */
  readonly right: number;
  /** Those of any kind that it couldn't judge. They count nowhere else. */
  readonly unable: readonly { readonly name: string; readonly why: string }[];
  /** Findings of the honest platform, which are subtracted. */
  readonly baseline: readonly string[];
  /** Medians by platform; null where there is none. */
  readonly requests: number | null;
  readonly firstFinding_s: number | null;
  readonly seconds: number | null;
  readonly processorSeconds: number | null;
}

const isJudged = (outcome: Outcome): outcome is JudgedPlatform => !("unable" in outcome);

/** Null where the honest platform couldn't be judged: nothing can be subtracted then, so nothing is counted. */
export function tallyOfResults(results: readonly Result[]): Tally | null {
  const honest = results.filter(({ platform }) => platform.kind === "baseline");
  const baseline = new Set(honest.flatMap(({ outcome }) => (isJudged(outcome) ? Object.keys(outcome.findings) : [])));
  if (!honest.some(({ outcome }) => isJudged(outcome))) return null;
  const judged = results.flatMap(({ platform, outcome }) =>
    isJudged(outcome) ? [{ platform, outcome, own: beyond(baseline, outcome) }] : [],
  );
  const mutants = judged.filter(({ platform }) => platform.kind === "mutant");
  const right = judged.filter(({ platform }) => platform.kind === "right");
  const found = mutants.filter(({ own }) => own.length > 0);
  return {
    found: found.map(({ platform, own }) => ({ ...platform, findings: own.map(([finding]) => finding) })),
    missed: mutants.filter(({ own }) => own.length === 0).map(({ platform }) => platform),
    accused: right.flatMap(({ platform: { name }, own }) =>
      own.length > 0 ? [{ name, findings: own.map(([finding]) => finding) }] : [],
    ),
    right: right.length,
    unable: results.flatMap(({ platform: { name }, outcome }) =>
      isJudged(outcome) ? [] : [{ name, why: outcome.unable }],
    ),
    baseline: [...baseline],
    requests: medianOf(judged.map(({ outcome }) => outcome.requests)),
    firstFinding_s: medianOf(found.map(({ own }) => Math.min(...own.map(([, seconds]) => seconds)))),
    seconds: medianOf(judged.map(({ outcome }) => outcome.seconds)),
    processorSeconds: medianOf(judged.map(({ outcome }) => outcome.processorSeconds)),
  };
}

const beyond = (baseline: ReadonlySet<string>, { findings }: JudgedPlatform) =>
  Object.entries(findings).filter(([finding]) => !baseline.has(finding));

function medianOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : median([...known]);
}
