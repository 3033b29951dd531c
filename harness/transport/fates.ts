// What happened to a request, in words that quote the platform: reasons use them, as codes alone explain little.
import { type Json, valueAt } from "../core/json.ts";
import { quoted } from "../core/quoting.ts";
import { describeOutcome, hindranceOf, isServed, rpcErrorOf } from "./answers.ts";
import type { Answer, Exchange } from "./exchange.ts";
import { jsonOf } from "./recording.ts";

/** Where errors of JSON-RPC and REST say why, the most precise first. */
const places = ["/error/message", "/message", "/error"];

/** Read from what may be shown, as a key couldn't be found in words that were cut. */
function wordsOf(answer: Answer): string | undefined {
  const body: Json | undefined = answer.shown ? jsonOf(answer.shown.text)?.value : answer.json?.value;
  return places.map((at) => valueAt(body, at)).find((words) => typeof words === "string" && words.trim() !== "") as
    | string
    | undefined;
}

/** E.g. `-1 "Blockhash not found"`, `HTTP 402 "Payment Required"`, `no answer (timeout)`, `a result`. */
export function returnedBy(exchange: Exchange): string {
  const { answer, protocol } = exchange;
  if (!answer) return describeOutcome(exchange);
  if (isServed(exchange)) return protocol.kind === "http" ? `HTTP ${answer.status}` : describeOutcome(exchange);
  const { code } = rpcErrorOf(exchange) ?? {};
  const words = wordsOf(answer);
  return [code === undefined ? `HTTP ${answer.status}` : String(code), ...(words ? [quoted(words)] : [])].join(" ");
}

/** To follow a subject, e.g. `was refused: -1 "Blockhash not found"`, `got no answer (timeout)`. */
export function fateOf(exchange: Exchange): string {
  if (hindranceOf(exchange) === "lag") return `found that the index is behind: ${returnedBy(exchange)}`;
  return exchange.answer && !isServed(exchange)
    ? `was refused: ${returnedBy(exchange)}`
    : `got ${returnedBy(exchange)}`;
}
