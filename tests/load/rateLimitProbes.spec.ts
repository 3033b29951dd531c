// Does each probe of limits over time see the choice that it looks for, twice alike, and is none of them taken for a breach?
import { expect, test } from "@playwright/test";
import { canonical } from "../../harness/core/json.ts";
import { Engine, type EngineOptions } from "../../harness/engine/engine.ts";
import type { Observed } from "../../harness/model/probe.ts";
import type { Suite } from "../../harness/model/suite.ts";
import type { Target } from "../../harness/target/target.ts";
import { overload, tripleAndRecovery } from "../../load/rateLimits/experiments.ts";
import { bucket, fixed, type Make, slidingLog } from "../../load/rateLimits/limiterModels.ts";
import { likeliest } from "../../load/rateLimits/nearestModel.ts";
import { suite } from "../../load/suite.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { simulated } from "../../proof/limiter/simulatedPlatform.ts";
import type { RuleChange } from "../../reference/platform/rules.ts";
import type { ResponseMutation } from "../../reference/platform/wire.ts";
import { type ObservationId, observations } from "../../specs/generated/observations.ts";

interface Choice {
  readonly sees: ObservationId;
  readonly title: string;
  readonly rules?: RuleChange;
  readonly answer?: ResponseMutation;
  readonly warned?: readonly string[];
}

const limiter = (one: NonNullable<NonNullable<RuleChange["choices"]>["limiter"]>): Pick<Choice, "rules"> => ({
  rules: { choices: { limiter: one } },
});

const choices: readonly Choice[] = [
  { sees: "OBS-RATE-ALGO", title: "a bucket", ...limiter("bucket") },
  { sees: "OBS-RATE-ALGO", title: "weighted windows", ...limiter("weighted windows") },
  { sees: "OBS-RATE-REFUSEDCOUNT", title: "what is refused counts", ...limiter("sliding log of all that comes") },
  {
    sees: "OBS-RATE-RECOVERY",
    title: "nothing for 1.3 s once exceeded",
    rules: { limits: { admin: { ban_ms: 1_300 } } },
  },
  { sees: "OBS-RATE-SCOPE", title: "each key has its own", rules: { limits: { admin: { per: "key" } } } },
  { sees: "OBS-RATE-SCOPE", title: "one for each address", rules: { limits: { admin: { per: "address" } } } },
  { sees: "OBS-RATE-OTHERROUTES", title: "HEAD isn't served", rules: { choices: { head: "refused" } } },
  {
    sees: "OBS-RATE-CROSS",
    title: "JSON-RPC calls count too",
    rules: { choices: { usageBudget: "JSON-RPC calls too" } },
  },
  { sees: "OBS-RATE-RA", title: "no Retry-After", rules: { retryAfter: null } },
  { sees: "OBS-RATE-RA", title: "Retry-After as a date", rules: { retryAfter: "Wed, 05 Mar 2025 12:00:01 GMT" } },
  {
    sees: "OBS-RATE-HDR",
    title: "no word on rates",
    answer: (answer) => ({
      ...answer,
      headers: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !name.includes("ratelimit"))),
    }),
  },
  { sees: "OBS-RATE-FAMILY", title: "with HTTP 429", rules: { rpc: { errorStatus: "by cause" } } },
  { sees: "OBS-RATE-QUOTA", title: "with HTTP 429", rules: { rpc: { errorStatus: "by cause" } } },
  {
    sees: "OBS-RATE-GEN",
    title: "eight per second",
    rules: { general: { paid: { perSecond: 8, burst: 8 }, free: { perSecond: 8, burst: 8 } } },
  },
  {
    sees: "OBS-RATE-WAL",
    title: "some wallet requests are refused",
    answer: (answer, { path }) =>
      path.startsWith("/v1/wallet/") && answer.status === 403
        ? { status: 429, headers: { "content-type": "application/json" }, body: { message: "slow down" } }
        : answer,
  },
];

const mine: readonly ObservationId[] = observations
  .map(({ id }) => id)
  .filter((id) => id.startsWith("OBS-RATE-") && id !== "OBS-RATE-SB-REFUSAL");
/** Too many at once on the methods, so that their refusals are there to be looked at, and a few wallet requests. */
const generated = [
  ...suite.checks.filter(({ shows, ids }) =>
    [...ids, ...shows].some((id) => id === "ERR-CMP-32005" || id === "ERR-TA-32029" || id === "ERR-ADM-429-01"),
  ),
  ...suite.checks
    .filter(
      ({ feature, needs }) =>
        feature === "wallet" &&
        needs.requests.some(({ carriers }) => carriers.some(({ key }) => "keyOf" in key && key.keyOf === "free")),
    )
    .slice(0, 2),
];
const alone: Suite = { ...suite, checks: generated };

