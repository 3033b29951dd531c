// Figures of a usage document, and their differences between two reads.
import Big from "big.js";
import { exactAt, type Json, numbersIn, valueAt } from "../../harness/core/json.ts";
import type { Answered } from "../../harness/model/fingerprint.ts";
import type { components } from "../../specs/generated/openapi.ts";

/** The documented products: the keys of `credits` (§2.1). */
export const products = [
  "rpc",
  "enhancedApi",
  "walletApi",
  "das",
  "webhooks",
  "streamGrpc",
  "streamWebsocket",
  "preConfirmations",
  "archival",
  "compression",
  "other",
] as const satisfies readonly (keyof components["schemas"]["ProjectUsage"]["credits"])[];
export type Product = (typeof products)[number];

/** The exact number at a pointer; undefined where there is none. */
export const figureAt = ({ answer }: Answered, at: string): Big | undefined =>
  answer.json ? exactAt(answer.json, at) : undefined;

export const valueIn = ({ answer }: Answered, at: string): Json | undefined => valueAt(answer.json?.value, at);

/** The exact figures of an object, such as `/credits`. */
export function figuresIn(answered: Answered, at: string): readonly Big[] {
  const members = valueIn(answered, at);
  if (typeof members !== "object" || members === null) return [];
  return Object.keys(members).flatMap((name) => figureAt(answered, `${at}/${name}`) ?? []);
}

/** The difference of each figure that moved, by pointer. */
export function movedBetween(before: Answered, after: Answered): { readonly [at: string]: string } {
  const places = new Set([before, after].flatMap(({ answer }) => numbersIn(answer.json?.value)));
  const zero = new Big(0);
  const moved = [...places].map(
    (at) => [at, (figureAt(after, at) ?? zero).minus(figureAt(before, at) ?? zero)] as const,
  );
  return Object.fromEntries(moved.filter(([, by]) => !by.eq(zero)).map(([at, by]) => [at, by.toFixed()]));
}
