// Sentences on a load, the same in every report.
import { sum } from "simple-statistics";
import { causesOf, describeReason } from "../harness/core/reason.ts";
import type { LoadReport, LoadStretch } from "../harness/record/load.ts";
import type { Run } from "../harness/record/run.ts";
import { exceededBounds, exceededSentence, untestedBoundsText } from "./bounds.ts";
import { counted, countsOf, durationText, inMs, numberText, toTenths } from "./numbers.ts";

/** The load of a run that is nothing but a load. */
export const loadAlone = ({ load }: Pick<Run, "load">): LoadReport | undefined =>
  load?.after === undefined ? load : undefined;

type Amount = "requests" | "served" | "limited" | "failed" | "seconds";
const total = ({ phases }: LoadReport, of: Amount): number => sum(phases.map((phase) => phase[of]));

const perSecond = (stretches: readonly LoadStretch[], of: "requests" | "limited" | "failed"): number =>
  sum(stretches.map((stretch) => stretch[of])) / sum(stretches.map(({ seconds }) => seconds));

/** Requests per second; of a load that was ended, without its last stretch, of which a part is missing. */
function reached_perSecond(load: LoadReport): number {
  const { overTime = [], reason } = load;
  const whole = reason?.kind === "loadEnded" ? overTime.slice(0, -1) : [];
  return whole.length > 0 ? perSecond(whole, "requests") : total(load, "requests") / total(load, "seconds");
}

/** What was reached: `54/s for 20 s · p95 4.1 ms · 3 of 1,079 rate-limited · 0 failed`; null where nothing was sent. */
export function reachedText(load: LoadReport): string | null {
  const requests = total(load, "requests");
  const seconds = total(load, "seconds");
  if (requests === 0 || seconds === 0) return null;
  return [
    `${toTenths(reached_perSecond(load))}/s for ${durationText(seconds)}`,
    ...(load.latency ? [`p95 ${inMs(load.latency.p95_ms)} ms`] : []),
    `${numberText(total(load, "limited"))} of ${numberText(requests)} rate-limited`,
    `${numberText(total(load, "failed"))} failed`,
  ].join(" · ");
}

/** The verdict on a load, why, and what it reached, in one line. @param word the verdict */
export function loadHeadline({ totals }: Pick<Run, "totals">, load: LoadReport, word: string): string {
  const { withheld, doubt, judged } = load;
  if (withheld !== null) return `${word}: no load was sent: ${withheld}`;
  const reached = reachedText(load);
  const reasons = [
    ...countsOf([totals.broken, "requirement broken", "requirements broken"]),
    ...countsOf([exceededBounds(load).length, "bound exceeded", "bounds exceeded"]),
    ...(doubt === null ? [] : [doubt]),
  ];
  const what = reached ?? "no request was sent";
  const parts = reasons.length > 0 ? [...reasons, what] : [what, judged > 0 ? "nothing broken" : "nothing judged"];
  return `${word}: ${parts.join(" · ")}`;
}

/** How a load was sent: `smoke by k6 2.2.0 in 2 parts: steady 50/s for 20 s`. */
export function sentAsText({ shape, generator, parts, phases }: LoadReport): string {
  const inParts = parts ? ` in ${counted(parts.length, "part")}` : "";
  const steps = phases.map(
    ({ name, perSecond, seconds }) => `${name} ${toTenths(perSecond)}/s for ${durationText(seconds)}`,
  );
  return `${shape} by ${generator}${inParts}: ${steps.join(", ")}`;
}

/** What else there is to report, besides what was reached. */
export function loadNotes(load: LoadReport): readonly string[] {
  const { broken, knee, dropped, lag } = load;
  return [
    ...(dropped > 0 ? [`${counted(dropped, "request")} not sent on time`] : []),
    ...(lag === undefined || isSaidInDoubt(load) ? [] : [`latency and rates not judged: ${lag}`]),
    ...(broken.length > 0
      ? [`broken: ${broken.map(({ id, times }) => `${id} in ${counted(times, "answer")}`).join(", ")}`]
      : []),
    ...exceededOf(load),
    ...(lag === undefined ? [untestedBoundsText(load)].filter(Boolean) : []),
    ...(knee ? [kneeSentence(knee)] : []),
  ];
}

