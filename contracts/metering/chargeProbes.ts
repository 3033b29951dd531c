// What probes of charges share: growth by calls at a learnt pace, and their needs.
import type { Asker, Stimulus } from "../../harness/core/stimulus.ts";
import type { Observe, Probe, ProbeContext } from "../../harness/model/probe.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import { probesFor } from "../shared/forFeature.ts";
import { balances } from "../wallet/requests.ts";
import { notQuiet, paceOf, usualPause_ms } from "./chargePace.ts";
import { type GrowthBy, growthBy } from "./usageMeasurement.ts";

export const onWallet: readonly Feature[] = ["usage", "wallet"];

/** A wallet call; `again` only numbers repetitions for the plan. */
export const call = (as: Asker, again = 0): Stimulus => balances({ as, again });

/** The growth by some calls, between figures that have settled. */
export async function grownBy<T>(context: ProbeContext, as: Asker, send: () => Promise<T>): Promise<GrowthBy<T>> {
  await learnPace(context);
  return growthBy(context, as, send, pause_ms(context));
}

/** Shows how long a charge takes, which must be known before one can be missed. */
export const paceCall = call("owner");
/** Sends it unless checks have learnt the pace already. */
export async function learnPace(context: ProbeContext): Promise<void> {
  if (paceOf(context).slowest_ms === null && context.canAsk(paceCall))
    await growthBy(context, "owner", () => context.ask(context.fresh(paceCall)), pause_ms(context));
}

/** The reference needs no pause if its charges took no longer. */
const soon_ms = 2_000;
/** How long figures must stay the same; in ms. */
export function pause_ms(context: ProbeContext): number {
  const { target } = context;
  const pace = paceOf(context);
  return pace.quiet_ms(target.isReference && (pace.slowest_ms ?? usualPause_ms) <= soon_ms ? 0 : usualPause_ms);
}

/** @param options `onTargetsOwn`: reads the target's own projects, not isolated ones */
export const meteringProbe = (
  id: Probe["id"],
  feature: readonly Feature[],
  requests: readonly Stimulus[],
  observe: Observe,
  { informs, onTargetsOwn = false }: { readonly informs?: Probe["informs"]; readonly onTargetsOwn?: boolean } = {},
): Probe =>
  probesFor(feature).experiment(id, requests, observe, {
    suffices: "any",
    unless: notQuiet,
    ...(informs ? { informs } : {}),
    ...(onTargetsOwn ? {} : { when: "isolated" }),
  });
