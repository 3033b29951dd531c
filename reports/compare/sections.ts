// How is a comparison told? The same sections, sentence by sentence, for the terminal, Markdown and HTML.
import { counted, valueText, words } from "../words.ts";
import type {
  Change,
  ChargeChange,
  Comparison,
  Drift,
  FreshnessChange,
  LatencyChange,
  LimitChange,
  Measured,
  Pair,
  ShapeChange,
  Share,
  State,
} from "./comparison.ts";

/** Our own words, or what somebody else wrote: views show the latter as such. */
export type Piece = string | { readonly text: string; readonly isValue?: true };

export interface Item {
  readonly pieces: readonly Piece[];
}

export interface Section {
  readonly name:
    | "broken"
    | "elsewhere"
    | "mended"
    | "unjudged"
    | "verified"
    | "drifted"
    | "shapes"
    | "latency"
    | "limits"
    | "charges"
    | "freshness";
  readonly sign: string;
  readonly title: string;
  readonly items: readonly Item[];
}

const their = (text: string): Piece => ({ text });
/** What was sent, came back, or was expected to. */
const value = (text: string): Piece => ({ text, isValue: true });

/** The sections of one pair that have something to tell, what is worst first. */
export function sectionsOf({ runs }: Pick<Comparison, "runs">, pair: Pair): readonly Section[] {
  const { broken, brokenElsewhere, mended, unjudged, verified } = pair.requirements;
  const told = <One extends { readonly isReported: boolean }>(all: readonly One[]): readonly One[] =>
    all.filter(({ isReported }) => isReported);
  const firstSeen = (drift: Drift): string => runs[drift.firstSeen.run]?.name ?? "";
  const sections: readonly Section[] = [
    { name: "broken", sign: words.broken.sign, title: "Newly broken", items: broken.map(brokenItem) },
    {
      name: "elsewhere",
      sign: words.broken.sign,
      title: "Broken at more places",
      items: brokenElsewhere.map(brokenItem),
    },
    { name: "unjudged", sign: words.withheld.sign, title: "No longer judged", items: unjudged.map(stateItem) },
    { name: "mended", sign: words.holds.sign, title: "Mended", items: mended.map(stateItem) },
    { name: "verified", sign: words.holds.sign, title: "Newly verified", items: verified.map(stateItem) },
    {
      name: "drifted",
      sign: "≠",
      title: "Drifted, where the interface promises nothing",
      items: pair.observations.map((one) => driftItem(one, firstSeen(one))),
    },
    { name: "shapes", sign: "≠", title: "Answers look otherwise", items: pair.shapes.map(shapeItem) },
    { name: "latency", sign: "≠", title: "Latency", items: told(pair.latency).map(latencyItem) },
    { name: "limits", sign: "≠", title: "Stated limits", items: told(pair.limits).map(limitItem) },
    { name: "charges", sign: "≠", title: "Charges", items: told(pair.charges).map(chargeItem) },
    { name: "freshness", sign: "≠", title: "Freshness", items: told(pair.freshness).map(freshnessItem) },
  ];
  return sections.filter(({ items }) => items.length > 0);
}

const nameOfState = ({ kind }: State): string => (kind === "absent" ? "not planned" : words[kind].one);
const because = ({ reason }: State): readonly Piece[] => (reason === null ? [] : [": ", their(reason)]);
const titleOf = ({ id, sentence, clause }: Pick<Change, "id" | "sentence" | "clause">): readonly Piece[] => [
  their(id),
  " ",
  their(sentence),
  " (",
  their(clause),
  ")",
];

function brokenItem(change: Change): Item {
  const { was, is, shown } = change;
  const severity = is.kind === "broken" ? "" : ` (${nameOfState(is)} only)`;
  const before = was.kind === is.kind ? [] : [`, ${nameOfState(was)} before`, ...because(was)];
  const place = shown
    ? [
        "; ",
        ...(shown.title === null ? [] : [their(shown.title), " "]),
        "at ",
        value(shown.at || "the whole body"),
        ": expected ",
        value(shown.expected),
        ", got ",
        value(shown.got),
      ]
    : [];
  return { pieces: [...titleOf(change), severity, ...before, ...place] };
}

const stateItem = (change: Change): Item => ({
  pieces: [
    ...titleOf(change),
    `, ${nameOfState(change.was)} before, ${nameOfState(change.is)} now`,
    ...because(change.is.reason === null ? change.was : change.is),
  ],
});

const valuesText = (values: readonly Parameters<typeof valueText>[0][]): string => values.map(valueText).join(" or ");

const driftItem = ({ id, question, cases, firstSeen: { at } }: Drift, run: string): Item => ({
  pieces: [
    their(id),
    " ",
    their(question),
    ": ",
    ...cases.flatMap((one, index): Piece[] => [
      ...(index > 0 ? ["; "] : []),
      their(one.case),
      " was ",
      value(valuesText(one.was)),
      ", is ",
      value(valuesText(one.is)),
    ]),
    ", first seen in ",
    their(run),
    " of ",
    their(whenText(at)),
  ],
});

const shareText = ({ have, of }: Share): string => `${have.toLocaleString("en-GB")} of ${of.toLocaleString("en-GB")}`;

