// What did k6 count? Said on the way out, since a run whose end is not heard of counts for nothing.
import type { Summary } from "./orders.ts";

interface Counted {
  readonly metrics: { readonly [name: string]: { readonly values: { readonly [value: string]: number } } | undefined };
}

/** k6 calls it at the end. */
export function handleSummary({ metrics }: Counted): { readonly stdout: string } {
  const count = (name: string): number => metrics[name]?.values["count"] ?? 0;
  const summary: Summary = {
    iterations: count("iterations"),
    droppedIterations: count("dropped_iterations"),
    requests: count("http_reqs"),
  };
  return { stdout: `${JSON.stringify({ summary })}\n` };
}
