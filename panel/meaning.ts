// What answers mean, so that those of several vendors can be compared: order, cursors, extra members and the spelling
// of numbers are left out; amounts and slots are exact (§2.2 to §2.4).
import { createHash } from "node:crypto";
import Big from "big.js";
import { canonical, type Json, listOf, literalAt, type ParsedJson, valueAt } from "../harness/core/json.ts";
import type { Exchange } from "../harness/transport/exchange.ts";
import type { Vote } from "./agreement.ts";

/** What an answer means, item by item: accounts by address, proofs by address, or a balance. */
export interface Meaning {
  /** Up to which it knows all; a lower bound. */
  readonly slot: number;
  readonly items: ReadonlyMap<string, string>;
  /** Whether other items are certainly none. */
  readonly isWhole: boolean;
}

/** Vendors limit pages differently; none is known to allow fewer, and no question needs more. */
const smallestPage = 10;
const mostAccounts = 10_000;

/**
 * Digits in full, whether a number or a text of digits; null for anything else. Beyond 2^53, where many vendors
 * write doubles, as a double.
 */
function exact(json: ParsedJson, at: string): string | null {
  const value = valueAt(json.value, at);
  const text = typeof value === "string" ? value : literalAt(json, at);
  if (text === undefined || !/^-?\d+(\.\d+)?(e\+?\d+)?$/i.test(text)) return null;
  const number = new Big(text);
  return number.abs().gt(Number.MAX_SAFE_INTEGER) ? String(Number(text)) : number.toFixed();
}

type Member = (json: ParsedJson, at: string) => Json;

const asIs: Member = (json, at) => {
  const value = valueAt(json.value, at);
  return typeof value === "string" ? value : null;
};
const isTrue: Member = (json, at) => valueAt(json.value, at) === true;

/** What `burnt` means isn't shown, nor what `delegated_amount` is without a delegate (§2.2). */
const accountMembers = { mint: asIs, owner: asIs, amount: exact, frozen: isTrue };
/** A tree may hold some of a proof's hashes by itself, so that answers leave them out; the root is that of all. */
const exactly = { lowElementLeafIndex: exact, nextIndex: exact, rootSeq: exact };
const proofMembers = { ...exactly, higherRangeAddress: asIs, lowerRangeAddress: asIs, merkleTree: asIs, root: asIs };

/** The items of a list by their addresses; of proofs by their trees, too, for the tree is the vendor's choice. */
function itemsAt(json: ParsedJson, list: string, members: { readonly [name: string]: Member }): Map<string, string> {
  const items = listOf(valueAt(json.value, list)).map((_, nth): readonly [string, string] => {
    const read = Object.entries(members).map(([name, member]) => [name, member(json, `${list}/${nth}/${name}`)]);
    const named = ["address", "merkleTree"].map((name) => asIs(json, `${list}/${nth}/${name}`));
    return [canonical(named), canonical(Object.fromEntries(read))];
  });
  return new Map(items);
}

/** An empty account may be listed or not: the option for them has no name (§4.3). */
function accountsIn(json: ParsedJson): ReadonlyMap<string, string> {
  const all = itemsAt(json, "/result/token_accounts", accountMembers);
  return new Map([...all].filter(([, account]) => !account.includes('"amount":"0"')));
}

/**
 * Null where an answer says nothing that can be compared, or not when.
 * @param limit of a page that was asked for
 */
export function meaningOf({ requestSpec: { operation }, answer }: Exchange, limit: number): Meaning | null {
  const json = answer?.json;
  if (!json) return null;
  const slotAt = operation === "getTokenAccounts" ? "/result/last_indexed_slot" : "/result/context/slot";
  const slot = Number(exact(json, slotAt) ?? Number.NaN);
  if (!Number.isSafeInteger(slot) || slot < 0) return null;
  if (operation === "getCompressedBalance") {
    const value = exact(json, "/result/value");
    return value === null ? null : { slot, isWhole: true, items: new Map([["balance", value]]) };
  }
  if (operation === "getMultipleNewAddressProofs")
    return { slot, isWhole: false, items: itemsAt(json, "/result/value", proofMembers) };
  const [list, cursor, total] = ["token_accounts", "cursor", "total"].map((name) =>
    valueAt(json.value, `/result/${name}`),
  );
  if (!Array.isArray(list) || list.length > mostAccounts) return null;
  // A page that is followed by more has a cursor (TA-CUR-02); the last one may have one, too.
  const isLast = typeof cursor !== "string" && !(Number(total) > list.length);
  return { slot, isWhole: isLast || list.length < Math.min(limit, smallestPage), items: accountsIn(json) };
}

type Meanings = readonly (readonly [vendor: number, meaning: Meaning])[];

/**
 * Answers to one poll as votes: where one is only a part, by what all such parts have. None where there is nothing to
 * compare; a part that shares no item with any other answer has no vote.
 */
export function votesOf(meanings: Meanings): readonly Vote[] {
  const isShared = ([vendor, { items }]: Meanings[number]): boolean =>
    meanings.some(
      ([other, { items: theirs }]) => other !== vendor && [...theirs.keys()].some((name) => items.has(name)),
    );
  const voting = meanings.filter((one) => one[1].isWhole || isShared(one));
  const parts = voting.filter(([, { isWhole }]) => !isWhole).map(([, { items }]) => items);
  const compared = voting.map(([, { items }]) =>
    [...items].filter(([name]) => parts.every((part) => part.has(name))).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const isNothing = parts.length > 0 && compared.every((items) => items.length === 0);
  if (voting.length < 2 || isNothing) return [];
  return voting.map(([vendor, { slot }], nth) => {
    return { vendor, slot, value: createHash("sha256").update(canonical(compared[nth])).digest("base64") };
  });
}
