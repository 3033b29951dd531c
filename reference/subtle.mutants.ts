// Mutants so narrow that no example meets them: only generated requests do
import { decodeBase58 } from "./platform/base58.ts";
import type { ChargedProduct } from "./platform/ledger.ts";
import { byQuery, envelope, getAt, resultDoc, rpcError, unlistedOf, usageDoc } from "./platform/mutant.ts";
import { docIn, inBytes, type PlatformProxy } from "./platform/proxy.ts";
import { creditsOf } from "./platform/usageParts.ts";
import { type Doc, isDocValue, type ResponseMutation, type Value } from "./platform/wire.ts";
import { exactFigures } from "./usage/document.ts";
import { own } from "./usage/mutations.ts";

const listIn = (value: Value | undefined): readonly Value[] => (Array.isArray(value) ? value : []);
const memberOf = (value: Value | undefined, name: string): Value | undefined =>
  isDocValue(value) ? value[name] : undefined;

/** Lengths that differ by more than a tip, which is 49 bytes. */
const isUnequal = (texts: readonly Value[]): boolean => {
  const lengths = texts.map((text) => String(text).length);
  return Math.max(...lengths) - Math.min(...lengths) > 80;
};

const slipsForUnequal: ResponseMutation = envelope("sendBundle", (body, { params, cause }) => {
  const texts = listIn(listIn(params)[0]);
  const options = listIn(params)[1];
  const applies =
    cause === null && texts.length === 5 && memberOf(options, "encoding") !== "base64" && isUnequal(texts);
  return applies
    ? { jsonrpc: "2.0", error: { code: -32602, message: "Invalid params" }, id: body["id"] ?? null }
    : undefined;
});

/** On the last of several pages, where that is full. */
const losesAtFullPages: ResponseMutation = resultDoc("getTokenAccounts", (doc, { params }) => {
  const accounts = listIn(doc["token_accounts"]);
  const applies =
    memberOf(params, "cursor") !== undefined &&
    accounts.length > 0 &&
    accounts.length === doc["limit"] &&
    !doc["cursor"];
  return applies ? { ...doc, token_accounts: accounts.slice(1) } : doc;
});

const forgetsOnlyFrozen: ResponseMutation = resultDoc("getTokenAccounts", (doc, { params }) => {
  const accounts = listIn(doc["token_accounts"]);
  const applies =
    memberOf(params, "owner") !== undefined &&
    memberOf(params, "cursor") === undefined &&
    accounts.length === 1 &&
    doc["limit"] !== 1;
  return applies && memberOf(accounts[0], "frozen") === true ? { ...doc, token_accounts: [] } : doc;
});

/** One credit for each thousand increments of a product. */
const drifts: ResponseMutation = usageDoc((doc, { project }) => {
  const entries = project?.ledger.entries ?? [];
  const drift = (product: ChargedProduct): number => {
    const count = entries.filter((one) => one.product === product).length;
    return count > 1_000 ? Math.floor(count / 1_000) : 0;
  };
  return creditsOf(doc, (product, honest) => honest + drift(product));
});

const thirdIsNull: ResponseMutation = resultDoc("getBundleStatuses", (doc, { params }) => {
  const ids = listIn(listIn(params)[0]);
  const isThird = (nth: number): boolean => ids.slice(0, nth).filter((id) => id === ids[nth]).length === 2;
  return { ...doc, value: listIn(doc["value"]).map((entry, nth) => (isThird(nth) ? null : entry)) };
});

const belowInt32 = -(2 ** 31);

/** Refuses some batches of wallets, by their entries. */
const refusingBatches =
  (isRefused: (entries: readonly Value[]) => boolean): PlatformProxy =>
  (serve) =>
  async (request) => {
    const isBatch = request.url.includes("batch-identity") && request.body !== undefined;
    const entries = isBatch ? listIn((JSON.parse(request.body ?? "{}") as Doc)["addresses"]) : [];
    if (!isRefused(entries)) return serve(request);
    const body = { statusCode: 400, message: "Bad batch", error: "Bad Request" };
    return { ...(await serve(request)), status: 400, body: inBytes(body) };
  };

/** An address of 32 bytes is that short where it begins with zeros. */
const isShort = (entry: Value): boolean => String(entry).length < 43 && !String(entry).includes(".");

