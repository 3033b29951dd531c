// Probes of token accounts and compression: each sees the choices of a platform, and no check judges them breaches.
import { expect, test } from "@playwright/test";
import { balance, proofs, rpc, tokens } from "../support/choices.ts";
import { testProbes } from "../support/probeChoices.ts";
import { asVendor, type Choices, idsLike, lackingOn, offering } from "../support/probeSpecs.ts";

const lag = (code: number, message: string) => rpc({ refusals: { compression: { lag: { code, message } } } });

const choices: Choices = {
  "OBS-TA-BURNT: burnt is null": tokens({ burnt: "null" }),
  "OBS-TA-BURNT: burnt is an object": tokens({ burnt: "an object" }),
  "OBS-TA-BURNT: burnt is absent": tokens({ burnt: "absent" }),
  "OBS-TA-REQ: everything is listed where neither owner nor mint is given": rpc({
    tokenAccounts: { unfiltered: "everything" },
  }),
  "OBS-TA-OPT: unknown children of options are refused": tokens({ unknownOptions: "refused" }),
  "OBS-TA-MAXLIMIT: limits beyond the largest are cut": rpc({ tokenAccounts: { beyondLargest: "cut to the largest" } }),
  "OBS-TA-MAXLIMIT: no more than 500 per page": rpc({ tokenAccounts: { largestLimit: 500 } }),
  "OBS-TA-MAXLIMIT: no more than 20 per page, cut": rpc({
    tokenAccounts: { largestLimit: 20, defaultLimit: 20, beyondLargest: "cut to the largest" },
  }),
  "OBS-TA-MAXLIMIT: no more than 20 per page, refused": rpc({ tokenAccounts: { largestLimit: 20, defaultLimit: 20 } }),
  "OBS-TA-DEFLIMIT: 50 per page where no limit is given": rpc({ tokenAccounts: { defaultLimit: 50 } }),
  "OBS-TA-TOTAL: total counts the page": tokens({ total: "of the page" }),
  "OBS-TA-RANGE: limits and pages are brought into range": tokens({ outOfRange: "brought into range" }),
  "OBS-TA-STRNUM: numeric texts are numbers": tokens({ numericStrings: "numbers" }),
  "OBS-TA-PAGEBASE: the first page is 0": rpc({ tokenAccounts: { firstPage: 0 } }),
  "OBS-TA-PAGECURSOR: page and cursor together are refused": tokens({ pageAndCursor: "refused" }),
  "OBS-TA-PAGECURSOR: the page counts beside a cursor": tokens({ pageAndCursor: "the page counts" }),
  "OBS-TA-PAGECURSOR: the cursor counts beside a page": tokens({ pageAndCursor: "the cursor counts" }),
  "OBS-TA-BEFOREAFTER: before and after together are refused": tokens({ severalCursors: "refused" }),
  "OBS-TA-BEFORE: pages before a cursor run backwards": tokens({ beforePages: "the nearest, reversed" }),
  "OBS-TA-BEFORE: pages before a cursor begin at the beginning": tokens({ beforePages: "the first" }),
  "OBS-TA-LASTCUR: the last page has a cursor": tokens({ lastCursor: "of the last account" }),
  "OBS-TA-LASTCUR: the last page has an empty cursor": tokens({ lastCursor: "an empty text" }),
  "OBS-TA-CURSHAPE: a cursor is the last address": tokens({ cursorForm: "an address" }),
  "OBS-TA-BADCURSOR: a garbage cursor leads nowhere": tokens({ badCursors: "lead nowhere" }),
  "OBS-TA-SORT: sorted by mint": tokens({ order: "by mint" }),
  "OBS-TA-SORT: each page in another order with each call": {
    ...tokens({ order: "shuffled on each page" }),
    varies: ["OBS-TA-BEFOREAFTER"],
  },
  "OBS-TA-UNKNOWNKEY: unknown members are refused": tokens({ unknownMembers: "refused" }),
  "OBS-TA-ADDRFMT: what is no address owns nothing": tokens({ badAddresses: "match nothing" }),
  "OBS-TA-ADDRFMT: an owner of nothing isn't found": tokens({ unknownOwners: "not found" }),
  "OBS-TA-NULLS: null members are refused": tokens({ nulls: "refused" }),
  "OBS-TA-U64: amounts are doubles": { ...tokens({ bigAmounts: "as doubles" }), warned: ["EXT-JSON-02"] },
  "OBS-TA-SLOTMONO: a replica lags": tokens({ replicas: "one behind" }),
  "OBS-TA-UNITS: amounts are of whole tokens": { ...tokens({ units: "whole tokens" }), warned: ["EXT-JSON-02"] },
  "OBS-TA-DELEG: without a delegate the whole amount is delegated": tokens({ withoutDelegate: "the amount" }),
  "OBS-NAP-MAX: 4 addresses at most": rpc({ proofs: { most: 4 } }),
  "OBS-NAP-MAX: 2 addresses at most": rpc({ proofs: { most: 2 } }),
  "OBS-NAP-EMPTY: no address, no proof": proofs({ noAddresses: "no proofs" }),
  "OBS-NAP-DUP: a repeated address is proved once": proofs({ duplicates: "proved once" }),
  "OBS-NAP-DUP: a repeated address is refused": proofs({ duplicates: "refused" }),
  "OBS-NAP-EXISTS: an address that exists is proved by its own leaf": proofs({ existing: "proved by their own leaf" }),
  "OBS-NAP-ORDER: proofs are sorted by address": proofs({ order: "by address" }),
  "OBS-NAP-LEN: short addresses are filled up": proofs({ shortAddresses: "filled up" }),
  "OBS-NAP-SHAPE: the tree's account holds the highest ten hashes": proofs({ canopy: 10 }),
  "OBS-CB-NEITHER: neither address nor hash is worth 0": rpc({ balance: { neither: "nothing" } }),
  "OBS-CB-BOTH: address and hash together are refused": balance({ bothGiven: "refused" }),
  "OBS-CB-BOTH: the address counts beside a hash": balance({ bothGiven: "the address counts" }),
  "OBS-CB-BOTH: the hash counts beside an address": balance({ bothGiven: "the hash counts" }),
  "OBS-CB-UNKNOWN: unknown accounts are refused": balance({ unknownAccounts: "refused" }),
  "OBS-CB-U64: balances are doubles": balance({ bigBalances: "as doubles" }),
  "OBS-IH-CODE: a lagging index is an internal error": lag(-32603, "Internal error"),
  "OBS-IH-CODE: a lagging index is unavailable": lag(-32002, "Service unavailable"),
  // The words say that the call was refused for its rate, so that nothing was said of the index.
  "OBS-IH-CODE: a lagging index has the code of the rate limit": {
    ...lag(-32005, "Too many requests"),
    inconclusive: ["IH-LAG-03", "IH-LAG-04"],
  },
  "OBS-IH-CODE: a lagging index reports its lag, with the code of the rate limit": lag(
    -32005,
    "Node is behind by 1000 slots",
  ),
  "OBS-IH-PARAMS: params are refused, empty ones too": rpc({ health: { params: "none at all" } }),
  "OBS-IH-PARAMS: any params are accepted": rpc({ health: { params: "anything" } }),
};

const target = offering("tokenAccounts", "compression");
const ownIds = /^OBS-(TA|NAP|CB|IH)-/;
testProbes({ name: "token accounts and compression", ids: idsLike(ownIds), choices, target, judged: { target } });

test("without control a probe that needs it is withheld with the reason", () => {
  const lacking = lackingOn((given) => asVendor()(target(given)));
  expect(lacking.filter((line) => ownIds.test(line))).toEqual([
    "OBS-CB-U64: not testable from outside (needs control over the platform)",
  ]);
});
