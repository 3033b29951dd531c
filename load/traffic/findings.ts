// What follows from answers under load for each requirement, and for the run?

import type { Clock } from "../../harness/core/clock.ts";
import { type Feature, featuresOf, type RequirementId, requirementOf } from "../../harness/core/interface.ts";
import { Inconclusive } from "../../harness/core/outcomes.ts";
import { Ledger } from "../../harness/engine/ledger.ts";
import type { Check } from "../../harness/model/check.ts";
import type { Suite } from "../../harness/model/suite.ts";
import { type CheckOutcome, enforcementOf, type Verdict, verdictOf } from "../../harness/model/verdict.ts";
import type { Knee, Latencies, LatencyBound, LoadPhase } from "../../harness/record/load.ts";
import type { Target } from "../../harness/target/target.ts";
import { suspicion } from "../../harness/transport/answers.ts";
import type { Phase } from "../shapes/shape.ts";
import type { ShownExchange, Traffic } from "./traffic.ts";

/** Stands for the whole run where verdicts ask who drew an exchange: what it shows is for the laws to say. */
const underLoad = (shows: readonly RequirementId[], feature: Feature): Check => ({
  ids: [],
  shows,
  feature,
  needs: { requests: [] },
  optional: false,
  when: "any",
  run: () => Promise.reject(new Inconclusive("k6 asks, not this")),
});

export interface Findings {
  readonly verdicts: readonly Verdict[];
  /** Answers of which k6 and this process think differently; null where there is none. */
  readonly disagreement: string | null;
}

interface Options {
  readonly target: Target;
  readonly suite: Suite;
  readonly clock: Clock;
  readonly impliedFails: boolean;
  /** Why what holds counts as inconclusive; null where nothing speaks against it. */
  readonly doubt: string | null;
}

/**
 * Laws break whatever they judge. What holds under load counts as verified only where checks leave the word to the laws as
 * well, and where an answer that came back whole showed it; what an oracle must prove is not.
 */
export function findingsOf(
  shown: readonly ShownExchange[],
  { target, suite, clock, impliedFails, doubt }: Options,
): Findings {
  const ledger = new Ledger(suite.laws);
  const [feature] = featuresOf(target.interface);
  if (feature === undefined) throw new Error("an interface has operations");
  const check = underLoad([...new Set(suite.checks.flatMap(({ shows }) => shows))], feature);
  ledger.begin(check);
  for (const { exchange } of shown) {
    ledger.enter(exchange, suspicion(exchange) === null, check);
    ledger.note(check, exchange);
  }
  const outcomes = [...ledger.conclude(check, [])].filter(([, { is }]) => is === "held" || is === "broken");
  const ids = new Set([...outcomes.map(([id]) => id), ...ledger.brokenIds]);
  const outcomeOf = new Map<RequirementId, CheckOutcome>(outcomes);
  const disagreement = disagreementOn(shown, suite);
  const unsure: readonly CheckOutcome[] = [doubt, disagreement].flatMap((reason) =>
    reason === null ? [] : [{ is: "inconclusive", reason }],
  );
  const verdicts = [...ids].map((id): Verdict => {
    const requirement = requirementOf(target.interface, id);
    const outcome = outcomeOf.get(id);
    return verdictOf({
      requirement,
      enforced: enforcementOf(requirement, target, impliedFails),
      outcomes: [...(outcome ? [outcome] : []), ...unsure],
      // Nothing of a suite drew it: the run itself is the replay.
      breaches: ledger.breachesOf(id).map((breach) => ({ ...breach, causedBy: [] })),
      exchanges: shown
        .flatMap(({ exchange }) => (suspicion(exchange) === null ? [exchange.number] : []))
        .slice(0, mostExchanges),
      deviation: target.deviations.find((deviation) => deviation.requirement === id),
      // No check of the suite runs under load.
      ran: () => false,
      today: new Date(clock.now_ms()).toISOString().slice(0, 10),
      doubt: null,
    });
  });
  return { verdicts, disagreement };
}

