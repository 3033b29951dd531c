// What does an answer say as JSON-RPC: a result, an error, or neither? (§4.3, §7.2)
import { type OperationId, operations } from "../../specs/generated/operations.ts";
import { type Json, type ParsedJson, valueAt } from "../core/json.ts";
import type { Stimulus } from "../core/stimulus.ts";
import type { Answer, Exchange } from "./exchange.ts";

/** What of an exchange tells how it was answered; known of one that was written down, too. */
export interface Answered {
  readonly stimulus: Pick<Stimulus, "api" | "operation">;
  readonly answer: (Pick<Answer, "status"> & { readonly json: Pick<ParsedJson, "value"> | null }) | null;
}

const errorTables: ReadonlyMap<string, string> = new Map(operations.map(({ id, errors }) => [id, errors]));

/** The family of error codes of an operation; the same code means different things in different families (§7.2). */
export const errorTableOf = (operation: OperationId | null): string | undefined =>
  operation === null ? undefined : errorTables.get(operation);

const isObject = (value: Json | undefined): value is { readonly [member: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * What an answer is judged as: an HTTP status, or `result` or `error` of a JSON-RPC method.
 * Null where it has nothing of an envelope and a failing HTTP status: an edge's own words, and no envelope to be judged.
 */
export function answerNameOf({ answer, stimulus }: Answered): string | null {
  if (!answer) return null;
  if (stimulus.api !== "rpc") return String(answer.status);
  const value = answer.json?.value;
  if (isObject(value)) {
    const isEnvelope = Object.hasOwn(value, "jsonrpc");
    // REST bodies and gateways have a member of the same name: of those that aren't envelopes, only what has a code is an error of ours.
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
  /** Undefined where it is no whole number. */
  readonly code: number | undefined;
  readonly message: Json | undefined;
}

/** The error of a JSON-RPC answer; null where it carries none. */
export function rpcErrorOf(exchange: Answered): RpcError | null {
  if (exchange.stimulus.api !== "rpc" || answerNameOf(exchange) !== "error") return null;
  const value = exchange.answer?.json?.value;
  const code = valueAt(value, "/error/code");
  return {
    code: typeof code === "number" && Number.isInteger(code) ? code : undefined,
    message: valueAt(value, "/error/message"),
  };
}

/** Whether what was asked for was given: a success status, or on JSON-RPC a result. */
export function isServed(exchange: Answered): boolean {
  const { answer, stimulus } = exchange;
  if (!answer) return false;
  if (stimulus.api !== "rpc") return answer.status >= 200 && answer.status < 300;
  const value = answer.json?.value;
  return (
    answerNameOf(exchange) === "result" && answer.status < 400 && isObject(value) && Object.hasOwn(value, "result")
  );
}

/** By family of methods (§7.2); that of bundles isn't shown. */
const rateCodes: { readonly [errorTable: string]: number } = { tokenAccounts: -32029, compression: -32005 };

/** Refused for our rate: HTTP 429, or the rate code of the method's own family. */
export function isRateRefusal(exchange: Answered): boolean {
  const code = rpcErrorOf(exchange)?.code;
  if (exchange.answer?.status === 429) return true;
  const errorTable = errorTableOf(exchange.stimulus.operation);
  if (errorTable === "bundles") return code !== undefined && isSaidToBeRate(code, rpcErrorOf(exchange)?.message);
  return (
    code !== undefined &&
    (errorTable === undefined ? Object.values(rateCodes).includes(code) : rateCodes[errorTable] === code)
  );
}

/** Codes that engines of the field give to refusals for a rate. */
const fieldsRateCodes = [-32097, -32429];

/** Neither code nor words of such a refusal are shown for bundles, so that either will do. */
const isSaidToBeRate = (code: number, message: Json | undefined): boolean =>
  fieldsRateCodes.includes(code) ||
  (typeof message === "string" && /too many requests|rate.?limit|throttl/i.test(message));

/** Codes that say that the server failed, in whatever HTTP status (register, amendment 4). */
const serverCodes = [-32000, -32603, -32002];

/** Why an error is a server's failure rather than a refusal; null where it is none. */
export function serverErrorOf(exchange: Answered): string | null {
  const code = rpcErrorOf(exchange)?.code;
  if (code === undefined) return null;
  // No codes are shown for bundles: any of them may be a refusal, so that the HTTP status alone tells.
  if (errorTableOf(exchange.stimulus.operation) === "bundles")
    return (exchange.answer?.status ?? 0) >= 500 ? `a server error (HTTP ${exchange.answer?.status})` : null;
  const isTimeout = code === -32003 && errorTableOf(exchange.stimulus.operation) === "compression";
  return serverCodes.includes(code) || isTimeout ? `a server error (code ${code})` : null;
}

/** For people: what came. */
export function outcomeOf(exchange: Exchange): string {
  const { answer, fault, stimulus } = exchange;
  if (!answer) return `no answer (${fault?.kind})`;
  if (stimulus.api !== "rpc") return String(answer.status);
  const error = rpcErrorOf(exchange);
  if (error) return `error ${error.code ?? "without a code"}`;
  return isServed(exchange) ? "a result" : `HTTP ${answer.status} without an envelope`;
}
