// Mutants of the wallet endpoints: routes, look-ups, plans and keys (§4.2, §5, §8, §9)
import { benignVariantsOf, isDoc, mutantsOf, whereCalled, withHeaders } from "../platform/mutant.ts";
import { honestWallet, type WalletChange, type WalletRoute, type WalletRouteName } from "../platform/walletRules.ts";
import type { Doc, ResponseMutation, Value } from "../platform/wire.ts";

const rules = (wallet: WalletChange) => ({ rules: { wallet } });

/** An endpoint that is found elsewhere, by another verb, or not at all. */
const routed = (operation: WalletRouteName, change: Partial<WalletRoute> | null) => {
  const honest = honestWallet.routes[operation];
  return rules({ routes: { [operation]: change === null || honest === null ? null : { ...honest, ...change } } });
};

const everyRoute = (change: (path: string) => string): WalletChange["routes"] =>
  Object.fromEntries(
    Object.entries(honestWallet.routes).map(([operation, route]) => [
      operation,
      route && { ...route, path: change(route.path) },
    ]),
  );

const onFree = (operation: WalletRouteName, answer: "served" | "nothing" | number) =>
  rules({ onFree: { [operation]: answer } });

/** Changes answers of served wallet requests. */
const served = whereCalled(({ wallet }) => wallet !== null);

const record = (change: (doc: Doc) => Doc): ResponseMutation =>
  served((answer) => (isDoc(answer.body) ? { ...answer, body: change(answer.body) } : answer));

/** Members named as other languages would have them, at any depth. */
function inSnakeCase(value: Value): Value {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      inSnakeCase(inner),
    ]),
  );
}

/** Transfers redirect to the history. */
const redirected: ResponseMutation = (answer, { wallet, path }) =>
  wallet === "getWalletTransfers"
    ? { ...withHeaders(answer, { location: path.replace("/transfers", "/history") }), status: 302, body: undefined }
    : answer;

const all = Object.keys(honestWallet.routes) as WalletRouteName[];

