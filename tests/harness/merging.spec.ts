// Merging: all shards of a run together find what the whole run finds, and one that is missing is never green.
import { expect, test } from "@playwright/test";
import { suite } from "../../cli/suite.ts";
import type { RequirementId } from "../../harness/core/interface.ts";
import type { Held } from "../../harness/engine/sharding.ts";
import { citedBy } from "../../harness/model/check.ts";
import { type Observed, observedTogether } from "../../harness/model/probe.ts";
import { exitCodeOf, unjudged, type Verdict } from "../../harness/model/verdict.ts";
import type { ExchangeRecord, JournalLine } from "../../harness/record/journal.ts";
import type { Run } from "../../harness/record/run.ts";
import { nothingSpent, sumOf } from "../../harness/target/budget.ts";
import type { Target } from "../../harness/target/target.ts";
import { mutants } from "../../reference/generated/mutants.ts";
import type { MutantId } from "../../specs/generated/requirements.ts";
import {
  foundIn,
  type Judged,
  judgedIn,
  mergedRun,
  runIn,
  type Sharded,
  shardsIn,
  stimuliOf,
} from "../support/shards.ts";

const idsLike = (pattern: RegExp): readonly RequirementId[] =>
  [...new Set(suite.checks.flatMap(citedBy))].filter((id) => pattern.test(id));

const some = idsLike(/^(CYC|NAP|IH|CB)-/);
/** Bundles are made anew in each run, so that their requests differ. */
const withoutBundles = (target: Target): Target => ({ ...target, offers: ["usage", "compression"] });

/** Whether keys count, by two requests a feature, and the charges of three projects, before and after. */
const sentByEach = (features: number): number => 2 * (features + 3);

/** So many shards together find what the whole run does, for what it spends. */
async function expectSame(sharded: Sharded, counts: readonly number[], features: number): Promise<readonly Run[]> {
  const runs: Run[] = [];
  const judged = await judgedIn(sharded, null);
  const whole = runIn(judged);
  for (const of of counts) {
    const shards = await shardsIn(sharded, of);
    const { run, spent } = mergedRun(shards);
    expect(foundIn(run)).toEqual(foundIn(whole));
    expect(run.totals).toEqual(whole.totals);
    expect(spent).toEqual(sumOf(shards.map((one) => one.spent)));
    const more = spent.requests - judged.spent.requests;
    expect(more).toBeGreaterThanOrEqual(0);
    // How often a made project is read until a charge shows may differ by one.
    expect(more).toBeLessThanOrEqual((of - 1) * sentByEach(features) + 1);
    expect(run.shards).toMatchObject({ of, missing: [] });
    runs.push(run);
  }
  return [whole, ...runs];
}

test("three shards of some areas together find, observe and send what the whole run does", async () => {
  const [whole, merged] = (await expectSame({ only: some, target: withoutBundles }, [3], 2)).map((run) =>
    stimuliOf(run),
  );
  expect(merged).toEqual(whole);
});

test("shards of a whole run together find and observe what the whole run does", { tag: "@slow" }, async () => {
  test.setTimeout(600_000);
  await expectSame({}, [2, 3, 5], 5);
});

test("each verdict in a merged run names the exchanges that its shard judged", async () => {
  const shards = await shardsIn({ only: some, target: withoutBundles }, 3);
  const { run } = mergedRun(shards);
  const namesIn = ({ requirements, exchanges }: Run) => {
    const byNumber = new Map(exchanges.map((one) => [one.number, `${one.title} ${one.stimulus}`]));
    return requirements.map(({ id, exchanges: own }) => ({ id, exchanges: own.map((number) => byNumber.get(number)) }));
  };
  const separate = shards.flatMap((one) => namesIn(runIn(one)));
  for (const one of namesIn(run)) expect(separate).toContainEqual(one);
  expect(new Set(run.exchanges.map(({ number }) => number)).size).toBe(run.exchanges.length);
});

for (const [name, tag] of [
  ["CYC-PRES-01.omit-on-free", "@slow"],
  ["NAP-MAP-01.drops-last", []],
  ["IH-LAG-02.ge-threshold", "@slow"],
] as readonly (readonly [MutantId, string | string[]])[])
  test(`${name} is found by the merge of two and of three shards as by the whole run`, { tag }, async () => {
    const variant = mutants.find(({ id }) => id === name);
    expect(variant).toBeDefined();
    const brokenIn = ({ requirements }: Run) =>
      requirements.filter(({ verdict }) => verdict === "broken").map(({ id, enforced }) => [id, enforced]);
    const whole = runIn(await judgedIn({ variant, only: some, target: withoutBundles }, null));
    expect(brokenIn(whole).length).toBeGreaterThan(0);
    for (const of of [2, 3]) {
      const { run } = mergedRun(await shardsIn({ variant, only: some, target: withoutBundles }, of));
      expect(brokenIn(run)).toEqual(brokenIn(whole));
      expect(exitCodeOf(run.requirements, true)).toBe(1);
    }
  });

