// Are bundles taken five times a second of each project, counted apart from all other calls? (§8)
import { bundle, mayNotSend, nobodysIds, part, statuses, transactions } from "../../contracts/bundles/requests.ts";
import type { Asker, Role, Stimulus } from "../../harness/core/stimulus.ts";
import { type Bench, type Check, type Needs, type Shown, scenario, Withheld } from "../../harness/model/check.ts";
import { keyOf } from "../../harness/target/target.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { burstTriple, type Experiment, longPause_ms, pair, sideBySide, tripleAndRecovery } from "./experiments.ts";
import { excessRefused, type Fire, limitApart, limitServed, limitShared, pairServed } from "./gate.ts";
import { hidden, type Verdict } from "./limitVerdict.ts";
import { askerFor, inQuiet, keysFor, projectsFor, type Striking, type Struck, shown, striking } from "./running.ts";
import { planned } from "./usage.ts";

/** A bundle of its own for each request. */
const plainBundle = ({ target }: Pick<Striking, "target">, as: Asker, nth: number): Stimulus =>
  bundle(transactions(target, { tip: "all" }), { as, id: nth + 1 });

const bundlesOf = (bench: Striking, what: string): Fire<Struck> =>
  striking(bench, what, async () => {
    const as = await askerFor(bench, what);
    return (_, nth) => plainBundle(bench, as, nth);
  });

/** Callers take turns. */
const bundlesFrom = (
  bench: Striking,
  what: string,
  callers: (bench: Striking, name: string) => Promise<readonly Asker[]>,
): Fire<Struck> =>
  striking(bench, what, async () => {
    const askers = await callers(bench, what);
    return ({ caller }, nth) => plainBundle(bench, askers[caller] ?? "owner", nth);
  });

const sharing = "bundles by two keys";
const apart = "bundles by two projects";
const beside = "bundles beside statuses";
const bursts = "bundle bursts";

const volley = (
  name: string,
  experiment: Experiment,
  bundles: number,
): Pick<Needs, "volleys"> & { readonly sent: NonNullable<NonNullable<Needs["sends"]>["shared"]>[number] } => ({
  volleys: [planned(name, experiment, "getBundleStatuses", experiment.length - bundles)],
  // A breach is looked at twice.
  sent: { name, bundles: 2 * bundles, tips: 2 * bundles },
});

const all = (name: string, experiment: Experiment): ReturnType<typeof volley> =>
  volley(name, experiment, experiment.length);
const byKeys = all(sharing, burstTriple(2));
const byProjects = all(apart, sideBySide(2));
const inBursts = all(bursts, tripleAndRecovery);
const inPairs = all("bundle pair", pair(longPause_ms));
const besideStatuses = volley(beside, sideBySide(2), sideBySide(2).length / 2);

/** Whose keys are needed is told by a call that costs little. */
const rate = (
  id: RequirementId,
  askers: readonly Role[],
  volleys: readonly ReturnType<typeof volley>[],
  judge: (bench: Bench) => Promise<Verdict<Struck>>,
): Check =>
  scenario(
    id,
    {
      part,
      asks: askers.map((as) => statuses([[nobodysIds[0] ?? ""]], { as, id: 90 })),
      consent: "throttle",
      unless: mayNotSend,
      sends: { bundles: 0, tips: 0, shared: volleys.map(({ sent }) => sent) },
      volleys: volleys.flatMap(({ volleys: some = [] }) => some),
    },
    async (bench): Promise<readonly Shown[]> => shown(await judge(bench), "/error"),
  );

const quietly =
  (judge: (bench: Bench) => Promise<Verdict<Struck>>) =>
  async (bench: Bench): Promise<Verdict<Struck>> =>
    inQuiet(bench.target, await judge(bench));

/** A breach is told once: nothing is said where one key alone shows another. */
async function unless(
  verdict: Verdict<Struck>,
  other: Promise<Verdict<Struck>>,
  id: RequirementId,
): Promise<Verdict<Struck>> {
  if ((await other).is !== "broken") return verdict;
  return hidden(`hidden: ${id} is broken by one key alone`);
}

/** Each of them costs money where it is real. */
const attempts = ({ target }: Bench): number | undefined => (target.isReference ? undefined : 1);

const excessAlone = (bench: Bench): Promise<Verdict<Struck>> =>
  excessRefused(bundlesOf(bench, bursts), attempts(bench));
const servedAlone = (bench: Bench): Promise<Verdict<Struck>> => limitServed(bundlesOf(bench, bursts));

async function projectsApart(bench: Bench): Promise<Verdict<Struck>> {
  const verdict = await limitApart(bundlesFrom(bench, apart, projectsFor));
  return verdict.is === "broken" ? unless(verdict, servedAlone(bench), "RATE-SB-01") : verdict;
}

/** That two keys share a limit is the project's doing only where two projects don't share it. */
async function keysShare(bench: Bench): Promise<Verdict<Struck>> {
  const together = await limitShared(bundlesFrom(bench, sharing, keysFor), attempts(bench));
  if (together.is === "broken") return unless(together, excessAlone(bench), "RATE-SB-02");
  if (together.is !== "held" || !keyOf(bench.target, "other")) return together;
  const others = inQuiet(bench.target, await projectsApart(bench));
  const [expected, got] = [
    "a limit of the project: two keys share it, and another project doesn't",
    "another project shares it",
  ];
  return others.is === "broken" ? { ...others, expected, got: `${got}: ${others.got}` } : together;
}

/** Five of either in one burst; on a vendor nothing is known of how many statuses its plan allows. */
async function ownBudget(bench: Bench): Promise<Verdict<Struck>> {
  const fire = striking(bench, beside, async () => {
    const as = await askerFor(bench, beside);
    return ({ caller }, nth) =>
      caller === 0 ? plainBundle(bench, as, nth) : statuses([[nobodysIds[0] ?? ""]], { as, id: nth + 1 });
  });
  const verdict = await limitApart(fire);
  if (verdict.is === "broken" && !bench.target.control && verdict.shownBy.exchange.stimulus.operation !== "sendBundle")
    throw new Withheld("a status was refused, and how many the plan allows isn't known");
  return verdict.is === "broken" ? unless(verdict, servedAlone(bench), "RATE-SB-01") : verdict;
}

export const checks: readonly Check[] = [
  rate("RATE-SB-01", [], [inBursts], quietly(servedAlone)),
  rate(
    "RATE-SB-01",
    [],
    [inPairs],
    quietly((bench) => pairServed(bundlesOf(bench, "bundle pair"))),
  ),
  rate("RATE-SB-02", [], [inBursts], excessAlone),
  rate("RATE-SB-03", ["paid", "second"], [byKeys, byProjects, inBursts], keysShare),
  rate("RATE-SB-04", ["paid", "other"], [byProjects, inBursts], quietly(projectsApart)),
  rate("RATE-SB-05", [], [besideStatuses, inBursts], quietly(ownBudget)),
];
