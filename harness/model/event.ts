// Events of a run, in the order in which they happen.
import type { Wait } from "../core/clock.ts";
import type { Spent } from "../targets/budget.ts";
import type { Exchange } from "../transport/exchange.ts";
import type { Audit } from "./chargeAudit.ts";
import type { Outage } from "./outage.ts";
import type { Observed } from "./probe.ts";
import type { SampleNote } from "./sampleFinder.ts";
import type { Verdict } from "./verdict.ts";

/** The bases and keys of the target file that can't be used. */
export interface PreflightResult {
  /** In full sentences without a full stop. */
  readonly unusable: readonly string[];
  /** Whether nothing is left to be judged. */
  readonly ended: boolean;
}

/** So many answers, and why they weren't judged. */
export interface Unjudged {
  readonly reason: string;
  readonly exchanges: number;
}

export type EngineEvent =
  | { readonly event: "exchange"; readonly exchange: Exchange }
  | { readonly event: "preflight"; readonly preflight: PreflightResult }
  /** Of samples that the target file doesn't give. */
  | { readonly event: "sample"; readonly sample: SampleNote }
  /** `spent`: so far. */
  | { readonly event: "verdict"; readonly verdict: Verdict; readonly spent: Spent }
  | { readonly event: "observation"; readonly observation: Observed }
  | { readonly event: "audit"; readonly audit: Audit }
  /** When a wait begins. */
  | ({ readonly event: "waiting" } & Wait)
  /** A failure that didn't occur again: why the exchange of this number wasn't judged. */
  | { readonly event: "intermittent"; readonly exchange: number; readonly cause: string }
  /** A remark on the run as a whole. */
  | { readonly event: "remarks"; readonly sentences: readonly string[] }
  /** The last one of an API, a caller and a kind holds. */
  | { readonly event: "outage"; readonly outage: Outage }
  /** Requirements were left out, as the target's budget was spent. */
  | { readonly event: "cutShort"; readonly reason: string }
  /** Answers that probes saw and no law judged. */
  | { readonly event: "unjudged"; readonly unjudged: readonly Unjudged[] }
  /** Their figures moved without calls of this run. */
  | { readonly event: "usedByOthers"; readonly projects: readonly string[] };
