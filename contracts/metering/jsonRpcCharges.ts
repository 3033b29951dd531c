// Checks that each JSON-RPC call counts once, under one product (§1.5, §2.1).
import { held, must } from "../../harness/core/finding.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Stimulus } from "../../harness/core/stimulus.ts";
import { type Check, type CheckContext, type Shown, scenario } from "../../harness/model/check.ts";
import { isServed, outcomeOf } from "../../harness/transport/answers.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { type BaselineRequest, baselineRequests } from "../jsonrpc/baselineRequests.ts";
import { freshAddress, proofs } from "../shared/jsonRpcRequests.ts";
import { type Ask, usage } from "../shared/stimuli.ts";
import { allHold, judgeSettled } from "./settlement.ts";
import { type Growth, notQuiet } from "./usageMeasurement.ts";

/** Where the ids of counted calls begin. */
const firstId = 7_000;
const numbered = (ask: Ask, count: number, from: number): readonly Stimulus[] =>
  Array.from({ length: count }, (_, nth) => ask({ as: "paid", id: from + nth }));

/** Identical but for the repetition. */
const repeated = (ask: Ask, count: number): readonly Stimulus[] =>
  Array.from({ length: count }, (_, again) => ({ ...ask({ as: "paid", id: firstId - 1 }), again }));

const needs = (requests: readonly Stimulus[], feature: (typeof baselineRequests)[number]["feature"]) =>
  ({ feature, requests: [usage({ as: "paid" }), ...requests], unless: notQuiet, when: "alone" }) as const;

/** The keys of `requests` that grew. */
const countedIn = ({ moved }: Growth): readonly string[] => moved.filter((at) => at.startsWith("/requests/"));

async function served(context: CheckContext, stimuli: readonly Stimulus[]): Promise<number> {
  for (const stimulus of stimuli) {
    const exchange = await context.ask(context.fresh(stimulus));
    if (!isServed(exchange)) throw new Withheld(`masked: the request returned ${outcomeOf(exchange)}`);
  }
  return stimuli.length;
}

/** A call under the same product, by another method if any: an uncounted method can't show that others are settled. */
function laterCall(method: string, errorTable: BaselineRequest["errorTable"]): Stimulus {
  const ofErrorTable = baselineRequests.filter((one) => one.errorTable === errorTable);
  const baseline = ofErrorTable.find((one) => one.method !== method) ?? ofErrorTable[0];
  if (!baseline) throw new Error(`no baseline request of ${errorTable}`);
  return baseline.ask({ as: "paid", id: firstId - 3 });
}

function counting(
  id: RequirementId,
  { method, errorTable, feature }: Omit<BaselineRequest, "ask">,
  stimuli: readonly Stimulus[],
  judge: (growth: Growth, count: number) => Shown["finding"],
): Check {
  const later = laterCall(method, errorTable);
  return scenario(id, needs([...stimuli, later], feature), (context) =>
    judgeSettled(context, {
      askers: ["paid"],
      feature,
      send: () => served(context, stimuli),
      sendLater: () => served(context, [later]),
      judge: (growths, count) =>
        growths.map((growth) => ({ exchange: growth.exchange, finding: judge(growth, count) })),
      isAsRequired: allHold,
    }),
  );
}

/** `count` more in one product, and in no other. */
function inOneProduct(growth: Growth, count: number): Shown["finding"] {
  const [at = "/requests", ...others] = countedIn(growth);
  const isOne = others.length === 0 && at !== "/requests" && growth.of(at).eq(count);
  return isOne
    ? held
    : must(
        false,
        at,
        `${count} more in exactly one product`,
        countedIn(growth)
          .map((place) => `${place} ${growth.of(place).toFixed()} more`)
          .join(", ") || "nothing more",
      );
}

const asCompression = (growth: Growth, count: number): Shown["finding"] =>
  must(
    growth.of("/requests/compression").eq(count),
    "/requests/compression",
    `${count} more`,
    `${growth.of("/requests/compression").toFixed()} more`,
  );

export const checks: readonly Check[] = [
  counting(
    "MET-CMP-01",
    { method: "getMultipleNewAddressProofs", errorTable: "compression", feature: "compression" },
    [proofs([freshAddress(0), freshAddress(1), freshAddress(2)], { as: "paid", id: firstId - 2 })],
    asCompression,
  ),
  ...baselineRequests
    .filter(({ errorTable }) => errorTable === "compression")
    .map((baseline) => counting("MET-CMP-01", baseline, numbered(baseline.ask, 3, firstId), asCompression)),
  ...baselineRequests
    .filter(({ method }) => method === "getTokenAccounts")
    .flatMap((baseline) => [
      ...[1, 7].map((count) =>
        counting("MET-REQ-01", baseline, numbered(baseline.ask, count, firstId + 100 * count), inOneProduct),
      ),
      counting("MET-REQ-01", baseline, repeated(baseline.ask, 20), inOneProduct),
    ]),
];
