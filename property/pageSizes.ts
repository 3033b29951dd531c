// A walk through all pages finds the same accounts, each once, at any page size (§2.3, §4.3)
import fc from "fast-check";
import { foundTwice } from "../contracts/shared/foundTwice.ts";
import { owner } from "../contracts/shared/jsonRpcRequests.ts";
import { pageRequest, type Route, type Walk, walk } from "../contracts/tokenAccounts/walks.ts";
import { broken, must } from "../harness/core/finding.ts";
import { canonical } from "../harness/core/json.ts";
import { Withheld } from "../harness/core/outcomes.ts";
import type { Check, CheckContext, Shown } from "../harness/model/check.ts";
import type { RequirementId } from "../specs/generated/requirements.ts";
import { addressNamed, holdings, writtenFor } from "./arbitraries/holdings.ts";
import { property } from "./property.ts";

const feature = "tokenAccounts";
/** Accounts per case, and thus pages of its walk at most. */
const most = 12;

/** The first item that one list has more often than the other. */
const surplus = (some: readonly string[], others: readonly string[]): string | undefined => {
  const left = [...others];
  return some.find((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
};

function sameAs(wanted: readonly string[], { last: { exchange }, addresses, isWhole }: Walk): Shown {
  if (!isWhole) throw new Withheld("the walk was cut short");
  const [missing, repeated] = [surplus(wanted, addresses), surplus(addresses, wanted)];
  const at = "/result/token_accounts";
  if (missing !== undefined)
    return { exchange, finding: broken(at, `all ${wanted.length} accounts, each on one page`, `${missing} on none`) };
  return { exchange, finding: must(repeated === undefined, at, "each account on one page", `${repeated} once more`) };
}

/** Each case writes its own accounts. */
const ofWritten = (requirement: RequirementId, by: Route["by"], name: string): Check =>
  property(
    requirement,
    { accounts: holdings(most), limit: fc.integer({ min: 1, max: most + 1 }) },
    async ({ accounts, limit }, context) => {
      const whose = canonical(accounts);
      const written = writtenFor(whose, accounts);
      const project = await context.project();
      await project.writeTokenAccounts(written);
      const route = { by, owner: addressNamed(`${whose} owner`), limit, pages: most + 2, as: project.asker };
      const addresses = written.map(({ address }) => address);
      return sameAs(addresses, await walk(context, route));
    },
    { name, feature, control: { reads: 0 }, cases: { some: 5, few: 0 } },
  );

/** Without control two page sizes are compared, twice where they differ, as the chain may have changed meanwhile. */
const sizes = fc.integer({ min: 30, max: 60 });
const pagesOfSample = 14;

async function compared(context: CheckContext, [one, other]: readonly [number, number], again: number): Promise<Shown> {
  const walked = (limit: number): Promise<Walk> => walk(context, { by: "cursor", owner, limit, again });
  const [first, second] = [await walked(one), await walked(other)];
  if (!first.isWhole) throw new Withheld("samples.owner has more pages than a walk reads");
  return sameAs(first.addresses, second);
}

const ofSample = property(
  "TA-PAGE-02",
  { one: sizes, other: sizes },
  ({ one, other }, context) =>
    foundTwice((again) => compared(context, [one, other], again), "accounts changed between two walks"),
  {
    name: "anyPageSize",
    feature,
    each: Array.from({ length: pagesOfSample }, () => pageRequest({ owner }, {})),
    cases: { many: 40, some: 3, few: 1 },
  },
);

export const properties: readonly Check[] = [
  ofWritten("TA-PAGE-02", "cursor", "cursorsOfAnySize"),
  ofWritten("TA-PAGE-01", "page", "pagesOfAnySize"),
  ofSample,
];
