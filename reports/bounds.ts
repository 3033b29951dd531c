// Bounds of the target file on latencies under load: which a load exceeded, and which it kept, in words.
import type { LatencyBound, LoadReport } from "../harness/record/load.ts";
import { fewOf } from "./lists.ts";
import { counted, inMs } from "./numbers.ts";

const mostNamed = 3;

export const exceededBounds = (load: Pick<LoadReport, "bounds"> | undefined): readonly LatencyBound[] =>
  load?.bounds.filter(({ isKept }) => isKept === false) ?? [];

/** With as many digits as tell it from the bound. */
function p95Text({ p95_ms, bound_ms }: LatencyBound): string {
  if (p95_ms === null) return "–";
  return inMs(p95_ms) === inMs(bound_ms) ? String(p95_ms) : inMs(p95_ms);
}

/** `getTransfers answered with p95 182 ms, above the target file's bound of 150 ms`. */
export const exceededSentence = (bound: LatencyBound): string =>
  `${bound.operation} answered with p95 ${p95Text(bound)} ms, above the target file's bound of ${bound.bound_ms} ms`;

/** Bounds that say nothing, in words; empty where there are none. */
export function untestedBoundsText({ bounds }: Pick<LoadReport, "bounds">): string {
  const { shown, rest } = fewOf(
    bounds.flatMap(({ operation, isKept }) => (isKept === null ? [operation] : [])),
    mostNamed,
  );
  const all = [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
  return shown.length === 0 ? "" : `bounds not tested, as no latency was measured: ${all}`;
}

/** As the title of a test. */
export const boundTitle = ({ operation, bound_ms }: LatencyBound): string =>
  `p95 of ${operation} under load is at most ${bound_ms} ms`;

/** All that were exceeded, as a headline; null where none was. */
export function boundsHeadline(load: Pick<LoadReport, "bounds"> | undefined): string | null {
  const [first, ...others] = exceededBounds(load);
  if (!first) return null;
  if (others.length === 0) return exceededSentence(first);
  const { shown, rest } = fewOf([first, ...others], mostNamed);
  const figures = shown.map((bound) => `${bound.operation} p95 ${p95Text(bound)} ms, bound ${bound.bound_ms} ms`);
  const more = rest > 0 ? [`${rest} more`] : [];
  return `${counted(others.length + 1, "bound")} of the target file are exceeded: ${[...figures, ...more].join("; ")}`;
}
