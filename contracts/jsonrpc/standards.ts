// Does the JSON-RPC surface keep JSON-RPC 2.0 where the interface doesn't repeat it? Advisory throughout.

import { broken, type Finding, held } from "../../harness/core/finding.ts";
import { type Json, valueAt } from "../../harness/core/json.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Stimulus } from "../../harness/core/stimulus.ts";
import type { Template } from "../../harness/core/template.ts";
import { type Check, check, type Oracle, onlyObserved, verifiedBySelfTest } from "../../harness/model/check.ts";
import { isServed, outcomeOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { resultOf } from "../shared/jsonRpcOracles.ts";
import { health, owner } from "../shared/jsonRpcRequests.ts";
import { rawRpc } from "../shared/stimuli.ts";

const feature = "compression";
const twin = health();
const at = ({ answer }: Exchange, pointer: string): Json | undefined => valueAt(answer?.json?.value, pointer);
const call = (members: { readonly [member: string]: Template }) =>
  rawRpc({ json: { jsonrpc: "2.0", method: "getIndexerHealth", ...members } });

/** Only where the owner's own call is served does an answer say anything of the standard. */
const besideTwin =
  (test: (exchange: Exchange) => Finding, own: Stimulus = twin): Oracle =>
  async (exchange, { ask }) => {
    const other = await ask(own);
    if (!isServed(other)) throw new Withheld(`hidden: the owner's own call drew ${outcomeOf(other)}`);
    return test(exchange);
  };

/** An error with this code, and with this id where one is expected. */
export const errs = (code: number, id?: Json, own: Stimulus = twin): Oracle =>
  besideTwin((exchange) => {
    if (typeof at(exchange, "/error") === "string") throw new Withheld("hidden: its error is malformed");
    if (at(exchange, "/error/code") !== code)
      return broken("/error/code", String(code), at(exchange, "/error/code") ?? exchange.answer?.text.slice(0, 80));
    return id === undefined || at(exchange, "/id") === id
      ? held
      : broken("/id", JSON.stringify(id), at(exchange, "/id"));
  }, own);

/** No response object at all. */
export const isBare = (own: Stimulus = twin): Oracle =>
  besideTwin(
    ({ answer }) => (answer?.text.trim() === "" ? held : broken("", "no response object", answer?.text.slice(0, 80))),
    own,
  );

/** An answer with the id null. */
export const answersNull = (own: Stimulus = twin): Oracle =>
  besideTwin((exchange) => {
    if (exchange.answer?.text.trim() === "") return broken("", "an answer: id null is a request", undefined);
    return at(exchange, "/id") === null ? held : broken("/id", "null", at(exchange, "/id"));
  }, own);

/** What answers one -32600 to a batch takes no batches, which the interface doesn't ask for. */
const besideTwinOfBatches = (test: (exchange: Exchange) => Finding): Oracle =>
  besideTwin((exchange) => {
    if (at(exchange, "/error/code") === -32600) throw new Withheld("no batches are taken (-32600)");
    return test(exchange);
  });

const isBareBatch: Oracle = besideTwinOfBatches(({ answer }) =>
  answer?.text.trim() === "" ? held : broken("", "no response object", answer?.text.slice(0, 80)),
);

/** As many envelopes as calls, with these ids in whatever order. */
const arrayOf = (...ids: readonly Json[]): Oracle =>
  besideTwinOfBatches((exchange) => {
    const value = exchange.answer?.json?.value;
    if (!Array.isArray(value))
      return broken("", "an array, one response for each call with an id", exchange.answer?.text.slice(0, 80));
    const got = (value as readonly Json[]).map((one) => valueAt(one, "/id"));
    const isWhole = got.length === ids.length && ids.every((id) => got.includes(id));
    return isWhole
      ? held
      : broken(
          "",
          `responses to ${JSON.stringify(ids)}`,
          got.map((id) => id ?? "none"),
        );
  });

const batchOf = (calls: readonly Template[], oracle: Oracle): Check =>
  check("EXT-JR-07", rawRpc({ json: calls }), oracle, { feature, twin });

const one = (id: string | number): Template => ({ jsonrpc: "2.0", id, method: "getIndexerHealth" });
const notification: Template = { jsonrpc: "2.0", method: "getIndexerHealth" };

/** Served as if the member had been spelled as documented. */
const ignoresCase: Oracle = besideTwin((exchange) => {
  const accounts = resultOf(exchange, "/token_accounts");
  if (!Array.isArray(accounts) || accounts.length === 0) return held;
  const wanted = valueAt(exchange.sent.json, "/params/Owner");
  const isFiltered = (accounts as readonly Json[]).every((account) => valueAt(account, "/owner") === wanted);
  return isFiltered
    ? broken("/result/token_accounts", "Owner not taken for owner", `${accounts.length} accounts of the owner`)
    : held;
});

const isUnknownMethod: Oracle = besideTwin((exchange) =>
  isServed(exchange)
    ? broken("/result", "no result: names that begin with rpc. are reserved", at(exchange, "/result"))
    : held,
);

export const checks: readonly Check[] = [
  verifiedBySelfTest("EXT-SPEC-02", "tests/specs/openrpc.spec.ts", feature),
  onlyObserved("TA-ELT-07", "OBS-TA-BURNT", "tokenAccounts"),
  check("EXT-JR-01", twin, undefined, { feature }),
  check("EXT-JR-02", rawRpc('{"jsonrpc": "2.0", "id": 1, "method": '), errs(-32700, null), { feature, twin }),
  check("EXT-JR-03", rawRpc('{"foo": 1}'), errs(-32600), { feature, twin }),
  check("EXT-JR-03", rawRpc('"getIndexerHealth"'), errs(-32600), { feature, twin }),
  check("EXT-JR-04", call({ id: 1, method: "noSuchMethod" }), errs(-32601), { feature, twin }),
  check("EXT-JR-05", rawRpc({ json: notification }), isBare(), { feature, twin }),
  check("EXT-JR-06", call({ id: null }), answersNull(), { feature, twin }),
  batchOf([one(1)], arrayOf(1)),
  batchOf([one("a"), notification, one(2)], arrayOf("a", 2)),
  batchOf([], errs(-32600)),
  batchOf([notification], isBareBatch),
  check(
    "EXT-JR-09",
    rawRpc({ json: { jsonrpc: "2.0", id: 1, method: "getTokenAccounts", params: { Owner: owner, limit: 2 } } }),
    ignoresCase,
    { feature: "tokenAccounts", twin },
  ),
  check("EXT-JR-10", call({ id: 1, method: "rpc.getIndexerHealth" }), isUnknownMethod, { feature, twin }),
];
