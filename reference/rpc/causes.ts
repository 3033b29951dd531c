// Addresses that lead to a certain error; target files name them as known causes
import type { RpcCause } from "../errors/causes.ts";
import { chainAddressOf } from "../platform/chain.ts";
import { Refused } from "./refusals.ts";

const known: ReadonlyMap<string, RpcCause> = new Map(
  (["notFound", "permission", "server", "unavailable", "timeout"] as const).map((cause) => [
    chainAddressOf(`cause ${cause}`),
    cause,
  ]),
);

/** @throws Refused where an address is known to lead to an error */
export function pass(...addresses: readonly (string | null | undefined)[]): void {
  for (const address of addresses) {
    const cause = address ? known.get(address) : undefined;
    if (cause) throw new Refused(cause);
  }
}
