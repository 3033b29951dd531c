// Probes of the usage limit: how and whom it counts, what else, and when it forgets (§8)
import { unjudgedHealth } from "../../contracts/jsonrpc/probeRequests.ts";
import { carriersOf, undescribed, usagePath, usageRequest } from "../../contracts/shared/requestSpecs.ts";
import type { Json } from "../../harness/core/json.ts";
import { leftOpen } from "../../harness/core/outcomes.ts";
import type { Asker, RequestSpec } from "../../harness/core/requestSpec.ts";
import {
  type ExperimentShown,
  experiment,
  type Probe,
  type ProbeContext,
  type Seen,
} from "../../harness/model/probe.ts";
import { groupsOf } from "./bursts.ts";
import { burstSize, documentedLimit, type Experiment, overload, tripleAndRecovery } from "./experiments.ts";
import { limitInWords } from "./limitSeen.ts";
import { keysFor, projectsFor, type SampleWithExchange } from "./running.ts";
import { countOutcomes } from "./samples.ts";
import { scopeOf, twoCallers } from "./scopes.ts";
import { spacedBursts } from "./spacedBursts.ts";
import { plannedTrials, seenIn, seenInEach, type Trial, trialOfRequests, tryTrials } from "./trials.ts";
import { bursts, over, plannedUsageReads as plannedOf, readsOf } from "./usage.ts";

const owners = usageRequest({ as: "owner" });
const spaced = plannedOf("usage bursts at distances", spacedBursts, "getProjectUsage");

/** The checks' own bursts and overload, and more bursts; both passes read the same samples. */
async function limits(context: ProbeContext): Promise<readonly Seen[]> {
  const inBursts = await readsOf(context, bursts.name)(tripleAndRecovery, 0);
  const loaded = await readsOf(context, over.name)(overload, 0);
  const apart = await readsOf(context, spaced.name)(spacedBursts, 0);
  const words = limitInWords([
    [spacedBursts, apart],
    [tripleAndRecovery, inBursts],
    [overload, loaded],
  ]);
  return [
    seenIn("the limit", loaded, words.limit),
    {
      ...seenIn("served at once after a rest", inBursts, words.atOnce),
      experiment: shownAs("three bursts, and one request", tripleAndRecovery, inBursts),
    },
    { ...seenIn("the window", apart, words.window), experiment: shownAs("bursts at distances", spacedBursts, apart) },
  ];
}

const shownAs = (name: string, experiment: Experiment, seen: readonly SampleWithExchange[]): ExperimentShown => ({
  name,
  requests: [...groupsOf(experiment, seen)].flatMap(([burst, samples]) =>
    samples.map(({ sent_ms, received_ms, outcome }) => ({
      sent_ms: Math.round(sent_ms),
      answered_ms: Math.round(received_ms),
      burst,
      outcome,
    })),
  ),
});

/** Requests per second of the overload. */
const perSecond = overload.length / 20;

/** How many requests of the overload were served after its first second. */
async function refusedOnes(context: ProbeContext): Promise<readonly Seen[]> {
  const loaded = await readsOf(context, over.name)(overload, 0);
  const later = loaded.slice(perSecond);
  const perLaterSecond = countOutcomes(later, "served") / (later.length / perSecond);
  const word =
    perLaterSecond > documentedLimit - 1
      ? "about the limit"
      : perLaterSecond < 0.2
        ? "next to nothing: what is refused counts"
        : "less than the limit";
  return [seenIn(`served of ${perSecond} per second, after the first second`, loaded, word)];
}

/** Pauses after a burst, one in each trial: a request may prolong the refusal that it tests. */
const pauses_ms = [300, 600, 900, 1_100, 1_500, 2_100];
const recoveries: readonly Trial[] = pauses_ms.map((pause_ms) => ({
  name: `${pause_ms / 1_000} s after a burst`,
  lasts_ms: pause_ms,
  requests: (as) => [
    ...trialOfRequests(burstSize, usageRequest({ as })),
    ...trialOfRequests(1, usageRequest({ as }), pause_ms),
  ],
}));

