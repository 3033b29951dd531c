// assay panel --workload and --paid over real HTTP: what is asked, what it costs, and no key of a recording anywhere.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { assay, bytesBelow, emptyFolder, panelIn } from "../support/assay.ts";
import { type Embedded, servedReference, vendorNamed } from "../support/servedReference.ts";
import { schemaProblems } from "../support/standards.ts";

test.describe.configure({ mode: "parallel" });

const folder = emptyFolder();
const names = ["ada", "bea"] as const;
const platforms: Embedded[] = [];
const environment: { [name: string]: string } = {};
const [ada, bea] = names.map((name) => join(folder, `${name}.yaml`)) as [string, string];

/** What the reference charges for a call, so that charges are as listed. */
const prices = "prices: { getTokenAccounts: 10, getBundleStatuses: 1 }\n";

test.beforeAll(async () => {
  for (const name of names) {
    const platform = await servedReference();
    platforms.push(platform);
    const vendor = vendorNamed(name, platform.base).replace("perSecond: 25,", "perSecond: 45,");
    const text = vendor.replaceAll("ASSAY_REFERENCE", name.toUpperCase());
    writeFileSync(join(folder, `${name}.yaml`), name === "ada" ? text + prices : text);
    for (const [variable, key] of Object.entries(platform.environment))
      environment[variable.replace("ASSAY_REFERENCE", name.toUpperCase())] = key;
  }
});
test.afterAll(async () => {
  for (const { close } of platforms) await close();
});

async function asked(...args: readonly string[]) {
  const out = join(emptyFolder(), "panel");
  const given = ["panel", ada, bea, ...args, "--out", out, "--runs", emptyFolder()];
  const ended = await assay(given, environment);
  return { ...ended, out, panel: panelIn(out) };
}

test("a mix that comes with Assay is asked in its shares, and costs what is listed", async () => {
  const { code, stdout, out, panel } = await asked("--workload", "trading", "--rounds", "1");
  expect(code, stdout).toBe(0);
  expect(schemaProblems("reports/panel.schema.json", panel)).toEqual([]);
  expect(panel.workload).toMatchObject({
    is: "mix",
    shares: { getBundleStatuses: 0.6, getTokenAccounts: 0.4 },
    left: [],
  });
  const polls = (operation: string): number =>
    panel.questions.reduce((sum, one) => sum + (one.operation === operation ? one.polls : 0), 0);
  expect([polls("getBundleStatuses"), polls("getTokenAccounts")]).toEqual([12, 8]);
  expect(panel.prices?.[0]).toEqual({
    vendor: 0,
    listed: { getBundleStatuses: 1, getTokenAccounts: 10 },
    charged: { credits: "92", calls: 20, listed: 92 },
    why: null,
  });
  for (const text of [
    "Asked: the mix trading (getBundleStatuses 60 %, getTokenAccounts 40 %), 20 polls.",
    "A trading bot, which sends bundles.",
    "4,600,000 credits per million calls",
    "charged 4,600,000, as listed",
  ]) {
    expect(stdout).toContain(text);
    expect(readFileSync(join(out, "panel.md"), "utf8")).toContain(text);
    expect(readFileSync(join(out, "index.html"), "utf8")).toContain(text);
  }
});

const key = "sk-live-Zk4yTQ9pLm2xWv7cRb8N";
const owner = "D1VtmGG1jUKtipm1ZGmkbro3akJ5J6CxzfJSJPnqoe5w";
const wallet = "5esGTe7gDxMcXo97WWuPRha9NDjvoVvf3bXkZeLRyUzv";

const entryOf = (method: string, url: string, body?: unknown) => ({
  startedDateTime: "2026-11-29T10:00:00Z",
  time: 12,
  request: {
    method,
    url,
    headers: [{ name: "X-Api-Key", value: key }],
    ...(body === undefined ? {} : { postData: { mimeType: "application/json", text: JSON.stringify(body) } }),
  },
  response: { status: 200, headers: [], content: { mimeType: "application/json", text: `{"key":"${key}"}` } },
});
const rpc = `https://rpc.others.example/v2/${key}`;
const call = (method: string, params?: unknown) => ({ jsonrpc: "2.0", id: 1, method, params });

/** Of another vendor: five reads of accounts, two of health, one of a wallet, and bundles. */
function recording(): string {
  const file = join(emptyFolder(), `traffic ${key}.har`);
  const accounts = call("getTokenAccounts", { owner, apiKey: key, limit: 5 });
  const entries = [
    ...Array.from({ length: 4 }, () => entryOf("POST", rpc, accounts)),
    entryOf("POST", rpc, [accounts, call("getIndexerHealth"), call("getIndexerHealth")]),
    entryOf("GET", `https://others.example/v1/wallet/${wallet}/balances?api-key=${key}&token=${key}&limit=3`),
    ...Array.from({ length: 3 }, () => entryOf("POST", rpc, call("sendBundle", [["AA"]]))),
  ];
  writeFileSync(file, JSON.stringify({ log: { version: "1.2", creator: { name: "x", version: "1" }, entries } }));
  return file;
}