/** Amounts with that many digits become doubles. */
const inDoubles = (digits: number): ResponseMutation =>
  resultDoc("getTokenAccounts", (doc) => {
    const rounded = (account: Value): Value => {
      const amount = String(memberOf(account, "amount"));
      return amount.length === digits ? { ...(account as Doc), amount: BigInt(Number(amount)) } : account;
    };
    return { ...doc, token_accounts: listIn(doc["token_accounts"]).map(rounded) };
  });

const badParams: Doc = { code: -32602, message: "Invalid request parameters." };

/** An address in a list of one, or under a name. */
const isWrapped = (value: Value | undefined): boolean => {
  const [first, ...others] = typeof value === "object" && value !== null ? Object.values(value) : [];
  return others.length === 0 && typeof first === "string" && first.length >= 32;
};

const unwraps: ResponseMutation = envelope("getTokenAccounts", ({ error: _, ...body }, { params, cause }) => {
  const applies = cause === "params" && ["owner", "mint"].some((name) => isWrapped(memberOf(params, name)));
  return applies
    ? {
        ...body,
        result: {
          last_indexed_slot: 351_000_000,
          total: 0,
          limit: memberOf(params, "limit") ?? 100,
          token_accounts: [],
        },
      }
    : undefined;
});

const refusesNoOptions: ResponseMutation = envelope("getTokenAccounts", ({ result: _, ...body }, { params, cause }) => {
  const options = memberOf(params, "options");
  const applies =
    cause === null &&
    memberOf(params, "mint") !== undefined &&
    typeof options === "object" &&
    Object.keys(options ?? {}).length === 0;
  return applies ? { ...body, error: badParams } : undefined;
});

/** As text that begins with a zero has it. */
const isPadded = (hash: Value | undefined): boolean =>
  typeof hash === "string" && hash.startsWith("1") && decodeBase58(hash)?.length === 33;

/** Header names that begin in lower case and end with a capital are lost. */
const losesHeaders: PlatformProxy = (serve) => (request) =>
  serve({
    ...request,
    headers: request.headers.map(([name, value]) => [
      /^x-[a-z]+-[a-z]+$/i.test(name) && /^x.*Y$/.test(name) ? "x-lost" : name,
      value,
    ]),
  });

/** With prepaid use and exactly the plan's credits used, one credit seems to remain. */
const neverAtNothing: ResponseMutation = usageDoc((doc) => {
  const used = Number(doc["creditsUsed"]);
  const prepaid = Number(doc["prepaidCreditsUsed"]);
  return prepaid > 0 && used - prepaid === getAt(doc, "/subscriptionDetails/creditsLimit")
    ? { ...doc, creditsRemaining: 1 }
    : doc;
});

/** Of more than three addresses, the last one's path has its first two hashes swapped. */
const turnsLastPath: ResponseMutation = resultDoc("getMultipleNewAddressProofs", (doc) => {
  const proofs = listIn(doc["value"]);
  const turned = (proof: Value): Value => {
    const [first = null, second = null, ...others] = listIn(memberOf(proof, "proof"));
    return { ...(proof as Doc), proof: [second, first, ...others] };
  };
  return proofs.length > 3
    ? { ...doc, value: proofs.map((proof, nth) => (nth === proofs.length - 1 ? turned(proof) : proof)) }
    : doc;
});

/** Other answers to some JSON-RPC requests. */
const answering =
  (applies: (request: Doc) => boolean, answer: (honest: Doc) => Doc): PlatformProxy =>
  (serve) =>
  async (request) => {
    const served = await serve(request);
    const sent = request.url.includes("/v") ? undefined : (JSON.parse(request.body ?? "null") as Value);
    if (!isDocValue(sent) || !applies(sent)) return served;
    return { ...served, body: inBytes(answer(docIn(served))) };
  };

const invalid: Doc = { code: -32600, message: "Invalid Request" };

