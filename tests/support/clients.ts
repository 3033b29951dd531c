// What clients of other people ask of a platform with the reference's data, and what they must get of it.
import { createBN254, createRpc as createLightRpc, encodeBN254toBase58, rpcRequest } from "@lightprotocol/stateless.js";
import { expect } from "@playwright/test";
import {
  createDefaultRpcTransport,
  createJsonRpcApi,
  createRpc,
  type RpcRequest,
  type RpcTransport,
} from "@solana/kit";
import { parseJsonWithBigInts, stringifyJsonWithBigInts } from "@solana/rpc-spec-types";
import { createHttpTransport } from "@solana/rpc-transport-http";
import { JitoJsonRpcClient } from "jito-js-rpc";
import type { Embedded } from "../../cli/embedded.ts";
import {
  type CompressedAccount,
  chainAddressOf,
  type TokenAccount,
  wellKnown,
} from "../../reference/platform/chain.ts";
import { idOf, in64, made } from "./bundles.ts";

/** Where clients find the platform, or a proxy before it, and whose keys they have. */
export type Place = Pick<Embedded, "base" | "keys" | "ids" | "world">;

interface Addressed {
  readonly base: string;
  readonly keys: Pick<Place["keys"], "paid">;
}

/** The JSON-RPC endpoint, with the key of a paid project. */
export const urlOf = ({ base, keys }: Addressed): string => `${base}/?api-key=${keys.paid}`;

interface Page {
  readonly total: number | bigint;
  readonly limit: number | bigint;
  readonly token_accounts: readonly { readonly address: string; readonly amount: number | bigint }[];
}

interface Answered<Result> {
  readonly result?: Result;
  readonly error?: { readonly code: number; readonly message: string };
}

type Methods = {
  getIndexerHealth(): Answered<string>;
  getTokenAccounts(params: { readonly [name: string]: unknown }): Answered<Page>;
};

/** Kit sends params in an array; methods that take an object get its first element. */
const named = <Params>(request: RpcRequest<Params>): RpcRequest => {
  const [first] = request.params as readonly unknown[];
  return { methodName: request.methodName, params: first ?? request.params };
};

const kit = (transport: RpcTransport, requestTransformer?: typeof named) =>
  createRpc({ api: createJsonRpcApi<Methods>(requestTransformer ? { requestTransformer } : {}), transport });
const byDefault = (place: Place): RpcTransport => createDefaultRpcTransport({ url: urlOf(place) });

/** Of the best known owner, as the platform has them. */
const ownAccounts = ({ world }: Place): readonly TokenAccount[] =>
  world.chain.accounts(({ owner, amount }) => owner === wellKnown.owner && amount > 0n);

/** stateless.js refuses to send anything but field elements. */
const isFieldElement = (text: string): boolean => {
  try {
    createBN254(text, "base58");
    return true;
  } catch {
    return false;
  }
};

const withFieldElements = ({ world }: Place): CompressedAccount => {
  const found = world.chain.compressed.find(({ address, hash }) => isFieldElement(address) && isFieldElement(hash));
  if (!found) throw new Error("no compressed account has an address and a hash in the field");
  return found;
};

/** Its numbers are bn.js's, which come without types. */
interface Whole {
  toString(): string;
}

interface Range {
  readonly value: Whole;
  readonly leafLowerRangeValue: Whole;
  readonly leafHigherRangeValue: Whole;
}

const light = (url: string) => createLightRpc(url, url);

export async function sendAndLookUp(place: Addressed): Promise<void> {
  // The client appends a path to its base, which a fragment makes harmless.
  const client = new JitoJsonRpcClient(`${urlOf(place)}#`, "");
  const sent = (await client.sendBundle([...in64([made(1)])] as never)) as Answered<string>;
  expect(sent.result).toBe(idOf([made(1)]));
  const status = (await client.getBundleStatuses([[idOf([made(1)])]] as never)) as Answered<unknown>;
  expect(status.result).toMatchObject({ value: [null] });
}

