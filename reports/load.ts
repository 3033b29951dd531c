// Sentences on a load, the same in every report.
import type { LoadReport } from "../harness/record/load.ts";
import { counted, inMs, numberText, toTenths } from "./numbers.ts";

const mostNamed = 4;

/** The first counts requests and outcomes; the others follow where there is something to report. */
export function loadSentences(load: LoadReport): readonly string[] {
  const { shape, generator, phases, judged, broken, knee, dropped, latencies, withheld, lag, parts } = load;
  if (withheld !== null) return [`${shape} not tested: ${withheld}`];
  const all = (of: "requests" | "served" | "limited" | "failed"): number =>
    phases.reduce((total, phase) => total + phase[of], 0);
  const seconds = Math.round(phases.reduce((total, phase) => total + phase.seconds, 0));
  const slowest = latencies
    .filter(({ outcome }) => outcome === "served")
    .sort((a, b) => b.p95_ms - a.p95_ms)
    .slice(0, mostNamed)
    .map(({ operation, p95_ms }) => `${operation} ${inMs(p95_ms)} ms`);
  const inParts = parts ? ` in ${counted(parts.length, "part")}` : "";
  return [
    `${shape} by ${generator}${inParts}: ${counted(all("requests"), "request")} in ${seconds} s, ${[
      `${numberText(all("served"))} served`,
      `${numberText(all("limited"))} rate-limited`,
      `${numberText(all("failed"))} failed`,
      `${numberText(judged)} judged by all laws`,
    ].join(", ")}`,
    ...doubtsOf(load),
    ...(dropped > 0 ? [`${counted(dropped, "request")} not sent on time`] : []),
    ...(lag === undefined ? [] : [`latency not judged: ${lag}`]),
    ...(broken.length > 0
      ? [`broken: ${broken.map(({ id, times }) => `${id} in ${counted(times, "answer")}`).join(", ")}`]
      : []),
    ...exceededOf(load),
    ...(knee ? [kneeSentence(knee)] : []),
    ...(slowest.length > 0 ? [`highest p95: ${slowest.join(", ")}`] : []),
  ];
}

/** Why the load isn't green, besides what it broke. */
export const loadFlaws = (load: LoadReport): readonly string[] => [...doubtsOf(load), ...exceededOf(load)];

const doubtsOf = ({ doubt }: LoadReport): readonly string[] => (doubt === null ? [] : [`inconclusive: ${doubt}`]);

const exceededOf = ({ bounds }: LoadReport): readonly string[] =>
  bounds
    .filter(({ isKept }) => !isKept)
    .map(
      ({ operation, p95_ms, bound_ms }) => `${operation}: p95 ${p95_ms} ms, above the target's bound of ${bound_ms} ms`,
    );

function kneeSentence({ perSecond, brokenBy }: NonNullable<LoadReport["knee"]>): string {
  const rate = perSecond === null ? null : toTenths(perSecond);
  if (brokenBy === null) return `the knee is above ${rate} requests per second: every step kept the bounds`;
  return rate === null
    ? `even the first step exceeded the bounds: ${brokenBy}`
    : `the knee is at ${rate} requests per second; above it ${brokenBy}`;
}
