// Are bundles taken five times a second of each project, counted apart from all other calls? (§8)
import {
  bundle,
  feature,
  mayNotSend,
  statuses,
  transactions,
  unknownBundleIds,
} from "../../contracts/bundles/requests.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Asker, Role, Stimulus } from "../../harness/core/stimulus.ts";
import { type Check, type CheckContext, type Needs, type Shown, scenario } from "../../harness/model/check.ts";
import { keyOf } from "../../harness/target/target.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { burstTriple, type Experiment, longPause_ms, pair, sideBySide, tripleAndRecovery } from "./experiments.ts";
import { excessRefused, type Fire, limitApart, limitServed, limitShared, pairServed } from "./gate.ts";
import { hidden, type Verdict } from "./limitVerdict.ts";
import {
  askerFor,
  type ExperimentContext,
  inQuiet,
  keysFor,
  type LimitSample,
  projectsFor,
  sendingExperiment,
  shown,
} from "./running.ts";
import { planned } from "./usage.ts";

/** A bundle of its own for each request. */
const plainBundle = ({ target }: Pick<ExperimentContext, "target">, as: Asker, nth: number): Stimulus =>
  bundle(transactions(target, { tip: "all" }), { as, id: nth + 1 });

const bundlesOf = (context: ExperimentContext, what: string): Fire<LimitSample> =>
  sendingExperiment(context, what, async () => {
    const as = await askerFor(context, what);
    return (_, nth) => plainBundle(context, as, nth);
  });

/** Callers take turns. */
const bundlesFrom = (
  context: ExperimentContext,
  what: string,
  callers: (context: ExperimentContext, name: string) => Promise<readonly Asker[]>,
): Fire<LimitSample> =>
  sendingExperiment(context, what, async () => {
    const askers = await callers(context, what);
    return ({ caller }, nth) => plainBundle(context, askers[caller] ?? "owner", nth);
  });

const sharing = "bundles by two keys";
const apart = "bundles by two projects";
const beside = "bundles beside statuses";
const bursts = "bundle bursts";

const sendSchedule = (
  name: string,
  experiment: Experiment,
  bundles: number,
): Pick<Needs, "schedules"> & { readonly sent: NonNullable<NonNullable<Needs["sends"]>["shared"]>[number] } => ({
  schedules: [planned(name, experiment, "getBundleStatuses", experiment.length - bundles)],
  // A breach is looked at twice.
  sent: { name, calls: 2 * bundles, payments: 2 * bundles },
});

const all = (name: string, experiment: Experiment): ReturnType<typeof sendSchedule> =>
  sendSchedule(name, experiment, experiment.length);
const byKeys = all(sharing, burstTriple(2));
const byProjects = all(apart, sideBySide(2));
const inBursts = all(bursts, tripleAndRecovery);
const inPairs = all("bundle pair", pair(longPause_ms));
const besideStatuses = sendSchedule(beside, sideBySide(2), sideBySide(2).length / 2);

/** Whose keys are needed is told by a call that costs little. */
const rate = (
  id: RequirementId,
  askers: readonly Role[],
  schedules: readonly ReturnType<typeof sendSchedule>[],
  judge: (context: CheckContext) => Promise<Verdict<LimitSample>>,
): Check =>
  scenario(
    id,
    {
      feature,
      requests: askers.map((as) => statuses([[unknownBundleIds[0] ?? ""]], { as, id: 90 })),
      consent: "throttle",
      unless: mayNotSend,
      sends: { calls: 0, payments: 0, shared: schedules.map(({ sent }) => sent) },
      schedules: schedules.flatMap(({ schedules: some = [] }) => some),
    },
    async (context): Promise<readonly Shown[]> => shown(await judge(context), "/error"),
  );

const quietly =
  (judge: (context: CheckContext) => Promise<Verdict<LimitSample>>) =>
  async (context: CheckContext): Promise<Verdict<LimitSample>> =>
    inQuiet(context.target, await judge(context));

/** A breach is told once: nothing is said where one key alone shows another. */
async function unless(
  verdict: Verdict<LimitSample>,
  other: Promise<Verdict<LimitSample>>,
  id: RequirementId,
): Promise<Verdict<LimitSample>> {
  if ((await other).is !== "broken") return verdict;
  return hidden(`hidden: ${id} is broken by one key alone`);
}

/** Each of them costs money where it is real. */
const attempts = ({ target }: CheckContext): number | undefined => (target.isReference ? undefined : 1);

const excessAlone = (context: CheckContext): Promise<Verdict<LimitSample>> =>
  excessRefused(bundlesOf(context, bursts), attempts(context));
const servedAlone = (context: CheckContext): Promise<Verdict<LimitSample>> => limitServed(bundlesOf(context, bursts));

async function projectsApart(context: CheckContext): Promise<Verdict<LimitSample>> {
  const verdict = await limitApart(bundlesFrom(context, apart, projectsFor));
  return verdict.is === "broken" ? unless(verdict, servedAlone(context), "RATE-SB-01") : verdict;
}

/** That two keys share a limit is the project's doing only where two projects don't share it. */
async function keysShare(context: CheckContext): Promise<Verdict<LimitSample>> {
  const together = await limitShared(bundlesFrom(context, sharing, keysFor), attempts(context));
  if (together.is === "broken") return unless(together, excessAlone(context), "RATE-SB-02");
  if (together.is !== "held" || !keyOf(context.target, "other")) return together;
  const others = inQuiet(context.target, await projectsApart(context));
  const [expected, got] = [
    "a limit of the project: two keys share it, and another project doesn't",
    "another project shares it",
  ];
  return others.is === "broken" ? { ...others, expected, got: `${got}: ${others.got}` } : together;
}

/** Five of either in one burst; on a vendor nothing is known of how many statuses its plan allows. */
async function ownBudget(context: CheckContext): Promise<Verdict<LimitSample>> {
  const fire = sendingExperiment(context, beside, async () => {
    const as = await askerFor(context, beside);
    return ({ caller }, nth) =>
      caller === 0 ? plainBundle(context, as, nth) : statuses([[unknownBundleIds[0] ?? ""]], { as, id: nth + 1 });
  });
  const verdict = await limitApart(fire);
  if (
    verdict.is === "broken" &&
    !context.target.control &&
    verdict.shownBy.exchange.stimulus.operation !== "sendBundle"
  )
    throw new Withheld("a status was refused, and how many the plan allows isn't known");
  return verdict.is === "broken" ? unless(verdict, servedAlone(context), "RATE-SB-01") : verdict;
}

export const checks: readonly Check[] = [
  rate("RATE-SB-01", [], [inBursts], quietly(servedAlone)),
  rate(
    "RATE-SB-01",
    [],
    [inPairs],
    quietly((context) => pairServed(bundlesOf(context, "bundle pair"))),
  ),
  rate("RATE-SB-02", [], [inBursts], excessAlone),
  rate("RATE-SB-03", ["paid", "second"], [byKeys, byProjects, inBursts], keysShare),
  rate("RATE-SB-04", ["paid", "other"], [byProjects, inBursts], quietly(projectsApart)),
  rate("RATE-SB-05", [], [besideStatuses, inBursts], quietly(ownBudget)),
];
