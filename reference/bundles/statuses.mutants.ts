// Mutants of bundle statuses (§2.5, §4.3)
import { base58, bytesOf } from "../platform/base58.ts";
import type { StatusRules } from "../platform/bundleRules.ts";
import { having, lacking, mutant, resultDoc, rpcError } from "../platform/mutant.ts";
import { type Doc, isObject, type Value } from "../platform/wire.ts";

const rules = (statuses: Partial<StatusRules>) => ({ rules: { rpc: { bundles: { statuses } } } });

/** Changes each entry that isn't null. */
const entries = (change: (entry: Doc) => Value) => ({
  answer: resultDoc("getBundleStatuses", (served) =>
    having(served, "/value", (value) =>
      Array.isArray(value) ? value.map((entry: Value) => (isObject(entry) ? change(entry) : entry)) : value,
    ),
  ),
});
const member = (name: string, change: (value: Value) => Value) => entries((entry) => having(entry, `/${name}`, change));
const left = (name: string) => entries((entry) => lacking(entry, `/${name}`));
const whole = (change: (served: Doc) => Value) => ({ answer: resultDoc("getBundleStatuses", change) });

const isOk = (err: Value): boolean => isObject(err) && err["Ok"] === null;
/** Where there is no error. */
const ok = (err: Value | undefined) =>
  entries((entry) =>
    isOk(entry["err"] ?? null) ? (err === undefined ? lacking(entry, "/err") : { ...entry, err }) : entry,
  );

export const mutants = [
  mutant("BST-PAR-01.flat-only", rules({ params: "flat" })),
  mutant("BST-PAR-01.missing-ok", rules({ noParams: "taken as an empty list" })),
  mutant(
    "BST-RES-01.context-missing",
    whole(({ value = null }) => value),
  ),
  mutant(
    "BST-RES-01.slot-string",
    whole((served) => having(served, "/context/slot", String)),
  ),
  mutant(
    "BST-RES-01.value-map",
    whole((served) =>
      having(served, "/value", (value) =>
        Array.isArray(value)
          ? Object.fromEntries(
              value.map((entry, nth) => [isObject(entry) ? String(entry["bundle_id"]) : String(nth), entry]),
            )
          : value,
      ),
    ),
  ),
  mutant("BST-ALIGN-01.reorders", rules({ align: "by slot" })),
  mutant("BST-ALIGN-01.drops-null", rules({ align: "without nulls" })),
  mutant("BST-ALIGN-01.nulls-last", rules({ align: "nulls last" })),
  mutant("BST-NULL-01.error", rules({ unknown: "refused" })),
  mutant(
    "BST-NULL-01.empty-object",
    rules({ unknown: "an empty object" }),
    "BST-ELT-01",
    "BST-ELT-02",
    "BST-ELT-03",
    "BST-ELT-04",
    "BST-ELT-05",
  ),
  mutant(
    "BST-NULL-01.not-found-object",
    rules({ unknown: "an object with a status" }),
    "BST-ELT-02",
    "BST-ELT-03",
    "BST-ELT-04",
    "BST-ELT-05",
  ),
  mutant("BST-NULL-02.pending-object", rules({ notLanded: "pending" }), "BST-ELT-04"),
  mutant("BST-NULL-02.processed-early", rules({ notLanded: "processed" })),
  mutant("BST-LIM-01.limit-4", rules({ most: 4 })),
  mutant("BST-LIM-01.limit-1", rules({ most: 1 })),
  mutant("BST-LIM-02.accepts-6", rules({ most: 6 })),
  mutant("BST-LIM-02.truncates", rules({ beyondMost: "cut off" })),
  mutant("BST-ELT-01.absent", left("bundle_id")),
  mutant(
    "BST-ELT-01.camel",
    entries(({ bundle_id: bundleId = null, ...rest }) => ({ bundleId, ...rest })),
  ),
  mutant(
    "BST-ELT-01.recased",
    member("bundle_id", (id) => String(id).toUpperCase()),
  ),
  mutant(
    "BST-ELT-02.base64",
    member("transactions", (list) =>
      Array.isArray(list) ? list.map((signature) => Buffer.from(String(signature)).toString("base64")) : list,
    ),
    "BST-SIG-01",
  ),
  mutant(
    "BST-ELT-02.objects",
    member("transactions", (list) => (Array.isArray(list) ? list.map((signature) => ({ signature })) : list)),
  ),
  mutant(
    "BST-ELT-02.count",
    member("transactions", (list) => (Array.isArray(list) ? list.length : list)),
  ),
  mutant("BST-ELT-03.string", member("slot", String)),
  mutant("BST-ELT-03.absent", left("slot")),
  mutant(
    "BST-ELT-04.landed",
    member("confirmation_status", () => "landed"),
  ),
  mutant(
    "BST-ELT-04.capital",
    member("confirmation_status", (status) => String(status).replace(/^./, (letter) => letter.toUpperCase())),
  ),
  mutant(
    "BST-ELT-04.null-when-final",
    member("confirmation_status", (status) => (status === "finalized" ? null : status)),
  ),
  mutant("BST-ELT-05.null", ok(null)),
  mutant("BST-ELT-05.absent", ok(undefined)),
  mutant("BST-ELT-05.string", ok("Ok")),
  mutant("BST-ELT-06.empty", ok({})),
  mutant("BST-ELT-06.ok-true", ok({ Ok: true })),
  mutant("BST-ELT-06.lower", ok({ ok: null })),
  mutant("BST-ELT-07.always-ok", rules({ failed: "as Ok" })),
  mutant(
    "EXT-SOL-02.len-32",
    member("transactions", (list) =>
      Array.isArray(list)
        ? list.map((signature) => base58((bytesOf(String(signature)) ?? new Uint8Array()).slice(0, 32)))
        : list,
    ),
    "BST-SIG-01",
  ),
  mutant("BST-SIG-01.first-only", rules({ signatures: "the first" })),
  mutant("BST-SIG-01.extra", rules({ signatures: "one more" })),
  mutant("BST-SLOT-01.future-slot", rules({ slot: "in the future" }), "BST-SLOT-02"),
  mutant("BST-SLOT-01.context-zero", rules({ contextSlot: "zero" }), "BST-CTX-01"),
  mutant("BST-SLOT-02.request-slot", rules({ slot: "of the request" })),
  mutant("BST-CTX-01.constant", rules({ contextSlot: "of the start" }), "BST-SLOT-01"),
  mutant("BST-CTX-01.bundle-slot", rules({ contextSlot: "of the first bundle" }), "BST-SLOT-01"),
  mutant("AUTH-RPC-BUNDLE-01.bundle-auth-code", {
    answer: rpcError("sendBundle", "key", (error, { keyCause }) =>
      keyCause === "noKey" ? { ...error, code: -32600 } : error,
    ),
  }),
  mutant(
    "AUTH-RPC-BUNDLE-01.status-auth-code",
    {
      answer: rpcError("getBundleStatuses", "key", (error, { keyCause }) =>
        keyCause === "unknownKey" ? { ...error, code: -32005 } : error,
      ),
    },
    "AUTH-RPC-UNKN-01",
  ),
];
