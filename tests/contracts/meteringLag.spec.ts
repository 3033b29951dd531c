// Are charges judged rightly on a vendor whose figures show late, in heaps, from caches or replicas, or count the reads themselves? The reference plays the vendor.
import { expect, test } from "@playwright/test";
import { suite } from "../../contracts/suite.ts";
import { Engine } from "../../harness/engine/engine.ts";
import type { Target } from "../../harness/target/target.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { select } from "../../proof/mutants.ts";
import type { MeteringChange } from "../../reference/platform/meteringRules.ts";
import type { Variant } from "../../reference/platform/mutant.ts";
import type { RuleChange } from "../../reference/platform/rules.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";

/** Rows that are judged by growing figures, on a vendor too. */
const metered: readonly RequirementId[] = [
  "MET-CRED-01",
  "MET-WAL-01",
  "MET-WAL-02",
  "MET-WAL-03",
  "MET-WAL-04",
  "MET-WAL-05",
  "AUTH-ALL-02",
  "MET-SCOPE-01",
  "MET-SCOPE-02",
  "MET-CONC-01",
  "MET-CMP-01",
  "MET-REQ-01",
];

interface Judged {
  readonly broken: readonly string[];
  readonly held: readonly string[];
  readonly reasons: ReadonlyMap<string, string | null>;
  /** Virtual time that it took, in s. */
  readonly took_s: number;
}

const offered: Target["offers"] = ["usage", "wallet", "compression", "tokenAccounts"];

/** Without control: nothing says that it is the reference. */
async function judgedOn(
  rules: RuleChange,
  {
    variant,
    only = metered,
    offers = offered,
  }: { variant?: Variant; only?: readonly RequirementId[]; offers?: Target["offers"] } = {},
): Promise<Judged> {
  const { metering, choices } = rules;
  const both = {
    ...variant?.rules,
    metering: { ...variant?.rules?.metering, ...metering },
    choices: { ...variant?.rules?.choices, ...choices },
  };
  const { target, clock, ...rest } = inProcess(suite, { ...variant, id: variant?.id ?? "a slow vendor", rules: both });
  const { control: _, ...vendor } = target;
  const began_ms = clock.now_ms();
  const verdicts = await new Engine({
    ...rest,
    clock,
    target: { ...vendor, isReference: false, offers },
    only,
    observe: [],
    impliedFails: true,
  }).run();
  const idsOf = (wanted: string): string[] =>
    verdicts.filter(({ verdict, id }) => verdict === wanted && only.includes(id)).map(({ id }) => id);
  return {
    broken: idsOf("broken"),
    held: idsOf("holds"),
    reasons: new Map(verdicts.map(({ id, reason }) => [id, reason])),
    took_s: Math.round((clock.now_ms() - began_ms) / 1000),
  };
}

const late = (metering: MeteringChange): RuleChange => ({ metering });
const selfCounted: RuleChange = { choices: { usageReads: "counted" } };

/** Vendors whose charges show within a minute: all is decided there. */
const vendors: readonly (readonly [title: string, rules: RuleChange])[] = [
  ["shows charges at once", {}],
  ["shows charges after 1 s", late({ lag_ms: 1_000 })],
  ["shows charges after 5 s", late({ lag_ms: 5_000 })],
  ["shows charges after 30 s", late({ lag_ms: 30_000 })],
  ["shows charges every 10 s", late({ together_ms: 10_000 })],
  ["shows charges every 10 s, 2 s late", late({ together_ms: 10_000, lag_ms: 2_000 })],
  ["shows usage as of the last 10 s", late({ cached_ms: 10_000 })],
  ["reads every other time from a replica 3 s behind", late({ replica_ms: 3_000 })],
  ["reads every other time from a replica 8 s behind, 1 s late", late({ replica_ms: 8_000, lag_ms: 1_000 })],
  ["counts the reads", selfCounted],
  ["counts the reads, 5 s late", { ...selfCounted, ...late({ lag_ms: 5_000 }) }],
  ["counts the reads, every 10 s", { ...selfCounted, ...late({ together_ms: 10_000 }) }],
];

