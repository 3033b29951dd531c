// Tests of stateful properties: mutants that only a sequence shows, and right platforms that pass
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { allOf, http, platform } from "../support/choices.ts";
import {
  counterexamplesIn,
  expectReplayed,
  expectSavedAndReplayed,
  judged,
  named,
  restored,
} from "../support/inProcess.ts";
import { asVendor, type Choice, keysOf, type Outcome, outcomeOf, planOf } from "../support/probeSpecs.ts";
import { mutantsOutside, requirementOf, variantNamed } from "../support/wallets.ts";

const some = { generation: { seed: 1, scale: "some" } } as const;
const sequential = mutantsOutside("sequences");
const [statefulUse, statefulLimits, statefulReads] = [
  named("statefulUse"),
  named("statefulLimits"),
  named("statefulReads"),
];
const isStateful = named("statefulUse", "statefulLimits", "statefulReads");

const turn = { do: "pass", project: "main", how: "to the next cycle" };
const survey = { do: "survey" };
const compression = { do: "rpc", as: "main", method: "getCompressedBalance" };
const send = { do: "send", as: "main" };
const burst = (as: string, of: string, size: number) => ({ do: "burst", as, of, size });
const preConfirmations = { do: "consume", project: "main", product: "preConfirmations", pool: "regular" };
const use = (credits: string) => ({ ...preConfirmations, credits });

/** The minimal sequence that finds each mutant: each of its commands is needed. */
const shortest: { readonly [id: string]: readonly object[] } = {
  "compression calls aren't counted in the cycle after one with some": [compression, turn, compression, survey],
  "a fraction of a credit comes back in the next cycle, with the product's next use": [
    use("0.75"),
    turn,
    use("1"),
    survey,
  ],
  "in the cycle after one with a bundle, other projects' wallet calls count too": [
    { do: "send", as: "free" },
    { do: "pass", project: "free", how: "to the next cycle" },
    { do: "wallet", as: "main", keyIn: "header", call: "balances" },
    { do: "read", as: "free" },
  ],
  "bundles are forgotten once their project has sent five more": [send, send, send, send, send, send, survey],
  "in the cycle after one with too many bundles at once, four a second are served": [
    burst("main", "bundles", 12),
    turn,
    { do: "rest" },
    burst("main", "bundles", 5),
  ],
};

/** Mutants of limits are found by the stateful test of limits. */
const finding = ({ breaks }: { readonly breaks: string }) =>
  breaks.startsWith("RATE-") ? statefulLimits : statefulUse;

/** Shrinking a sequence takes seconds; those of limits are short. */
test.describe("a mutant that only a sequence shows", { tag: "@slow" }, () => {
  for (const mutant of sequential) {
    test(`${mutant.id}: it is found, shrunk, and replayed by its line`, async () => {
      const values = { commands: shortest[mutant.id] ?? "none is known" };
      const { path } = await expectReplayed(finding(mutant), mutant, values, 60);
      expect(path).toMatch(/^[\d:]+@[\w+/]+:[\w+/]+$/);
    });

    test(`${mutant.id}: no example shows it, nor any other property`, async () => {
      expect((await judged((check) => !isStateful(check), mutant, some)).broken).toEqual([]);
    });
  }
});

/** The minimal sequence that finds each mutant of a limit. */
const limitSequences: { readonly [id: string]: readonly object[] } = {
  "RATE-ADM-01.limit-4": [burst("main", "usage", 5)],
  "RATE-ADM-02.no-limit": [burst("main", "usage", 12)],
  "RATE-ADM-04.latched": [burst("main", "usage", 12), survey],
  "RATE-SB-01.limit-4": [burst("main", "bundles", 5)],
  "RATE-SB-02.no-limit": [burst("main", "bundles", 12)],
  "RATE-SB-04.global": [send, burst("other", "bundles", 5)],
};

for (const [id, commands] of Object.entries(limitSequences)) {
  // The last takes longest to shrink.
  const tag = id === "RATE-SB-04.global" ? "@slow" : [];
  test(`a broken limit is found, and its requirement named: ${id}`, { tag }, async () => {
    const found = await judged(statefulLimits, variantNamed(id));
    expect(found.broken).toEqual([requirementOf(id)]);
    expect(counterexamplesIn(found)).toMatchObject([{ property: "statefulLimits", values: { commands } }]);
  });
}

