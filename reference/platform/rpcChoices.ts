// Choices of JSON-RPC where the interface leaves behaviour unspecified
import { type Chosen, either } from "./change.ts";

export const envelopeChoices = {
  /** HTTP status of a call that is served. */
  servedStatus: either(200, 202),
  /** HTTP status of what isn't JSON. */
  parseStatus: either(200, 400),
  notificationStatus: either(204, 200, 202),
  /** Whether `jsonrpc` must be "2.0". */
  version: either<"demanded" | "not looked at" | "1.0 wanted">("demanded", "not looked at"),
  methodSpelling: either("exact", "any case and white space"),
  /** Ids that are neither text nor number nor null. */
  otherIds: either("refused", "echoed"),
  fractionalIds: either("echoed", "refused"),
  /** Characters of an id, at most; null: any number. */
  longestId: either<number | null>(null, 1_024),
  loneSurrogates: either("echoed", "replaced", "refused"),
  /** Calls in a batch, at most; null: any number. */
  longestBatch: either<number | null>(null, 10),
  batchOrder: either("as asked", "the last first"),
  duplicates: either("the last counts", "the first counts", "refused"),
  /** Members that no envelope has. */
  otherMembers: either("ignored", "refused"),
  /** Params that are neither object nor array nor null. */
  scalarParams: either("no request", "bad params"),
  /** Levels of JSON, at most; null: any number. */
  deepest: either<number | null>(null, 100),
  /** Bytes of a body, at most; null: any number. */
  largestBody: either<number | null>(null, 131_072),
  /** Bodies that were sent compressed. */
  gzipped: either("taken as they are", "refused", "unpacked"),
  get: either("not allowed", "not found", "a page"),
  discover: either("a document", "unknown"),
  contextSlots: either("of one index", "of several"),
  contextMembers: either("slot", "slot and version"),
  errorData: either("none", "the cause"),
  requestId: either("none", "in every envelope"),
  keyInHeader: either("not looked at", "as good as in the query"),
  blockedAddress: either("in an envelope", "by HTTP alone"),
  /** When the key is judged. */
  keyJudged: either("after the envelope", "before the envelope", "after the method"),
  limitJudged: either("before the method", "last"),
} as const;
export type EnvelopeChoices = Chosen<typeof envelopeChoices>;

const tokenAccounts = {
  burnt: either("a boolean", "null", "an object", "absent"),
  withoutDelegate: either("0", "the amount"),
  /** How whole numbers beyond 2^53 are written. */
  bigAmounts: either("exact", "as doubles"),
  units: either("base units", "whole tokens"),
  total: either("of the set", "of the page"),
  order: either("by address", "by mint", "shuffled on each page"),
  /** Limits and pages below the first, or with fractions. */
  outOfRange: either("refused", "brought into range"),
  numericStrings: either("refused", "numbers"),
  unknownMembers: either("ignored", "refused"),
  unknownOptions: either("ignored", "refused"),
  nulls: either("as absent", "refused"),
  badAddresses: either("refused", "match nothing"),
  unknownOwners: either("own nothing", "not found"),
  cursorForm: either("opaque", "an address"),
  badCursors: either("refused", "lead nowhere"),
  lastCursor: either("absent", "of the last account", "an empty text"),
  pageAndCursor: either("pages from the cursor", "the page counts", "the cursor counts", "refused"),
  /** Two of cursor, before and after. */
  severalCursors: either("the range between", "refused"),
  beforePages: either("the nearest", "the nearest, reversed", "the first"),
  /** Whether a replica whose index lags answers now and then. */
  replicas: either("in step", "one behind"),
} as const;
export type TokenAccountChoices = Chosen<typeof tokenAccounts>;

const proofs = {
  noAddresses: either("refused", "no proofs"),
  duplicates: either("each proved", "proved once", "refused"),
  existing: either("refused", "proved by their own leaf"),
  order: either("as asked", "by address"),
  shortAddresses: either("refused", "filled up"),
  /** Hashes below the root that the tree's own account holds, so that no proof repeats them. */
  canopy: either<number>(0, 10),
} as const;
export type ProofChoices = Chosen<typeof proofs>;

const balance = {
  bothGiven: either("must agree", "the address counts", "the hash counts", "refused"),
  unknownAccounts: either("worth 0", "refused"),
  bigBalances: either("exact", "as doubles"),
} as const;
export type BalanceChoices = Chosen<typeof balance>;

export const methodChoices = { tokenAccounts, proofs, balance } as const;
