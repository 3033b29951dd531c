// What an application asks of a platform by plain fetch: each role and method, served and refused, again and again.
import type { Target } from "../../harness/targets/target.ts";
import type { DemoRole } from "../../reference/demo.ts";
import { wellKnown } from "../../reference/platform/chain.ts";
import { people } from "../../reference/wallet/people.ts";
import { idOf, in58, in64, made, own, some } from "./bundles.ts";
import type { Place } from "./clients.ts";

const patience_ms = 2_000;

interface Samples {
  readonly compressed: readonly { readonly address: string; readonly hash: string }[];
  readonly newAddresses: readonly string[];
  readonly landedBundles: readonly string[];
  /** Addresses that lead to a certain error, by it. */
  readonly causes: {
    readonly [of in "getTokenAccounts" | "compression"]: { readonly [cause: string]: string };
  };
}

/** With what the platform's target file names. */
type Sampled = Place & { readonly samples: Samples };
type Ask = ReturnType<typeof askerOf>;

/** Asks for all of it in turn, whatever comes. */
export async function runApplication(place: Place, { samples }: Pick<Target, "samples">): Promise<void> {
  const ask = askerOf(place);
  for (const part of [readUsage, readWallets, readTokens, readCompressed, sendBundles, fail, exceedLimits, readUsage])
    await part(ask, { ...place, samples: samples as unknown as Samples });
}

function askerOf({ base, keys, ids }: Place) {
  let sent = Date.now();
  // Some count their calls, others name them.
  const nextId = (): number | string => (++sent % 2 ? sent : `Portfolio-${crypto.randomUUID()}`);
  const send = async (path: string, request: RequestInit = {}): Promise<unknown> => {
    try {
      return JSON.parse(
        await (await fetch(`${base}${path}`, { ...request, signal: AbortSignal.timeout(patience_ms) })).text(),
      );
    } catch {
      return null;
    }
  };
  const post = (path: string, body: unknown, headers: { readonly [name: string]: string } = {}) =>
    send(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const request = (method: string, params?: unknown) => ({ jsonrpc: "2.0", id: nextId(), method, params });
  return {
    usage: (role: DemoRole, project: string = ids[role], key: string = keys[role]) =>
      send(`/v0/admin/projects/${project}/usage`, { headers: { "X-Api-Key": key } }),
    usageByQuery: (role: DemoRole) => send(`/v0/admin/projects/${ids[role]}/usage?api-key=${keys[role]}`),
    wallet: (path: string, key: string = keys.paid) => send(`/v1/wallet/${path}`, { headers: { "X-Api-Key": key } }),
    names: (addresses: readonly unknown[]) =>
      post("/v1/wallet/batch-identity", { addresses }, { "X-Api-Key": keys.paid }),
    call: (method: string, params?: unknown, key: string = keys.other) =>
      post(`/?api-key=${key}`, request(method, params)),
    calls: (...all: readonly (readonly [method: string, params?: unknown])[]) =>
      post(
        `/?api-key=${keys.other}`,
        all.map(([method, params]) => request(method, params)),
      ),
  };
}

async function readUsage({ usage, usageByQuery }: Ask): Promise<void> {
  for (const role of ["paid", "other", "free"] as const) await usage(role);
  await usageByQuery("second");
}

async function readWallets({ wallet, names, call }: Ask, { keys }: Sampled): Promise<void> {
  const [{ address } = { address: "" }] = people;
  for (const step of [
    "identity",
    "balances",
    "balance-at?time=1709251200",
    "history",
    "history?limit=2",
    "transfers",
    "funded-by",
  ])
    await wallet(`${address}/${step}`);
  await wallet("ada.sol/identity");
  await names([address, "ortolan.sol"]);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await wallet("not-a-wallet/balances");
    await wallet(`${address}/identity`, keys.free);
    await wallet(`${address}/balances`, crypto.randomUUID());
    await call("getIndexerHealth");
  }
}

