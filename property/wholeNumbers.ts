// Whole numbers are exact, also beyond 2^53: written by control, read back (§2.2; EXT-JSON-02)

import { controlOf } from "../contracts/shared/control.ts";
import { tokenAccounts } from "../contracts/shared/jsonRpcRequests.ts";
import { notTested } from "../contracts/shared/masked.ts";
import { broken, held } from "../harness/core/finding.ts";
import { exactAt, valueAt } from "../harness/core/json.ts";
import type { Check, CheckContext, Shown } from "../harness/model/check.ts";
import { amounts } from "./arbitraries/amounts.ts";
import { addressNamed } from "./arbitraries/holdings.ts";
import { listAt, property } from "./property.ts";

/** @throws Withheld where the page isn't served or an account is missing, which other requirements judge */
async function areExact(generated: readonly string[], context: CheckContext): Promise<Shown> {
  const project = await context.project();
  const owner = addressNamed(`owner of ${generated.join(" ")}`);
  const mint = addressNamed("mint");
  const written = generated.map((amount, nth) => ({ address: addressNamed(`${owner} ${nth}`), mint, owner, amount }));
  await project.writeTokenAccounts(written);
  const exchange = await context.ask(tokenAccounts({ owner, limit: 10 }, { as: project.asker }));
  const listed = listAt(exchange, "/token_accounts");
  for (const { address: wanted, amount } of written) {
    const nth = listed.findIndex((account) => valueAt(account, "/address") === wanted);
    const at = `/result/token_accounts/${nth}/amount`;
    const got = exchange.answer?.json && exactAt(exchange.answer.json, at);
    if (!got) throw notTested("an account is missing, or its amount isn't a number");
    if (got.toFixed() !== amount) return { exchange, finding: broken(at, `${amount} exactly`, got) };
  }
  return { exchange, finding: held };
}

export const properties: readonly Check[] = [
  property("EXT-JSON-02", { amounts }, ({ amounts: generated }, context) => areExact(generated, context), {
    name: "amountsToldExactly",
    feature: "tokenAccounts",
    control: { reads: 1, of: controlOf.accounts },
    cases: { some: 4, few: 0 },
  }),
];
