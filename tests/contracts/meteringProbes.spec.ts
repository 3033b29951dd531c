// Does each probe of metering see the choice that it looks for, and does no check take the choice for a breach?

import { expect, test } from "@playwright/test";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { suite } from "../../contracts/suite.ts";
import { unspecifiedBehaviour } from "../../harness/core/interface.ts";
import { canonical } from "../../harness/core/json.ts";
import { Engine, type EngineOptions } from "../../harness/engine/engine.ts";
import type { Observed } from "../../harness/model/probe.ts";
import type { Suite } from "../../harness/model/suite.ts";
import type { Target } from "../../harness/target/target.ts";
import { inProcess } from "../../proof/inProcess.ts";
import type { MeteringChange } from "../../reference/platform/meteringRules.ts";
import type { RuleChange } from "../../reference/platform/rules.ts";
import { honestRules } from "../../reference/rules.ts";
import { type ObservationId, observations } from "../../specs/generated/observations.ts";

interface Choice {
  readonly sees: ObservationId;
  readonly title: string;
  readonly rules: RuleChange;
}

const chooses = (sees: ObservationId, title: string, metering: MeteringChange): Choice => ({
  sees,
  title,
  rules: { metering },
});

/** None of them breaks a sentence of the interface. */
const choices: readonly Choice[] = [
  chooses("OBS-MET-LAG", "charges show after 5 s", { lag_ms: 5_000 }),
  chooses("OBS-MET-LAG", "charges show after 40 s", { lag_ms: 40_000 }),
  chooses("OBS-USG-FRESH", "every other read is of a replica 3 s behind", { replica_ms: 3_000 }),
  chooses("OBS-USG-FRESH", "usage is told as of the last 5 s", { cached_ms: 5_000 }),
  chooses("OBS-CRD-ORDER", "prepaid credits are spent first", { pools: "prepaid ones first" }),
  chooses("OBS-MET-FAIL", "refused calls are counted", { refused: "counted" }),
  chooses("OBS-MET-FAIL", "refused calls are charged", { refused: "charged" }),
  chooses("OBS-MET-COST", "getTokenAccounts costs 7 credits", { prices: { tokenAccounts: "7" } }),
  chooses("OBS-MET-COST", "compression calls cost a quarter of a credit", { prices: { compression: "0.25" } }),
  chooses("OBS-MET-COST", "getBundleStatuses is free", { prices: { bundles: "0" } }),
  chooses("OBS-MET-PRODUCT", "getTokenAccounts counts under rpc", { products: { tokenAccounts: "rpc" } }),
  chooses("OBS-MET-PRODUCT", "bundles count under other", { products: { bundles: "other" } }),
  chooses("OBS-MET-RPCBATCH", "a batch counts once", { rpcBatch: "once" }),
  {
    sees: "OBS-MET-BYTES",
    title: "a gibibyte costs 20 credits",
    rules: { prices: { ...honestRules.prices, gibibyte: "20" } },
  },
  chooses("OBS-MET-HOOK", "each attempt at a delivery counts", { deliveries: "attempts" }),
  { sees: "OBS-MET-SELF", title: "reading usage is usage", rules: { choices: { usageReads: "counted" } } },
];

const mine: readonly ObservationId[] = [...new Set(choices.map(({ sees }) => sees))];
const alone: Suite = { ...suite, checks: [] };

interface Looked {
  readonly observed: readonly Observed[];
  readonly broken: readonly string[];
}

async function looked(
  judges: Suite,
  rules: RuleChange | null,
  observe: readonly ObservationId[],
  change: (target: Target) => Target = (target) => target,
): Promise<Looked> {
  const observed: Observed[] = [];
  const onEvent: EngineOptions["onEvent"] = (event) => {
    if (event.event === "observation") observed.push(event.observation);
  };
  const options = inProcess(judges, rules ? { id: "another choice", rules } : undefined);
  const verdicts = await new Engine({ ...options, target: change(options.target), observe, onEvent }).run();
  return { observed, broken: verdicts.filter(({ verdict }) => verdict === "broken").map(({ id }) => id) };
}

const readings = ({ observed }: Looked): string =>
  canonical(observed.map(({ values }) => values.map(({ summary }) => summary)));
const toldOf = ({ observed }: Looked, id: ObservationId): unknown =>
  observed.find((one) => one.id === id)?.values[0]?.summary;

test("every open point of charges has a probe, and a choice that it sees", () => {
  const probed = suite.probes.map(({ id }) => id);
  const open = observations.map(({ id }) => id).filter((id) => id.startsWith("OBS-MET-") && id !== "OBS-MET-RATIO");
  expect(open.filter((id) => !probed.includes(id) || !mine.includes(id))).toEqual([]);
});

test("the honest platform shows the same in both looks and in another run", async () => {
  const [first, second] = [await looked(alone, null, mine), await looked(alone, null, mine)];
  expect(first.observed.map(({ id, state, reason }) => ({ id, state, reason }))).toEqual(
    first.observed.map(({ id }) => ({ id, state: "stable", reason: null })),
  );
  expect(first.observed).toHaveLength(mine.length);
  expect(second.observed).toEqual(first.observed);
  expect(first.broken).toEqual([]);
});