/** Of a load beside a run: the first says what was reached. */
export function loadSentences(load: LoadReport): readonly string[] {
  const { shape, withheld, judged } = load;
  if (withheld !== null) return [`${shape} not tested: ${withheld}`];
  const reached = reachedText(load) ?? "no request was sent";
  return [
    `load ${shape}: ${reached} · ${counted(judged, "answer")} judged by all laws`,
    ...doubtsOf(load),
    ...loadNotes(load),
  ];
}

const blocks = "▁▂▃▄▅▆▇█";

/** A line of small bars, each a figure as a share of the largest; a blank where there is none. */
function barsOf(figures: readonly (number | null)[]): string {
  const most = Math.max(...figures.map((figure) => figure ?? 0));
  return figures
    .map((figure) => (figure === null ? " " : (blocks[Math.round((figure / (most || 1)) * (blocks.length - 1))] ?? "")))
    .join("");
}

/** In a line of text. */
const mostBars = 60;

/** As many stretches, each the sum of neighbours; of percentiles the highest, as they don't add up. */
function fewer(stretches: readonly LoadStretch[]): readonly (readonly LoadStretch[])[] {
  const size = Math.ceil(stretches.length / mostBars);
  return Array.from({ length: Math.ceil(stretches.length / size) }, (_, nth) =>
    stretches.slice(nth * size, (nth + 1) * size),
  );
}

/** What was reached over time, as lines of small bars, each with its least and most. */
export function overTimeLines({ overTime = [] }: LoadReport): readonly string[] {
  if (overTime.length < 2) return [];
  const groups = fewer(overTime);
  const [first = []] = groups;
  const line = (name: string, figures: readonly (number | null)[], textOf: (figure: number) => string): string[] => {
    const known = figures.flatMap((figure) => figure ?? []);
    if (known.length === 0 || Math.max(...known) === 0) return [];
    const range = [Math.min(...known), Math.max(...known)].map(textOf);
    return [`${name} ${barsOf(figures)} ${[...new Set(range)].join(" to ")}`];
  };
  const rateText = (rate: number): string => `${toTenths(rate)}/s`;
  const p95s = groups.map((group) => {
    const known = group.flatMap(({ p95_ms }) => p95_ms ?? []);
    return known.length > 0 ? Math.max(...known) : null;
  });
  return [
    `over time, a bar for ${durationText(sum(first.map(({ seconds }) => seconds)))}:`,
    ...line(
      "  rate        ",
      groups.map((group) => perSecond(group, "requests")),
      rateText,
    ),
    ...line("  p95         ", p95s, (figure) => `${inMs(figure)} ms`),
    ...line(
      "  rate-limited",
      groups.map((group) => perSecond(group, "limited")),
      rateText,
    ),
    ...line(
      "  failed      ",
      groups.map((group) => perSecond(group, "failed")),
      rateText,
    ),
  ];
}

/** Of a load beside a run, why it isn't green, besides what it broke; a bound alone is in the headline. */
export function loadFlaws(load: LoadReport): readonly string[] {
  const exceeded = exceededOf(load);
  return [...doubtsOf(load), ...(exceeded.length > 1 ? exceeded : [])];
}

const doubtsOf = ({ doubt }: LoadReport): readonly string[] => (doubt === null ? [] : [`inconclusive: ${doubt}`]);

/** Whether the reason why the load is inconclusive is, or names, why it measured nothing. */
const isSaidInDoubt = ({ reason, lag }: LoadReport): boolean =>
  reason !== undefined && causesOf(reason).some((cause) => describeReason(cause) === lag);

const exceededOf = (load: LoadReport): readonly string[] => exceededBounds(load).map(exceededSentence);

function kneeSentence({ perSecond, brokenBy }: NonNullable<LoadReport["knee"]>): string {
  const rate = perSecond === null ? null : toTenths(perSecond);
  if (brokenBy === null) return `the knee is above ${rate} requests per second: every step kept the bounds`;
  return rate === null
    ? `even the first step exceeded the bounds: ${brokenBy}`
    : `the knee is at ${rate} requests per second; above it ${brokenBy}`;
}
