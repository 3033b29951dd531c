// Filters of getTokenAccounts list exactly the accounts that they name (§4.3)
import fc from "fast-check";
import { controlOf } from "../contracts/shared/control.ts";
import { tokenAccounts } from "../contracts/shared/jsonRpcRequests.ts";
import { onlyServed } from "../contracts/shared/masked.ts";
import { addressesIn } from "../contracts/tokenAccounts/walks.ts";
import { must } from "../harness/core/finding.ts";
import { canonical } from "../harness/core/json.ts";
import type { Check } from "../harness/model/check.ts";
import type { RequirementId } from "../specs/generated/requirements.ts";
import { addressNamed, holdings, writtenFor } from "./arbitraries/holdings.ts";
import { property } from "./property.ts";

/** Fewer accounts than fit on any page. */
const most = 8;

/** An unwanted account breaks the filter, a missing one the requirement that all are listed. */
type Fault = "unwanted" | "missing";

const filtered = (requirement: RequirementId, by: readonly ("owner" | "mint")[], fault: Fault, name: string): Check =>
  property(
    requirement,
    { accounts: holdings(most), mint: fc.nat({ max: 2 }) },
    async ({ accounts, mint: nth }, context) => {
      const whose = canonical(accounts);
      const named = { owner: addressNamed(`${whose} owner`), mint: addressNamed(`${whose} mint ${nth}`) };
      const project = await context.project();
      // Another owner holds the same mints, so that a filter by owner excludes something.
      const others = writtenFor(whose, accounts).map((balance, index) => ({
        ...balance,
        address: addressNamed(`${whose} other ${index}`),
        owner: addressNamed(`${whose} other`),
      }));
      const all = [...writtenFor(whose, accounts), ...others];
      await project.writeTokenAccounts(all);
      const filter = Object.fromEntries(by.map((member) => [member, named[member]]));
      const exchange = onlyServed(await context.ask(tokenAccounts({ ...filter, limit: 50 }, { as: project.asker })));
      const wanted = all
        .filter((one) => by.every((member) => one[member] === named[member]))
        .map(({ address }) => address);
      const got = addressesIn(exchange);
      const missing = wanted.find((one) => !got.includes(one));
      const unwanted = got.find((one) => !wanted.includes(one));
      const at = "/result/token_accounts";
      const finding =
        fault === "missing"
          ? must(missing === undefined, at, `all ${wanted.length} accounts that were written`, `${missing} is missing`)
          : must(unwanted === undefined, at, "only accounts that the filter names", unwanted);
      return { exchange, finding };
    },
    { name, feature: "tokenAccounts", control: { reads: 1, of: controlOf.accounts }, cases: { some: 5, few: 0 } },
  );

export const properties: readonly Check[] = [
  // An account of another owner is found by a law on what `ownersAll` asks for (TA-FLT-02).
  filtered("TA-FLT-01", ["mint"], "unwanted", "mintFilter"),
  filtered("TA-FLT-03", ["owner", "mint"], "unwanted", "bothFilters"),
  filtered("TA-FLT-04", ["owner"], "missing", "ownersAll"),
  filtered("TA-FLT-04", ["mint"], "missing", "mintsAll"),
  filtered("TA-FLT-04", ["owner", "mint"], "missing", "bothAll"),
];
