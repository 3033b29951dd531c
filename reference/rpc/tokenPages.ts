// Pages of token accounts, and their cursors (§2.3, §4.3)
import { is32Bytes } from "../platform/base58.ts";
import type { TokenAccount } from "../platform/chain.ts";
import type { TokenAccountChoices } from "../platform/rpcChoices.ts";
import type { RpcRules, TokenAccountRules } from "../platform/rpcRules.ts";
import type { Value } from "../platform/wire.ts";
import { needs } from "./refusals.ts";

export interface WantedPage {
  readonly mint?: string;
  readonly owner?: string;
  readonly page?: number;
  readonly limit?: number;
  readonly cursor?: string;
  readonly before?: string;
  readonly after?: string;
  readonly options?: { readonly [member: string]: Value };
}

interface Page {
  readonly accounts: readonly TokenAccount[];
  /** Null where nothing follows. */
  readonly cursor: string | null;
  readonly limit: number;
}

type Place = number | string;

/** How pages are cut. */
interface Paging extends TokenAccountRules {
  readonly choices: TokenAccountChoices;
  /** The place of an account by its address; of one in no list, where its address would be. */
  readonly placeOf: (address: string) => Place;
}

/** A cursor names the account behind which the next page begins; opaque to clients. */
const cursorAt = (address: string, { cursorForm }: TokenAccountChoices): string =>
  cursorForm === "an address" ? address : Buffer.from(`after ${address}`).toString("base64url");

/** The end: where text leads that is no cursor, if it isn't refused. */
const nowhere = "~";

/** @throws Refused for a text that is no cursor */
function addressAt(cursor: string, { cursorForm, badCursors }: TokenAccountChoices): string {
  const text = cursorForm === "an address" ? `after ${cursor}` : Buffer.from(cursor, "base64url").toString();
  const address = text.slice("after ".length);
  const isCursor =
    text.startsWith("after ") &&
    (cursorForm === "an address" ? is32Bytes(address) : Buffer.from(text).toString("base64url") === cursor);
  needs(isCursor || badCursors === "lead nowhere");
  return isCursor ? address : nowhere;
}

const isCount = (value: number, least: number): boolean => Number.isInteger(value) && value >= least;

const counted = (value: number, least: number, { outOfRange }: TokenAccountChoices): number =>
  outOfRange === "refused" ? value : Math.max(least, Math.trunc(value));

function limitOf({ limit: sent }: WantedPage, { defaultLimit, largestLimit, beyondLargest, choices }: Paging): number {
  if (sent === undefined) return defaultLimit;
  const limit = counted(sent, 1, choices);
  needs(isCount(limit, 1) && (limit <= largestLimit || beyondLargest === "cut to the largest"));
  return Math.min(limit, largestLimit);
}

/** How many accounts a page holds at most. */
function sizeOf(limit: number, wanted: WantedPage, { perPage }: Paging): number {
  if (perPage === "everything") return Number.MAX_SAFE_INTEGER;
  if (perPage === "120 without a limit") return wanted.limit === undefined ? 120 : limit;
  return perPage === "limit and one" ? limit + 1 : limit;
}

/** Where the n-th page begins. */
function startOf(nth: number, size: number, { pages }: Paging): number {
  if (pages === "always the first") return 0;
  if (pages === "overlapping by one") return nth * Math.max(1, size - 1);
  return pages === "with gaps" ? nth * (size + 1) : nth * size;
}

/** Whether the place of an account is on that side of a cursor's place. */
const sides: {
  readonly [S in Exclude<TokenAccountRules["after" | "before"], "ignored">]: (place: Place, bound: Place) => boolean;
} = {
  after: (place, bound) => place > bound,
  "at and after": (place, bound) => place >= bound,
  before: (place, bound) => place < bound,
  "at and before": (place, bound) => place <= bound,
};

