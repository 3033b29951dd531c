// Workloads: shares and digests, what the panel picks where nothing is named, and samples that are filled in.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import type { Template } from "../../harness/core/template.ts";
import { readYamlFile } from "../../harness/core/yamlFile.ts";
import type { Target } from "../../harness/targets/target.ts";
import { namedQuestions, panelRequests } from "../../panel/questions.ts";
import { isWalletRead, planRefuses } from "../../panel/walletReads.ts";
import {
  filledFrom,
  type Workload,
  type WorkloadCall,
  withoutCalls,
  workloadQuestions,
  workloadReport,
} from "../../panel/workload.ts";
import { freshWorld } from "../../proof/inProcess.ts";
import { schemaProblems } from "../support/standards.ts";
import { sampled } from "./madeRounds.ts";

const mixOf = (calls: readonly WorkloadCall[], change: Partial<Workload> = {}): Workload => ({
  name: "made",
  is: "mix",
  why: "made here",
  left: [],
  calls,
  ...change,
});
const weighing = (operation: string, weight: number, ...params: readonly object[]): WorkloadCall => ({
  operation,
  weight,
  params: params.length === 0 ? null : params.map((value) => ({ value: value as never, weight: 1 })),
});
const targetWith = (change: Partial<Target>): Target => ({
  ...freshWorld("asking").targetAt("http://a.example"),
  ...change,
});

test("forms of mixes and of lists name what a panel can ask, and no more", () => {
  type Form = { readonly properties: { readonly [name: string]: unknown } };
  const formOf = (file: string) =>
    JSON.parse(readFileSync(file, "utf8")) as { readonly properties: { readonly calls: Form } } & {
      readonly items: Form;
    };
  const all = Object.keys(panelRequests).sort();
  expect(Object.keys(formOf("panel/workload.schema.json").properties.calls.properties).sort()).toEqual(all);
  // Usage is each vendor's own.
  const listed = all.filter((operation) => operation !== "getProjectUsage");
  expect(Object.keys(formOf("panel/questions.schema.json").items.properties).sort()).toEqual(listed);
});

test("each mix that comes with Assay has its form and says why, and asks JSON-RPC methods alone", () => {
  const files = readdirSync("panel/workloads");
  expect(files.sort()).toEqual(["indexer.yaml", "trading.yaml", "wallet.yaml"]);
  for (const file of files) {
    const mix = readYamlFile(`panel/workloads/${file}`).value as { name: string; why: string; calls: object };
    expect(schemaProblems("panel/workload.schema.json", mix)).toEqual([]);
    expect([`${mix.name}.yaml`, mix.why.length > 100]).toEqual([file, true]);
    expect(Object.keys(mix.calls).filter((id) => isWalletRead(id) || id === "getProjectUsage")).toEqual([]);
  }
});

test("shares are weights beside all others, and of params within an operation", () => {
  const mix = mixOf([
    weighing("getTokenAccounts", 6, { owner: "a" }, { owner: "b" }, { owner: "c" }),
    weighing("getIndexerHealth", 2),
  ]);
  expect(workloadReport(mix).shares).toEqual({ getTokenAccounts: 0.75, getIndexerHealth: 0.25 });
  expect(workloadQuestions(mix, sampled(), 1).map(({ operation, share }) => [operation, share])).toEqual([
    ["getTokenAccounts", 0.25],
    ["getTokenAccounts", 0.25],
    ["getTokenAccounts", 0.25],
    ["getIndexerHealth", 0.25],
  ]);
});

test("without params the panel's own questions are asked, and ids that nobody has where there are none", () => {
  const mix = mixOf([
    weighing("getTokenAccounts", 1),
    weighing("getBundleStatuses", 1),
    weighing("getMultipleNewAddressProofs", 1),
  ]);
  const asked = workloadQuestions(mix, sampled(), 1);
  const own = sampled().filter(({ operation }) => operation === "getTokenAccounts");
  expect(asked.slice(0, own.length).map(({ id }) => id)).toEqual(own.map(({ id }) => id));
  expect(asked.reduce((sum, { share = 0 }) => sum + share, 0)).toBeCloseTo(1, 9);
  const alone = workloadQuestions(mix, [], 1);
  expect(alone.map(({ operation, about }) => [operation, /^\[+"\w{32,}"\]+$/.test(about)])).toEqual([
    ["getBundleStatuses", true],
    ["getMultipleNewAddressProofs", true],
  ]);
});

