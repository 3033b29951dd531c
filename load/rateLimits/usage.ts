// Checks of the usage limit: five requests a second, and no more (§7.1, §8)
import { usageRequest } from "../../contracts/shared/requestSpecs.ts";
import { valueAt } from "../../harness/core/json.ts";
import type { Asker } from "../../harness/core/requestSpec.ts";
import { type Check, type PlannedSchedule, scenario } from "../../harness/model/check.ts";
import { adminErrors, type OperationId } from "../../specs/generated/operations.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { type Experiment, longPause_ms, overload, pair, steady, tripleAndRecovery } from "./experiments.ts";
import {
  excessRefused,
  type Fire,
  limitServed,
  overloadBounded,
  pairServed,
  recovered,
  refusedAsDocumented,
  steadyServed,
} from "./gate.ts";
import { withheld } from "./limitVerdict.ts";
import {
  askerFor,
  type ExperimentContext,
  experimentSender,
  ifQuiet,
  type SampleWithExchange,
  type SeenVerdict,
  shownByLimit,
} from "./running.ts";

/** Most calls are the owner's, and may go on meanwhile. */
const reader: Asker = "bystander";

export const readsOf = (context: ExperimentContext, what: string): Fire<SampleWithExchange> =>
  experimentSender(context, what, async () => {
    const requestSpec = usageRequest({ as: await askerFor(context, what, { otherwise: reader }) });
    return () => requestSpec;
  });

export const plannedUsageReads = (
  name: string,
  experiment: Experiment,
  operation: OperationId,
  requests = experiment.length,
): PlannedSchedule => ({
  name,
  calls: Array.from({ length: requests }, () => operation),
  seconds: Math.ceil(Math.max(...experiment.map(({ at_ms }) => at_ms)) / 1000),
});

export const bursts = plannedUsageReads("usage bursts", tripleAndRecovery, "getProjectUsage");
const pairs = plannedUsageReads("usage pair", pair(longPause_ms), "getProjectUsage");
const evenly = plannedUsageReads("usage steadily", steady, "getProjectUsage");
export const over = plannedUsageReads("usage overload", overload, "getProjectUsage");

type Gate = (fire: Fire<SampleWithExchange>) => Promise<SeenVerdict>;

interface Options {
  readonly when?: "beside";
  readonly shows?: readonly RequirementId[];
  /** Whether others who use the project could cause a breach. */
  readonly needsQuiet?: true;
  readonly also?: (verdict: SeenVerdict) => SeenVerdict;
}

const rate = (
  id: RequirementId,
  sendSchedule: PlannedSchedule,
  gate: Gate,
  { needsQuiet, also = (verdict) => verdict, ...needs }: Options = {},
): Check =>
  scenario(
    id,
    {
      feature: "usage",
      requests: [usageRequest({ as: reader })],
      consent: "throttle",
      schedules: [sendSchedule],
      ...needs,
    },
    async (context) => {
      const verdict = also(await gate(readsOf(context, sendSchedule.name)));
      return shownByLimit(needsQuiet ? ifQuiet(context.target, verdict) : verdict);
    },
  );

const documented = adminErrors.find(({ status }) => status === 429);

/** The words of a 429 are another requirement's. */
function inItsWords(verdict: SeenVerdict): SeenVerdict {
  if (verdict.is !== "held") return verdict;
  const message = valueAt(verdict.shownBy.exchange.answer?.json?.value, "/message");
  return message === documented?.message
    ? verdict
    : withheld("ERR-ADM-429-01: the refusal's message isn't the documented one");
}

export const checks: readonly Check[] = [
  rate("RATE-ADM-01", bursts, limitServed, { needsQuiet: true }),
  rate("RATE-ADM-01", pairs, pairServed, { needsQuiet: true }),
  rate("RATE-ADM-02", bursts, excessRefused),
  rate("RATE-ADM-02", over, overloadBounded, { when: "beside" }),
  rate("RATE-ADM-03", bursts, refusedAsDocumented, { shows: ["ERR-ADM-429-01"], also: inItsWords }),
  rate("RATE-ADM-04", bursts, recovered, { needsQuiet: true }),
  rate("RATE-ADM-05", evenly, steadyServed, { when: "beside", needsQuiet: true }),
];
