// How a run is split into shards: which of them judges and observes what, the same on every machine.
import { defaultGeneration, type Generation } from "../core/generation.ts";
import type { ObservationId, RequirementId } from "../core/interface.ts";
import { givensIn, nameOf } from "../core/stimulus.ts";
import { citedBy, type Needs } from "../model/check.ts";
import type { Probe } from "../model/probe.ts";
import type { Suite } from "../model/suite.ts";
import { type Spent, sumOf } from "../target/budget.ts";
import type { Target } from "../target/target.ts";
import { durationOf_ms } from "./forecast.ts";
import { type Planned, placeOf } from "./jobs.ts";
import { costOfPlanned, type Plan, samplesFor } from "./plan.ts";
import type { Search } from "./samples.ts";

/** What one shard judges and observes. */
export interface Held {
  readonly requirements: readonly RequirementId[];
  readonly observations: readonly ObservationId[];
}

/** One shard of a run: its number, from 1, and what each of all shards holds. */
export interface Shard {
  readonly nth: number;
  readonly held: readonly Held[];
}

/** A shard, and what its engine is given. */
export interface ShardOptions {
  readonly shard: Shard;
  /** Checks and probes of this shard alone. */
  readonly suite: Suite;
  /** With this shard's part of the budget and of the pace. */
  readonly target: Target;
  /** Why the first shard holds everything; null where the run is split. */
  readonly unsplit: string | null;
}

interface WholeRun {
  readonly suite: Suite;
  readonly target: Target;
  readonly plan: Plan;
  readonly only?: readonly RequirementId[] | null;
  readonly generation?: Generation;
}

type SomePlanned = Pick<Plan, "checks" | "probes" | "searches">;

const allIn = ({ checks, probes }: SomePlanned): readonly Planned[] => [...checks, ...probes];
const needsOf = (planned: Planned): Needs => ("check" in planned ? planned.check.needs : planned.probe.needs);

/** Whether it reads the answers of a whole run, which each shard then does with its own. */
const readsAll = (planned: Planned, target: Target): boolean => placeOf(planned, target).queue === "after";

/** Whether it counts calls, exceeds limits, or takes long to measure. */
function mustBeAlone(planned: Planned, target: Target): boolean {
  const { kind } = placeOf(planned, target);
  const { schedules, settles } = needsOf(planned);
  const isOrdinary = kind === "calls" || kind === "reads" || readsAll(planned, target);
  return planned.lacks === null && (!isOrdinary || schedules !== undefined || settles !== undefined);
}

/**
 * Why a run can't be split; null where it can. Shards of the embedded reference have a platform each; those of a vendor
 * call with the same keys at the same time.
 */
function whyUnsplit({ target, plan: { checks } }: WholeRun): string | null {
  if (target.isReference) return null;
  if (target.quiet) return "the target is `quiet`, so that calls are counted, and those of other shards would count";
  return checks.some((planned) => mustBeAlone(planned, target))
    ? "what is planned counts calls or exceeds limits, which requests of other shards would disturb"
    : null;
}

/** What the run looks for, of what it needs. */
function searchesOf(planned: Planned, { suite, target, plan }: WholeRun): readonly Search[] {
  const given =
    "check" in planned ? samplesFor(planned.check, target, suite) : planned.probe.needs.requests.flatMap(givensIn);
  return plan.searches.filter(({ at }) => at.some((pointer) => given.includes(pointer)));
}

/** Names of what one shard alone may hold all of. */
function bondsOf(planned: Planned, run: WholeRun): readonly string[] {
  const { target } = run;
  const [needs, searches] = [needsOf(planned), searchesOf(planned, run)];
  const cited = "check" in planned ? citedBy(planned.check) : [];
  // What can't be undone is paid for once, and has a limit of its own.
  const isSending = needs.sends !== undefined || searches.some(({ finder }) => finder.needs.sends);
  // The verdict on a known deviation depends on whether those that show it were tried.
  const shown = target.deviations.filter(({ shownBy = [] }) => shownBy.some((id) => cited.includes(id)));
  return [
    ...cited,
    // What several need is sent and paid for once.
    ...needs.requests.map(nameOf),
    ...shown.map(({ requirement }) => requirement),
    ...searches.map(({ at }) => at.join()),
    ...(needs.schedules ?? []).map(({ name }) => name),
    ...(isSending ? ["sends"] : []),
    ...(mustBeAlone(planned, target) ? ["alone"] : []),
  ];
}

/** What belongs together. */
function unitsOf(run: WholeRun): readonly (readonly Planned[])[] {
  let units: { readonly bonds: ReadonlySet<string>; readonly all: readonly Planned[] }[] = [];
  for (const planned of allIn(run.plan)) {
    const bonds = new Set(bondsOf(planned, run));
    const joined = units.filter((unit) => [...bonds].some((bond) => unit.bonds.has(bond)));
    const all = [...joined.flatMap((unit) => unit.all), planned];
    const unit = { bonds: new Set([...bonds, ...joined.flatMap((one) => [...one.bonds])]), all };
    units = [...units.filter((one) => !joined.includes(one)), unit];
  }
  return units.map(({ all }) => all);
}

