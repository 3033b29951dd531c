/** @jsxImportSource hono/jsx */
// The nights of a history on its page: strips of requirements, changes, latencies, limits and costs
import { sum } from "simple-statistics";
import type { Json } from "../../harness/core/json.ts";
import type { LoadPhase } from "../../harness/record/load.ts";
import { slownessText } from "../compare/items.ts";
import {
  type Block,
  code,
  detail,
  foreign,
  note,
  type Section,
  type Sentence,
  sectionOf,
  type TextTable,
  verdictSpan,
} from "../document/document.ts";
import { Bar } from "../document/elements.tsx";
import { inMs, numberText } from "../numbers.ts";
import { valueText } from "../sentences.ts";
import type { History } from "./history.ts";
import { linesFigure, sparkElement, sparkText } from "./lines.tsx";
import { absentValue } from "./nightShapes.ts";
import { stepsSince } from "./steps.ts";
import { lastOf, nightDay, type Strip, trendText, unjudgedText } from "./strips.ts";

export function nightsSection(history: History, title: Sentence): Section {
  const { nights, latencies, left } = history;
  const days = nights.map(({ at }) => nightDay(at));
  const blocks = [
    stripsSection(history),
    rowsSection(
      "Changes of unspecified behaviours and of response shapes",
      ["First seen", "What", "Where", "Was", "Is", ""],
      changeRows(history),
    ),
    ...(latencies.length > 0 ? [latencySection(history, days)] : []),
    rowsSection("Rate limits found", ["What", "Limit", "Since"], limitRows(history)),
    sectionOf(["Spent"], ...spentFigures(history, days)),
    rowsSection(
      "Nights left out",
      ["Night", "Run", "Why"],
      left.map(({ at, id, left: why }) => [nightDay(at), id, why ?? ""]),
    ),
  ];
  return { ...sectionOf(["Nights: ", ...title], ...blocks), only: "page" };
}

/** Lengths of equal states, one after another. */
function lengthsOf({ states }: Strip): readonly (readonly [kind: Strip["states"][number]["kind"], count: number])[] {
  const begins = [...states.keys()].filter((nth) => states[nth]?.kind !== states[nth - 1]?.kind);
  return begins.map((from, nth) => [states[from]?.kind ?? "absent", (begins[nth + 1] ?? states.length) - from]);
}

function stripsSection({ strips, nights }: History): Section {
  const tableOf = (some: readonly Strip[]): TextTable => ({
    is: "table",
    caption: "Requirements over nights",
    kind: "matrix",
    heads: ["Requirement", "Nights, the last on the right", "Last night", "Since"],
    rows: some.map((strip) => {
      const bar = (
        <span class="strip">
          <Bar counts={lengthsOf(strip)} of={nights.length} />
        </span>
      );
      return [
        [code(strip.id), " ", strip.sentence],
        { is: "element", element: bar },
        ...(unjudgedText(strip, nights) === ""
          ? [[verdictSpan(lastOf(strip))], trendText(strip.trend, nights)]
          : [unjudgedText(strip, nights), ""]),
      ];
    }),
  });
  const isQuiet = (strip: Strip): boolean => lastOf(strip) !== "broken" && lengthsOf(strip).length === 1;
  const quiet = strips.filter(isQuiet);
  const moving = strips.filter((strip) => !isQuiet(strip));
  return sectionOf(
    ["Requirements"],
    moving.length > 0 ? tableOf(moving) : note("Every requirement was the same on every night."),
    detail(`${numberText(quiet.length)} the same on every night`, tableOf(quiet)),
  );
}

/** Of a row: a week before the step, and the nights since, of which some are left out where there are many. */
const shownBefore = 7;
const mostShown = 28;

function nightsAround(step: number, count: number): readonly number[] {
  const from = Math.max(0, step - shownBefore);
  const shown = Math.min(mostShown, count - from);
  return Array.from(
    { length: shown },
    (_, nth) => from + Math.round((nth * (count - 1 - from)) / Math.max(1, shown - 1)),
  );
}

