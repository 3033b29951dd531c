// Documented requests of all APIs that cost nothing, and the names of their outcomes.
import type { Stimulus } from "../../harness/core/stimulus.ts";
import type { Answered } from "../../harness/model/fingerprint.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import { everyError, everyResult, kindOf, everywhere as onUsageAndRpc } from "../jsonrpc/describeEnvelope.ts";
import { everyOutcome, outcomeOf as usageOutcomeOf } from "../shared/probeRequests.ts";
import { everyKeyless, outcomeOf as walletOutcomeOf } from "../wallet/describeCalls.ts";

export const everywhere: readonly Feature[] = [...onUsageAndRpc, "wallet"];

export const everyKind: readonly Stimulus[] = [...everyOutcome, ...everyResult, ...everyError, ...everyKeyless];

/** The outcome of a documented request, such as `usage 200`; undefined for any other request. */
export const outcomeOf = (answered: Answered): string | undefined =>
  usageOutcomeOf(answered) ?? kindOf(answered) ?? walletOutcomeOf(answered);
