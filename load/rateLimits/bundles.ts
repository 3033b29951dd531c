// Checks of the limit on sendBundle: five a second per project, counted apart from other calls (§8)
import { recentBlockhash } from "../../contracts/bundles/blockhashes.ts";
import {
  bundle,
  feature,
  mayNotSend,
  signedWith,
  statuses,
  unknownBundleIds,
} from "../../contracts/bundles/requests.ts";
import { leftOpen } from "../../harness/core/outcomes.ts";
import type { Asker, RequestSpec, Role } from "../../harness/core/requestSpec.ts";
import { type Check, type CheckContext, type Shown, scenario } from "../../harness/model/check.ts";
import { keyOf, type Target } from "../../harness/targets/target.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { burstTriple, type Experiment, longPause_ms, pair, sideBySide, tripleAndRecovery } from "./experiments.ts";
import { excessRefused, type Fire, limitApart, limitServed, limitShared, pairServed } from "./gate.ts";
import { withheld } from "./limitVerdict.ts";
import {
  type AskersFor,
  askerFor,
  experimentSender,
  ifQuiet,
  keysFor,
  ownerFor,
  projectsFor,
  type SampleWithExchange,
  type SeenVerdict,
  shownByLimit,
} from "./running.ts";
import { plannedUsageReads } from "./usage.ts";

/** Each request sends a bundle of its own: a repeated one might be answered without being counted. */
const plainBundles =
  (target: Target, blockhash: Uint8Array) =>
  (as: Asker, nth: number): RequestSpec =>
    bundle(signedWith(target, blockhash, { tip: "all" }), { as, id: nth + 1 });

/** Callers take turns, as the experiment says. */
const bundlesFrom = (context: CheckContext, what: string, callers: AskersFor = ownerFor): Fire<SampleWithExchange> =>
  experimentSender(context, what, async () => {
    const askers = await callers(context, what);
    const plainBundle = plainBundles(context.target, await recentBlockhash(context));
    return ({ caller }, nth) => plainBundle(askers[caller] ?? "owner", nth);
  });

const sharing = "bundles by two keys";
const apart = "bundles by two projects";
const beside = "bundles beside statuses";
const bursts = "bundle bursts";

const sending = (name: string, experiment: Experiment, bundles = experiment.length) => ({
  schedule: plannedUsageReads(name, experiment, "getBundleStatuses", experiment.length - bundles),
  // A breach must show a second time.
  sent: { name, calls: 2 * bundles, payments: 2 * bundles },
});

const byKeys = sending(sharing, burstTriple(2));
const byProjects = sending(apart, sideBySide(2));
const inBursts = sending(bursts, tripleAndRecovery);
const inPairs = sending("bundle pair", pair(longPause_ms));
const besideStatuses = sending(beside, sideBySide(2), sideBySide(2).length / 2);

type Judge = (context: CheckContext) => Promise<SeenVerdict>;

/** A call that costs little stands for the keys that are needed. */
const rate = (
  id: RequirementId,
  askers: readonly Role[],
  schedules: readonly ReturnType<typeof sending>[],
  judge: Judge,
): Check =>
  scenario(
    id,
    {
      feature,
      requests: askers.map((as) => statuses([[unknownBundleIds[0] ?? ""]], { as, id: 90 })),
      consent: "throttle",
      unless: mayNotSend,
      sends: { calls: 0, payments: 0, shared: schedules.map(({ sent }) => sent) },
      schedules: schedules.map(({ schedule }) => schedule),
    },
    async (context): Promise<readonly Shown[]> => shownByLimit(await judge(context), "/error"),
  );

const quietly =
  (judge: Judge): Judge =>
  async (context) =>
    ifQuiet(context.target, await judge(context));

/** One cause is one breach: withheld where a single key shows that another requirement is broken. */
const unless = async (verdict: SeenVerdict, other: Promise<SeenVerdict>, id: RequirementId): Promise<SeenVerdict> =>
  (await other).is === "broken" ? withheld(`a single key already breaks ${id}`) : verdict;

/** On a vendor each bundle costs money. */
const attempts = ({ target }: CheckContext): number | undefined => (target.isReference ? undefined : 1);

const excessAlone: Judge = (context) => excessRefused(bundlesFrom(context, bursts), attempts(context));
const pairAlone: Judge = (context) => pairServed(bundlesFrom(context, "bundle pair"));
const servedAlone: Judge = (context) => limitServed(bundlesFrom(context, bursts));

const projectsApart: Judge = async (context) => {
  const verdict = await limitApart(bundlesFrom(context, apart, projectsFor));
  return verdict.is === "broken" ? unless(verdict, servedAlone(context), "RATE-SB-01") : verdict;
};

/** Two keys that share a limit show a limit of the project only where two projects don't share it. */
async function keysShare(context: CheckContext): Promise<SeenVerdict> {
  const together = await limitShared(bundlesFrom(context, sharing, keysFor), attempts(context));
  if (together.is === "broken") return unless(together, excessAlone(context), "RATE-SB-02");
  if (together.is !== "held" || !keyOf(context.target, "other")) return together;
  const others = ifQuiet(context.target, await projectsApart(context));
  if (others.is !== "broken") return together;
  const expected = "a limit of the project: two keys share it, and another project doesn't";
  return { ...others, expected, got: `another project shares it: ${others.got}` };
}

/** Five of either in one burst; how many statuses a vendor's plan allows isn't known. */
async function ownBudget(context: CheckContext): Promise<SeenVerdict> {
  const fire = experimentSender(context, beside, async () => {
    const as = await askerFor(context, beside);
    const plainBundle = plainBundles(context.target, await recentBlockhash(context));
    return ({ caller }, nth) =>
      caller === 0 ? plainBundle(as, nth) : statuses([[unknownBundleIds[0] ?? ""]], { as, id: nth + 1 });
  });
  const verdict = await limitApart(fire);
  if (verdict.is !== "broken") return verdict;
  if (!context.target.control && verdict.shownBy.exchange.requestSpec.operation !== "sendBundle")
    throw leftOpen("a status was refused, and the plan's limit isn't known");
  return unless(verdict, servedAlone(context), "RATE-SB-01");
}

export const checks: readonly Check[] = [
  rate("RATE-SB-01", [], [inBursts], quietly(servedAlone)),
  rate("RATE-SB-01", [], [inPairs], quietly(pairAlone)),
  rate("RATE-SB-02", [], [inBursts], excessAlone),
  rate("RATE-SB-03", ["paid", "second"], [byKeys, byProjects, inBursts], keysShare),
  rate("RATE-SB-04", ["paid", "other"], [byProjects, inBursts], quietly(projectsApart)),
  rate("RATE-SB-05", [], [besideStatuses, inBursts], quietly(ownBudget)),
];
