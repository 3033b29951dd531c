// Walks through all pages of getTokenAccounts, by page number or by cursor (§2.3)
import { type Json, valueAt } from "../../harness/core/json.ts";
import type { Asker, Stimulus } from "../../harness/core/stimulus.ts";
import type { Given, Template } from "../../harness/core/template.ts";
import type { CheckContext } from "../../harness/model/check.ts";
import { isServed, rpcErrorOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { listIn, resultOf } from "../shared/jsonRpcOracles.ts";
import { tokenAccounts } from "../shared/jsonRpcRequests.ts";
import { masked, served } from "../shared/masked.ts";

/** The option by which empty accounts are listed is named by the target. */
export const emptyAccountsFlag = "§/names/emptyAccountsFlag";

/** Enough for several pages of a few hundred accounts; a longer set is judged as far as this. */
const mostPages = 14;
const perPage = 50;
/** For platforms that refuse more; how many they take is unspecified (OBS-TA-MAXLIMIT). */
const perSmallPage = 10;

export interface Page {
  readonly exchange: Exchange;
  readonly addresses: readonly string[];
  readonly cursor: Json | undefined;
}

export interface Walk {
  readonly pages: readonly [Page, ...Page[]];
  readonly last: Page;
  /** Every address in the order of the pages, repetitions included. */
  readonly addresses: readonly string[];
  /** Whether the end was seen. */
  readonly isWhole: boolean;
}

export interface Route {
  readonly by: "page" | "cursor";
  readonly owner: Given | string;
  readonly limit?: number;
  readonly options?: { readonly [member: string]: Template };
  /** The most pages that are read. */
  readonly pages?: number;
  /** Distinguishes a second walk from the first. */
  readonly again?: number;
  readonly as?: Asker;
}

export const pageRequest = (
  { owner, options, limit = perPage, again = 0, as = "owner" }: Omit<Route, "by">,
  member: { readonly [name: string]: Template },
): Stimulus =>
  tokenAccounts(
    { owner, limit, ...(options ? { options } : {}), ...member },
    { as, id: 21, ...(again === 0 ? {} : { again }) },
  );

/** The listed accounts; none where there is no list. */
export const accountsIn = (exchange: Exchange): readonly Json[] => listIn(exchange, "/token_accounts");

/** Addresses on a page; null where it is no list of accounts that have one. */
function addressesOf(exchange: Exchange): readonly string[] | null {
  if (!Array.isArray(resultOf(exchange, "/token_accounts"))) return null;
  const addresses = accountsIn(exchange).map((account) => valueAt(account, "/address"));
  return addresses.every((address) => typeof address === "string") ? addresses : null;
}

export const addressesIn = (exchange: Exchange): readonly string[] => addressesOf(exchange) ?? [];

export const howMany = (exchange: Exchange): string =>
  addressesIn(exchange).length === 0 ? "no accounts" : "accounts";

export type Member = "page" | "cursor" | "after" | "before";

/** A page requested by a documented parameter was refused for its params. */
export class RefusedMember extends Error {
  readonly member: Member;
  readonly exchange: Exchange;

  constructor(member: Member, exchange: Exchange) {
    super(`${member} is refused`);
    this.member = member;
    this.exchange = exchange;
  }
}

/**
 * @param member the parameter that names the page, where the first page, which needs none, was served
 * @throws Withheld where it isn't served, or has accounts without addresses
 * @throws RefusedMember
 */
export async function ask(context: CheckContext, stimulus: Stimulus, member?: Member): Promise<Page> {
  const exchange = await context.ask(stimulus);
  if (member && rpcErrorOf(exchange)?.code === -32602) throw new RefusedMember(member, exchange);
  served(exchange, "a page");
  const addresses = addressesOf(exchange);
  if (!addresses) throw masked("a page is not a list of accounts with addresses");
  return { exchange, addresses, cursor: resultOf(exchange, "/cursor") };
}

/** @throws Withheld where a page isn't served */
export async function walk(context: CheckContext, wanted: Route): Promise<Walk> {
  const { by, pages: most = mostPages, limit = await acceptedLimit(context, wanted) } = wanted;
  const route = { ...wanted, limit };
  const base = by === "page" ? await firstPageOf(context, route) : 0;
  let last = await ask(context, pageRequest(route, by === "page" ? { page: base } : {}));
  const pages: [Page, ...Page[]] = [last];
  let isWhole = false;
  for (let nth = 1; nth < most; nth += 1) {
    isWhole = isEnd(last, by, limit);
    if (isWhole) break;
    last = await ask(
      context,
      pageRequest(route, by === "page" ? { page: base + nth } : { cursor: last.cursor ?? null }),
      by,
    );
    pages.push(last);
  }
  return { pages, last, addresses: pages.flatMap(({ addresses }) => addresses), isWhole };
}

/** Whether no page follows. @throws Withheld where its cursor is wrong */
function isEnd({ addresses, cursor, exchange }: Page, by: Route["by"], limit: number): boolean {
  if (addresses.length === 0) return true;
  if (cursor !== undefined && typeof cursor !== "string") throw masked("a cursor is not a string");
  if (by === "cursor") return (cursor ?? "") === "";
  // A large limit may have been cut (OBS-TA-MAXLIMIT): result.limit is the length of a full page.
  const got = resultOf(exchange, "/limit");
  return addresses.length < (typeof got === "number" ? Math.min(limit, got) : limit);
}

/** The larger of our two limits that is accepted. */
const acceptedLimit = async (context: CheckContext, route: Route): Promise<number> =>
  isServed(await context.ask(pageRequest(route, {}))) ? perPage : perSmallPage;

/** Whether pages count from 0 or 1 is unspecified (OBS-TA-PAGEBASE): the page without a number shows it. */
async function firstPageOf(context: CheckContext, route: Route): Promise<0 | 1> {
  const unnamed = await ask(context, pageRequest(route, {}));
  const one = await ask(context, pageRequest(route, { page: 1 }));
  if (one.addresses[0] === unnamed.addresses[0]) return 1;
  const zero = await context.ask({ ...pageRequest(route, { page: 0 }), operation: null });
  return isServed(zero) && addressesIn(zero)[0] === unnamed.addresses[0] ? 0 : 1;
}

/** The first address that comes twice; undefined where none does. */
export const repeated = (addresses: readonly string[]): string | undefined => {
  const seen = new Set<string>();
  return addresses.find((address) => seen.size === seen.add(address).size);
};

/** The first address of a list that another lacks; undefined where it has all. */
export const lacking = (all: readonly string[], some: readonly string[]): string | undefined =>
  all.find((address) => !some.includes(address));