export const subtle = unlistedOf({
  "five transactions of unequal size in base58 are too many": ["BND-LIM-01", slipsForUnequal],
  "ids of 63 characters lose their last one": [
    "RPC-ENV-02",
    envelope("any", (body, { id, cause }) =>
      typeof id === "string" && id.length === 63 && cause === null ? { ...body, id: id.slice(0, -1) } : undefined,
    ),
  ],
  "numbers below 32 bits come back positive": [
    "RPC-ENV-03",
    envelope("any", (body, { id, cause }) =>
      typeof id === "number" && id < belowInt32 && cause === null ? { ...body, id: -id } : undefined,
    ),
  ],
  "the last page by cursor lacks an account where it is full": ["TA-PAGE-02", losesAtFullPages],
  "an owner whose only account is frozen has none": ["TA-FLT-04", forgetsOnlyFrozen],
  "a thousand increments drift by a credit": ["CRD-ROUND-01", drifts],
  "what is asked for a third time is unknown": ["BST-ALIGN-01", thirdIsNull],
  "to calls numbered 0 a refusal for the key is worded otherwise": [
    "ERR-CMP-32001",
    rpcError("compression", "key", { message: "unauthorized" }, ({ id }) => id === 0),
  ],
  "to calls whose id reads as a number bad parameters are worded otherwise": [
    "ERR-TA-32602",
    rpcError(
      "getTokenAccounts",
      "params",
      { message: "Invalid request parameters" },
      ({ id }) => typeof id === "string" && /^\d+$/.test(id),
    ),
  ],
  "to calls whose id is a text too many are worded otherwise": [
    "ERR-CMP-32005",
    rpcError("compression", "rate", { message: "Too Many Requests" }, ({ id }) => typeof id === "string"),
  ],
  "by query, prepaid use of less than a credit is told as none": [
    "AUTH-ADM-EQ-01",
    byQuery(
      own((doc, project, now_ms) =>
        exactFigures(project, now_ms).prepaidUsed.lt(1) ? { ...doc, prepaidCreditsUsed: 0 } : doc,
      ),
    ),
  ],
  "amounts of 19 digits are told as doubles": ["EXT-JSON-02", inDoubles(19)],
  "an owner or a mint is taken whatever it is wrapped in": ["TA-BAD-01", unwraps],
  "a mint beside options of nothing is refused": ["TA-PAR-01", refusesNoOptions],
  "hashes of 33 bytes that begin with a zero are no request": [
    "CB-BAD-01",
    rpcError("getCompressedBalance", "params", invalid, ({ params }) => isPadded(memberOf(params, "hash"))),
  ],
  "addresses with a small l are no request": [
    "NAP-BAD-01",
    rpcError("getMultipleNewAddressProofs", "params", invalid, ({ params }) =>
      listIn(params).some((one) => String(one).length > 32 && String(one).includes("l")),
    ),
  ],
  "with prepaid use a credit is left at the limit": ["CRD-REM-01", neverAtNothing],
  "of more than three addresses the last is proved by a turned path": ["EXT-SOL-03", turnsLastPath],
  "key headers that begin small and end in a capital are lost": ["EXT-HTTP-04", { proxy: losesHeaders }],
  "requests that begin with their id are invalid": [
    "RPC-ENV-09",
    {
      proxy: answering(
        (request) => Object.keys(request)[0] === "id",
        ({ result: _, ...body }) => ({ ...body, error: invalid }),
      ),
    },
  ],
  "errors to requests whose method is a number are told by a text for a code": [
    "RPC-ENV-05",
    {
      proxy: answering(
        ({ method }) => typeof method === "number",
        (body) => ({ ...body, error: { ...invalid, code: "-32600" } }),
      ),
    },
  ],
  "errors to methods that there aren't lose ids that are texts": [
    "RPC-ENV-07",
    envelope("any", (body, { id, cause }) =>
      cause === "method" && typeof id === "string" ? { ...body, id: null } : undefined,
    ),
  ],
  "of methods with a letter beyond ASCII the params are bad": [
    "EXT-JR-04",
    rpcError("any", "method", { code: -32602, message: "Invalid params" }, ({ method }) => /[^ -~]/.test(method)),
  ],
  // A size between a few entries and the maximum, which examples don't have.
  "batches of 64 to 99 are refused": [
    "WAL-BATCH-04",
    { proxy: refusingBatches(({ length }) => length >= 64 && length < 100) },
  ],
  "batches with an address of less than 43 characters are refused": [
    "WAL-BATCH-02",
    { proxy: refusingBatches((entries) => entries.some(isShort)) },
  ],
  "to bundle calls without a key numbers beyond 32 bits come back as texts": [
    "RPC-ENV-07",
    envelope("bundles", (body, { id, cause }) =>
      typeof id === "number" && Math.abs(id) > 2 ** 32 && cause === "key" ? { ...body, id: String(id) } : undefined,
    ),
  ],
});
