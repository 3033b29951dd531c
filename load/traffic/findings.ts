// Verdicts, bounds, knee and doubts from the answers of a load

import type { Clock } from "../../harness/core/clock.ts";
import { type Feature, featuresOf, type RequirementId, requirementOf } from "../../harness/core/interface.ts";
import { generatorFailed } from "../../harness/core/outcomes.ts";
import { isUntimely, type PartLack } from "../../harness/core/partLack.ts";
import type { Reason } from "../../harness/core/reason.ts";
import { Ledger } from "../../harness/engine/ledger.ts";
import { type Check, scenario } from "../../harness/model/check.ts";
import { brokenIdsOf, type Law } from "../../harness/model/law.ts";
import type { CheckOutcome } from "../../harness/model/narrowing.ts";
import type { Suite } from "../../harness/model/suite.ts";
import { enforcementOf, type Verdict, verdictOf } from "../../harness/model/verdict.ts";
import type { Knee, Latencies, LatencyBound, LoadPhase } from "../../harness/record/load.ts";
import type { Target } from "../../harness/targets/target.ts";
import { suspicion } from "../../harness/transport/answers.ts";
import type { Phase } from "../shapes/shapes.ts";
import { loadProfileOf } from "./loadProfile.ts";
import { stopBoundsMember } from "./stopping.ts";
import type { ShownExchange, Traffic } from "./traffic.ts";

/** Stands for the whole load as the cause of its exchanges, of which only laws judge. */
const underLoad = (shows: readonly RequirementId[], feature: Feature): Check =>
  scenario([], { feature, shows, requests: [] }, () =>
    Promise.reject(generatorFailed("k6 sends the requests of a load")),
  );

interface Options {
  readonly target: Target;
  readonly suite: Suite;
  readonly clock: Clock;
  readonly impliedFails: boolean;
  /** Why held requirements are inconclusive all the same; null where nothing suggests it. */
  readonly doubt: Reason | null;
  /** What of the load wasn't sent, or not seen: requirements hold in part then. */
  readonly untried?: readonly string[];
}

/**
 * Laws break any requirement that they judge. A requirement holds under load only where checks leave it to laws too,
 * and where an answer that was returned whole showed it; one that an oracle must prove doesn't.
 */
export function findingsOf(shown: readonly ShownExchange[], options: Options) {
  const { target, suite, clock, impliedFails } = options;
  const laws = lawsHeeding(shown, suite.laws);
  const ledger = new Ledger(laws, target.redact);
  const [feature] = featuresOf(target.interface);
  if (feature === undefined) throw new Error("an interface has operations");
  const check = underLoad([...new Set(suite.checks.flatMap(({ shows }) => shows))], feature);
  ledger.begin(check);
  for (const { exchange, isRedacted, broken } of shown) {
    ledger.enter(exchange, suspicion(exchange) === null && !(isRedacted && broken === null), check);
    ledger.note(check, exchange);
  }
  const outcomes = [...ledger.conclude(check, [])]
    .filter(([, { is }]) => is === "held" || is === "broken")
    .map(([id, outcome]) => [id, heldInPart(outcome, options.untried)] as const);
  const ids = new Set([...outcomes.map(([id]) => id), ...ledger.brokenIds]);
  const outcomeOf = new Map<RequirementId, CheckOutcome>(outcomes);
  const disagreement = disagreementOn(shown, laws);
  const unsure = [options.doubt, disagreement].flatMap((reason): readonly CheckOutcome[] =>
    reason === null ? [] : [{ is: "inconclusive", reason }],
  );
  const verdicts = [...ids].map((id): Verdict => {
    const requirement = requirementOf(target.interface, id);
    const outcome = outcomeOf.get(id);
    // No check caused it: only the load as a whole can be replayed.
    const breaches = ledger.breachesOf(id).map((breach) => ({ ...breach, causedBy: [] }));
    return verdictOf({
      requirement,
      enforced: enforcementOf(requirement, target, impliedFails, breaches),
      outcomes: [...(outcome ? [outcome] : []), ...unsure],
      breaches,
      exchanges: shown
        .flatMap(({ exchange }) => (suspicion(exchange) === null ? [exchange.number] : []))
        .slice(0, mostExchanges),
      deviation: target.deviations.find((deviation) => deviation.requirement === id),
      // No check of the suite runs under load.
      ran: () => false,
      today: new Date(clock.now_ms()).toISOString().slice(0, 10),
    });
  });
  return { verdicts, disagreement };
}

