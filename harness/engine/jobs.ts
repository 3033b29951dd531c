// The jobs of a run: its checks and probes, with what may run beside them, and in which order.
import type { RequirementId } from "../core/interface.ts";
import { type Asker, nameOf } from "../core/stimulus.ts";
import { type Check, callersIn, citedBy, type Needs } from "../model/check.ts";
import type { Probe } from "../model/probe.ts";
import { costOf } from "../target/budget.ts";
import { projectNameOf, type Target } from "../target/target.ts";
import { canIsolate } from "./projects.ts";
import { type Job, type Kind, runJobs } from "./scheduler.ts";

export interface PlannedCheck {
  readonly check: Check;
  /** The reason for which it is withheld; null where it runs. */
  readonly lacks: string | null;
}

export interface PlannedProbe extends Pick<PlannedCheck, "lacks"> {
  readonly probe: Probe;
  /** Whether it trips a limit. */
  readonly disturbs: boolean;
}

export type Planned = PlannedCheck | PlannedProbe;

type Place = Pick<Target, "control" | "isReference" | "interface">;

/** Most requirements first, then what counts calls, what exceeds limits, first briefly, and what is only observed. */
const ranks = {
  together: 1,
  charges: 2,
  limits: 3,
  rates: 4,
  last: 5,
  observed: 6,
  measured: 7,
  after: 8,
  disturbing: 9,
};

type Placed = Omit<Job<unknown>, "item" | "projects">;

const isOfMeter = (features: readonly string[], { interface: { meter } }: Place): boolean =>
  features.every((one) => one === meter);
const kindOf = (features: readonly string[], target: Place): Kind => (isOfMeter(features, target) ? "reads" : "calls");

/** Calls that can't be undone have a limit of their own. */
const queueOf = (feature: string, { sends, requests }: Needs, { interface: { operations } }: Place): string =>
  sends || operations.some((one) => one.irreversible && requests.some(({ operation }) => operation === one.id))
    ? `${feature} sent`
    : feature;

/** Where a check runs. Limits of calls that can't be undone may count all projects together. */
export function placeOfCheck({ ids, feature, needs, when }: Check, target: Place): Placed {
  const [isOwn, isSending] = [canIsolate(target), needs.sends !== undefined];
  if (needs.schedules) {
    const names = needs.schedules.map(({ name }) => name);
    const queue = `limits of ${!target.control || isSending ? feature : [...ids, ...names].join()}`;
    if (when === "beside" && target.control) return { feature, kind: "own", queue, rank: ranks.together };
    if (isOwn) return { feature, kind: "bursts", queue, rank: ranks.charges };
    const kind = when === "beside" ? "rates" : "limits";
    return { feature, kind, queue, rank: ranks[kind] };
  }
  if (when === "alone") return { feature, kind: "charges", queue: "charges", rank: ranks.charges };
  if (when === "last" && needs.settles) return { feature, kind: "alone", queue: "last", rank: ranks.last };
  if (when === "last") {
    // Calls at once, of which a limit may count those of several features together.
    const queue = isOfMeter([feature], target) ? `limits of ${feature}` : "calls at once";
    return { feature, kind: "limits", queue, rank: ranks.last };
  }
  // An isolated project has a limit of its own.
  const queue = isOwn && needs.generates ? `${feature} generated` : queueOf(feature, needs, target);
  return { feature, kind: kindOf([feature], target), queue, rank: ranks.together };
}

