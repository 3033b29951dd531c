// One read of each operation, of which loads are made; sendBundle is none.
import { baselineRequests } from "../contracts/jsonrpc/baselineRequests.ts";
import { usage } from "../contracts/shared/requestSpecs.ts";
import { walletBaselines } from "../contracts/wallet/requests.ts";
import type { Read } from "./traffic/mix.ts";

export const reads: readonly Read[] = [
  { operation: "getProjectUsage", requestSpec: usage({ as: "owner" }) },
  ...walletBaselines.map(({ operation, ask }) => ({ operation, requestSpec: ask() })),
  ...baselineRequests.map(({ method, ask }) => ({ operation: method, requestSpec: ask() })),
];
