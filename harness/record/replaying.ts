// Replaying: the one check that sends again what showed a breach, by the digest of the request that is recorded.
import { type Feature, operationOf, type RequirementId } from "../core/interface.ts";
import { type RequestSpec, withCarrier } from "../core/requestSpec.ts";
import { type Check, check, citedBy } from "../model/check.ts";
import type { Suite } from "../model/suite.ts";
import type { Breach } from "../model/verdict.ts";
import type { Target } from "../targets/target.ts";
import { type ExchangeRecord, stimulusOf } from "./journal.ts";

/** Requests that a finding may take, repetitions included. */
export const mostReplayed = 3;

export interface ShownFinding {
  readonly id: RequirementId;
  readonly breach: Pick<Breach, "counterexample">;
  /** The exchange that shows the breach; left out where it isn't recorded. */
  readonly exchange?: ExchangeRecord | undefined;
}

/** Why a finding can't be sent again alone. */
export type NoReplay =
  /** It calls what can't be undone, or sends a schedule of requests. */
  | { readonly kind: "costly" }
  /** Nothing here is about it: the config that judged it isn't loaded. */
  | { readonly kind: "noCheck" }
  /** Its request follows from answers that others got, or is no longer sent. */
  | { readonly kind: "notAlone" };

const spellings = ["header", "query"] as const;

/** As it was recorded: with the key where the platform accepted it. */
const asRecorded = (requestSpec: RequestSpec, stimulus: string): RequestSpec | undefined =>
  [requestSpec, ...spellings.map((carrier) => withCarrier(requestSpec, carrier))].find(
    (one) => stimulusOf(one) === stimulus,
  );

/** The request of a suite that a digest is of, and what it is about. */
function recordedRequest(
  { checks, probes, authSanityChecks }: Suite,
  stimulus: string,
): (Pick<Check, "feature"> & { readonly requestSpec: RequestSpec }) | null {
  const all: readonly (readonly [Feature | undefined, RequestSpec])[] = [
    ...checks.flatMap(({ feature, needs }) => needs.requests.map((one) => [feature, one] as const)),
    ...probes.flatMap(({ features: [feature], needs }) => needs.requests.map((one) => [feature, one] as const)),
    ...authSanityChecks.flatMap(({ features: [feature], owner, unauthorized }) =>
      [owner, unauthorized].map((one) => [feature, one] as const),
    ),
  ];
  for (const [feature, one] of all) {
    const requestSpec = asRecorded(one, stimulus);
    if (requestSpec && feature) return { feature, requestSpec };
  }
  return null;
}

const isHarmless = ({ needs }: Check, { isReference }: Pick<Target, "isReference">): boolean =>
  !needs.schedules && (isReference || (!needs.sends && needs.consent === undefined));

const fewestFirst = (a: Check, b: Check): number => a.needs.requests.length - b.needs.requests.length;

/**
 * The check that shows whether a finding is still there: the property of a counterexample; else the check of the
 * requirement that sends the same request; else that request alone, where a law judges the answer.
 */
export function checkToReplay(
  { id, breach, exchange }: ShownFinding,
  suite: Suite,
  target: Pick<Target, "interface" | "isReference">,
): Check | NoReplay {
  const own = suite.checks.filter((one) => citedBy(one).includes(id)).toSorted(fewestFirst);
  const isJudged = suite.laws.some(({ ids }) => ids.includes(id));
  if (own.length === 0 && !isJudged) return { kind: "noCheck" };
  const { counterexample } = breach;
  if (counterexample) {
    const property = own.find(({ needs }) => needs.generates?.property === counterexample.property);
    return property ?? { kind: "notAlone" };
  }
  if (!exchange) return { kind: "notAlone" };
  const isSend = operationOf(target.interface, exchange.operation)?.irreversible !== undefined;
  if (isSend && !target.isReference) return { kind: "costly" };
  const { stimulus } = exchange;
  const sending = own.filter(({ needs }) => needs.requests.some((one) => asRecorded(one, stimulus)));
  const first = sending.find((one) => isHarmless(one, target));
  if (first) return first;
  if (sending.length > 0) return { kind: "costly" };
  const recorded = recordedRequest(suite, stimulus);
  if (recorded && isJudged) return check(recorded.feature, id, recorded.requestSpec);
  // A check of several steps makes its requests of answers.
  return own.find((one) => isHarmless(one, target) && one.ids.includes(id)) ?? { kind: "notAlone" };
}
