// A script of k6 that judges exchanges which it is told, and says what it found.
import { laws } from "../../contracts/generated/laws.ts";
import { parseJson } from "../../harness/core/json.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";

/** Exchanges as they travel: what was parsed is parsed again. */
declare const exchanges: readonly Exchange[];

export const options = {
  scenarios: { judging: { executor: "per-vu-iterations", vus: 1, iterations: 1, maxDuration: "60s" } },
};

export default function judge(): void {
  const found = exchanges.map((told) => {
    const exchange = told.answer ? { ...told, answer: { ...told.answer, json: parseJson(told.answer.text) } } : told;
    return laws.flatMap((law, at) => [...law.judge(exchange)].map(([id, { outcome }]) => `${at} ${id} ${outcome}`));
  });
  console.log(JSON.stringify(found));
}
