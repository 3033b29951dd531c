// What probes of charges share: growth by calls at a learnt pace, and their needs.

import type { Asker, Stimulus } from "../../harness/core/stimulus.ts";
import type { Observe, Probe, ProbeContext } from "../../harness/model/probe.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import { probesFor } from "../shared/forFeature.ts";
import { balances } from "../wallet/requests.ts";
import { caughtUp } from "./accounts.ts";
import { notQuiet, paceOf, usualPause_ms } from "./chargePace.ts";
import { type GrowthBy, growthBy } from "./growth.ts";
import { isQuietSince } from "./reads.ts";

export const onWallet: readonly Feature[] = ["usage", "wallet"];

/** A wallet call; `again` only numbers repetitions for the plan. */
export const call = (as: Asker, again = 0): Stimulus => balances({ as, again });

/** The growth by some calls, between figures that have settled. */
export const grownBy = async <T>(context: ProbeContext, as: Asker, send: () => Promise<T>): Promise<GrowthBy<T>> =>
  growthBy(context, as, send, await pauseFor(context));

/** Shows how long a charge takes, which must be known before one can be missed. */
export const paceCall = call("owner");

/** The reference needs no pause if its charges took no longer. */
const soon_ms = 2_000;

/** How long figures must stay the same before calls, in ms; learns first how late charges are, unless checks have. */
export async function pauseFor(context: ProbeContext): Promise<number> {
  const { target } = context;
  const pace = paceOf(context);
  const isKnown = pace.slowest_ms !== null;
  if (!isKnown && context.canAsk(paceCall))
    await growthBy(context, "owner", () => context.ask(context.fresh(paceCall)), usualPause_ms);
  if (isQuietSince(context, pace.lastRead)) return 0;
  const isSoon = target.isReference ? (pace.slowest_ms ?? usualPause_ms) <= soon_ms : await caughtUp(context);
  return pace.quiet_ms(target.isReference && isSoon ? 0 : isSoon ? soon_ms : usualPause_ms);
}

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
    settles: { window: id, rounds: 4 },
    ...(informs ? { informs } : {}),
    when: onTargetsOwn ? "alone" : "isolated",
  });
