// Tests of properties: they find subtle mutants, shrink counterexamples and replay them
import { expect, test } from "@playwright/test";
import { expectCommandLineError } from "../support/assay.ts";
import { answers } from "../support/choices.ts";
import {
  about,
  counterexamplesIn,
  exampleNames,
  expectReplayed,
  expectSavedAndReplayed,
  featuresOf,
  judged,
  named,
  propertyNames,
} from "../support/inProcess.ts";
import { asVendor, outcomeOf, type Trial } from "../support/probeSpecs.ts";
import { mutantsOutside } from "../support/wallets.ts";

const subtle = mutantsOutside("cases");

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
    test(mutant.id, { tag: mutant.id in quick ? [] : "@slow" }, async () => {
      await expectReplayed(about(mutant.breaks), mutant, minimal[mutant.id] ?? "none is known", 30);
    });

    test(`${mutant.id}: no example shows it`, { tag: "@slow" }, async () => {
      const [feature] = featuresOf(about(mutant.breaks));
      const examples: Trial = { suite: "contracts", checks: (check) => check.feature === feature };
      expect((await outcomeOf({ ...examples, choice: mutant, observe: [] })).broken).toEqual([]);
    });
  }
});

async function areSilent(generation: NonNullable<Trial["generation"]>): Promise<void> {
  // A property without cases at this scale judges nothing.
  const { verdicts } = await judged(({ needs }) => (needs.generates?.cases[generation.scale] ?? 0) > 0, undefined, {
    generation,
  });
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
  const names = propertyNames().map(({ name }) => name);
  expect(names.length).toBeGreaterThan(50);
  expect(new Set(names).size).toBe(names.length);
  expect(propertyNames().filter(({ isPath }) => !isPath)).toEqual([]);
  expect(exampleNames().filter((name) => !names.includes(name))).toEqual([]);
});

test("a refusal for its rate is no counterexample", async () => {
  const asked = named("compressionEchoesTexts", "compressionRequestsTaken", "requestsOfUnknownMethods", "errorsWhole");
  const refusing = answers((answer, { path }) => (path === "/" ? { ...answer, status: 429 } : answer));
  const { verdicts } = await judged(asked, refusing);
  expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(["inconclusive"]));
});

test("where the budget ends shrinking, the finding says so", async () => {
  const [mutant] = subtle.filter(({ breaks }) => breaks === "RPC-ENV-03");
  const { engine } = await judged(about("RPC-ENV-03"), mutant);
  const budget = { requests: engine.spent.requests - 20 };
  const cut = await judged(about("RPC-ENV-03"), mutant, { target: (target) => ({ ...target, budget }) });
  expect(counterexamplesIn(cut).map(({ isMinimal }) => isMinimal)).toContain(false);
});

test("as many cases as the budget covers are tried, and hold", async () => {
  const target: Trial["target"] = (given) => ({ ...given, budget: { requests: 40 } });
  const { verdicts, engine } = await judged(named("compressionEchoesNumbers"), undefined, { target });
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(["holds"]);
  expect(engine.spent.requests).toBe(40);
});

test("a plan counts the cases of each property and their requests", async () => {
  const { engine } = await judged(named("batchesTaken"), undefined, { generation: { seed: 1, scale: "some" } });
  // 16 calls, two to distinguish callers, one for the audit, whose reads cost nothing; a tenth in reserve.
  expect(engine.plan).toMatchObject({ requests: 41, credits: 1_980 });
});

test("the printed line replays a case, and `--save` saves it", async () => {
  const { replay, spent, saved } = await expectSavedAndReplayed("BND-LIM-01.limit-4");
  expect(replay).toMatch(
    /^npx assay run --mutant BND-LIM-01.limit-4 --only BND-LIM-01 --seed 1 --path bundlesTaken:[\d:]+$/,
  );
  expect(spent.requests).toBeLessThan(10);
  expect(saved).toMatchObject([
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
    ["3", "which isn't a case"],
  ] as const) {
    await expectCommandLineError(["run", "--only", "BND-LIM-01", "--path", path], says);
  }
});

test("what is made of samples that can't be varied is withheld, and no failure of ours", async () => {
  const target = asVendor(({ samples }) => ({
    perSecond: 1_000,
    samples: { ...samples, compressed: [{ hash: "abc" }] },
  }));
  const { verdicts } = await outcomeOf({
    suite: "everything",
    checks: ({ ids, needs }) =>
      ids.includes("ERR-CMP-32602") && needs.generates?.property.includes("Failing") === false,
    observe: [],
    target,
  });
  const reason = "values can't be generated: no valid params of getCompressedBalance among 10,000";
  expect(verdicts).toMatchObject([{ id: "ERR-CMP-32602", verdict: "withheld", reason }]);
});
