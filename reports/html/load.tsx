/** @jsxImportSource hono/jsx */
// What did the platform do under load? Rates, outcomes and latencies; refusals for a rate stand apart, as they are quicker than answers.
import type { LoadReport } from "../../harness/load.ts";
import type { Run } from "../../harness/run.ts";
import { loadSentences } from "../load.ts";
import { capped } from "../text.ts";

const longestText_chars = 300;

const outcomeWords = { served: "served", limited: "refused for its rate", refused: "answered otherwise", failed: "failed" } as const;

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
      {load.left.length === 0 ? null : <p class="fine">Not asked: {load.left.map(({ operation, reason }) => `${operation} (${capped(reason, longestText_chars)})`).join(", ")}.</p>}
      <Dashboard load={load} />
    </section>
  );
}

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

function Phases({ load: { phases } }: { readonly load: LoadReport }) {
  return (
    <table class="observations">
      <thead>
        <tr>
          <th scope="col">Phase</th>
          <th scope="col">Asked for</th>
          <th scope="col">Requests</th>
          <th scope="col">Served</th>
          <th scope="col">Refused for their rate</th>
          <th scope="col">Failed</th>
          <th scope="col">95 of 100 served within</th>
        </tr>
      </thead>
      <tbody>
        {phases.map(({ name, seconds, perSecond, requests, served, limited, failed, p95_ms }) => (
          <tr>
            <td>{name}</td>
            <td>
              {Math.round(perSecond * 10) / 10} a second for {Math.round(seconds * 10) / 10} s
            </td>
            <td>{requests.toLocaleString("en-GB")}</td>
            <td>{served.toLocaleString("en-GB")}</td>
            <td>{limited.toLocaleString("en-GB")}</td>
            <td>{failed.toLocaleString("en-GB")}</td>
            <td>{p95_ms === null ? "–" : `${p95_ms} ms`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Latencies({ load: { latencies, bounds } }: { readonly load: LoadReport }) {
  if (latencies.length === 0) return null;
  const boundOf = (operation: string, outcome: string) => (outcome === "served" ? bounds.find((bound) => bound.operation === operation) : undefined);
  return (
    <table class="observations">
      <thead>
        <tr>
          <th scope="col">Operation</th>
          <th scope="col">Outcome</th>
          <th scope="col">Requests</th>
          <th scope="col">Half within</th>
          <th scope="col">95 of 100</th>
          <th scope="col">99 of 100</th>
          <th scope="col">All</th>
          <th scope="col">Bound on 95 of 100</th>
        </tr>
      </thead>
      <tbody>
        {latencies.map(({ operation, outcome, count, p50_ms, p95_ms, p99_ms, max_ms }) => {
          const bound = boundOf(operation, outcome);
          return (
            <tr>
              <td>
                <code>{operation}</code>
              </td>
              <td>{outcomeWords[outcome]}</td>
              <td>{count.toLocaleString("en-GB")}</td>
              <td>{p50_ms} ms</td>
              <td>{p95_ms} ms</td>
              <td>{p99_ms} ms</td>
              <td>{max_ms} ms</td>
              <td>{bound ? `${bound.isKept ? "✓" : "✗"} ${bound.bound_ms} ms` : "–"}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
