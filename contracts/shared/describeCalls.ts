// Descriptions of answers to calls whose outcome is unspecified.
import { createHash } from "node:crypto";
import Big from "big.js";
import { exactAt, type Json, literalAt } from "../../harness/core/json.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import { type AnsweredExchange, fingerprintOf } from "../../harness/model/fingerprint.ts";
import type { ProbeContext, Seen } from "../../harness/model/probe.ts";
import { describeOutcome, isServed } from "../../harness/transport/answers.ts";
import { base58Text } from "./base58.ts";
import { inTurn } from "./inTurn.ts";

/** A call whose outcome is unspecified, so that no law judges the answer. */
export const asUndescribed = (call: RequestSpec): RequestSpec => ({ ...call, operation: null });

/** Describes a result by `sees`, anything else by its outcome, e.g. `error -32602`, or in other words. */
export const describeResult =
  <Summary extends Json>(
    sees: (answered: AnsweredExchange) => Summary,
    words: (answered: AnsweredExchange) => string = describeOutcome,
  ) =>
  (answered: AnsweredExchange): Summary | string =>
    isServed(answered) ? sees(answered) : words(answered);

export const seenAs = (name: string, answered: AnsweredExchange, summary: Json): Seen => ({
  fingerprint: fingerprintOf(answered, { case: name }),
  summary,
});

/** As `seenAs`; of what isn't served, the outcome. */
export const resultSeen = (
  name: string,
  answered: AnsweredExchange,
  sees: (answered: AnsweredExchange) => Json,
): Seen => seenAs(name, answered, describeResult(sees)(answered));

export type Cases = { readonly [name: string]: RequestSpec };

/** What is seen in the answers to calls, made one after the other. */
export const answersSeen = ({ ask }: ProbeContext, cases: Cases, sees: (answered: AnsweredExchange) => Json) =>
  inTurn(Object.entries(cases), async ([name, requestSpec]) => {
    const answered = await ask(requestSpec);
    return seenAs(name, answered, sees(answered));
  });

/** As `answersSeen`; of what isn't served, the outcome. */
export const resultsSeen = (context: ProbeContext, cases: Cases, sees: (answered: AnsweredExchange) => Json) =>
  answersSeen(context, cases, describeResult(sees));

/** The classes of values by path, items of lists merged. */
export const fieldsOf = (answered: AnsweredExchange): { readonly [path: string]: string } =>
  fingerprintOf(answered, { case: "" }).body;

/** The fields at some paths; `none` where there are none. */
export function fieldsAt(answered: AnsweredExchange, isWanted: (path: string) => boolean): Json {
  const found = Object.entries(fieldsOf(answered)).filter(([path]) => isWanted(path));
  return found.length > 0 ? Object.fromEntries(found) : "none";
}

/** The digits of a number as they were sent. */
export function describeLiteral({ answer }: AnsweredExchange, at: string): string {
  return (answer.json ? literalAt(answer.json, at) : undefined) ?? "no number";
}

/** The exact number at a place; undefined where there is none. */
export const exactIn = ({ answer }: AnsweredExchange, at: string): Big | undefined =>
  answer.json ? exactAt(answer.json, at) : undefined;

export const isWhole = (value: Big): boolean => value.eq(value.round(0, 0));

/** Whether both list the same accounts, in any order. */
export const isSame = (ids: readonly string[], others: readonly string[]): boolean =>
  ids.length === others.length && ids.every((address) => others.includes(address));

/** Whether these digits are what a double prints as: a figure that passed through a double has no others. */
export function isOfDouble(digits: string): boolean {
  const double = Number(digits);
  return digits === BigInt(double).toString() || digits === new Big(String(double)).toFixed();
}

/** An address, key or hash that belongs to nothing; its first byte is zero, as in addresses of compressed accounts. */
export const unknownDigest = (what: string, length = 32): string =>
  base58Text(Uint8Array.of(0, ...digest(what), ...digest(`${what}, more`)).slice(0, length));

const digest = (text: string): Uint8Array => createHash("sha256").update(`unknown ${text}`).digest();
