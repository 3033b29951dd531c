// Is what a filter lists just those of all accounts that it names, however many there are? (§4.3 getTokenAccounts)
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

/** Fewer than any page holds. */
const most = 8;

interface By {
  readonly owner: boolean;
  readonly mint: boolean;
}

/** What a filter lists that it shouldn't breaks the filter; what it leaves out, that all is listed. */
type Amiss = "strange" | "lost";

const filtered = (requirement: RequirementId, by: By, amiss: Amiss, name: string): Check =>
  property(
    requirement,
    { accounts: holdings(most), mint: fc.nat({ max: 2 }) },
    async ({ accounts, mint: nth }, context) => {
      const whose = canonical(accounts);
      const [owner, mint] = [addressNamed(`${whose} owner`), addressNamed(`${whose} mint ${nth}`)];
      const project = await context.project();
      // Another owner holds the same mints, so that an owner's filter has something to leave out.
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
      if (!isServed(exchange)) throw new Withheld(`hidden: it drew ${outcomeOf(exchange)}`);
      const wanted = all
        .filter((one) => (!by.owner || one.owner === owner) && (!by.mint || one.mint === mint))
        .map(({ address }) => address);
      const got = addressesIn(exchange);
      const odd =
        amiss === "lost" ? wanted.find((one) => !got.includes(one)) : got.find((one) => !wanted.includes(one));
      const expected =
        amiss === "lost" ? `all ${wanted.length} accounts that were written` : "no account but those asked for";
      const finding =
        odd === undefined
          ? held
          : broken("/result/token_accounts", expected, amiss === "lost" ? `${odd} is left out` : odd);
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
  filtered("TA-FLT-02", byOwner, "strange", "ownerFilter"),
  filtered("TA-FLT-01", byMint, "strange", "mintFilter"),
  filtered("TA-FLT-03", byBoth, "strange", "bothFilters"),
  filtered("TA-FLT-04", byOwner, "lost", "ownersAll"),
  filtered("TA-FLT-04", byMint, "lost", "mintsAll"),
  filtered("TA-FLT-04", byBoth, "lost", "bothAll"),
];
