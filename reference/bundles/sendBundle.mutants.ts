// Mutants of bundles that are sent, run or simulated (§4.3)
import type { BundleChange } from "../platform/bundleRules.ts";
import { envelope, mutant, result } from "../platform/mutant.ts";

const rules = (bundles: BundleChange) => ({ rules: { rpc: { bundles } } });

const everyRegion = ["ams", "dub", "fra", "lon", "nyc", "slc", "sgp", "tyo", "mainnet"];
const regions = (change: (region: string) => readonly string[]) => rules({ regions: everyRegion.flatMap(change) });

export const mutants = [
  mutant("BND-LIM-01.limit-4", rules({ most: 4 })),
  mutant("BND-LIM-01.min-2", rules({ least: 2 })),
  mutant("BND-LIM-02.accepts-6", rules({ most: 6 })),
  mutant("BND-LIM-02.truncates", rules({ beyondMost: "cut off" })),
  mutant("BND-LIM-02.accepts-any", rules({ most: null })),
  mutant("BND-REQ-01.missing-ok", rules({ noParams: "taken for an empty bundle", empty: "accepted" }), "BND-EMPTY-01"),
  mutant("BND-REQ-01.null-ok", rules({ nullBundle: "answered with null" }), "BND-RES-01"),
  mutant("BND-REQ-02.string-ok", rules({ elements: "a bare text too" })),
  mutant("BND-REQ-02.objects-ok", rules({ elements: "objects too" })),
  mutant("BND-EMPTY-01.empty-ok", rules({ empty: "accepted" })),
  mutant("BND-TIP-01.no-tip-ok", rules({ tip: "not needed" })),
  mutant("BND-TIP-01.any-transfer-counts", rules({ tip: "any transfer" })),
  mutant("BND-TIP-02.last-only", rules({ tip: "in the last" })),
  mutant("BND-TIP-02.first-only", rules({ tip: "in the first" })),
  mutant("BND-TIP-02.every-tx", rules({ tip: "in every one" })),
  mutant("BND-SIGN-01.unsigned-ok", rules({ signatures: "not looked at" })),
  mutant("BND-SIGN-01.partial-ok", rules({ signatures: "one is enough" })),
  mutant("BND-ENC-01.base64-as-base58", rules({ encodings: "base64 as base58" })),
  mutant("BND-ENC-01.ignored", rules({ encodings: "always base58" }), "BND-ENC-04"),
  mutant("BND-ENC-02.base58-unsupported", rules({ encodings: "base58 refused" })),
  mutant("BND-ENC-02.as-base64", rules({ encodings: "base58 as base64" })),
  mutant("BND-ENC-03.default-base64", rules({ withoutEncoding: "base64" })),
  mutant("BND-ENC-03.encoding-required", rules({ withoutEncoding: "refused" })),
  mutant("BND-ENC-04.fallback", rules({ otherEncoding: "base58" })),
  mutant("BND-ENC-04.hex-ok", rules({ otherEncoding: "hex too" })),
  mutant("BND-MEV-01.true-refused", rules({ mev: "true refused" })),
  mutant("BND-MEV-01.required", rules({ mev: "required" })),
  mutant("BND-MEV-02.default-true", rules({ mev: "true by default" })),
  mutant("BND-MEV-03.flag-ignored", rules({ mev: "ignored" })),
  mutant("BND-MEV-03.string-truthy", rules({ mev: "any text is true" })),
  mutant("BND-MEV-04.header-read", rules({ mev: "from a header" }), "BND-MEV-03"),
  mutant("BND-MEV-04.body-read", rules({ mev: "from the body" }), "BND-MEV-03"),
  mutant(
    "BND-REG-01.sgp-missing",
    regions((region) => (region === "sgp" ? [] : [region])),
  ),
  mutant(
    "BND-REG-01.mainnet-missing",
    regions((region) => (region === "mainnet" ? [] : [region])),
  ),
  mutant(
    "BND-REG-01.dub-typo",
    regions((region) => (region === "dub" ? ["dbl"] : [region])),
  ),
  mutant("BND-REG-02.required", rules({ region: "required" })),
  mutant("BND-REG-02.default-nyc", rules({ region: "nyc by default" })),
  mutant("BND-REG-03.ignored", rules({ region: "ignored" })),
  mutant("BND-REG-03.swapped", rules({ region: "lon and fra exchanged" })),
  mutant("BND-REG-04.query-read", rules({ region: "from the query" }), "BND-REG-03"),
  mutant("BND-ID-01.string-only", rules({ ids: "texts only" })),
  mutant(
    "BND-ID-01.echo-string",
    {
      answer: envelope("sendBundle", (body) => ({
        ...body,
        id: typeof body["id"] === "number" ? String(body["id"]) : (body["id"] ?? null),
      })),
    },
    "RPC-ENV-03",
    "RPC-ENV-07",
  ),
  mutant("BND-RES-01.object", { answer: result("sendBundle", (bundleId) => ({ bundleId })) }),
  mutant("BND-RES-01.null", {
    answer: (answer, call) => {
      const nulled = result("sendBundle", () => null)(answer, call);
      return nulled === answer ? answer : { ...nulled, headers: { ...nulled.headers, "x-bundle-id": "sent" } };
    },
  }),
  mutant("BND-RES-01.array", { answer: result("sendBundle", (bundleId) => [bundleId]) }),
  mutant("BND-HASH-01.uuid", rules({ id: "uuid" }), "BND-HASH-02"),
  mutant("BND-HASH-01.md5", rules({ id: "md5" })),
  mutant("BND-HASH-01.sha512", rules({ id: "sha512" })),
  mutant("BND-HASH-02.salted", rules({ id: "salted" })),
  mutant("BND-HASH-02.first-only", rules({ id: "of the first" }), "BND-HASH-03"),
  mutant("BND-HASH-02.sorted", rules({ id: "sorted" })),
  mutant("BND-HASH-03.sha1", rules({ id: "sha1" }), "BND-HASH-01"),
  mutant("BND-HASH-03.over-messages", rules({ id: "of messages" })),
  mutant("BND-USE-01.other-id", rules({ returned: "another" }), "BND-HASH-03"),
  mutant("BND-USE-01.rejected", rules({ statuses: { idsTaken: "none of them" } }), "BST-PAR-01"),
  mutant("BND-ATOM-01.partial", rules({ execution: "up to the failing one" })),
  mutant("BND-ATOM-01.skip-failing", rules({ execution: "without the failing one" }), "BND-SEQ-01"),
  mutant("BND-SEQ-01.parallel", rules({ order: "all at once" })),
  mutant("BND-SEQ-01.reversed", rules({ order: "reversed" })),
  mutant("SIM-EXIST-01.method-not-found", { rules: { rpc: { unknownMethods: ["simulateBundle"] } } }),
  mutant("SIM-SAFE-01.submits", rules({ simulation: "submits" })),
];
