// Checks that each JSON-RPC call counts once, under one product (§1.5, §2.1).
import { type Finding, must } from "../../harness/core/finding.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import type { Check } from "../../harness/model/check.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { type BaselineRequest, baselineRequests } from "../jsonrpc/baselineRequests.ts";
import { freshAddress, proofs } from "../shared/jsonRpcRequests.ts";
import type { Ask } from "../shared/requestSpecs.ts";
import { type ChargedCalls, inEach, inGrowth, sendServed } from "./chargedCalls.ts";
import { charging, judgeSettled } from "./chargeExperiment.ts";
import { type ChargedGrowth, requestCounter, requestsIn } from "./meterRounds.ts";

/** Where the ids of counted calls begin. */
const firstId = 7_000;
type Payer = "owner" | "free";
const numbered = (ask: Ask, count: number, from: number, as: Payer = "owner"): readonly RequestSpec[] =>
  Array.from({ length: count }, (_, nth) => ask({ as, id: from + nth }));

/** Identical but for the repetition. */
const repeated = (ask: Ask, count: number): readonly RequestSpec[] =>
  Array.from({ length: count }, (_, again) => ({ ...ask({ as: "owner", id: firstId - 1 }), again }));

/** A call under the same product, by another method if any: an uncounted method can't show that others are settled. */
function laterCall(method: string, errorTable: BaselineRequest["errorTable"], as: Payer): RequestSpec {
  const ofErrorTable = baselineRequests.filter((one) => one.errorTable === errorTable);
  const baseline = ofErrorTable.find((one) => one.method !== method) ?? ofErrorTable[0];
  if (!baseline) throw new Error(`no baseline request of ${errorTable}`);
  return baseline.ask({ as, id: firstId - 3 });
}

function counting(
  id: RequirementId,
  { method, errorTable, feature }: Omit<BaselineRequest, "ask">,
  requestSpecs: readonly RequestSpec[],
  judge: (growth: ChargedGrowth) => Finding,
  as: Payer = "owner",
): Check {
  const later = laterCall(method, errorTable, as);
  const charged: ChargedCalls = {
    askers: [as],
    counters: [requestCounter],
    feature,
    send: (context) => sendServed(context, requestSpecs),
    sendLater: (context) => sendServed(context, [later]),
    judge: inEach(inGrowth(judge)),
  };
  const run: Check["run"] = (context) => judgeSettled(context, charged);
  return charging(id, charged, { requests: [...requestSpecs, later], run, optional: as === "free" });
}

/** As many more in one product as there were calls, and none in another. */
function inOneProduct(growth: ChargedGrowth): Finding {
  const { calls: count } = growth;
  const counted = requestsIn(growth);
  const [at = "/requests/rpc"] = counted;
  const grown = growth.of(at);
  const isOne = counted.length === 1 && grown.eq(count);
  const found = counted.map((place) => `${place} ${growth.of(place).toFixed()} more`).join(", ");
  return must(isOne, at, `${count} more in exactly one product`, found || "nothing more");
}

function asCompression({ of, calls: count }: ChargedGrowth): Finding {
  const [at, grown] = ["/requests/compression", of("/requests/compression")] as const;
  return must(grown.eq(count), at, `${count} more`, `${grown.toFixed()} more`);
}

export const checks: readonly Check[] = [
  counting(
    "MET-CMP-01",
    { method: "getMultipleNewAddressProofs", errorTable: "compression", feature: "compression" },
    [proofs([freshAddress(0), freshAddress(1), freshAddress(2)], { as: "owner", id: firstId - 2 })],
    asCompression,
  ),
  ...baselineRequests
    .filter(({ errorTable }) => errorTable === "compression")
    .flatMap((baseline) => [
      counting("MET-CMP-01", baseline, numbered(baseline.ask, 3, firstId), asCompression),
      counting("MET-CMP-01", baseline, numbered(baseline.ask, 2, firstId + 50, "free"), asCompression, "free"),
    ]),
  ...baselineRequests
    .filter(({ method }) => method === "getTokenAccounts")
    .flatMap((baseline) => [
      ...[1, 7].map((count) =>
        counting("MET-REQ-01", baseline, numbered(baseline.ask, count, firstId + 100 * count), inOneProduct),
      ),
      counting("MET-REQ-01", baseline, repeated(baseline.ask, 20), inOneProduct),
      counting("MET-REQ-01", baseline, numbered(baseline.ask, 3, firstId + 2_000, "free"), inOneProduct, "free"),
    ]),
];
