// Does the platform tell its callers apart? Nothing counts as verified until it was seen to.
import type { Part, Surface } from "../specs/generated/operations.ts";
import type { Exchange } from "./exchange.ts";
import type { Stimulus } from "./stimulus.ts";

/** On each surface: what its owner is served and a stranger is not. */
export interface Contrast {
  readonly surface: Surface;
  readonly parts: readonly Part[];
  readonly owner: Stimulus;
  readonly stranger: Stimulus;
}

/** How a doubt begins that is the network's or ours rather than the platform's. */
export const unreachable = "no answer to the owner's own request";

/** Why nothing is verified by these two answers; null where they differ as they must. */
export function doubtBetween(owner: Exchange, stranger: Exchange): string | null {
  const [toOwner, toStranger] = [owner.answer?.status ?? 0, stranger.answer?.status ?? 0];
  if (toOwner !== 200) return `the owner's own request was answered ${toOwner}, so nothing shows that the platform tells callers apart`;
  if (!stranger.answer) return `nobody's request drew no answer (${stranger.fault?.kind}), so nothing shows that the platform tells callers apart`;
  return toStranger === 200 ? "owner and stranger were answered alike, so nothing shows that the platform looks at who asks" : null;
}
