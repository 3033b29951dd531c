// One read of each operation, of which loads are made; sendBundle is none.
import { baselineRequests } from "../contracts/jsonrpc/baselineRequests.ts";
import { usageRequest } from "../contracts/shared/requestSpecs.ts";
import { walletBaselines } from "../contracts/wallet/requests.ts";
import type { MixedRead } from "./traffic/mix.ts";

export const reads: readonly MixedRead[] = [
  { operation: "getProjectUsage", requestSpec: usageRequest({ as: "owner" }) },
  ...walletBaselines.map(({ operation, ask }) => ({ operation, requestSpec: ask() })),
  ...baselineRequests.map(({ method, ask }) => ({ operation: method, requestSpec: ask() })),
];
