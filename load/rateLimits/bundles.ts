// Checks of the limit on sendBundle: five a second per project, counted apart from other calls (§8)
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
import { type Verdict, withheld } from "./limitVerdict.ts";
import {
  askerFor,
  type ExperimentContext,
  experimentSender,
  ifQuiet,
  keysFor,
  projectsFor,
  type SampleWithExchange,
  shown,
} from "./running.ts";
import { planned } from "./usage.ts";

/** Each request sends a bundle of its own: a repeated one might be answered without being counted. */
const plainBundle = ({ target }: Pick<ExperimentContext, "target">, as: Asker, nth: number): Stimulus =>
  bundle(transactions(target, { tip: "all" }), { as, id: nth + 1 });

const bundlesOf = (context: ExperimentContext, what: string): Fire<SampleWithExchange> =>
  experimentSender(context, what, async () => {
    const as = await askerFor(context, what);
    return (_, nth) => plainBundle(context, as, nth);
  });

/** Callers take turns, as the experiment says. */
const bundlesFrom = (
  context: ExperimentContext,
  what: string,
  callers: (context: ExperimentContext, name: string) => Promise<readonly Asker[]>,
): Fire<SampleWithExchange> =>
  experimentSender(context, what, async () => {
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
  // A breach must show a second time.
  sent: { name, calls: 2 * bundles, payments: 2 * bundles },
});

const all = (name: string, experiment: Experiment): ReturnType<typeof sendSchedule> =>
  sendSchedule(name, experiment, experiment.length);
const byKeys = all(sharing, burstTriple(2));
const byProjects = all(apart, sideBySide(2));
const inBursts = all(bursts, tripleAndRecovery);
const inPairs = all("bundle pair", pair(longPause_ms));
const besideStatuses = sendSchedule(beside, sideBySide(2), sideBySide(2).length / 2);

/** A call that costs little stands for the keys that are needed. */
const rate = (
  id: RequirementId,
  askers: readonly Role[],
  schedules: readonly ReturnType<typeof sendSchedule>[],
  judge: (context: CheckContext) => Promise<Verdict<SampleWithExchange>>,
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
  (judge: (context: CheckContext) => Promise<Verdict<SampleWithExchange>>) =>
  async (context: CheckContext): Promise<Verdict<SampleWithExchange>> =>
    ifQuiet(context.target, await judge(context));

/** One cause is one breach: withheld where a single key shows that another requirement is broken. */
async function unless(
  verdict: Verdict<SampleWithExchange>,
  other: Promise<Verdict<SampleWithExchange>>,
  id: RequirementId,
): Promise<Verdict<SampleWithExchange>> {
  if ((await other).is !== "broken") return verdict;
  return withheld(`masked: a single key already breaks ${id}`);
}

/** On a vendor each bundle costs money. */
const attempts = ({ target }: CheckContext): number | undefined => (target.isReference ? undefined : 1);

const excessAlone = (context: CheckContext): Promise<Verdict<SampleWithExchange>> =>
  excessRefused(bundlesOf(context, bursts), attempts(context));
const servedAlone = (context: CheckContext): Promise<Verdict<SampleWithExchange>> =>
  limitServed(bundlesOf(context, bursts));

async function projectsApart(context: CheckContext): Promise<Verdict<SampleWithExchange>> {
  const verdict = await limitApart(bundlesFrom(context, apart, projectsFor));
  return verdict.is === "broken" ? unless(verdict, servedAlone(context), "RATE-SB-01") : verdict;
}

/** Two keys that share a limit show a limit of the project only where two projects don't share it. */
async function keysShare(context: CheckContext): Promise<Verdict<SampleWithExchange>> {
  const together = await limitShared(bundlesFrom(context, sharing, keysFor), attempts(context));
  if (together.is === "broken") return unless(together, excessAlone(context), "RATE-SB-02");
  if (together.is !== "held" || !keyOf(context.target, "other")) return together;
  const others = ifQuiet(context.target, await projectsApart(context));
  const [expected, got] = [
    "a limit of the project: two keys share it, and another project doesn't",
    "another project shares it",
  ];
  return others.is === "broken" ? { ...others, expected, got: `${got}: ${others.got}` } : together;
}

/** Five of either in one burst; how many statuses a vendor's plan allows isn't known. */
async function ownBudget(context: CheckContext): Promise<Verdict<SampleWithExchange>> {
  const fire = experimentSender(context, beside, async () => {
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
