// Who of two vendors is better in what, as a headline and in sentences; where nothing tells, it says so.
import { foreign, type List } from "../document/document.ts";
import { counted, numberText, toTenths } from "../numbers.ts";
import { capped } from "../text.ts";
import type { Better, Both, ComparedQuantile, LoadChange, Scorecard } from "./comparedFigures.ts";
import type { Comparison, Pair } from "./comparison.ts";
import { intervalText } from "./loadView.ts";
import { isOtherLoad } from "./scorecard.ts";
import { isSurelyOther } from "./slowness.ts";

type Side = keyof Both<unknown>;

/** One aspect in words. */
interface ScoreRow {
  readonly name: string;
  readonly better: Better;
  readonly difference: string;
  /** What the difference is of, where not of all that the name says. */
  readonly of?: string;
  /** What the headline says of it; null where the table is enough. */
  readonly inShort: string | null;
}

/** As long as a headline can bear. */
const longestName_chars = 60;

const otherSide = (side: Side): Side => (side === "was" ? "is" : "was");
const isSide = (better: Better): better is Side => better === "was" || better === "is";
const noDifference = "no difference shown";

/** `1.4`, `16`. */
const timesText = (ratio: number): string => (ratio < 10 ? toTenths(ratio) : numberText(Math.round(ratio)));

function conformanceRow({ conformance }: Scorecard, names: Both<string>): ScoreRow {
  const { was, is, judged, better } = conformance;
  const fewer = was.broken < is.broken ? "was" : "is";
  const by = Math.abs(was.broken - is.broken);
  const breaches = by === 1 ? "requirement" : "requirements";
  const both = `${names.was} and ${names.is}`;
  const apart =
    by > 0
      ? `${names[fewer]} breaks ${by} ${breaches} fewer`
      : was.alone > 0
        ? `${both} each break ${counted(was.alone, "requirement")} that the other doesn't`
        : was.broken > 0
          ? `${both} break the same ${counted(was.broken, "requirement")}`
          : `${both} break none of ${counted(judged, "requirement")}`;
  const { alone } = conformance[fewer];
  const swapped = by > 0 && alone > 0 ? [`but ${alone} that ${names[otherSide(fewer)]} doesn't`] : [];
  const beside = (["was", "is"] as const).flatMap((side) => {
    const { unjudgedThere: more } = conformance[side];
    return more > 0 ? [`${names[side]} also breaks ${more} that ${names[otherSide(side)]} wasn't judged on`] : [];
  });
  const counts = `${conformance[fewer].broken} against ${conformance[otherSide(fewer)].broken}`;
  const figures = by > 0 ? ` (${counts} of ${numberText(judged)})` : "";
  return {
    name: "conformance",
    better,
    difference:
      judged === 0 ? "not measured: no requirement was judged at both" : [apart, ...swapped, ...beside].join(", "),
    inShort: judged === 0 ? null : [`${apart}${figures}`, ...beside].join(", "),
  };
}

/** That of p50, else of p95, which is surely another in favour of one side. */
function sureQuantile({ ratio }: Scorecard["latency"], side: Side) {
  const found = (["p50", "p95"] as const).find((percentile) => {
    const one = ratio?.[percentile];
    return one && isSurelyOther(one) && one.ratio > 1 === (side === "was");
  });
  return found && ratio ? { percentile: found, quantile: ratio[found] } : null;
}

/** How many times faster that side is. */
function timesFaster(
  { ratio, from, to }: ComparedQuantile,
  side: Side,
): Pick<ComparedQuantile, "ratio" | "from" | "to"> {
  const inverse = (end: number | null): number | null => (end === null ? null : 1 / end);
  return side === "was" ? { ratio, from, to } : { ratio: 1 / ratio, from: inverse(to), to: inverse(from) };
}

function latencyRow({ latency }: Scorecard, names: Both<string>, { load, latencyRatios = [] }: Pair): ScoreRow {
  const { of, better, ...faster } = latency;
  const row = { name: "latency", better };
  const operations = counted(of, "operation");
  if (!isSide(better)) {
    const both = `${names.was} answers ${counted(faster.was, "operation")} faster, ${names.is} ${faster.is}`;
    const isUnlike = load && (isOtherLoad(load) || latencyRatios.length === 0);
    const unmeasured = isUnlike ? unlikeText(load) : "not measured: too few answers to the same requests";
    const difference =
      better === "neither" ? both : better === "same" ? `${noDifference} in ${operations}` : unmeasured;
    return { ...row, difference, inShort: better === "neither" ? both : null };
  }
  const share = `${faster[better]} of ${operations}`;
  const sure = sureQuantile(latency, better);
  const name = names[better];
  if (!sure) {
    const difference = `${name} answers ${share} faster`;
    return { ...row, difference, inShort: difference };
  }
  const times = timesFaster(sure.quantile, better);
  const how = `${name} answers ${timesText(times.ratio)} times faster`;
  return {
    ...row,
    difference: `${how} (${sure.percentile}; ${intervalText(times)}), surely in ${share}`,
    inShort: `${how} (${sure.percentile})`,
  };
}

