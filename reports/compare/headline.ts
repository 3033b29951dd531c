// A comparison, or one pair of it, in a sentence: its verdict first, then what changed
import { verdictWord } from "../headline.ts";
import { counted, countsOf } from "../numbers.ts";
import type { Comparison, Pair } from "./comparison.ts";
import { besideLatency } from "./loadView.ts";
import { scoreHeadline } from "./scoreView.ts";
import { isOfVendors, wordingOf } from "./wording.ts";

/** Those of figures that differ enough to be told. */
export const reportedOf = <One extends { readonly isReported: boolean }>(all: readonly One[]): readonly One[] =>
  all.filter(({ isReported }) => isReported);

/** The whole comparison in a sentence, without full stop. */
export function comparisonHeadline(comparison: Comparison): string {
  const { runs, pairs, exitCode } = comparison;
  const [only] = pairs;
  if (pairs.length === 1 && only)
    return only.scorecard ? scoreHeadline(runs, only, only.scorecard) : pairHeadline(runs, only);
  const red = pairs.filter((pair) => pair.exitCode === 1).length;
  const some = red === 0 ? "none breaks" : `${red} ${red === 1 ? "breaks" : "break"}`;
  const [what, base] = isOfVendors(comparison) ? ["vendor", "A"] : ["run", "the baseline"];
  return `${verdictWord(exitCode)}: of ${counted(runs.length, what)} ${some} what ${base} doesn't`;
}

/** One run against the baseline in a sentence, without full stop. */
export function pairHeadline(runs: Comparison["runs"], pair: Pair): string {
  const { broken: newlyBroken, fixed, known = [], unjudged, narrower, wider, muted = [] } = pair.requirements;
  const { headline, there } = wordingOf(runs, pair);
  const red = newlyBroken.filter(({ is }) => is.kind === "broken").length;
  const figures = [...reportedOf(pair.limits), ...reportedOf(pair.charges), ...reportedOf(pair.freshness)];
  const changes = countsOf(
    [newlyBroken.length - red, ...headline.warnings],
    [muted.length, "is broken and flaky", "are broken and flaky"],
    [fixed.length, ...headline.fixed],
    [known.length, `known issue${there}`, `known issues${there}`],
    [unjudged.length, ...headline.unjudged],
    [narrower.length, `is verified on less${there}`, `are verified on less${there}`],
    [wider.length, `is verified on more${there}`, `are verified on more${there}`],
    [pair.observations.length, ...headline.drifts],
  );
  const fields = countsOf([pair.shapes.length, "field"]).map((some) => `${headline.shapes}: ${some}`);
  // Of loads, those that are slower are named.
  const latency = pair.load && reportedOf(pair.latencyRatios ?? []).length > 0 ? [] : reportedOf(pair.latency);
  const measured = countsOf(
    [latency.length, `operation is faster or slower${there}`, `operations are faster or slower${there}`],
    [figures.length, ...headline.figures],
  );
  const isInconclusive = pair.exitCode === 3 && pair.bound?.verdict !== "unjudged";
  const broken =
    red > 0
      ? `${counted(red, "requirement")} ${red === 1 ? "is" : "are"} ${headline.broken}`
      : isInconclusive
        ? headline.inconclusive
        : headline.unbroken;
  const parts = [besideLatency(broken, pair, there).join("; "), ...changes, ...fields, ...measured];
  return `${verdictWord(pair.exitCode)}: ${parts.join(", ")}`;
}
