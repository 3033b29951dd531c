// Samples that a load makes or finds where its target file gives none, as a run does; each operation is tried once.
import { realClock } from "../../harness/core/clock.ts";
import { defaultGeneration } from "../../harness/core/generation.ts";
import { type OperationId, operationOf, type RequirementId } from "../../harness/core/interface.ts";
import { BudgetSpent, Inconclusive, Withheld } from "../../harness/core/outcomes.ts";
import type { Reason } from "../../harness/core/reason.ts";
import { givensIn } from "../../harness/core/requestSpec.ts";
import { dottedPath, givenAt } from "../../harness/core/template.ts";
import { openEngine } from "../../harness/engine/engine.ts";
import { usableFinders } from "../../harness/engine/plan.ts";
import { asIfFound, makeSamples } from "../../harness/engine/samples.ts";
import { type Check, scenario } from "../../harness/model/check.ts";
import type { SampleNote } from "../../harness/model/sampleFinder.ts";
import type { Suite } from "../../harness/model/suite.ts";
import { type Spent, spentOn, totalSpent } from "../../harness/targets/budget.ts";
import type { Target } from "../../harness/targets/target.ts";
import { isServed } from "../../harness/transport/answers.ts";
import { fateOf } from "../../harness/transport/fates.ts";
import type { Wire } from "../../harness/transport/wire.ts";
import { type LeftOut, type LoadSuite, type MixedRead, mixFor } from "./mix.ts";
import { preflightRequests } from "./preflight.ts";

/** Nothing is looked for or tried after that. */
const longest_s = 60;

/** What a load looks for before it is sent. */
export interface SamplePlan {
  /** The target as if all of it were found. */
  readonly hoped: Target;
  /** What it costs, at most. */
  readonly most: Spent;
  /** The operations that are loaded only by it. */
  readonly operations: readonly OperationId[];
  /** JSON pointers of what is looked for. */
  readonly sought: readonly string[];
  /** What is made, or comes from a chain profile. */
  readonly made: readonly SampleNote[];
  /** Looks for it, and tries each operation once. */
  find(): Promise<FoundSamples>;
  /** On that so far. */
  spent(): Spent;
}

export interface FoundSamples {
  /** With what was found and made. */
  readonly target: Target;
  readonly notes: readonly SampleNote[];
  /** Operations that weren't served. */
  readonly leftOut: LeftOut;
}

interface SamplePlanOptions {
  readonly suite: LoadSuite;
  /** Of what is made. */
  readonly seed: number;
  readonly wire: Wire;
}

/** What the engine learns while it looks. */
interface Seen {
  samples: Target["samples"];
  readonly notes: SampleNote[];
  /** Why an operation wasn't served; null where it was. */
  readonly tried: Map<OperationId, Reason | null>;
  /** What of the platform can't be used, so that nothing was tried there. */
  unusable: readonly string[];
}

/** What is to be looked for; null where the target file gives all that can be used. Nothing is sent yet. */
export function planSamples(target: Target, { suite, seed, wire }: SamplePlanOptions): SamplePlan | null {
  const { reads, authSanityChecks } = suite;
  // A load sends no bundles, so it finds nothing by them.
  const finders = (suite.finders ?? []).filter(({ needs }) => !needs.sends);
  const own = { ...target, allow: [] };
  makeSamples(own, { ...suite, finders }, seed);
  const hoped = { ...asIfFound(own, usableFinders(own, finders, {})), allow: target.allow };
  const given = mixFor(target, reads).shares.map(({ operation }) => operation);
  const shares = mixFor(hoped, reads).shares.filter(({ operation }) => !given.includes(operation));
  if (shares.length === 0) return null;
  const seen: Seen = { samples: target.samples, notes: [], tried: new Map(), unusable: [] };
  const shows = [...new Set(suite.checks.flatMap((check) => check.shows))];
  const checks = shares.map((share) => tryOf(share, target, shows, seen));
  const engine = openEngine({
    suite: { ...withoutJudging(suite), finders, checks },
    target: { ...target, allow: [] },
    wire,
    clock: realClock,
    most_s: longest_s,
    generation: { ...defaultGeneration(target), seed },
    observe: [],
  });
  const { plan } = engine;
  const preflight = preflightRequests(hoped, shares, authSanityChecks);
  const operations = shares.map(({ operation }) => operation);
  return {
    hoped,
    most: totalSpent([plan, ...preflight.map((requestSpec) => spentOn(target, requestSpec))]),
    operations,
    sought: plan.searches.flatMap(({ at }) => at),
    made: plan.samples,
    find: async () => {
      engine.events.on((event) => {
        if (event.event === "sample") seen.notes.push(event.sample);
        if (event.event === "preflight") seen.unusable = event.preflight.unusable;
      });
      await engine.run();
      const reasons = shares.map((share) => [share.operation, reasonToLeaveOut(share, seen)] as const);
      const leftOut = reasons.flatMap(([operation, reason]) => (reason === null ? [] : [[operation, reason] as const]));
      const { samples, notes } = seen;
      return { target: { ...target, samples }, notes, leftOut: new Map(leftOut) };
    },
    spent: () => engine.spent,
  };
}

/** Null where the operation was served. */
function reasonToLeaveOut({ operation, requestSpec }: MixedRead, { tried, unusable, notes }: Seen): Reason | null {
  const reason = tried.get(operation);
  if (reason !== undefined) return reason;
  if (unusable.length > 0) return { kind: "unusable", sentences: unusable };
  const needed = givensIn(requestSpec);
  const missing = notes.find(({ at, by }) => by === "missing" && needed.includes(at));
  return { kind: "notSeen", detail: missing?.how ?? "it wasn't reached before the load" };
}

/** What is left of a suite that only looks. */
function withoutJudging({ auditor: _, remarks: __, ...suite }: Suite): Suite {
  return { ...suite, laws: [], probes: [] };
}

/** One request of a share, so that what nobody serves isn't sent over and over. */
function tryOf(
  { operation, requestSpec }: MixedRead,
  target: Target,
  shows: readonly RequirementId[],
  seen: Seen,
): Check {
  const feature = operationOf(target.interface, operation)?.feature;
  if (feature === undefined) throw new Error(`the interface has no ${operation}`);
  const ownSamples = givensIn(requestSpec)
    .filter((pointer) => givenAt(target, pointer) === undefined)
    .map((pointer) => `\`${dottedPath(pointer)}\``)
    .join(" and ");
  return scenario([], { feature, shows, requests: [requestSpec] }, async (context) => {
    seen.samples = context.target.samples;
    try {
      const exchange = await context.ask(requestSpec);
      const detail = `with ${ownSamples} made or found for this run, it ${fateOf(exchange)}`;
      seen.tried.set(operation, isServed(exchange) ? null : { kind: "notSeen", detail });
    } catch (error) {
      if (!(error instanceof Withheld || error instanceof Inconclusive || error instanceof BudgetSpent)) throw error;
      seen.tried.set(operation, error.reason);
    }
    return [];
  });
}
