// Every lie and every benign variation that the reference knows.
import * as bundles from "./bundles/sendBundle.mutants.ts";
import * as bundleStatuses from "./bundles/statuses.mutants.ts";
import * as calendar from "./calendar.mutants.ts";
import * as keys from "./keys.mutants.ts";
import * as ledger from "./ledger.mutants.ts";
import * as metering from "./metering.mutants.ts";
import type { Control, Mutant } from "./mutant.ts";
import * as platform from "./platform.mutants.ts";
import * as usage from "./rest/usage.mutants.ts";
import * as wallets from "./rest/wallet.mutants.ts";
import * as balance from "./rpc/getCompressedBalance.mutants.ts";
import * as health from "./rpc/getIndexerHealth.mutants.ts";
import * as proofs from "./rpc/getMultipleNewAddressProofs.mutants.ts";
import * as tokens from "./rpc/getTokenAccounts.mutants.ts";
import * as refusals from "./rpc/refusals.mutants.ts";
import * as envelopes from "./rpc/serve.mutants.ts";
import * as rules from "./rules.mutants.ts";

export const mutants: readonly Mutant[] = [
  ...usage.mutants,
  ...calendar.mutants,
  ...ledger.mutants,
  ...metering.mutants,
  ...keys.mutants,
  ...rules.mutants,
  ...platform.mutants,
  ...envelopes.mutants,
  ...refusals.mutants,
  ...tokens.mutants,
  ...proofs.mutants,
  ...balance.mutants,
  ...health.mutants,
  ...bundles.mutants,
  ...bundleStatuses.mutants,
  ...wallets.mutants,
];
export const controls: readonly Control[] = [...calendar.controls, ...ledger.controls, ...rules.controls, ...tokens.controls, ...wallets.controls];
