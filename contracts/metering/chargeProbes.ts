// Probes of charges: each step is some calls, whose growth one measurement of both repeats tells apart (§2.1, §8).
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Asker, RequestSpec } from "../../harness/core/requestSpec.ts";
import type { AnsweredExchange } from "../../harness/model/fingerprint.ts";
import type { Observe, Probe, ProbeContext } from "../../harness/model/probe.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import { probesFor } from "../shared/forFeature.ts";
import { inTurn } from "../shared/inTurn.ts";
import { balances } from "../wallet/requests.ts";
import { untilCaughtUp } from "./accounts.ts";
import {
  atOnce_ms,
  chargePaceOf,
  isLate,
  isPrompt,
  notQuiet,
  probeWait_ms,
  quiet_ms,
  seconds,
  shownWithin_ms,
  showsAtOnce,
  slowest_ms,
  soon_ms,
  usualPause_ms,
} from "./chargePace.ts";
import { type GrowthBy, growthBy, growthInSteps, type Step } from "./growth.ts";
import { isQuietSince } from "./meterRounds.ts";

export const onWallet: readonly Feature[] = ["usage", "wallet"];

/** A wallet call; `again` only numbers repetitions for the plan. */
export const call = (as: Asker, again = 0): RequestSpec => balances({ as, again });

/** The growth by some calls, between figures that have settled. */
export const grownBy = async <T>(context: ProbeContext, as: Asker, send: () => Promise<T>): Promise<GrowthBy<T>> =>
  growthBy(context, as, send, { pause_ms: await pauseFor(context, as), wait_ms: probeWait_ms });

/** Who pays for what is observed: most other calls are the owner's, and go on meanwhile. */
export const payer = "bystander" satisfies Asker;

/** The repeat whose calls are observed; late charges are observed in one repeat only. */
export const observedRepeat = (context: ProbeContext): 0 | 1 => (isLate(chargePaceOf(context)) ? 0 : context.repeat);

/**
 * How long figures must stay the same before calls, in ms; learns first how late charges are, by a wallet call, unless
 * checks have.
 * @throws Withheld where none has shown though it was waited for
 */
export async function pauseFor(context: ProbeContext, as: Asker): Promise<number> {
  const pace = chargePaceOf(context);
  const isUnknown = slowest_ms(pace) === null;
  const [lapse] = isUnknown ? pace.lapses.values() : [];
  if (lapse) throw lapse;
  if (isUnknown && context.canAsk(call(as)))
    await growthBy(context, as, () => context.ask(context.fresh(call(as))), { pause_ms: usualPause_ms });
  if (isPrompt(context) || isQuietSince(context, [as], chargePaceOf(context).lastRead)) return 0;
  const { isShown } = await untilCaughtUp(context, [as]);
  const learnt = chargePaceOf(context);
  if (!isShown) return quiet_ms(learnt, usualPause_ms);
  return showsAtOnce(learnt) ? atOnce_ms : quiet_ms(learnt, soon_ms);
}

interface Options {
  readonly observe: Observe;
  readonly informs?: Probe["informs"];
  readonly onTargetsOwn?: boolean;
  /** Calls that share a measurement with those of other probes. */
  readonly steps?: readonly Step[];
}

const namesOf = (steps: readonly Step[]) => [...new Set(steps.map(({ name }) => name))];

/** Steps that may share a measurement, by the probe that describes them. */
const sharing = new Map<Probe, readonly Step[]>();

export function meteringProbe(
  id: Probe["id"],
  feature: readonly Feature[],
  requests: readonly RequestSpec[],
  { observe, informs = [], onTargetsOwn = false, steps = [] }: Options,
): Probe {
  const probe = probesFor(feature).experiment(id, requests, observe, {
    suffices: "any",
    unless: notQuiet,
    // Those of the target's own projects describe the same reads.
    settles: onTargetsOwn ? { window: "calls", rounds: 5 } : { window: id, rounds: 1 + namesOf(steps).length },
    informs,
    when: onTargetsOwn ? "alone" : "isolated",
  });
  sharing.set(probe, steps);
  return probe;
}

/** The calls of a step that can be sent: all or none of those that are counted. */
function sendable({ canAsk }: ProbeContext, { calls, isCounted }: Step): readonly RequestSpec[] {
  const some = calls.filter(canAsk);
  return isCounted && some.length < calls.length ? [] : some;
}

type Growths = Map<string, GrowthBy<readonly AnsweredExchange[]>>;

/** All steps that this run observes, in both repeats; late charges distinguish only those of known counts. */
async function measuredTogether(context: ProbeContext): Promise<Growths> {
  const steps = new Map<string, Step>();
  for (const [probe, some] of sharing)
    if (await context.isRunnable(probe))
      for (const one of some) {
        const calls = sendable(context, one);
        if (calls.length > 0 && !steps.has(one.name)) steps.set(one.name, { ...one, calls });
      }
  const pause_ms = await pauseFor(context, payer);
  const isLateHere = isLate(chargePaceOf(context));
  // Those of known counts first: they show how late the others show.
  const all = [true, false].flatMap((known) =>
    [...steps.values()].filter(({ isCounted }) => isCounted === known && (known || !isLateHere)),
  );
  const inRepeats = (isLateHere ? [0] : [0, 1]).flatMap((repeat) =>
    all.map((step) => ({ ...step, name: `${step.name} ${repeat}` })),
  );
  const growths = inRepeats.length > 1 ? await growthInSteps(context, payer, inRepeats, pause_ms) : [];
  return new Map(growths.flatMap((growth, nth) => (growth ? [[inRepeats[nth]?.name ?? "", growth] as const] : [])));
}

/**
 * The growth by a step, of all calls of this repeat; undefined where the target lacks something for it.
 * @throws Withheld where late charges don't tell it apart from others
 */
export async function growthOf(
  context: ProbeContext,
  step: Step,
): Promise<GrowthBy<readonly AnsweredExchange[]> | undefined> {
  const calls = sendable(context, step);
  if (calls.length === 0) return undefined;
  const growths = await context.once("growth by step and repeat", () => measuredTogether(context));
  const name = `${step.name} ${observedRepeat(context)}`;
  const pace = chargePaceOf(context);
  const known = growths.get(name);
  if (known) return known;
  if (step.isCounted && isLate(pace))
    throw new Withheld(
      `charges take up to ${seconds(shownWithin_ms(pace))} to show, in no order that tells calls apart`,
    );
  const growth = await grownBy(context, payer, () =>
    inTurn(calls, (requestSpec) => context.ask(context.fresh(requestSpec))),
  );
  growths.set(name, growth);
  return growth;
}
