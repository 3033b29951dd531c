// Checks of pages of token accounts: by page, by cursor, after and before a cursor (§2.3, §4.3)
import { broken, onlyWarning } from "../../harness/core/finding.ts";
import { notSeen } from "../../harness/core/outcomes.ts";
import type { Check, CheckContext } from "../../harness/model/check.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import type { Repeat } from "../shared/foundAgain.ts";
import { owner } from "../shared/jsonRpcRequests.ts";
import { notTested } from "../shared/masked.ts";
import {
  about,
  accountsHeldBy,
  everyTime,
  faultsOf,
  lookOf,
  lostBy,
  nonEmptyPages,
  routesOver,
  walksOver,
} from "./comparedWalks.ts";
import { ofAccounts } from "./listedAccounts.ts";
import {
  ask,
  cursorOf,
  hasNoCursor,
  isCursor,
  missing,
  type Page,
  type PageMember,
  pageRequest,
  repeated,
  type Walk,
  type WalkRoute,
  walk,
} from "./walks.ts";

/** A breach between two reads may be a change of the chain: several looks must show it. */
const inEachLook = (id: RequirementId, own: PageMember | null, see: Parameters<typeof everyTime>[0]): Check =>
  ofAccounts.scenario(id, [pageRequest({ owner }, {})], everyTime(see, own));

const noSecondPage = "samples.owner has no second page";
const tooFew = "samples.owner has too few accounts";
const noCursor = (page: number) =>
  notTested(`page ${page} has no text as cursor, though accounts follow by page number`);

/** No account on two pages, none left out: each walk is compared with all others. */
const coversOnce =
  (by: WalkRoute["by"]) =>
  async (context: CheckContext, again: number): Promise<Repeat> => {
    const walks = await walksOver(context, again);
    const own = walks.filter((one) => one.by === by && one.pages.length >= 2);
    const breaches = own.flatMap((one) => faultsOf(one, lostBy(one, walks)));
    if (breaches.length === 0 && !own.some((one) => nonEmptyPages(one).length >= 2))
      throw by === "cursor" && walks.some((one) => nonEmptyPages(one).length >= 2)
        ? noCursor(1)
        : notSeen(noSecondPage);
    return lookOf(walks, breaches, accountsHeldBy(own, walks));
  };

/** @throws Withheld where it has no second page */
function walkByPage(walks: readonly Walk[]): Walk {
  const [byPage] = walks.filter(({ by, pages }) => by === "page" && pages.length >= 2);
  if (!byPage) throw notSeen(noSecondPage);
  return byPage;
}

const byCursorIn = (walks: readonly Walk[]): readonly Walk[] => walks.filter(({ by }) => by === "cursor");

async function sameSet(context: CheckContext, again: number): Promise<Repeat> {
  const walks = await walksOver(context, again);
  const byPage = walkByPage(walks);
  if (walks.some(({ addresses }) => repeated(addresses).length > 0)) throw notTested("a walk repeats accounts");
  if (nonEmptyPages(byPage).length >= 2 && byCursorIn(walks).every(hasNoCursor)) throw noCursor(1);
  const odd = byCursorIn(walks).flatMap((one) => [...lostBy(byPage, [one]), ...lostBy(one, [byPage])]);
  const expected = "the same set by page and by cursor";
  return lookOf(
    walks,
    about(byPage.last, expected, odd, (address) => `${address} in one of them only`),
    accountsHeldBy([byPage], walks),
  );
}

/**
 * A cursor where more follows, as pages by number show. It is entailed where no page that is followed has one
 * (amendment 12): the first has none.
 */
async function cursorsThere(context: CheckContext, again: number): Promise<Repeat> {
  const walks = await walksOver(context, again);
  const byPage = walkByPage(walks);
  const beside = byCursorIn(walks).filter(({ limit }) => limit === byPage.limit);
  const breaches = beside.flatMap(({ pages, addresses, last }) => {
    const next = byPage.pages[pages.length]?.addresses ?? [];
    const isBare = !last.cursor && next.length > 0 && missing(next, addresses).length === next.length;
    const finding = broken("/result/cursor", "a cursor: more results follow", last.cursor);
    const shown = { exchange: last.exchange, finding: pages.length === 1 ? finding : onlyWarning(finding) };
    return isBare ? [[`page ${pages.length}`, shown] as const] : [];
  });
  return lookOf(walks, breaches, accountsHeldBy(byCursorIn(walks), walks));
}

/**
 * What `after` the cursor of page 1 returns: none of page 1, and page 2.
 * A cursor may name the last account of a page or the first of the next: the page may begin one later.
 */
