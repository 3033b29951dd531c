// Checks of token accounts written through control: completeness, exact amounts, indexed slot (§2.3, §4.3)
import { createHash } from "node:crypto";
import { broken, held, must } from "../../harness/core/finding.ts";
import { exactAt, valueAt } from "../../harness/core/json.ts";
import { notSeen, notSettled } from "../../harness/core/outcomes.ts";
import { type Check, type Shown } from "../../harness/model/check.ts";
import { base58Text } from "../shared/base58.ts";
import { controlOf, type WrittenAccount } from "../shared/control.ts";
import { forFeature } from "../shared/forFeature.ts";
import { resultOf } from "../shared/jsonRpcOracles.ts";
import { tokenAccounts } from "../shared/jsonRpcRequests.ts";
import { maskedBy, notTested, onlyServed } from "../shared/masked.ts";
import { accountsIn, addressesIn, ask, missing, walkToEnd } from "./walks.ts";

const { scenario } = forFeature("tokenAccounts");

const needs = (reads: number, of: "accounts" | "index" = "accounts") => ({
  requests: [],
  control: { reads, of: controlOf[of] },
});

/** Addresses that nobody uses: digests, different in each scenario. */
const key = (name: string): string => base58Text(createHash("sha256").update(`written ${name}`).digest());

/** Ordinary, delegated, frozen, and both; amounts on both sides of 2^53 and at the end of 64 bits. */
function accountsOf(scene: string): readonly WrittenAccount[] {
  const amounts = ["1", "1500000", "9007199254740991", "9007199254740993", "18446744073709551615", "42"];
  const delegated = { delegate: key(`${scene} delegate`), delegatedAmount: "1" };
  return amounts.flatMap((amount, nth) =>
    [{}, delegated, { frozen: true }, { frozen: true, ...delegated }].map((state, form) => ({
      address: key(`${scene} account ${nth} ${form}`),
      mint: key(`${scene} mint ${nth % 2}`),
      owner: key(`${scene} owner`),
      amount,
      ...state,
    })),
  );
}

const everything = scenario("TA-FLT-04", needs(3), async (context) => {
  const project = await context.project();
  const written = accountsOf("everything");
  const slot = await project.writeTokenAccounts(written);
  const walked = await walkToEnd(context, { owner: key("everything owner"), limit: 10, as: project.asker });
  const wanted = written.map(({ address }) => address);
  const got = walked.addresses;
  const { exchange } = walked.last;
  // An answer is complete up to the slot that it names.
  if (walked.pages.some((page) => Number(resultOf(page.exchange, "/last_indexed_slot")) < slot))
    throw notSettled("the index hadn't reached the written accounts");
  const [lost] = missing(wanted, got);
  const [expected, odd] =
    lost === undefined
      ? ["only what was written for this owner", missing(got, wanted)[0]]
      : [`all ${wanted.length} accounts that were written`, `${lost} is left out`];
  return [{ exchange, finding: must(odd === undefined, "/result/token_accounts", expected, odd) }];
});

const exactly = scenario("EXT-JSON-02", needs(1), async (context) => {
  const project = await context.project();
  const written = accountsOf("exact");
  await project.writeTokenAccounts(written);
  const exchange = await context.ask(
    tokenAccounts({ owner: key("exact owner"), limit: 50 }, { as: project.asker, id: 43 }),
  );
  const { json } = onlyServed(exchange).answer ?? {};
  if (!json) throw maskedBy(exchange);
  for (const { address, amount } of written) {
    const index = accountsIn(exchange).findIndex((account) => valueAt(account, "/address") === address);
    const at = `/result/token_accounts/${index}/amount`;
    const got = exactAt(json, at);
    if (got && got.toFixed() !== amount) return [{ exchange, finding: broken(at, `${amount}, digit by digit`, got) }];
  }
  return [{ exchange, finding: held }];
});

/** The index lags behind the account's slot, reaches it, twice in case a slot ends meanwhile, then is beyond it. */
const lagging = scenario("TA-SLOT-02", needs(5, "index"), async (context) => {
  const project = await context.project();
  const [account] = accountsOf("slot");
  if (!account) throw notSeen("no account to write");
  const shown: Shown[] = [];
  let slot = 0;
  for (const [nth, behindBy] of [1_000, 0, 0, 0].entries()) {
    await project.setIndexer(behindBy);
    if (nth < 3) slot = await project.writeTokenAccounts([account]);
    const request = tokenAccounts({ owner: account.owner, limit: 5 }, { as: project.asker, id: 40 + nth });
    const { exchange, addresses } = await ask(context, request);
    const indexed = resultOf(exchange, "/last_indexed_slot");
    if (typeof indexed !== "number") throw notTested("last_indexed_slot is not a number");
    const isRight = indexed < slot || addresses.includes(account.address);
    const expected = `a slot below ${slot}, as its account isn't listed`;
    shown.push({ exchange, finding: must(isRight, "/result/last_indexed_slot", expected, indexed) });
  }
  const isListed = shown.some(({ exchange }) => addressesIn(exchange).includes(account.address));
  if (!isListed && shown.at(-1)?.finding.outcome === "held")
    throw notSeen("the account was never listed, and no last_indexed_slot reached it");
  return shown;
});

export const checks: readonly Check[] = [everything, exactly, lagging];
