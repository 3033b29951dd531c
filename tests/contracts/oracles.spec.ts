// Tests of the oracles by themselves: which answers each accepts, accuses, or leaves to other requirements
import { expect, test } from "@playwright/test";
import * as jsonRpc from "../../contracts/shared/jsonRpcOracles.ts";
import * as rest from "../../contracts/shared/oracles.ts";
import { usageRequest } from "../../contracts/shared/requestSpecs.ts";
import * as wallet from "../../contracts/wallet/oracles.ts";
import { walletBaselines } from "../../contracts/wallet/requests.ts";
import type { Finding } from "../../harness/core/finding.ts";
import { valueAt } from "../../harness/core/json.ts";
import { Inconclusive, Withheld } from "../../harness/core/outcomes.ts";
import type { CheckContext, Oracle } from "../../harness/model/check.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { exchangeOf, type TypedRequest } from "../golden/build.ts";
import { rows } from "./oracleOutcomes.ts";

const headers = { "content-type": "application/json" };

const exchanged = (request: TypedRequest, status: number, body: object | string): Exchange =>
  exchangeOf(
    {
      ...{ title: "", clause: "", broken: [], holds: [], notExercised: [], warns: [] },
      request,
      status,
      headers,
      ...(typeof body === "string" ? { text: body } : { body: { ...body } }),
    },
    1,
  );

type Answers = { readonly [name: string]: Exchange };

const named = (
  request: TypedRequest,
  answers: { readonly [name: string]: readonly [number, object | string] },
): Answers =>
  Object.fromEntries(Object.entries(answers).map(([name, [status, body]]) => [name, exchanged(request, status, body)]));

const unanswered = (exchange: Exchange | undefined): Answers =>
  exchange ? { none: { ...exchange, answer: null, fault: { kind: "timeout", detail: "none" } } } : {};

const statuses = [200, 204, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 410, 422, 429, 500, 501];
const own = { role: "paid", key: "header", of: "own" } as const;
const byStatus = named(
  own,
  Object.fromEntries(statuses.map((status) => [status, [status, { message: `refused (${status})` }] as const])),
);
/** As `owner`, without whose key nothing can be judged. */
const asOwner = (exchange: Exchange): Exchange => ({
  ...exchange,
  requestSpec: { ...exchange.requestSpec, carriers: [{ in: "header", key: { keyOf: "owner" } }] },
});

const ofUsage: Answers = {
  ...byStatus,
  ...unanswered(byStatus["200"]),
  ...named(own, {
    "200 without JSON": [200, "no"],
    "200 without a body": [200, ""],
    "400 for the id": [400, { message: "Invalid project id" }],
    "403 in other words": [403, { message: "no" }],
    "404 with a date": [404, { message: "refused (404)2025-03-05T12:00:00Z" }],
    "404 as text": [404, "no"],
  }),
  ...named({ ...own, of: "other" }, { "200 of another project": [200, {}], "403 of another project": [403, {}] }),
  ...named({ ...own, role: "adminOff" }, { "403 without admin": [403, { message: "refused (403)" }] }),
  ...named({ role: "anonymous", of: "own" }, { "401 of nobody": [401, {}] }),
  ...Object.fromEntries(
    Object.entries(byStatus).flatMap(([name, one]) => (name === "401" ? [[`${name} of the owner`, asOwner(one)]] : [])),
  ),
};
const keyWords = "Authentication failed. Missing or invalid API key.";
const ofRpc: Answers = {
  ...named(
    { role: "paid", method: "getIndexerHealth", id: 1 },
    {
      result: [200, { jsonrpc: "2.0", id: 1, result: "ok" }],
      params: [200, { jsonrpc: "2.0", id: 1, error: { code: -32602, message: "Invalid params" } }],
      key: [200, { jsonrpc: "2.0", id: 1, error: { code: -32001, message: "Unauthorized" } }],
      "key without a message": [200, { jsonrpc: "2.0", id: 1, error: { code: -32001 } }],
      internal: [200, { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "Internal error" } }],
      "no code": [200, { jsonrpc: "2.0", id: 1, error: { message: "Unauthorized" } }],
      "a number as message": [200, { jsonrpc: "2.0", id: 1, error: { code: -32001, message: 1 } }],
      "other words": [200, { jsonrpc: "2.0", id: 1, error: { code: -32001, message: "no" } }],
      "the words of token accounts": [200, { jsonrpc: "2.0", id: 1, error: { code: -32001, message: keyWords } }],
      "401 without an envelope": [401, "no"],
      "404 without an envelope": [404, "no"],
    },
  ),
};

