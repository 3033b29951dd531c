// Oracles of JSON-RPC answers; a refusal counts only beside its accepted twin (amendment 3).
import { broken, type Finding, held } from "../../harness/core/finding.ts";
import { type Json, valueAt } from "../../harness/core/json.ts";
import { Inconclusive, Withheld } from "../../harness/core/outcomes.ts";
import { keyHolder, type Stimulus } from "../../harness/core/stimulus.ts";
import type { CheckContext, Oracle } from "../../harness/model/check.ts";
import { isServed, outcomeOf, rpcErrorOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { type RpcErrorRow, rpcErrors } from "../../specs/generated/operations.ts";
import { masked, maskedBy } from "./masked.ts";

export type ErrorTable = "tokenAccounts" | "compression" | "bundles";
export type Cause = RpcErrorRow["cause"];

const keyCode = -32001;
const paramsCode = -32602;

/** The row of an error table for one cause. */
export function rowOf(errorTable: ErrorTable, cause: Cause): RpcErrorRow {
  const row = rpcErrors[errorTable]?.find((one) => one.cause === cause);
  if (!row) throw new Error(`${errorTable} has no code for ${cause}`);
  return row;
}

export const resultOf = ({ answer }: Exchange, at = ""): Json | undefined =>
  valueAt(answer?.json?.value, `/result${at}`);

const notServed = (exchange: Exchange): Finding => {
  const error = rpcErrorOf(exchange);
  return error
    ? broken("/error", "a result", valueAt(exchange.answer?.json?.value, "/error"))
    : broken("status", "an envelope with a result", outcomeOf(exchange));
};

/** Why a refusal may be the target file's fault: its key may be wrong, unless we made the key ourselves. */
function excuse(exchange: Exchange, { target }: CheckContext): string | null {
  if (target.isReference || !exchange.asker || rpcErrorOf(exchange)?.code !== keyCode) return null;
  return `the key \`${exchange.asker.role}\` is unknown there (${keyCode}): correct the target, or ask the platform`;
}

/** Not refused for its params; other refusals are another requirement's breach. */
export const takesParams: Oracle = (exchange) => {
  if (isServed(exchange)) return held;
  if (rpcErrorOf(exchange)?.code !== paramsCode) throw maskedBy(exchange);
  return notServed(exchange);
};

/** Not refused for its key; other refusals are another requirement's breach. */
export const takesKey: Oracle = (exchange, context) => {
  if (isServed(exchange)) return held;
  const isKeyRefusal =
    rpcErrorOf(exchange)?.code === keyCode || (!rpcErrorOf(exchange) && exchange.answer?.status === 401);
  if (!isKeyRefusal) throw maskedBy(exchange);
  const why = excuse(exchange, context);
  if (why) throw keyHolder(exchange.stimulus) === "owner" ? new Inconclusive(why) : new Withheld(why);
  return notServed(exchange);
};

/** Served where its twin is served, which differs only in what is proved. */
export const servedLike =
  (twin: Stimulus): Oracle =>
  async (exchange, context) => {
    if (isServed(exchange)) return held;
    const other = await context.ask(twin);
    if (!isServed(other)) throw maskedBy(other, "the twin");
    return notServed(exchange);
  };

/** Judges a served answer; a refusal is another requirement's breach. */
export const shows =
  (test: (exchange: Exchange, context: CheckContext) => Finding | Promise<Finding>): Oracle =>
  (exchange, context) => {
    if (!isServed(exchange)) throw maskedBy(exchange);
    return test(exchange, context);
  };

/** Not refused with one of these codes; other refusals are another requirement's breach. */
export const notRefusedWith =
  (...codes: readonly number[]): Oracle =>
  (exchange) => {
    const code = rpcErrorOf(exchange)?.code;
    if (code !== undefined && codes.includes(code))
      return broken("/error/code", `any outcome but ${codes.join(" and ")}`, code);
    if (!isServed(exchange)) throw maskedBy(exchange);
    return held;
  };

interface Refusal {
  /** Whether the message is proved as well as the code. */
  readonly words?: boolean;
}

/** Refused with the code that the error table documents for a cause, while the twin is served. */
export const refusedFor =
  (errorTable: ErrorTable, cause: Cause, twin: Stimulus, { words = false }: Refusal = {}): Oracle =>
  async (exchange, context) => {
    const row = rowOf(errorTable, cause);
    const other = await context.ask(twin);
    if (!isServed(other)) throw maskedBy(other, "the accepted twin");
    const error = rpcErrorOf(exchange);
    if (!error)
      return broken(
        isServed(exchange) ? "/error" : "status",
        `an error with the code ${row.code}`,
        isServed(exchange) ? undefined : outcomeOf(exchange),
      );
    if (error.code === undefined) throw masked("the error has no code");
    const unknown = cause === "key" ? null : excuse(exchange, context);
    if (unknown) throw new Inconclusive(unknown);
    if (error.code !== row.code)
      return broken("/error/code", String(row.code), valueAt(exchange.answer?.json?.value, "/error/code"));
    if (words && typeof error.message !== "string") throw masked("the error has no message");
    return words && row.message !== undefined && error.message !== row.message
      ? broken("/error/message", JSON.stringify(row.message), error.message)
      : held;
  };

/**
 * Whether a refusal has the code and the message of a row of its error table.
 * @throws Withheld where it is malformed
 */
export function saysRow(exchange: Exchange, { code, message }: RpcErrorRow): Finding {
  const error = rpcErrorOf(exchange);
  if (error && typeof error.message !== "string") throw masked("the error is malformed");
  if (error?.code !== code) return broken("/error/code", String(code), error ? error.code : undefined);
  return message === undefined || error.message === message
    ? held
    : broken("/error/message", JSON.stringify(message), error.message);
}

/** Not served, whatever the refusal looks like, while the twin is served. */
export const isRefusedBeside =
  (twin: Stimulus): Oracle =>
  async (exchange, context) => {
    if (isServed(exchange)) return broken("/result", "a refusal", resultOf(exchange));
    const other = await context.ask(twin);
    if (!isServed(other)) throw maskedBy(other, "the accepted twin");
    return held;
  };
