// A walk through all pages finds the same accounts, each once, at any page size (§2.3, §4.3)
import fc from "fast-check";
import { controlOf } from "../contracts/shared/control.ts";
import { foundAgain, type Repeat } from "../contracts/shared/foundAgain.ts";
import { inTurn } from "../contracts/shared/inTurn.ts";
import { owner } from "../contracts/shared/jsonRpcRequests.ts";
import { about, faultsOf, lookOf, lostBy } from "../contracts/tokenAccounts/comparedWalks.ts";
import { needsAccounts } from "../contracts/tokenAccounts/listedAccounts.ts";
import { hasNoCursor, missing, pageRequest, type WalkRoute, walk } from "../contracts/tokenAccounts/walks.ts";
import { held } from "../harness/core/finding.ts";
import { canonical } from "../harness/core/json.ts";
import { notSeen, notSettled } from "../harness/core/outcomes.ts";
import type { Check, CheckContext } from "../harness/model/check.ts";
import type { RequirementId } from "../specs/generated/requirements.ts";
import { addressNamed, holdings, writtenFor } from "./arbitraries/holdings.ts";
import { property } from "./property.ts";

const feature = "tokenAccounts";
/** Accounts per case, and thus pages of its walk at most. */
const most = 12;

/** Each case writes its own accounts. */
const ofWritten = (requirement: RequirementId, by: WalkRoute["by"], name: string): Check =>
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
      const walked = await walk(context, route);
      const lost = missing(addresses, walked.addresses);
      if (!walked.isWhole || (hasNoCursor(walked) && lost.length > 0)) throw notSettled("the walk was cut short");
      const { exchange } = walked.last;
      const foreign = about(
        walked.last,
        "only accounts that were written",
        missing(walked.addresses, addresses),
        String,
      );
      const [fault] = [...faultsOf(walked, lost), ...foreign];
      return fault?.[1] ?? { exchange, finding: held };
    },
    { name, feature, control: { reads: 0, of: controlOf.accounts }, cases: { some: 5, few: 0 } },
  );

/** Without control two page sizes are compared, in 130 parts of the list: three to five pages each. */
const sizes = fc.integer({ min: 30, max: 60 });
const parts = 130;

async function compared(context: CheckContext, sizes: readonly number[], again: number): Promise<Repeat> {
  const widest = await walk(context, { by: "cursor", owner });
  const known = widest.addresses.length;
  const most = Math.max(1, widest.pages[0].addresses.length);
  const walks = await inTurn(sizes, (size) =>
    walk(context, { by: "cursor", owner, limit: Math.min(most, Math.ceil((known * size) / parts)), again }),
  );
  if (!walks.every(({ isWhole }) => isWhole)) throw notSeen("samples.owner has more pages than a walk reads");
  const faults = walks.flatMap((one) => faultsOf(one, lostBy(one, walks)));
  return lookOf(walks, faults);
}

const ofSample = property(
  "TA-PAGE-02",
  { one: sizes, other: sizes },
  ({ one, other }, context) =>
    foundAgain((again) => compared(context, [one, other], again), "accounts changed between two walks"),
  {
    name: "anyPageSize",
    feature,
    each: Array.from({ length: 14 }, () => pageRequest({ owner }, {})),
    cases: { many: 40, some: 3, few: 1 },
    ...needsAccounts,
  },
);

export const properties: readonly Check[] = [
  ofWritten("TA-PAGE-02", "cursor", "cursorsOfAnySize"),
  ofWritten("TA-PAGE-01", "page", "pagesOfAnySize"),
  ofSample,
];
