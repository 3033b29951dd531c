// The suite: all checks, laws and probes of the interface, and the auth sanity checks of each API.
import type { AuthSanityCheck, Suite } from "../harness/model/suite.ts";
import { landedId, statuses, unknownBundleIds } from "./bundles/requests.ts";
import { checks } from "./generated/checks.ts";
import { laws } from "./generated/laws.ts";
import { probes } from "./generated/probes.ts";
import { baselineRequests } from "./jsonrpc/baselineRequests.ts";
import { auditor } from "./metering/chargeAudit.ts";
import { control } from "./shared/control.ts";
import { health } from "./shared/jsonRpcRequests.ts";
import { usage } from "./shared/stimuli.ts";
import { walletBaseline } from "./wallet/requests.ts";

export const suite: Suite = {
  control,
  checks,
  laws,
  probes,
  auditor,
  authSanityChecks: [
    { api: "admin", features: ["usage"], owner: usage({ as: "owner" }), unauthorized: usage({ as: "anonymous" }) },
    {
      api: "api",
      features: ["wallet"],
      owner: walletBaseline("getWalletBalances").ask(),
      unauthorized: walletBaseline("getWalletBalances").ask({ as: "anonymous" }),
    },
    // Health may be an error where the index lags, so a balance comes first where the target knows an account.
    ...baselineRequests
      .filter(({ method }) => method === "getCompressedBalance")
      .map(
        ({ ask }): AuthSanityCheck => ({
          api: "rpc",
          features: ["compression"],
          owner: ask(),
          unauthorized: ask({ as: "anonymous", id: 17 }),
        }),
      ),
    {
      api: "rpc",
      features: ["compression"],
      owner: health(),
      unauthorized: health(undefined, { as: "anonymous", id: "no key" }),
    },
    ...baselineRequests
      .filter(({ feature }) => feature === "tokenAccounts")
      .map(
        ({ ask }): AuthSanityCheck => ({
          api: "rpc",
          features: ["tokenAccounts"],
          owner: ask(),
          unauthorized: ask({ as: "anonymous", id: "no key" }),
        }),
      ),
    ...[landedId(0), ...unknownBundleIds].map(
      (id): AuthSanityCheck => ({
        api: "rpc",
        features: ["bundles"],
        owner: statuses([[id]]),
        unauthorized: statuses([[id]], { as: "anonymous", id: "no key" }),
      }),
    ),
  ],
};
