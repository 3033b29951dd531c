// The reference's choices for bundles where the interface leaves behaviour unspecified
import type { BundleChoices } from "../platform/bundleRules.ts";

export const honestChoices: BundleChoices = {
  sends: {
    undecodable: "params",
    misspelled: "params",
    encodingNames: "exact",
    emptyEncoding: "refused",
    nulls: "as absent",
    unknownOptions: "ignored",
    base64: "strict",
    unnamedBase64: "refused",
    stringIds: "taken",
    mevTexts: "ignored",
    emptyMev: "ignored",
    unknownRegions: "refused",
    regionCase: "exact",
    emptyRegion: "refused",
    regionLists: "refused",
    routed: "after the transactions",
    duplicates: "taken",
  },
  statuses: {
    flat: "refused",
    emptyList: "an empty value",
    duplicates: "each",
    malformed: "null",
    idCase: "exact",
    nonTexts: "refused",
    others: "ignored",
    kept_ms: null,
    stages: "each",
    failure: "by its kind",
    signatureOrder: "as sent",
    members: "as documented",
  },
  simulation: { params: "as of sendBundle", ofNothing: "refused", result: "a summary" },
};
