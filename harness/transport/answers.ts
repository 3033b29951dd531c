// Reading an answer by its protocol: served, refused, refused for a rate, or failed.
import type { Protocol } from "../core/interface.ts";
import { isObject, type Json, type ParsedJson, valueAt } from "../core/json.ts";
import { type Answer, type Exchange, mediaTypeOf } from "./exchange.ts";
import { foreignnessOf } from "./foreign.ts";
import { type Hindrance, hindranceBy } from "./hindrances.ts";

/** The part of an exchange that shows how it was answered; recorded exchanges have it too. */
export interface Answered {
  readonly protocol: Protocol;
  readonly answer: (Pick<Answer, "status"> & { readonly json: Pick<ParsedJson, "value"> | null }) | null;
}

/**
 * What an answer is judged as: an HTTP status, or `result` or `error` of a JSON-RPC method.
 * Null where it has nothing of an envelope and a failing HTTP status: a gateway's answer rather than the method's.
 */
export function answerNameOf({ answer, protocol }: Answered): string | null {
  if (!answer) return null;
  if (protocol.kind === "http") return String(answer.status);
  const value = answer.json?.value;
  if (isObject(value)) {
    const isEnvelope = Object.hasOwn(value, "jsonrpc");
    // REST bodies and gateways have a member of this name, too: outside an envelope it must have a code.
    if (
      (isObject(value["error"]) && (isEnvelope || Object.hasOwn(value["error"], "code"))) ||
      (isEnvelope && Object.hasOwn(value, "error") && value["error"] !== null)
    )
      return "error";
    if (isEnvelope || Object.hasOwn(value, "result")) return "result";
  }
  return answer.status < 400 ? "result" : null;
}

export interface RpcError {
  /** Undefined where it isn't an integer. */
  readonly code: number | undefined;
  readonly message: Json | undefined;
}

export function rpcErrorOf(exchange: Answered): RpcError | null {
  if (exchange.protocol.kind === "http" || answerNameOf(exchange) !== "error") return null;
  const value = exchange.answer?.json?.value;
  const code = valueAt(value, "/error/code");
  return {
    code: typeof code === "number" && Number.isInteger(code) ? code : undefined,
    message: valueAt(value, "/error/message"),
  };
}

/** Whether the request succeeded: a 2xx status, or on JSON-RPC a result. */
export function isServed(exchange: Answered): boolean {
  const { answer, protocol } = exchange;
  if (!answer) return false;
  if (protocol.kind === "http") return answer.status >= 200 && answer.status < 300;
  const value = answer.json?.value;
  return (
    answerNameOf(exchange) === "result" && answer.status < 400 && isObject(value) && Object.hasOwn(value, "result")
  );
}

/** Why the platform refuses whatever is asked just now; null where the answer may be about the request itself. */
export const hindranceOf = (exchange: Answered): Hindrance | null =>
  hindranceBy(exchange.protocol, exchange.answer?.status, rpcErrorOf(exchange));

/** Whether the request was refused for our rate. */
export const isRateRefusal = (exchange: Answered): boolean => hindranceOf(exchange) === "rate";

/** Whether it was refused for what no wait of a run outlasts, as a sound request would be. */
export const isLastingRefusal = (exchange: Answered): boolean =>
  ["quota", "maintenance"].includes(hindranceOf(exchange) ?? "");

/** Why a JSON-RPC error is a server failure rather than a refusal; null where it is none (amendment 4). */
function serverErrorOf(exchange: Answered, code: number): string | null {
  const status = exchange.answer?.status ?? 0;
  const codes = exchange.protocol.serverCodes;
  // Any code may be a refusal where the table shows none: the HTTP status decides.
  if (codes === null) return status >= 500 ? `a server error (HTTP ${status})` : null;
  return codes.includes(code) ? `a server error (code ${code})` : null;
}

/** For people: what the exchange returned. */
export function describeOutcome(exchange: Exchange): string {
  const { answer, fault, protocol } = exchange;
  if (!answer) return `no answer (${fault?.kind})`;
  if (protocol.kind === "http") return String(answer.status);
  const error = rpcErrorOf(exchange);
  if (error) return `error ${error.code ?? "without a code"}`;
  return isServed(exchange) ? "a result" : `HTTP ${answer.status} without an envelope`;
}

/** This many answers of a burst, and this share of them, are the platform's own, in any form. */
const enoughAlike = 3;
const enoughShare = 0.2;

/**
 * Those of requests sent at once that can be judged. Refusals in a foreign form can be where all refusals have one:
 * a limit that was exceeded on purpose answers for the platform, unless it answers with a page. So can answers that
 * many of them swapped.
 */
export function judgeableOf(exchanges: readonly Exchange[]): readonly Exchange[] {
  const numbers = new Set(exchanges.map(({ number }) => number));
  const swapped = exchanges.filter(({ repeats }) => repeats !== undefined && numbers.has(repeats));
  const areOwn = swapped.length >= Math.max(enoughAlike, enoughShare * exchanges.length);
  const refusals = exchanges.filter((exchange) => isRateRefusal(exchange) && !isPage(exchange.answer));
  // A documented code of a server failure isn't a form of its own.
  const isForeign = (one: Exchange): boolean => suspicion(one) !== null && rpcErrorOf(one) === null;
  const isTheirWay = refusals.length >= enoughAlike && refusals.every(isForeign);
  const judgeable = new Set([...(isTheirWay ? refusals : []), ...(areOwn ? swapped : [])]);
  return exchanges.filter((one) => suspicion(one) === null || judgeable.has(one));
}

/** `limited`: refused for our rate · `refused`: any other answer · `failed`: no answer that can be judged. */
export function classOf(exchange: Exchange): "served" | "limited" | "refused" | "failed" {
  if (isRateRefusal(exchange)) return "limited";
  if (suspicion(exchange) !== null) return "failed";
  return isServed(exchange) ? "served" : "refused";
}

/** JSON labelled as HTML comes from the platform, wrongly labelled. */
const isPage = (answer: Answer | null): boolean =>
  answer !== null && !answer.json && ["text/html", "application/xhtml+xml"].includes(mediaTypeOf(answer) ?? "");

/** Why an exchange may show a fault of the network or ours; null where it can be judged (amendment 4). */
export function suspicion(exchange: Exchange): string | null {
  const { answer, fault } = exchange;
  if (fault) return `${fault.kind}: ${fault.detail}`;
  if (!answer) return "no answer";
  if (isPage(answer)) return `a gateway page (HTTP ${answer.status}, ${mediaTypeOf(answer)})`;
  // The HTTP status of a JSON-RPC error is unspecified: its code shows whether the server failed.
  const code = rpcErrorOf(exchange)?.code;
  const isServers = code === undefined && answer.status >= 500;
  const serverError = isServers ? `a server error (HTTP ${answer.status})` : code && serverErrorOf(exchange, code);
  return serverError || (foreignnessOf(exchange)?.says ?? null);
}
