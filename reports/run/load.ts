// A load in reports: what was reached by operation and over time, and the parts that sent it.
import type { Latencies, LoadReport, LoadStretch } from "../../harness/record/load.ts";
import type { Run } from "../../harness/record/run.ts";
import {
  type Block,
  type ChartFigure,
  foreign,
  note,
  paragraph,
  quoting,
  type Section,
  type Sentence,
  sectionOf,
  type TextTable,
} from "../document/document.ts";
import { groupedBy } from "../lists.ts";
import { loadNotes, loadSentences, overTimeLines, sentAsText } from "../load.ts";
import { counted, inMs, numberText, toTenths } from "../numbers.ts";

import { type KnownLimit, limitList } from "./limitLines.ts";

/** Links lead to pages beside this one only, whatever the run's record has. */
const besideThis = /^k6-[a-z]+(-\d+)?\.html$/;

/** @param svg the chart over time; null where there is none */
export const loadFigures = (
  load: LoadReport,
  svg: string | null,
  limits: readonly KnownLimit[],
): readonly Section[] => [
  sectionOf(["By operation"], operationsTable(load)),
  sectionOf(
    ["Over time"],
    ...overTimeLines(load).map((text) => ({ ...paragraph(text), only: "terminal" }) as const),
    overTimeFigure(load, svg),
    limitList(limits),
  ),
];

/** Of a load beside a run. @param svg as in `loadFigures` */
export const loadBlocks = (load: LoadReport, svg: string | null, limits: readonly KnownLimit[]): readonly Block[] => [
  ...loadSentences(load).map((sentence) => paragraph(foreign(sentence))),
  ...loadFigures(load, svg, limits),
  ...loadDetails(load),
];

/** How it was sent, phase by phase and part by part, and what was left out. */
export function loadDetails(load: LoadReport): readonly Block[] {
  const { left, dashboard, parts = [] } = load;
  const files = [dashboard, ...parts.map((part) => part.dashboard)].flatMap((file) =>
    file !== undefined && besideThis.test(file) ? [file] : [],
  );
  const links = files.flatMap((file, nth): Sentence => [...(nth > 0 ? [", "] : []), { text: file, to: file }]);
  const leftTexts = left.map(({ operation, reason }) => `${operation} (${reason})`).join(", ");
  return [
    ...(load.phases.length > 1 ? [phasesTable(load)] : []),
    ...(left.length === 0 ? [] : [note("Not loaded: ", foreign(leftTexts), ".")]),
    partsTable(load),
    ...(files.length === 0 ? [] : [note("k6's report, secrets removed: ", ...links, ".")]),
  ];
}

/** What a load's report says in the terminal and in Markdown, below its headline. */
export const loadTexts = (run: Pick<Run, "exchanges">, load: LoadReport): readonly Block[] => [
  ...loadNotes(load).map((sentence) => paragraph(quoting(sentence))),
  operationsTable(load),
  ...overTimeLines(load).map((text) => ({ ...paragraph(text), only: "terminal" }) as const),
  paragraph(
    `${sentAsText(load)} · ${counted(load.judged, "answer")} judged by all laws, `,
    `${numberText(run.exchanges.length)} kept`,
  ),
];

/** Each operation in a line: what was served and how fast, and what wasn't. */
function operationsTable({ latencies, bounds }: LoadReport): TextTable {
  const hasBounds = bounds.length > 0;
  const boundOf = (operation: string): string => {
    const bound = bounds.find((one) => one.operation === operation);
    if (!bound) return "–";
    return bound.isKept === null ? "not tested" : `${bound.isKept ? "✓" : "✗"} ${bound.bound_ms} ms`;
  };
  return {
    is: "table",
    caption: "Requests and latencies by operation",
    heads: [
      "Operation",
      ...["Requests", "Median ms", "p95 ms", "p99 ms", "Slowest ms", "Rate-limited", "Refused", "Failed"],
      ...(hasBounds ? ["Bound on p95"] : []),
    ],
    rows: [...groupedBy(latencies, ({ operation }) => operation)].map(([operation, outcomes]) => {
      const countOf = (...wanted: readonly Latencies["outcome"][]): string =>
        numberText(outcomes.reduce((total, { outcome, count }) => total + (wanted.includes(outcome) ? count : 0), 0));
      const served = outcomes.find(({ outcome }) => outcome === "served");
      return [
        operation,
        countOf("served", "limited", "refused", "failed", "timeout"),
        ...(["p50_ms", "p95_ms", "p99_ms", "max_ms"] as const).map((of) => (served ? inMs(served[of]) : "–")),
        ...[countOf("limited"), countOf("refused"), countOf("failed", "timeout")],
        ...(hasBounds ? [boundOf(operation)] : []),
      ];
    }),
  };
}

const rateOf = (amount: number, { seconds }: Pick<LoadStretch, "seconds">): string => toTenths(amount / seconds);

const overTimeFigure = ({ overTime = [] }: LoadReport, svg: string | null): ChartFigure => ({
  is: "figure",
  only: "page",
  svg,
  table: {
    is: "table",
    caption: "Rates and latencies over time",
    heads: ["Seconds", "Asked /s", "Reached /s", "Median ms", "p95 ms", "p99 ms", "Rate-limited", "Failed"],
    rows: overTime.map((stretch) => [
      `${stretch.from_s} to ${toTenths(stretch.from_s + stretch.seconds)}`,
      rateOf(stretch.due, stretch),
      rateOf(stretch.requests, stretch),
      ...[stretch.p50_ms, stretch.p95_ms, stretch.p99_ms].map((ms) => (ms === null ? "–" : inMs(ms))),
      ...[stretch.limited, stretch.failed].map(numberText),
    ]),
  },
});

const phasesTable = ({ phases }: LoadReport): TextTable => ({
  is: "table",
  isCaptionShown: true,
  caption: "Requests and outcomes by phase",
  heads: ["Phase", "Requests", "Served", "Rate-limited", "Failed", "p95"],
  rows: phases.map((phase) => [
    `${phase.name}, ${toTenths(phase.perSecond)} per second for ${toTenths(phase.seconds)} s`,
    ...[phase.requests, phase.served, phase.limited, phase.failed].map(numberText),
    phase.p95_ms === null ? "–" : `${inMs(phase.p95_ms)} ms`,
  ]),
});

const partsTable = ({ parts = [] }: LoadReport): TextTable => ({
  is: "table",
  isCaptionShown: true,
  caption: "Parts: what each generator sent, and how far its clock was off",
  heads: ["Part", "Planned", "Sent", "Not on time", "Began at", "Clock"],
  rows: parts.map((part) => [
    `${part.nth} of ${part.of}${part.failure === null ? "" : `, cut short: ${part.failure}`}`,
    ...[part.planned, part.begun, part.dropped].map(numberText),
    part.beganAt?.slice(11, 23) ?? "–",
    part.behind_ms ? clockText(part.behind_ms) : "unknown",
  ]),
});

/** Clocks that are off by less aren't mentioned. */
const noticed_ms = 500;

function clockText([least, most]: readonly [number, number]): string {
  const off_ms = least > 0 ? least : most < 0 ? most : 0;
  if (Math.abs(off_ms) < noticed_ms) return "right";
  return `at least ${toTenths(Math.abs(off_ms) / 1000)} s ${off_ms > 0 ? "slow" : "fast"}`;
}