test("what is told is what the honest platform does", async () => {
  const seen = await looked(alone, null, mine);
  expect(toldOf(seen, "OBS-MET-LAG")).toEqual({
    "one wallet call": { complete: "within 2 s", "partial states": "none" },
  });
  expect(toldOf(seen, "OBS-USG-FRESH")).toEqual({
    "one wallet call": { "first change": "within 2 s", "reads older than the one before": "none" },
  });
  expect(toldOf(seen, "OBS-CRD-ORDER")).toEqual({
    "credits in both pools": "100 from the plan, 0 prepaid",
    "less than the price left in the plan": "50 from the plan, 50 prepaid",
  });
  expect(toldOf(seen, "OBS-MET-COST")).toMatchObject({
    getTokenAccounts: "10 ± 0.05 credits, das",
    getIndexerHealth: "1 ± 0.05 credits, compression",
  });
  expect(toldOf(seen, "OBS-MET-PRODUCT")).toMatchObject({
    getTokenAccounts: "das",
    sendBundle: "rpc",
    getBundleStatuses: "rpc",
  });
  expect(toldOf(seen, "OBS-MET-RPCBATCH")).toEqual({ "a batch of 3": "200 an array: 3 requests" });
  expect(toldOf(seen, "OBS-MET-BYTES")).toEqual({
    streamGrpc: "12.5 credits per GiB that is delivered",
    streamWebsocket: "12.5 credits per GiB that is delivered",
  });
  expect(toldOf(seen, "OBS-MET-HOOK")).toEqual({ "10 events, each at attempt 3": "10 requests" });
  expect(
    Object.values(toldOf(seen, "OBS-MET-FAIL") as object).filter((summary) => !String(summary).endsWith(": nothing")),
  ).toEqual([]);
});

for (const { sees, title, rules } of choices) {
  test(`${sees} sees that ${title}: ${unspecifiedBehaviour(dataPlatform, sees).question}`, async () => {
    const [honest, other] = [await looked(alone, null, [sees]), await looked(alone, rules, [sees])];
    expect(other.observed.map(({ state, reason }) => ({ state, reason }))).toEqual([{ state: "stable", reason: null }]);
    expect(readings(other)).not.toBe(readings(honest));
    expect(other.broken).toEqual([]);
  });
}

for (const { sees, title, rules } of choices) {
  test(`no requirement is broken where ${title} (${sees})`, { tag: "@slow" }, async () => {
    const { broken, observed } = await looked(suite, rules, mine);
    expect(broken).toEqual([]);
    expect(observed.filter(({ reason }) => reason?.startsWith("the probe itself"))).toEqual([]);
  });
}

/** No power over it, and nothing known of it. */
const vendor =
  (change: Partial<Target>) =>
  ({ control: _, ...target }: Target): Target => ({ ...target, isReference: false, ...change });

test("a vendor is asked only where it allows what costs credits, and where nobody else uses its projects", () => {
  const { target: reference, ...options } = inProcess(alone);
  const lacking = (change: Partial<Target>): unknown => {
    const { probes } = new Engine({ ...options, target: vendor(change)(reference), observe: mine }).plan;
    return Object.fromEntries(probes.map(({ probe, lacks }) => [probe.id, lacks]));
  };
  const paid = [
    "OBS-MET-LAG",
    "OBS-USG-FRESH",
    "OBS-CRD-ORDER",
    "OBS-MET-FAIL",
    "OBS-MET-COST",
    "OBS-MET-PRODUCT",
    "OBS-MET-RPCBATCH",
  ];
  const all = (reason: string | null): Record<string, unknown> => Object.fromEntries(paid.map((id) => [id, reason]));
  const inside = { "OBS-MET-BYTES": "no control over the platform", "OBS-MET-HOOK": "no control over the platform" };
  expect(lacking({ allow: ["paidProbes"] })).toEqual({ ...all(null), ...inside, "OBS-MET-SELF": null });
  expect(lacking({ allow: [] })).toEqual({
    ...all("the target doesn't allow `paidProbes`"),
    ...inside,
    "OBS-MET-SELF": null,
  });
  expect(lacking({ allow: ["paidProbes"], quiet: false })).toMatchObject(
    all("the target doesn't say `quiet: true`: others may use its projects meanwhile"),
  );
});

for (const [title, metering] of [
  ["at once", {}],
  ["after 5 s", { lag_ms: 5_000 }],
] as const) {
  test(`a vendor whose charges show ${title} shows prices and products without control`, async () => {
    const seen = await looked(alone, { metering }, mine, vendor({ allow: ["paidProbes"] }));
    expect(seen.broken).toEqual([]);
    expect(seen.observed.filter(({ state }) => state === "unstable")).toEqual([]);
    expect(toldOf(seen, "OBS-MET-COST")).toMatchObject({ getTokenAccounts: "10 ± 0.05 credits, das" });
    expect(toldOf(seen, "OBS-MET-PRODUCT")).toMatchObject({ getTokenAccounts: "das", getBundleStatuses: "rpc" });
    expect(toldOf(seen, "OBS-CRD-ORDER")).toEqual({ "credits in both pools": "100 from the plan, 0 prepaid" });
  });
}