const heldInPart = (outcome: CheckOutcome, untried: readonly string[] = []): CheckOutcome =>
  outcome.is === "held" && untried.length > 0 ? { ...outcome, untried } : outcome;

export type LoadFindings = ReturnType<typeof findingsOf>;

const mostExchanges = 20;

/** Of an answer without its keys only that is broken which k6 found in it as it was. */
function lawsHeeding(shown: readonly ShownExchange[], laws: readonly Law[]): readonly Law[] {
  const found = new Map(shown.flatMap(({ exchange, isRedacted, broken }) => (isRedacted ? [[exchange, broken]] : [])));
  return laws.map((law) => ({
    ...law,
    judge: (exchange) => {
      const ids = found.get(exchange);
      const findings = [...law.judge(exchange)];
      return new Map(ids ? findings.filter(([id, { outcome }]) => outcome !== "broken" || ids.includes(id)) : findings);
    },
  }));
}

const byGenerator = (detail: string): Reason => ({ kind: "generator", detail });

/** Answers that k6 and this process judge differently; null where there is none. */
function disagreementOn(shown: readonly ShownExchange[], laws: readonly Law[]): Reason | null {
  const odd = shown.flatMap(({ exchange, broken }) => {
    if (broken === null || suspicion(exchange) !== null) return [];
    const here = brokenIdsOf(exchange, laws);
    const differing = [...broken.filter((id) => !here.has(id)), ...[...here].filter((id) => !broken.includes(id))];
    return differing.length > 0 ? [differing] : [];
  });
  if (odd.length === 0) return null;
  const ids = [...new Set(odd.flat())].sort().join(", ");
  return byGenerator(`k6 and this process judged ${odd.length} of ${shown.length} answers differently: ${ids}`);
}

/** Of a load that ended early, only the phases that were begun, the last with the seconds that it had. */
export function phasesOf(
  phases: readonly Phase[],
  { tally, stopped }: Pick<Traffic, "tally" | "stopped">,
): readonly LoadPhase[] {
  let left_s = stopped?.after_s ?? Number.POSITIVE_INFINITY;
  return tally.phases.flatMap((counted, nth) => {
    const { name = "", seconds: planned = 0, perSecond = 0 } = phases[nth] ?? {};
    const seconds = Math.min(planned, Math.max(counted.requests > 0 ? 1 : 0, left_s));
    left_s -= planned;
    return seconds > 0 ? [{ name, seconds, perSecond, ...counted }] : [];
  });
}

export function boundsOf(target: Target, latencies: readonly Latencies[]): readonly LatencyBound[] {
  const served = latencies.filter(({ outcome }) => outcome === "served");
  const bounds = loadProfileOf(target).latencyP95_ms;
  return target.interface.operations.flatMap(({ id: operation }) => {
    const bound_ms = bounds[operation];
    if (bound_ms === undefined) return [];
    const p95_ms = served.find((line) => line.operation === operation)?.p95_ms ?? null;
    return [{ operation, bound_ms, p95_ms, isKept: p95_ms === null ? null : p95_ms <= bound_ms }];
  });
}

/** The share of a phase's requests that may fail, be refused for their rate, or not be sent. */
const tolerated = 0.01;
/** The bound on p95 below the knee. */
const kneeP95_ms = 500;

/** Which bound a phase passed; null where none. */
export function phaseBrokenBy(loadPhase: LoadPhase): string | null {
  const { perSecond, seconds, requests, limited, failed, p95_ms } = loadPhase;
  const planned = perSecond * seconds;
  // A request at the edge of two phases may belong to either.
  if (requests < planned * (1 - tolerated) - 1)
    return `the generator started only ${requests} of ${Math.round(planned)} requests`;
  if (failed > requests * tolerated) return `${failed} of ${requests} requests failed`;
  if (limited > requests * tolerated) return `${limited} of ${requests} requests were rate-limited`;
  return p95_ms !== null && p95_ms > kneeP95_ms ? `p95 was ${p95_ms} ms, above ${kneeP95_ms} ms` : null;
}

