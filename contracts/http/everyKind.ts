// Documented requests of all APIs that cost nothing, and summaries of what they were answered.
import type { Json } from "../../harness/core/json.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import type { AnsweredExchange, Fingerprint } from "../../harness/model/fingerprint.ts";
import type { Probe } from "../../harness/model/probe.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import * as rpc from "../jsonrpc/probeRequests.ts";
import { describeEnvelope } from "../shared/describeEnvelope.ts";
import { probesFor } from "../shared/forFeature.ts";
import { everyOutcome, describeUsageOutcome as usageOutcomeOf } from "../shared/probeRequests.ts";
import { everyKeyless, describeWalletOutcome as walletOutcomeOf } from "../wallet/describeCalls.ts";

export const everyFeature: readonly Feature[] = [...rpc.rpcAndUsage, "wallet"];

export const everyKind: readonly RequestSpec[] = [
  ...everyOutcome,
  ...rpc.everyResult,
  ...rpc.everyError,
  ...everyKeyless,
];

/** Observes the answers to documented requests of all APIs, with one case for each outcome, such as `usage 200`. */
export const observeOutcomes = (
  id: Probe["id"],
  sees: (answered: AnsweredExchange) => { readonly summary: Json; readonly bucket?: string },
): Probe =>
  probesFor(everyFeature).observeEach(id, everyKind, (answered) => {
    const outcome = usageOutcomeOf(answered) ?? rpc.refusalKind(answered) ?? walletOutcomeOf(answered);
    return outcome === undefined ? undefined : { case: outcome, ...sees(answered) };
  });

/** The status; on JSON-RPC the envelope, which matters more. */
export const describeAnswer = (answered: AnsweredExchange): string | number =>
  answered.requestSpec.api === "rpc" ? describeEnvelope(answered) : answered.answer.status;

/** With the message of an error, if there is one. */
export const describeWithMessage = (answered: AnsweredExchange, { error }: Fingerprint): string | number =>
  error ? `${describeAnswer(answered)} ${error.message}` : describeAnswer(answered);
