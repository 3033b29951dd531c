// Requests of probes, probes on test projects, and descriptions of the answers.
import type { Carrier, RequestSpec } from "../../harness/core/requestSpec.ts";
import { type AnsweredExchange, withoutNumbers } from "../../harness/model/fingerprint.ts";
import type { Observe, Probe, Sight } from "../../harness/model/probe.ts";
import { headerOf } from "../../harness/transport/exchange.ts";
import { controlOf } from "./control.ts";
import { probesFor } from "./forFeature.ts";
import { ownersUsage, usageRequest } from "./requestSpecs.ts";

/** A well-formed id of no project: a random version 4 UUID. */
export const unknownProjectId = "b7d4e9a1-3c52-4f68-9a0d-51c8e2f7b364";

/** The owner's usage request with a change whose outcome is unspecified, so that no law judges the answer. */
export const open = (change: Partial<RequestSpec> = {}): RequestSpec => ({
  ...ownersUsage,
  operation: null,
  ...change,
});

export const knownKey = (where: "header" | "query", keyOf: "owner" | "paid" | "other" = "owner"): Carrier => ({
  in: where,
  key: { keyOf },
});
/** A key of the same shape that belongs to no project. */
export const unknownKeyCarrier = (where: "header" | "query"): Carrier => ({ in: where, key: { likeKeyOf: "owner" } });

/** A header's value, with what changes by itself masked. */
export const describeHeader = ({ answer }: AnsweredExchange, name: string): string =>
  withoutNumbers(headerOf(answer, name) ?? "none");

/** A probe of usage on projects that control makes; `reads` is about how often their usage is read. */
export const onMadeProject = (id: Probe["id"], reads: number, observe: Observe): Probe =>
  probesFor("usage").experiment(id, [ownersUsage], observe, { control: { reads, of: controlOf.billing } });

/** The name of the project whose usage was served to its own key; undefined for any other answer. */
export const describeDocument = ({ answer, asker, isOwn, requestSpec }: AnsweredExchange): string | undefined =>
  requestSpec.operation === "getProjectUsage" && answer.status === 200 && isOwn && asker
    ? asker.projectName
    : undefined;

/** Of each project's own document a figure so coarse that two runs agree; undefined where it shows none. */
export const inBuckets =
  (bucketOf: (answered: AnsweredExchange) => string | undefined): Sight =>
  (answered) => {
    const project = describeDocument(answered);
    const bucket = project === undefined ? undefined : bucketOf(answered);
    return project === undefined || bucket === undefined ? undefined : { case: project, bucket, summary: bucket };
  };

/** `usage 200`: the outcome of a documented usage request; undefined for any other request. */
export const describeUsageOutcome = ({ answer, requestSpec }: AnsweredExchange): string | undefined =>
  requestSpec.operation === "getProjectUsage" ? `usage ${answer.status}` : undefined;

/** Requests for every documented outcome that costs nothing. */
export const everyOutcome: readonly RequestSpec[] = [
  ownersUsage,
  usageRequest({ as: "anonymous" }),
  usageRequest({ as: "owner", of: { id: unknownProjectId } }),
  usageRequest({ as: "adminOff" }),
];
export const everyDocument = (["owner", "paid", "other", "free"] as const).map((as) => usageRequest({ as }));