function limitsRow({ limits }: Scorecard, names: Both<string>): ScoreRow {
  const { of, differ, better, ...higher } = limits;
  const row = { name: "limits", of: "stated limits", better };
  if (better === "unmeasured") return { ...row, difference: "not measured: no limit is stated at both", inShort: null };
  if (better === "same")
    return { ...row, difference: `the same limits stated for ${counted(of, "operation")}`, inShort: null };
  const difference = isSide(better)
    ? `${names[better]} states higher limits for ${higher[better]} of ${counted(of, "operation")}`
    : `${names.was} and ${names.is} state other limits for ${differ} of ${counted(of, "operation")}`;
  return { ...row, difference, inShort: difference };
}

type ShareWords = Readonly<Record<"name" | "does", string>>;
const shareWords: { readonly [share in keyof NonNullable<Scorecard["load"]>]: ShareWords } = {
  limited: { name: "limits", does: "rate-limits" },
  failed: { name: "failures", does: "fails" },
};

function shareRow(load: LoadChange, share: keyof typeof shareWords, better: Better, names: Both<string>): ScoreRow {
  const { name, does } = shareWords[share];
  const { by, from, to } = load[share];
  const row = { name, better };
  if (!isSide(better))
    return { ...row, difference: better === "same" ? noDifference : unlikeText(load), inShort: null };
  const [least, most] = [Math.abs(from), Math.abs(to)].sort((a, b) => a - b).map((end) => toTenths(100 * end));
  const fewer = `${names[better]} ${does} ${toTenths(100 * Math.abs(by))} fewer of 100 requests`;
  return { ...row, difference: `${fewer} (95 % interval ${least} to ${most})`, inShort: fewer };
}

const unlikeText = (load: LoadChange): string =>
  `not measured: ${isOtherLoad(load) ? "not the same load" : "a load is unreliable"}`;

function creditsRow({ credits }: Scorecard, names: Both<string>): ScoreRow {
  const { of, better } = credits;
  const row = { name: "credits", better };
  if (better === "unmeasured")
    return { ...row, difference: "not measured: no counter was audited at both", inShort: null };
  if (better === "same") return { ...row, difference: noDifference, inShort: null };
  const worse = isSide(better) ? otherSide(better) : credits.was.less > credits.is.less ? "was" : "is";
  const { more, less } = credits[worse];
  const than = isSide(better)
    ? `${more} of ${counted(of, "counter")} more than expected`
    : `${less} of ${counted(of, "counter")} less than expected`;
  const difference = `${names[worse]} charges ${than}`;
  return { ...row, difference, inShort: difference };
}

function rowsOf(runs: Comparison["runs"], pair: Pair, scorecard: Scorecard): readonly ScoreRow[] {
  const nameOf = (nth: number): string => capped(runs[nth]?.name ?? "", longestName_chars);
  const names = { was: nameOf(pair.base), is: nameOf(pair.head) };
  const shares = scorecard.load;
  return [
    conformanceRow(scorecard, names),
    latencyRow(scorecard, names, pair),
    ...(pair.load && shares
      ? [shareRow(pair.load, "limited", shares.limited, names), shareRow(pair.load, "failed", shares.failed, names)]
      : [limitsRow(scorecard, names)]),
    creditsRow(scorecard, names),
  ];
}

/** Who is better in what and by how much, in a sentence without full stop. */
export function scoreHeadline(runs: Comparison["runs"], pair: Pair, scorecard: Scorecard): string {
  const rows = rowsOf(runs, pair, scorecard);
  const parts = rows.flatMap(({ inShort }) => inShort ?? []);
  const same = rows.flatMap(({ name, inShort, better }) => (inShort === null && better === "same" ? [name] : []));
  if (parts.length > 0)
    return [...parts, ...(same.includes("latency") ? [`${noDifference} in latency`] : [])].join("; ");
  return same.length > 0 ? `No difference shown in ${same.join(" and ")}` : "Nothing could be compared";
}

/** By how much they differ in each aspect, and where nothing tells, why. */
export const differenceLines = (runs: Comparison["runs"], pair: Pair, scorecard: Scorecard): List => ({
  is: "list",
  fewest: 5,
  items: rowsOf(runs, pair, scorecard).map(({ name, of = name, difference }) => [`${of}: `, foreign(difference)]),
});
