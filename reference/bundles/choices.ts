// What does the platform do with bundles where the interface leaves it open? Choices: none of them breaks a promise.
import type { RpcCause } from "../rpc/refusals.ts";

export interface SendChoices {
  /** As what a text is refused that is no transaction. */
  readonly undecodable: RpcCause & ("params" | "invalid" | "server");
  /** And one that isn't even in its encoding. */
  readonly misspelled: RpcCause & ("params" | "invalid");
  readonly encodingNames: "exact" | "in any case";
  readonly emptyEncoding: "refused" | "as absent";
  /** Null for the encoding, or for all options. */
  readonly nulls: "as absent" | "refused";
  readonly unknownOptions: "ignored" | "refused";
  /** Beside the alphabet and the padding of RFC 4648 §4. */
  readonly base64: "strict" | "url-safe too" | "unpadded too" | "with white space too";
  /** Base64 where no encoding is named. */
  readonly unnamedBase64: "refused" | "read";
  readonly stringIds: "taken" | "refused";
  /** `1`, `yes` and `TRUE` for mev-protect. */
  readonly mevTexts: "ignored" | "true" | "refused";
  /** mev-protect without a text. */
  readonly emptyMev: "ignored" | "true" | "refused";
  readonly unknownRegions: "refused" | "ignored";
  readonly regionCase: "exact" | "any";
  readonly emptyRegion: "refused" | "as absent";
  readonly regionLists: "refused" | "the first counts";
  /** When query and headers are looked at. */
  readonly routed: "after the transactions" | "before them";
  /** The same transaction twice in a bundle. */
  readonly duplicates: "taken" | "refused";
}

export interface StatusChoices {
  /** `["id"]` where `[["id"]]` is documented. */
  readonly flat: "refused" | "taken too";
  readonly emptyList: "an empty value" | "refused";
  readonly duplicates: "each told" | "told once" | "told once, then null" | "refused";
  /** Texts that aren't in the form of an id. */
  readonly malformed: "null" | "refused";
  readonly idCase: "exact" | "any";
  readonly nonTexts: "refused" | "null";
  /** What is documented for sendBundle alone: mev-protect and engine-region. */
  readonly others: "ignored" | "unknown values refused" | "refused";
  /** How long a status is told, in ms after sending; null: for ever. */
  readonly kept_ms: number | null;
  readonly stages: "each" | "from confirmed on" | "finalized alone" | "with a step back";
  readonly failure: "by its kind" | "in Err" | "Ok is false" | "not told of";
  readonly signatureOrder: "as sent" | "reversed";
  readonly members: "as documented" | "further ones";
}

export interface SimulationChoices {
  readonly params: "as of sendBundle" | "an object";
  readonly ofNothing: "refused" | "succeeds";
  readonly result: "a summary" | "transaction by transaction" | "a text" | "null";
}

export interface BundleChoices {
  readonly sends: SendChoices;
  readonly statuses: StatusChoices;
  readonly simulation: SimulationChoices;
}

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
    duplicates: "each told",
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

/** Some chosen otherwise, method by method. */
export type BundleChoice = { readonly [M in keyof BundleChoices]?: Partial<BundleChoices[M]> };

export const chosen = (choices: BundleChoices, change: BundleChoice = {}): BundleChoices => ({
  sends: { ...choices.sends, ...change.sends },
  statuses: { ...choices.statuses, ...change.statuses },
  simulation: { ...choices.simulation, ...change.simulation },
});
