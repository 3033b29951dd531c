// How a run is split into shards: which of them judges and observes what, the same on every machine.
import type { ObservationId, RequirementId } from "../core/interface.ts";
import { givensIn, nameOf } from "../core/stimulus.ts";
import { citedBy, type Needs } from "../model/check.ts";
import type { Probe } from "../model/probe.ts";
import type { Suite } from "../model/suite.ts";
import { type Spent, sumOf } from "../target/budget.ts";
import type { Target } from "../target/target.ts";
import { Engine } from "./engine.ts";
import { secondsOf } from "./forecast.ts";
import { type Planned, type PlannedProbe, placeOf } from "./jobs.ts";
import type { EngineOptions } from "./options.ts";
import { type Plan, samplesFor } from "./plan.ts";

/** Which of how many shares of one run or load, from 1. */
export interface Share {
  readonly nth: number;
  readonly of: number;
}

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

export interface PlannedRun {
  readonly engine: Engine;
  /** Of the whole run, of which the engine judges a share. */
  readonly whole: Plan;
  /** With this shard's part of the budget and of the pace. */
  readonly target: Target;
  /** Why the first shard holds everything; null where the run is split, or whole. */
  readonly unsplit: string | null;
  /** Undefined where the engine judges the whole run. */
  readonly shard?: Shard;
}

/** Plans a run, or one share of it: the same for the same target, version and flags. */
export async function planRun(options: EngineOptions, share: Share | null): Promise<PlannedRun> {
  const { target } = options;
  const engine = new Engine(options);
  if (share === null) return { engine, whole: engine.plan, target, unsplit: null };
  const { nth, of } = share;
  const run = { ...options, plan: engine.plan };
  const unsplit = whyUnsplit(run);
  const shards = (await sharesOf(run, of, unsplit === null)).map((some) => {
    const suite = suiteOf(some, run, unsplit === null);
    const { ids: requirements, plan } = new Engine({ ...options, suite });
    const observations = [...some].flatMap((planned) => ("probe" in planned ? [planned.probe.id] : []));
    return { suite, plan, held: { requirements, observations } };
  });
  const costs = shards.map(({ plan }) => plan);
  const own: Target = {
    ...target,
    budget: budgetShareOf(target, costs, nth),
    ...(target.isReference ? {} : { paceShare: paceShareOf(costs, nth) }),
  };
  const suite = shards[nth - 1]?.suite ?? suiteOf(new Set(), run, false);
  const shard = { nth, held: shards.map(({ held }) => held) };
  return { engine: new Engine({ ...options, suite, target: own }), whole: engine.plan, target: own, unsplit, shard };
}

type WholeRun = EngineOptions & Pick<Engine, "plan">;

const allIn = ({ plan: { checks, probes } }: WholeRun): readonly Planned[] => [...checks, ...probes];
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

/** Names of what one shard alone may hold all of. */
function bondsOf(planned: Planned, { suite, target, plan }: WholeRun): readonly string[] {
  const needs = needsOf(planned);
  const given = "check" in planned ? samplesFor(planned.check, target, suite) : needs.requests.flatMap(givensIn);
  const searches = plan.searches.filter(({ at }) => at.some((pointer) => given.includes(pointer)));
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
  for (const planned of allIn(run)) {
    const bonds = new Set(bondsOf(planned, run));
    const joined = units.filter((unit) => [...bonds].some((bond) => unit.bonds.has(bond)));
    const all = [...joined.flatMap((unit) => unit.all), planned];
    const unit = { bonds: new Set([...bonds, ...joined.flatMap((one) => [...one.bonds])]), all };
    units = [...units.filter((one) => !joined.includes(one)), unit];
  }
  return units.map(({ all }) => all);
}

/** The longest first, each to the share that would end first. */
async function sharesOf(run: WholeRun, of: number, isSplit: boolean): Promise<readonly ReadonlySet<Planned>[]> {
  const units = isSplit ? unitsOf(run) : [allIn(run)];
  const shares = Array.from({ length: of }, () => ({ own: new Set<Planned>(), seconds: 0 }));
  const timed = units.map(async (unit) => ({ unit, seconds: await secondsOf(unit, run.target, run) }));
  for (const { unit, seconds } of (await Promise.all(timed)).toSorted((a, b) => b.seconds - a.seconds)) {
    const share = shares.reduce((least, one) => (one.seconds < least.seconds ? one : least));
    for (const planned of unit) share.own.add(planned);
    share.seconds += seconds;
  }
  return shares.map(({ own }) => own);
}

/** What is a shard's own, and probes of others that read all answers: they read its own, and send nothing. */
function suiteOf(own: ReadonlySet<Planned>, { suite, target, plan }: WholeRun, isSplit: boolean): Suite {
  const unless = () => "other shards call at the same time";
  const probeOf = (planned: PlannedProbe): Probe | readonly Probe[] => {
    const { probe, lacks } = planned;
    const withNeeds = (needs: Partial<Needs>): Probe => ({ ...probe, needs: { ...probe.needs, ...needs } });
    const isDisturbed = isSplit && !target.isReference && mustBeAlone(planned, target);
    if (own.has(planned)) return isDisturbed ? withNeeds({ unless }) : probe;
    return own.size > 0 && lacks === null && readsAll(planned, target) ? withNeeds({ requests: [] }) : [];
  };
  return {
    ...suite,
    checks: plan.checks.filter((planned) => own.has(planned)).map(({ check }) => check),
    probes: plan.probes.flatMap(probeOf),
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
