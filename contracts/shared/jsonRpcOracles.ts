// Oracles of JSON-RPC answers; a refusal counts only beside its positive control (amendment 3).
import { broken, type Finding, held, must } from "../../harness/core/finding.ts";
import { type Json, listOf, valueAt } from "../../harness/core/json.ts";
import { Inconclusive } from "../../harness/core/outcomes.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import type { CheckContext, Oracle } from "../../harness/model/check.ts";
import { describeOutcome, isServed, rpcErrorOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { type ErrorTable, type RpcErrorRow, rpcErrors } from "../../specs/generated/operations.ts";
import { isKnownElsewhere } from "./knownKey.ts";
import { excused, excuseOf, maskedBy, notTested, onlyServed, positiveControlServed, unlessExcused } from "./masked.ts";

export type RpcErrorCause = RpcErrorRow["cause"];

const ofRequests = ["params", "key", "rate"] as const;
/** A cause to which no request of ours leads: control or sample data does. */
export type Failure = Exclude<RpcErrorCause, (typeof ofRequests)[number]>;

export const failuresOf = (errorTable: ErrorTable): readonly Failure[] =>
  rpcErrors[errorTable]
    .map(({ cause }) => cause)
    .filter((cause): cause is Failure => ofRequests.every((one) => one !== cause));

const keyCode = -32001;
const paramsCode = -32602;

export function errorRowOf(errorTable: ErrorTable, cause: RpcErrorCause): RpcErrorRow {
  const row = rpcErrors[errorTable].find((one) => one.cause === cause);
  if (!row) throw new Error(`${errorTable} has no code for ${cause}`);
  return row;
}

export const resultOf = ({ answer }: Exchange, at = ""): Json | undefined =>
  valueAt(answer?.json?.value, `/result${at}`);

/** The list at a place of the result; empty where there is none. */
export const listIn = (exchange: Exchange, at: string): readonly Json[] => listOf(resultOf(exchange, at));

const notServed = (exchange: Exchange): Finding => {
  const error = rpcErrorOf(exchange);
  return error
    ? broken("/error", "a result", valueAt(exchange.answer?.json?.value, "/error"))
    : broken("status", "an envelope with a result", describeOutcome(exchange));
};

/** Why the target file may be at fault: the key is unknown. */
const excuse = (exchange: Exchange, context: CheckContext): string | null =>
  rpcErrorOf(exchange)?.code === keyCode ? excuseOf(exchange, context, keyCode) : null;

/** Not refused for its params; other refusals are another requirement's breach. */
export const takesParams: Oracle = (exchange) => {
  if (isServed(exchange)) return held;
  if (rpcErrorOf(exchange)?.code !== paramsCode) throw maskedBy(exchange);
  return notServed(exchange);
};

const isKeyRefusal = (exchange: Exchange): boolean => {
  const error = rpcErrorOf(exchange);
  return error ? error.code === keyCode : exchange.answer?.status === 401;
};

/** A single refusal may come from a machine that hasn't heard of a new key. */
const refusedAgain = 2;

/**
 * Not refused for its key, which is known there by another carrier or operation; other refusals are another
 * requirement's breach.
 */
export const rpcTakesKey: Oracle = async (exchange, context) => {
  if (isServed(exchange)) return held;
  if (!isKeyRefusal(exchange)) throw maskedBy(exchange);
  const why = excuseOf(exchange, context, rpcErrorOf(exchange) ? keyCode : 401);
  if (!why) return notServed(exchange);
  if (!(await isKnownElsewhere(exchange, context))) throw excused(exchange, why);
  for (let again = 0; again < refusedAgain; again += 1)
    if (!isKeyRefusal(await context.ask(context.fresh(exchange.requestSpec))))
      throw new Inconclusive({
        kind: "notReproducible",
        first: `refused for its key (${describeOutcome(exchange)})`,
        then: "not",
      });
  return notServed(exchange);
};

/** Served where its positive control is served, which differs only in what is proved. */
export const rpcServedLike =
  (positiveControl: RequestSpec): Oracle =>
  async (exchange, context) => {
    if (isServed(exchange)) return held;
    await positiveControlServed(context, positiveControl);
    return notServed(exchange);
  };

/** Judges a served answer; a refusal is another requirement's breach. */
export const shows =
  (test: (exchange: Exchange, context: CheckContext) => Finding | Promise<Finding>): Oracle =>
  (exchange, context) =>
    test(onlyServed(exchange), context);

/** Not refused with one of these codes; other refusals are another requirement's breach. */
export const notRefusedWith =
  (...codes: readonly number[]): Oracle =>
  (exchange) => {
    const code = rpcErrorOf(exchange)?.code;
    if (code !== undefined && codes.includes(code))
      return broken("/error/code", `any outcome but ${codes.join(" and ")}`, code);
    onlyServed(exchange);
    return held;
  };

const wordsAre = (message: string | undefined, got: Json | undefined): Finding =>
  must(message === undefined || got === message, "/error/message", JSON.stringify(message), got);

/**
 * Refused with the code that the error table documents for a cause, while the positive control is served.
 * @param options `words`: the message is proved as well as the code
 */
export const refusedFor =
  (errorTable: ErrorTable, cause: RpcErrorCause, positiveControl: RequestSpec, { words = false } = {}): Oracle =>
  async (exchange, context) => {
    const row = errorRowOf(errorTable, cause);
    await positiveControlServed(context, positiveControl);
    const error = rpcErrorOf(exchange);
    const expected = `an error with the code ${row.code}`;
    if (!error)
      return isServed(exchange)
        ? broken("/error", expected, undefined)
        : broken("status", expected, describeOutcome(exchange));
    if (error.code === undefined) throw notTested("the error has no code");
    if (cause !== "key") unlessExcused(excuse(exchange, context));
    if (error.code !== row.code)
      return broken("/error/code", String(row.code), valueAt(exchange.answer?.json?.value, "/error/code"));
    if (!words) return held;
    if (typeof error.message !== "string") throw notTested("the error has no message");
    return wordsAre(row.message, error.message);
  };

/**
 * Whether a refusal has the code and the message of a row of its error table.
 * @throws Withheld where it is malformed
 */
export function saysRow(exchange: Exchange, { code, message }: RpcErrorRow): Finding {
  const error = rpcErrorOf(exchange);
  if (error && typeof error.message !== "string") throw notTested("the error is malformed");
  return error?.code === code ? wordsAre(message, error.message) : broken("/error/code", String(code), error?.code);
}
