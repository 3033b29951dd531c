// Odd answers: those of calls that may not have reached the meter, as an edge may have answered in its place.
import { isObject } from "../../harness/core/json.ts";
import { isServed } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";

export type OddAnswers = (exchange: Exchange) => boolean;

/** The outermost members of a success whose form the interface leaves open; null of all else. */
function shapeOf(exchange: Exchange): string | null {
  const { answer, protocol } = exchange;
  if (!answer?.json || protocol.forms !== null || !isServed(exchange)) return null;
  const { value } = answer.json;
  return isObject(value) ? Object.keys(value).sort().join(" ") : Array.isArray(value) ? "an array" : typeof value;
}

/** Tells those whose members no other answer of their kind has, or more of the others share. */
export function oddAnswersAmong(exchanges: readonly Exchange[], kindOf: (exchange: Exchange) => string): OddAnswers {
  const counts = new Map<string, Map<string, number>>();
  for (const exchange of exchanges) {
    const [kind, shape] = [kindOf(exchange), shapeOf(exchange)];
    if (shape === null) continue;
    const ofKind = counts.get(kind) ?? new Map<string, number>();
    counts.set(kind, ofKind.set(shape, (ofKind.get(shape) ?? 0) + 1));
  }
  return (exchange) => {
    const shape = shapeOf(exchange);
    const ofKind = counts.get(kindOf(exchange));
    if (shape === null || !ofKind) return false;
    const count = ofKind.get(shape) ?? 0;
    return count < 2 || count < Math.max(...ofKind.values());
  };
}
