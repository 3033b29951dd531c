// Queries of recorded wallet reads: only what can hardly be a key, or a vendor's own, is asked of others.
import { base58Bytes } from "../contracts/shared/base58.ts";
import type { Json } from "../harness/core/json.ts";
import { looksLikeKey } from "../harness/core/secret.ts";

/** Keys stand bare, too: as names, or as values of names that tell nothing. */
const word = /^[A-Za-z]+([._-][A-Za-z]+)*\d{0,2}$/;
const cursorName = /cursor$/i;
const number = /^-?\d{1,15}(\.\d{1,9})?$/;
const time = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;
const longest = 40;

/** An account, a mint, a hash. A private key has 64 bytes, as a signature has: neither is one. */
export const isAddress = (value: Json | undefined): value is string =>
  typeof value === "string" && base58Bytes(value)?.length === 32;
const isPlain = (text: string): boolean =>
  (text.length <= longest && [number, word, time].some((form) => form.test(text))) || isAddress(text);

/** Words of a text that may be keys, however it puts them together. */
export const keysWithin = (text: string): readonly string[] =>
  text.split(/[^\w.~+=-]+/).filter((one) => looksLikeKey(one) && !isAddress(one));

interface AskedQuery {
  /** By name. */
  readonly kept: { readonly [name: string]: string };
  /** Whether a later page was asked for. */
  readonly isLater: boolean;
  /** Whether others were left out. */
  readonly hasOthers: boolean;
}

/** @param pairs without those that hold a key by their names */
export function askedQuery(pairs: readonly (readonly [name: string, value: string])[]): AskedQuery {
  const others = pairs.filter(([name]) => !cursorName.test(name));
  const isOnce = (name: string): boolean => others.filter(([other]) => other === name).length === 1;
  const kept = others.filter(
    ([name, value]) =>
      name.length <= longest && word.test(name) && isOnce(name) && value.split(",").every((one) => isPlain(one)),
  );
  return {
    kept: Object.fromEntries(kept),
    isLater: others.length < pairs.length,
    hasOthers: kept.length < others.length,
  };
}
