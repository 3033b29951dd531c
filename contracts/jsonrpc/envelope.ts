// Checks of paths, envelopes and ids of every JSON-RPC method, and of calls in parallel (§4.3, §9)
import { broken, held, must } from "../../harness/core/finding.ts";
import { type Json, valueAt } from "../../harness/core/json.ts";
import { Inconclusive, notSeen } from "../../harness/core/outcomes.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import { type Check, type Oracle, type Shown } from "../../harness/model/check.ts";
import { isServed, rpcErrorOf } from "../../harness/transport/answers.ts";
import { type Exchange, mediaTypeOf } from "../../harness/transport/exchange.ts";
import { returnedBy } from "../../harness/transport/fates.ts";
import { type MethodName, sites } from "../../specs/generated/operations.ts";
import { forFeature } from "../shared/forFeature.ts";
import { listIn, notRefusedWith, rpcTakesKey, shows } from "../shared/jsonRpcOracles.ts";
import { mint, owner, tokenAccounts } from "../shared/jsonRpcRequests.ts";
import { maskedBy, onlyServed } from "../shared/masked.ts";
import { type BaselineRequest, baselineRequests, onePerFeature } from "./baselineRequests.ts";

const routingStatuses = [301, 302, 307, 308, 404, 405, 501];

/** An envelope came, whatever is in it; an HTTP status about method or path shows that nothing is served there. */
const isReached: Oracle = (exchange) => {
  if (isServed(exchange) || rpcErrorOf(exchange)) return held;
  const status = exchange.answer?.status ?? 0;
  if (routingStatuses.includes(status)) return broken("status", "an envelope", status);
  throw maskedBy(exchange);
};

const takesJson: Oracle = (exchange) => {
  if (exchange.answer?.status === 415) return broken("status", "a body labelled application/json accepted", 415);
  if (!isServed(exchange) && !rpcErrorOf(exchange)) throw maskedBy(exchange);
  return held;
};

/** The same envelope with its members in another order. */
const permuted = (requestSpec: RequestSpec): RequestSpec => {
  const {
    jsonrpc = null,
    id = null,
    method = null,
    ...rest
  } = requestSpec.json as { readonly [member: string]: string };
  return { ...requestSpec, json: { ...rest, method, id, jsonrpc } };
};

/** What is required of the numbers that results of a method have, if any. */
const numbersIn = (method: MethodName) =>
  (["GEN-NNEG-01", "GEN-INT-01"] as const).filter((id) => sites[`${method} result`]?.some((site) => site.id === id));

const texts = ["1", "01", "", "a b", "CamelCase-0042-ÄÖ-ключ-🙂", "x".repeat(64), "Xy".repeat(128)];
const numbers = [0, 1, -1, 7, 4_294_967_297, Number.MAX_SAFE_INTEGER];

function checksOf({ method, feature, ask }: BaselineRequest): readonly Check[] {
  const { check } = forFeature(feature);
  const baseline = ask();
  return [
    check(["RPC-PATH-01", "GEN-POST-01"], baseline, isReached),
    check("GEN-JSON-02", baseline, takesJson),
    check("GEN-SURF-01", baseline, notRefusedWith(-32601)),
    check("AUTH-RPC-QRY-01", baseline, rpcTakesKey),
    ...(["second", "other", "free"] as const).map((as) =>
      check("AUTH-RPC-QRY-01", ask({ as }), rpcTakesKey, { optional: true }),
    ),
    check(["RPC-ENV-01", "RPC-ENV-04", "EXT-JR-01"], baseline),
    check(["GEN-JSON-01", "GEN-JSON-03", "EXT-JSON-01"], baseline),
    ...numbersIn(method).map((id) => check(id, baseline)),
    check(["RPC-ENV-09", "VER-RPC-01"], baseline, notRefusedWith(-32600)),
    check("RPC-ENV-09", ask({ id: method }), notRefusedWith(-32600), { shows: ["RPC-ENV-02"] }),
    check("RPC-ENV-09", permuted(ask({ id: 2 })), notRefusedWith(-32600), { shows: ["RPC-ENV-03"] }),
  ];
}

