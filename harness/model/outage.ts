// Outages: from some request on, sound requests got nothing better, so that no answer since then proves anything.
import type { Api } from "../core/interface.ts";
import type { Hindrance } from "../transport/hindrances.ts";

export interface Outage {
  /** `silence`: no whole answer · `failure`: a failure of the server or of what is before it · `refusal`: any other. */
  readonly by: Exclude<Hindrance, "rate"> | "silence" | "failure" | "refusal";
  readonly api: Api;
  /** Whose requests; null for callers without a valid key. */
  readonly role: string | null;
  /** The number of the first exchange that met it. */
  readonly from: number;
  /** The number of the last one; left out where it lasted to the end. A lag doesn't end what it concerns. */
  readonly until?: number;
  /** What they were answered, e.g. `HTTP 402 "Payment Required"`; of silence, the fault. */
  readonly outcome: string;
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

const causes: { readonly [By in Outage["by"]]: string } = {
  quota: ": the key's quota may be used up",
  maintenance: ": the platform may be under maintenance",
  lag: "",
  silence: "",
  failure: "",
  refusal: ", and sound requests fared no better",
};

/** A full sentence without a full stop, in lower case, as it may follow another. */
export function describeOutage({ by, from, until, outcome }: Outage): string {
  if (by === "lag") return `the index is behind: ${outcome} (first in request ${from})`;
  const since = until === undefined ? `from request ${from} on` : `from request ${from} to ${until}`;
  return by === "silence"
    ? `${since} there was no answer (${outcome})`
    : `${since} every answer was ${outcome}${causes[by]}`;
}
