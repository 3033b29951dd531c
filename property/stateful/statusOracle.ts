// Comparison of bundle statuses with the model (§4.3 getBundleStatuses)

import { resultOf } from "../../contracts/shared/jsonRpcOracles.ts";
import { notTested } from "../../contracts/shared/masked.ts";
import { type Json, valueAt } from "../../harness/core/json.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { type ModelState, mustHaveStatus, type ProjectName, type SentBundle, withSlot } from "./state.ts";
import { ModelViolation } from "./statefulTest.ts";

export interface ComparedStatuses {
  /** With the slots that statuses show. */
  readonly state: ModelState;
  /** The first status that contradicts the model; null where none does. */
  readonly violation: ModelViolation | null;
}

/** @throws Withheld where the value isn't a list */
export function comparedStatuses(
  exchange: Exchange,
  ids: readonly string[],
  before: ModelState,
  name: ProjectName,
): ComparedStatuses {
  const entries = resultOf(exchange, "/value");
  if (!Array.isArray(entries)) throw notTested("value isn't a list");
  let state = before;
  if (entries.length !== ids.length) {
    const expected = `${ids.length} entries, one for each id`;
    const violation = new ModelViolation("BST-ALIGN-01", exchange, "/result/value", expected, entries.length);
    return { state, violation };
  }
  for (const [place, id] of ids.entries()) {
    const at = `/result/value/${place}`;
    const entry = entries[place] as Json;
    const sent = state[name].bundles.find((one) => one.id === id);
    const violation = sent ? wrongStatus(exchange, at, sent, entry) : unknownWithStatus(exchange, at, entry);
    if (violation) return { state, violation };
    const slot = valueAt(entry, "/slot");
    if (typeof slot === "number") state = withSlot(state, name, id, slot);
  }
  return { state, violation: null };
}

const unknownWithStatus = (exchange: Exchange, at: string, entry: Json): ModelViolation | null =>
  entry === null ? null : new ModelViolation("BST-NULL-01", exchange, at, "null", entry);

/** Once a bundle must have landed it has a status, always with its own id and in the same slot. */
function wrongStatus(exchange: Exchange, at: string, sent: SentBundle, entry: Json): ModelViolation | null {
  if (entry === null)
    return mustHaveStatus(sent)
      ? new ModelViolation("BST-ALIGN-01", exchange, at, "the status of a bundle that was sent and has landed", entry)
      : null;
  const id = valueAt(entry, "/bundle_id");
  if (id !== sent.id)
    return new ModelViolation("BST-ALIGN-01", exchange, `${at}/bundle_id`, JSON.stringify(sent.id), id);
  const slot = valueAt(entry, "/slot");
  return sent.slot !== null && slot !== sent.slot
    ? new ModelViolation("BST-SLOT-02", exchange, `${at}/slot`, String(sent.slot), slot)
    : null;
}