/** Of the exchanges that a verdict names. */
const mostExchanges = 20;

function disagreementOn(shown: readonly ShownExchange[], { laws }: Suite): string | null {
  const odd = shown.flatMap(({ exchange, broken }) => {
    if (broken === null || suspicion(exchange) !== null) return [];
    const here = new Set(
      laws.flatMap((law) =>
        [...law.judge(exchange)].flatMap(([id, { outcome }]) => (outcome === "broken" ? [id as string] : [])),
      ),
    );
    const differing = [...broken.filter((id) => !here.has(id)), ...[...here].filter((id) => !broken.includes(id))];
    return differing.length > 0 ? [differing] : [];
  });
  return odd.length === 0
    ? null
    : `k6 and this process judged ${odd.length} of ${shown.length} answers otherwise: ${[...new Set(odd.flat())].sort().join(", ")}`;
}

export const phasesOf = (phases: readonly Phase[], { tally }: Traffic): readonly LoadPhase[] =>
  tally.phases.map((counted, nth) => {
    const { name = "", seconds = 0, perSecond = 0 } = phases[nth] ?? {};
    return { name, seconds, perSecond, ...counted };
  });

export function boundsOf({ load }: Target, latencies: readonly Latencies[]): readonly LatencyBound[] {
  const served = latencies.filter(({ outcome }) => outcome === "served");
  return Object.entries(load.latencyP95_ms).flatMap(([operation, bound_ms]) => {
    const found = served.find((one) => one.operation === operation);
    return found
      ? [{ operation: found.operation, bound_ms, p95_ms: found.p95_ms, isKept: found.p95_ms <= bound_ms }]
      : [];
  });
}

/** Of the requests of a phase: more that weren't begun, were refused for their rate or failed are too many. */
const tolerated = 0.01;
/** What 95 of 100 answers of a step keep, below the knee. */
const kneeP95_ms = 500;

/** Why a phase didn't go as it was told; null where it did. */
export function brokenBy({ perSecond, seconds, requests, limited, failed, p95_ms }: LoadPhase): string | null {
  const asked = perSecond * seconds;
  // An iteration may fall to either side of an edge.
  if (requests < asked * (1 - tolerated) - 1)
    return `the generator began only ${requests} of ${Math.round(asked)} requests`;
  if (failed > requests * tolerated) return `${failed} of ${requests} requests failed`;
  if (limited > requests * tolerated) return `${limited} of ${requests} requests were refused for their rate`;
  return p95_ms !== null && p95_ms > kneeP95_ms
    ? `95 of 100 answers took up to ${p95_ms} ms, beyond ${kneeP95_ms} ms`
    : null;
}

export function kneeOf(steps: readonly LoadPhase[]): Knee {
  const reasons = steps.map(brokenBy);
  const first = reasons.findIndex((reason) => reason !== null);
  const last = first < 0 ? steps.at(-1) : steps[first - 1];
  return { perSecond: last?.perSecond ?? null, brokenBy: first < 0 ? null : (reasons[first] ?? null) };
}

/** Why the figures of a run say less than they should: the generator's fault or the network's. */
export function doubtOn(
  { tally, summary }: Traffic,
  phases: readonly LoadPhase[],
  isBeyondPace: boolean,
): string | null {
  const { requests } = tally;
  if (requests === 0) return "k6 sent no request";
  if (requests !== summary.iterations) return `k6 told of ${requests} requests and counted ${summary.iterations}`;
  const served = phases.reduce((total, phase) => total + phase.served, 0);
  if (served === 0) return "no request was served";
  if (isBeyondPace) return null;
  if (summary.droppedIterations > 0)
    return `the generator was saturated: k6 dropped ${summary.droppedIterations} of ${requests + summary.droppedIterations} iterations`;
  const failed = phases.reduce((total, phase) => total + phase.failed, 0);
  return failed > requests * tolerated ? `${failed} of ${requests} requests drew no answer that can be judged` : null;
}
