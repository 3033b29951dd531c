// Requests of JSON-RPC methods about the target's sample data.
import { sample } from "../../harness/core/template.ts";
import { rpc } from "./requestSpecs.ts";

export const tokenAccounts = rpc("getTokenAccounts");
export const proofs = rpc("getMultipleNewAddressProofs");
export const balance = rpc("getCompressedBalance");
export const health = rpc("getIndexerHealth");

export const owner = sample("owner");
export const mint = sample("mint");
export const ownerWithEmptyAccounts = sample("ownerWithEmptyAccounts");
export const freshAddress = (nth: number) => sample(`newAddresses/${nth}`);
export const compressed = (nth: number, member: "address" | "hash") => sample(`compressed/${nth}/${member}`);
