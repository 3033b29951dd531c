// Filters of getTokenAccounts list exactly the accounts that they name (§4.3)
import fc from "fast-check";
import { tokenAccounts } from "../contracts/shared/jsonRpcRequests.ts";
import { addressesIn } from "../contracts/tokenAccounts/walks.ts";
import { broken, held } from "../harness/core/finding.ts";
import { canonical } from "../harness/core/json.ts";
import { Withheld } from "../harness/core/outcomes.ts";
import type { Check } from "../harness/model/check.ts";
import { isServed, outcomeOf } from "../harness/transport/answers.ts";
import type { RequirementId } from "../specs/generated/requirements.ts";
import { addressNamed, holdings, writtenFor } from "./arbitraries/holdings.ts";
import { property } from "./property.ts";

/** Fewer accounts than fit on any page. */
const most = 8;

interface By {
  readonly owner: boolean;
  readonly mint: boolean;
}

/** An unwanted account breaks the filter, a missing one the requirement that all are listed. */
type Fault = "unwanted" | "missing";

const filtered = (requirement: RequirementId, by: By, fault: Fault, name: string): Check =>
  property(
    requirement,
    { accounts: holdings(most), mint: fc.nat({ max: 2 }) },
    async ({ accounts, mint: nth }, context) => {
      const whose = canonical(accounts);
      const [owner, mint] = [addressNamed(`${whose} owner`), addressNamed(`${whose} mint ${nth}`)];
      const project = await context.project();
      // Another owner holds the same mints, so that a filter by owner excludes something.
      const others = writtenFor(whose, accounts).map((one, index) => ({
        ...one,
        address: addressNamed(`${whose} other ${index}`),
        owner: addressNamed(`${whose} other`),
      }));
      const all = [...writtenFor(whose, accounts), ...others];
      await project.writeTokenAccounts(all);
      const exchange = await context.ask(
        tokenAccounts(
          { ...(by.owner ? { owner } : {}), ...(by.mint ? { mint } : {}), limit: 50 },
          { as: project.asker },
        ),
      );
      if (!isServed(exchange)) throw new Withheld(`masked: the request returned ${outcomeOf(exchange)}`);
      const wanted = all
        .filter((one) => (!by.owner || one.owner === owner) && (!by.mint || one.mint === mint))
        .map(({ address }) => address);
      const got = addressesIn(exchange);
      const odd =
        fault === "missing" ? wanted.find((one) => !got.includes(one)) : got.find((one) => !wanted.includes(one));
      const expected =
        fault === "missing" ? `all ${wanted.length} accounts that were written` : "only accounts that the filter names";
      const finding =
        odd === undefined
          ? held
          : broken("/result/token_accounts", expected, fault === "missing" ? `${odd} is missing` : odd);
      return { exchange, finding };
    },
    { name, feature: "tokenAccounts", each: [], control: { reads: 1 }, cases: { some: 5, few: 0 } },
  );

const [byOwner, byMint, byBoth]: readonly [By, By, By] = [
  { owner: true, mint: false },
  { owner: false, mint: true },
  { owner: true, mint: true },
];

export const properties: readonly Check[] = [
  filtered("TA-FLT-02", byOwner, "unwanted", "ownerFilter"),
  filtered("TA-FLT-01", byMint, "unwanted", "mintFilter"),
  filtered("TA-FLT-03", byBoth, "unwanted", "bothFilters"),
  filtered("TA-FLT-04", byOwner, "missing", "ownersAll"),
  filtered("TA-FLT-04", byMint, "missing", "mintsAll"),
  filtered("TA-FLT-04", byBoth, "missing", "bothAll"),
];