export const mutants = mutantsOf({
  "WAL-ID-01.post-only": routed("getWalletIdentity", { verb: "POST" }),
  "WAL-ID-01.v2-path": routed("getWalletIdentity", { path: "/v2/wallet/{wallet}/identity" }),
  "WAL-ID-02.domain-400": rules({ identityDomains: "refused" }),
  "WAL-ID-02.domain-ignored": rules({ identityDomains: "always the first wallet" }),
  "WAL-BATCH-01.get-only": routed("batchWalletIdentity", { verb: "GET" }),
  "WAL-BATCH-01.single": rules({ batch: { looksUp: "the first" } }),
  "WAL-BATCH-02.limit-99": rules({ batch: { most: 99 } }),
  "WAL-BATCH-02.limit-50": rules({ batch: { most: 50 } }),
  "WAL-BATCH-03.accepts-101": [rules({ batch: { most: 101 } }), "WAL-BATCH-04"],
  "WAL-BATCH-03.truncates": [rules({ batch: { beyondMost: "cut off" } }), "WAL-BATCH-04"],
  "WAL-BATCH-03.no-limit": [rules({ batch: { most: null } }), "WAL-BATCH-04"],
  "WAL-BATCH-04.domains-rejected": rules({ batch: { domains: "refused" } }),
  "WAL-BATCH-04.domains-uncounted": rules({ batch: { counted: "addresses alone" } }),
  "WAL-BAL-01.route-missing": [routed("getWalletBalances", null), "VER-WAL-01"],
  "WAL-BAL-01.plural-missing": [routed("getWalletBalances", { path: "/v1/wallet/{wallet}/balance" }), "VER-WAL-01"],
  "WAL-BALAT-01.slot-unsupported": rules({ balanceAt: { forms: ["time", "datetime"] } }),
  "WAL-BALAT-01.datetime-unsupported": rules({ balanceAt: { forms: ["time", "slot"] } }),
  "WAL-BALAT-01.ignores-when": rules({ balanceAt: { when: "now" } }),
  "WAL-HIST-01.route-missing": routed("getWalletHistory", null),
  "WAL-HIST-01.post-only": routed("getWalletHistory", { verb: "POST" }),
  "WAL-XFER-01.route-missing": routed("getWalletTransfers", null),
  "WAL-XFER-01.alias-history": redirected,
  "WAL-FUND-01.route-missing": routed("getWalletFundedBy", null),
  "WAL-FUND-01.underscore": routed("getWalletFundedBy", { path: "/v1/wallet/{wallet}/funded_by" }),

  "WAL-FREE-01.served": onFree("getWalletIdentity", "served"),
  "WAL-FREE-01.402": onFree("getWalletIdentity", 402),
  "WAL-FREE-01.404": onFree("getWalletIdentity", 404),
  "WAL-FREE-02.served": onFree("batchWalletIdentity", "served"),
  "WAL-FREE-02.402": onFree("batchWalletIdentity", 402),
  "WAL-FREE-02.404": onFree("batchWalletIdentity", 404),
  "WAL-FREE-03.served": onFree("getWalletFundedBy", "served"),
  "WAL-FREE-03.402": onFree("getWalletFundedBy", 402),
  "WAL-FREE-03.404": onFree("getWalletFundedBy", 404),
  "WAL-FREE-04.403-on-free": onFree("getWalletBalances", 403),
  "WAL-FREE-04.empty-on-free": onFree("getWalletBalances", "nothing"),
  "WAL-FREE-05.403-on-free": onFree("getWalletBalanceAt", 403),
  "WAL-FREE-05.empty-on-free": onFree("getWalletBalanceAt", "nothing"),
  "WAL-FREE-06.403-on-free": onFree("getWalletHistory", 403),
  "WAL-FREE-06.empty-on-free": onFree("getWalletHistory", "nothing"),
  "WAL-FREE-07.403-on-free": onFree("getWalletTransfers", 403),
  "WAL-FREE-07.empty-on-free": onFree("getWalletTransfers", "nothing"),
  "WAL-PAID-01.paid-403": rules({ closedToLowest: ["getWalletFundedBy"] }),

  "VER-WAL-01.v1beta": [rules({ routes: everyRoute((path) => path.replace("/v1/", "/v1beta/")) ?? {} }), "WAL-"],

  "AUTH-WAL-HDR-01.post-header-ignored": rules({ headerIgnored: ["batchWalletIdentity"] }),
  "AUTH-WAL-HDR-01.transfers-header-ignored": rules({ headerIgnored: ["getWalletTransfers"] }),
  "AUTH-WAL-QRY-01.query-ignored": rules({ queryIgnored: all }),
  "AUTH-WAL-QRY-01.post-query-ignored": rules({ batchKey: "in the body" }),
  "AUTH-WAL-MISS-01.anon-200": [rules({ open: { unknownKey: ["getWalletHistory"] } }), "AUTH-ALL-01"],
  "AUTH-WAL-MISS-01.anon-demo": [rules({ keyless: "a demo project's" }), "AUTH-ALL-01", "MET-WAL-01", "MET-WAL-02"],
  "AUTH-ALL-01.balances-public": [rules({ open: { noKey: ["getWalletBalances"] } }), "AUTH-WAL-MISS-01"],

  "GEN-JSON-01.wallet-octet-stream": served((answer) =>
    withHeaders(answer, { "content-type": "application/octet-stream" }),
  ),
  "GEN-JSON-02.batch-identity-form": rules({ batch: { body: "a form" } }),
  "VER-RPC-01.wants-1": [{ rules: { rpc: { envelope: { version: "1.0 wanted" } } } }, "RPC-ENV-09"],
  "AUTH-ADM-ON-02.switch-blocks-rpc": { rules: { adminSwitch: "for JSON-RPC too" } },
});

export const benignVariants = benignVariantsOf({
  "WAL-BETA-01.ok-new-field": record((doc) => ({ ...doc, stability: "beta" })),
  "WAL-BETA-01.ok-renamed-field": record((doc) => inSnakeCase(doc) as Doc),
});
