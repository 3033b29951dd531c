// Requests of JSON-RPC methods about the target's sample data.
import { given } from "../../harness/core/template.ts";
import { rpc } from "./stimuli.ts";

export const tokenAccounts = rpc("getTokenAccounts");
export const proofs = rpc("getMultipleNewAddressProofs");
export const balance = rpc("getCompressedBalance");
export const health = rpc("getIndexerHealth");

export const owner = given("/samples/owner");
export const mint = given("/samples/mint");
export const ownerWithEmptyAccounts = given("/samples/ownerWithEmptyAccounts");
export const freshAddress = (nth: number) => given(`/samples/newAddresses/${nth}`);
export const compressed = (nth: number, member: "address" | "hash") => given(`/samples/compressed/${nth}/${member}`);
