// Tests of properties: they find subtle mutants, shrink counterexamples and replay them
import { expect, test } from "@playwright/test";
import { suite as contracts } from "../../contracts/suite.ts";
import { casePathOf, type Generation } from "../../harness/core/generation.ts";
import { properties } from "../../property/generated/properties.ts";
import { examples, regressionsIn } from "../../property/regressions.ts";
import type { Call, WireAnswer } from "../../reference/platform/wire.ts";
import { subtle } from "../../reference/subtle.mutants.ts";
import { emptyFolder, expectCommandLineError } from "../support/assay.ts";
import { counterexamplesIn, expectReplayed, expectSavedAndReplayed, judged, nameOf } from "../support/inProcess.ts";
import type { Trial } from "../support/probeSpecs.ts";

const plain = { version: "legacy", transfers: 1 };
const account = { mint: 0, amount: "1", frozen: false };

/**
 * What the minimal case of each mutant matches: what it is found by. Requests hold samples, and other members beside
 * the wrong one; which of several kinds of value comes first is up to the draws, which change with each method.
 */
type MinimalCases = { readonly [id: string]: object };

/** One of each kind of generated input. */
const quick: MinimalCases = {
  "ids of 63 characters lose their last one": { id: " ".repeat(63) },
  "to calls numbered 0 a refusal for the key is worded otherwise": { id: 0, as: expect.anything() },
  "by query, prepaid use of less than a credit is told as none": {
    increments: [{ credits: expect.stringMatching(/^0\.50*$/), times: 1, pool: "prepaid" }],
  },
  "amounts of 19 digits are told as doubles": { amounts: ["1000000000000000001"] },
  "an owner or a mint is taken whatever it is wrapped in": {
    at: expect.stringMatching(/^\/(mint|owner)$/),
    keyword: "type",
  },
  "hashes of 33 bytes that begin with a zero are no request": { hash: "1".repeat(33) },
  "with prepaid use a credit is left at the limit": { use: { creditsLimit: 10, regular: "10", prepaid: "1" } },
  "key headers that begin small and end in a capital are lost": { header: "x-api-keY" },
  "requests that begin with their id are invalid": {
    request: { id: expect.anything(), jsonrpc: "2.0", method: expect.any(String) },
  },
};

const minimal: MinimalCases = {
  ...quick,
  "five transactions of unequal size in base58 are too many": {
    tips: 3,
    encoding: "base58",
    transactions: [plain, plain, plain, { ...plain, transfers: 2 }, plain],
  },
  "numbers below 32 bits come back positive": { id: -2_147_483_649 },
  "the last page by cursor lacks an account where it is full": { accounts: [account, account], limit: 1 },
  "an owner whose only account is frozen has none": { accounts: [{ ...account, frozen: true }] },
  "a thousand increments drift by a credit": {
    increments: [{ product: "rpc", credits: "0.0001", times: 1_001, pool: "regular" }],
  },
  "what is asked for a third time is unknown": { bundles: [{ known: 0 }, { known: 0 }, { known: 0 }] },
  "to calls whose id reads as a number bad parameters are worded otherwise": { id: "0" },
  "to calls whose id is a text too many are worded otherwise": {
    ids: expect.arrayContaining([expect.any(String)]),
    burst: 1,
  },
  "a mint beside options of nothing is refused": { params: { limit: 1, options: {} } },
  "addresses with a small l are no request": { text: expect.stringMatching(/^l1+21$/), isFirst: false },
  "of more than three addresses the last is proved by a turned path": {
    addresses: [1, 2, 3, 4].map(() => expect.any(String)),
  },
  "errors to requests whose method is a number are told by a text for a code": {
    keyword: "type",
    request: { jsonrpc: "2.0", id: expect.anything(), method: 0 },
  },
  "errors to methods that there aren't lose ids that are texts": {
    request: { jsonrpc: "2.0", id: "", method: expect.stringMatching(/^0et/) },
  },
  "of methods with a letter beyond ASCII the params are bad": {
    keyword: "pattern",
    request: { method: expect.stringMatching(/^[^ -~]/) },
  },
  "batches with an address of less than 43 characters are refused": {
    id: "WAL-BATCH-02",
    params: { entries: ["1".repeat(32)] },
  },
  "to bundle calls without a key numbers beyond 32 bits come back as texts": {
    method: "getBundleStatuses",
    id: -(2 ** 32 + 1),
  },
  "batches of 64 to 99 are refused": { wallets: 0, domains: 0, size: 64, turn: 0 },
};

