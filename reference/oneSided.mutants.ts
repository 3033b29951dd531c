// Mutants that the register doesn't name, each wrong where few checks look
import { envelope, replaced, resultDoc, unlistedOf } from "./platform/mutant.ts";
import { inBytes, type PlatformProxy } from "./platform/proxy.ts";
import { type Doc, isDocValue, type ResponseMutation, type Value } from "./platform/wire.ts";

const badKeysServed: ResponseMutation = (answer, { path, project }) =>
  path.startsWith("/v1/wallet/") && project === null && answer.status === 401
    ? { ...answer, status: 200, body: {} }
    : answer;

/** Bundles of what is no text get an id, as if nobody looked at their elements. */
const anythingTaken: ResponseMutation = envelope("sendBundle", (body, { params, cause }) => {
  const [listed] = Array.isArray(params) ? params : [];
  return cause === "params" && (listed === "x" || (Array.isArray(listed) && typeof listed[0] !== "string" && listed[0]))
    ? { jsonrpc: "2.0", result: "5".repeat(64), id: body["id"] ?? null }
    : undefined;
});

const statusesOfNull: ResponseMutation = envelope("getBundleStatuses", (body, { params, cause }) =>
  cause === "params" && Array.isArray(params) && params[0] === null
    ? { jsonrpc: "2.0", result: { context: { slot: 351_000_000 }, value: [] }, id: body["id"] ?? null }
    : undefined,
);

const keyBlamedForParams: ResponseMutation = envelope("sendBundle", (body, { cause }) =>
  cause === "params" ? { ...body, error: { code: -32001, message: "Unauthorized" } } : undefined,
);

const simulatedForAnybody: ResponseMutation = envelope("simulateBundle", (body, { cause }) =>
  cause === "key" ? { jsonrpc: "2.0", result: {}, id: body["id"] ?? null } : undefined,
);

const blankIdsLost: ResponseMutation = envelope("any", (body, { id, cause }) =>
  typeof id === "string" && /^$| /.test(id) && cause === null ? { ...body, id: null } : undefined,
);

/** Servers that read only some ids take a call with another for a notification, which nobody answers. */
const unanswered =
  (isLost: (id: Value) => boolean): ResponseMutation =>
  (answer, { rpc }) =>
    rpc && rpc.cause === null && isLost(rpc.id) ? { ...answer, body: { raw: "" } } : answer;

/** To an owner named without a mint. */
const anothersFirst: ResponseMutation = resultDoc("getTokenAccounts", (doc, { params }) => {
  const [first, ...others] = doc["token_accounts"] as readonly Doc[];
  return first && isDocValue(params) && params["owner"] !== undefined && params["mint"] === undefined
    ? { ...doc, token_accounts: [{ ...first, owner: first["mint"] ?? null }, ...others] }
    : doc;
});

const shortAddresses: ResponseMutation = resultDoc("getTokenAccounts", (doc) => ({
  ...doc,
  token_accounts: (doc["token_accounts"] as readonly Doc[]).map((account) => ({
    ...account,
    address: String(account["address"]).slice(0, -4),
  })),
}));

const anIdIsOptional: ResponseMutation = (answer, { path }) =>
  path.includes("/projects//") ? { ...answer, status: 200, body: {} } : answer;

/** A request that is a text is taken for the name of a method. */
const namesAreRequests: PlatformProxy = (serve) => async (request) => {
  const answer = await serve(request);
  return /^"\w+"$/.test(request.body ?? "")
    ? { ...answer, status: 200, body: inBytes({ jsonrpc: "2.0", result: "ok", id: null }) }
    : answer;
};

export const oneSided = unlistedOf({
  "wallet endpoints answer bad keys with an empty document": ["AUTH-WAL-MISS-01", badKeysServed, "AUTH-ALL-01"],
  "identities need more than the lowest paid plan": [
    "WAL-PAID-01",
    { rules: { wallet: { closedToLowest: ["getWalletIdentity", "batchWalletIdentity"] } } },
  ],
  "five wallet endpoints ignore the header": [
    "AUTH-WAL-HDR-01",
    {
      rules: {
        wallet: {
          headerIgnored: [
            "getWalletBalances",
            "getWalletIdentity",
            "getWalletBalanceAt",
            "getWalletHistory",
            "getWalletFundedBy",
          ],
        },
      },
    },
  ],
  "token accounts and simulations need no key": [
    "AUTH-ALL-01",
    { rules: { rpc: { openMethods: ["getTokenAccounts", "simulateBundle"] } } },
    "AUTH-RPC-MALF-01",
    "AUTH-RPC-MISS-01",
    "AUTH-RPC-UNKN-01",
    "ERR-TA-32001",
  ],
  "bundles of anything are taken": ["BND-REQ-02", anythingTaken],
  "a moment in seconds isn't taken": [
    "WAL-BALAT-01",
    { rules: { wallet: { balanceAt: { forms: ["datetime", "slot"] } } } },
  ],
  "statuses of null are an empty list": ["BST-PAR-01", statusesOfNull],
  "a bundle that can't be read is refused for its key": ["AUTH-RPC-QRY-01", keyBlamedForParams],
  "simulations are served without a key": ["AUTH-ALL-01", simulatedForAnybody],
  "blank ids are lost": ["RPC-ENV-02", blankIdsLost, "RPC-ENV-08"],
  "calls with a negative id get an empty answer": ["RPC-ENV-03", unanswered((id) => typeof id === "number" && id < 0)],
  "calls with a text as id get an empty answer": ["RPC-ENV-02", unanswered((id) => typeof id === "string")],
  "calls numbered 0 get an empty answer": ["RPC-ENV-03", unanswered((id) => id === 0)],
  "a request that is a text is a method's name": ["EXT-JR-03", { proxy: namesAreRequests }],
  "the first account of an owner is another's": ["TA-FLT-02", anothersFirst, "RPC-ENV-08"],
  "the cursor of each page is null": [
    "TA-CUR-02",
    resultDoc("getTokenAccounts", (doc) => ({ ...doc, cursor: null })),
    "TA-CUR-01",
  ],
  "addresses of token accounts lack their last four letters": ["EXT-SOL-01", shortAddresses, "TA-FLT-04", "TA-SLOT-02"],
  "a credit more than was used of the wallet API is shown": [
    "MET-WAL-06",
    replaced("/credits/walletApi", (credits) => Number(credits) + 1),
    "CRD-ROUND-02",
  ],
  "prepaid credits pay first, and none seems to go": [
    "CRD-PRE-01",
    { rules: { metering: { pools: "prepaid ones first" }, prepaidBalance: "stays" } },
    "CRD-USE-02",
    "MET-WAL-04",
  ],
  "an empty project id is served": ["AUTH-ADM-OWN-05", anIdIsOptional],
});
