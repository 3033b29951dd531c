// getBundleStatuses: one entry for each id (§2.5, §4.3)
import type { LandedEntry } from "../bundles/book.ts";
import { isBundleId } from "../bundles/bundleId.ts";
import type { BundleRules, StatusChoices, StatusRules } from "../platform/bundleRules.ts";
import { slotAt } from "../platform/chain.ts";
import type { Doc, Value } from "../platform/wire.ts";
import type { Carried, RpcContext, ServedMethod } from "./method.ts";
import { needs, Refused } from "./refusals.ts";

/** Empty strings stand for values of other types. @throws Refused */
function idsOf(params: Value | undefined, { statuses, idForm, choices }: BundleRules): readonly string[] {
  const { params: container, noParams, most, beyondMost, idsTaken } = statuses;
  const { flat, emptyList, nonTexts, malformed, duplicates } = choices.statuses;
  if (!Array.isArray(params) || params.length === 0) {
    needs(noParams === "taken as an empty list");
    return [];
  }
  const isFlat = container === "flat" || (flat === "taken too" && typeof params[0] === "string");
  const listed = isFlat ? params : params[0];
  needs(Array.isArray(listed) && (nonTexts === "null" || listed.every((id) => typeof id === "string")));
  needs(listed.length > 0 || emptyList === "an empty value");
  needs(most === null || listed.length <= most || beyondMost === "cut off");
  const ids = listed.map((id) => (typeof id === "string" ? id : ""));
  needs(idsTaken === "its own form" || ids.every((id) => !/^[0-9a-f]{64}$/i.test(id)));
  needs(malformed === "null" || ids.every((id) => id === "" || isBundleId(id, idForm)));
  needs(duplicates !== "refused" || new Set(ids).size === ids.length);
  const listedIds =
    duplicates === "told once"
      ? [...new Set(ids)]
      : duplicates === "told once, then null"
        ? ids.map((id, nth) => (ids.indexOf(id) === nth ? id : ""))
        : ids;
  return most === null ? listedIds : listedIds.slice(0, most);
}

/** @throws Refused for header and query that are documented for sendBundle alone */
function checkOthers({ header, query }: Carried, { regions, choices }: BundleRules): void {
  const region = header("engine-region");
  const mev = query("mev-protect");
  if (choices.statuses.others === "refused") needs(region === null && mev === null);
  if (choices.statuses.others === "unknown values refused")
    needs((region === null || regions.includes(region)) && (mev === null || mev === "true" || mev === "false"));
}

function errorOf(error: string | null, { statuses, choices }: BundleRules): Value {
  const further: Doc = choices.statuses.members === "as documented" ? {} : { logs: [] };
  if (error === null || statuses.failed === "as Ok") return { Ok: null, ...further };
  const failures: { readonly [F in StatusChoices["failure"]]: Doc } = {
    "by its kind": { InstructionError: [0, error] },
    "in Err": { Err: `transaction 0: ${error}` },
    "Ok is false": { Ok: false },
    "not told of": {},
  };
  return { ...failures[choices.statuses.failure], ...further };
}

function shown(landedEntry: LandedEntry, now: number, rules: BundleRules): Value {
  const { id, transactions, slot, confirmation, error } = landedEntry;
  const { signatureOrder, members } = rules.choices.statuses;
  const sent = transactions.map(({ signature }) => signature);
  const signatures = signatureOrder === "as sent" ? sent : [...sent].reverse();
  const listed = {
    all: signatures,
    "the first": signatures.slice(0, 1),
    "one more": [...signatures, signatures[0] ?? ""].reverse(),
  }[rules.statuses.signatures];
  const at = { "of the bundle": slot, "in the future": now + 4, "of the request": now }[rules.statuses.slot];
  const further: Doc = members === "as documented" ? {} : { region: "fra", landed_tip_lamports: 1000 };
  return {
    bundle_id: id,
    transactions: listed,
    slot: at,
    confirmation_status: confirmation,
    err: errorOf(error, rules),
    ...further,
  };
}

interface Found {
  readonly id: string;
  readonly bundle: LandedEntry | null | undefined;
}

function entryOf({ id, bundle }: Found, now: number, all: BundleRules): Value {
  const { statuses: rules, choices } = all;
  if (bundle)
    return bundle.error !== null && choices.statuses.failure === "not told of" ? null : shown(bundle, now, all);
  if (bundle === null) {
    if (rules.notLanded === "null") return null;
    return { bundle_id: id, transactions: [], slot: now, confirmation_status: rules.notLanded, err: { Ok: null } };
  }
  if (rules.unknown === "refused") throw new Refused("params");
  if (rules.unknown === "null") return null;
  return rules.unknown === "an empty object" ? {} : { bundle_id: id, confirmation_status: "unknown" };
}

/** Each id once; what stands behind a second time is lost with it. */
const afterRepeated = (statuses: readonly Found[]): readonly Found[] => {
  const isAgain = (nth: number): boolean => statuses.findIndex(({ id }) => id === statuses[nth]?.id) < nth;
  return statuses.filter((_, nth) => !isAgain(nth) && !(nth > 0 && isAgain(nth - 1)));
};

function aligned(statuses: readonly Found[], { align }: StatusRules): readonly Found[] {
  const slotOf = ({ bundle }: Found): number => bundle?.slot ?? 0;
  return {
    "as asked": statuses,
    "by slot": statuses.toSorted((a, b) => slotOf(b) - slotOf(a)),
    "without nulls": statuses.filter(({ bundle }) => bundle),
    "nulls last": statuses.toSorted((a, b) => Number(!a.bundle) - Number(!b.bundle)),
    "without what follows a repeated id": afterRepeated(statuses),
  }[align];
}

function handle(rpcContext: RpcContext): Value {
  const {
    params,
    book,
    carried,
    now_ms,
    rules: { bundles: rules },
  } = rpcContext;
  const now = slotAt(now_ms);
  checkOthers(carried, rules);
  const known = (id: string): string =>
    rules.choices.statuses.idCase === "any" && rules.idForm === "hex" ? id.toLowerCase() : id;
  const found = idsOf(params, rules).map((id): Found => ({ id, bundle: book.find(known(id), now_ms, rules) }));
  const first = found.find(({ bundle }) => bundle)?.bundle?.slot ?? now;
  const slot = {
    "of the request": now,
    zero: 0,
    "of the start": slotAt(Date.parse("2025-01-01T00:00:00Z")),
    "of the first bundle": first,
  }[rules.statuses.contextSlot];
  return { context: { slot }, value: aligned(found, rules.statuses).map((one) => entryOf(one, now, rules)) };
}

export const getBundleStatuses: ServedMethod = { errorTable: "bundles", handle };
