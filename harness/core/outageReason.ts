// The reason of an outage: since when valid requests got nothing better than others, and what they got.
import { clockText } from "./clock.ts";

/** From some request on, valid requests get no better answers than others. */
export interface OutageReason {
  readonly kind: "outage";
  /** `silence`: no complete answer · `failure`: of the server or of what is before it · `refusal`: any other. */
  readonly by: "quota" | "maintenance" | "lag" | "silence" | "failure" | "refusal";
  /** The number of the first exchange that met it, and of the last; without the latter it lasted to the end. */
  readonly from: number;
  readonly until?: number;
  /** What they were answered, e.g. `HTTP 402 "Payment Required"`; of silence, the fault. */
  readonly outcome: string;
  /** Where nothing is reached any more: what stopped answering, such as `acme`, and how long the run had taken. */
  readonly stopped?: { readonly name: string; readonly after_s: number };
}

/** A full sentence without a full stop, in lower case, as it may follow another. */
export function describeOutage(outage: Omit<OutageReason, "kind">): string {
  const { by, from, until, outcome } = outage;
  if (outage.stopped && until === undefined)
    return `${outage.stopped.name} stopped answering at ${clockText(outage.stopped.after_s)} (${outcome})`;
  if (by === "lag") return `the index is behind: ${outcome} (first in request ${from})`;
  const since = until === undefined ? `from request ${from} on` : `from request ${from} to ${until}`;
  return by === "silence"
    ? `${since} there was no answer (${outcome})`
    : `${since} every answer was ${outcome}${outageCauses[by]}`;
}

const outageCauses = {
  quota: ": the key's quota may be used up",
  maintenance: ": the platform may be under maintenance",
  failure: "",
  refusal: ", also to valid requests",
};
