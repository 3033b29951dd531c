// Which JSON-RPC methods are there?
import { getBundleStatuses } from "./getBundleStatuses.ts";
import { getCompressedBalance } from "./getCompressedBalance.ts";
import { getIndexerHealth } from "./getIndexerHealth.ts";
import { getMultipleNewAddressProofs } from "./getMultipleNewAddressProofs.ts";
import { getTokenAccounts } from "./getTokenAccounts.ts";
import type { Method } from "./method.ts";
import { sendBundle } from "./sendBundle.ts";
import { simulateBundle } from "./simulateBundle.ts";

export const methods: ReadonlyMap<string, Method> = new Map(
  Object.entries({ getCompressedBalance, getIndexerHealth, getMultipleNewAddressProofs, getTokenAccounts, sendBundle, getBundleStatuses, simulateBundle }),
);