/** Requests other than the documented read. */
const otherReads = (as: Asker): { readonly [name: string]: RequestSpec } => ({
  OPTIONS: undescribed("OPTIONS", usagePath({ projectOf: as }), as),
  HEAD: undescribed("HEAD", usagePath({ projectOf: as }), as),
  "a path that isn't served": undescribed("GET", ["/v0/admin/projects/", { projectOf: as }, "/nothing"], as),
});

/** Five other requests, then five reads at once: refused reads show that the others used the limit up. */
const behind = (name: string, other: (as: Asker) => RequestSpec): Trial => ({
  name,
  lasts_ms: 20,
  requests: (as) => [
    ...trialOfRequests(documentedLimit, other(as)),
    ...trialOfRequests(documentedLimit, usageRequest({ as }), 20),
  ],
});

const otherRoutes = Object.keys(otherReads("owner")).map((name) =>
  behind(name, (as) => otherReads(as)[name] ?? owners),
);
const onRpc = behind("getIndexerHealth", (as) => unjudgedHealth({ carriers: carriersOf(as, "query") }));

type SeenOf = Parameters<typeof seenInEach>[3];

const usesUp = (served: number): Json =>
  served === documentedLimit
    ? "doesn't use it up"
    : served === 0
      ? "uses it up"
      : `uses some of it up: ${served} of ${documentedLimit} served`;

const besides: SeenOf = (name, samples) =>
  seenIn(name, samples.slice(documentedLimit), usesUp(countOutcomes(samples.slice(documentedLimit), "served")));

/** Two callers at one address: do they share a limit? */
const together = (name: string, askers: NonNullable<Trial["askers"]>): Trial => ({
  name,
  lasts_ms: Math.max(...twoCallers.map(({ at_ms }) => at_ms)),
  rests: true,
  askers,
  requests: (as, other) =>
    twoCallers.map(({ at_ms, caller }) => ({
      after_ms: at_ms,
      requestSpec: usageRequest({ as: caller === 0 ? as : other }),
    })),
});
const keys = together("two keys of one project", keysFor);
const projects = together("two projects", projectsFor);

async function scopes(context: ProbeContext): Promise<readonly Seen[]> {
  const trials = context.canAsk(usageRequest({ as: "other" })) ? [keys, projects] : [keys];
  const seen = await tryTrials(context, "OBS-RATE-SCOPE", trials);
  return trials.map((trial) => {
    const samples = seen.get(trial) ?? [];
    const scope = scopeOf(samples);
    if (scope === null) throw leftOpen(`${trial.name}: the refusals fit more than one scope`);
    return seenIn(trial.name, samples, scope);
  });
}

const isolated = { when: "isolated" } as const;

/** A probe of what each trial shows. */
const ofTrials = (id: Probe["id"], requests: readonly RequestSpec[], trials: readonly Trial[], seenOf: SeenOf): Probe =>
  experiment("usage", id, requests, (context) => seenInEach(context, id, trials, seenOf), {
    ...isolated,
    asksOnce: true,
    schedules: [plannedTrials(id, trials)],
  });

export const probes: readonly Probe[] = [
  experiment("usage", "OBS-RATE-ALGO", [owners], limits, { ...isolated, schedules: [bursts, over, spaced] }),
  experiment("usage", "OBS-RATE-REFUSEDCOUNT", [owners], refusedOnes, { ...isolated, schedules: [over] }),
  ofTrials("OBS-RATE-RECOVERY", [owners], recoveries, (name, samples) =>
    seenIn(name, samples, samples.at(-1)?.outcome ?? "not sent"),
  ),
  ofTrials("OBS-RATE-OTHERROUTES", [owners], otherRoutes, besides),
  ofTrials("OBS-RATE-CROSS", [owners, unjudgedHealth()], [onRpc], besides),
  experiment("usage", "OBS-RATE-SCOPE", [usageRequest({ as: "paid" }), usageRequest({ as: "second" })], scopes, {
    ...isolated,
    asksOnce: true,
    schedules: [plannedTrials("OBS-RATE-SCOPE", [keys, projects])],
  }),
];