async function afterPageOne(context: CheckContext, again: number): Promise<Repeat> {
  const { route, walks, ways, one, two, three } = await firstPages(context, again, 1);
  const page = await ask(context, pageRequest(route, { after: cursorOf(one) }), "after");
  const { addresses } = page;
  const old = addresses.filter((address) => one.addresses.includes(address));
  const isNext = ways.some(([, second, third]) => isPageBehind(addresses, second.addresses, third.addresses));
  const odd = [...missing(addresses, [...two.addresses, ...three.addresses]), ...missing(two.addresses, addresses)];
  const breaches = [
    ...about(page, "results after the cursor of page 1", old, (address) => `${address} of page 1`),
    ...(isNext ? [] : about(page, "page 2", odd, () => addresses)),
  ];
  return lookOf(walks, breaches);
}

/** In any order, which is unspecified: page 2, or all of it but its first and one more of page 3. */
const isPageBehind = (addresses: readonly string[], two: readonly string[], three: readonly string[]): boolean =>
  addresses.length > 0 && missing(addresses, [...two, ...three]).length === 0 && missing(two, addresses).length <= 1;

/**
 * What `before` the cursor of page 2 returns: accounts of pages 1 and 2 only, in any order.
 * Where a cursor names an account, that account isn't before it; where it is a place between two, all may be.
 */
async function beforePageTwoEnds(context: CheckContext, again: number): Promise<Repeat> {
  const { route, walks, ways, one, two } = await firstPages(context, again, 2);
  const request = pageRequest({ ...route, limit: 2 * route.limit }, { before: cursorOf(two) });
  const page = await ask(context, request, "before");
  const { addresses } = page;
  const odd = missing(
    addresses,
    ways.flatMap(([first, second]) => [...first.addresses, ...second.addresses]),
  );
  const namesAccount = context.target.isReference || two.addresses.includes(cursorOf(two));
  const isInclusive = namesAccount && missing([...one.addresses, ...two.addresses], addresses).length === 0;
  const breaches = [
    ...about(page, "results of pages 1 and 2", odd, (address) => address),
    ...about(page, "results before the cursor of page 2", addresses.length === 0 ? ["no account"] : [], () => []),
    ...about(
      page,
      "pages 1 and 2 without the account at the cursor",
      isInclusive ? ["the cursor"] : [],
      () => `all ${addresses.length}`,
    ),
  ];
  return lookOf(walks, breaches);
}

/** Accounts per page around a cursor, at most. */
const few = 5;

type Pages = readonly [Page, Page, Page];

const threeOf = ({ pages: [one, two, three] }: Walk): Pages | null =>
  two && three && three.addresses.length > 0 ? [one, two, three] : null;

/**
 * The first pages by cursor, and by page: where one of the two is wrong, the other shows the order. Where cursors end
 * early, pages by number show what follows, if both begin alike.
 * @param nth the page whose cursor is needed
 * @throws Withheld where there are too few pages, or that page has no cursor
 */
async function firstPages(context: CheckContext, again: number, nth: 1 | 2) {
  const [, { limit = few }] = await routesOver(context);
  const route = { owner, limit: Math.min(few, limit), again };
  // Out of step with what comes and goes with every other read.
  if (again > 1) await context.ask(context.fresh(pageRequest({ owner }, {})));
  const byCursor = await walk(context, { ...route, by: "cursor", pages: 3 });
  const byPage = await walk(context, { ...route, by: "page", pages: 3 });
  const ofCursor = threeOf(byCursor);
  const ofPage = threeOf(byPage);
  if (!ofPage) throw notSeen(tooFew);
  const own = byCursor.pages[nth - 1];
  const first = byCursor.pages[0];
  const isAlike = missing(first.addresses, ofPage[0].addresses).length === 0;
  if (!ofCursor && (isCursor(byCursor.last.cursor) || !isAlike)) throw notSeen(tooFew);
  if (!own || !isCursor(own.cursor)) throw noCursor(nth);
  const [, two, three] = ofCursor ?? ofPage;
  const ways = [...(ofCursor ? [ofCursor] : []), ofPage];
  return { route, walks: [byCursor, byPage], ways, one: first, two: nth === 2 ? own : two, three };
}

export const checks: readonly Check[] = [
  inEachLook("TA-CUR-02", null, cursorsThere),
  inEachLook("TA-PAGE-01", "page", coversOnce("page")),
  inEachLook("TA-PAGE-02", "cursor", coversOnce("cursor")),
  inEachLook("TA-PAGE-03", "after", afterPageOne),
  inEachLook("TA-PAGE-04", "before", beforePageTwoEnds),
  inEachLook("TA-PAGE-05", null, sameSet),
];
