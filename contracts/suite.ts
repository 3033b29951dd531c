// The suite: all checks, laws and probes of the interface, and the auth sanity checks of each API.
import type { AuthSanityCheck, Suite } from "../harness/model/suite.ts";
import type { Feature } from "../specs/generated/operations.ts";
import { ownBundles } from "./bundles/landed.ts";
import { remarkOnBundles } from "./bundles/remarks.ts";
import { landedId, statuses, unknownBundleIds } from "./bundles/requests.ts";
import { newAddresses } from "./compression/newAddresses.ts";
import { checks } from "./generated/checks.ts";
import { laws } from "./generated/laws.ts";
import { probes } from "./generated/probes.ts";
import { baselineRequests } from "./jsonrpc/baselineRequests.ts";
import { auditor } from "./metering/chargeAudit.ts";
import { control } from "./shared/control.ts";
import { health } from "./shared/jsonRpcRequests.ts";
import { type Ask, ownersUsage, usageRequest } from "./shared/requestSpecs.ts";
import { ownersAndMint } from "./tokenAccounts/finder.ts";
import { balances, unusedAddresses } from "./wallet/requests.ts";

const onRpc = (feature: Feature, ask: Ask, id: string | number = "no key"): AuthSanityCheck => ({
  api: "rpc",
  features: [feature],
  owner: ask(),
  unauthorized: ask({ as: "anonymous", id }),
});

export const contractSuite: Suite = {
  control,
  checks,
  laws,
  probes,
  auditor,
  remarks: async (context) => [await remarkOnBundles(context)].filter((one) => one !== null),
  make: newAddresses,
  suppose: unusedAddresses,
  finders: [ownersAndMint, ownBundles],
  authSanityChecks: [
    { api: "admin", features: ["usage"], owner: ownersUsage, unauthorized: usageRequest({ as: "anonymous" }) },
    { api: "api", features: ["wallet"], owner: balances(), unauthorized: balances({ as: "anonymous" }) },
    // Health may be an error where the index lags, so a balance comes first where the target knows an account.
    ...baselineRequests
      .filter(({ method }) => method === "getCompressedBalance")
      .map(({ ask }) => onRpc("compression", ask, 17)),
    onRpc("compression", (options) => health(undefined, options)),
    ...baselineRequests
      .filter(({ feature }) => feature !== "compression" && feature !== "bundles")
      .map(({ feature, ask }) => onRpc(feature, ask)),
    // A bundle is neither sent nor simulated to learn about a key. Unknown ids may be refused, as of another form.
    ...[landedId(0), ...unknownBundleIds].map((id, nth) => ({
      ...onRpc("bundles", (options) => statuses([[id]], options)),
      mayBeRefused: nth > 0,
    })),
  ],
};
