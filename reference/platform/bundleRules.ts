// The rules of bundles (§3, §4.3)
import type { RpcCause } from "../errors/causes.ts";
import { type Change, rule } from "./change.ts";

const honestStatuses = {
  params: rule("nested", "flat"),
  noParams: rule("refused", "taken as an empty list"),
  most: rule<number | null>(5),
  beyondMost: rule("refused", "cut off"),
  align: rule("as asked", "by slot", "without nulls", "nulls last"),
  unknown: rule("null", "refused", "an empty object", "an object with a status"),
  notLanded: rule("null", "pending", "processed"),
  failed: rule("with the error", "as Ok"),
  slot: rule("of the bundle", "in the future", "of the request"),
  contextSlot: rule("of the request", "zero", "of the start", "of the first bundle"),
  signatures: rule("all", "the first", "one more"),
  idsTaken: rule("its own form", "none of them"),
} as const;
export type StatusRules = typeof honestStatuses;

const sendChoices = {
  /** The cause for text that is no transaction. */
  undecodable: rule<RpcCause & ("params" | "invalid" | "server")>("params"),
  /** The cause for text that isn't in its encoding. */
  misspelled: rule<RpcCause & ("params" | "invalid")>("params"),
  encodingNames: rule("exact", "in any case"),
  emptyEncoding: rule("refused", "as absent"),
  /** Null for the encoding, or for all options. */
  nulls: rule("as absent", "refused"),
  unknownOptions: rule("ignored", "refused"),
  /** Beside the alphabet and the padding of RFC 4648 §4. */
  base64: rule("strict", "url-safe too", "unpadded too", "with white space too"),
  /** Base64 where no encoding is named. */
  unnamedBase64: rule("refused", "read"),
  stringIds: rule("taken", "refused"),
  /** `1`, `yes` and `TRUE` for mev-protect. */
  mevTexts: rule("ignored", "true", "refused"),
  /** mev-protect without a text. */
  emptyMev: rule("ignored", "true", "refused"),
  unknownRegions: rule("refused", "ignored"),
  regionCase: rule("exact", "any"),
  emptyRegion: rule("refused", "as absent"),
  regionLists: rule("refused", "the first counts"),
  /** When query and headers are examined. */
  routed: rule("after the transactions", "before them"),
  /** The same transaction twice in a bundle. */
  duplicates: rule("taken", "refused"),
} as const;
export type SendChoices = typeof sendChoices;

const statusChoices = {
  /** `["id"]` where `[["id"]]` is documented. */
  flat: rule("refused", "taken too"),
  emptyList: rule("an empty value", "refused"),
  duplicates: rule("each", "told once", "told once, then null", "refused"),
  /** Texts that aren't in the form of an id. */
  malformed: rule("null", "refused"),
  idCase: rule("exact", "any"),
  nonTexts: rule("refused", "null"),
  /** What is documented for sendBundle alone: mev-protect and engine-region. */
  others: rule("ignored", "unknown values refused", "refused"),
  /** How long a status is shown, in ms after sending; null: for ever. */
  kept_ms: rule<number | null>(null),
  stages: rule("each", "from confirmed on", "finalized alone", "with a step back"),
  failure: rule("by its kind", "in Err", "Ok is false", "not told of"),
  signatureOrder: rule("as sent", "reversed"),
  members: rule("as documented", "further ones"),
} as const;
export type StatusChoices = typeof statusChoices;

const honestChoices = {
  sends: sendChoices,
  statuses: statusChoices,
  simulation: {
    params: rule("as of sendBundle", "an object"),
    ofNothing: rule("refused", "succeeds"),
    result: rule("a summary", "transaction by transaction", "a text", "null"),
  },
} as const;

export const honestBundles = {
  least: rule<number>(1),
  /** Transactions per bundle; null: unlimited. */
  most: rule<number | null>(5),
  beyondMost: rule("refused", "cut off"),
  noParams: rule("refused", "taken for an empty bundle"),
  nullBundle: rule("refused", "answered with null"),
  elements: rule("texts", "a bare text too", "objects too"),
  empty: rule("refused", "accepted"),
  tip: rule("in any transaction", "not needed", "any transfer", "in the last", "in the first", "in every one"),
  /** Lamports. */
  leastTip: rule<bigint>(1000n),
  signatures: rule("all", "not looked at", "one is enough"),
  encodings: rule("as named", "always base58", "base64 as base58", "base58 refused", "base58 as base64"),
  withoutEncoding: rule("base58", "base64", "refused"),
  otherEncoding: rule("refused", "base58", "hex too"),
  mev: rule(
    "from the query",
    "true refused",
    "required",
    "true by default",
    "ignored",
    "any text is true",
    "from a header",
    "from the body",
  ),
  regions: rule<readonly string[]>(["ams", "dub", "fra", "lon", "nyc", "slc", "sgp", "tyo", "mainnet"]),
  region: rule("from the header", "required", "nyc by default", "ignored", "lon and fra exchanged", "from the query"),
  ids: rule("any", "texts only"),
  id: rule(
    "commas, SHA-256",
    "salted",
    "of the first",
    "sorted",
    "sha1",
    "md5",
    "sha512",
    "uuid",
    "of messages",
    "signatures run together",
    "raw bytes",
    "raw bytes behind their count",
  ),
  idForm: rule("hex", "HEX", "0x hex", "base58", "base64", "base64url"),
  returned: rule("the tracked one", "another"),
  execution: rule("all or nothing", "up to the failing one", "without the failing one"),
  order: rule("as given", "reversed", "all at once"),
  simulation: rule("lands nothing", "submits"),
  /** A bundle that was sent before. */
  resent: rule("the same id", "refused", "refused once it has landed"),
  statuses: honestStatuses,
  /** Choices where the interface leaves behaviour unspecified. */
  choices: honestChoices,
} as const;
export type BundleRules = typeof honestBundles;

export type BundleChange = Change<BundleRules>;
export type BundleChoice = Change<typeof honestChoices>;
