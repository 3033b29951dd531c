// Everything that judges, gathered: checks, laws, and the contrast that each surface must show.
import type { Contrast } from "../harness/contrast.ts";
import type { Suite } from "../harness/engine.ts";
import { adminErrorNames, adminErrorShape, adminErrorWords } from "./laws/adminErrors.ts";
import { bundleIds, bundleStatuses, numberedBundles } from "./laws/bundles.ts";
import { newAddressProofs, tokenAccountKeys } from "./laws/compression.ts";
import { creditArithmetic, knownLimit } from "./laws/creditArithmetic.ts";
import { cycles, freeWindows, paidWindows } from "./laws/cycles.ts";
import { envelopes } from "./laws/envelope.ts";
import { challenges, ownersDocuments, rateFields, refusalsUncached, retryAfter } from "./laws/headers.ts";
import { jsonBodies } from "./laws/json.ts";
import { rpcErrorLaws } from "./laws/rpcErrors.ts";
import { schemaLaws } from "./laws/schema.ts";
import { tokenPages } from "./laws/tokenAccounts.ts";
import { usageDocument, usageFloor, usagePlan, usageProducts, usageStatuses, walletCredits } from "./laws/usage.ts";
import { probes } from "./probes/all.ts";
import { checks as usageChecks } from "./rest/usage.ts";
import { checks as accessChecks } from "./rest/usageAccess.ts";
import { checks as agreementChecks } from "./rest/usageAgreement.ts";
import { checks as creditChecks } from "./rest/usageCredits.ts";
import { checks as cycleChecks } from "./rest/usageCycles.ts";
import { checks as failureChecks } from "./rest/usageFailures.ts";
import { checks as meteringChecks } from "./rest/usageMetering.ts";
import { checks as planChangeChecks } from "./rest/usagePlanChange.ts";
import { checks as roundingChecks } from "./rest/usageRounding.ts";
import { checks as standardChecks } from "./rest/usageStandards.ts";
import { checks as walletChecks } from "./rest/wallet.ts";
import { checks as walletMeteringChecks } from "./rest/walletMetering.ts";
import { goodWallet } from "./rest/walletRequests.ts";
import { checks as executionChecks } from "./rpc/bundleExecution.ts";
import { checks as routeChecks } from "./rpc/bundleRoutes.ts";
import { landedId, nobodysIds, statuses } from "./rpc/bundles.ts";
import { checks as envelopeChecks } from "./rpc/envelope.ts";
import { checks as statusChecks } from "./rpc/getBundleStatuses.ts";
import { checks as balanceChecks } from "./rpc/getCompressedBalance.ts";
import { checks as healthChecks } from "./rpc/getIndexerHealth.ts";
import { checks as proofChecks } from "./rpc/getMultipleNewAddressProofs.ts";
import { checks as tokenChecks } from "./rpc/getTokenAccounts.ts";
import { checks as rpcMeteringChecks } from "./rpc/metering.ts";
import { checks as refusalChecks } from "./rpc/refusals.ts";
import { goodRequests, health } from "./rpc/requests.ts";
import { checks as sendChecks } from "./rpc/sendBundle.ts";
import { checks as simulationChecks } from "./rpc/simulateBundle.ts";
import { checks as rpcStandardChecks } from "./rpc/standards.ts";
import { checks as writtenChecks } from "./rpc/writtenAccounts.ts";
import { usage } from "./stimuli.ts";

const rpcChecks = [
  ...envelopeChecks,
  ...tokenChecks,
  ...writtenChecks,
  ...proofChecks,
  ...balanceChecks,
  ...healthChecks,
  ...refusalChecks,
  ...rpcStandardChecks,
  ...rpcMeteringChecks,
];
const bundleChecks = [...statusChecks, ...simulationChecks, ...sendChecks, ...routeChecks, ...executionChecks];

export const suite: Suite = {
  checks: [
    ...usageChecks,
    ...accessChecks,
    ...agreementChecks,
    ...failureChecks,
    ...creditChecks,
    ...roundingChecks,
    ...cycleChecks,
    ...planChangeChecks,
    ...meteringChecks,
    ...standardChecks,
    // What a charge costs is known of wallets alone, so they show first how late charges are.
    ...walletMeteringChecks,
    ...rpcChecks,
    ...bundleChecks,
    ...walletChecks,
  ],
  laws: [
    ...schemaLaws,
    jsonBodies,
    adminErrorShape,
    adminErrorNames,
    ...adminErrorWords,
    usageStatuses,
    usageDocument,
    usageFloor,
    creditArithmetic,
    knownLimit,
    usageProducts,
    walletCredits,
    usagePlan,
    cycles,
    freeWindows,
    paidWindows,
    challenges,
    retryAfter,
    refusalsUncached,
    ownersDocuments,
    rateFields,
    ...envelopes,
    ...rpcErrorLaws,
    tokenPages,
    tokenAccountKeys,
    newAddressProofs,
    bundleStatuses,
    ...bundleIds,
    numberedBundles,
  ],
  probes,
  contrasts: [
    { surface: "admin", parts: ["usage"], owner: usage({ as: "owner" }), stranger: usage({ as: "nobody" }) },
    { surface: "api", parts: ["wallet"], owner: goodWallet("getWalletBalances").ask(), stranger: goodWallet("getWalletBalances").ask({ as: "nobody" }) },
    // Health may be an error where the index lags, so that a balance is asked for where the target knows an account.
    ...goodRequests
      .filter(({ method }) => method === "getCompressedBalance")
      .map(({ ask }): Contrast => ({ surface: "rpc", parts: ["compression"], owner: ask(), stranger: ask({ as: "nobody", id: 17 }) })),
    { surface: "rpc", parts: ["compression"], owner: health(), stranger: health(undefined, { as: "nobody", id: "no key" }) },
    ...goodRequests
      .filter(({ part }) => part === "tokenAccounts")
      .map(({ ask }): Contrast => ({ surface: "rpc", parts: ["tokenAccounts"], owner: ask(), stranger: ask({ as: "nobody", id: "no key" }) })),
    ...[landedId(0), ...nobodysIds].map(
      (id): Contrast => ({ surface: "rpc", parts: ["bundles"], owner: statuses([[id]]), stranger: statuses([[id]], { as: "nobody", id: "no key" }) }),
    ),
  ],
};