/** A context in which each further request gets this answer. */
const contextOf = (positiveControl: Exchange | undefined, isReference: boolean): CheckContext =>
  ({
    ask: () => Promise.resolve(positiveControl),
    exchanges: () => [],
    target: { isReference, interface: { operations: [] } },
  }) as unknown as CheckContext;

/** What it finds, or why it doesn't judge. */
async function judgedBy(oracle: Oracle, exchange: Exchange, context: CheckContext): Promise<Finding | Error> {
  try {
    return await oracle(exchange, context);
  } catch (error) {
    if (error instanceof Inconclusive || error instanceof Withheld) return error;
    throw error;
  }
}

async function outcomeOf(oracle: Oracle, exchange: Exchange, context: CheckContext): Promise<string> {
  const judged = await judgedBy(oracle, exchange, context);
  if (judged instanceof Error) return judged instanceof Inconclusive ? "inconclusive" : "withheld";
  return judged.outcome === "broken" ? `broken at ${judged.at}` : judged.outcome;
}

/** By outcome, which of the answers lead to it. */
async function outcomesOf(oracle: Oracle, all: Answers, positiveControl: Exchange | undefined, isReference: boolean) {
  const found: { [outcome: string]: string } = {};
  for (const [name, exchange] of Object.entries(all)) {
    const outcome = await outcomeOf(oracle, exchange, contextOf(positiveControl, isReference));
    found[outcome] = found[outcome] === undefined ? name : `${found[outcome]}, ${name}`;
  }
  return found;
}

const positiveControl = usageRequest({ as: "paid" });

const ofRest: { readonly [name: string]: Oracle } = {
  "answers without a positive control": rest.answers(200),
  "answers with a positive control": rest.answers(200, positiveControl),
  servedUnless: rest.servedUnless(401, 403, 500),
  refuses: rest.refuses(403),
  isRefused: rest.isRefused(),
  isRefusedBeside: rest.isRefusedBeside(positiveControl),
  isNotServed: rest.isNotServed(),
  isSparedFrom: rest.isSparedFrom(positiveControl),
  "wallet answersJson": wallet.answersJson,
  "wallet takesKey": wallet.walletTakesKey(positiveControl),
  "wallet isOpenTo": wallet.isOpenTo,
  "wallet isClosedTo": wallet.isClosedTo(positiveControl, positiveControl),
  "wallet servedLike": wallet.walletServedLike(positiveControl),
  "wallet knownLike": wallet.knownLike(positiveControl),
};
const ofJsonRpc: { readonly [name: string]: Oracle } = {
  takesParams: jsonRpc.takesParams,
  takesKey: jsonRpc.rpcTakesKey,
  servedLike: jsonRpc.rpcServedLike(positiveControl),
  shows: jsonRpc.shows(() => ({ outcome: "held" })),
  notRefusedWith: jsonRpc.notRefusedWith(-32602, -32603),
  "refusedFor the key": jsonRpc.refusedFor("compression", "key", positiveControl),
  "refusedFor the key, in words": jsonRpc.refusedFor("tokenAccounts", "key", positiveControl, { words: true }),
  "saysRow of the key": (exchange) => jsonRpc.saysRow(exchange, jsonRpc.errorRowOf("tokenAccounts", "key")),
  "refusedFor the params": jsonRpc.refusedFor("compression", "params", positiveControl),
};
/** The positive controls that a row means, and whether the platform is the reference, whose keys we made. */
const conditionsOf = (positiveControl: string, all: readonly string[]) =>
  (positiveControl === "" ? all : positiveControl.split(", ")).flatMap((one) => {
    const [, name = "", on] = /^(.*?)(?: on the (vendor|reference))?$/.exec(one) ?? [];
    return [false, true]
      .filter((isReference) => on === undefined || isReference === (on === "reference"))
      .map((isReference) => ({ name, isReference }));
  });

