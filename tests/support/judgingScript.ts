// k6 script that judges given exchanges by all laws and prints the findings
import { laws } from "../../contracts/generated/laws.ts";
import { parseJson } from "../../harness/core/json.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";

/** As JSON, so that bodies are parsed again. */
declare const exchanges: readonly Exchange[];

export const options = {
  scenarios: { judging: { executor: "per-vu-iterations", vus: 1, iterations: 1, maxDuration: "60s" } },
};

export default function judge(): void {
  const found = exchanges.map((given) => {
    const { answer } = given;
    const exchange = answer ? { ...given, answer: { ...answer, json: parseJson(answer.text) } } : given;
    return laws.flatMap((law, at) => [...law.judge(exchange)].map(([id, { outcome }]) => `${at} ${id} ${outcome}`));
  });
  console.log(JSON.stringify(found));
}
