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
  /** The members that are compared, as canonical JSON, by the item's name. */
  readonly items: ReadonlyMap<string, string>;
  /** Pointers to all items, also to those that aren't compared. */
  readonly places: ReadonlyMap<string, string>;
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
const balanceMembers = { value: exact };
const readers: { readonly [member: string]: Member } = { ...accountMembers, ...proofMembers, ...balanceMembers };

/** Whether a member that is compared is a number, which some vendors write as a text. */
export const isNumeric = (member: string): boolean => readers[member] === exact;

/** What these places hold; of a name that is there twice, the last. */
function itemsAt(json: ParsedJson, places: readonly string[], members: { readonly [name: string]: Member }) {
  const all = places.map((at) => {
    const read = Object.entries(members).map(([name, member]) => [name, member(json, `${at}/${name}`)]);
    // Of proofs by their trees, too, for the tree is the vendor's choice.
    const named = canonical(["address", "merkleTree"].map((name) => asIs(json, `${at}/${name}`)));
    return { at, named, text: canonical(Object.fromEntries(read)) };
  });
  return {
    items: new Map(all.map(({ named, text }) => [named, text])),
    places: new Map(all.map(({ named, at }) => [named, at])),
  };
}

const placesIn = (json: ParsedJson, list: string): readonly string[] =>
  listOf(valueAt(json.value, list)).map((_, nth) => `${list}/${nth}`);

/** An empty account may be listed or not: the option for them has no name (§4.3). */
function accountsIn(json: ParsedJson): Pick<Meaning, "items" | "places"> {
  const { items, places } = itemsAt(json, placesIn(json, "/result/token_accounts"), accountMembers);
  return { items: new Map([...items].filter(([, account]) => !account.includes('"amount":"0"'))), places };
}

/** Up to which an answer knows all; null where it doesn't say so. */
export function slotIn({ requestSpec: { operation }, answer }: Pick<Exchange, "requestSpec" | "answer">) {
  if (!answer?.json) return null;
  const at = operation === "getTokenAccounts" ? "/result/last_indexed_slot" : "/result/context/slot";
  const slot = Number(exact(answer.json, at) ?? Number.NaN);
  return Number.isSafeInteger(slot) && slot >= 0 ? slot : null;
}

/**
 * Null where an answer says nothing that can be compared, or not when.
 * @param limit of a page that was asked for
 */
export function meaningOf(exchange: Exchange, limit: number): Meaning | null {
  const { operation } = exchange.requestSpec;
  const json = exchange.answer?.json;
  const slot = slotIn(exchange);
  if (!json || slot === null) return null;
  if (operation === "getCompressedBalance") {
    if (exact(json, "/result/value") === null) return null;
    return { slot, isWhole: true, ...itemsAt(json, ["/result"], balanceMembers) };
  }
  if (operation === "getMultipleNewAddressProofs")
    return { slot, isWhole: false, ...itemsAt(json, placesIn(json, "/result/value"), proofMembers) };
  const [list, cursor, total] = ["token_accounts", "cursor", "total"].map((name) =>
    valueAt(json.value, `/result/${name}`),
  );
  if (!Array.isArray(list) || list.length > mostAccounts) return null;
  // A page that is followed by more has a cursor (TA-CUR-02); the last one may have one, too.
  const isLast = typeof cursor !== "string" && !(Number(total) > list.length);
  return { slot, isWhole: isLast || list.length < Math.min(limit, smallestPage), ...accountsIn(json) };
}

type Meanings = readonly (readonly [vendor: number, meaning: Meaning])[];

/**
 * The answers to one poll that are compared, and the names of the items in which they are: where one is only a part,
 * those that all such parts have. None where there is nothing to compare; a part that shares no item with any other
 * answer isn't compared.
 */
export function comparedIn(meanings: Meanings): { readonly answers: Meanings; readonly names: readonly string[] } {
  const isShared = ([vendor, { items }]: Meanings[number]): boolean =>
    meanings.some(
      ([other, { items: theirs }]) => other !== vendor && [...theirs.keys()].some((name) => items.has(name)),
    );
  const answers = meanings.filter((one) => one[1].isWhole || isShared(one));
  const parts = answers.filter(([, { isWhole }]) => !isWhole).map(([, { items }]) => items);
  const all = new Set(answers.flatMap(([, { items }]) => [...items.keys()]));
  const names = [...all].filter((name) => parts.every((part) => part.has(name))).sort();
  const isNothing = parts.length > 0 && names.length === 0;
  return answers.length < 2 || isNothing ? { answers: [], names: [] } : { answers, names };
}

/** Answers to one poll as votes. */
export function votesOf(meanings: Meanings): readonly Vote[] {
  const { answers, names } = comparedIn(meanings);
  return answers.map(([vendor, { slot, items }]) => {
    const given = names.flatMap((name) => (items.has(name) ? [[name, items.get(name)]] : []));
    return { vendor, slot, value: createHash("sha256").update(canonical(given)).digest("base64") };
  });
}