/** By client and by what it must get; throws where it doesn't. */
export const clients: { readonly [client: string]: { readonly [gets: string]: (place: Place) => Promise<void> } } = {
  "@solana/kit": {
    "its default transport, sending [] as params, reads that the indexer is ok": async (place) => {
      expect(await kit(byDefault(place)).getIndexerHealth().send()).toEqual({
        jsonrpc: "2.0",
        id: expect.any(String) as unknown,
        result: "ok",
      });
    },
    "its default transport reads the token accounts of an owner, by name": async (place) => {
      const { result } = await kit(byDefault(place), named)
        .getTokenAccounts({ owner: wellKnown.owner, limit: 1000 })
        .send();
      expect(result?.token_accounts.map(({ address }) => address)).toEqual(
        ownAccounts(place).map(({ address }) => address),
      );
    },
    "its HTTP transport, parsing whole numbers as bigints, keeps every amount beyond 2^53 whole": async (place) => {
      const transport = createHttpTransport({
        url: urlOf(place),
        fromJson: parseJsonWithBigInts,
        toJson: stringifyJsonWithBigInts,
      });
      const { result } = await kit(transport, named).getTokenAccounts({ owner: wellKnown.owner, limit: 1000n }).send();
      const amounts = ownAccounts(place).map(({ amount }) => amount);
      expect(amounts.some((amount) => amount > BigInt(Number.MAX_SAFE_INTEGER))).toBe(true);
      expect(result?.token_accounts.map(({ amount }) => amount)).toEqual(amounts);
    },
    "its positional form of getTokenAccounts, which the interface lacks, is refused as documented": async (place) => {
      const { error } = await kit(byDefault(place)).getTokenAccounts({ owner: wellKnown.owner }).send();
      expect(error).toEqual({ code: -32602, message: "Invalid request parameters." });
    },
    "calls that run at once get their own results each": async (place) => {
      const rpc = kit(byDefault(place), named);
      const limits = Array.from({ length: 20 }, (_, nth) => nth + 1);
      const answers = await Promise.all(
        limits.map((limit) => rpc.getTokenAccounts({ owner: wellKnown.owner, limit }).send()),
      );
      expect(answers.map(({ result }) => result?.token_accounts.length)).toEqual(limits);
    },
  },
  "@lightprotocol/stateless.js": {
    "getIndexerHealth reads ok": async (place) => {
      expect(await light(urlOf(place)).getIndexerHealth()).toBe("ok");
    },
    "getCompressedBalance reads a balance by address": async (place) => {
      const { address, lamports } = withFieldElements(place);
      expect(String(await light(urlOf(place)).getCompressedBalance(createBN254(address, "base58")))).toBe(
        String(lamports),
      );
    },
    "getCompressedBalance reads a balance by hash": async (place) => {
      const { hash, lamports } = withFieldElements(place);
      expect(String(await light(urlOf(place)).getCompressedBalance(undefined, createBN254(hash, "base58")))).toBe(
        String(lamports),
      );
    },
    "its rpcRequest reads a balance beyond 2^53 whole": async (place) => {
      const rich = place.world.chain.compressed.find(({ lamports }) => lamports > BigInt(Number.MAX_SAFE_INTEGER));
      const params = { address: rich?.address };
      const { result } = (await rpcRequest(urlOf(place), "getCompressedBalance", params)) as Answered<{
        readonly value: string;
      }>;
      expect(result?.value).toBe(String(rich?.lamports));
    },
    "getMultipleNewAddressProofs gets one proof for each address, in order, its range around it": async (place) => {
      const wanted = [createBN254(1_000_003), createBN254(77), createBN254(5_000_011)];
      const proofs = (await light(urlOf(place)).getMultipleNewAddressProofs(wanted)) as unknown as readonly Range[];
      expect(proofs.map(({ value }) => String(value))).toEqual(["1000003", "77", "5000011"]);
      const whole = (number: Whole): bigint => BigInt(String(number));
      for (const { leafLowerRangeValue, value, leafHigherRangeValue } of proofs) {
        expect(whole(leafLowerRangeValue)).toBeLessThan(whole(value));
        expect(whole(value)).toBeLessThan(whole(leafHigherRangeValue));
      }
    },
    "a refusal reaches the caller in the documented words": async (place) => {
      await expect(light(urlOf(place)).getMultipleNewAddressProofs([])).rejects.toThrow("Invalid params");
    },
    "an unknown key reaches the caller in the documented words": async ({ base }) => {
      const url = `${base}/?api-key=${crypto.randomUUID()}`;
      await expect(light(url).getIndexerHealth()).rejects.toThrow("Unauthorized");
    },
  },
  "jito-js-rpc": { "sends a bundle and looks it up": sendAndLookUp },
};

/** Ids of known clients: kit numbers its calls in strings, stateless.js and Photon's clients send test-account. */
const ids = ["0", "test-account", crypto.randomUUID(), 0, 1, -1, Number.MAX_SAFE_INTEGER];

const fresh = encodeBN254toBase58(createBN254(1_000_003));
const account = chainAddressOf("compressed 0");
const hash = chainAddressOf("compressed hash 0");

const optional = ["mint", "page", "limit", "cursor", "before", "after", "options"];
/** Params as known clients send them, by method. Undefined: the member is left out. */
export const forms: { readonly [method: string]: readonly unknown[] } = {
  getIndexerHealth: [undefined, null, [], {}],
  getTokenAccounts: [
    { owner: wellKnown.owner },
    { owner: wellKnown.owner, ...Object.fromEntries(optional.map((name) => [name, null])) },
    { mint: wellKnown.mint, page: 1, limit: 100, options: {} },
    { mint: wellKnown.mint, options: { showZeroBalance: null } },
  ],
  getCompressedBalance: [{ address: account }, { hash }, { address: account, hash: null }, { address: null, hash }],
  getMultipleNewAddressProofs: [[fresh]],
};

/** Sends params in one form with ids of any type, each of which must come back. */
export async function sendForm(url: string, method: string, params: unknown): Promise<void> {
  for (const id of ids) {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
    });
    expect(await response.json()).toEqual({ jsonrpc: "2.0", id, result: expect.anything() as unknown });
  }
}
