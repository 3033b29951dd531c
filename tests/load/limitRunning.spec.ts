// Tests of how experiments on limits are sent: by whom, under which name, and what their verdicts show
import { expect, test } from "@playwright/test";
import { usageRequest } from "../../contracts/shared/requestSpecs.ts";
import { contractSuite } from "../../contracts/suite.ts";
import type { ProbeContext } from "../../harness/model/probe.ts";
import type { Target } from "../../harness/targets/target.ts";
import {
  askerFor,
  experimentSender,
  ifQuiet,
  keysFor,
  ownerFor,
  projectsFor,
  type SeenVerdict,
  sampleOf,
  sampleOutcomeOf,
  shownByLimit,
} from "../../load/rateLimits/running.ts";
import {
  plannedTrials,
  seenIn,
  seenInEach,
  type Trial,
  trialOfRequests,
  tryTrials,
} from "../../load/rateLimits/trials.ts";
import { plannedUsageReads as plannedExperiment } from "../../load/rateLimits/usage.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { answeredUsage } from "../golden/made.ts";
import { asVendor, othersUsing } from "../support/probeSpecs.ts";
import { judgedBy, limitContext } from "./limitContext.ts";

const { target } = inProcess(contractSuite);
const vendor = asVendor()(target);

test("an answer is served, refused for its rate, refused otherwise, or says nothing of the limiter", () => {
  const lost = { ...answeredUsage(1, 200), answer: null, fault: { kind: "reset", detail: "made" } } as const;
  const answers = [answeredUsage(1, 200), answeredUsage(1, 429), answeredUsage(1, 403), answeredUsage(1, 503), lost];
  expect(answers.map(sampleOutcomeOf)).toEqual(["served", "refused", "undocumented", "failed", "failed"]);
  const [exchange] = answers;
  if (!exchange) throw new Error("no answer");
  const result = { sent_ms: 5, received_ms: 7, exchange };
  expect(sampleOf(result)).toEqual({ ...result, outcome: "served" });
});

test("an experiment is a schedule, named by what it sends, by how many and by the attempt", async () => {
  const { context, sent } = limitContext(vendor, () => "SRS");
  const requestSpec = (nth: number) => usageRequest({ as: "owner", again: nth });
  const experiment = [
    { at_ms: 100, connection: 4, group: 0, caller: 1 },
    { at_ms: 250, connection: 5, group: 1, caller: 0 },
  ];
  const fire = experimentSender(context, "reads", () =>
    Promise.resolve(({ caller }, nth) => requestSpec(10 * caller + nth)),
  );
  const samples = await fire(experiment, 3);
  expect([...sent]).toEqual([
    [
      "reads, 2 requests, attempt 3",
      [
        { at_ms: 100, connection: 4, requestSpec: requestSpec(10) },
        { at_ms: 250, connection: 5, requestSpec: requestSpec(1) },
      ],
    ],
  ]);
  expect(samples.map(({ sent_ms, received_ms, outcome }) => [sent_ms, received_ms, outcome])).toEqual([
    [100, 110, "served"],
    [250, 260, "refused"],
  ]);
});

test("where control makes projects, each experiment has its own, made once", async () => {
  const { context, made } = limitContext(target, () => "S");
  expect(await askerFor(context, "a", { otherwise: "bystander", keys: ["open"] })).toBe("made-1");
  expect(await askerFor(context, "a")).toBe("made-1");
  expect(await ownerFor(context, "b")).toEqual(["made-2"]);
  expect(await keysFor(context, "c")).toEqual(["made-3", "made-30"]);
  expect(await projectsFor(context, "d")).toEqual(["made-4", "made-5"]);
  expect(await ownerFor(context, "d, the other")).toEqual(["made-5"]);
  expect(made).toEqual([{ keys: ["open"] }, {}, { keys: ["open"] }, {}, {}]);
});

test("a project that couldn't be made is made again", async () => {
  const { context } = limitContext(target, () => "S");
  let attempts = 0;
  const failing = {
    ...context,
    project: (wish?: Parameters<typeof context.project>[0]) =>
      (attempts += 1) === 1 ? Promise.reject(new Error("busy")) : context.project(wish),
  };
  await expect(askerFor(failing, "a")).rejects.toThrow("busy");
  expect(await askerFor(failing, "a")).toBe("made-1");
  expect(attempts).toBe(2);
});

test("without control the keys of the target are used", async () => {
  const { context, made } = limitContext(vendor, () => "S");
  expect(await askerFor(context, "a", { otherwise: "bystander" })).toBe("bystander");
  expect(await askerFor(context, "a")).toBe("owner");
  expect(await ownerFor(context, "a")).toEqual(["owner"]);
  expect(await keysFor(context, "a")).toEqual(["paid", "second"]);
  expect(await projectsFor(context, "a")).toEqual(["paid", "other"]);
  expect(made).toEqual([]);
});

const shownBy = { ...sampleOf({ sent_ms: 0, received_ms: 1, exchange: answeredUsage(7, 429) }) };
const broken: SeenVerdict = { is: "broken", expected: "this", got: "that", shownBy };

test("a verdict shows its request, or why nothing can be words", async () => {
  const words = (verdict: SeenVerdict, at?: string) =>
    judgedBy(Promise.resolve().then(() => shownByLimit(verdict, at)));
  expect(await words({ is: "held", shownBy })).toBe("held by 7");
  expect(await words(broken)).toBe('broken by 7 at status: this, but {"value":"that"}');
  expect(await words(broken, "/error")).toBe('broken by 7 at /error: this, but {"value":"that"}');
  expect(await words({ is: "withheld", why: "masked" })).toBe("Withheld: masked");
  expect(await words({ is: "inconclusive", why: "slow" })).toBe("Inconclusive: slow");
});