test("a recording of another vendor is asked with the targets' keys, and its own key is nowhere", async () => {
  const { code, stdout, stderr, out, panel } = await asked("--workload", recording(), "--rounds", "1", "--paid");
  expect(code, stderr).toBe(0);
  expect(panel.workload).toMatchObject({ name: "traffic <key:recorded>.har", is: "recording", why: null });
  expect(panel.workload?.shares).toEqual({ getTokenAccounts: 0.625, getIndexerHealth: 0.25, getWalletBalances: 0.125 });
  expect(panel.workload?.left).toContainEqual({ what: "sendBundle", calls: 3, why: "can't be undone" });
  expect(panel.questions.map(({ about }) => about).sort()).toEqual([
    "null",
    `{"limit":5,"owner":"${owner}"}`,
    `{"query":{"limit":"3"},"wallet":"${wallet}"}`,
  ]);
  // All were served: the wallet's latency is there, and its answers aren't compared.
  const balances = panel.questions.find(({ operation }) => operation === "getWalletBalances");
  expect(balances?.counts.map(({ incomparable, agrees }) => [incomparable, agrees])).toEqual([
    [balances?.polls, 0],
    [balances?.polls, 0],
  ]);
  expect(panel.latencies.some(({ operation }) => operation === "getWalletBalances")).toBe(true);
  // At most three of twenty are wallet reads, and thirteen of accounts, beside their list.
  expect(stdout).toContain("Wallets are read, which costs up to 440 credits at ada and 300 credits at bea.");
  expect(panel.vendors.map(({ spent }) => spent.credits)).toEqual([340, 200]);
  for (const hidden of [key, ...Object.values(environment)])
    expect(`${bytesBelow(out)}${stdout}${stderr}`).not.toContain(hidden);

  // What it wrote can be asked again.
  const list = join(out, "questions.json");
  const again = await asked(
    "--questions",
    list,
    "--only",
    panel.questions.map(({ id }) => id).join(),
    "--paid",
    "--rounds",
    "1",
  );
  expect(again.panel.questions.map(({ id }) => id).sort()).toEqual(panel.questions.map(({ id }) => id).sort());

  // So can one of its questions without its wallet reads, which cost.
  const { id = "" } = panel.questions.find(({ operation }) => operation === "getTokenAccounts") ?? {};
  const one = await asked("--questions", list, "--only", id, "--rounds", "1");
  expect(one.panel.questions.map((question) => question.id)).toEqual([id]);
});

test("wallets are read with --paid alone: of a recording, and of samples without a workload", async () => {
  const left = await asked("--workload", recording(), "--rounds", "1");
  expect(Object.keys(left.panel.workload?.shares ?? {})).toEqual(["getTokenAccounts", "getIndexerHealth"]);
  expect(left.stdout).toContain("getWalletBalances, 1 call: each costs 100 credits, so only with --paid\n");
  const { code, panel } = await asked("--paid", "--rounds", "1");
  expect(code).toBe(0);
  const wallets = panel.questions.filter(({ operation }) => /wallet/i.test(operation));
  expect(wallets.map(({ operation, counts }) => [operation, counts.map(({ incomparable }) => incomparable)])).toEqual(
    wallets.map(({ operation }) => [operation, [1, 1]]),
  );
  expect(wallets).toHaveLength(7);
  expect(panel.prices?.map(({ listed, charged }) => [listed["getWalletIdentity"], charged])).toEqual([
    [100, null],
    [100, null],
  ]);
});

test("where lists name no account, a mix asks the lists themselves", async () => {
  const mint = "11111111111111111111111111111112";
  const files = [ada, bea].map((file) => {
    const text = readFileSync(file, "utf8").replace(/^samples:\n(?: .*\n)+/m, `samples: { mint: "${mint}" }\n`);
    const own = join(emptyFolder(), "own.yaml");
    writeFileSync(own, text);
    return own;
  });
  const mix = join(emptyFolder(), "mix.yaml");
  writeFileSync(
    mix,
    "{ name: own, why: Ours., calls: { getTokenAccounts: 3, getIndexerHealth: 1, getCompressedBalance: 1 } }",
  );
  const out = join(emptyFolder(), "panel");
  const given = ["panel", ...files, "--workload", mix, "--rounds", "1", "--out", out, "--runs", emptyFolder()];
  expect((await assay(given, environment)).stdout).toContain(
    "getCompressedBalance: no target gives samples.compressed\n",
  );
  expect(Object.fromEntries(panelIn(out).questions.map(({ about, polls }) => [about, polls]))).toEqual({
    null: 5,
    [`{"mint":"${mint}"}`]: 15,
  });
});