function kindOfId(id: string | number): string {
  if (typeof id === "string") return id === "" ? "an empty text" : "a text";
  if (id === 0 || id < 0) return id === 0 ? "zero" : "a negative number";
  return id > 2 ** 32 ? "a number beyond 2^32" : "a whole number";
}

/** Statuses by which the call itself, rather than who calls, may be refused outside an envelope. */
const ofTheCall = ({ answer }: Exchange): boolean =>
  !answer || answer.status < 300 || [400, 422].includes(answer.status);

/**
 * Answered with an envelope, whose id laws judge. An id that gets none, each time, while the same call with another is
 * served, isn't echoed.
 */
const isAnswered =
  (id: string | number, positiveControl: RequestSpec): Oracle =>
  async (exchange, { ask, fresh }) => {
    if (isServed(exchange)) return held;
    if (rpcErrorOf(exchange) || !ofTheCall(exchange)) throw maskedBy(exchange);
    onlyServed(await ask(positiveControl), "the same call with another id");
    const again = await ask(fresh(exchange.requestSpec));
    if (isServed(again))
      throw new Inconclusive({ kind: "notReproducible", first: returnedBy(exchange), then: "a result" });
    return broken("/id", `${JSON.stringify(id)} in an envelope: ${kindOfId(id)} is an id, too`, undefined);
  };

/** Ids don't depend on the method: all of them are sent to one method per feature. */
const idsOf = ({ feature, ask }: BaselineRequest): readonly Check[] =>
  [...texts, ...numbers].map((id) => {
    const [requirement, positiveControl] = [typeof id === "string" ? "RPC-ENV-02" : "RPC-ENV-03", ask()] as const;
    return forFeature(feature).check(requirement, ask({ id }), isAnswered(id, positiveControl), { positiveControl });
  });

const { check, scenario } = forFeature("tokenAccounts");

/** Each differs from its neighbours in filter and id. */
const parallel: readonly RequestSpec[] = Array.from({ length: 32 }, (_, nth) =>
  tokenAccounts({ ...(nth % 2 === 0 ? { owner } : { mint }), limit: 2 }, { id: `parallel ${nth}` }),
);

/** Undefined where the call wasn't served. */
function itsOwn(exchange: Exchange): Shown | undefined {
  if (!isServed(exchange)) return undefined;
  const { sent, answer } = exchange;
  const wanted = valueAt(sent.json, "/id");
  const got = valueAt(answer?.json?.value, "/id");
  if (got !== wanted) return { exchange, finding: broken("/id", JSON.stringify(wanted), got) };
  const accounts = listIn(exchange, "/token_accounts");
  for (const [member, value] of Object.entries((valueAt(sent.json, "/params") ?? {}) as object) as [string, Json][]) {
    const expected = `the answer to its own request (${member} ${JSON.stringify(value)})`;
    const others = accounts.map((account) => valueAt(account, `/${member}`)).filter((one) => one !== value);
    const foreign = others.find((one) => typeof one === "string");
    if (foreign !== undefined) return { exchange, finding: broken("/result/token_accounts", expected, foreign) };
  }
  return { exchange, finding: held };
}

/** Fewer calls would hardly overlap. */
const fewest = 8;

const concurrent = scenario("RPC-ENV-08", { requests: parallel, consent: "throttle" }, async ({ atOnce }) => {
  const shown = (await atOnce(parallel)).flatMap((exchange) => itsOwn(exchange) ?? []);
  if (shown.length < fewest) throw notSeen(`only ${shown.length} of ${parallel.length} calls at once were served`);
  return shown;
});

/** A body of more than 8 KiB. */
const large = check(
  ["GEN-JSON-01", "GEN-JSON-03"],
  tokenAccounts({ owner, limit: 50 }),
  shows(({ answer }) => {
    const media = answer ? mediaTypeOf(answer) : undefined;
    return must(media === "application/json", "header content-type", "application/json", media);
  }),
);

export const checks: readonly Check[] = [
  ...baselineRequests.flatMap(checksOf),
  ...onePerFeature.flatMap(idsOf),
  concurrent,
  large,
];