interface Judged {
  readonly observed: readonly Observed[];
  readonly broken: readonly string[];
}

async function looked(
  choice: Partial<Choice>,
  observe: readonly ObservationId[],
  change: (target: Target) => Target = (one) => one,
): Promise<Judged> {
  const { rules, answer } = choice;
  const mutant =
    rules || answer ? { id: "another choice", ...(rules ? { rules } : {}), ...(answer ? { answer } : {}) } : undefined;
  const options = inProcess(alone, mutant, { hasSchedules: true });
  const observed: Observed[] = [];
  const onEvent: EngineOptions["onEvent"] = (event) => {
    if (event.event === "observation") observed.push(event.observation);
  };
  const target = change({ ...options.target, allow: [...options.target.allow, "load"] });
  const verdicts = await new Engine({ ...options, target, observe, onEvent }).run();
  return { observed, broken: verdicts.filter(({ verdict }) => verdict === "broken").map(({ id }) => id) };
}

const summary = ({ observed }: Judged): string =>
  canonical(observed.map(({ state, values }) => ({ state, told: values.map((reading) => reading.summary) })));

test("every open point of rates has a probe, and a choice that it sees", () => {
  const probed = suite.probes.map(({ id }) => id);
  expect(mine.filter((id) => !probed.includes(id))).toEqual([]);
  expect(mine.filter((id) => !choices.some(({ sees }) => sees === id))).toEqual([]);
});

test("the honest platform shows the same in both looks, and what it is", async () => {
  const { observed, broken } = await looked({}, mine);
  expect(broken).toEqual([]);
  expect(
    Object.fromEntries(observed.filter(({ state }) => state !== "stable").map(({ id, reason }) => [id, reason])),
  ).toEqual({
    "OBS-RATE-WAL": "no wallet request was refused for its rate",
  });
  const told = Object.fromEntries(observed.map(({ id, values }) => [id, values[0]?.summary]));
  expect(told["OBS-RATE-ALGO"]).toMatchObject({
    "the limit": "5 in 1 s",
    "served in three bursts": "5, 5, 5",
    "5, 1.2 s, 5": "all served",
  });
  expect(told["OBS-RATE-SCOPE"]).toEqual({ "two keys of one project": "shared", "two projects": "each its own" });
  expect(told["OBS-RATE-RECOVERY"]).toEqual({
    "0.3 s after a burst": "refused",
    "0.6 s after a burst": "refused",
    "0.9 s after a burst": "refused",
    "1.1 s after a burst": "served",
    "1.5 s after a burst": "served",
    "2.1 s after a burst": "served",
  });
});

for (const choice of choices) {
  test(`${choice.sees} sees: ${choice.title}`, async () => {
    const [honest, other] = [await looked({}, [choice.sees]), await looked(choice, [choice.sees])];
    expect(other.observed.map(({ state }) => state)).toEqual(["stable"]);
    expect(summary(other)).not.toEqual(summary(honest));
    expect(other.broken).toEqual(choice.warned ?? []);
  });
}

test("without control trials take their turns and show the same", async () => {
  const ids: readonly ObservationId[] = [
    "OBS-RATE-RECOVERY",
    "OBS-RATE-OTHERROUTES",
    "OBS-RATE-CROSS",
    "OBS-RATE-SCOPE",
  ];
  const [honest, vendor] = [
    await looked({}, ids),
    await looked({}, ids, ({ control: _, ...target }) => ({ ...target, isReference: false })),
  ];
  expect(summary(vendor)).toEqual(summary(honest));
});

test("limits that nobody would guess are found all the same, over a network that jitters", async () => {
  const odd: readonly (readonly [Make, string, string])[] = [
    [slidingLog(7), "7 in 1 s", "sliding log"],
    [bucket(3, 3), "3 in 1 s", "bucket"],
    [fixed(9, 2_000), "9 in 2 s", "windows at set times"],
    [slidingLog(4, { countsRefused: true }), "4 in 1 s", "sliding log that counts what it refuses"],
  ];
  for (const [make, limit, algorithm] of odd) {
    const fire = simulated(make, 7, 20).fire("projects");
    const found = likeliest([await fire(tripleAndRecovery, 0), await fire(overload, 0)]);
    expect(found.limit.split(" or ")).toContain(limit);
    expect(found.algorithms).toContain(algorithm);
  }
});
