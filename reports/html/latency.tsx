/** @jsxImportSource hono/jsx */
// How long did answers take, operation by operation?
import { type Call, latenciesOf } from "../traffic.ts";
import { inMs } from "../words.ts";
import { Figures } from "./figures.tsx";

export function Latencies({ calls, svg }: { readonly calls: readonly Call[]; readonly svg: string | null }) {
  const latencies = latenciesOf(calls);
  if (latencies.length === 0) return null;
  return (
    <section aria-labelledby="latency">
      <h2 id="latency">How long answers took</h2>
      <p>
        As this client saw them, refusals for the rate left out: a conformance run asks gently and says nothing of speed
        under load.
        {svg === null
          ? ""
          : " The bar holds the middle half of the answers, its dark line the median; the thin line goes from the 5th to the 95th percentile, the dot is the slowest."}
      </p>
      <Figures
        caption="Latency of accepted requests by operation, in ms"
        svg={svg}
        heads={["Operation", "Answers", "5\u00a0%", "25\u00a0%", "Median", "75\u00a0%", "95\u00a0%", "Slowest"]}
        rows={latencies.map(({ operation, answers, p05_ms, p25_ms, p50_ms, p75_ms, p95_ms, max_ms }) => [
          operation,
          answers.toLocaleString("en-GB"),
          ...[p05_ms, p25_ms, p50_ms, p75_ms, p95_ms, max_ms].map(inMs),
        ])}
      />
    </section>
  );
}
