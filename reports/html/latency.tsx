/** @jsxImportSource hono/jsx */
// Latency, operation by operation.

import { Figures } from "../document/elements.tsx";
import { inMs, numberText } from "../numbers.ts";
import type { Latency } from "../traffic.ts";

interface LatenciesProps {
  readonly latencies: readonly Latency[];
  readonly svg: string | null;
}

export const Latencies = ({ latencies, svg }: LatenciesProps) => (
  <>
    <p>
      As seen by this client, without rate-limited answers. A conformance run sends few requests, so this isn't latency
      under load.
      {svg === null
        ? ""
        : " Bar: the middle half of the answers; dark line: median; thin line: 5th to 95th percentile; dot: slowest."}
    </p>
    <Figures
      caption="Latency of accepted requests by operation, in ms"
      svg={svg}
      heads={["Operation", "Answers", "p5", "p25", "Median", "p75", "p95", "Slowest"]}
      rows={latencies.map(({ operation, answers, p05_ms, p25_ms, p50_ms, p75_ms, p95_ms, max_ms }) => [
        operation,
        numberText(answers),
        ...[p05_ms, p25_ms, p50_ms, p75_ms, p95_ms, max_ms].map(inMs),
      ])}
    />
  </>
);
