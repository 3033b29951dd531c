// Events of a run, in the order in which they happen.
import type { Spent } from "../target/budget.ts";
import type { Exchange } from "../transport/exchange.ts";
import type { Audit } from "./chargeAudit.ts";
import type { SampleNote } from "./finder.ts";
import type { Observed } from "./probe.ts";
import type { Verdict } from "./verdict.ts";

export type EngineEvent =
  | { readonly event: "exchange"; readonly exchange: Exchange }
  /** Of samples that the target file doesn't give. */
  | { readonly event: "sample"; readonly sample: SampleNote }
  /** `spent`: so far. */
  | { readonly event: "verdict"; readonly verdict: Verdict; readonly spent: Spent }
  | { readonly event: "observation"; readonly observation: Observed }
  | { readonly event: "audit"; readonly audit: Audit }
  /** Their figures moved without calls of this run. */
  | { readonly event: "usedByOthers"; readonly projects: readonly string[] };