test("at most sixty questions are asked, whatever lists tell", () => {
  const lists = namedQuestions(Array.from({ length: 90 }, (_, nth) => ({ getTokenAccounts: { owner: `o${nth}` } })));
  const named = Array.from({ length: 20 }, (_, nth) => ({ address: `a${nth}` }));
  const mix = mixOf([weighing("getTokenAccounts", 1), weighing("getCompressedBalance", 1, ...named)]);
  expect(workloadQuestions(mix, lists, 1)).toHaveLength(60);
});

test("a digest is the same for the same calls in the same shares, however they are written", () => {
  const digestOf = (...calls: readonly WorkloadCall[]): string => workloadReport(mixOf(calls)).digest;
  const [accounts, health] = [
    weighing("getTokenAccounts", 6, { owner: "a", limit: 3 }),
    weighing("getIndexerHealth", 2),
  ];
  const same = digestOf(accounts, health);
  expect(same).toMatch(/^[\da-f]{12}$/);
  expect(digestOf(weighing("getIndexerHealth", 1), weighing("getTokenAccounts", 3, { limit: 3, owner: "a" }))).toBe(
    same,
  );
  const others = [
    digestOf(accounts, weighing("getIndexerHealth", 3)),
    digestOf(weighing("getTokenAccounts", 6, { owner: "b", limit: 3 }), health),
    digestOf(weighing("getTokenAccounts", 6), health),
    digestOf(accounts),
  ];
  expect(new Set([same, ...others]).size).toBe(5);
});

test("what isn't asked is left with its reason, and with its calls where they were counted", () => {
  const calls = [weighing("getWalletBalances", 3), weighing("getIndexerHealth", 1)];
  const dear = (operation: string): string | null => (isWalletRead(operation) ? "dear" : null);
  for (const [is, count] of [
    ["mix", 0],
    ["recording", 3],
  ] as const) {
    const left = withoutCalls(mixOf(calls, { is }), dear);
    expect(workloadReport(left)).toMatchObject({
      shares: { getIndexerHealth: 1 },
      left: [{ what: "getWalletBalances", calls: count, why: "dear" }],
    });
  }
});

test("samples are filled in with the first value that any target gives", () => {
  const targets = [{ owner: "A" }, { owner: "B", mint: "M", landedBundles: ["x", "y"] }].map((samples) =>
    targetWith({ samples }),
  );
  const template: Template = {
    owner: { $sample: "owner" },
    all: [{ mint: { $sample: "mint" } }, [{ $sample: "landedBundles/1" }], 3, null],
  };
  expect(filledFrom(template, targets)).toEqual({ owner: "A", all: [{ mint: "M" }, ["y"], 3, null] });
  expect(() => filledFrom({ $sample: "nobody" }, targets)).toThrow("no target gives /samples/nobody");
});

test("a free plan refuses the wallet reads that need a paid one, and no others", () => {
  const { keys, ...target } = targetWith({});
  const free = { ...target, keys: new Map([...keys].filter(([role]) => role === "free")) };
  const refused = ["getWalletIdentity", "batchWalletIdentity", "getWalletFundedBy", "getWalletBalances"].map(
    (operation) => planRefuses(operation, free) !== null,
  );
  expect(refused).toEqual([true, true, true, false]);
  expect(planRefuses("getWalletIdentity", { ...target, keys })).toBeNull();
});

test("a wallet read asks for its wallet with the owner's key, and a batch for its list", () => {
  const wallet = "5esGTe7gDxMcXo97WWuPRha9NDjvoVvf3bXkZeLRyUzv";
  const [balances, identities] = namedQuestions([
    { getWalletBalances: { wallet, query: { page: 2 } } },
    { batchWalletIdentity: [wallet, "ada.sol"] },
  ]);
  expect(balances?.requestSpec).toMatchObject({
    path: ["/v1/wallet/", { id: wallet }, "/balances"],
    query: [["page", "2"]],
    carriers: [{ key: { keyOf: "owner" } }],
  });
  expect(identities?.requestSpec).toMatchObject({
    json: { "$name:batchIdentity": [wallet, "ada.sol"] },
    carriers: [{ key: { keyOf: "owner" } }],
  });
});
