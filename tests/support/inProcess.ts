// Checks judged in this process, and the counterexamples that they find
import { suite as contracts } from "../../contracts/suite.ts";
import {
  type CasePath,
  type Counterexample,
  casePathOf,
  type Generation,
  replayFlags,
} from "../../harness/core/generation.ts";
import { Engine, type EngineOptions } from "../../harness/engine/engine.ts";
import type { Check } from "../../harness/model/check.ts";
import type { Verdict } from "../../harness/model/verdict.ts";
import { inProcess } from "../../proof/inProcess.ts";
import type { Variant } from "../../reference/platform/mutant.ts";

export const many: Generation = { seed: 1, scale: "many" };
export const nameOf = ({ needs }: Check): string => needs.generates?.property ?? "";

export const optionsFor = (
  checks: readonly Check[],
  variant: Variant | undefined,
  generation: Generation,
): EngineOptions => ({ ...inProcess({ ...contracts, checks, probes: [] }, variant), observe: [], generation });

export async function judged(
  checks: readonly Check[],
  variant: Variant | undefined,
  generation: Generation = many,
): Promise<{ readonly verdicts: readonly Verdict[]; readonly requests: number }> {
  const engine = new Engine(optionsFor(checks, variant, generation));
  return { verdicts: await engine.run(), requests: engine.spent.requests };
}

export const brokenIn = (verdicts: readonly Verdict[]): readonly Verdict[] =>
  verdicts.filter(({ verdict }) => verdict === "broken");
export const counterexamplesIn = (verdicts: readonly Verdict[]): readonly Counterexample[] =>
  verdicts.flatMap(({ breaches }) => breaches.flatMap(({ counterexample }) => counterexample ?? []));

/** The case that the printed line names. */
export function replayedBy(counterexample: Counterexample | undefined): CasePath {
  const [, path = ""] = /--path (\S+)$/.exec(counterexample ? replayFlags(counterexample) : "") ?? [];
  const replay = casePathOf(path);
  if (!replay) throw new Error(`no case: ${path}`);
  return replay;
}
