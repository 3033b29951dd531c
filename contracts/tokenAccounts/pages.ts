// Checks of pages of token accounts: by page, by cursor, after and before a cursor (§2.3, §4.3)
import { broken, type Finding, held, must } from "../../harness/core/finding.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import { type Check, type CheckContext, type Shown } from "../../harness/model/check.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { forFeature } from "../shared/forFeature.ts";
import { foundTwice } from "../shared/foundTwice.ts";
import { owner } from "../shared/jsonRpcRequests.ts";
import { masked } from "../shared/masked.ts";
import {
  ask,
  lacking,
  type Member,
  type Page,
  pageRequest,
  RefusedMember,
  type Route,
  repeated,
  type Walk,
  walk,
} from "./walks.ts";

const judged = (isRight: boolean, expected: string, got: unknown): Finding =>
  must(isRight, "/result/token_accounts", expected, got);

const { scenario } = forFeature("tokenAccounts");

/**
 * A breach between two reads may be a change of the chain: what isn't found a second time is inconclusive.
 * @param own the parameter that it is about
 * @param see gives what was seen; `again` distinguishes the two attempts
 */
const twice = (
  id: RequirementId,
  own: Member | null,
  see: (context: CheckContext, again: number) => Promise<Shown>,
): Check =>
  scenario(id, { requests: [pageRequest({ owner }, {})] }, async (context) => {
    const attempt = (again: number): Promise<Shown> =>
      see(context, again).catch((error: unknown) => refusedMember(error, own));
    return [await foundTwice(attempt, "accounts changed between two reads")];
  });

/** A documented parameter that is refused breaks its own requirement and masks the others. */
function refusedMember(error: unknown, own: Member | null): Shown {
  if (!(error instanceof RefusedMember)) throw error;
  const { member, exchange } = error;
  if (member !== own) throw masked(`${member} is refused (-32602)`);
  return { exchange, finding: broken("/error/code", `${member} accepted: a page without it is served`, -32602) };
}

const oneRoute = (by: Route["by"], again: number): Route => ({ by, owner, again });
const noSecondPage = "samples.owner has no second page";

/** No account on two pages, none left out: the walk is compared with the walk by the other parameter. */
const coversOnce =
  (by: Route["by"], expected: { readonly once: string; readonly all: string }) =>
  async (context: CheckContext, again: number): Promise<Shown> => {
    const walked = await walk(context, oneRoute(by, again));
    if (by === "cursor" && !hasSecondPage(walked)) throw new Withheld(noSecondPage);
    const twin = await walk(context, oneRoute(by === "page" ? "cursor" : "page", again));
    if (walked.pages.length < 2) throw new Withheld(noSecondPage);
    const double = repeated(walked.addresses);
    const { exchange } = walked.last;
    if (double !== undefined) return { exchange, finding: judged(false, expected.once, `${double} twice`) };
    const isComparable = walked.isWhole && twin.isWhole && repeated(twin.addresses) === undefined;
    const missing = isComparable ? lacking(twin.addresses, walked.addresses) : undefined;
    return { exchange, finding: judged(missing === undefined, expected.all, `${missing} on no page`) };
  };

const hasSecondPage = ({ pages }: Walk): boolean => pages.length >= 2 && pages[1]?.addresses.length !== 0;

async function sameSet(context: CheckContext, again: number): Promise<Shown> {
  const byPage = await walk(context, oneRoute("page", again));
  const byCursor = await walk(context, oneRoute("cursor", again));
  if (!byPage.isWhole || !byCursor.isWhole) throw new Withheld("samples.owner has more pages than are read");
  if (byPage.pages.length < 2) throw new Withheld(noSecondPage);
  const odd = lacking(byPage.addresses, byCursor.addresses) ?? lacking(byCursor.addresses, byPage.addresses);
  const finding = judged(odd === undefined, "the same set by page and by cursor", `${odd} in one of them only`);
  return { exchange: byCursor.last.exchange, finding };
}

