// The reference's choices for JSON-RPC methods where the interface leaves behaviour unspecified
import type { MethodChoices } from "../platform/rpcChoices.ts";

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
    severalCursors: "the range between",
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