export function kneeOf(steps: readonly LoadPhase[], stopped: Traffic["stopped"] = null): Knee {
  const reasons = steps.map((step) => (stopped && step === steps.at(-1) ? stopped.reason : phaseBrokenBy(step)));
  const first = reasons.findIndex((reason) => reason !== null);
  const last = first < 0 ? steps.at(-1) : steps[first - 1];
  return { perSecond: last?.perSecond ?? null, brokenBy: first < 0 ? null : (reasons[first] ?? null) };
}

/** Of the requests that were due; where less was sent, the load isn't the one that was ordered. */
const leastSent = 0.9;

/**
 * How far the generator fell behind: latencies that it measured while it was too busy to send are withheld; answers
 * count all the same. Nulls where it kept up, was to be driven to its knee, or was held up by what ended the load.
 */
export function lagOf(
  { tally: { requests }, summary, stopped }: Pick<Traffic, "tally" | "summary" | "stopped">,
  isBeyondPace: boolean,
): { readonly lag: string | null; readonly doubt: Reason | null } {
  const dropped = isBeyondPace || stopped ? 0 : summary.droppedIterations;
  const share = dropped / Math.max(1, requests + dropped);
  const lag = `the generator was saturated: k6 dropped ${dropped} of ${requests + dropped} iterations`;
  return { lag: share > tolerated ? lag : null, doubt: share > 1 - leastSent ? byGenerator(lag) : null };
}

/**
 * Why what laws judged is inconclusive: the load ended early, or by the generator's fault or the network's; null where
 * it isn't.
 */
export function doubtOn(
  {
    tally,
    summary,
    stopped,
    isComplete,
  }: Pick<Traffic, "tally" | "summary" | "stopped"> & { readonly isComplete: boolean },
  phases: readonly LoadPhase[],
  isBeyondPace: boolean,
): Reason | null {
  const { requests } = tally;
  if (stopped)
    return { kind: "loadStopped", after_s: stopped.after_s, detail: stopped.reason, remedy: stopBoundsMember };
  if (requests === 0) return byGenerator("k6 sent no request");
  if (isComplete && requests !== summary.iterations)
    return byGenerator(`k6 reported ${requests} requests but counted ${summary.iterations}`);
  const served = phases.reduce((total, phase) => total + phase.served, 0);
  if (served === 0) return { kind: "doubtful", outcome: "no request was served" };
  if (isBeyondPace) return null;
  const failed = phases.reduce((total, phase) => total + phase.failed, 0);
  const outcome = `${failed} of ${requests} requests got no answer that can be judged`;
  return failed > requests * tolerated && !tally.isFailureOver ? { kind: "doubtful", outcome } : null;
}

/** Parts that make no whole, and those sent at other times than ordered; null where there are none. */
export function reasonsOfParts(lacks: readonly PartLack[]) {
  const reasonOf = (some: readonly PartLack[]): Reason | null =>
    some.length > 0 ? { kind: "loadParts", lacks: some } : null;
  return {
    incomplete: reasonOf(lacks.filter((lack) => !isUntimely(lack))),
    untimely: reasonOf(lacks.filter(isUntimely)),
  };
}

/**
 * Why a load of which laws may judge the answers isn't the one that was ordered: its measurements are all that shows
 * whether the target keeps its bounds, or they lack for too long. Null where the load does without them.
 * @param why nothing is measured
 */
export function doubtUnmeasured(
  why: Reason,
  {
    target,
    isBeyondPace,
    seconds,
  }: { readonly target: Target; readonly isBeyondPace: boolean; readonly seconds: number },
): Reason | null {
  if (isBeyondPace) return { kind: "unmeasured", what: "knee", why };
  if (Object.keys(loadProfileOf(target).latencyP95_ms).length > 0) return { kind: "unmeasured", what: "bounds", why };
  const lacking_s =
    why.kind === "loadParts" ? Math.max(...why.lacks.filter(isUntimely).map((lack) => lack.seconds)) : 0;
  return lacking_s > seconds * (1 - leastSent) ? { kind: "unmeasured", what: "rate", why } : null;
}
