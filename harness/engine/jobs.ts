// The jobs of a run: its checks and probes, with what may run beside them, and in which order.
import type { RequirementId } from "../core/interface.ts";
import type { UnmetNeed } from "../core/reason.ts";
import { type Asker, requestKey } from "../core/requestSpec.ts";
import { type Check, callersIn, citedBy, type Needs } from "../model/check.ts";
import type { Probe } from "../model/probe.ts";
import { costOf } from "../targets/budget.ts";
import { projectNameOf, type Target } from "../targets/target.ts";
import { canIsolate } from "./projects.ts";
import { type Locks, runJobs, type ScheduledJob, writesTo } from "./scheduler.ts";

export interface PlannedCheck {
  readonly check: Check;
  /** Why it is withheld; null where it runs. */
  readonly unmetNeed: UnmetNeed | null;
}

export interface PlannedProbe extends Pick<PlannedCheck, "unmetNeed"> {
  readonly probe: Probe;
  /** Whether it trips a limit. */
  readonly disturbs: boolean;
}

export type Planned = PlannedCheck | PlannedProbe;

/** Most requirements first, then what counts calls, what exceeds limits, first briefly, and what is only observed. */
const order = ["checks", "counting", "limits", "rates", "last", "observed", "measured", "after", "disturbing"] as const;

/**
 * The resources of a run. Beside these there are turns (`turn:…`), the pace of a feature (`pace:<feature>:checks:…` or
 * `probes`), the meter of a project (`meter:<project>`), and limits of one project (`limit:of <project>:…`).
 */
export const lockNames = {
  /** What all others were answered: written by what reads all of it, or disturbs others. */
  answers: "answers",
  /** Written by what counts calls, which does so one at a time. */
  counting: "counting",
  meters: "meter:*",
  limits: "limit:*",
  /** Those that are exceeded in projects of their own. */
  ownLimits: "limit:own:*",
  /** Those that may count all requests of a project, or of several. */
  sharedLimits: "limit:shared:*",
  /** Those that are tried for long, and count some projects. */
  rateLimits: "limit:rate:*",
} as const;

type Placed = Omit<ScheduledJob<unknown>, "item">;

/** What checks and probes have in common. */
interface Task {
  readonly name: string;
  readonly features: readonly string[];
  readonly needs: Needs;
  readonly when: Check["when"] | Probe["when"];
  readonly isProbe: boolean;
  readonly disturbs: boolean;
  /** Those that it calls; null where only its run shows that. */
  readonly projects: readonly string[] | null;
}

/** Whose projects it calls; those of checks that count calls are known only when they run. */
function projectsOf({ needs, when }: Check | Probe, isProbe: boolean, target: Target): Task["projects"] {
  if (!isProbe && when === "alone") return null;
  // Ordinary ones may call the owner's besides.
  const isStrict = needs.schedules !== undefined || needs.settles !== undefined;
  const askers = callersIn(needs);
  const all: readonly Asker[] = isStrict && !needs.sends ? askers : ["owner", ...askers];
  return [...new Set(all.flatMap((asker) => projectNameOf(target, asker) ?? []))];
}

function taskOf(planned: Planned, target: Target): Task {
  if ("check" in planned) {
    const { check } = planned;
    const common = { name: check.ids.join(), features: [check.feature], isProbe: false, disturbs: false };
    return { ...common, needs: check.needs, when: check.when, projects: projectsOf(check, false, target) };
  }
  const { probe, disturbs } = planned;
  const common = { name: probe.id, features: probe.features, isProbe: true, disturbs };
  return { ...common, needs: probe.needs, when: probe.when, projects: projectsOf(probe, true, target) };
}

const featureOf = ({ features }: Task): string => features[0] ?? "";
const isOfMeter = ({ features }: Task, { interface: { meter } }: Target): boolean =>
  features.every((feature) => feature === meter);

const placed = (priority: (typeof order)[number], locks: Locks, isLong = false): Placed => ({
  locks,
  priority: order.indexOf(priority),
  isLong,
});

/** Reads or disturbs the answers of all. */
const alone: Locks = { reads: [], writes: [lockNames.answers] };

