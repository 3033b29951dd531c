// Rows of tables of platforms: what one chooses where the interface leaves it any, and what its answers show
import { honestLandedBundles } from "../../reference/bundles/landed.ts";
import { honestBundles } from "../../reference/platform/bundleRules.ts";
import { changed } from "../../reference/platform/change.ts";
import { added, refusedWith, replaced, resultDoc, usageDoc } from "../../reference/platform/mutant.ts";
import { httpChoices, type RuleChange } from "../../reference/platform/rules.ts";
import { type Choice, withHeader } from "./probeSpecs.ts";

/** Some of the rules under a name. */
type Under<Rules, Name extends keyof NonNullable<Rules>> = NonNullable<NonNullable<Rules>[Name]>;
type Rpc = Under<RuleChange, "rpc">;
type Bundles = Under<Rpc, "bundles">;
type OfBundles = Under<Bundles, "choices">;
type OfMethods = Under<Rpc, "choices">;
type OfWallets = Under<RuleChange, "wallet">;

export const platform = (rules: RuleChange): Choice => ({ rules });
export const rpc = (change: Rpc): Choice => platform({ rpc: change });
export const http = (choices: Under<RuleChange, "choices">): Choice => platform({ choices });
/** All that a platform may choose in HTTP under a name. */
export const allOf = <Name extends keyof typeof httpChoices>(name: Name) => httpChoices[name];
export const metering = (change: Under<RuleChange, "metering">): Choice => platform({ metering: change });

export const envelope = (choices: Under<Rpc, "envelope">): Choice => rpc({ envelope: choices });
export const tokens = (tokenAccounts: Under<OfMethods, "tokenAccounts">): Choice => rpc({ choices: { tokenAccounts } });
export const proofs = (choices: Under<OfMethods, "proofs">): Choice => rpc({ choices: { proofs: choices } });
export const balance = (choices: Under<OfMethods, "balance">): Choice => rpc({ choices: { balance: choices } });

export const bundles = (change: Bundles): Choice => rpc({ bundles: change });
export const sends = (choices: Under<OfBundles, "sends">): Choice => bundles({ choices: { sends: choices } });
export const statuses = (choices: Under<OfBundles, "statuses">): Choice => bundles({ choices: { statuses: choices } });
export const simulation = (choices: Under<OfBundles, "simulation">): Choice =>
  bundles({ choices: { simulation: choices } });

export const wallets = (choices: Under<OfWallets, "choices">): Choice => platform({ wallet: { choices } });
export const walletRefused = (
  cause: keyof Under<OfWallets, "refusals">,
  change: { readonly status?: number; readonly message?: string },
): Choice => platform({ wallet: { refusals: { [cause]: change } } });

/** Bundles' ids by another rule, those of the target's samples too. */
export const idsBy = (change: Bundles): Choice => ({
  ...bundles(change),
  ownTarget: ({ samples, ...target }) => {
    const landed = honestLandedBundles("", changed(honestBundles, change)).map(({ id }) => id);
    return { ...target, samples: { ...samples, landedBundles: landed } };
  },
});

type Answering = NonNullable<Choice["answer"]>;

export const answers = (answer: Answering): Choice => ({ answer });
export const header = (name: string, value: string | null): Choice =>
  answers((answer) => withHeader(answer, name, value));
export const usageRefused = (...refusal: Parameters<typeof refusedWith>): Choice => refusedWith(...refusal);
/** Usage documents, changed whole, at a place that they have, or by a further member. */
export const usage = (...change: Parameters<typeof usageDoc>): Choice => answers(usageDoc(...change));
export const usageAt = (...change: Parameters<typeof replaced>): Choice => answers(replaced(...change));
export const usageWith = (...member: Parameters<typeof added>): Choice => answers(added(...member));

/** What is served is JSON, and stays so. */
const results = (calls: Parameters<typeof resultDoc>[0], change: (served: never, params: never) => object): Choice =>
  answers(resultDoc(calls, (served, { params }) => change(served as never, params as never) as typeof served));

/** One bundle's status, as documented. */
export interface ShownStatus {
  readonly bundle_id: string;
  readonly transactions: readonly string[];
  readonly slot: number;
  readonly confirmation_status: string;
  readonly err: object;
}
interface ShownStatuses {
  readonly context: { readonly slot: number };
  readonly value: readonly (ShownStatus | null)[];
}
export const statusesShown = (change: (served: ShownStatuses) => object): Choice =>
  results("getBundleStatuses", change);

interface ShownAccounts {
  readonly token_accounts: readonly object[];
}
export const accountsShown = (change: (served: ShownAccounts, params: { readonly page?: number }) => object): Choice =>
  results("getTokenAccounts", change);