/** A cursor where more follows: on every full page but the last. */
async function cursorsThere(context: CheckContext, again: number): Promise<Shown> {
  const { pages, last } = await walk(context, oneRoute("page", again));
  if (pages.length < 2) throw new Withheld(noSecondPage);
  const bare = pages
    .slice(0, -1)
    .find(({ cursor }, nth) => cursor === undefined && (pages[nth + 1]?.addresses.length ?? 0) > 0);
  return bare
    ? { exchange: bare.exchange, finding: broken("/result/cursor", "a cursor: more results follow", undefined) }
    : { exchange: last.exchange, finding: held };
}

/**
 * What `after` the cursor of page 1 returns: none of page 1, and page 2.
 * A cursor may name the last account of a page or the first of the next: the page may begin one later.
 */
async function afterPageOne(context: CheckContext, again: number): Promise<Shown> {
  const route = { owner, limit: few, again };
  const ways = await firstPages(context, route);
  const [one] = ways[0];
  const { exchange, addresses } = await ask(context, pageRequest(route, { after: cursorOf(one) }), "after");
  const old = addresses.find((address) => one.addresses.includes(address));
  if (old !== undefined)
    return { exchange, finding: judged(false, "results after the cursor of page 1", `${old} of page 1`) };
  const isNext = ways.some(([, two, three]) => isPageBehind(addresses, two.addresses, three.addresses));
  return { exchange, finding: judged(isNext, "page 2", addresses) };
}

/** In any order, which is unspecified: page 2, or all of it but its first and one more of page 3. */
const isPageBehind = (addresses: readonly string[], two: readonly string[], three: readonly string[]): boolean =>
  addresses.length > 0 &&
  lacking(addresses, [...two, ...three]) === undefined &&
  two.filter((address) => !addresses.includes(address)).length <= 1;

/**
 * What `before` the cursor of page 2 returns: accounts of pages 1 and 2 only, in any order.
 * Where a cursor names an account, that account isn't before it; where it is a place between two, all may be.
 */
async function beforePageTwoEnds(context: CheckContext, again: number): Promise<Shown> {
  const route = { owner, limit: few, again };
  const ways = await firstPages(context, route);
  const [one, two] = ways[0];
  const request = pageRequest({ ...route, limit: 2 * few }, { before: cursorOf(two) });
  const { exchange, addresses } = await ask(context, request, "before");
  const allowed = ways.flatMap(([first, second]) => [...first.addresses, ...second.addresses]);
  const odd = lacking(addresses, allowed);
  if (odd !== undefined) return { exchange, finding: judged(false, "results of pages 1 and 2", odd) };
  if (addresses.length === 0) return { exchange, finding: judged(false, "results before the cursor of page 2", []) };
  const namesAccount = context.target.isReference || two.addresses.includes(cursorOf(two));
  const isInclusive = namesAccount && lacking([...one.addresses, ...two.addresses], addresses) === undefined;
  const expected = "pages 1 and 2 without the account at the cursor";
  return { exchange, finding: judged(!isInclusive, expected, `all ${addresses.length}`) };
}

/** Accounts per page around a cursor. */
const few = 5;

type Pages = readonly [Page, Page, Page];

/** The first pages by cursor, and by page: where one of the two is wrong, the other shows the order. */
async function firstPages(context: CheckContext, route: Omit<Route, "by">): Promise<readonly [Pages, Pages]> {
  const read = async (by: Route["by"]): Promise<Pages> => {
    const { pages } = await walk(context, { ...route, by, pages: 3 });
    const [one, two, three] = pages;
    if (!two || !three || three.addresses.length === 0) throw new Withheld("samples.owner has too few accounts");
    return [one, two, three];
  };
  return [await read("cursor"), await read("page")];
}

function cursorOf({ cursor }: Page): string {
  if (typeof cursor !== "string") throw masked("a page that others follow has no cursor");
  return cursor;
}

export const checks: readonly Check[] = [
  twice("TA-CUR-02", null, cursorsThere),
  twice("TA-PAGE-01", "page", coversOnce("page", { once: "pages that are disjoint", all: "pages that cover the set" })),
  twice("TA-PAGE-02", "cursor", coversOnce("cursor", { once: "every account once", all: "every account once" })),
  twice("TA-PAGE-03", "after", afterPageOne),
  twice("TA-PAGE-04", "before", beforePageTwoEnds),
  twice("TA-PAGE-05", null, sameSet),
];
