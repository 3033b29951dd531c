// The plan of a run: the checks and probes that can run on a target, what others lack, and the cost.
import { defaultGeneration, type Generation } from "../core/generation.ts";
import { type Feature, type ObservationId, type RequirementId, unspecifiedBehaviour } from "../core/interface.ts";
import type { UnmetNeed } from "../core/reason.ts";
import { type Asker, givensIn, type Made, type Role } from "../core/requestSpec.ts";
import { type Check, callersIn, citedBy } from "../model/check.ts";
import { checkCoverageOf, countingOf } from "../model/narrowing.ts";
import type { Probe } from "../model/probe.ts";
import type { SampleFinder, SampleNote } from "../model/sampleFinder.ts";
import type { Suite } from "../model/suite.ts";
import { keyOf, type Target } from "../targets/target.ts";
import { inOrder, type PlannedCheck, type PlannedProbe } from "./jobs.ts";
import { costOfPlanned, type PlanCost } from "./planCost.ts";
import { asIfFound, type SampleSearch, searchesFor } from "./samples.ts";
import { type UnmetNeedOptions, unmetNeedOf, unmetNeedOfCheck, unmetNeedOfProbe } from "./unmetNeeds.ts";

export interface Plan extends PlanCost {
  readonly checks: readonly PlannedCheck[];
  readonly probes: readonly PlannedProbe[];
  /** Requirements with at least one check that runs. */
  readonly tried: readonly RequirementId[];
  /** Samples that the run looks for, so that a check that needs them isn't withheld yet. */
  readonly searches: readonly SampleSearch[];
  /** Those that checks need and the target file doesn't give. */
  readonly samples: readonly SampleNote[];
}

export interface PlanOptions extends UnmetNeedOptions {
  /** Only checks that cite one of them, and probes that inform one; all where it is null. */
  readonly only: readonly RequirementId[] | null;
  /** Only these probes; by default as `only` selects. */
  readonly observe?: readonly ObservationId[] | undefined;
  /** By default what is usual for the target. */
  readonly generation?: Generation;
  /** What was made, or comes from a chain profile. */
  readonly samples?: readonly SampleNote[];
}

/** The samples that a check needs; where no auth sanity check of its feature can be asked, what those need, too. */
export function samplesFor(
  { needs, feature }: Check,
  target: Target,
  { authSanityChecks }: Pick<Suite, "authSanityChecks">,
): readonly string[] {
  const owners = authSanityChecks.filter(({ features }) => features.includes(feature)).map(({ owner }) => owner);
  const isSane = owners.some((owner) => unmetNeedOf(owner, target) === null);
  return [...needs.requests, ...(needs.generates?.each ?? []), ...(isSane ? [] : owners)].flatMap(givensIn);
}

export const offeredOf = ({ features }: Pick<Probe, "features">, { offers }: Target): readonly Feature[] =>
  features.filter((feature) => offers.includes(feature));

function planProbes(target: Target, probes: readonly Probe[], options: PlanOptions): readonly PlannedProbe[] {
  const { only, observe } = options;
  const isWanted = ({ id, informs }: Probe): boolean =>
    observe ? observe.includes(id) : !only || informs.some((row) => only.includes(row));
  return probes
    .filter((probe) => offeredOf(probe, target).length > 0 && isWanted(probe))
    .map((probe) => ({
      probe,
      disturbs: unspecifiedBehaviour(target.interface, probe.id).safety === "throttle",
      unmetNeed: unmetNeedOfProbe(probe, target, options),
    }))
    .sort((a, b) => rankOf(a) - rankOf(b));
}

/** Probes that read the answers of others come after them, probes that trip a limit last. */
const rankOf = ({ probe, disturbs }: PlannedProbe): number => (disturbs ? 2 : probe.when === "after" ? 1 : 0);

/**
 * The checks of offered features that are wanted: those that cite an id of `only`, or no id at all. Where a case is
 * replayed, its property alone.
 */
