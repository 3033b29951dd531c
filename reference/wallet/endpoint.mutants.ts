// Mutants of the wallet endpoints: routes, look-ups, plans and keys (§4.2, §5, §8, §9)
import { benignVariant, mutant } from "../platform/mutant.ts";
import type { Route, WalletChange, WalletOperation } from "../platform/walletRules.ts";
import type { Doc, ResponseMutation, Value, WireAnswer } from "../platform/wire.ts";
import { honestWallet } from "./rules.ts";

const rules = (wallet: WalletChange) => ({ rules: { wallet } });

/** An endpoint that is found elsewhere, by another verb, or not at all. */
const routed = (operation: WalletOperation, change: Partial<Route> | null) => {
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

const onFree = (operation: WalletOperation, answer: "served" | "nothing" | number) =>
  rules({ onFree: { [operation]: answer } });

/** Changes answers of served wallet requests. */
const served =
  (change: (answer: WireAnswer) => WireAnswer, operation?: WalletOperation): ResponseMutation =>
  (answer, { wallet }) =>
    wallet === null || (operation !== undefined && wallet !== operation) ? answer : change(answer);

const isDoc = (body: WireAnswer["body"]): body is Doc =>
  typeof body === "object" && body !== null && !Array.isArray(body) && !("raw" in body);

const record = (change: (doc: Doc) => Doc): { readonly answer: ResponseMutation } => ({
  answer: served((answer) => (isDoc(answer.body) ? { ...answer, body: change(answer.body) } : answer)),
});

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

/** A redirection to another endpoint. */
const redirected = (from: string, to: string): ResponseMutation => {
  const mutation: ResponseMutation = (answer, { path }) => ({
    ...answer,
    status: 302,
    headers: { ...answer.headers, location: path.replace(from, to) },
    body: undefined,
  });
  return (answer, call) => (call.wallet === "getWalletTransfers" ? mutation(answer, call) : answer);
};

const all = Object.keys(honestWallet.routes) as WalletOperation[];
const closed = {
  "WAL-FREE-01": "getWalletIdentity",
  "WAL-FREE-02": "batchWalletIdentity",
  "WAL-FREE-03": "getWalletFundedBy",
} as const;
const open = {
  "WAL-FREE-04": "getWalletBalances",
  "WAL-FREE-05": "getWalletBalanceAt",
  "WAL-FREE-06": "getWalletHistory",
  "WAL-FREE-07": "getWalletTransfers",
} as const;

export const mutants = [
  mutant("WAL-ID-01.post-only", routed("getWalletIdentity", { verb: "POST" })),
  mutant("WAL-ID-01.v2-path", routed("getWalletIdentity", { path: "/v2/wallet/{wallet}/identity" })),
  mutant("WAL-ID-02.domain-400", rules({ identityDomains: "refused" })),
  mutant("WAL-ID-02.domain-ignored", rules({ identityDomains: "always the first wallet" })),
  mutant("WAL-BATCH-01.get-only", routed("batchWalletIdentity", { verb: "GET" })),
  mutant("WAL-BATCH-01.single", rules({ batch: { looksUp: "the first" } })),
  mutant("WAL-BATCH-02.limit-99", rules({ batch: { most: 99 } })),
  mutant("WAL-BATCH-02.limit-50", rules({ batch: { most: 50 } })),
  mutant("WAL-BATCH-03.accepts-101", rules({ batch: { most: 101 } }), "WAL-BATCH-04"),
  mutant("WAL-BATCH-03.truncates", rules({ batch: { beyondMost: "cut off" } }), "WAL-BATCH-04"),
  mutant("WAL-BATCH-03.no-limit", rules({ batch: { most: null } }), "WAL-BATCH-04"),
  mutant("WAL-BATCH-04.domains-rejected", rules({ batch: { domains: "refused" } })),
  mutant("WAL-BATCH-04.domains-uncounted", rules({ batch: { counted: "addresses alone" } })),
  mutant("WAL-BAL-01.route-missing", routed("getWalletBalances", null), "VER-WAL-01"),
  mutant(
    "WAL-BAL-01.plural-missing",
    routed("getWalletBalances", { path: "/v1/wallet/{wallet}/balance" }),
    "VER-WAL-01",
  ),
  mutant("WAL-BALAT-01.slot-unsupported", rules({ balanceAt: { forms: ["time", "datetime"] } })),
  mutant("WAL-BALAT-01.datetime-unsupported", rules({ balanceAt: { forms: ["time", "slot"] } })),
  mutant("WAL-BALAT-01.ignores-when", rules({ balanceAt: { when: "now" } })),
  mutant("WAL-HIST-01.route-missing", routed("getWalletHistory", null)),
  mutant("WAL-HIST-01.post-only", routed("getWalletHistory", { verb: "POST" })),
  mutant("WAL-XFER-01.route-missing", routed("getWalletTransfers", null)),
  mutant("WAL-XFER-01.alias-history", { answer: redirected("/transfers", "/history") }),
  mutant("WAL-FUND-01.route-missing", routed("getWalletFundedBy", null)),
  mutant("WAL-FUND-01.underscore", routed("getWalletFundedBy", { path: "/v1/wallet/{wallet}/funded_by" })),

  ...(["WAL-FREE-01", "WAL-FREE-02", "WAL-FREE-03"] as const).flatMap((id) => [
    mutant(`${id}.served`, onFree(closed[id], "served")),
    mutant(`${id}.402`, onFree(closed[id], 402)),
    mutant(`${id}.404`, onFree(closed[id], 404)),
  ]),
  ...(["WAL-FREE-04", "WAL-FREE-05", "WAL-FREE-06", "WAL-FREE-07"] as const).flatMap((id) => [
    mutant(`${id}.403-on-free`, onFree(open[id], 403)),
    mutant(`${id}.empty-on-free`, onFree(open[id], "nothing")),
  ]),
  mutant("WAL-PAID-01.paid-403", rules({ closedToLowest: ["getWalletFundedBy"] })),

  mutant("VER-WAL-01.v1beta", rules({ routes: everyRoute((path) => path.replace("/v1/", "/v1beta/")) ?? {} }), "WAL-"),

  mutant("AUTH-WAL-HDR-01.post-header-ignored", rules({ headerIgnored: ["batchWalletIdentity"] })),
  mutant("AUTH-WAL-HDR-01.transfers-header-ignored", rules({ headerIgnored: ["getWalletTransfers"] })),
  mutant("AUTH-WAL-QRY-01.query-ignored", rules({ queryIgnored: all })),
  mutant("AUTH-WAL-QRY-01.post-query-ignored", rules({ batchKey: "in the body" })),
  mutant("AUTH-WAL-MISS-01.anon-200", rules({ open: { unknownKey: ["getWalletHistory"] } }), "AUTH-ALL-01"),
  mutant("AUTH-WAL-MISS-01.anon-demo", rules({ keyless: "a demo project's" }), "AUTH-ALL-01"),
  mutant("AUTH-ALL-01.balances-public", rules({ open: { noKey: ["getWalletBalances"] } }), "AUTH-WAL-MISS-01"),

  mutant("GEN-JSON-01.wallet-octet-stream", {
    answer: served((answer) => ({
      ...answer,
      headers: { ...answer.headers, "content-type": "application/octet-stream" },
    })),
  }),
  mutant("GEN-JSON-02.batch-identity-form", rules({ batch: { body: "a form" } })),
  mutant("VER-RPC-01.wants-1", { rules: { rpc: { envelope: { version: "1.0 wanted" } } } }, "RPC-ENV-09"),
  mutant("AUTH-ADM-ON-02.switch-blocks-rpc", { rules: { adminSwitch: "for JSON-RPC too" } }),
];

export const benignVariants = [
  benignVariant(
    "WAL-BETA-01.ok-new-field",
    record((doc) => ({ ...doc, stability: "beta" })),
  ),
  benignVariant(
    "WAL-BETA-01.ok-renamed-field",
    record((doc) => inSnakeCase(doc) as Doc),
  ),
];
