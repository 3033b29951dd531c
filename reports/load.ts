// What is said of a load, in sentences, the same in every report?
import type { LoadReport } from "../harness/record/load.ts";
import { counted, inMs } from "./words.ts";

const mostNamed = 4;

/** The first says how much was asked and what came of it; the others are there where there is something to say. */
export function loadSentences(load: LoadReport): readonly string[] {
  const { shape, generator, phases, judged, broken, knee, dropped, latencies, withheld } = load;
  if (withheld !== null) return [`${shape} withheld: ${withheld}`];
  const all = (of: "requests" | "served" | "limited" | "failed"): number =>
    phases.reduce((total, phase) => total + phase[of], 0);
  const seconds = Math.round(phases.reduce((total, phase) => total + phase.seconds, 0));
  const slowest = latencies.filter(({ outcome }) => outcome === "served").sort((a, b) => b.p95_ms - a.p95_ms);
  return [
    `${shape} by ${generator}: ${counted(all("requests"), "request")} in ${seconds} s, ${[
      `${all("served").toLocaleString("en-GB")} served`,
      `${all("limited").toLocaleString("en-GB")} refused for their rate`,
      `${all("failed").toLocaleString("en-GB")} failed`,
      `${judged.toLocaleString("en-GB")} judged by all laws`,
    ].join(", ")}`,
    ...doubtsOf(load),
    ...(dropped > 0
      ? [`${counted(dropped, "request")} couldn't be sent at ${dropped === 1 ? "its" : "their"} time`]
      : []),
    ...(broken.length > 0
      ? [`broken: ${broken.map(({ id, times }) => `${id} in ${counted(times, "answer")}`).join(", ")}`]
      : []),
    ...unkeptOf(load),
    ...(knee ? [kneeSentence(knee)] : []),
    ...(slowest.length > 0
      ? [
          `slowest in 95 of 100 answers: ${slowest
            .slice(0, mostNamed)
            .map(({ operation, p95_ms }) => `${operation} ${inMs(p95_ms)} ms`)
            .join(", ")}`,
        ]
      : []),
  ];
}

/** Why the load isn't green, besides what it broke. */
export const loadFlaws = (load: LoadReport): readonly string[] => [...doubtsOf(load), ...unkeptOf(load)];

const doubtsOf = ({ doubt }: LoadReport): readonly string[] => (doubt === null ? [] : [`inconclusive: ${doubt}`]);

const unkeptOf = ({ bounds }: LoadReport): readonly string[] =>
  bounds
    .filter(({ isKept }) => !isKept)
    .map(
      ({ operation, p95_ms, bound_ms }) =>
        `${operation} took ${p95_ms} ms in 95 of 100 answers, beyond the target's bound of ${bound_ms} ms`,
    );

function kneeSentence({ perSecond, brokenBy }: NonNullable<LoadReport["knee"]>): string {
  const rate = perSecond === null ? null : Math.round(perSecond * 10) / 10;
  if (brokenBy === null) return `the knee is beyond ${rate} requests a second: every step kept the bounds`;
  return rate === null
    ? `not even the first step kept the bounds: ${brokenBy}`
    : `the knee is at ${rate} requests a second; beyond it ${brokenBy}`;
}
