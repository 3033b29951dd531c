// The workload of a recording: which of its requests are asked, how often, and without whose keys.
import { expect, test } from "@playwright/test";
import { callsIn, entryOf, got, recordedKey, rpcCall, sent, times } from "./madeWorkloads.ts";

type Entry = ReturnType<typeof sent>;
const owner = "D1VtmGG1jUKtipm1ZGmkbro3akJ5J6CxzfJSJPnqoe5w";
const mint = "7fVLvPeLoSrtshkX7Eh4x7uM8VTqY3KPGXjtkV2ya5rA";
const wallet = "5esGTe7gDxMcXo97WWuPRha9NDjvoVvf3bXkZeLRyUzv";
const bundle = "7f5bc45389afbbca696b118acd01f4e08586617029c010d51211122830c613f5";

test("reads of whichever vendor are counted by what they ask, those of a batch each for itself", () => {
  const batch = [
    rpcCall("getIndexerHealth"),
    rpcCall("getTokenAccounts", { owner }, 2),
    rpcCall("getTokenAccounts", { mint }, 3),
  ];
  const { asked, left } = callsIn(
    ...times(2, entryOf("POST", `https://mainnet.others.example/?api-key=${recordedKey}`, batch)),
    sent("getTokenAccounts", { owner }),
    sent("getBundleStatuses", [[bundle]]),
    sent("getCompressedBalance", { address: owner, hash: null }),
    sent("getMultipleNewAddressProofs", [owner]),
    got(`/v1/wallet/${wallet}/balances?page=1`),
    got("/v0/admin/projects/7f9c24e5-1f0b-4c55-9a5c-6f4d1f3b8a10/usage"),
    entryOf("POST", "https://api.others.example/v1/wallet/batch-identity", { ids: [wallet, "ada.sol"] }),
  );
  expect(asked).toEqual([
    ["getIndexerHealth", null, 2],
    ["getTokenAccounts", { owner }, 3],
    ["getTokenAccounts", { mint }, 2],
    ["getBundleStatuses", [[bundle]], 1],
    ["getCompressedBalance", { address: owner }, 1],
    ["getMultipleNewAddressProofs", [owner], 1],
    ["getWalletBalances", { wallet, query: { page: "1" } }, 1],
    ["getProjectUsage", null, 1],
    ["batchWalletIdentity", [wallet, "ada.sol"], 1],
  ]);
  expect(left).toEqual([]);
});

test("what can't be asked is counted with its reason, the most first", () => {
  const { calls, left } = callsIn(
    ...times(5, sent("sendBundle", [["AA"]])),
    ...times(3, sent("getBalance", [owner])),
    ...times(2, got("/favicon.ico")),
    sent("simulateBundle", {}),
    sent("getTokenAccounts", { owner: "no address" }),
    sent("getBundleStatuses", [["no id"]]),
    entryOf("POST", "https://others.example/graphql", { query: "{}" }),
    entryOf("POST", "https://others.example/", [rpcCall("getSlot"), { jsonrpc: "2.0", method: "getSlot" }]),
    { unread: "an entry above 64 MB" },
  );
  expect(calls).toEqual([]);
  expect(left.map(({ what, calls: count, why }) => `${what} ${count}: ${why}`)).toEqual([
    "sendBundle 5: can't be undone",
    "getBalance 3: not in the interface",
    "other requests 2: not in the interface",
    "requests of another form 2: no JSON-RPC calls that can be read",
    "simulateBundle 1: its parameters aren't in the interface",
    "getTokenAccounts 1: parameters that the interface doesn't describe",
    "getBundleStatuses 1: parameters that the interface doesn't describe",
    "getSlot 1: not in the interface",
    "other entries 1: no requests that can be read",
  ]);
});

test("cursors and flags are a vendor's own: the first page is asked, without them", () => {
  const later = [{ cursor: "Cg" }, { before: "x" }, { after: 42 }, { page: 2 }];
  const { asked, left } = callsIn(
    ...later.map((more) => sent("getTokenAccounts", { mint, limit: 1000, ...more })),
    sent("getTokenAccounts", { mint, limit: 1000, page: 1, options: { showZero: true } }),
    ...["50", 1e300].map((limit) => sent("getTokenAccounts", { owner, limit, cursor: null })),
  );
  expect(asked).toEqual([
    ["getTokenAccounts", { mint, limit: 1000 }, 5],
    ["getTokenAccounts", { owner }, 2],
  ]);
  expect(left.map(({ what, calls }) => [what, calls])).toEqual([
    ["later pages of getTokenAccounts", 4],
    ["other parameters of getTokenAccounts", 3],
  ]);
});

test("no key of the recording is asked or kept, wherever it stands", () => {
  const secret = "GfZ4bq2VnXkK5tqD9yS3uWcR7mPjH1eA8LxTdNvBgC6s";
  const { recorded, asked, left } = callsIn(
    sent(
      "getTokenAccounts",
      { owner, apiKey: recordedKey, limit: 7 },
      `https://others.example/?api-key=${recordedKey}`,
    ),
    got(
      `/v1/wallet/${wallet}/history?api-key=${recordedKey}&token=${recordedKey}&k=${recordedKey}&limit=9&mint=${mint}`,
      [
        ["x-api-key", recordedKey],
        ["authorization", `Bearer ${secret}`],
      ],
    ),
    sent("getTokenAccounts", { owner: secret }),
    got(`/v1/wallet/${secret}/balances`),
    sent(recordedKey, [recordedKey]),
  );
  expect(asked).toEqual([
    ["getTokenAccounts", { owner, limit: 7 }, 1],
    ["getWalletHistory", { wallet, query: { limit: "9", mint } }, 1],
  ]);
  const why = "its parameters hold a key of the recording";
  expect(left).toContainEqual({ what: "getTokenAccounts", calls: 1, why });
  expect(left).toContainEqual({ what: "getWalletBalances", calls: 1, why });
  const text = JSON.stringify([asked, left]);
  for (const hidden of [recordedKey, secret]) {
    expect(text).not.toContain(hidden);
    expect(recorded.redact(`a ${hidden} b`)).not.toContain(hidden);
  }
});

