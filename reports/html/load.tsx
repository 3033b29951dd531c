/** @jsxImportSource hono/jsx */
// What did the platform do under load? Rates, outcomes and latencies; refusals for a rate stand apart, as they are quicker than answers.
import type { LoadReport } from "../../harness/record/load.ts";
import type { Run } from "../../harness/record/run.ts";
import { loadSentences } from "../load.ts";
import { capped } from "../text.ts";
import { inMs } from "../words.ts";
import { Figures } from "./figures.tsx";

const longestText_chars = 300;

const outcomeWords = { limited: "refused for its rate", refused: "answered otherwise", failed: "failed" } as const;

export function Load({ run: { load } }: { readonly run: Run }) {
  if (!load) return null;
  return (
    <section aria-labelledby="load">
      <h2 id="load">Under load</h2>
      {loadSentences(load).map((sentence) => (
        <p>{capped(sentence, longestText_chars)}</p>
      ))}
      <Phases load={load} />
      <Latencies load={load} />
      {load.left.length === 0 ? null : (
        <p class="fine">
          Not asked:{" "}
          {load.left.map(({ operation, reason }) => `${operation} (${capped(reason, longestText_chars)})`).join(", ")}.
        </p>
      )}
      <Dashboard load={load} />
    </section>
  );
}

const rounded = (value: number): string => String(Math.round(value * 10) / 10);

/** Whatever a run's record says, only a page beside this one is linked to. */
const besideThis = /^k6-[a-z]+\.html$/;

function Dashboard({ load: { dashboard } }: { readonly load: LoadReport }) {
  if (dashboard === undefined || !besideThis.test(dashboard)) return null;
  return (
    <p class="fine">
      What k6 says itself, second by second: <a href={dashboard}>{dashboard}</a>.
    </p>
  );
}

const Phases = ({ load: { phases } }: { readonly load: LoadReport }) => (
  <Figures
    caption="What was asked and what came of it, phase by phase"
    svg={null}
    heads={["Phase", "Requests", "Served", "Refused for their rate", "Failed", "95 of 100 served within"]}
    rows={phases.map(({ name, seconds, perSecond, requests, served, limited, failed, p95_ms }) => [
      `${name}, ${rounded(perSecond)} a second for ${rounded(seconds)} s`,
      ...[requests, served, limited, failed].map((count) => count.toLocaleString("en-GB")),
      p95_ms === null ? "–" : `${inMs(p95_ms)} ms`,
    ])}
  />
);

function Latencies({ load: { latencies, bounds } }: { readonly load: LoadReport }) {
  if (latencies.length === 0) return null;
  const boundOf = (operation: string, outcome: string): string => {
    const bound = outcome === "served" ? bounds.find((one) => one.operation === operation) : undefined;
    return bound ? `${bound.isKept ? "✓" : "✗"} ${bound.bound_ms} ms` : "–";
  };
  return (
    <Figures
      caption="Latency under load by operation and outcome, in ms"
      svg={null}
      heads={[
        "Operation",
        "Answers",
        "Median",
        "95\u00a0%",
        "99\u00a0%",
        "Slowest",
        ...(bounds.length > 0 ? ["Bound on 95\u00a0%"] : []),
      ]}
      rows={latencies.map(({ operation, outcome, count, p50_ms, p95_ms, p99_ms, max_ms }) => [
        outcome === "served" ? operation : `${operation}, ${outcomeWords[outcome]}`,
        count.toLocaleString("en-GB"),
        ...[p50_ms, p95_ms, p99_ms, max_ms].map(inMs),
        ...(bounds.length > 0 ? [boundOf(operation, outcome)] : []),
      ])}
    />
  );
}