test("a sequence is found, shrunk, replayed by its line, and masks what its check proves besides", async () => {
  const [id, commands] = ["RATE-ADM-02.no-limit", [burst("main", "usage", 12)]] as const;
  const mutant = { ...variantNamed(id), breaks: requirementOf(id), also: [] };
  const found = await judged(statefulLimits, mutant);
  const others = found.verdicts.filter(({ verdict }) => verdict !== "broken");
  expect(new Set(others.map(({ verdict, reason }) => `${verdict}: ${reason}`))).toEqual(
    new Set([`withheld: ${mutant.breaks} is broken`]),
  );
  const { path } = await expectReplayed(statefulLimits, mutant, { commands }, 60, Promise.resolve(found));
  expect(path).toMatch(/^[\d:]+@[\w+/]+:[\w+/]+$/);
});

test.describe("one finding", { tag: "@slow" }, () => {
  const [mutant] = sequential;
  if (!mutant) throw new Error("there is no mutant");
  let found: Outcome;
  test.beforeAll(async () => {
    found = await judged(statefulUse, mutant);
  });

  test("it breaks the requirement that it is about, and masks the check's others", () => {
    expect(found.broken).toEqual([mutant.breaks]);
    const others = found.verdicts.filter(({ verdict }) => verdict !== "broken");
    expect(new Set(others.map(({ verdict, reason }) => `${verdict}: ${reason}`))).toEqual(
      new Set([`withheld: ${mutant.breaks} is broken`]),
    );
  });

  test("it says so where the budget ended shrinking", async () => {
    const budget = { requests: found.engine.spent.requests - 60 };
    const cut = await judged(statefulUse, mutant, { target: (target) => ({ ...target, budget }) });
    expect(counterexamplesIn(cut).map(({ isMinimal }) => isMinimal)).toEqual([false]);
  });

  test("a sequence of a regression is restored as it was written", async () => {
    const [counterexample] = counterexamplesIn(found);
    if (!counterexample) throw new Error("nothing was found");
    const { values } = counterexample;
    expect(await restored(counterexample, [mutant, undefined])).toEqual([
      { outcome: "broken", values },
      { outcome: "held", values },
    ]);
  });
});

test("the printed line replays a sequence, and `--save` saves it", { tag: "@slow" }, async () => {
  const id = "AUTH-ADM-OWN-04";
  const { replay, counterexample, folder, saved } = await expectSavedAndReplayed(`${id}.owner-key-only`);
  const [command, path] = replay.split(" --path ");
  expect(command).toBe(`npx assay run --mutant ${id}.owner-key-only --only ${id} --seed 1`);
  expect(path).toMatch(/^statefulUse:[\d:]+@[\w+/]+:[\w+/]+$/);
  const [file] = saved.filter(({ property }) => property === "statefulUse");
  expect(file?.values).toEqual(counterexample?.values);
  expect(readFileSync(join(folder, `${file?.file}.json`), "utf8")).toContain('"do": "survey"');
});

/** Other choices of unspecified behaviour, and charges that show late. */
const faithful: { readonly [title: string]: Parameters<typeof platform>[0] } = {
  "shows charges after 30 s": { metering: { lag_ms: 30_000 } },
  "shows charges every 10 s, 2 s late": { metering: { together_ms: 10_000, lag_ms: 2_000 } },
  "shows usage as of the last 10 s": { metering: { cached_ms: 10_000 } },
  "reads from replicas 8 s behind, 1 s late": { metering: { replica_ms: 8_000, lag_ms: 1_000 } },
  "counts the reads, 5 s late": { choices: { usageReads: "counted" }, metering: { lag_ms: 5_000 } },
  "charges what it refuses": { metering: { refused: "charged" } },
  "counts and prices calls otherwise": {
    metering: {
      products: { tokenAccounts: "enhancedApi", bundles: "archival" },
      prices: { tokenAccounts: "0.3", compression: "2.7", bundles: "0" },
    },
  },
  "spends prepaid credits first and shows exact totals": {
    metering: { pools: "prepaid ones first" },
    rounding: { totals: "exact" },
  },
  "rounds halves to the even credit": { rounding: { last: "half even" } },
  "keeps statuses for five minutes and tells of a bundle once it is final": {
    rpc: { bundles: { choices: { statuses: { kept_ms: 300_000, stages: "finalized alone" } } } },
  },
};

const silentOn = async (
  variant: Choice | undefined,
  seed: number,
  scale: "many" | "some",
  checks = statefulUse,
): Promise<void> => {
  const { verdicts } = await judged(checks, variant, { generation: { seed, scale } });
  expect(verdicts.filter(({ verdict }) => verdict !== "holds")).toEqual([]);
  expect(verdicts.length).toBeGreaterThan(20);
};

