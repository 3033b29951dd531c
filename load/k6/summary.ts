// k6's counts, printed as the last line; a run without it is inconclusive
import type { Summary } from "./orders.ts";

interface Counted {
  readonly metrics: { readonly [name: string]: { readonly values: { readonly [value: string]: number } } | undefined };
}

export function handleSummary({ metrics }: Counted): { readonly stdout: string } {
  const count = (name: string): number => metrics[name]?.values["count"] ?? 0;
  const summary: Summary = {
    iterations: count("iterations"),
    droppedIterations: count("dropped_iterations"),
    requests: count("http_reqs"),
  };
  return { stdout: `${JSON.stringify({ summary })}\n` };
}
