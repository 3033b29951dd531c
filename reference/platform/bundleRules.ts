// Types of the rules of bundles (§3, §4.3)
import type { Change } from "./change.ts";
import type { RpcCause } from "./rpcCauses.ts";

export interface BundleRules {
  readonly least: number;
  /** Transactions per bundle; null: unlimited. */
  readonly most: number | null;
  readonly beyondMost: "refused" | "cut off";
  readonly noParams: "refused" | "taken for an empty bundle";
  readonly nullBundle: "refused" | "answered with null";
  readonly elements: "texts" | "a bare text too" | "objects too";
  readonly empty: "refused" | "accepted";
  readonly tip: "in any transaction" | "not needed" | "any transfer" | "in the last" | "in the first" | "in every one";
  /** Lamports. */
  readonly leastTip: bigint;
  readonly signatures: "all" | "not looked at" | "one is enough";
  readonly encodings: "as named" | "always base58" | "base64 as base58" | "base58 refused" | "base58 as base64";
  readonly withoutEncoding: "base58" | "base64" | "refused";
  readonly otherEncoding: "refused" | "base58" | "hex too";
  readonly mev:
    | "from the query"
    | "true refused"
    | "required"
    | "true by default"
    | "ignored"
    | "any text is true"
    | "from a header"
    | "from the body";
  readonly regions: readonly string[];
  readonly region:
    | "from the header"
    | "required"
    | "nyc by default"
    | "ignored"
    | "lon and fra exchanged"
    | "from the query";
  readonly ids: "any" | "texts only";
  readonly id:
    | "commas, SHA-256"
    | "salted"
    | "of the first"
    | "sorted"
    | "sha1"
    | "md5"
    | "sha512"
    | "uuid"
    | "of messages"
    | "signatures run together"
    | "raw bytes"
    | "raw bytes behind their count";
  readonly idForm: "hex" | "HEX" | "0x hex" | "base58" | "base64" | "base64url";
  readonly returned: "the tracked one" | "another";
  readonly execution: "all or nothing" | "up to the failing one" | "without the failing one";
  readonly order: "as given" | "reversed" | "all at once";
  readonly simulation: "lands nothing" | "submits";
  /** A bundle that was sent before. */
  readonly resent: "the same id" | "refused" | "refused once it has landed";
  readonly statuses: StatusRules;
  /** Choices where the interface leaves behaviour unspecified. */
  readonly choices: BundleChoices;
}

export interface StatusRules {
  readonly params: "nested" | "flat";
  readonly noParams: "refused" | "taken as an empty list";
  readonly most: number | null;
  readonly beyondMost: "refused" | "cut off";
  readonly align: "as asked" | "by slot" | "without nulls" | "nulls last";
  readonly unknown: "null" | "refused" | "an empty object" | "an object with a status";
  readonly notLanded: "null" | "pending" | "processed";
  readonly failed: "with the error" | "as Ok";
  readonly slot: "of the bundle" | "in the future" | "of the request";
  readonly contextSlot: "of the request" | "zero" | "of the start" | "of the first bundle";
  readonly signatures: "all" | "the first" | "one more";
  readonly idsTaken: "its own form" | "none of them";
}

export interface SendChoices {
  /** The cause for text that is no transaction. */
  readonly undecodable: RpcCause & ("params" | "invalid" | "server");
  /** The cause for text that isn't in its encoding. */
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
  /** When query and headers are examined. */
  readonly routed: "after the transactions" | "before them";
  /** The same transaction twice in a bundle. */
  readonly duplicates: "taken" | "refused";
}

export interface StatusChoices {
  /** `["id"]` where `[["id"]]` is documented. */
  readonly flat: "refused" | "taken too";
  readonly emptyList: "an empty value" | "refused";
  readonly duplicates: "each" | "told once" | "told once, then null" | "refused";
  /** Texts that aren't in the form of an id. */
  readonly malformed: "null" | "refused";
  readonly idCase: "exact" | "any";
  readonly nonTexts: "refused" | "null";
  /** What is documented for sendBundle alone: mev-protect and engine-region. */
  readonly others: "ignored" | "unknown values refused" | "refused";
  /** How long a status is shown, in ms after sending; null: for ever. */
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

export type BundleChange = Change<BundleRules>;
export type BundleChoice = Change<BundleChoices>;