test("a breach counts that only a shard finds which doesn't hold the requirement", async () => {
  const variant = mutants.find(({ id }) => id === "USG-INT-02.negative-correction");
  const shards = await shardsIn({ variant, only: idsLike(/^(USG|CYC|AUTH-ADM)-/), target: withoutBundles }, 2);
  const holds = ({ start }: Judged): boolean =>
    start.shard?.held[start.shard.nth - 1]?.requirements.includes("USG-INT-02") === true;
  const brokenIn = ({ requirements }: Run) =>
    requirements.filter(({ id, verdict }) => id === "USG-INT-02" && verdict === "broken");
  const [others, holders] = [shards.filter((one) => !holds(one)), shards.filter(holds)];
  expect(others.flatMap((one) => brokenIn(runIn(one)))).toHaveLength(1);
  // As if the holder's own exchanges hadn't shown it.
  const honest = holders.map((one) => ({
    ...one,
    lines: one.lines.map((line) =>
      line.record === "verdict" && line.verdict.id === "USG-INT-02"
        ? { ...line, verdict: { ...line.verdict, verdict: "holds", breaches: [] } as const }
        : line,
    ),
  }));
  expect(brokenIn(mergedRun(honest).run)).toEqual([]);
  expect(
    brokenIn(mergedRun(shards.map((one) => honest.find(({ start }) => start === one.start) ?? one)).run),
  ).toHaveLength(1);
});

test("what a missing shard held is withheld, and the run is incomplete", async () => {
  const shards = await shardsIn({ only: some, target: withoutBundles }, 3);
  const { held = [] } = shards[0]?.start.shard ?? {};
  const nth =
    1 + held.findIndex(({ requirements, observations }) => requirements.length > 0 && observations.length > 0);
  const { requirements = [], observations = [] } = held[nth - 1] ?? {};
  expect(observations.length).toBeGreaterThan(0);
  const { run } = mergedRun(shards.filter(({ start }) => start.shard?.nth !== nth));
  const lost = { reason: `shard ${nth} of 3 is missing`, verdict: "withheld" };
  expect(
    run.requirements
      .filter(({ reason }) => reason === lost.reason)
      .map(({ id }) => id)
      .sort(),
  ).toEqual([...requirements].sort());
  expect(
    run.observations
      .filter(({ reason }) => reason === lost.reason)
      .map(({ id }) => id)
      .sort(),
  ).toEqual([...observations].sort());
  expect(run).toMatchObject({ complete: false, cutShort: lost.reason, exitCode: 3, shards: { missing: [nth] } });
});

/** A shard that has sent one request, and what it records besides. */
function shardWith(nth: number, held: readonly Held[], ...own: readonly JournalLine[]): Judged {
  const start = { ...made.start, planned: [], shard: { nth, held, isStrict: false, intermittentFails: false } };
  const exchange: JournalLine = { record: "exchange", exchange: { number: 1 } as ExchangeRecord };
  return { start, lines: [start, exchange, ...own, ended], spent: nothingSpent };
}

/** Two shards of a run, of which the first holds a requirement, with what they say of it. */
function withVerdicts(own: Verdict | null, other: Verdict): Run {
  const held: readonly Held[] = [
    { requirements: ["CYC-PRES-01"], observations: [] },
    { requirements: [], observations: [] },
  ];
  const shard = (nth: number, verdict: Verdict): Judged =>
    shardWith(nth, held, { record: "verdict", verdict, spent: nothingSpent });
  return mergedRun([...(own ? [shard(1, own)] : []), shard(2, other)]).run;
}

const ended: JournalLine = { record: "end", endedAt: "2026-01-15T10:00:01.000Z", spent: nothingSpent, exitCode: 0 };
let made: Judged;
test.beforeAll(async () => {
  made = await judgedIn({ only: [], observe: [] }, null);
});

const breach = (at: string) =>
  ({ outcome: "broken", at, expected: "an object", got: { is: "absent" }, exchange: 1, causedBy: [] }) as const;
const plain = { ...unjudged("CYC-PRES-01"), reason: null };
const holds: Verdict = { ...plain, verdict: "holds" };
const broken: Verdict = { ...plain, verdict: "broken", breaches: [breach("/a")] };
const deviates: Verdict = { ...plain, verdict: "deviates", breaches: [breach("/b")] };

