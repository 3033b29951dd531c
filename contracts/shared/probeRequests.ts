// In which words are open points asked, and what is told of an answer?

import type { Carrier, Stimulus } from "../../harness/core/stimulus.ts";
import { type Answered, masked } from "../../harness/model/fingerprint.ts";
import { headerOf } from "../../harness/transport/exchange.ts";
import { usage } from "./stimuli.ts";

export const owners = usage({ as: "owner" });

/** A well-formed id of no project: a version 4 uuid made once, by chance. */
export const unknownProjectId = "b7d4e9a1-3c52-4f68-9a0d-51c8e2f7b364";

/** The owner's usage request with something about it that the interface leaves open, so that no law judges the answer. */
export const open = (change: Partial<Stimulus> = {}): Stimulus => ({ ...owners, operation: null, ...change });

/** A good key, and one of the same shape that nobody holds. */
export const good = (where: "header" | "query", keyOf: "owner" | "paid" | "other" = "owner"): Carrier => ({
  in: where,
  key: { keyOf },
});
export const unknown = (where: "header" | "query"): Carrier => ({ in: where, key: { likeKeyOf: "owner" } });

/** A header's value without what changes by itself. */
export const describeHeader = ({ answer }: Answered, name: string): string => masked(headerOf(answer, name) ?? "none");

/** The project whose own document was served; undefined for any other answer. */
export const documentOf = ({ answer, asker, isOwn, stimulus }: Answered): string | undefined =>
  stimulus.operation === "getProjectUsage" && answer.status === 200 && isOwn && asker ? asker.projectName : undefined;

/** `usage 200`: a documented request, and how it came out. */
export const outcomeOf = ({ answer, stimulus }: Answered): string | undefined =>
  stimulus.operation === "getProjectUsage" ? `usage ${answer.status}` : undefined;

/** Questions that draw every documented outcome which costs nothing. */
export const everyOutcome: readonly Stimulus[] = [
  owners,
  usage({ as: "anonymous" }),
  usage({ as: "owner", of: { id: unknownProjectId } }),
  usage({ as: "adminOff" }),
];
export const everyDocument: readonly Stimulus[] = [
  owners,
  usage({ as: "paid" }),
  usage({ as: "other" }),
  usage({ as: "free" }),
];
