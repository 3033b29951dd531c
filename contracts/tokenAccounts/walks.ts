// Walks through all pages of getTokenAccounts, by page number or by cursor (§2.3)
import { type Json, valueAt } from "../../harness/core/json.ts";
import { Inconclusive, Withheld } from "../../harness/core/outcomes.ts";
import type { Asker, RequestSpec } from "../../harness/core/requestSpec.ts";
import type { Given, Template } from "../../harness/core/template.ts";
import type { CheckContext } from "../../harness/model/check.ts";
import { isServed, rpcErrorOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { listIn, resultOf } from "../shared/jsonRpcOracles.ts";
import { tokenAccounts } from "../shared/jsonRpcRequests.ts";
import { notTested, onlyServed } from "../shared/masked.ts";

/** The option by which empty accounts are listed is named by the target. */
export const emptyAccountsFlag = "$name:emptyAccountsFlag";

/** Limits to try: the first one that is served counts, as the largest is unspecified (OBS-TA-MAXLIMIT). */
const limits = [1_000, 100, 50, 10] as const;
/** 30,000 accounts where 1,000 come at once, in 15 seconds at two requests per second. */
const mostPages = 30;
/** Accounts per page where none are counted. */
const perPage = 50;
/** Page numbers may not be served beyond some depth, of which nothing is shown: no depth is less than this. */
export const leastDepth = 500;
/** A platform that leaves accounts out once a page is cut may send empty pages between others. */
const emptyPagesInARow = 3;

export interface Page {
  readonly exchange: Exchange;
  readonly addresses: readonly string[];
  readonly cursor: Json | undefined;
}

/** Whether pages can be asked for by it. */
export const isCursor = (cursor: Json | undefined): cursor is string => typeof cursor === "string" && cursor !== "";

/** Of a page that is followed by cursor, so that it has one. */
export const cursorOf = ({ cursor }: Page): string => cursor as string;

export interface Walk {
  readonly by: "page" | "cursor";
  readonly limit: number;
  readonly pages: readonly [Page, ...Page[]];
  readonly last: Page;
  /** Every address in the order of the pages, repetitions included. */
  readonly addresses: readonly string[];
  /** Whether the end was seen. */
  readonly isWhole: boolean;
}

export interface WalkRoute {
  readonly by: "page" | "cursor";
  readonly owner: Given | string;
  readonly limit?: number;
  readonly options?: { readonly [member: string]: Template };
  readonly pages?: number;
  /** So many accounts are known: before that an empty page isn't the end. */
  readonly known?: number;
  /** Distinguishes a second walk from the first. */
  readonly again?: number;
  readonly as?: Asker;
}

export const pageRequest = (
  walkRoute: Omit<WalkRoute, "by">,
  member: { readonly [name: string]: Template },
): RequestSpec => {
  const { owner, options, limit = perPage, again = 0, as = "owner" } = walkRoute;
  return tokenAccounts(
    { owner, limit, ...(options ? { options } : {}), ...member },
    { as, ...(again === 0 ? {} : { again }) },
  );
};

/** The listed accounts; empty without a list. */
export const accountsIn = (exchange: Exchange): readonly Json[] => listIn(exchange, "/token_accounts");

/** Addresses on a page; null for anything but a list of accounts with addresses. */
function addressesOf(exchange: Exchange): readonly string[] | null {
  if (!Array.isArray(resultOf(exchange, "/token_accounts"))) return null;
  const addresses = accountsIn(exchange).map((account) => valueAt(account, "/address"));
  return addresses.every((address) => typeof address === "string") ? addresses : null;
}

export const addressesIn = (exchange: Exchange): readonly string[] => addressesOf(exchange) ?? [];

export const howMany = (exchange: Exchange): string =>
  addressesIn(exchange).length === 0 ? "no accounts" : "accounts";

export type PageMember = "page" | "cursor" | "after" | "before";

/** A page requested by a documented parameter was refused for its params. */
export class RefusedMember extends Withheld {
  readonly member: PageMember;
  readonly exchange: Exchange;

  constructor(member: PageMember, exchange: Exchange) {
    super({ kind: "masked", detail: `${member} is refused (-32602)` });
    this.member = member;
    this.exchange = exchange;
  }
}

/**
 * @param member the parameter that names the page, where the first page, which needs none, was served
 * @throws Withheld where it isn't served, or has accounts without addresses
 * @throws RefusedMember
 */
export async function ask(context: CheckContext, requestSpec: RequestSpec, member?: PageMember): Promise<Page> {
  const exchange = await context.ask(requestSpec);
  if (member && rpcErrorOf(exchange)?.code === -32602) throw new RefusedMember(member, exchange);
  onlyServed(exchange, "a page");
  const addresses = addressesOf(exchange);
  if (!addresses) throw notTested("a page is not a list of accounts with addresses");
  return { exchange, addresses, cursor: resultOf(exchange, "/cursor") };
}

/** @throws Withheld where a page isn't served */
export async function walk(context: CheckContext, wanted: WalkRoute): Promise<Walk> {
  const { by, known = 0, pages: most = mostPages, limit = await largestLimit(context, wanted) } = wanted;
  const route = { ...wanted, limit };
  const base = by === "page" ? await firstPageOf(context, route) : null;
  let last = await ask(context, pageRequest(route, base === null ? {} : { page: base }));
  const pages: [Page, ...Page[]] = [last];
  let end = endOf([], last, by, known);
  while (end === null && (pages.length < most || last.addresses.length === 0)) {
    const member = base === null ? { cursor: cursorOf(last) } : { page: base + pages.length };
    const following = pageRequest(route, member);
    // How a page beyond the end is answered is unspecified (OBS-TA-RANGE).
    const mayBeBeyond = base !== null && (pages.length > 1 || last.addresses.length >= Math.min(known, leastDepth));
    if (mayBeBeyond && rpcErrorOf(await context.ask(following))) end = "at its end";
    else {
      last = await ask(context, following, by);
      end = endOf(pages, last, by, known);
      if (end !== "the last again") pages.push(last);
    }
  }
  const addresses = pages.flatMap((page) => page.addresses);
  return { by, limit, pages, last, addresses, isWhole: end !== null && end !== "in a circle" };
}

/**
 * How a walk ends with its last page; null where others may follow.
 * @param before the pages before the last one
 */
function endOf(
  before: readonly Page[],
  last: Page,
  by: WalkRoute["by"],
  known: number,
): "at its end" | "the last again" | "in a circle" | null {
  const { addresses, cursor, exchange } = last;
  // A cursor that isn't a string breaks a requirement of its own (T-37), and can't be followed.
  if (by === "cursor" && !isCursor(cursor)) return "at its end";
  const old = new Set(before.flatMap((page) => page.addresses));
  if (addresses.length === 0) {
    const isLast = by === "page" ? old.size >= known : before.some((page) => page.cursor === cursor);
    const empty = [...before, last].slice(-emptyPagesInARow).filter((page) => page.addresses.length === 0);
    return isLast || empty.length === emptyPagesInARow ? "at its end" : null;
  }
  if (addresses.every((address) => old.has(address))) {
    const isAgain = addresses.every((address) => before.at(-1)?.addresses.includes(address));
    return by === "page" && before.length > 1 && isAgain ? "the last again" : "in a circle";
  }
  const [first = last] = before;
  // A short page may be followed by others, unless the total shows that it isn't.
  const isShort = addresses.length < first.addresses.length;
  const isLast = isShort && resultOf(exchange, "/total") === old.size + addresses.length;
  return by === "page" && isLast ? "at its end" : null;
}

/** Whether its only page has no cursor. What follows then only pages by number show (TA-CUR-02). */
export const hasNoCursor = ({ by, pages, last }: Walk): boolean =>
  by === "cursor" && pages.length === 1 && !isCursor(last.cursor);

/** A page of a round number of accounts may be a full one, as limits can be cut without a word. */
const isFull = ({ limit, last: { addresses, exchange } }: Walk): boolean =>
  addresses.length > 0 &&
  (addresses.length >= limit || addresses.length % 10 === 0 || resultOf(exchange, "/total") !== addresses.length);

/** By cursor, or by page where the first one is full and has no cursor. @throws Withheld where a page isn't served */
export async function walkToEnd(context: CheckContext, wanted: Omit<WalkRoute, "by">): Promise<Walk> {
  const byCursor = await walk(context, { ...wanted, by: "cursor" });
  return hasNoCursor(byCursor) && isFull(byCursor) ? walk(context, { ...wanted, by: "page" }) : byCursor;
}

/** A page may be too large to be made in time: that is inconclusive, and a smaller one may be served. */
async function largestLimit(context: CheckContext, route: WalkRoute): Promise<number> {
  for (const limit of limits) {
    const isTaken = await context.ask(pageRequest({ ...route, limit }, {})).then(isServed, (error: unknown) => {
      if (!(error instanceof Inconclusive)) throw error;
      return false;
    });
    if (isTaken) return limit;
  }
  return perPage;
}

/**
 * Whether pages count from 0 or 1 is unspecified (OBS-TA-PAGEBASE): the page without a number shows it, in any order.
 * @throws RefusedMember where neither is taken
 */
async function firstPageOf(context: CheckContext, route: WalkRoute): Promise<0 | 1> {
  const unnamed = await ask(context, pageRequest(route, {}));
  const isUnnamed = (addresses: readonly string[]): boolean =>
    addresses.filter((address) => unnamed.addresses.includes(address)).length * 2 > addresses.length;
  const exchange = await context.ask(pageRequest(route, { page: 1 }));
  if (isUnnamed(addressesIn(exchange))) return 1;
  const zero = await context.ask({ ...pageRequest(route, { page: 0 }), operation: null });
  if (rpcErrorOf(exchange)?.code === -32602 && !isServed(zero)) throw new RefusedMember("page", exchange);
  const [first] = addressesIn(zero);
  const isOther = first !== undefined && !addressesIn(exchange).includes(first);
  return isUnnamed(addressesIn(zero)) || isOther ? 0 : 1;
}

export function repeated(addresses: readonly string[]): readonly string[] {
  const firstAt = new Map([...addresses.entries()].reverse().map(([nth, address]) => [address, nth]));
  return addresses.filter((address, nth) => firstAt.get(address) !== nth);
}

/** The addresses of a list that another lacks. */
export const missing = (all: readonly string[], chosen: readonly string[]): readonly string[] => {
  const known = new Set(chosen);
  return all.filter((address) => !known.has(address));
};