test.describe("a mutant that examples miss is found, shrunk, and replayed by its line", () => {
  for (const mutant of subtle) {
    const about = properties.filter(({ ids }) => ids.includes(mutant.breaks));

    test(mutant.id, { tag: mutant.id in quick ? [] : "@slow" }, async () => {
      await expectReplayed(about, mutant, minimal[mutant.id] ?? "none is known", 30);
    });

    test(`${mutant.id}: no example shows it`, { tag: "@slow" }, async () => {
      const ofFeature = contracts.checks.filter(({ feature }) => feature === about[0]?.feature);
      expect((await judged(ofFeature, mutant)).broken).toEqual([]);
    });
  }
});

async function areSilent(generation: Generation): Promise<void> {
  // A property without cases at this scale judges nothing.
  const tried = properties.filter(({ needs }) => (needs.generates?.cases[generation.scale] ?? 0) > 0);
  const { verdicts } = await judged(tried, undefined, { generation });
  expect(verdicts.filter(({ verdict }) => verdict !== "holds")).toEqual([]);
}

test("the honest reference has no counterexample in a few cases", () => areSilent({ seed: 1, scale: "few" }));

test("the honest reference has none in as many as are usual", { tag: "@slow" }, () =>
  areSilent({ seed: 1, scale: "some" }),
);

for (const seed of [1, 2, 3])
  test(`the honest reference has none in thousands of cases from seed ${seed}`, { tag: "@slow" }, () => {
    // A minute alone, and twice that beside other work.
    test.setTimeout(360_000);
    return areSilent({ seed, scale: "many" });
  });

test("names of properties are unique, and regressions name one of them", () => {
  const names = properties.map(nameOf);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !casePathOf(`${name}:0`))).toEqual([]);
  expect(regressionsIn(examples).filter(({ property }) => !names.includes(property))).toEqual([]);
});

test("a refusal for its rate is no counterexample", async () => {
  const about = properties.filter((one) =>
    ["compressionEchoesTexts", "compressionRequestsTaken", "requestsOfUnknownMethods", "errorsWhole"].includes(
      nameOf(one),
    ),
  );
  const refusing = {
    id: "refusing all",
    answer: (answer: WireAnswer, { path }: Call) => (path === "/" ? { ...answer, status: 429 } : answer),
  };
  const { verdicts } = await judged(about, refusing);
  expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(["inconclusive"]));
});

test("where the budget ends shrinking, the finding says so", async () => {
  const [mutant] = subtle.filter(({ breaks }) => breaks === "RPC-ENV-03");
  const about = properties.filter(({ ids }) => ids.includes("RPC-ENV-03"));
  const { engine } = await judged(about, mutant);
  const budget = { requests: engine.spent.requests - 20 };
  const cut = await judged(about, mutant, { target: (target) => ({ ...target, budget }) });
  expect(counterexamplesIn(cut).map(({ isMinimal }) => isMinimal)).toContain(false);
});

test("as many cases as the budget covers are tried, and hold", async () => {
  const about = properties.filter((one) => nameOf(one) === "compressionEchoesNumbers");
  const target: Trial["target"] = (given) => ({ ...given, budget: { requests: 40 } });
  const { verdicts, engine } = await judged(about, undefined, { target });
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(["holds"]);
  expect(engine.spent.requests).toBe(40);
});

test("a plan counts the cases of each property and their requests", async () => {
  const about = properties.filter((one) => nameOf(one) === "batchesTaken");
  const { engine } = await judged(about, undefined, { generation: { seed: 1, scale: "some" } });
  expect(engine.plan).toMatchObject({ requests: 16, credits: 1_600 });
});

test("the printed line replays a case, and `--save` saves it", async () => {
  const folder = emptyFolder();
  const { replay, spent } = await expectSavedAndReplayed("BND-LIM-01.limit-4", folder);
  expect(replay).toMatch(
    /^npx assay run --mutant BND-LIM-01.limit-4 --only BND-LIM-01 --seed 1 --path bundlesTaken:[\d:]+$/,
  );
  expect(spent.requests).toBeLessThan(10);
  expect(regressionsIn(folder)).toMatchObject([
    { property: "bundlesTaken", values: { transactions: [plain, plain, plain, plain, plain] } },
    {
      property: "sendBundleServes_BND_LIM_01",
      values: { params: [[1, 2, 3, 4, 5].map((nth) => expect.stringContaining(`base58 transaction ${nth} of 5`))] },
    },
  ]);
});

test("a path that names no case is a command line error", async () => {
  for (const [path, says] of [
    ["bundlesTakn:0", 'did you mean "bundlesTaken"?'],
    ["3", "which names no case"],
  ] as const) {
    await expectCommandLineError(["run", "--only", "BND-LIM-01", "--path", path], says);
  }
});
