// Choices of JSON-RPC where the interface leaves behaviour unspecified
import { type Change, rule } from "./change.ts";

export const honestEnvelopes = {
  /** HTTP status of a call that is served. */
  servedStatus: rule(200, 202),
  /** HTTP status of what is no JSON. */
  parseStatus: rule(200, 400),
  notificationStatus: rule(204, 200, 202),
  /** Whether `jsonrpc` must be "2.0". */
  version: rule("demanded", "not looked at", "1.0 wanted"),
  methodSpelling: rule("exact", "any case and white space"),
  /** Ids that are neither text nor number nor null. */
  otherIds: rule("refused", "echoed"),
  fractionalIds: rule("echoed", "refused"),
  /** Characters of an id, at most; null: any number. */
  longestId: rule<number | null>(null),
  loneSurrogates: rule("echoed", "replaced", "refused"),
  /** Calls in a batch, at most; null: any number. */
  longestBatch: rule<number | null>(null),
  batchOrder: rule("as asked", "the last first"),
  duplicates: rule("the last counts", "the first counts", "refused"),
  /** Members that no envelope has. */
  otherMembers: rule("ignored", "refused"),
  /** Params that are neither object nor array nor null. */
  scalarParams: rule("no request", "bad params"),
  /** Levels of JSON, at most; null: any number. */
  deepest: rule<number | null>(null),
  /** Bytes of a body, at most; null: any number. */
  largestBody: rule<number | null>(null),
  /** Bodies that were sent compressed. */
  gzipped: rule("taken as they are", "refused", "unpacked"),
  get: rule("not allowed", "not found", "a page"),
  discover: rule("a document", "unknown"),
  contextSlots: rule("of one index", "of several"),
  contextMembers: rule("slot", "slot and version"),
  errorData: rule("none", "the cause"),
  requestId: rule("none", "in every envelope"),
  keyInHeader: rule("not looked at", "as good as in the query"),
  blockedAddress: rule("in an envelope", "by HTTP alone"),
  /** When the key is judged. */
  keyJudged: rule("after the envelope", "before the envelope", "after the method"),
  limitJudged: rule("before the method", "last"),
} as const;
export type EnvelopeChoices = typeof honestEnvelopes;

const tokenAccounts = {
  burnt: rule("a boolean", "null", "an object", "absent"),
  withoutDelegate: rule("0", "the amount"),
  /** How whole numbers beyond 2^53 are written. */
  bigAmounts: rule("exact", "as doubles"),
  total: rule("of the set", "of the page"),
  order: rule("by address", "by mint", "shuffled on each page"),
  /** Limits and pages below the first, or with fractions. */
  outOfRange: rule("refused", "brought into range"),
  numericStrings: rule("refused", "numbers"),
  unknownMembers: rule("ignored", "refused"),
  unknownOptions: rule("ignored", "refused"),
  nulls: rule("as absent", "refused"),
  badAddresses: rule("refused", "match nothing"),
  unknownOwners: rule("own nothing", "not found"),
  cursorForm: rule("opaque", "an address"),
  badCursors: rule("refused", "lead nowhere"),
  lastCursor: rule("absent", "of the last account", "an empty text"),
  pageAndCursor: rule("pages from the cursor", "the page counts", "the cursor counts", "refused"),
  /** Two of cursor, before and after. */
  severalCursors: rule("the range between", "refused"),
  beforePages: rule("the nearest", "the nearest, reversed", "the first"),
  /** Whether a replica whose index lags answers now and then. */
  replicas: rule("in step", "one behind"),
} as const;
export type TokenAccountChoices = typeof tokenAccounts;

const proofs = {
  noAddresses: rule("refused", "no proofs"),
  duplicates: rule("each proved", "proved once", "refused"),
  existing: rule("refused", "proved by their own leaf"),
  order: rule("as asked", "by address"),
  shortAddresses: rule("refused", "filled up"),
  /** Hashes below the root that the tree's own account holds, so that no proof repeats them. */
  canopy: rule<number>(0),
} as const;
export type ProofChoices = typeof proofs;

const balance = {
  bothGiven: rule("must agree", "the address counts", "the hash counts", "refused"),
  unknownAccounts: rule("worth 0", "refused"),
  bigBalances: rule("exact", "as doubles"),
} as const;
export type BalanceChoices = typeof balance;

export const honestMethods = { tokenAccounts, proofs, balance } as const;

export type MethodChange = Change<typeof honestMethods>;
