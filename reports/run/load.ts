// A load on a run's page: rates, outcomes, latencies, and the parts that sent it.
import type { LoadReport } from "../../harness/record/load.ts";
import { type Block, foreign, note, paragraph, type Sentence, type TextTable } from "../document/document.ts";
import { loadSentences } from "../load.ts";
import { inMs, numberText, toTenths } from "../numbers.ts";

const outcomeWords = {
  limited: "rate-limited",
  refused: "refused",
  failed: "failed",
  timeout: "no answer in time",
} as const;

/** Links lead to pages beside this one only, whatever the run's record has. */
const besideThis = /^k6-[a-z]+(-\d+)?\.html$/;

/** Rates, outcomes and latencies; rate-limited requests apart, as they are quicker. */
export function loadBlocks(load: LoadReport): readonly Block[] {
  const { left, dashboard, parts = [] } = load;
  const files = [dashboard, ...parts.map((part) => part.dashboard)].flatMap((file) =>
    file !== undefined && besideThis.test(file) ? [file] : [],
  );
  const links = files.flatMap((file, nth): Sentence => [...(nth > 0 ? [", "] : []), { text: file, to: file }]);
  const leftTexts = left.map(({ operation, reason }) => `${operation} (${reason})`).join(", ");
  return [
    ...loadSentences(load).map((sentence) => paragraph(foreign(sentence))),
    phasesTable(load),
    latenciesTable(load),
    ...(left.length === 0 ? [] : [note("Not loaded: ", foreign(leftTexts), ".")]),
    partsTable(load),
    ...(files.length === 0 ? [] : [note("k6's report, secrets removed: ", ...links, ".")]),
  ];
}

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

function latenciesTable({ latencies, bounds }: LoadReport): TextTable {
  const boundOf = (operation: string, outcome: string): string => {
    const bound = outcome === "served" ? bounds.find((one) => one.operation === operation) : undefined;
    return bound ? `${bound.isKept ? "✓" : "✗"} ${bound.bound_ms} ms` : "–";
  };
  return {
    is: "table",
    isCaptionShown: true,
    caption: "Latency under load by operation and outcome, in ms",
    heads: ["Operation", "Answers", "Median", "p95", "p99", "Slowest", ...(bounds.length ? ["Bound on p95"] : [])],
    rows: latencies.map((latency) => [
      latency.outcome === "served" ? latency.operation : `${latency.operation}, ${outcomeWords[latency.outcome]}`,
      numberText(latency.count),
      ...[latency.p50_ms, latency.p95_ms, latency.p99_ms, latency.max_ms].map(inMs),
      ...(bounds.length > 0 ? [boundOf(latency.operation, latency.outcome)] : []),
    ]),
  };
}

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
