// Advisory checks of JSON-RPC 2.0 where the interface doesn't repeat it
import { broken, type Finding, must } from "../../harness/core/finding.ts";
import { type Json, listOf, valueAt } from "../../harness/core/json.ts";
import { notSeen } from "../../harness/core/outcomes.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import type { Template } from "../../harness/core/template.ts";
import { type Check, type Oracle } from "../../harness/model/check.ts";
import { isServed } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { forFeature } from "../shared/forFeature.ts";
import { listIn } from "../shared/jsonRpcOracles.ts";
import { health, owner } from "../shared/jsonRpcRequests.ts";
import { notTested, onlyServed } from "../shared/masked.ts";
import { rawRpc } from "../shared/requestSpecs.ts";

const { check, verifiedBySelfTest } = forFeature("compression");
const ofTokens = forFeature("tokenAccounts");
const positiveControl = health();
const at = ({ answer }: Exchange, pointer: string): Json | undefined => valueAt(answer?.json?.value, pointer);
const call = (members: { readonly [member: string]: Template }) =>
  rawRpc({ json: { jsonrpc: "2.0", method: "getIndexerHealth", ...members } });

/** Only where the owner's own call is served does an answer show anything. */
const besidePositiveControl =
  (test: (exchange: Exchange) => Finding, own: RequestSpec = positiveControl): Oracle =>
  async (exchange, { ask }) => {
    onlyServed(await ask(own), "the owner's own call");
    return test(exchange);
  };

const textOf = ({ answer }: Exchange): string | undefined => answer?.text.slice(0, 80);

/** An error with this code, and with this id where one is expected. */
export const errs = (code: number, id?: Json, own: RequestSpec = positiveControl): Oracle =>
  besidePositiveControl((exchange) => {
    if (typeof at(exchange, "/error") === "string") throw notTested("the error is malformed");
    if (at(exchange, "/error/code") !== code)
      return broken("/error/code", String(code), at(exchange, "/error/code") ?? textOf(exchange));
    return must(id === undefined || at(exchange, "/id") === id, "/id", JSON.stringify(id), at(exchange, "/id"));
  }, own);

const isEmpty = (exchange: Exchange): boolean => exchange.answer?.text.trim() === "";
const hasNoResponse = (exchange: Exchange): Finding =>
  must(isEmpty(exchange), "", "no response object", textOf(exchange));

export const isBare = (own: RequestSpec = positiveControl): Oracle => besidePositiveControl(hasNoResponse, own);

export const answersNull = (own: RequestSpec = positiveControl): Oracle =>
  besidePositiveControl((exchange) => {
    if (isEmpty(exchange)) return broken("", "an answer: id null is a request", undefined);
    return must(at(exchange, "/id") === null, "/id", "null", at(exchange, "/id"));
  }, own);

/** A single -32600 means that batches aren't supported, which the interface doesn't ask for. */
const besidePositiveControlOfBatches = (test: (exchange: Exchange) => Finding): Oracle =>
  besidePositiveControl((exchange) => {
    if (at(exchange, "/error/code") === -32600) throw notSeen("batches aren't supported (-32600)");
    return test(exchange);
  });

/** One envelope for each of these ids, in any order. */
const arrayOf = (...ids: readonly Json[]): Oracle =>
  besidePositiveControlOfBatches((exchange) => {
    const value = exchange.answer?.json?.value;
    if (!Array.isArray(value)) return broken("", "an array, one response for each call with an id", textOf(exchange));
    const got: readonly Json[] = listOf(value).map((one) => valueAt(one, "/id") ?? "none");
    const isWhole = got.length === ids.length && ids.every((id) => got.includes(id));
    return must(isWhole, "", `responses to ${JSON.stringify(ids)}`, got);
  });

const batchOf = (calls: readonly Template[], oracle: Oracle): Check =>
  check("EXT-JR-07", rawRpc({ json: calls }), oracle, { positiveControl });

const callWith = (id: string | number): Template => ({ jsonrpc: "2.0", id, method: "getIndexerHealth" });
const notification: Template = { jsonrpc: "2.0", method: "getIndexerHealth" };

/** Broken where `Owner` filters as `owner` does. */
const ignoresCase: Oracle = besidePositiveControl((exchange) => {
  const accounts = listIn(exchange, "/token_accounts");
  const wanted = valueAt(exchange.sent.json, "/params/Owner");
  const isFiltered = accounts.length > 0 && accounts.every((account) => valueAt(account, "/owner") === wanted);
  const got = `${accounts.length} accounts of the owner`;
  return must(!isFiltered, "/result/token_accounts", "`Owner` not read as `owner`", got);
});

const isUnknownMethod: Oracle = besidePositiveControl((exchange) => {
  const expected = "no result: names that begin with rpc. are reserved";
  return must(!isServed(exchange), "/result", expected, at(exchange, "/result"));
});

export const checks: readonly Check[] = [
  verifiedBySelfTest("EXT-SPEC-02", "tests/specs/openrpc.spec.ts"),
  ofTokens.onlyObserved("TA-ELT-07", "OBS-TA-BURNT"),
  check("EXT-JR-01", positiveControl),
  check("EXT-JR-02", rawRpc('{"jsonrpc": "2.0", "id": 1, "method": '), errs(-32700, null), { positiveControl }),
  check("EXT-JR-03", rawRpc('{"foo": 1}'), errs(-32600), { positiveControl }),
  check("EXT-JR-03", rawRpc('"getIndexerHealth"'), errs(-32600), { positiveControl }),
  check("EXT-JR-04", call({ id: 1, method: "noSuchMethod" }), errs(-32601), { positiveControl }),
  check("EXT-JR-05", rawRpc({ json: notification }), isBare(), { positiveControl }),
  check("EXT-JR-06", call({ id: null }), answersNull(), { positiveControl }),
  batchOf([callWith(1)], arrayOf(1)),
  batchOf([callWith("a"), notification, callWith(2)], arrayOf("a", 2)),
  batchOf([], errs(-32600)),
  batchOf([notification], besidePositiveControlOfBatches(hasNoResponse)),
  ofTokens.check(
    "EXT-JR-09",
    rawRpc({ json: { jsonrpc: "2.0", id: 1, method: "getTokenAccounts", params: { Owner: owner, limit: 2 } } }),
    ignoresCase,
    { positiveControl },
  ),
  check("EXT-JR-10", call({ id: 1, method: "rpc.getIndexerHealth" }), isUnknownMethod, { positiveControl }),
];
