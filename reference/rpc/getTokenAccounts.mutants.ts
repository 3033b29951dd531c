// Mutants of getTokenAccounts (§2.2, §2.3, §4.3)
import { benignVariantsOf, calling, docWithout, having, mutantsOf, resultDoc, rpcError } from "../platform/mutant.ts";
import type { RpcChange, TokenAccountRules } from "../platform/rpcRules.ts";
import { type Doc, isDocValue, type ResponseMutation, type RpcCall, type Value } from "../platform/wire.ts";

const doc = (change: (doc: Doc, call: RpcCall) => Value): ResponseMutation => resultDoc("getTokenAccounts", change);
const rules = (tokenAccounts: Partial<TokenAccountRules>): { readonly rules: { readonly rpc: RpcChange } } => ({
  rules: { rpc: { tokenAccounts } },
});

const listOf = (page: Doc): readonly Doc[] => page["token_accounts"] as Doc[];

/** Changes each account. */
const each = (change: (account: Doc, call: RpcCall) => Value) =>
  doc((page, call) => ({ ...page, token_accounts: listOf(page).map((account) => change(account, call)) }));
const paramsOf = ({ params }: RpcCall): Doc => (isDocValue(params) ? params : {});

export const mutants = mutantsOf({
  "TA-PAR-01.positional": rules({ params: "an array" }),
  "TA-PAR-01.camel-names": rules({ params: "camel names" }),
  "TA-FLT-01.mint-ignored": [rules({ both: "the owner" }), "TA-FLT-03"],
  "TA-FLT-01.prefix-match": rules({ mintMatch: "by its beginning" }),
  "TA-FLT-02.owner-ignored": [rules({ both: "the mint" }), "TA-FLT-03"],
  "TA-FLT-02.delegate-included": rules({ delegates: "owners too" }),
  "TA-FLT-03.union": [rules({ both: "either" }), "TA-FLT-02"],
  "TA-FLT-04.drops-delegated": rules({ leavesOut: "delegated accounts" }),
  "TA-FLT-04.drops-frozen": rules({ leavesOut: "frozen accounts" }),
  "TA-LIM-01.off-by-one": [rules({ perPage: "limit and one" }), "TA-LIM-03"],
  "TA-LIM-01.limit-ignored": [rules({ perPage: "everything" }), "TA-LIM-03"],
  "TA-LIM-02.echo-count": doc((page) => ({ ...page, limit: listOf(page).length })),
  "TA-LIM-02.echo-default": doc((page) => ({ ...page, limit: 100 })),
  "TA-LIM-02.string": [doc((page) => having(page, "/limit", String)), "TA-LIM-03"],
  "TA-LIM-03.absent": doc((page, call) => (paramsOf(call)["limit"] === undefined ? docWithout(page, "/limit") : page)),
  "TA-LIM-03.null": doc((page, call) => (paramsOf(call)["limit"] === undefined ? { ...page, limit: null } : page)),
  "TA-LIM-03.page-exceeds": rules({ perPage: "120 without a limit" }),
  "TA-TOT-01.zero": doc((page) => ({ ...page, total: 0 })),
  "TA-TOT-01.string": doc((page) => having(page, "/total", String)),
  "TA-TOT-01.page-index": doc((page, call) => ({ ...page, total: paramsOf(call)["page"] ?? 1 })),
  "TA-SLOT-01.absent": doc((page) => (listOf(page).length === 0 ? docWithout(page, "/last_indexed_slot") : page)),
  "TA-SLOT-01.string": doc((page) => having(page, "/last_indexed_slot", String)),
  "TA-SLOT-01.camel": doc((page) => calling(page, "/last_indexed_slot", "lastIndexedSlot")),
  "TA-SLOT-02.reports-tip": rules({ slotShown: "of the chain" }),
  "TA-SLOT-02.off-by-one": [rules({ slotShown: "one too many" }), "TA-FLT-04"],
  "TA-CUR-01.number": doc((page) => having(page, "/cursor", () => 42)),
  "TA-CUR-01.null": doc((page) => ({ cursor: null, ...page })),
  "TA-CUR-01.object": doc((page) => having(page, "/cursor", (cursor) => ({ address: cursor }))),
  "TA-CUR-02.absent-always": doc((page) => docWithout(page, "/cursor")),
  "TA-CUR-02.absent-on-second": [rules({ cursors: "only on the first page" }), "TA-PAGE-02", "TA-PAGE-05", "TA-FLT-04"],
  "TA-ARR-01.null-when-empty": doc((page) => (listOf(page).length === 0 ? { ...page, token_accounts: null } : page)),
  "TA-ARR-01.items": doc((page) => calling(page, "/token_accounts", "items")),
  "TA-ARR-01.map": doc((page) => ({
    ...page,
    token_accounts: Object.fromEntries(listOf(page).map((account) => [String(account["address"]), account])),
  })),
  "TA-PAGE-01.page-ignored": rules({ pages: "always the first" }),
  "TA-PAGE-01.overlap": rules({ pages: "overlapping by one" }),
  "TA-PAGE-01.page-skip": [rules({ pages: "with gaps" }), "TA-PAGE-05"],
  "TA-PAGE-02.skips-last": [rules({ cursors: "skip the next" }), "TA-PAGE-05", "TA-FLT-04"],
  "TA-PAGE-02.repeats": rules({ cursors: "repeat the last" }),
  "TA-PAGE-02.never-ends": rules({ cursors: "lead back" }),
  "TA-PAGE-03.after-inclusive": rules({ after: "at and after" }),
  "TA-PAGE-03.after-is-before": rules({ after: "before" }),
  "TA-PAGE-03.after-ignored": rules({ after: "ignored" }),
  "TA-PAGE-04.before-inclusive": rules({ before: "at and before" }),
  "TA-PAGE-04.before-ignored": rules({ before: "ignored" }),
  "TA-PAGE-05.cursor-omits-zero-index": [
    rules({ cursors: "omit the first account" }),
    "TA-PAGE-02",
    "TA-FLT-04",
    "TA-SLOT-02",
  ],
  "TA-ZERO-01.flag-ignored": rules({ empties: "never" }),
  "TA-ZERO-01.only-zero": rules({ empties: "alone with the flag" }),
  "TA-ZERO-02.always-zero": rules({ empties: "always" }),
  "TA-ZERO-02.false-is-true": rules({ empties: "with any options" }),
  "TA-RES-01.assets-shape": [
    doc((page) => ({ items: listOf(page) as Doc[], grand_total: page["total"] ?? 0 })),
    "TA-LIM-03",
    "TA-TOT-01",
    "TA-SLOT-01",
    "TA-ARR-01",
  ],

  "TA-ELT-01.absent": each((account) => docWithout(account, "/address")),
  "TA-ELT-01.object": each((account) => having(account, "/address", (pubkey) => ({ pubkey }))),
  "TA-ELT-02.absent": each((account, call) => ("mint" in paramsOf(call) ? docWithout(account, "/mint") : account)),
  "TA-ELT-02.null": each((account) => (String(account["address"]) < "5" ? { ...account, mint: null } : account)),
  "TA-ELT-03.absent": each((account, call) => ("owner" in paramsOf(call) ? docWithout(account, "/owner") : account)),
  "TA-ELT-03.array": each((account) => having(account, "/owner", (owner) => [owner])),
  "TA-ELT-04.string": each((account) => having(account, "/amount", String)),
  "TA-ELT-04.ui-object": each((account) =>
    having(account, "/amount", (amount) => ({ uiAmount: Number(amount) / 1e6, decimals: 6 })),
  ),
  "TA-ELT-05.absent-no-delegate": each((account) =>
    account["delegated_amount"] === 0n ? docWithout(account, "/delegated_amount") : account,
  ),
  "TA-ELT-05.null": each((account) =>
    account["delegated_amount"] === 0n ? { ...account, delegated_amount: null } : account,
  ),
  "TA-ELT-05.camel": each((account) => calling(account, "/delegated_amount", "delegatedAmount")),
  "TA-ELT-06.int": each((account) => having(account, "/frozen", (frozen) => (frozen === true ? 1 : 0))),
  "TA-ELT-06.string": each((account) => having(account, "/frozen", String)),
  "TA-ELT-06.state-name": each(({ frozen, ...account }) => ({
    ...account,
    state: frozen === true ? "frozen" : "initialized",
  })),
  "GEN-NNEG-01.wrapped-amount": [
    each((account) => having(account, "/amount", (amount) => BigInt.asIntN(54, amount as bigint))),
    "EXT-JSON-02",
  ],
  "GEN-NNEG-01.no-limit": [
    doc((page, call) => (paramsOf(call)["limit"] === undefined ? { ...page, limit: -1 } : page)),
    "TA-LIM-03",
  ],
  "TA-BAD-01.coerces": [rules({ wrongTypes: "as text" }), "ERR-TA-32602"],
  "TA-BAD-01.server-error": rpcError("getTokenAccounts", "params", (error, call) =>
    typeof paramsOf(call)["limit"] === "string"
      ? { code: -32000, message: "An unexpected error occurred on the server." }
      : error,
  ),
  "TA-BAD-01.invalid-request": rpcError("getTokenAccounts", "params", (error, { params }) =>
    Array.isArray(params) ? { code: -32600, message: "Invalid Request" } : error,
  ),
  "EXT-JSON-02.double-rounded": each((account) => having(account, "/amount", (amount) => Number(amount))),
});

const burnt = (value: Value) => each((account) => ({ ...account, burnt: value }));

export const benignVariants = benignVariantsOf({
  "TA-ELT-07.ok-boolean": burnt(true),
  "TA-ELT-07.ok-null": burnt(null),
  "TA-ELT-07.ok-object": burnt({ at: 1 }),
  "TA-ELT-07.ok-absent": each((account) => docWithout(account, "/burnt")),
});
