// k6's counts, the last that it logs; a run without them is inconclusive
import type { K6Summary } from "./orders.ts";

interface Counted {
  readonly metrics: { readonly [name: string]: { readonly values: { readonly [value: string]: number } } | undefined };
}

export function handleSummary({ metrics }: Counted): object {
  const count = (name: string): number => metrics[name]?.values["count"] ?? 0;
  const summary: K6Summary = {
    iterations: count("iterations"),
    droppedIterations: count("dropped_iterations"),
    requests: count("http_reqs"),
  };
  console.log(JSON.stringify({ summary }));
  return {};
}