/** These of a plan, with the searches that they need. */
function planOf(some: ReadonlySet<Planned>, run: WholeRun): SomePlanned {
  const { checks, probes, searches } = run.plan;
  const needed = new Set([...some].flatMap((planned) => searchesOf(planned, run)));
  return {
    checks: checks.filter((one) => some.has(one)),
    probes: probes.filter((one) => some.has(one)),
    searches: searches.filter((one) => needed.has(one)),
  };
}

/** The longest first, each to the shard that would end first. */
async function plansOf(run: WholeRun, of: number, isSplit: boolean): Promise<readonly SomePlanned[]> {
  const shares = Array.from({ length: of }, () => ({ planned: new Set<Planned>(), long_ms: 0 }));
  const units = (isSplit ? unitsOf(run) : [allIn(run.plan)]).map(async (unit) => {
    return { unit, long_ms: await durationOf_ms(planOf(new Set(unit), run), run.target, run) };
  });
  for (const { unit, long_ms } of (await Promise.all(units)).toSorted((a, b) => b.long_ms - a.long_ms)) {
    const share = shares.reduce((least, one) => (one.long_ms < least.long_ms ? one : least));
    for (const planned of unit) share.planned.add(planned);
    share.long_ms += long_ms;
  }
  return shares.map(({ planned }) => planOf(planned, run));
}

/** The probes of a shard: its own, and those of others that read all answers, which read its own and send nothing. */
function probesOf(own: SomePlanned, { target, plan }: WholeRun, isSplit: boolean): readonly Probe[] {
  const unless = () => "other shards call at the same time";
  const held = own.probes.map((planned): Probe => {
    const { probe } = planned;
    const isDisturbed = isSplit && !target.isReference && mustBeAlone(planned, target);
    return isDisturbed ? { ...probe, needs: { ...probe.needs, unless } } : probe;
  });
  const readers = plan.probes.filter(
    (one) => allIn(own).length > 0 && readsAll(one, target) && one.lacks === null && !own.probes.includes(one),
  );
  return [...held, ...readers.map(({ probe }) => ({ ...probe, needs: { ...probe.needs, requests: [] } }))];
}

/** Splits what is planned into so many shards: the same for the same target, version and flags. */
export async function shardOf(run: WholeRun, nth: number, of: number): Promise<ShardOptions> {
  const { suite, target, only = null, generation = defaultGeneration(target) } = run;
  const unsplit = whyUnsplit(run);
  const plans = await plansOf(run, of, unsplit === null);
  const own = plans[nth - 1] ?? planOf(new Set(), run);
  const checks = new Set(own.checks.map(({ check }) => check));
  const costs = plans.map((one) => costOfPlanned(target, one, generation.scale));
  return {
    shard: {
      nth,
      held: plans.map((one) => ({
        requirements: [...new Set(one.checks.flatMap(({ check }) => citedBy(check)))].filter(
          (id) => only?.includes(id) ?? true,
        ),
        observations: one.probes.map(({ probe }) => probe.id),
      })),
    },
    suite: {
      ...suite,
      checks: suite.checks.filter((one) => checks.has(one)),
      probes: probesOf(own, run, unsplit === null),
    },
    target: {
      ...target,
      budget: budgetShareOf(target, costs, nth),
      ...(target.isReference ? {} : { paceShare: paceShareOf(costs, nth) }),
    },
    unsplit,
  };
}

/** Half of the pace is split by what each shard is planned to send, and half evenly, so that none starves. */
function paceShareOf(costs: readonly Spent[], nth: number): number {
  const own = costs[nth - 1]?.requests ?? 0;
  const senders = costs.filter(({ requests }) => requests > 0).length;
  // Where nothing is planned, nothing is sent.
  return own === 0 ? 1 : (1 / senders + own / sumOf(costs).requests) / 2;
}

/** A shard's part of the budget, by what each is planned to spend; seconds are whole, as all run at the same time. */
function budgetShareOf({ budget }: Target, costs: readonly Spent[], nth: number): Target["budget"] {
  const part = (total: number, of: keyof Spent): number => {
    const by = sumOf(costs)[of] > 0 ? of : "requests";
    const upTo = (last: number): number => Math.floor((sumOf(costs.slice(0, last))[by] / sumOf(costs)[by]) * total);
    // Where nothing is planned, nothing is spent.
    return upTo(nth) - upTo(nth - 1) || 0;
  };
  const { requests, credits } = budget;
  return {
    ...budget,
    ...(requests === undefined ? {} : { requests: part(requests, "requests") }),
    ...(credits === undefined ? {} : { credits: part(credits, "credits") }),
  };
}
