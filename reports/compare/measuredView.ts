// The figures that a comparison measured, changed or not: folded on the page, counted in text.
import { detail, type Section, type Sentence, type TextTable } from "../document/document.ts";
import { counted, countsOf } from "../numbers.ts";
import type { ComparedMeasure, LimitChange } from "./comparedFigures.ts";
import type { Pair } from "./comparison.ts";
import { shiftText } from "./items.ts";
import { measuredAnchor } from "./vendorRows.ts";
import type { Wording } from "./wording.ts";

const differs = (isReported: boolean): string => (isReported ? "differs" : "");

type Reported = { readonly isReported: boolean };
interface Measured {
  readonly caption: string;
  readonly one: string;
  readonly heads: readonly string[];
  readonly all: readonly Reported[];
  readonly rows: TextTable["rows"];
}

export function measuredTables(wording: Wording, pair: Pair): readonly Section[] {
  return measuredIn(wording, pair).map(({ caption, one, heads, all, rows }) => {
    const reported = all.filter(({ isReported }) => isReported).length;
    const count = counted(all.length, one);
    const title = reported > 0 ? `${reported} of ${count} differ` : `${wording.unchanged.toLowerCase()} in ${count}`;
    // What is met by chance isn't compared.
    const isMet = all === pair.limits;
    const section = detail(`${caption}: ${isMet ? count : title}`, { is: "table", caption, heads, rows });
    const what = (["latency", "limits", "charges"] as const).find((one) => all === pair[one]);
    return what ? { ...section, id: measuredAnchor(what, pair.head) } : section;
  });
}

function measuredIn({ heads, there }: Wording, { latency, freshness, limits, charges }: Pair): readonly Measured[] {
  const shift = "Shift (99 % confidence over all rows)";
  const measuredHeads = ["What", "Answers", ...heads("Median"), ...heads("p95"), shift, ""];
  const measuredRow = (name: string, one: ComparedMeasure, unit: string, shown = shiftText(one, unit)) => {
    const { was, is, isReported } = one;
    return [name, is.count, was.median, is.median, was.p95, is.p95, shown, differs(isReported)];
  };
  const [charged, chargedNow] = heads("Charged");
  const [expected, expectedNow] = heads("Expected");
  return [
    {
      caption: "Latency of served answers to the same requests, in ms",
      one: "operation",
      heads: measuredHeads,
      all: latency,
      rows: latency.map((one) =>
        measuredRow(one.operation, one, "ms", one.since && `since ${one.since.at.slice(0, 10)}`),
      ),
    },
    {
      caption: "Slots behind the newest seen",
      one: "figure",
      heads: measuredHeads,
      all: freshness,
      rows: freshness.map((one) => measuredRow(`${one.figure} of ${one.operation}`, one, "slots")),
    },
    {
      caption: "Rate limits met",
      one: "operation",
      heads: ["Operation", ...heads("Most served in a second"), ...heads("Rate-limited"), `States${there}`],
      all: limits,
      rows: limits.map(({ operation, wasMet: was, isMet: is, stated }) => {
        return [operation, was.mostServed, is.mostServed, was.throttled, is.throttled, stated.is.join(", ")];
      }),
    },
    {
      caption: "Charged and expected",
      one: "counter",
      heads: ["Project", "Counter", charged, expected, chargedNow, expectedNow, ""],
      all: charges,
      rows: charges.map((charge) => {
        const { was, is } = charge;
        const figures = [was.charged ?? "–", was.spent, is.charged ?? "–", is.spent];
        return [charge.project, charge.at, ...figures, differs(charge.isReported)];
      }),
    },
  ];
}

const isStated = ({ stated }: LimitChange): boolean => stated.was.length > 0 || stated.is.length > 0;

/** How many figures say nothing: those that are the same, and those that weren't measured. */
export function quietItems({ unchanged: nothingShown }: Wording, pair: Pair): readonly Sentence[] {
  const { latency, freshness, limits, charges, load } = pair;
  const isMeasured = ({ shift, isReported }: ComparedMeasure): boolean => shift !== null || isReported;
  const isOpen = ({ was, is }: Pair["charges"][number]): boolean => was.result === "open" || is.result === "open";
  const quiet = <One extends Reported>(all: readonly One[], isOne: (one: One) => boolean): number =>
    all.filter((one) => !one.isReported && isOne(one)).length;
  const named = (...counts: readonly (readonly [what: string, count: number, one: string])[]): readonly string[] =>
    counts.flatMap(([what, ...count]) => countsOf(count).map((some) => `${what} ${some}`));
  const same = named(
    ["latency of", quiet(latency, isMeasured), "operation"],
    ["freshness of", quiet(freshness, isMeasured), "figure"],
    ["stated limits of", quiet(limits, isStated), "operation"],
    ["charges on", quiet(charges, (charge) => !isOpen(charge)), "counter"],
  );
  const unmeasured = named(
    ["latency of", load ? 0 : quiet(latency, (one) => !isMeasured(one)), "operation"],
    ["freshness of", quiet(freshness, (one) => !isMeasured(one)), "figure"],
    ["charges on", quiet(charges, isOpen), "counter"],
  );
  return [
    ...(same.length > 0 ? [[`${nothingShown}: ${same.join(", ")}.`]] : []),
    ...(unmeasured.length > 0 ? [[`Too few values to tell: ${unmeasured.join(", ")}.`]] : []),
  ];
}
