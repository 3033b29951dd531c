// Mutants of bundles that are sent, run or simulated (§4.3)
import type { BundleChange } from "../platform/bundleRules.ts";
import { envelope, mutantsOf, result } from "../platform/mutant.ts";

const rules = (bundles: BundleChange) => ({ rules: { rpc: { bundles } } });

const everyRegion = ["ams", "dub", "fra", "lon", "nyc", "slc", "sgp", "tyo", "mainnet"];
const regions = (change: (region: string) => readonly string[]) => rules({ regions: everyRegion.flatMap(change) });

export const mutants = mutantsOf({
  "BND-LIM-01.limit-4": rules({ most: 4 }),
  "BND-LIM-01.min-2": rules({ least: 2 }),
  "BND-LIM-02.accepts-6": rules({ most: 6 }),
  "BND-LIM-02.truncates": rules({ beyondMost: "cut off" }),
  "BND-LIM-02.accepts-any": rules({ most: null }),
  "BND-REQ-01.missing-ok": [rules({ noParams: "taken for an empty bundle", empty: "accepted" }), "BND-EMPTY-01"],
  "BND-REQ-01.null-ok": [rules({ nullBundle: "answered with null" }), "BND-RES-01"],
  "BND-REQ-02.string-ok": rules({ elements: "a bare text too" }),
  "BND-REQ-02.objects-ok": rules({ elements: "objects too" }),
  "BND-EMPTY-01.empty-ok": rules({ empty: "accepted" }),
  "BND-TIP-01.no-tip-ok": rules({ tip: "not needed" }),
  "BND-TIP-01.any-transfer-counts": rules({ tip: "any transfer" }),
  "BND-TIP-02.last-only": rules({ tip: "in the last" }),
  "BND-TIP-02.first-only": rules({ tip: "in the first" }),
  "BND-TIP-02.every-tx": rules({ tip: "in every one" }),
  "BND-SIGN-01.unsigned-ok": rules({ signatures: "not looked at" }),
  "BND-SIGN-01.partial-ok": rules({ signatures: "one is enough" }),
  "BND-ENC-01.base64-as-base58": rules({ encodings: "base64 as base58" }),
  "BND-ENC-01.ignored": [rules({ encodings: "always base58" }), "BND-ENC-04"],
  "BND-ENC-02.base58-unsupported": rules({ encodings: "base58 refused" }),
  "BND-ENC-02.as-base64": rules({ encodings: "base58 as base64" }),
  "BND-ENC-03.default-base64": rules({ withoutEncoding: "base64" }),
  "BND-ENC-03.encoding-required": rules({ withoutEncoding: "refused" }),
  "BND-ENC-04.fallback": rules({ otherEncoding: "base58" }),
  "BND-ENC-04.hex-ok": rules({ otherEncoding: "hex too" }),
  "BND-MEV-01.true-refused": rules({ mev: "true refused" }),
  "BND-MEV-01.required": rules({ mev: "required" }),
  "BND-MEV-02.default-true": rules({ mev: "true by default" }),
  "BND-MEV-03.flag-ignored": rules({ mev: "ignored" }),
  "BND-MEV-03.string-truthy": rules({ mev: "any text is true" }),
  "BND-MEV-04.header-read": [rules({ mev: "from a header" }), "BND-MEV-03"],
  "BND-MEV-04.body-read": [rules({ mev: "from the body" }), "BND-MEV-03"],
  "BND-REG-01.sgp-missing": regions((region) => (region === "sgp" ? [] : [region])),
  "BND-REG-01.mainnet-missing": regions((region) => (region === "mainnet" ? [] : [region])),
  "BND-REG-01.dub-typo": regions((region) => (region === "dub" ? ["dbl"] : [region])),
  "BND-REG-02.required": rules({ region: "required" }),
  "BND-REG-02.default-nyc": rules({ region: "nyc by default" }),
  "BND-REG-03.ignored": rules({ region: "ignored" }),
  "BND-REG-03.swapped": rules({ region: "lon and fra exchanged" }),
  "BND-REG-04.query-read": [rules({ region: "from the query" }), "BND-REG-03"],
  "BND-ID-01.string-only": rules({ ids: "texts only" }),
  "BND-ID-01.echo-string": [
    envelope("sendBundle", (body) => ({
      ...body,
      id: typeof body["id"] === "number" ? String(body["id"]) : (body["id"] ?? null),
    })),
    "RPC-ENV-03",
    "RPC-ENV-07",
  ],
  "BND-RES-01.object": result("sendBundle", (bundleId) => ({ bundleId })),
  "BND-RES-01.null": (answer, call) => {
    const nulled = result("sendBundle", () => null)(answer, call);
    return nulled === answer ? answer : { ...nulled, headers: { ...nulled.headers, "x-bundle-id": "sent" } };
  },
  "BND-RES-01.array": result("sendBundle", (bundleId) => [bundleId]),
  "BND-HASH-01.uuid": [rules({ id: "uuid" }), "BND-HASH-02"],
  "BND-HASH-01.md5": rules({ id: "md5" }),
  "BND-HASH-01.sha512": rules({ id: "sha512" }),
  "BND-HASH-02.salted": rules({ id: "salted" }),
  "BND-HASH-02.first-only": [rules({ id: "of the first" }), "BND-HASH-03"],
  "BND-HASH-02.sorted": rules({ id: "sorted" }),
  "BND-HASH-03.sha1": [rules({ id: "sha1" }), "BND-HASH-01"],
  "BND-HASH-03.over-messages": rules({ id: "of messages" }),
  "BND-USE-01.other-id": [rules({ returned: "another" }), "BND-HASH-03"],
  "BND-USE-01.rejected": [rules({ statuses: { idsTaken: "none of them" } }), "BST-PAR-01"],
  "BND-ATOM-01.partial": rules({ execution: "up to the failing one" }),
  "BND-ATOM-01.skip-failing": [rules({ execution: "without the failing one" }), "BND-SEQ-01"],
  "BND-SEQ-01.parallel": rules({ order: "all at once" }),
  "BND-SEQ-01.reversed": rules({ order: "reversed" }),
  "SIM-EXIST-01.method-not-found": { rules: { rpc: { unknownMethods: ["simulateBundle"] } } },
  "SIM-SAFE-01.submits": rules({ simulation: "submits" }),
});