test("too little served is a breach where nobody else can have used the limit up", () => {
  const of = (change: Partial<Target>, verdict: SeenVerdict = broken) =>
    ifQuiet({ ...vendor, isReference: false, quiet: false, ...change }, verdict);
  expect(of({ quiet: true })).toBe(broken);
  expect(of({ isReference: true })).toBe(broken);
  expect(of({})).toEqual({
    is: "withheld",
    why: "that, but others may use its projects: the target doesn't say `quiet: true`",
  });
  expect(of({ quiet: true, others: othersUsing("main") })).toEqual({
    is: "withheld",
    why: "that, but another command of this machine uses main",
  });
  const held: SeenVerdict = { is: "held", shownBy };
  expect(of({}, held)).toBe(held);
});

test("the plan counts the requests of an experiment, and its seconds up to the last", () => {
  const at = (at_ms: number) => ({ at_ms, connection: 0, group: 0, caller: 0 });
  const experiment = [at(3_000), at(4_001), at(2_000)];
  expect(plannedExperiment("some", experiment, "getProjectUsage")).toEqual({
    name: "some",
    calls: ["getProjectUsage", "getProjectUsage", "getProjectUsage"],
    seconds: 5,
  });
  expect(plannedExperiment("some", experiment, "getProjectUsage", 1)).toMatchObject({ calls: ["getProjectUsage"] });
});

const read = (again: number) => usageRequest({ as: "owner", again });
const first: Trial = {
  name: "first",
  lasts_ms: 900,
  requests: () => [...trialOfRequests(2, read(1)), ...trialOfRequests(1, read(2), 900)],
};
const second: Trial = { name: "second", lasts_ms: 0, requests: () => trialOfRequests(1, read(3), 50) };

test("trials take turns in the plan, each after 2.2 s of rest", () => {
  const { name, calls, seconds } = plannedTrials("trials", [first, second]);
  expect([name, calls.length, new Set(calls), seconds]).toEqual(["trials", 4, new Set(["getProjectUsage"]), 6]);
  expect(plannedTrials("trials", [second]).seconds).toBe(3);
  expect(plannedTrials("none", [])).toEqual({ name: "none", calls: [], seconds: 0 });
});

const sentFor = async (of: Target, trials: readonly Trial[]) => {
  const { context, sent } = limitContext(of, () => "SRSU");
  const seen = await tryTrials(context as unknown as ProbeContext, "probe", trials);
  const requests = sent.get("probe") ?? [];
  return {
    times: requests.map(({ at_ms }) => at_ms),
    connections: requests.map(({ connection }) => connection),
    seen: [...seen].map(([{ name }, samples]) => [name, samples.map(({ outcome }) => outcome)]),
  };
};

test("trials on projects of their own begin together, others one after another", async () => {
  const seen = [
    ["first", ["served", "refused", "served"]],
    ["second", ["undocumented"]],
  ];
  const connections = [0, 1, 2, 3];
  expect(await sentFor(target, [first, second])).toEqual({ times: [300, 300, 1_200, 350], connections, seen });
  const inTurn = [2_200, 2_200, 3_100, 5_350];
  expect(await sentFor(vendor, [first, second])).toEqual({ times: inTurn, connections, seen });
  expect((await sentFor(target, [first, { ...second, rests: true }])).times).toEqual(inTurn);
});

test("a trial has the callers that it asks for, and one where it asks for none", async () => {
  const { context, sent } = limitContext(target, () => "S");
  const both: Trial = {
    name: "both",
    lasts_ms: 0,
    askers: keysFor,
    requests: (as, other) => [
      ...trialOfRequests(1, usageRequest({ as })),
      ...trialOfRequests(1, usageRequest({ as: other })),
    ],
  };
  const own: Trial = { ...both, name: "own", askers: ownerFor };
  const { askers: _, ...one } = both;
  await tryTrials(context as unknown as ProbeContext, "probe", [both, own, { ...one, name: "one" }]);
  expect(sent.get("probe")?.map(({ requestSpec }) => requestSpec)).toEqual(
    ["made-1", "made-10", "made-2", "made-2", "made-3", "made-3"].map((as) => usageRequest({ as: as as "owner" })),
  );
});

test("each trial is seen by its samples, with the first answer as evidence", async () => {
  const { context } = limitContext(vendor, () => "FSRU");
  const seen = await seenInEach(context as unknown as ProbeContext, "probe", [first, second], (name, samples) =>
    seenIn(name, samples, samples.length),
  );
  expect(seen.map(({ summary }) => summary)).toEqual([3, 1]);
  expect(seen).toMatchObject([
    { fingerprint: { case: "first", status: 200 } },
    { fingerprint: { case: "second", status: 403 } },
  ]);
  const lost = sampleOf({
    sent_ms: 0,
    received_ms: 1,
    exchange: { ...answeredUsage(1, 200), answer: null, fault: { kind: "reset", detail: "made" } },
  });
  expect(() => seenIn("third", [lost], 0)).toThrow("third: nothing was answered");
  expect(seenIn("third", [lost, shownBy], 0)).toMatchObject({
    fingerprint: { operation: null, status: 429 },
    summary: 0,
  });
});