test("of a wallet's query only plain values are asked: no key bare, encoded or in words, and no cursor", () => {
  const history = (query: string): Entry => got(`/v1/wallet/${wallet}/history?${query}`);
  const privateKey = "5MaiiCavjCmn9Hs1o3eznqDEhRwxo7pXiAYez7keQUviUkauRiTMD8DrESdrNjN8zd9mTmVhRvBJeg5vhyvgrAhG";
  const others = [
    recordedKey,
    "a8Fk2Lq0xZ",
    "k=AbC12/dEf34ghIjkLmn56%3D%3D",
    `k=user:${recordedKey}`,
    "k=Zk4yTQ9pLm2x%2557v7cRb8N",
    "k=a8Fk2Lq0xZ",
    `pk=${privateKey}`,
    `with=${encodeURIComponent(JSON.stringify({ k: recordedKey }))}`,
    "%24name%3AbalanceAt=1",
    "mint=a&mint=b",
  ];
  for (const query of others) {
    const { asked, left } = callsIn(history(query));
    expect(asked, query).toEqual([["getWalletHistory", { wallet }, 1]]);
    expect(left.map(({ what }) => what)).toEqual(["other parameters of getWalletHistory"]);
  }
  expect(callsIn(history("cursor=42&nextCursor=Zm9v")).left.map(({ what }) => what)).toEqual([
    "later pages of getWalletHistory",
  ]);
  const plain = { from: "2024-03-01T00:00:00Z", limit: "9", type: "SWAP", mints: `${mint},${owner}`, sort_by: "a-b" };
  const { asked, left } = callsIn(history(new URLSearchParams(plain).toString()));
  expect([asked, left]).toEqual([[["getWalletHistory", { wallet, query: plain }, 1]], []]);
});

test("keys are hidden in values alone, and however many there are", () => {
  const named = entryOf("GET", `https://wallet:limit@others.example/v1/wallet/${wallet}/balances`);
  expect(callsIn(named).asked).toEqual([["getWalletBalances", { wallet }, 1]]);
  const trace = (nth: number): [string, string][] => [["traceparent", `00-${String(nth).padStart(32, "a7")}-01`]];
  const traced = Array.from({ length: 2_500 }, (_, nth) =>
    entryOf("POST", "https://others.example", rpcCall("getIndexerHealth"), trace(nth)),
  );
  const late = entryOf("POST", "https://others.example", rpcCall("getBundleStatuses", [[bundle]]), [["x-id", bundle]]);
  expect(callsIn(...traced, late).left).toEqual([
    { what: "getBundleStatuses", calls: 1, why: "its parameters hold a key of the recording" },
  ]);
});

test("what the interface doesn't allow isn't asked: more of a batch, and what is nested too deep", () => {
  const deep = `{"jsonrpc":"2.0","id":1,"method":"getTokenAccounts","params":${"[".repeat(1e5)}${"]".repeat(1e5)}}`;
  const batch = (count: number): Entry =>
    entryOf("POST", "https://others.example/v1/wallet/batch-identity", { ids: Array<string>(count).fill(wallet) });
  const statuses = (count: number): Entry => sent("getBundleStatuses", [Array<string>(count).fill(bundle)]);
  const body = { method: "POST", url: "https://others.example/", headers: [], body: deep } as never;
  const { calls, left } = callsIn(batch(100), batch(101), statuses(5), statuses(6), body);
  expect(calls.map(({ operation, weight }) => [operation, weight])).toEqual([
    ["batchWalletIdentity", 1],
    ["getBundleStatuses", 1],
  ]);
  expect(left.map(({ what, calls: count }) => [what, count])).toEqual([
    ["batchWalletIdentity", 1],
    ["getBundleStatuses", 1],
    ["requests of another form", 1],
  ]);
});

test("the 24 most frequent params of an operation stand for all, in proportion, and sixty in all", () => {
  const limited = (limit: number): Entry => sent("getTokenAccounts", { owner, limit });
  const many = Array.from({ length: 40 }, (_, nth) => limited(nth + 1));
  const { asked, calls, left } = callsIn(...many, ...times(3, limited(39)), limited(38));
  expect(calls.map(({ weight }) => weight)).toEqual([44]);
  expect(asked).toHaveLength(24);
  expect(asked.slice(0, 4).map(([, params, weight]) => [params, weight])).toEqual([
    [{ owner, limit: 39 }, 4],
    [{ owner, limit: 38 }, 2],
    [{ owner, limit: 1 }, 1],
    [{ owner, limit: 2 }, 1],
  ]);
  expect(left.map(({ what, calls: count }) => [what, count])).toEqual([["rarer parameters of getTokenAccounts", 16]]);
  const wallets = (step: string): readonly Entry[] =>
    Array.from({ length: 30 }, (_, nth) => got(`/v1/wallet/${wallet}/${step}?limit=${nth}`));
  const all = callsIn(...many, ...wallets("balances"), ...wallets("history"), sent("getIndexerHealth"));
  expect(all.asked).toHaveLength(60);
  expect(all.calls.map(({ operation, weight }) => [operation, weight])).toEqual([
    ["getTokenAccounts", 40],
    ["getWalletBalances", 30],
    ["getWalletHistory", 30],
    ["getIndexerHealth", 1],
  ]);
});