function windowOf(
  matching: readonly TokenAccount[],
  { cursor, before, after }: WantedPage,
  { choices, placeOf, ...rules }: Paging,
): readonly TokenAccount[] {
  const beside = (accounts: typeof matching, position: string | undefined, side: keyof typeof sides | "ignored") => {
    if (position === undefined || side === "ignored") return accounts;
    const bound = placeOf(addressAt(position, choices));
    return accounts.filter(({ address }) => sides[side](placeOf(address), bound));
  };
  const behind = beside(matching, cursor, rules.cursors === "repeat the last" ? "at and after" : "after");
  const rest = cursor !== undefined && rules.cursors === "skip the next" ? behind.slice(1) : behind;
  return beside(beside(rest, after, rules.after), before, rules.before);
}

/** Accounts in another order are numbered; an unknown position comes first. */
function placesIn(matching: readonly TokenAccount[], { order }: TokenAccountChoices): Paging["placeOf"] {
  if (order !== "by mint") return (address) => address;
  const places = new Map(matching.map(({ address }, place) => [address, place]));
  return (address) => places.get(address) ?? (address === nowhere ? matching.length : -1);
}

/** What counts where a page and cursors come together. @throws Refused */
function combined(wanted: WantedPage, { pageAndCursor, severalCursors }: TokenAccountChoices): WantedPage {
  const { page, cursor, ...rest } = wanted;
  needs(
    severalCursors !== "refused" || [cursor, rest.before, rest.after].filter((one) => one !== undefined).length < 2,
  );
  if (page === undefined || cursor === undefined) return wanted;
  needs(pageAndCursor !== "refused");
  if (pageAndCursor === "pages from the cursor") return wanted;
  return pageAndCursor === "the page counts" ? { ...rest, page } : { ...rest, cursor };
}

export function tokenPageOf(matching: readonly TokenAccount[], requested: WantedPage, rules: RpcRules): Page {
  const choices = rules.choices.tokenAccounts;
  const paging: Paging = { ...rules.tokenAccounts, choices, placeOf: placesIn(matching, choices) };
  const { firstPage, cursors } = paging;
  const wanted = combined(requested, choices);
  const limit = limitOf(wanted, paging);
  const size = sizeOf(limit, wanted, paging);
  const page = wanted.page === undefined ? firstPage : counted(wanted.page, firstPage, choices);
  needs(isCount(page, firstPage));
  const isFirst = wanted.cursor === undefined && wanted.after === undefined && page === firstPage;
  const all = cursors === "omit the first account" && wanted.page === undefined ? matching.slice(1) : matching;
  const window = windowOf(all, wanted, paging);
  const isBackwards =
    wanted.before !== undefined &&
    wanted.after === undefined &&
    wanted.cursor === undefined &&
    wanted.page === undefined;
  // A page before a cursor ends at it: the nearest accounts, in the usual order.
  const isNearest = isBackwards && choices.beforePages !== "the first";
  const start = isNearest ? Math.max(0, window.length - size) : startOf(page - firstPage, size, paging);
  const accounts = window.slice(start, start + size);
  const cursor = cursorBehind(accounts, window, start, isFirst, paging);
  return {
    accounts: isBackwards && choices.beforePages === "the nearest, reversed" ? accounts.reverse() : accounts,
    cursor,
    limit,
  };
}

function cursorBehind(
  accounts: readonly TokenAccount[],
  window: readonly TokenAccount[],
  start: number,
  isFirst: boolean,
  { cursors, choices }: Paging,
): string | null {
  const last = accounts.at(-1);
  const atEnd = choices.lastCursor === "an empty text" ? "" : null;
  if (!last) return atEnd;
  if (start + accounts.length < window.length)
    return cursors === "only on the first page" && !isFirst ? null : cursorAt(last.address, choices);
  if (cursors === "lead back") return cursorAt("", choices);
  return choices.lastCursor === "of the last account" ? cursorAt(last.address, choices) : atEnd;
}
