// Is the platform that would be loaded the one that is meant? It must know our key, and not just anybody's, before any load.

import type { Clock } from "../../harness/core/clock.ts";
import { carriedBy, type Stimulus } from "../../harness/core/stimulus.ts";
import { Callers, type Contrast } from "../../harness/engine/authSanity.ts";
import { lackToAsk } from "../../harness/engine/plan.ts";
import { Inconclusive } from "../../harness/model/check.ts";
import type { Target } from "../../harness/target/target.ts";
import type { Transport } from "../../harness/transport/transport.ts";
import { operations, type Part } from "../../specs/generated/operations.ts";
import type { Share } from "./mix.ts";

/** A limit that our own traffic filled a moment ago has room again after that. */
const wait_ms = 1_100;
const attempts = 3;

/** The parts of the interface that a mix asks something of. */
function partsOf(shares: readonly Share[]): readonly Part[] {
  const asked = new Set(shares.map(({ operation }) => operation));
  return [...new Set(operations.flatMap(({ id, part }) => (asked.has(id) ? [part] : [])))];
}

/** What is asked of a platform that is the one meant. */
export const askedBefore = (
  target: Target,
  shares: readonly Share[],
  contrasts: readonly Contrast[],
): readonly Stimulus[] =>
  partsOf(shares).flatMap((part) => {
    const contrast = contrasts.find(({ parts, owner }) => parts.includes(part) && lackToAsk(owner, target) === null);
    return contrast ? [contrast.owner, contrast.stranger] : [];
  });

/**
 * Asks as owner and as stranger once for each part of the mix.
 * @returns the shares, by the carrier that each surface accepts
 * @throws Inconclusive where the owner isn't served, or a stranger is
 */
export async function meant(
  target: Target,
  shares: readonly Share[],
  contrasts: readonly Contrast[],
  transport: Transport,
  clock: Clock,
): Promise<readonly Share[]> {
  const callers = new Callers(contrasts, target, async (stimulus) => {
    for (let attempt = 1; ; attempt += 1) {
      const exchange = await transport.send(stimulus);
      if (exchange.fault) throw new Inconclusive(`${exchange.fault.kind}: ${exchange.fault.detail}`);
      if (exchange.answer?.status !== 429 || attempt === attempts) return exchange;
      await clock.sleep(wait_ms);
    }
  });
  for (const part of partsOf(shares)) {
    const doubt = await callers.tellApart(part);
    if (doubt !== null)
      throw new Inconclusive(
        `no load was sent: nothing shows that this is the platform that is meant (${part}: ${doubt})`,
      );
  }
  return shares.map((share) => ({
    ...share,
    stimulus: carriedBy(share.stimulus, callers.carrierOf(share.stimulus.surface)),
  }));
}
