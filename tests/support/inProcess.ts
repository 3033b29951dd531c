// Checks on a platform in this process, and the generated cases behind what they find.
import { suite as contracts } from "../../contracts/suite.ts";
import { type CasePath, casePathOf, type Drawn, drawnAgain, type Generation } from "../../harness/core/generation.ts";
import { Engine, type EngineOptions } from "../../harness/engine/engine.ts";
import type { Check } from "../../harness/model/check.ts";
import type { Verdict } from "../../harness/model/verdict.ts";
import { inProcess } from "../../proof/inProcess.ts";
import type { Lie } from "../../reference/platform/mutant.ts";

export const many: Generation = { seed: 1, scale: "many" };
export const nameOf = ({ needs }: Check): string => needs.generates?.property ?? "";

export const optionsFor = (checks: readonly Check[], lie: Lie | undefined, generation: Generation): EngineOptions => ({
  ...inProcess({ ...contracts, checks, probes: [] }, lie),
  observe: [],
  generation,
});

export async function judged(
  checks: readonly Check[],
  lie: Lie | undefined,
  generation: Generation = many,
): Promise<{ readonly verdicts: readonly Verdict[]; readonly requests: number }> {
  const engine = new Engine(optionsFor(checks, lie, generation));
  return { verdicts: await engine.run(), requests: engine.spent.requests };
}

export const brokenIn = (verdicts: readonly Verdict[]): readonly Verdict[] =>
  verdicts.filter(({ verdict }) => verdict === "broken");
export const drawnIn = (verdicts: readonly Verdict[]): readonly Drawn[] =>
  verdicts.flatMap(({ breaches }) => breaches.flatMap(({ drawn }) => drawn ?? []));

/** The case that the printed line names. */
export function replayedBy(drawn: Drawn | undefined): CasePath {
  const [, path = ""] = /--path (\S+)$/.exec(drawn ? drawnAgain(drawn) : "") ?? [];
  const replay = casePathOf(path);
  if (!replay) throw new Error(`no case: ${path}`);
  return replay;
}
