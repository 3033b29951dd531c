// What became of bundles? One entry for each id that was asked for. (§2.5, §4.3)
import type { Landed } from "../bundles/book.ts";
import type { StatusRules } from "../bundles/rules.ts";
import { slotAt } from "../chain.ts";
import type { Value } from "../wire.ts";
import type { Method, RpcVisit } from "./method.ts";
import { needs, Refused } from "./refusals.ts";

/** @throws Refused */
function idsOf(params: Value | undefined, { params: container, noParams, most, beyondMost, idsTaken }: StatusRules): readonly string[] {
  if (!Array.isArray(params) || params.length === 0) {
    needs(noParams === "nothing asked");
    return [];
  }
  const listed = container === "flat" ? params : params[0];
  needs(Array.isArray(listed) && listed.every((id) => typeof id === "string"));
  needs(most === null || listed.length <= most || beyondMost === "cut off");
  needs(idsTaken === "its own form" || listed.every((id) => !/^[0-9a-f]{64}$/i.test(id)));
  return (most === null ? listed : listed.slice(0, most)).map(String);
}

function shown({ id, transactions, slot, confirmation, error }: Landed, now: number, rules: StatusRules): Value {
  const signatures = transactions.map(({ signature }) => signature);
  const listed = { all: signatures, "the first": signatures.slice(0, 1), "one more": [...signatures, signatures[0] ?? ""].reverse() }[rules.signatures];
  const err = error !== null && rules.failed === "with the error" ? { InstructionError: [0, error] } : { Ok: null };
  const at = { "of the bundle": slot, "in the future": now + 4, "of the request": now }[rules.slot];
  return { bundle_id: id, transactions: listed, slot: at, confirmation_status: confirmation, err };
}

interface Found {
  readonly id: string;
  readonly bundle: Landed | null | undefined;
}

function entryOf({ id, bundle }: Found, now: number, rules: StatusRules): Value {
  if (bundle) return shown(bundle, now, rules);
  if (bundle === null) {
    if (rules.notLanded === "null") return null;
    return { bundle_id: id, transactions: [], slot: now, confirmation_status: rules.notLanded, err: { Ok: null } };
  }
  if (rules.unknown === "refused") throw new Refused("params");
  if (rules.unknown === "null") return null;
  return rules.unknown === "an empty object" ? {} : { bundle_id: id, confirmation_status: "unknown" };
}

function aligned(found: readonly Found[], { align }: StatusRules): readonly Found[] {
  const slotOf = ({ bundle }: Found): number => bundle?.slot ?? 0;
  switch (align) {
    case "as asked":
      return found;
    case "by slot":
      return [...found].sort((a, b) => slotOf(b) - slotOf(a));
    case "without nulls":
      return found.filter(({ bundle }) => bundle);
    case "nulls last":
      return [...found].sort((a, b) => Number(!a.bundle) - Number(!b.bundle));
  }
}

function handle({ params, book, now_ms, rules: { bundles: rules } }: RpcVisit): Value {
  const now = slotAt(now_ms);
  const found = idsOf(params, rules.statuses).map((id): Found => ({ id, bundle: book.find(id, now_ms, rules) }));
  const first = found.find(({ bundle }) => bundle)?.bundle?.slot ?? now;
  const slot = { "of the request": now, zero: 0, "of the start": slotAt(Date.parse("2025-01-01T00:00:00Z")), "of the first bundle": first }[rules.statuses.contextSlot];
  return { context: { slot }, value: aligned(found, rules.statuses).map((one) => entryOf(one, now, rules.statuses)) };
}

export const getBundleStatuses: Method = { family: "bundles", handle };