function planChecks(target: Target, checks: readonly Check[], options: PlanOptions): readonly PlannedCheck[] {
  const { only } = options;
  const { replay } = options.generation ?? defaultGeneration(target);
  const isWanted = (ids: readonly RequirementId[]): boolean =>
    !only || ids.length === 0 || ids.some((id) => only.includes(id));
  const candidates = replay ? checks.filter(({ needs }) => needs.generates?.property === replay.property) : checks;
  const inScope = candidates.filter((check) => target.offers.includes(check.feature) && isWanted(citedBy(check)));
  return inOrder(target, inScope).map((check) => ({ check, unmetNeed: unmetNeedOfCheck(check, target, options) }));
}

/** Whether a check or a probe is planned and has no unmet need. */
export const isPlanned = ({ checks, probes }: Plan, one: object): boolean =>
  [...checks, ...probes].some(
    (planned) => ("check" in planned ? planned.check : planned.probe) === one && planned.unmetNeed === null,
  );

interface Lacking {
  readonly id: RequirementId;
  readonly check: Check;
  readonly unmetNeed: UnmetNeed;
}

/** What keeps requirements from being tried on all that they are about. */
export const unmetNeedsIn = ({ checks }: Pick<Plan, "checks">, target: Target): readonly Lacking[] =>
  target.interface.requirements.flatMap((requirement) => {
    const own = checks.filter(({ check }) => citedBy(check).includes(requirement.id));
    const all = own.map((one) => ({ ...one, ...checkCoverageOf(one.check, target) }));
    return countingOf(requirement, all, ({ unmetNeed }) => unmetNeed !== null).flatMap(({ check, unmetNeed }) =>
      unmetNeed === null ? [] : [{ id: requirement.id, check, unmetNeed }],
    );
  });

/** Those that may send what they need. */
export const usableFinders = (target: Target, finders: readonly SampleFinder[], options: UnmetNeedOptions) =>
  finders.filter(
    (finder) => target.offers.includes(finder.feature) && unmetNeedOfCheck(finder, target, options) === null,
  );

/** The checks as if all were found that may be; what they need of that is looked for, and may serve probes, too. */
function planSearches(target: Target, suite: Suite, options: PlanOptions) {
  const finders = usableFinders(target, suite.finders ?? [], options);
  const checks = planChecks(asIfFound(target, finders), suite.checks, options);
  const tried = checks.flatMap(({ check, unmetNeed }) => (unmetNeed === null ? [check] : []));
  const needed = tried.flatMap((check) => (citedBy(check).length > 0 ? samplesFor(check, target, suite) : []));
  const searches = searchesFor(target, finders, needed);
  const used = searches.map(({ finder }) => finder);
  const found = asIfFound(target, used);
  const samples = (options.samples ?? []).filter(({ at, by }) => by === "profile" || needed.includes(at));
  return { checks, tried, searches, samples, found, probes: planProbes(found, suite.probes, options) };
}

export function planFor(target: Target, suite: Suite, options: PlanOptions): Plan {
  const { scale } = options.generation ?? defaultGeneration(target);
  const { tried, found, ...planned } = planSearches(target, suite, options);
  const observed = planned.probes.flatMap(({ probe, unmetNeed }) => (unmetNeed === null ? [probe] : []));
  const searching = planned.searches.map(({ finder }) => finder);
  const { only } = options;
  return {
    ...planned,
    tried: [...new Set(tried.flatMap(citedBy))].filter((id) => !only || only.includes(id)),
    ...costOfPlanned(
      { tried, searching, observed },
      { target, found, scale, authSanityChecks: suite.authSanityChecks, ...callersOfPlan(planned, found) },
    ),
  };
}

/** What runs is about, and whose keys it calls with. */
export function callersOfPlan({ checks, probes }: Pick<Plan, "checks" | "probes">, target: Target) {
  const running = [
    ...checks.map(({ check, unmetNeed }) => ({ unmetNeed, needs: check.needs, features: [check.feature] })),
    ...probes.map(({ probe, unmetNeed }) => ({ unmetNeed, needs: probe.needs, features: probe.features })),
  ].filter(({ unmetNeed }) => unmetNeed === null);
  const askers: readonly Asker[] = ["owner", ...running.flatMap(({ needs }) => callersIn(needs))];
  return {
    features: [...new Set(running.flatMap(({ features }) => features))],
    roles: new Set<Role | Made>(askers.flatMap((asker) => keyOf(target, asker)?.role ?? [])),
  };
}
