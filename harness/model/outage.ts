// Outages: from some request on even valid requests failed, so that no answer since then proves anything.
import type { Api } from "../core/interface.ts";
import type { OutageReason } from "../core/outageReason.ts";

export interface Outage extends Omit<OutageReason, "kind"> {
  readonly api: Api;
  /** Whose requests; null for callers without a valid key. */
  readonly role: string | null;
}

/** One of each API and kind: what several callers met is one outage. The last of each holds. */
export function merged(outages: readonly Outage[]): readonly Outage[] {
  const kinds = new Map<string, Outage>();
  for (const outage of outages) {
    const kind = `${outage.api} ${outage.by}`;
    kinds.set(kind, { ...outage, from: Math.min(outage.from, kinds.get(kind)?.from ?? outage.from) });
  }
  return [...kinds.values()];
}

/** Why its answers aren't judged. A lag doesn't end what it concerns. */
export const reasonOfOutage = ({ by, from, until, outcome, stopped }: Outage): OutageReason => ({
  kind: "outage",
  by,
  from,
  ...(until === undefined ? {} : { until }),
  outcome,
  ...(stopped === undefined ? {} : { stopped }),
});
