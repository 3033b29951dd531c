// Are token accounts listed as asked for: filtered, limited, page by page, none left out? (§2.2, §2.3, §4.3)

import { broken, type Finding, held } from "../../harness/core/finding.ts";
import { Inconclusive, Withheld } from "../../harness/core/outcomes.ts";
import type { Stimulus } from "../../harness/core/stimulus.ts";
import { lackToAsk } from "../../harness/engine/plan.ts";
import { type Check, type CheckContext, check, onlyRequest, type Shown, scenario } from "../../harness/model/check.ts";
import { isServed, outcomeOf, rpcErrorOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { resultOf, shows } from "../shared/jsonRpcOracles.ts";
import { mint, owner, ownerWithEmptyAccounts, tokenAccounts } from "../shared/jsonRpcRequests.ts";
import type { Ask } from "../shared/stimuli.ts";
import {
  addressesIn,
  ask,
  type Member,
  type Page,
  pageRequest,
  RefusedMember,
  type Route,
  repeated,
  type Walk,
  walk,
} from "./walks.ts";

const feature = "tokenAccounts";
const byOwner = tokenAccounts({ owner, limit: 2 });
const first = pageRequest({ owner }, {});

const named = [
  { owner, limit: 3 },
  { mint, limit: 10 },
  { owner, mint, limit: 3 },
] as const;

/** Which parameters are required isn't shown, nor whether two may come together: taken is what is taken in one of these ways. */
async function takesNamedMembers(context: CheckContext): Promise<readonly Shown[]> {
  const exchanges: Exchange[] = [];
  for (const params of [{ owner, limit: 2 }, ...named]) {
    const stimulus = tokenAccounts(params);
    if (lackToAsk(stimulus, context.target) === null) exchanges.push(await context.ask(stimulus));
  }
  const refused = exchanges.filter((exchange) => rpcErrorOf(exchange)?.code === paramsCode);
  const [exchange] = refused.length === exchanges.length ? refused : exchanges.filter(isServed);
  if (!exchange) throw new Withheld(`hidden: it drew ${exchanges.map(outcomeOf).join(", ")}`);
  return [
    {
      exchange,
      finding: isServed(exchange)
        ? held
        : broken("/error/code", "an object with owner, with mint, or with both accepted", paramsCode),
    },
  ];
}

const paramsCode = -32602;

/** A filter shows only on accounts that are there. */
const someAccounts = shows((exchange) => {
  if (addressesIn(exchange).length === 0) throw new Withheld("no account came, so no filter shows");
  return held;
});

/**
 * A breach between two reads may be a change of the chain: what isn't found a second time is a question.
 * @param see gives what was seen; `again` tells the two goes apart
 */
const twice =
  (see: (context: CheckContext, again: number) => Promise<Shown>, own: Member | null) =>
  async (context: CheckContext): Promise<readonly Shown[]> => {
    const look = (again: number): Promise<Shown> =>
      see(context, again).catch((error: unknown) => refusedMember(error, own));
    const once = await look(0);
    if (once.finding.outcome === "held") return [once];
    const second = await look(1);
    if (second.finding.outcome === "held") throw new Inconclusive("accounts changed between two reads");
    return [second];
  };

/** A documented parameter that is refused breaks what is promised of it, and hides the rest. */
function refusedMember(error: unknown, own: Member | null): Shown {
  if (!(error instanceof RefusedMember)) throw error;
  const { member, exchange } = error;
  if (member !== own) throw new Withheld(`hidden: ${member} is refused (${paramsCode})`);
  return { exchange, finding: broken("/error/code", `${member} accepted: a page without it is served`, paramsCode) };
}

const shownBy = ({ pages }: Walk, finding: Finding): Shown => {
  const exchange = pages.at(-1)?.exchange;
  if (!exchange) throw new Withheld("no page was read");
  return { exchange, finding };
};

const several = (walked: Walk): Walk => {
  if (walked.pages.length < 2 || walked.pages[1]?.addresses.length === 0)
    throw new Withheld("samples.owner has no second page");
  return walked;
};

const lacking = (all: readonly string[], some: readonly string[]): string | undefined =>
  all.find((address) => !some.includes(address));

/** No account on two pages, and nothing between them left out: the other way of walking tells what there is. */
async function pagesAgainst(context: CheckContext, again: number): Promise<Shown> {
  const pages = await walk(context, { by: "page", owner, again });
  const twin = await walk(context, { by: "cursor", owner, again });
  if (pages.pages.length < 2) throw new Withheld("samples.owner has no second page");
  const twice = repeated(pages.addresses);
  if (twice !== undefined)
    return shownBy(pages, broken("/result/token_accounts", "pages that are disjoint", `${twice} on two pages`));
  const left =
    pages.isWhole && twin.isWhole && repeated(twin.addresses) === undefined
      ? lacking(twin.addresses, pages.addresses)
      : undefined;
  return shownBy(
    pages,
    left === undefined ? held : broken("/result/token_accounts", "pages that cover the set", `${left} on none`),
  );
}

async function cursorsWalk(context: CheckContext, again: number): Promise<Shown> {
  const walked = several(await walk(context, { by: "cursor", owner, again }));
  const pages = await walk(context, { by: "page", owner, again });
  const twice = repeated(walked.addresses);
  if (twice !== undefined)
    return shownBy(walked, broken("/result/token_accounts", "every account once", `${twice} a second time`));
  const left =
    walked.isWhole && pages.isWhole && repeated(pages.addresses) === undefined
      ? lacking(pages.addresses, walked.addresses)
      : undefined;
  if (left !== undefined)
    return shownBy(walked, broken("/result/token_accounts", "every account once", `${left} on no page`));
  return shownBy(walked, held);
}

async function sameSet(context: CheckContext, again: number): Promise<Shown> {
  const [byPage, byCursor] = [
    await walk(context, { by: "page", owner, again }),
    await walk(context, { by: "cursor", owner, again }),
  ];
  if (!byPage.isWhole || !byCursor.isWhole) throw new Withheld("samples.owner has more pages than are walked");
  if (byPage.pages.length < 2) throw new Withheld("samples.owner has no second page");
  const odd = lacking(byPage.addresses, byCursor.addresses) ?? lacking(byCursor.addresses, byPage.addresses);
  return shownBy(
    byCursor,
    odd === undefined ? held : broken("/result/token_accounts", "the same set as by page", `${odd} on one way only`),
  );
}

/** A cursor where more follows: on every full page but the last. */
async function cursorsThere(context: CheckContext, again: number): Promise<Shown> {
  const pages = await walk(context, { by: "page", owner, again });
  if (pages.pages.length < 2) throw new Withheld("samples.owner has no second page");
  const bare = pages.pages
    .slice(0, -1)
    .find(({ cursor }, nth) => cursor === undefined && (pages.pages[nth + 1]?.addresses.length ?? 0) > 0);
  return bare
    ? { exchange: bare.exchange, finding: broken("/result/cursor", "a cursor: more results follow", undefined) }
    : shownBy(pages, held);
}

/**
 * What `after` the cursor of page 1 shows: none of page 1, and page 2.
 * Whether a cursor names the last account of a page or the first of the next is open, so the next page may begin one later.
 */
async function afterPageOne(context: CheckContext, again: number): Promise<Shown> {
  const route = { owner, limit: few, again };
  const ways = await firstPages(context, route);
  const [one] = ways[0];
  const { exchange, addresses } = await ask(context, pageRequest(route, { after: cursorOf(one) }), "after");
  const old = addresses.find((address) => one.addresses.includes(address));
  if (old !== undefined)
    return {
      exchange,
      finding: broken("/result/token_accounts", "results after the cursor of page 1", `${old} of page 1`),
    };
  const isNext = ways.some(([, two, three]) => isPageBehind(addresses, two.addresses, three.addresses));
  return { exchange, finding: isNext ? held : broken("/result/token_accounts", "page 2", addresses) };
}

/** In whatever order, which is open: page 2, or all of it but its first and one more of page 3. */
const isPageBehind = (addresses: readonly string[], two: readonly string[], three: readonly string[]): boolean =>
  addresses.length > 0 &&
  lacking(addresses, [...two, ...three]) === undefined &&
  two.filter((address) => !addresses.includes(address)).length <= 1;

/**
 * What `before` the cursor of page 2 shows: of pages 1 and 2 only, in whatever order.
 * Where a cursor names an account, that one isn't before it; where it is a place between two, all of both pages may be.
 */
async function beforePageTwoEnds(context: CheckContext, again: number): Promise<Shown> {
  const route = { owner, limit: few, again };
  const ways = await firstPages(context, route);
  const [one, two] = ways[0];
  const { exchange, addresses } = await ask(
    context,
    pageRequest({ ...route, limit: 2 * few }, { before: cursorOf(two) }),
    "before",
  );
  const allowed = ways.flatMap(([first, second]) => [...first.addresses, ...second.addresses]);
  const odd = addresses.find((address) => !allowed.includes(address));
  if (odd !== undefined)
    return { exchange, finding: broken("/result/token_accounts", "results of pages 1 and 2", odd) };
  if (addresses.length === 0)
    return { exchange, finding: broken("/result/token_accounts", "results before the cursor of page 2", []) };
  const namesAccount = context.target.isReference || two.addresses.includes(cursorOf(two));
  const isInclusive = namesAccount && lacking([...one.addresses, ...two.addresses], addresses) === undefined;
  return {
    exchange,
    finding: isInclusive
      ? broken("/result/token_accounts", "pages 1 and 2 without the account at the cursor", `all ${addresses.length}`)
      : held,
  };
}

/** Accounts on the pages around a cursor. */
const few = 5;

type Pages = readonly [Page, Page, Page];

/** The first pages by cursor, and by page: where one way of walking lies, the other tells what follows what. */
async function firstPages(context: CheckContext, route: Omit<Route, "by">): Promise<readonly [Pages, Pages]> {
  const read = async (by: Route["by"]): Promise<Pages> => {
    const { pages } = await walk(context, { ...route, by, pages: 3 });
    const [one, two, three] = pages;
    if (!one || !two || !three || three.addresses.length === 0)
      throw new Withheld("samples.owner has too few accounts");
    return [one, two, three];
  };
  return [await read("cursor"), await read("page")];
}

function cursorOf({ cursor }: Page): string {
  if (typeof cursor !== "string") throw new Withheld("hidden: a page that is followed by others has no cursor");
  return cursor;
}

/** With one's own flag on, off, and left out. */
const flag = "§/names/emptyAccountsFlag";
const flagged = (value: boolean | undefined): Omit<Route, "by" | "again"> => ({
  owner: ownerWithEmptyAccounts,
  ...(value === undefined ? {} : { options: { [flag]: value } }),
});
const firstOf = (value: boolean | undefined): Stimulus => pageRequest(flagged(value), {});

interface Balances {
  readonly exchange: Exchange;
  readonly empty: readonly string[];
  readonly filled: readonly string[];
}

/** Of all pages together, since how long a page may be is open. */
async function balancesWith(context: CheckContext, value: boolean | undefined): Promise<Balances> {
  const { pages } = await walk(context, { ...flagged(value), by: "cursor" });
  const list = pages.flatMap(
    ({ exchange }) =>
      resultOf(exchange, "/token_accounts") as readonly { readonly address: string; readonly amount?: unknown }[],
  );
  if (list.some(({ amount }) => typeof amount !== "number")) throw new Withheld("hidden: an amount is no number");
  const [page] = pages;
  if (!page) throw new Withheld("no page was read");
  const those = (isEmpty: boolean) =>
    list.filter(({ amount }) => (amount === 0) === isEmpty).map(({ address }) => address);
  return { exchange: page.exchange, empty: those(true), filled: those(false) };
}

async function includesEmpty(context: CheckContext): Promise<readonly Shown[]> {
  const [shown, usual] = [await balancesWith(context, true), await balancesWith(context, undefined)];
  const { exchange } = shown;
  if (usual.empty.length > 0) throw new Withheld("hidden: empty accounts come without the flag too");
  const gone = lacking(usual.filled, shown.filled);
  if (gone !== undefined)
    return [
      {
        exchange,
        finding: broken("/result/token_accounts", "what comes without the flag, and empty accounts", `${gone} is gone`),
      },
    ];
  return [
    {
      exchange,
      finding:
        shown.empty.length > 0
          ? held
          : broken("/result/token_accounts", "accounts with empty balances among the others", "none"),
    },
  ];
}

async function leavesEmptyOut(context: CheckContext): Promise<readonly Shown[]> {
  if ((await balancesWith(context, true)).empty.length === 0)
    throw new Withheld("no empty account comes with the flag, so nothing shows that they are left out without it");
  const looks = [await balancesWith(context, undefined), await balancesWith(context, false)];
  return looks.map(({ exchange, empty: [odd] }) => ({
    exchange,
    finding: odd === undefined ? held : broken("/result/token_accounts", "no empty balance without the flag", odd),
  }));
}

export const baseline: Ask = (options) => tokenAccounts({ owner, limit: 2 }, options);

export const checks: readonly Check[] = [
  scenario("TA-PAR-01", { feature, requests: [byOwner] }, takesNamedMembers),
  check("TA-FLT-02", tokenAccounts(named[0]), someAccounts, { feature }),
  check("TA-FLT-01", tokenAccounts(named[1]), someAccounts, { feature }),
  check(["TA-FLT-01", "TA-FLT-02", "TA-FLT-03"], tokenAccounts(named[2]), someAccounts, { feature }),
  ...[1, 2, 3].map((limit) =>
    check(["TA-LIM-01", "TA-LIM-02"], tokenAccounts({ owner, limit }), undefined, { feature }),
  ),
  // Beyond the end, where it is served, a page is shorter than its limit.
  onlyRequest(tokenAccounts({ owner, limit: 3, page: 5_000 }), feature),
  ...[10, 50].map((limit) => onlyRequest(tokenAccounts({ owner, limit }), feature)),
  onlyRequest(tokenAccounts({ mint, limit: 50 }), feature),
  check("TA-LIM-03", tokenAccounts({ owner }), undefined, { feature }),
  check(["TA-RES-01", "TA-TOT-01", "TA-SLOT-01", "TA-ARR-01"], first, undefined, { feature }),
  check(["TA-TOT-01"], tokenAccounts({ owner, limit: 3, page: 2 }), undefined, { feature }),
  check("TA-CUR-01", first, undefined, { feature }),
  check(["TA-ELT-01", "TA-ELT-02", "TA-ELT-03", "TA-ELT-04", "TA-ELT-05", "TA-ELT-06"], first, undefined, { feature }),
  check("EXT-SOL-01", first, undefined, { feature }),
  check(["TA-ELT-02", "TA-ARR-01"], tokenAccounts({ mint, limit: 20 }), undefined, { feature }),
  scenario("TA-CUR-02", { feature, requests: [first] }, twice(cursorsThere, null)),
  scenario("TA-PAGE-01", { feature, requests: [first] }, twice(pagesAgainst, "page")),
  scenario("TA-PAGE-02", { feature, requests: [first] }, twice(cursorsWalk, "cursor")),
  scenario("TA-PAGE-03", { feature, requests: [first] }, twice(afterPageOne, "after")),
  scenario("TA-PAGE-04", { feature, requests: [first] }, twice(beforePageTwoEnds, "before")),
  scenario("TA-PAGE-05", { feature, requests: [first] }, twice(sameSet, null)),
  scenario("TA-ZERO-01", { feature, requests: [firstOf(true), firstOf(undefined)] }, includesEmpty),
  scenario("TA-ZERO-02", { feature, requests: [firstOf(true), firstOf(false), firstOf(undefined)] }, leavesEmptyOut),
];
