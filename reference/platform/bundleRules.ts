// The rules of bundles (§3, §4.3)
import type { RpcCause } from "../errors/causes.ts";
import { type ChangeOf, type Chosen, either, firstOf, rule } from "./change.ts";

const honestStatuses = {
  params: rule("nested", "flat"),
  noParams: rule("refused", "taken as an empty list"),
  most: rule<number | null>(5),
  beyondMost: rule("refused", "cut off"),
  align: rule("as asked", "by slot", "without nulls", "nulls last", "without what follows a repeated id"),
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
  undecodable: either<RpcCause & ("params" | "invalid" | "server")>("params", "invalid", "server"),
  /** The cause for text that isn't in its encoding. */
  misspelled: either<RpcCause & ("params" | "invalid")>("params", "invalid"),
  encodingNames: either("exact", "in any case"),
  emptyEncoding: either("refused", "as absent"),
  /** Null for the encoding, or for all options. */
  nulls: either("as absent", "refused"),
  unknownOptions: either("ignored", "refused"),
  /** Beside the alphabet and the padding of RFC 4648 §4. */
  base64: either("strict", "url-safe too", "unpadded too", "with white space too"),
  /** Base64 where no encoding is named. */
  unnamedBase64: either("refused", "read"),
  stringIds: either("taken", "refused"),
  /** `1`, `yes` and `TRUE` for mev-protect. */
  mevTexts: either("ignored", "true", "refused"),
  /** mev-protect without a text. */
  emptyMev: either("ignored", "true", "refused"),
  unknownRegions: either("refused", "ignored"),
  regionCase: either("exact", "any"),
  emptyRegion: either("refused", "as absent"),
  regionLists: either("refused", "the first counts"),
  /** When query and headers are examined. */
  routed: either("after the transactions", "before them"),
  /** When a signature is noticed that doesn't fit; one that is zero is refused at once. */
  signaturesJudged: either("at once", "after it is taken"),
  /** The same transaction twice in a bundle. */
  duplicates: either("taken", "refused"),
} as const;
export type SendChoices = Chosen<typeof sendChoices>;

const statusChoices = {
  /** `["id"]` where `[["id"]]` is documented. */
  flat: either("refused", "taken too"),
  emptyList: either("an empty value", "refused"),
  duplicates: either("each", "told once", "told once, then null", "refused"),
  /** Texts that aren't in the form of an id. */
  malformed: either("null", "refused"),
  idCase: either("exact", "any"),
  nonTexts: either("refused", "null"),
  /** What is documented for sendBundle alone: mev-protect and engine-region. */
  others: either("ignored", "unknown values refused", "refused"),
  /** How long a status is shown, in ms after sending; null: for ever. */
  kept_ms: either<number | null>(null, 7_200_000, 300_000, 20_000),
  stages: either("each", "from confirmed on", "finalized alone", "with a step back"),
  failure: either("by its kind", "in Err", "Ok is false", "not told of"),
  signatureOrder: either("as sent", "reversed"),
  members: either("as documented", "further ones"),
} as const;
export type StatusChoices = Chosen<typeof statusChoices>;

export const bundleChoices = {
  sends: sendChoices,
  statuses: statusChoices,
  simulation: {
    params: either("as of sendBundle", "an object"),
    ofNothing: either("refused", "succeeds"),
    result: either("a summary", "transaction by transaction", "a text", "null"),
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
  signatures: rule("all", "not looked at", "one is enough", "not verified"),
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
  choices: firstOf(bundleChoices),
} as const;
export type BundleRules = typeof honestBundles;

export type BundleChange = ChangeOf<BundleRules>;
