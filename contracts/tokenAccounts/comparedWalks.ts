// Comparison of walks: which accounts one of them loses, as far as they show it (§2.3, amendment 15)
import { broken, type Held, held, heldInPart } from "../../harness/core/finding.ts";
import type { Check, CheckContext, Shown } from "../../harness/model/check.ts";
import { foundAgain, type Repeat } from "../shared/foundAgain.ts";
import { inTurn } from "../shared/inTurn.ts";
import { owner } from "../shared/jsonRpcRequests.ts";
import {
  hasNoCursor,
  leastDepth,
  missing,
  type Page,
  type PageMember,
  RefusedMember,
  repeated,
  type Walk,
  type WalkRoute,
  walk,
} from "./walks.ts";

/** A second walk by cursor over a long list reads so many pages, which end elsewhere. */
const pagesBeside = 4;

/** By cursor with the largest pages, then by both parameters with pages that end elsewhere: three, or smaller ones. */
export async function routesOver(context: CheckContext): Promise<readonly [WalkRoute, WalkRoute, WalkRoute]> {
  const wide = await walk(context, { by: "cursor", owner });
  const size = wide.pages[0].addresses.length;
  const known = new Set(wide.addresses).size;
  const isLong = !wide.isWhole || known > 2 * size;
  const limit = Math.max(1, Math.ceil(isLong ? 0.7 * size : (known - 1) / 3));
  return [
    { by: "cursor", owner, limit: wide.limit },
    { by: "page", owner, limit, known },
    { by: "cursor", owner, limit, ...(isLong ? { pages: pagesBeside } : {}) },
  ];
}

/** The walks over samples.owner, which all checks share; each look begins with another, as accounts come and go. */
export async function walksOver(context: CheckContext, again: number): Promise<readonly Walk[]> {
  const routes = await routesOver(context);
  const inOrder = [...routes.slice(again), ...routes.slice(0, again)];
  return inTurn(inOrder, (route) => walk(context, { ...route, again }));
}

export const nonEmptyPages = ({ pages }: Walk): readonly Page[] =>
  pages.filter(({ addresses }) => addresses.length > 0);

/** The same breach for each account, under its address. */
export const about = (
  { exchange }: Page,
  expected: string,
  addresses: readonly string[],
  got: (address: string) => unknown,
): readonly (readonly [string, Shown])[] =>
  addresses.map((address) => [
    address,
    { exchange, finding: broken("/result/token_accounts", expected, got(address)) },
  ]);

/** @param lost accounts that it should have listed */
export const faultsOf = ({ last, addresses }: Walk, lost: readonly string[]): ReturnType<typeof about> => [
  ...about(last, "each account on one page", repeated(addresses), (address) => `${address} twice`),
  ...about(last, "each account on one page", lost, (address) => `${address} on none`),
];

const known = (walks: readonly Walk[]): readonly string[] => [...new Set(walks.flatMap(({ addresses }) => addresses))];

/** Whether a walk ended, and not just because page numbers are served no further, or a cursor is lacking. */
export function isToItsEnd(walk: Walk, others: readonly Walk[]): boolean {
  const { by, pages, addresses, isWhole } = walk;
  const lost = missing(known(others), addresses).length;
  if (lost > 0 && hasNoCursor(walk)) return false;
  const isRound = lost >= pages[0].addresses.length || addresses.length % leastDepth === 0;
  return isWhole && (by === "cursor" || lost === 0 || addresses.length < leastDepth || !isRound);
}

/** Accounts that others list and a walk doesn't: all where it ended, else those of pages behind pages that agree. */
export const lostBy = (walk: Walk, others: readonly Walk[]): readonly string[] =>
  isToItsEnd(walk, others)
    ? missing(known(others), walk.addresses)
    : (others.map((other) => lostBeside(walk, other)).find(({ length }) => length > 0) ?? []);

/** What the other walk lists on a page, and this one not even a page later, where both begin alike. */
function lostBeside(walk: Walk, other: Walk): readonly string[] {
  const size = Math.max(1, walk.pages[0].addresses.length);
  let count = 0;
  for (const [nth, { addresses }] of nonEmptyPages(other).entries()) {
    count += addresses.length;
    const until = nth === 0 ? Math.ceil(count / size) * size : count + size;
    if (until > walk.addresses.length) return [];
    const lost = missing(addresses, walk.addresses.slice(0, until));
    if (lost.length > 0) return nth === 0 ? [] : lost;
  }
  return [];
}

/** Held as far as the longest of these walks came. */
export function accountsHeldBy(walks: readonly Walk[], others: readonly Walk[]): Held {
  if (walks.some((one) => isToItsEnd(one, others))) return held;
  const most = Math.max(...walks.map(({ addresses }) => addresses.length));
  return heldInPart(`accounts beyond the first ${most.toLocaleString("en")}`);
}

/** @param breaches each under the account that it is about */
export function lookOf(walks: readonly Walk[], breaches: ReturnType<typeof about>, finding: Held = held): Repeat {
  const [first] = walks;
  if (!first) throw new Error("no walk to look at");
  const listed = ({ by, limit, addresses }: Walk): string => `${by} ${limit} ${[...new Set(addresses)].sort().join()}`;
  const list = breaches.length === 0 ? "" : walks.map(listed).sort().join("\n");
  return { exchange: first.last.exchange, finding, breaches, list };
}

/**
 * What several looks show alike. A documented parameter that is refused breaks its own requirement and masks others.
 * @param own the parameter that it is about
 */
export const everyTime =
  (see: (context: CheckContext, again: number) => Promise<Repeat>, own: PageMember | null = null): Check["run"] =>
  async (context) => {
    const look = (again: number): Promise<Repeat> =>
      see(context, again).catch((error: unknown) => {
        if (!(error instanceof RefusedMember) || error.member !== own) throw error;
        const expected = `${own} accepted: a page without it is served`;
        return { exchange: error.exchange, finding: broken("/error/code", expected, -32602) };
      });
    return [await foundAgain(look, "accounts changed between two reads")];
  };
