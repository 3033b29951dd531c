// Probes of metering: each sees the choices of a platform, and no check judges them breaches.

import { expect, test } from "@playwright/test";
import { describeReason } from "../../harness/core/reason.ts";
import { http, metering, platform } from "../support/choices.ts";
import { testProbes } from "../support/probeChoices.ts";
import {
  asVendor,
  type Choice,
  type Choices,
  idsLike,
  outcomeOf,
  planOf,
  type TargetChange,
  valueOf,
} from "../support/probeSpecs.ts";

const choices: Choices = {
  "OBS-MET-LAG: charges show after 5 s": metering({ lag_ms: 5_000 }),
  "OBS-MET-LAG: charges show after 40 s": metering({ lag_ms: 40_000 }),
  "OBS-USG-FRESH: every other read is of a replica 3 s behind": metering({ replica_ms: 3_000 }),
  "OBS-USG-FRESH: usage is cached for 5 s": metering({ cached_ms: 5_000 }),
  "OBS-CRD-ORDER: prepaid credits are spent first": metering({ pools: "prepaid ones first" }),
  "OBS-MET-FAIL: refused calls are counted": metering({ refused: "counted" }),
  "OBS-MET-FAIL: refused calls are charged": metering({ refused: "charged" }),
  "OBS-MET-COST: getTokenAccounts costs 7 credits": metering({ prices: { tokenAccounts: "7" } }),
  "OBS-MET-COST: compression calls cost a quarter of a credit": metering({ prices: { compression: "0.25" } }),
  "OBS-MET-COST: getBundleStatuses is free": metering({ prices: { bundles: "0" } }),
  "OBS-MET-PRODUCT: getTokenAccounts counts under rpc": metering({ products: { tokenAccounts: "rpc" } }),
  "OBS-MET-PRODUCT: bundles count under other": metering({ products: { bundles: "other" } }),
  "OBS-MET-RPCBATCH: a batch counts once": metering({ rpcBatch: "once" }),
  "OBS-MET-HOOK: each attempt at a delivery counts": metering({ deliveries: "attempts" }),
  "OBS-MET-BYTES: a gibibyte costs 20 credits": platform({ prices: { gibibyte: "20" } }),
  "OBS-MET-SELF: reading usage is usage": http({ usageReads: "counted" }),
};

const ids = idsLike(/^OBS-(MET-(?!RATIO)|USG-FRESH|CRD-ORDER)/);
/** Figures of the reference never fall: replicas are judged as vendors'. */
const isJudged = ({ rules }: Choice): boolean => rules?.metering?.replica_ms === undefined;
testProbes({ name: "charges", ids, choices, judged: { isJudged } });

test("the observed values are those of the honest platform", async () => {
  const seen = await outcomeOf({ suite: "probes alone", observe: ids });
  expect(valueOf(seen, "OBS-MET-LAG")).toEqual({
    "one wallet call": { complete: "within 2 s", "partial states": "none" },
  });
  expect(valueOf(seen, "OBS-USG-FRESH")).toEqual({
    "one wallet call": { "first change": "within 2 s", "reads older than the one before": "none" },
  });
  expect(valueOf(seen, "OBS-CRD-ORDER")).toEqual({
    "credits in both pools": "100 from the plan, 0 prepaid",
    "less than the price left in the plan": "50 from the plan, 50 prepaid",
  });
  expect(valueOf(seen, "OBS-MET-COST")).toMatchObject({
    getTokenAccounts: "10 ± 0.05 credits, das",
    getIndexerHealth: "1 ± 0.05 credits, compression",
  });
  expect(valueOf(seen, "OBS-MET-PRODUCT")).toMatchObject({
    getTokenAccounts: "das",
    sendBundle: "rpc",
    getBundleStatuses: "rpc",
  });
  expect(valueOf(seen, "OBS-MET-RPCBATCH")).toEqual({ "a batch of 3": "200 an array: 3 requests" });
  expect(valueOf(seen, "OBS-MET-BYTES")).toEqual({
    streamGrpc: "12.5 credits per GiB delivered",
    streamWebsocket: "12.5 credits per GiB delivered",
  });
  expect(valueOf(seen, "OBS-MET-HOOK")).toEqual({ "10 events, each at attempt 3": "10 requests" });
  expect(
    Object.values(valueOf(seen, "OBS-MET-FAIL") as object).filter((summary) => !String(summary).endsWith(": nothing")),
  ).toEqual([]);
});

test("on a vendor probes that cost credits need consent, and projects that nobody else uses", () => {
  const lacking = (change: TargetChange): unknown => {
    const { probes } = planOf({ target: asVendor(change), observe: ids });
    return Object.fromEntries(probes.map(({ probe, unmetNeed: lacks }) => [probe.id, lacks && describeReason(lacks)]));
  };
  const paid = idsLike(/^OBS-(MET-(LAG|FAIL|COST|PRODUCT|RPCBATCH)|USG-FRESH|CRD-ORDER)$/);
  const all = (reason: string | null): Record<string, unknown> => Object.fromEntries(paid.map((id) => [id, reason]));
  const lack = "not testable from outside (needs a test project with prepared billing data)";
  const others = { "OBS-MET-BYTES": lack, "OBS-MET-HOOK": lack, "OBS-MET-SELF": null };
  expect(lacking({ allow: ["paidProbes"] })).toEqual({ ...all(null), ...others });
  expect(lacking({ allow: [] })).toEqual({ ...all("the target doesn't allow `paidProbes`"), ...others });
  expect(lacking({ allow: ["paidProbes"], quiet: false })).toMatchObject(
    all("billing not checked: set `quiet: true` if nobody else uses these projects"),
  );
});

for (const [title, change] of [
  ["at once", {}],
  ["after 5 s", { lag_ms: 5_000 }],
] as const) {
  test(`a vendor whose charges show ${title} shows prices and products without control`, async () => {
    const target = asVendor({ allow: ["paidProbes"] });
    const seen = await outcomeOf({ suite: "probes alone", choice: metering(change), observe: ids, target });
    expect(seen.broken).toEqual([]);
    expect(seen.observed.filter(({ state }) => state === "unstable")).toEqual([]);
    expect(valueOf(seen, "OBS-MET-COST")).toMatchObject({ getTokenAccounts: "10 ± 0.05 credits, das" });
    expect(valueOf(seen, "OBS-MET-PRODUCT")).toMatchObject({ getTokenAccounts: "das", getBundleStatuses: "rpc" });
    expect(valueOf(seen, "OBS-CRD-ORDER")).toEqual({ "credits in both pools": "100 from the plan, 0 prepaid" });
  });
}