for (const [name, when, most, others] of rows)
  test(`${name}${when === "" ? "" : `, where the positive control got ${when}`}: ${most}, but for some`, async () => {
    const [oracle, all, positiveControls] = ofRest[name]
      ? [ofRest[name], ofUsage, ["200", "403", "404"]]
      : [ofJsonRpc[name] ?? rest.isNotServed(), ofRpc, ["result", "key"]];
    for (const condition of conditionsOf(when, positiveControls)) {
      const { [most]: _, ...found } = await outcomesOf(oracle, all, all[condition.name], condition.isReference);
      expect(found).toEqual(others);
    }
  });

test("every oracle is tried with every positive control, on vendors and on the reference", () => {
  for (const [oracles, positiveControls] of [
    [ofRest, ["200", "403", "404"]],
    [ofJsonRpc, ["result", "key"]],
  ] as const)
    for (const name of Object.keys(oracles)) {
      const tried = rows
        .filter(([oracle]) => oracle === name)
        .flatMap(([, when]) => conditionsOf(when, positiveControls));
      expect(tried, name).toHaveLength(2 * positiveControls.length);
    }
});

test("what an oracle found stands in the answer where it says", async () => {
  const ofAll = [...Object.values(ofJsonRpc), rest.isRefusedBeside(positiveControl)];
  const breaches = [];
  for (const oracle of ofAll)
    for (const exchange of Object.values(ofRpc)) {
      const finding = await judgedBy(oracle, exchange, contextOf(ofRpc["result"], true));
      if (!(finding instanceof Error) && finding.outcome === "broken")
        breaches.push({ finding, value: exchange.answer?.json?.value });
    }
  const inBodies = breaches.filter(({ finding: { at } }) => at !== "status");
  for (const { finding, value } of inBodies)
    expect("is" in finding.got ? undefined : finding.got.value).toEqual(valueAt(value, finding.at));
  expect(inBodies.map(({ finding }) => finding.at)).toContain("/result");
  expect(breaches.length).toBeGreaterThan(inBodies.length);
});

test("a refusal that the target file may have caused is excused with its code", async () => {
  const reasonOf = async (oracle: Oracle, exchange: Exchange | undefined, other?: Exchange): Promise<unknown> => {
    if (!exchange) throw new Error("no such answer");
    const judged = await judgedBy(oracle, exchange, contextOf(other, false));
    return judged instanceof Error ? judged.message : judged;
  };
  const refused = byStatus["401"];
  expect(await reasonOf(rest.answers(200, positiveControl), refused, ofUsage["403 without admin"])).toContain("(401)");
  expect(await reasonOf(jsonRpc.rpcTakesKey, ofRpc["401 without an envelope"], ofRpc["key"])).toContain("(401)");
  expect(await reasonOf(jsonRpc.rpcTakesKey, ofRpc["key"], ofRpc["key"])).toContain("(-32001)");
  expect(await reasonOf(wallet.answersJson, byStatus["400"], byStatus["404"])).toContain("malformed");
  expect(await reasonOf(wallet.answersJson, byStatus["422"], byStatus["404"])).toContain("malformed");
  expect(await reasonOf(wallet.answersJson, byStatus["500"], byStatus["404"])).toContain("500");
  expect(await reasonOf(rest.isSparedFrom(positiveControl), refused, refused)).toContain("(401)");
  expect(await reasonOf(wallet.isClosedTo(positiveControl, positiveControl), byStatus["200"])).toMatchObject({
    expected: "403",
  });
});

test("failures are what no request of ours leads to", () => {
  expect(jsonRpc.failuresOf("compression")).toEqual(["server", "unavailable", "timeout"]);
  expect(jsonRpc.failuresOf("tokenAccounts")).toEqual(["permission", "notFound", "server"]);
});

test("our own wallet requests carry the key in the header, as is recommended (AUTH-WAL-REC-01)", () => {
  expect(walletBaselines.flatMap(({ ask }) => ask().carriers.map((carrier) => carrier.in))).toEqual(
    walletBaselines.map(() => "header"),
  );
});
