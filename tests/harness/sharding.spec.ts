// Sharding: each shard's part of what is planned, of the budget and of the pace, and what stays together.
import { expect, test } from "@playwright/test";
import { suite } from "../../cli/suite.ts";
import type { ObservationId, RequirementId } from "../../harness/core/interface.ts";
import type { Json } from "../../harness/core/json.ts";
import { Engine } from "../../harness/engine/engine.ts";
import { placeOf } from "../../harness/engine/jobs.ts";
import type { Plan } from "../../harness/engine/plan.ts";
import { type Held, planRun } from "../../harness/engine/sharding.ts";
import { citedBy } from "../../harness/model/check.ts";
import type { Deviation } from "../../harness/target/deviations.ts";
import type { Target } from "../../harness/target/target.ts";
import { paceOf } from "../../harness/transport/lanes.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { asVendor } from "../support/probeSpecs.ts";

interface Options {
  readonly change?: (target: Target) => Target;
  readonly only?: readonly RequirementId[];
  readonly observe?: readonly ObservationId[];
}

const optionsOf = ({ change = (target) => target, ...rest }: Options) => {
  const given = inProcess(suite, undefined, { hasSchedules: true });
  return { ...given, ...rest, target: change(given.target) };
};

async function shardFor(nth: number, of: number, options: Options) {
  const { shard, unsplit, target, engine } = await planRun(optionsOf(options), { nth, of });
  if (!shard) throw new Error("it is no shard");
  return { held: shard.held, unsplit, target, plan: engine.plan };
}

async function allOf(of: number, options: Options) {
  const all: Awaited<ReturnType<typeof shardFor>>[] = [];
  for (let nth = 1; nth <= of; nth += 1) all.push(await shardFor(nth, of, options));
  return all;
}

const idsOf = (...areas: readonly string[]): readonly RequirementId[] =>
  [...new Set(suite.checks.flatMap(citedBy))].filter((id) => areas.some((area) => id.startsWith(`${area}-`)));
const sorted = (ids: Iterable<string>): readonly string[] => [...ids].sort();
const idsIn = (held: readonly Held[]) => sorted(held.flatMap((one) => [...one.requirements, ...one.observations]));
const plannedIn = ({ ids, plan }: Engine) => sorted([...ids, ...plan.probes.map(({ probe }) => probe.id)]);

/** How many of them have something of a kind. */
const holdersOf = (plans: readonly Plan[], isOne: (planned: Plan["checks" | "probes"][number]) => boolean): number =>
  plans.filter(({ checks, probes }) =>
    [...checks, ...probes].some((planned) => planned.lacks === null && isOne(planned)),
  ).length;

/** Counts nothing and exceeds nothing, so that it can be split. */
const open = asVendor({ quiet: false, allow: [], budget: { requests: 1_000, credits: 999, seconds: 100 } });
/** A part of what is planned, which is split in no time. */
const some: Options = { change: open, only: idsOf("CYC", "NAP", "TA", "IH", "CB", "RATE"), observe: ["OBS-HTTP-HEAD"] };

test("each requirement and each observation is in exactly one of 1 to 8 shards, and all of them know it", async () => {
  const planned = plannedIn(new Engine(optionsOf(some)));
  for (let of = 1; of <= 8; of += 1) {
    const { held } = await shardFor(1, of, some);
    expect(held).toHaveLength(of);
    expect(idsIn(held)).toEqual(planned);
  }
  const [first, ...others] = await allOf(3, some);
  for (const { held } of others) expect(held).toEqual(first?.held);
});

test("a shard has all checks of what it holds, and one has all that must be alone or can't be undone", async () => {
  const engine = new Engine(optionsOf({}));
  const whole = engine.plan;
  const shards = await allOf(2, {});
  expect(idsIn(shards[0]?.held ?? [])).toEqual(plannedIn(engine));
  for (const [index, { held, plan }] of shards.entries()) {
    const own = new Set(held[index]?.requirements);
    const checksOf = ({ checks }: Plan) =>
      new Set(checks.map(({ check }) => check).filter((check) => citedBy(check).some((id) => own.has(id))));
    expect(checksOf(plan)).toEqual(checksOf(whole));
    expect(plan.checks.every(({ check }) => citedBy(check).every((id) => own.has(id)))).toBe(true);
  }
  const { target } = optionsOf({});
  const plans = shards.map(({ plan }) => plan);
  const readersIn = ({ probes }: Plan) =>
    sorted(probes.flatMap((one) => (placeOf(one, target).queue === "after" && !one.lacks ? [one.probe.id] : [])));
  for (const plan of plans) expect(readersIn(plan)).toEqual(readersIn(whole));
  const isAlone = (planned: Plan["checks" | "probes"][number]): boolean => {
    const { kind, queue } = placeOf(planned, target);
    return !["calls", "reads"].includes(kind) && queue !== "after";
  };
  expect(holdersOf(plans, isAlone)).toBe(1);
  expect(
    holdersOf(plans, (planned) => ("check" in planned ? planned.check : planned.probe).needs.sends !== undefined),
  ).toBe(1);
  expect(shards.map(({ target: { paceShare } }) => paceShare)).toEqual([undefined, undefined]);
});

