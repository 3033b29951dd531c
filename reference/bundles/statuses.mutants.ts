// Mutants of bundle statuses (§2.5, §4.3)
import { base58, decodeBase58 } from "../platform/base58.ts";
import type { StatusRules } from "../platform/bundleRules.ts";
import { docWithout, having, keyRefused, mutantsOf, resultDoc } from "../platform/mutant.ts";
import { type Doc, isDocValue, type Value } from "../platform/wire.ts";

const rules = (statuses: Partial<StatusRules>) => ({ rules: { rpc: { bundles: { statuses } } } });

/** Changes each entry that isn't null. */
const entries = (change: (entry: Doc) => Value) =>
  resultDoc("getBundleStatuses", (served) =>
    having(served, "/value", (value) =>
      Array.isArray(value) ? value.map((entry: Value) => (isDocValue(entry) ? change(entry) : entry)) : value,
    ),
  );
const member = (name: string, change: (value: Value) => Value) => entries((entry) => having(entry, `/${name}`, change));
const signatures = (change: (signature: Value) => Value) =>
  member("transactions", (list) => (Array.isArray(list) ? list.map(change) : list));
const left = (name: string) => entries((entry) => docWithout(entry, `/${name}`));
const whole = (change: (served: Doc) => Value) => resultDoc("getBundleStatuses", change);

const isOk = (err: Value): boolean => isDocValue(err) && err["Ok"] === null;
/** Where there is no error. */
const ok = (err: Value | undefined) =>
  entries((entry) =>
    isOk(entry["err"] ?? null) ? (err === undefined ? docWithout(entry, "/err") : { ...entry, err }) : entry,
  );

/** Requirements of the members that bundles have once they landed. */
const ofLanded = ["BST-ELT-02", "BST-ELT-03", "BST-ELT-04", "BST-ELT-05"];

export const mutants = mutantsOf({
  "BST-PAR-01.flat-only": [rules({ params: "flat" }), "BND-USE-01"],
  "BST-PAR-01.missing-ok": rules({ noParams: "taken as an empty list" }),
  "BST-RES-01.context-missing": whole(({ value = null }) => value),
  "BST-RES-01.slot-string": whole((served) => having(served, "/context/slot", String)),
  "BST-RES-01.value-map": whole((served) =>
    having(served, "/value", (value) =>
      Array.isArray(value)
        ? Object.fromEntries(
            value.map((entry, nth) => [isDocValue(entry) ? String(entry["bundle_id"]) : String(nth), entry]),
          )
        : value,
    ),
  ),
  "BST-ALIGN-01.reorders": rules({ align: "by slot" }),
  "BST-ALIGN-01.drops-null": rules({ align: "without nulls" }),
  "BST-ALIGN-01.nulls-last": rules({ align: "nulls last" }),
  "BST-ALIGN-01.repeats-swallow": rules({ align: "without what follows a repeated id" }),
  "BST-NULL-01.error": rules({ unknown: "refused" }),
  "BST-NULL-01.empty-object": [rules({ unknown: "an empty object" }), "BST-ELT-01", ...ofLanded],
  "BST-NULL-01.not-found-object": [rules({ unknown: "an object with a status" }), ...ofLanded],
  "BST-NULL-02.pending-object": [rules({ notLanded: "pending" }), "BST-ELT-04", "BST-SIG-01"],
  "BST-NULL-02.processed-early": [rules({ notLanded: "processed" }), "BST-SIG-01"],
  "BST-LIM-01.limit-4": rules({ most: 4 }),
  "BST-LIM-01.limit-1": rules({ most: 1 }),
  "BST-LIM-02.accepts-6": rules({ most: 6 }),
  "BST-LIM-02.truncates": rules({ beyondMost: "cut off" }),
  "BST-ELT-01.absent": left("bundle_id"),
  "BST-ELT-01.camel": entries(({ bundle_id: bundleId = null, ...rest }) => ({ bundleId, ...rest })),
  "BST-ELT-01.recased": member("bundle_id", (id) => String(id).toUpperCase()),
  "BST-ELT-02.base64": [signatures((signature) => Buffer.from(String(signature)).toString("base64")), "BST-SIG-01"],
  "BST-ELT-02.objects": signatures((signature) => ({ signature })),
  "BST-ELT-02.count": member("transactions", (list) => (Array.isArray(list) ? list.length : list)),
  "BST-ELT-03.string": member("slot", String),
  "BST-ELT-03.absent": left("slot"),
  "BST-ELT-04.landed": member("confirmation_status", () => "landed"),
  "BST-ELT-04.capital": member("confirmation_status", (status) =>
    String(status).replace(/^./, (letter) => letter.toUpperCase()),
  ),
  "BST-ELT-04.null-when-final": member("confirmation_status", (status) => (status === "finalized" ? null : status)),
  "BST-ELT-05.null": ok(null),
  "BST-ELT-05.absent": ok(undefined),
  "BST-ELT-05.string": ok("Ok"),
  "BST-ELT-06.empty": ok({}),
  "BST-ELT-06.ok-true": ok({ Ok: true }),
  "BST-ELT-06.lower": ok({ ok: null }),
  "BST-ELT-07.always-ok": rules({ failed: "as Ok" }),
  "EXT-SOL-02.len-32": [
    signatures((signature) => base58((decodeBase58(String(signature)) ?? new Uint8Array()).slice(0, 32))),
    "BST-SIG-01",
  ],
  "BST-SIG-01.first-only": rules({ signatures: "the first" }),
  "BST-SIG-01.extra": rules({ signatures: "one more" }),
  "BST-SLOT-01.future-slot": [rules({ slot: "in the future" }), "BST-SLOT-02"],
  "BST-SLOT-01.context-zero": [rules({ contextSlot: "zero" }), "BST-CTX-01"],
  "BST-SLOT-02.request-slot": rules({ slot: "of the request" }),
  "BST-CTX-01.constant": [rules({ contextSlot: "of the start" }), "BST-SLOT-01"],
  "BST-CTX-01.bundle-slot": [rules({ contextSlot: "of the first bundle" }), "BST-SLOT-01"],
  "AUTH-RPC-BUNDLE-01.bundle-auth-code": keyRefused("noKey", { code: -32600 }, "sendBundle"),
  "AUTH-RPC-BUNDLE-01.status-auth-code": [
    keyRefused("unknownKey", { code: -32005 }, "getBundleStatuses"),
    "AUTH-RPC-UNKN-01",
  ],
});
