// What do the JSON-RPC methods do where the interface leaves it open? Choices: none of them breaks a promise.

export interface TokenAccountChoices {
  readonly burnt: "a boolean" | "null" | "an object" | "absent";
  readonly withoutDelegate: "0" | "the amount";
  /** How whole numbers beyond 2^53 are written. */
  readonly bigAmounts: "exact" | "as doubles";
  readonly total: "of the set" | "of the page";
  readonly order: "by address" | "by mint" | "shuffled on each page";
  /** Limits and pages below the first, or with fractions. */
  readonly outOfRange: "refused" | "brought into range";
  readonly numericStrings: "refused" | "numbers";
  readonly unknownMembers: "ignored" | "refused";
  readonly unknownOptions: "ignored" | "refused";
  readonly nulls: "as absent" | "refused";
  readonly badAddresses: "refused" | "match nothing";
  readonly unknownOwners: "own nothing" | "not found";
  readonly cursorForm: "opaque" | "an address";
  readonly badCursors: "refused" | "lead nowhere";
  readonly lastCursor: "absent" | "of the last account" | "an empty text";
  readonly pageAndCursor: "pages from the cursor" | "the page counts" | "the cursor counts" | "refused";
  /** Two of cursor, before and after. */
  readonly severalCursors: "what lies between" | "refused";
  readonly beforePages: "the nearest" | "the nearest, reversed" | "the first";
  /** Whether a replica whose index lags answers now and then. */
  readonly replicas: "in step" | "one behind";
}

export interface ProofChoices {
  readonly noAddresses: "refused" | "no proofs";
  readonly duplicates: "each proved" | "proved once" | "refused";
  readonly existing: "refused" | "proved by their own leaf";
  readonly order: "as asked" | "by address";
  readonly shortAddresses: "refused" | "filled up";
  /** Hashes below the root that the tree's own account holds, so that no proof repeats them. */
  readonly canopy: number;
}

export interface BalanceChoices {
  readonly bothGiven: "must agree" | "the address counts" | "the hash counts" | "refused";
  readonly unknownAccounts: "worth 0" | "refused";
  readonly bigBalances: "exact" | "as doubles";
}

export interface MethodChoices {
  readonly tokenAccounts: TokenAccountChoices;
  readonly proofs: ProofChoices;
  readonly balance: BalanceChoices;
}

export const honestMethods: MethodChoices = {
  tokenAccounts: {
    burnt: "a boolean",
    withoutDelegate: "0",
    bigAmounts: "exact",
    total: "of the set",
    order: "by address",
    outOfRange: "refused",
    numericStrings: "refused",
    unknownMembers: "ignored",
    unknownOptions: "ignored",
    nulls: "as absent",
    badAddresses: "refused",
    unknownOwners: "own nothing",
    cursorForm: "opaque",
    badCursors: "refused",
    lastCursor: "absent",
    pageAndCursor: "pages from the cursor",
    severalCursors: "what lies between",
    beforePages: "the nearest",
    replicas: "in step",
  },
  proofs: {
    noAddresses: "refused",
    duplicates: "each proved",
    existing: "refused",
    order: "as asked",
    shortAddresses: "refused",
    canopy: 0,
  },
  balance: { bothGiven: "must agree", unknownAccounts: "worth 0", bigBalances: "exact" },
};

/** Some chosen otherwise, method by method. */
export type MethodChange = { readonly [M in keyof MethodChoices]?: Partial<MethodChoices[M]> };

export const chosen = (choices: MethodChoices, change: MethodChange = {}): MethodChoices => ({
  tokenAccounts: { ...choices.tokenAccounts, ...change.tokenAccounts },
  proofs: { ...choices.proofs, ...change.proofs },
  balance: { ...choices.balance, ...change.balance },
});