test("shards of a vendor share its budget and its pace, and each has all of the time", async () => {
  const shards = await allOf(3, some);
  const total = (of: "requests" | "credits") =>
    shards.reduce((sum, { target }) => sum + (target.budget[of] ?? Number.NaN), 0);
  expect([total("requests"), total("credits")]).toEqual([1_000, 999]);
  expect(shards.map(({ target }) => target.budget.seconds)).toEqual([100, 100, 100]);
  for (const { target, plan } of shards) expect(target.budget.requests).toBeGreaterThanOrEqual(plan.requests);
  const { target, suite: whole } = optionsOf(some);
  for (const { owner } of whole.authSanityChecks)
    expect(shards.reduce((sum, one) => sum + paceOf(one.target, owner), 0)).toBeCloseTo(paceOf(target, owner));
});

for (const [title, change] of [
  ["is quiet", { quiet: true }],
  ["lets limits be exceeded", { allow: ["throttle"] }],
] as const)
  test(`where a vendor ${title}, the first shard has everything, with all of its budget and its pace`, async () => {
    const target = (given: Target): Target => ({ ...open(given), ...change });
    const [first, second] = await allOf(2, { ...some, change: target });
    expect(first?.unsplit).not.toBeNull();
    expect(first?.held[1]).toEqual({ requirements: [], observations: [] });
    expect(idsIn(first?.held ?? [])).toEqual(plannedIn(new Engine(optionsOf({ ...some, change: target }))));
    expect([first?.target.paceShare, first?.target.budget]).toEqual([
      1,
      { requests: 1_000, credits: 999, seconds: 100 },
    ]);
    expect([second?.plan.requests, second?.target.budget]).toEqual([0, { requests: 0, credits: 0, seconds: 100 }]);
  });

test("what the target file doesn't give is looked for by one shard", async () => {
  const bare = (target: Target): Target => ({ ...open(target), samples: { mint: target.samples["mint"] as Json } });
  const shards = await allOf(3, { change: bare, observe: [] });
  const found = shards.flatMap(({ plan }) => plan.searches.flatMap(({ at }) => at));
  expect(found.length).toBeGreaterThan(0);
  expect(sorted(new Set(found))).toEqual(sorted(found));
});

test("a probe that must be alone is withheld where other shards call with the same keys", async () => {
  const shards = await allOf(2, some);
  const lacks = shards.flatMap(({ plan }) => plan.probes.filter(({ probe }) => probe.id === "OBS-HTTP-HEAD"));
  expect(lacks.map((one) => one.lacks)).toEqual(["other shards call at the same time"]);
});

test("what shows a known deviation is judged with it", async () => {
  const holderOf = (held: readonly Held[], id: RequirementId | undefined) =>
    held.findIndex(({ requirements }) => requirements.some((one) => one === id));
  const { held } = await shardFor(1, 3, some);
  const other = held
    .flatMap(({ requirements }) => requirements)
    .find((id) => holderOf(held, id) !== holderOf(held, "CYC-PRES-01"));
  const deviation: Deviation = {
    ...{ requirement: "CYC-PRES-01", reason: "known", until: "2027-03-31", expect: [{ at: "/creditCycle" }] },
    ...{ entry: { file: "acme.yaml", line: 1 }, shownBy: other ? [other] : [] },
  };
  const deviations = [deviation];
  const known = await shardFor(1, 3, { ...some, change: (target) => ({ ...open(target), deviations }) });
  expect(holderOf(known.held, other)).toBe(holderOf(known.held, "CYC-PRES-01"));
});
