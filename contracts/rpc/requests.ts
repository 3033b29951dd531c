// Which requests does a healthy platform serve, method by method? Everything is refused beside one of them.
import type { Stimulus } from "../../harness/stimulus.ts";
import { given } from "../../harness/template.ts";
import type { MethodName, Part } from "../../specs/generated/operations.ts";
import { rpc } from "../stimuli.ts";

export const tokenAccounts = rpc("getTokenAccounts");
export const proofs = rpc("getMultipleNewAddressProofs");
export const balance = rpc("getCompressedBalance");
export const health = rpc("getIndexerHealth");

export const owner = given("/samples/owner");
export const mint = given("/samples/mint");
export const ownerWithEmptyAccounts = given("/samples/ownerWithEmptyAccounts");
export const freshAddress = (nth: number) => given(`/samples/newAddresses/${nth}`);
export const compressed = (nth: number, member: "address" | "hash") => given(`/samples/compressed/${nth}/${member}`);

type Options = Parameters<typeof tokenAccounts>[1];

/** One good request of a method, cheap and small. */
export interface Good {
  readonly method: MethodName;
  readonly part: Part;
  readonly family: "tokenAccounts" | "compression";
  readonly ask: (options?: Options) => Stimulus;
}

/** Answered with a status or null, whatever became of the bundle. */
export const bundleStatuses: Pick<Good, "method" | "part" | "ask"> = {
  method: "getBundleStatuses",
  part: "bundles",
  ask: (options) => rpc("getBundleStatuses")([[given("/samples/landedBundles/0")]], options),
};

export const goodRequests: readonly Good[] = [
  { method: "getIndexerHealth", part: "compression", family: "compression", ask: (options) => health(undefined, options) },
  { method: "getTokenAccounts", part: "tokenAccounts", family: "tokenAccounts", ask: (options) => tokenAccounts({ owner, limit: 2 }, options) },
  { method: "getMultipleNewAddressProofs", part: "compression", family: "compression", ask: (options) => proofs([freshAddress(0)], options) },
  { method: "getCompressedBalance", part: "compression", family: "compression", ask: (options) => balance({ address: compressed(0, "address") }, options) },
];