/** Operations on another level than on the first night, as rows: for the page with a chart, else with blocks. */
export function slowerTables(history: History): readonly TextTable[] {
  const { nights, latencies } = history;
  const rows = stepsSince(history, 0).map(({ operation, percentile, was, is, night }) => {
    const figures = latencies.find((strip) => strip.operation === operation)?.[percentile] ?? [];
    const shown = nightsAround(night, figures.length);
    const days = shown.map((nth) => nightDay(nights[nth]?.at ?? ""));
    const cells = [
      [foreign(operation), ` ${percentile}`],
      `${inMs(was)} ms`,
      `${inMs(is)} ms`,
      slownessText({ was, is }),
      `since ${nightDay(nights[night]?.at ?? "")}`,
    ];
    const spark = { name: `${operation} ${percentile}`, figures: shown.map((nth) => figures[nth] ?? null), days };
    return { cells, spark };
  });
  const table = { is: "table", caption: "Latency on another level", kind: "matrix" } as const;
  const heads = ["Operation", "Before", "Now", "Change", "Since", "A week before it until now"];
  return [
    { ...table, only: "page", heads, rows: rows.map(({ cells, spark }) => [...cells, sparkElement(spark)]) },
    { ...table, only: "text", heads, rows: rows.map(({ cells, spark }) => [...cells, [sparkText(spark)]]) },
  ];
}

const rowsSection = (title: string, heads: readonly string[], rows: readonly (readonly string[])[]): Section =>
  sectionOf([title], { is: "table", caption: title, kind: "matrix", heads, rows });

/** The newest first. */
export function changeRows({ nights, changes }: Pick<History, "nights" | "changes">): readonly (readonly string[])[] {
  const on = (nth: number): string => nightDay(nights[nth]?.at ?? "");
  const values = (some: readonly Json[]): string =>
    some.map((value) => (value === absentValue ? "–" : valueText(value))).join(" or ");
  return [...changes.behaviours, ...changes.shapes]
    .sort((a, b) => b.night - a.night)
    .map((change) => {
      const varies = change.back === null ? "" : `as before on ${on(change.back)}`;
      return [on(change.night), change.what, change.where, values(change.was), values(change.is), varies];
    });
}

/** Since when each limit is as it is, the newest first. */
export function limitRows({ nights }: Pick<History, "nights">): readonly (readonly string[])[] {
  const names = [...new Set(nights.flatMap(({ limits }) => Object.keys(limits)))];
  return names.flatMap((name) => {
    const known = nights.flatMap(({ at, limits: { [name]: limit = "" } }) => (limit === "" ? [] : [{ at, limit }]));
    const since = known.filter(({ limit }, nth) => known[nth - 1]?.limit !== limit);
    return since.reverse().map(({ at, limit }) => [name, limit, nightDay(at)]);
  });
}

function latencySection({ latencies, changePoints }: History, days: readonly string[]): Section {
  const key = (
    <p class="fine">
      <span class="line-1">p50</span>, <span class="line-2">p95</span> and <span class="line-3">p99</span>, on a
      logarithmic scale. A dashed line marks the first night of another level, beyond chance and drift.
    </p>
  );
  const figures = latencies.map(({ operation, p50, p95, p99 }) =>
    linesFigure({
      caption: operation,
      days,
      marks: changePoints.flatMap((point) =>
        point.operation === operation && point.back === null ? [point.night] : [],
      ),
      lines: { p50, p95, p99 },
      textOf: (ms) => `${inMs(ms)} ms`,
    }),
  );
  return sectionOf(["Latency of served answers"], { is: "element", element: key }, ...figures);
}

function spentFigures({ nights }: History, days: readonly string[]): readonly Block[] {
  const inLoads = (of: (phase: Omit<LoadPhase, "p95_ms">) => number) =>
    nights.map(({ load }) => (load ? Math.round(sum(load.phases.map(of))) : null));
  return [
    linesFigure({
      caption: "Credits and requests of each night",
      days,
      lines: { Credits: nights.map(({ spent }) => spent.credits), Requests: nights.map(({ spent }) => spent.requests) },
    }),
    linesFigure({
      caption: "Requests that loads asked for, sent, and got served",
      days,
      lines: {
        "Asked for": inLoads(({ seconds, perSecond }) => seconds * perSecond),
        Sent: inLoads(({ requests }) => requests),
        Served: inLoads(({ served }) => served),
      },
    }),
  ];
}
