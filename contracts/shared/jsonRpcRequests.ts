// Requests of JSON-RPC methods about the target's sample data.
import { sample } from "../../harness/core/template.ts";
import { jsonRpcRequest } from "./requestSpecs.ts";

export const tokenAccounts = jsonRpcRequest("getTokenAccounts");
export const proofs = jsonRpcRequest("getMultipleNewAddressProofs");
export const balance = jsonRpcRequest("getCompressedBalance");
export const health = jsonRpcRequest("getIndexerHealth");

export const owner = sample("owner");
export const mint = sample("mint");
export const ownerWithEmptyAccounts = sample("ownerWithEmptyAccounts");
export const freshAddress = (nth: number) => sample(`newAddresses/${nth}`);
export const compressed = (nth: number, member: "address" | "hash") => sample(`compressed/${nth}/${member}`);
