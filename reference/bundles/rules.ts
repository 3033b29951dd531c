// By which rules are bundles taken, run and told of? Most mutants about them change one.
import { type BundleChoice, type BundleChoices, chosen, honestChoices } from "./choices.ts";

export interface BundleRules {
  readonly least: number;
  /** Transactions per bundle; null: as many as come. */
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
  /** Of what was sent the same way before. */
  readonly resent: "the same id" | "refused" | "refused once it has landed";
  readonly statuses: StatusRules;
  /** What the interface leaves open. */
  readonly choices: BundleChoices;
}

export interface StatusRules {
  readonly params: "nested" | "flat";
  readonly noParams: "refused" | "nothing asked";
  readonly most: number | null;
  readonly beyondMost: "refused" | "cut off";
  readonly align: "as asked" | "by slot" | "without nulls" | "nulls last";
  readonly unknown: "null" | "refused" | "an empty object" | "an object that says so";
  readonly notLanded: "null" | "pending" | "processed";
  readonly failed: "with the error" | "as Ok";
  readonly slot: "of the bundle" | "in the future" | "of the request";
  readonly contextSlot: "of the request" | "zero" | "of the start" | "of the first bundle";
  readonly signatures: "all" | "the first" | "one more";
  readonly idsTaken: "its own form" | "none of them";
}

export const honestBundles: BundleRules = {
  least: 1,
  most: 5,
  beyondMost: "refused",
  noParams: "refused",
  nullBundle: "refused",
  elements: "texts",
  empty: "refused",
  tip: "in any transaction",
  leastTip: 1000n,
  signatures: "all",
  encodings: "as named",
  withoutEncoding: "base58",
  otherEncoding: "refused",
  mev: "from the query",
  regions: ["ams", "dub", "fra", "lon", "nyc", "slc", "sgp", "tyo", "mainnet"],
  region: "from the header",
  ids: "any",
  id: "commas, SHA-256",
  idForm: "hex",
  returned: "the tracked one",
  execution: "all or nothing",
  order: "as given",
  simulation: "lands nothing",
  resent: "the same id",
  statuses: {
    params: "nested",
    noParams: "refused",
    most: 5,
    beyondMost: "refused",
    align: "as asked",
    unknown: "null",
    notLanded: "null",
    failed: "with the error",
    slot: "of the bundle",
    contextSlot: "of the request",
    signatures: "all",
    idsTaken: "its own form",
  },
  choices: honestChoices,
};

export type BundleChange = Partial<Omit<BundleRules, "statuses" | "choices">> & {
  readonly statuses?: Partial<StatusRules>;
  readonly choices?: BundleChoice;
};

export const changedBundles = (rules: BundleRules, change: BundleChange = {}): BundleRules => ({
  ...rules,
  ...change,
  statuses: { ...rules.statuses, ...change.statuses },
  choices: chosen(rules.choices, change.choices),
});
