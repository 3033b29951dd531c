// Everything that judges, gathered: checks, laws, and the contrast that each surface must show.
import type { Contrast } from "../harness/contrast.ts";
import type { Suite } from "../harness/suite.ts";
import { auditor } from "./audit.ts";
import { checks } from "./generated/checks.ts";
import { laws } from "./generated/laws.ts";
import { probes } from "./generated/probes.ts";
import { goodWallet } from "./rest/walletRequests.ts";
import { landedId, nobodysIds, statuses } from "./rpc/bundles.ts";
import { goodRequests } from "./rpc/goodRequests.ts";
import { health } from "./rpc/requests.ts";
import { usage } from "./stimuli.ts";

export const suite: Suite = {
  checks,
  laws,
  probes,
  auditor,
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
