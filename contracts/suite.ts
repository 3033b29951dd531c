// Everything that judges, gathered: checks, laws, and the contrast that each surface must show.
import type { Contrast } from "../harness/engine/authSanity.ts";
import type { Suite } from "../harness/model/suite.ts";
import { landedId, nobodysIds, statuses } from "./bundles/requests.ts";
import { checks } from "./generated/checks.ts";
import { laws } from "./generated/laws.ts";
import { probes } from "./generated/probes.ts";
import { goodRequests } from "./jsonrpc/baselineRequests.ts";
import { auditor } from "./metering/chargeAudit.ts";
import { health } from "./shared/jsonRpcRequests.ts";
import { usage } from "./shared/stimuli.ts";
import { goodWallet } from "./wallet/requests.ts";

export const suite: Suite = {
  checks,
  laws,
  probes,
  auditor,
  contrasts: [
    { surface: "admin", parts: ["usage"], owner: usage({ as: "owner" }), stranger: usage({ as: "nobody" }) },
    {
      surface: "api",
      parts: ["wallet"],
      owner: goodWallet("getWalletBalances").ask(),
      stranger: goodWallet("getWalletBalances").ask({ as: "nobody" }),
    },
    // Health may be an error where the index lags, so that a balance is asked for where the target knows an account.
    ...goodRequests
      .filter(({ method }) => method === "getCompressedBalance")
      .map(
        ({ ask }): Contrast => ({
          surface: "rpc",
          parts: ["compression"],
          owner: ask(),
          stranger: ask({ as: "nobody", id: 17 }),
        }),
      ),
    {
      surface: "rpc",
      parts: ["compression"],
      owner: health(),
      stranger: health(undefined, { as: "nobody", id: "no key" }),
    },
    ...goodRequests
      .filter(({ part }) => part === "tokenAccounts")
      .map(
        ({ ask }): Contrast => ({
          surface: "rpc",
          parts: ["tokenAccounts"],
          owner: ask(),
          stranger: ask({ as: "nobody", id: "no key" }),
        }),
      ),
    ...[landedId(0), ...nobodysIds].map(
      (id): Contrast => ({
        surface: "rpc",
        parts: ["bundles"],
        owner: statuses([[id]]),
        stranger: statuses([[id]], { as: "nobody", id: "no key" }),
      }),
    ),
  ],
};