function shapeItem({ operation, status, outcome, at, change, was, is, seen }: ShapeChange): Item {
  const types = (some: readonly string[]): string => some.join(" or ");
  const what =
    change === "appeared"
      ? `appeared, ${types(is)}`
      : change === "vanished"
        ? `vanished, was ${types(was)}`
        : `was ${types(was)}, is ${types(is)}`;
  return {
    pieces: [
      their(operation),
      ` ${status} ${outcome}: `,
      value(at || "the whole body"),
      ` ${what} (${shareText(seen.was)} before, ${shareText(seen.is)} now)`,
    ],
  };
}

const figure = (value: number): string => value.toLocaleString("en-GB", { maximumFractionDigits: 1 });
const signed = (value: number): string => `${value > 0 ? "+" : ""}${figure(value)}`;

/** The shift of a figure with its interval, e.g. `+42 ms (+38 to +47)`. */
export const shiftText = ({ shift }: Pick<Measured, "shift">, unit: string): string =>
  shift ? `${signed(shift.by)} ${unit} (${signed(shift.from)} to ${signed(shift.to)})` : "too few figures";

const measuredText = (one: Measured, unit: string): string =>
  `${shiftText(one, unit)}; median ${figure(one.was.median)} before, ${figure(one.is.median)} now`;
const latencyItem = (one: LatencyChange): Item => ({
  pieces: [their(one.operation), ` is ${(one.shift?.by ?? 0) > 0 ? "slower" : "faster"}: ${measuredText(one, "ms")}`],
});
const freshnessItem = (one: FreshnessChange): Item => ({
  pieces: [
    `${one.figure} of `,
    their(one.operation),
    ` lies ${(one.shift?.by ?? 0) > 0 ? "further behind" : "less far behind"}: ${measuredText(one, "slots")}`,
  ],
});

const orNothing = (texts: readonly string[]): Piece => (texts.length > 0 ? value(texts.join(", ")) : "nothing");
const limitItem = ({ operation, stated }: LimitChange): Item => ({
  pieces: [their(operation), " stated ", orNothing(stated.was), ", states ", orNothing(stated.is)],
});

const chargeText = ({ charged, spent }: ChargeChange["was"]): string =>
  `${charged ?? "nothing that could be read"} for ${spent} spent`;
const chargeItem = ({ project, at, was, is }: ChargeChange): Item => ({
  pieces: [
    their(project),
    " ",
    value(at),
    ": was charged ",
    their(chargeText(was)),
    ", is charged ",
    their(chargeText(is)),
  ],
});

const several = (count: number, one: string, many: string): readonly string[] =>
  count > 0 ? [counted(count, one, many)] : [];

/** `2026-03-01 12:00:00 UTC`, of an instant as runs have it. */
export const whenText = (instant: string): string => `${instant.slice(0, 19).replace("T", " ")} UTC`;

/** The most that can be said of all of it, as a sentence without full stop. */
export function headlineOfAll({ runs, pairs }: Comparison): string {
  const [only] = pairs;
  if (pairs.length === 1 && only) return headlineOf(only);
  const red = pairs.filter(({ exitCode }) => exitCode === 1).length;
  const said =
    red > 0
      ? `${red} of them ${red === 1 ? "breaks" : "break"} what the first doesn't`
      : "none breaks what the first doesn't";
  return `${counted(runs.length, "run")} compared: ${said}`;
}

/** What became of one run since the base, as a sentence without full stop. */
export function headlineOf(pair: Pair): string {
  const { broken, mended, unjudged } = pair.requirements;
  const red = broken.filter(({ is }) => is.kind === "broken").length;
  const told = (all: readonly { readonly isReported: boolean }[]): number =>
    all.filter(({ isReported }) => isReported).length;
  const otherwise = [
    ...several(broken.length - red, "promise is newly warned of", "promises are newly warned of"),
    ...several(mended.length, "is mended", "are mended"),
    ...several(unjudged.length, "is no longer judged", "are no longer judged"),
    ...several(pair.observations.length, "open point drifted", "open points drifted"),
    ...several(pair.shapes.length, "member looks otherwise", "members look otherwise"),
    ...several(told(pair.latency), "operation is faster or slower", "operations are faster or slower"),
    ...several(
      told(pair.limits) + told(pair.charges) + told(pair.freshness),
      "other figure moved",
      "other figures moved",
    ),
  ];
  const first =
    red > 0
      ? `${counted(red, "promise")} ${red === 1 ? "is" : "are"} newly broken`
      : pair.exitCode === 3
        ? "Whether a promise is newly broken can't be told"
        : "No promise is newly broken";
  return [first, ...otherwise].join(", ");
}

/** What the runs were, one by one. */
export const runLine = ({ name, startedAt, totals, spent, complete }: Comparison["runs"][number]): readonly Piece[] => [
  their(name),
  " of ",
  their(whenText(startedAt)),
  `: ${counted(totals.holds, "holds", "hold")}, ${totals.broken} broken, ${totals.withheld} withheld; ${counted(spent.requests, "request")}, ${counted(spent.credits, "credit")}${spent.unpriced ? ` + ${counted(spent.unpriced, "call")} of unknown price` : ""}${complete ? "" : "; cut short"}`,
];

/** Rows of the matrix in which the runs differ, or that don't hold everywhere; what is withheld everywhere is no news. */
export const tellingRows = ({ matrix }: Pick<Comparison, "matrix">): Comparison["matrix"] =>
  matrix.filter(
    ({ kinds }) => new Set(kinds).size > 1 || !["holds", "withheld", "absent"].includes(kinds[0] ?? "holds"),
  );