for (const [title, rules] of Object.entries(faithful)) {
  const mutant = platform(rules);
  test(`a platform that ${title} produces no finding`, () => silentOn(mutant, 1, "some"));
  test(`a platform that ${title} produces no finding in thousands of commands`, { tag: "@slow" }, () =>
    silentOn(mutant, 1, "many", named("statefulUse", "statefulLimits")),
  );
}

// Which of them a platform uses is unspecified (OBS-RATE-ALGO).
for (const [nth, limiter] of allOf("limiter").entries()) {
  test(`a limiter that counts by ${limiter} produces no finding`, { tag: "@slow" }, () =>
    silentOn(http({ limiter }), 2 + nth, "many", statefulLimits),
  );
}

test("a usage limit that JSON-RPC calls use up as well produces no finding", { tag: "@slow" }, () =>
  silentOn(http({ usageBudget: "JSON-RPC calls too" }), 3, "many", statefulLimits),
);

test("bursts are generated in this process only, not on a port", async () => {
  const { verdicts, engine } = await judged(statefulLimits, undefined, some);
  expect(new Set(verdicts.map(({ verdict, reason }) => `${verdict}: ${reason}`))).toEqual(
    new Set(["withheld: nothing was judged"]),
  );
  expect(engine.spent.requests).toBeLessThan(10);
});

test("the honest platform produces no finding in thousands of commands", { tag: "@slow" }, () =>
  silentOn(undefined, 4, "many"),
);

/** After a foreign key asked for a project, the project's own key is refused twice if it comes in the query. */
const takenForAnother: NonNullable<Choice["proxy"]> = (serve) => {
  const refusals = new Map<string, number>();
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const answered = await serve(request);
    if (answered.status === 400) refusals.set(pathname, 2);
    const left = refusals.get(pathname) ?? 0;
    if (answered.status !== 200 || !searchParams.has("api-key") || left === 0) return answered;
    refusals.set(pathname, left - 1);
    const body = { statusCode: 401, message: "Missing or invalid API key", error: "Unauthorized" };
    return {
      ...answered,
      status: 401,
      headers: [...answered.headers, ["www-authenticate", "ApiKey"] as const],
      body: new TextEncoder().encode(JSON.stringify(body)),
    };
  };
};

test.describe("on a vendor, with its own keys and without cost", () => {
  const onVendor = (scale: "many" | "few", variant?: Choice): Promise<Outcome> =>
    judged(named("statefulUse", "statefulReads"), variant, { generation: { seed: 1, scale }, target: asVendor() });

  test("a few reads produce no finding, and besides them only auth sanity checks are sent", async () => {
    const { verdicts, held, exchanges, engine } = await onVendor("few");
    const { checks } = planOf({ suite: "everything", checks: statefulReads });
    expect(held.toSorted()).toEqual(checks.flatMap(({ check }) => check.ids).toSorted());
    expect(new Set(verdicts.filter(({ verdict }) => verdict !== "holds").map(({ reason }) => reason))).toEqual(
      new Set(["not testable from outside (needs a test project with prepared billing data)"]),
    );
    expect(new Set(exchanges.map(({ sent, requestSpec }) => `${sent.method} ${requestSpec.api}`))).toEqual(
      new Set(["GET admin"]),
    );
    expect(exchanges.length).toBeLessThan(50);
    expect(engine.spent.credits).toBe(0);
  });

  test("a key that is refused after a foreign read is found", async () => {
    const found = await onVendor("many", { id: "taken for another", proxy: takenForAnother });
    const [counterexample] = counterexamplesIn(found);
    expect(found.broken).toEqual(["AUTH-ADM-QRY-01"]);
    expect(counterexample?.values).toEqual({
      commands: [
        { do: "read", as: "paid", keyIn: "query" },
        { do: "refused", how: "foreign", of: "paid", keyIn: "header" },
        { do: "read", as: "paid", keyIn: "query" },
      ],
    });
  });
});

test("without a key of another project nothing shows that such a key is refused", async () => {
  const target = asVendor((given) => ({ keys: keysOf(given, "paid") }));
  const { verdicts } = await outcomeOf({ suite: "everything", checks: statefulReads, observe: [], target });
  const verdictOn = (id: string) => verdicts.find((one) => one.id === id)?.verdict;
  expect(["AUTH-ADM-UNKN-01", "AUTH-ADM-OWN-01"].map(verdictOn)).toEqual(["holds", "withheld"]);
});