for (const [title, rules] of vendors) {
  test(`an honest vendor that ${title} is verified`, async () => {
    const { broken, held, reasons } = await judgedOn(rules);
    expect(broken).toEqual([]);
    expect([...held].sort()).toEqual(metered.filter((id) => id !== "MET-REQ-01").sort());
    expect(reasons.get("MET-REQ-01")).toBe("no control over the platform");
  });
}

/** mutants of what is charged: too little, too much, elsewhere, at once. */
const mutants: readonly (readonly [id: string, only: RequirementId])[] = [
  ["MET-WAL-01.balances-10", "MET-WAL-01"],
  ["MET-WAL-01.batch-per-item", "MET-WAL-01"],
  ["MET-WAL-01.first-free", "MET-WAL-01"],
  ["MET-WAL-01.post-free", "MET-WAL-01"],
  ["MET-WAL-02.batch-n", "MET-WAL-02"],
  ["MET-WAL-05.also-rpc", "MET-WAL-05"],
  ["MET-CMP-01.per-address", "MET-CMP-01"],
  ["MET-CMP-01.health-uncounted", "MET-CMP-01"],
  ["MET-SCOPE-01.global-counter", "MET-SCOPE-01"],
  ["MET-SCOPE-02.per-key", "MET-SCOPE-02"],
  ["MET-CONC-01.lost-update", "MET-CONC-01"],
  ["AUTH-ALL-02.query-unattributed", "AUTH-ALL-02"],
];
const mutatedPlatforms: readonly (readonly [title: string, rules: RuleChange])[] = [
  ["shows charges at once", {}],
  ["shows charges after 5 s", late({ lag_ms: 5_000 })],
  ["shows charges every 10 s", late({ together_ms: 10_000 })],
];

for (const [id, only] of mutants) {
  for (const [title, rules] of mutatedPlatforms) {
    test(`${id} is found on a vendor that ${title}`, async () => {
      const [variant] = select([id]).mutants;
      if (!variant) throw new Error(`no mutant ${id}`);
      expect((await judgedOn(rules, { variant, only: [only] })).broken).toEqual([only]);
    });
  }
}

for (const [title, lag_ms] of [
  ["after 120 s", 120_000],
  ["longer after than any run takes", 86_400_000],
] as const) {
  test(`charges that show ${title} are withheld, with how long was waited`, async () => {
    const { broken, held, reasons, took_s } = await judgedOn(late({ lag_ms }));
    expect({ broken, held }).toEqual({ broken: [], held: [] });
    for (const id of metered)
      expect(reasons.get(id)).toMatch(id === "MET-REQ-01" ? /no control/ : /^unsettled: .*\d+ s/);
    expect(took_s).toBeLessThan(300);
  });
}

test("calls that aren't metered at all are withheld on a vendor, and leave wallets to be judged", async () => {
  const { broken, held, reasons } = await judgedOn(late({ rpc: "not metered" }));
  expect(broken).toEqual([]);
  expect(reasons.get("MET-CMP-01")).toMatch(/^unsettled: /);
  expect(held).toContain("MET-WAL-01");
});

test("the reference that shows charges late draws no finding", async () => {
  for (const metering of [
    { lag_ms: 3_000 },
    { together_ms: 5_000 },
    { cached_ms: 5_000 },
    { replica_ms: 2_000 },
  ] satisfies MeteringChange[]) {
    const options = inProcess(suite, { id: "a slow reference", rules: { metering } });
    const verdicts = await new Engine({ ...options, only: metered, observe: [] }).run();
    expect(verdicts.filter(({ verdict }) => verdict === "broken").map(({ id }) => id)).toEqual([]);
    expect(verdicts.filter(({ verdict }) => verdict === "holds").length).toBeGreaterThan(10);
  }
});