async function readTokens({ call, calls }: Ask): Promise<void> {
  const { owner, ownerWithEmptyAccounts, mint } = wellKnown;
  const read = (params: object) => call("getTokenAccounts", params);
  for (const page of [1, 2, 3, 4]) await read({ owner, limit: 50, page });
  let cursor: unknown;
  for (let pages = 0; pages < 3; pages += 1) {
    const answer = (await read({ mint, limit: 100, cursor })) as { result?: { cursor?: unknown } } | null;
    cursor = answer?.result?.cursor;
    if (typeof cursor !== "string") break;
  }
  for (const limit of [1, 7]) await read({ owner, mint, limit });
  for (const limit of [5, 10]) await read({ owner: ownerWithEmptyAccounts, limit });
  await read({ owner });
  await read({ mint });
  await read({ owner: people[0]?.address });
  for (const showZeroBalance of [true, false])
    await read({ owner: ownerWithEmptyAccounts, options: { showZeroBalance } });
  await read({ owner: ownerWithEmptyAccounts });
  await calls(
    ["getTokenAccounts", { owner, limit: 2 }],
    ["getIndexerHealth"],
    ["getTokenAccounts", { mint, limit: 3 }],
  );
}

async function readCompressed({ call, calls }: Ask, { samples }: Sampled): Promise<void> {
  await call("getIndexerHealth");
  for (const { address, hash } of samples.compressed) {
    await call("getCompressedBalance", { address });
    await call("getCompressedBalance", { hash });
  }
  for (const count of [1, 2, 4]) await call("getMultipleNewAddressProofs", samples.newAddresses.slice(0, count));
  await calls(["getIndexerHealth"], ["getMultipleNewAddressProofs", samples.newAddresses.slice(0, 1)]);
}

async function sendBundles({ call }: Ask, { samples: { landedBundles } }: Sampled): Promise<void> {
  await call("getBundleStatuses", [landedBundles]);
  await call("getBundleStatuses", [[landedBundles[1], "0".repeat(64), landedBundles[0]]]);
  for (const landed of landedBundles) await call("getBundleStatuses", [[landed]]);
  await call("simulateBundle", [{ encodedTransactions: in64(some(2))[0] }]);
  await call("sendBundle", in64(some(3)));
  await call("sendBundle", [in58(some(2))]);
  await call("sendBundle", in64([made(1, [own])]));
  await call("getBundleStatuses", [[idOf(some(3)), idOf(some(2))]]);
}

/** What an application tries again before it gives up. */
async function fail(ask: Ask, { keys, ids, samples: { causes, newAddresses } }: Sampled): Promise<void> {
  const { usage, wallet, call } = ask;
  const unknown = crypto.randomUUID();
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await usage("other", ids.paid);
    await usage("free", unknown);
    await usage("slow", "main");
    await usage("paid", ids.free, unknown);
    for (const role of ["adminOff", "unbilled"] as const) await usage(role);
    await wallet("not-a-wallet/identity");
    await call("getIndexerHealth");
    for (const params of [
      { owner: 7 },
      { owner: "nobody" },
      ...Object.values(causes.getTokenAccounts).map((owner) => ({ owner })),
    ])
      await call("getTokenAccounts", params);
    for (const params of [{}, { address: "0" }, ...Object.values(causes.compression).map((one) => ({ address: one }))])
      await call("getCompressedBalance", params);
    for (const params of [[], ["0"], [newAddresses[0], 7]]) await call("getMultipleNewAddressProofs", params);
    for (const params of [[], [7], [Array.from({ length: 6 }, (_, nth) => String(nth).repeat(64))]])
      await call("getBundleStatuses", params);
    for (const method of ["getIndexerHealth", "getCompressedBalance", "getTokenAccounts", "getBundleStatuses"]) {
      await call(method, {}, unknown);
      await call(method, {}, keys.ipBlocked);
    }
    await call("getNothing", []);
  }
}

/** One project in a hurry; others are served. */
async function exceedLimits({ usage, call }: Ask, { keys, samples }: Sampled): Promise<void> {
  const [{ address } = { address: "" }] = samples.compressed;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    // More than a second's at once, so that some are refused however busy the machine is.
    await Promise.all(Array.from({ length: 8 }, () => usage("slow")));
    for (let times = 0; times < 2; times += 1) {
      await call("getIndexerHealth", undefined, keys.slow);
      await call("getCompressedBalance", { address }, keys.slow);
      await call("getTokenAccounts", { owner: wellKnown.owner, limit: 1 }, keys.slow);
    }
    await call("getIndexerHealth");
  }
}
