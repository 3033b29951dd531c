/** @jsxImportSource hono/jsx */
// A load: rates, outcomes and latencies; rate-limited requests apart, as they are quicker.
import type { LoadReport } from "../../harness/record/load.ts";
import { short, TableElement } from "../document/elements.tsx";
import { loadSentences } from "../load.ts";
import { inMs, numberText, toTenths } from "../numbers.ts";

const outcomeWords = {
  limited: "rate-limited",
  refused: "refused",
  failed: "failed",
  timeout: "no answer in time",
} as const;

interface LoadProps {
  readonly load: LoadReport;
}

export const Load = ({ load }: LoadProps) => (
  <>
    {loadSentences(load).map((sentence) => (
      <p>{short(sentence)}</p>
    ))}
    <Phases load={load} />
    <Latencies load={load} />
    {load.left.length === 0 ? null : (
      <p class="fine">
        Not loaded: {load.left.map(({ operation, reason }) => `${operation} (${short(reason)})`).join(", ")}.
      </p>
    )}
    <Parts load={load} />
    <Dashboard load={load} />
  </>
);

/** Links lead to pages beside this one only, whatever the run's record has. */
const besideThis = /^k6-[a-z]+(-\d+)?\.html$/;

function Dashboard({ load: { dashboard, parts = [] } }: LoadProps) {
  const files = [dashboard, ...parts.map((part) => part.dashboard)].filter((file) => besideThis.test(file ?? ""));
  if (files.length === 0) return null;
  return (
    <p class="fine">
      k6's report, secrets removed:{" "}
      {files.map((file, nth) => (
        <>
          {nth > 0 ? ", " : ""}
          <a href={file}>{file}</a>
        </>
      ))}
      .
    </p>
  );
}

/** A clock that is off by less than that isn't worth a word. */
const noticed_ms = 500;

function clockText([least, most]: readonly [number, number]): string {
  const off_ms = least > 0 ? least : most < 0 ? most : 0;
  if (Math.abs(off_ms) < noticed_ms) return "right";
  return `at least ${toTenths(Math.abs(off_ms) / 1000)} s ${off_ms > 0 ? "slow" : "fast"}`;
}

function Parts({ load: { parts } }: LoadProps) {
  if (!parts) return null;
  return (
    <TableElement
      caption="Parts: what each generator sent, and its clock beside the others'"
      heads={["Part", "Planned", "Sent", "Not on time", "Began at", "Clock"]}
      rows={parts.map(({ nth, of, planned, begun, dropped, beganAt, behind_ms, failure }) => [
        `${nth} of ${of}${failure === null ? "" : `, cut short: ${short(failure)}`}`,
        ...[planned, begun, dropped].map(numberText),
        beganAt?.slice(11, 23) ?? "–",
        behind_ms ? clockText(behind_ms) : "unknown",
      ])}
    />
  );
}

const Phases = ({ load: { phases } }: LoadProps) => (
  <TableElement
    caption="Requests and outcomes by phase"
    heads={["Phase", "Requests", "Served", "Rate-limited", "Failed", "p95"]}
    rows={phases.map(({ name, seconds, perSecond, requests, served, limited, failed, p95_ms }) => [
      `${name}, ${toTenths(perSecond)} per second for ${toTenths(seconds)} s`,
      ...[requests, served, limited, failed].map(numberText),
      p95_ms === null ? "–" : `${inMs(p95_ms)} ms`,
    ])}
  />
);

function Latencies({ load: { latencies, bounds } }: LoadProps) {
  if (latencies.length === 0) return null;
  const boundOf = (operation: string, outcome: string): string => {
    const bound = outcome === "served" ? bounds.find((one) => one.operation === operation) : undefined;
    return bound ? `${bound.isKept ? "✓" : "✗"} ${bound.bound_ms} ms` : "–";
  };
  return (
    <TableElement
      caption="Latency under load by operation and outcome, in ms"
      heads={["Operation", "Answers", "Median", "p95", "p99", "Slowest", ...(bounds.length ? ["Bound on p95"] : [])]}
      rows={latencies.map(({ operation, outcome, count, p50_ms, p95_ms, p99_ms, max_ms }) => [
        outcome === "served" ? operation : `${operation}, ${outcomeWords[outcome]}`,
        numberText(count),
        ...[p50_ms, p95_ms, p99_ms, max_ms].map(inMs),
        ...(bounds.length > 0 ? [boundOf(operation, outcome)] : []),
      ])}
    />
  );
}