for (const [title, own, other, verdict, places] of [
  ["breaks what holds in the shard that has it", holds, broken, { verdict: "broken", enforced: "fail" }, ["/a"]],
  ["breaks what a missing shard held", null, broken, { verdict: "broken", enforced: "fail" }, ["/a"]],
  ["breaks what was withheld", plain, broken, { verdict: "broken", enforced: "fail" }, ["/a"]],
  ["adds its places to others", broken, { ...broken, breaches: [breach("/c")] }, { verdict: "broken" }, ["/a", "/c"]],
  ["counts more than a warning", { ...broken, enforced: "warn" }, broken, { enforced: "fail" }, ["/a", "/a"]],
  ["that is known doesn't mend another", broken, deviates, { verdict: "broken" }, ["/a", "/b"]],
  ["shows that a known deviation isn't gone", { ...broken, breaches: [] }, deviates, { verdict: "deviates" }, ["/b"]],
] as const)
  test(`a breach in the answers to one shard ${title}`, () => {
    const [judged] = withVerdicts(own, other).requirements;
    expect(judged).toMatchObject(verdict);
    expect(judged?.breaches.map(({ at }) => at)).toEqual(places);
  });

test("a breach keeps its exchange, whichever shard it is of", () => {
  const [judged] = withVerdicts(broken, broken).requirements;
  expect(judged?.breaches.map(({ exchange }) => exchange)).toEqual([1, 2]);
});

const print = { operation: null, case: "a", status: 200 } as never;
const saw = (...values: Observed["values"]): Observed => ({
  ...{ id: "OBS-HTTP-HEAD", features: [], values, reason: values.length > 0 ? null : "no such answer came twice" },
  state: values.length === 0 ? "withheld" : values.length === 1 ? "stable" : "unstable",
});
const single = (summary: Observed["values"][number]["summary"]) => ({ summary, fingerprints: [print] });

for (const [title, own, other, is] of [
  ["what only the other saw counts", saw(), saw(single({ a: 1 })), saw(single({ a: 1 }))],
  ["what both saw stands once", saw(single({ a: [1, 2] })), saw(single({ a: [1, 2] })), saw(single({ a: [1, 2] }))],
  ["what single answers show is joined", saw(single({ a: 1 })), saw(single({ a: [2, 1] })), saw(single({ a: [1, 2] }))],
  [
    "of what all show together the holder's stands",
    saw(single({ b: 1 })),
    saw(single({ b: 2 })),
    saw(single({ b: 1 })),
  ],
  ["cases are joined", saw(single({ a: 1 })), saw(single({ c: 2 })), saw(single({ a: 1, c: 2 }))],
  [
    "what one saw vary varies",
    saw(single({ a: 1 })),
    saw(single({ a: 1 }), single({ a: 2 })),
    saw(single({ a: 1 }), single({ a: [1, 2] })),
  ],
] as const)
  test(`of two shards' observations ${title}`, () => expect(observedTogether(own, other)).toEqual(is));

test("what answers show is joined, and what all show together is the holder's, whichever shard that is", () => {
  const held: readonly Held[] = [
    { requirements: [], observations: [] },
    { requirements: [], observations: ["OBS-HTTP-HEAD"] },
  ];
  const shards = [1, 2].map((nth) =>
    shardWith(nth, held, { record: "observation", observation: saw(single({ a: nth, b: nth })) }),
  );
  expect(mergedRun(shards).run.observations.map(({ values }) => values)).toEqual([[single({ a: [1, 2], b: 2 })]]);
});

test("what is there once in a run is joined", () => {
  const held: readonly Held[] = [1, 2].map(() => ({ requirements: [], observations: [] }));
  const entry = { ...{ project: "main", at: "/credits/reads", charged: "1" }, result: "agrees", reason: null } as const;
  const spent = { least: "1", most: "1" };
  const sample = { at: "/samples/mint", how: "of an answer" };
  const shards = [
    shardWith(
      ...([1, held] as const),
      { record: "preflight", preflight: { unusable: ["a"], ended: true } },
      { record: "sample", sample: { ...sample, by: "found", value: "m" } },
      { record: "intermittent", cause: "it was closed", exchange: 1 },
      { record: "audit", audit: { entries: [{ ...entry, spent }], reason: null, shownAfter_s: 2 } },
    ),
    shardWith(
      ...([2, held] as const),
      { record: "preflight", preflight: { unusable: ["a", "b"], ended: false } },
      { record: "sample", sample: { ...sample, by: "missing", value: null } },
      { record: "intermittent", cause: "it was closed", exchange: 1 },
      { record: "audit", audit: { entries: [], reason: "nothing of known price was called" } },
    ),
  ];
  const { run } = mergedRun(shards);
  expect(run).toMatchObject({
    id: "a run-merged",
    plan: { requests: 2 * made.start.plan.requests },
    preflight: { unusable: ["a", "b"], ended: false },
    samples: [{ ...sample, by: "found" }],
    intermittent: [{ cause: "it was closed", count: 2, exchanges: [1, 2] }],
    audit: { entries: [{ ...entry, spent }], reason: null, shownAfter_s: 2 },
  });
});