const metersOf = (projects: Task["projects"]): readonly string[] =>
  projects?.map((project) => `meter:${project}`) ?? [lockNames.meters];

/** Calls at the pace of its feature, which checks and probes don't share; one of a turn at a time. */
function calling(task: Task, target: Target, turn: string): Locks {
  const pace = `pace:${featureOf(task)}`;
  const [own, others] = task.isProbe ? ["probes", "checks"] : ["checks", "probes"];
  const limitsOfProjects = (task.projects ?? []).map((project) => `limit:of ${project}:*`);
  const limits = isOfMeter(task, target)
    ? [lockNames.limits]
    : [lockNames.ownLimits, lockNames.sharedLimits, ...limitsOfProjects];
  return {
    reads: [lockNames.answers, `${pace}:${others}:*`, ...limits, ...metersOf(task.projects)],
    writes: [`turn:${turn}`, `${pace}:${own}:${turn}`],
  };
}

/** Counts calls, which no others may make in the same projects. */
const counting = ({ projects }: Task): Locks => ({
  reads: [lockNames.answers, lockNames.sharedLimits, lockNames.rateLimits],
  writes: [lockNames.counting, ...metersOf(projects)],
});

/** Exceeds a limit. @param projects whose alone it may be, if any */
const exceeding = (scope: "own" | "shared" | "rate", turn: string, projects: Task["projects"] = null): Locks => ({
  reads: [lockNames.answers],
  writes: [
    `turn:${turn}`,
    `limit:${scope}:${turn}`,
    ...(projects ?? []).map((project) => `limit:of ${project}:${turn}`),
  ],
});

/** Calls that can't be undone have a limit of their own. */
function turnOf(task: Task, { interface: { operations } }: Target): string {
  const { sends, requests } = task.needs;
  const isSending =
    sends || operations.some((one) => one.irreversible && requests.some(({ operation }) => operation === one.id));
  return isSending ? `${featureOf(task)} sent` : featureOf(task);
}

/** Where schedules of a check run. Limits of calls that can't be undone may count all projects together. */
function placeOfSchedules(task: Task, target: Target, isRefused: boolean): Placed {
  const { name, needs, when, projects } = task;
  const all = [name, ...(needs.schedules ?? []).map((schedule) => schedule.name)].join();
  const turn = `limits of ${!target.control || needs.sends ? featureOf(task) : all}`;
  if (when === "beside" && target.control) return placed("checks", { reads: [], writes: [`turn:${turn}`] });
  if (canIsolate(target)) return placed("counting", exceeding("own", turn));
  if (when !== "beside") return placed("limits", exceeding("shared", turn));
  return placed("rates", isRefused ? exceeding("shared", turn) : exceeding("rate", turn, projects));
}

/**
 * What a check or a probe locks, and when it is its turn.
 * @param isRefused whether requests were refused at our pace, so that a limit may count several projects together
 */
export function scheduledAs(planned: Planned, target: Target, isRefused = false): Placed {
  const task = taskOf(planned, target);
  const { name, needs, when, isProbe } = task;
  const isOwn = canIsolate(target);
  const ordinary = (turn: string, isLong = false): Placed =>
    placed(isProbe ? "observed" : "checks", calling(task, target, turn), isLong);
  // Schedules of isolated projects disturb only each other.
  if (when === "isolated" && isOwn)
    return ordinary(needs.schedules ? "limits observed" : name, (needs.schedules ?? needs.settles) !== undefined);
  if (!isProbe && needs.schedules) return placeOfSchedules(task, target, isRefused);
  if (task.disturbs) return placed("disturbing", exceeding("shared", `limits of ${featureOf(task)}`));
  if (when === "after" || (when === "last" && needs.settles)) return placed(when, alone);
  if (when === "last") {
    // Calls at once, of which a limit may count those of several features together.
    const turn = isOfMeter(task, target) ? `limits of ${featureOf(task)}` : "calls at once";
    return placed("last", exceeding("shared", turn));
  }
  const isPolling = isProbe && when === "beside";
  // Where control moves the time, what polls for long would see that of others.
  if (when === "alone" || when === "isolated" || (isPolling && isOwn))
    // What the meter shows of its own reads, other reads would change. No check that counts waits for such a probe.
    return isProbe
      ? placed("measured", isOfMeter(task, target) ? alone : counting(task), true)
      : placed("counting", counting(task));
  if (isPolling) return ordinary(name, true);
  // An isolated project has a limit of its own.
  return ordinary(isOwn && needs.generates ? `${featureOf(task)} generated` : turnOf(task, target));
}