/** Where a probe runs. Those that count calls have projects of their own only where these can be made. */
export function placeOfProbe({ probe, disturbs }: PlannedProbe, target: Place): Placed {
  const { id, when, features, needs } = probe;
  const feature = features[0] ?? "";
  if (when === "isolated" && canIsolate(target))
    // Schedules of isolated projects disturb only each other.
    return {
      ...{ feature, kind: "calls", rank: ranks.observed, isLong: (needs.schedules ?? needs.settles) !== undefined },
      queue: needs.schedules ? "limits observed" : id,
    };
  if (disturbs) return { feature, kind: "limits", queue: `limits of ${feature}`, rank: ranks.disturbing };
  if (when === "after") return { feature, kind: "alone", queue: "after", rank: ranks.after };
  const isLong = when === "beside";
  // Where control moves the time, what polls for long would see that of others.
  if (when === "alone" || when === "isolated" || (isLong && canIsolate(target)))
    // What the meter shows of its own reads, other reads would change.
    return {
      ...{ feature, rank: ranks.measured, queue: needs.settles ? "charges" : id },
      kind: isOfMeter(features, target) ? "alone" : "charges",
    };
  const queue = isLong ? id : queueOf(feature, needs, target);
  return { feature, kind: kindOf(features, target), queue, rank: ranks.observed, isLong };
}

/** Whose projects it calls; those of checks that count calls are known only when they run. */
function projectsOf(planned: Planned, target: Target): readonly string[] | null {
  const { needs, when } = "check" in planned ? planned.check : planned.probe;
  if ("check" in planned && when === "alone") return null;
  // Ordinary ones may call the owner's besides.
  const isStrict = needs.schedules !== undefined || needs.settles !== undefined;
  const askers = callersIn(needs);
  const all: readonly Asker[] = isStrict && !needs.sends ? askers : ["owner", ...askers];
  return all.flatMap((asker) => projectNameOf(target, asker) ?? []);
}

export const placeOf = (planned: Planned, target: Place): Placed =>
  "check" in planned ? placeOfCheck(planned.check, target) : placeOfProbe(planned, target);

interface Plans {
  readonly checks: readonly PlannedCheck[];
  readonly probes: readonly PlannedProbe[];
}

/** How many checks and probes that lack nothing are of a kind. */
export const countOf = (kind: Kind, { checks, probes }: Plans, target: Place): number =>
  [...checks, ...probes].filter((planned) => planned.lacks === null && placeOf(planned, target).kind === kind).length;

interface Running {
  execute(planned: Planned): Promise<void>;
  /** Whether a request was refused at our pace, so that a limit may count several projects together. */
  isRefused(): boolean;
}

/** Runs all of them; what lacks something needn't wait for anything. */
export async function runPlanned(all: readonly Planned[], target: Target, running: Running): Promise<void> {
  for (const planned of all) if (planned.lacks !== null) await running.execute(planned);
  const jobs = all
    .filter(({ lacks }) => lacks === null)
    .map((planned): Job<Planned> => {
      const place = placeOf(planned, target);
      const projects = projectsOf(planned, target);
      return {
        ...{ item: planned, ...place },
        get projects() {
          return place.kind === "rates" && running.isRefused() ? null : projects;
        },
      };
    });
  await runJobs(jobs, (planned) => running.execute(planned));
}

/** By rank, then by the credits that verifying a requirement takes, then in the order of the suite. */
export function inOrder(target: Target, checks: readonly Check[]): readonly Check[] {
  const share = shareOf(target, checks);
  // Of these, checks of known cost come first: they show how late charges are.
  const price = (check: Check): number =>
    check.when === "alone" ? share(check) || Number.POSITIVE_INFINITY : share(check);
  const rank = (check: Check): number => placeOfCheck(check, target).rank;
  return [...checks].sort((a, b) => rank(a) - rank(b) || Math.sign(price(a) - price(b)) || 0);
}

/** Credits that the cheapest requirement of a check takes; the cost of a shared request is divided. */
function shareOf(target: Target, checks: readonly Check[]): (check: Check) => number {
  const costs = new Map<RequirementId, Map<string, number>>();
  const sharers = new Map<string, Set<RequirementId>>();
  for (const check of checks) {
    for (const stimulus of check.needs.requests) {
      const credits = costOf(target, stimulus) ?? 0;
      if (credits === 0) continue;
      const name = nameOf(stimulus);
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
