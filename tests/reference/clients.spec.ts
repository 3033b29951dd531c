// Real clients of JSON-RPC against the reference
import { createBN254, createRpc as createLightRpc, encodeBN254toBase58, rpcRequest } from "@lightprotocol/stateless.js";
import { test as base, expect } from "@playwright/test";
import {
  createDefaultRpcTransport,
  createJsonRpcApi,
  createRpc,
  type RpcRequest,
  type RpcTransport,
} from "@solana/kit";
import { parseJsonWithBigInts, stringifyJsonWithBigInts } from "@solana/rpc-spec-types";
import { createHttpTransport } from "@solana/rpc-transport-http";
import { type Embedded, startEmbedded } from "../../cli/embedded.ts";
import { addressOf, type CompressedAccount, type TokenAccount, wellKnown } from "../../reference/platform/chain.ts";

const test = base.extend<{ platform: Embedded; url: string }>({
  platform: async ({}, use) => {
    const platform = await startEmbedded(0);
    await use(platform);
    await platform.close();
  },
  url: async ({ platform }, use) => use(`${platform.base}/?api-key=${platform.keys.paid}`),
});

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

/** Of the best known owner, as the platform has them. */
const ownAccounts = ({ world }: Embedded): readonly TokenAccount[] =>
  world.chain.accounts(({ owner, amount }) => owner === wellKnown.owner && amount > 0n);

test.describe("@solana/kit", () => {
  test("its default transport, sending [] as params, reads that the indexer is ok", async ({ url }) => {
    const rpc = kit(createDefaultRpcTransport({ url }));
    expect(await rpc.getIndexerHealth().send()).toEqual({
      jsonrpc: "2.0",
      id: expect.any(String) as unknown,
      result: "ok",
    });
  });

  test("its default transport reads the token accounts of an owner, by name", async ({ url, platform }) => {
    const { result } = await kit(createDefaultRpcTransport({ url }), named)
      .getTokenAccounts({ owner: wellKnown.owner, limit: 1000 })
      .send();
    expect(result?.token_accounts.map(({ address }) => address)).toEqual(
      ownAccounts(platform).map(({ address }) => address),
    );
  });

  test("its HTTP transport, parsing whole numbers as bigints, keeps every amount beyond 2^53 whole", async ({
    url,
    platform,
  }) => {
    const transport = createHttpTransport({ url, fromJson: parseJsonWithBigInts, toJson: stringifyJsonWithBigInts });
    const { result } = await kit(transport, named).getTokenAccounts({ owner: wellKnown.owner, limit: 1000n }).send();
    const amounts = ownAccounts(platform).map(({ amount }) => amount);
    expect(amounts.some((amount) => amount > BigInt(Number.MAX_SAFE_INTEGER))).toBe(true);
    expect(result?.token_accounts.map(({ amount }) => amount)).toEqual(amounts);
  });

  test("its positional form of getTokenAccounts, which the interface lacks, is refused as documented", async ({
    url,
  }) => {
    const { error } = await kit(createDefaultRpcTransport({ url })).getTokenAccounts({ owner: wellKnown.owner }).send();
    expect(error).toEqual({ code: -32602, message: "Invalid request parameters." });
  });

  test("calls that run at once get their own results each", async ({ url }) => {
    const rpc = kit(createDefaultRpcTransport({ url }), named);
    const limits = Array.from({ length: 20 }, (_, nth) => nth + 1);
    const answers = await Promise.all(
      limits.map((limit) => rpc.getTokenAccounts({ owner: wellKnown.owner, limit }).send()),
    );
    expect(answers.map(({ result }) => result?.token_accounts.length)).toEqual(limits);
  });
});

/** stateless.js refuses to send anything but field elements. */
const isFieldElement = (text: string): boolean => {
  try {
    createBN254(text, "base58");
    return true;
  } catch {
    return false;
  }
};

const withFieldElements = ({ world }: Embedded): CompressedAccount => {
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

test.describe("@lightprotocol/stateless.js", () => {
  test("getIndexerHealth reads ok", async ({ url }) => {
    expect(await createLightRpc(url, url).getIndexerHealth()).toBe("ok");
  });

  test("getCompressedBalance reads a balance by address", async ({ url, platform }) => {
    const { address, lamports } = withFieldElements(platform);
    expect(String(await createLightRpc(url, url).getCompressedBalance(createBN254(address, "base58")))).toBe(
      String(lamports),
    );
  });

  test("getCompressedBalance reads a balance by hash", async ({ url, platform }) => {
    const { hash, lamports } = withFieldElements(platform);
    expect(String(await createLightRpc(url, url).getCompressedBalance(undefined, createBN254(hash, "base58")))).toBe(
      String(lamports),
    );
  });

  test("its rpcRequest reads a balance beyond 2^53 whole", async ({ url, platform }) => {
    const rich = platform.world.chain.compressed.find(({ lamports }) => lamports > BigInt(Number.MAX_SAFE_INTEGER));
    const { result } = (await rpcRequest(url, "getCompressedBalance", { address: rich?.address })) as Answered<{
      readonly value: string;
    }>;
    expect(result?.value).toBe(String(rich?.lamports));
  });

  test("getMultipleNewAddressProofs gets one proof for each address, in order, its range around it", async ({
    url,
  }) => {
    const wanted = [createBN254(1_000_003), createBN254(77), createBN254(5_000_011)];
    const proofs = (await createLightRpc(url, url).getMultipleNewAddressProofs(wanted)) as unknown as readonly Range[];
    expect(proofs.map(({ value }) => String(value))).toEqual(["1000003", "77", "5000011"]);
    const whole = (number: Whole): bigint => BigInt(String(number));
    for (const { leafLowerRangeValue, value, leafHigherRangeValue } of proofs) {
      expect(whole(leafLowerRangeValue)).toBeLessThan(whole(value));
      expect(whole(value)).toBeLessThan(whole(leafHigherRangeValue));
    }
  });

  test("a refusal reaches the caller in the documented words", async ({ url }) => {
    await expect(createLightRpc(url, url).getMultipleNewAddressProofs([])).rejects.toThrow("Invalid params");
  });

  test("an unknown key reaches the caller in the documented words", async ({ platform }) => {
    const url = `${platform.base}/?api-key=${crypto.randomUUID()}`;
    await expect(createLightRpc(url, url).getIndexerHealth()).rejects.toThrow("Unauthorized");
  });
});

/** Ids of known clients: kit numbers its calls in strings, stateless.js and Photon's clients send test-account. */
const ids = ["0", "test-account", crypto.randomUUID(), 0, 1, -1, Number.MAX_SAFE_INTEGER];

const fresh = encodeBN254toBase58(createBN254(1_000_003));
const account = addressOf("compressed 0");
const hash = addressOf("compressed hash 0");

const optional = ["mint", "page", "limit", "cursor", "before", "after", "options"];
/** Undefined: the member is left out. */
const forms: { readonly [method: string]: readonly unknown[] } = {
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

for (const [method, all] of Object.entries(forms)) {
  for (const params of all) {
    const given = params === undefined ? "no params" : JSON.stringify(params).slice(0, 120);
    test(`${method} is served with ${given}, and echoes an id of any type`, async ({ url }) => {
      for (const id of ids) {
        const response = await fetch(url, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
        });
        expect(await response.json()).toEqual({ jsonrpc: "2.0", id, result: expect.anything() as unknown });
      }
    });
  }
}