interface Plans {
  readonly checks: readonly PlannedCheck[];
  readonly probes: readonly PlannedProbe[];
}

/** How many checks and probes that lack nothing write a resource. */
export const countOf = (name: string, { checks, probes }: Plans, target: Target): number =>
  [...checks, ...probes].filter(
    (planned) => planned.unmetNeed === null && writesTo(scheduledAs(planned, target).locks, name),
  ).length;

interface Running {
  execute(planned: Planned): Promise<void>;
  /** Whether a request was refused at our pace, so that a limit may count several projects together. */
  isRefused(): boolean;
}

/** Gives one object for all locks that are the same. */
function internedLocks(): (locks: Locks) => Locks {
  const byText = new Map<string, Locks>();
  return (locks) => {
    const text = JSON.stringify(locks);
    const interned = byText.get(text) ?? locks;
    byText.set(text, interned);
    return interned;
  };
}

/** Runs all of them; what has an unmet need needn't wait for anything. */
export async function runPlanned(all: readonly Planned[], target: Target, running: Running): Promise<void> {
  for (const planned of all) if (planned.unmetNeed !== null) await running.execute(planned);
  const interned = internedLocks();
  const jobs = all
    .filter(({ unmetNeed }) => unmetNeed === null)
    .map((planned): ScheduledJob<Planned> => {
      const place = scheduledAs(planned, target);
      const usual = interned(place.locks);
      const whereRefused = interned(scheduledAs(planned, target, true).locks);
      return {
        ...place,
        item: planned,
        get locks() {
          return running.isRefused() ? whereRefused : usual;
        },
      };
    });
  await runJobs(jobs, (planned) => running.execute(planned));
}

/** By priority, then by the credits that verifying a requirement takes, then in the order of the suite. */
export function inOrder(target: Target, checks: readonly Check[]): readonly Check[] {
  const share = shareOf(target, checks);
  // Of these, checks of known cost come first: they show how late charges are.
  const price = (check: Check): number =>
    check.when === "alone" ? share(check) || Number.POSITIVE_INFINITY : share(check);
  const priorities = new Map(checks.map((check) => [check, scheduledAs({ check, unmetNeed: null }, target).priority]));
  const priority = (check: Check): number => priorities.get(check) ?? 0;
  return [...checks].sort((a, b) => priority(a) - priority(b) || Math.sign(price(a) - price(b)) || 0);
}

/** Credits that the cheapest requirement of a check takes; the cost of a shared request is divided. */
function shareOf(target: Target, checks: readonly Check[]): (check: Check) => number {
  const costs = new Map<RequirementId, Map<string, number>>();
  const sharers = new Map<string, Set<RequirementId>>();
  for (const check of checks) {
    for (const requestSpec of check.needs.requests) {
      const credits = costOf(target, requestSpec) ?? 0;
      if (credits === 0) continue;
      const name = requestKey(requestSpec);
      for (const id of citedBy(check)) {
        costs.set(id, (costs.get(id) ?? new Map<string, number>()).set(name, credits));
        sharers.set(name, (sharers.get(name) ?? new Set<RequirementId>()).add(id));
      }
    }
  }
  const share = (id: RequirementId): number =>
    [...(costs.get(id) ?? [])].reduce((total, [name, credits]) => total + credits / (sharers.get(name)?.size ?? 1), 0);
  const shares = new Map(
    checks.map((check) => [check, Math.min(...citedBy(check).map(share), Number.POSITIVE_INFINITY)]),
  );
  return (check) => shares.get(check) ?? 0;
}
