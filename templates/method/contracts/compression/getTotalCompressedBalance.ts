// Checks of getTotalCompressedBalance: the sum of single balances, no accounts, bad params (§4.3)
import Big from "big.js";
import { near } from "../../harness/core/finding.ts";
import { exactAt } from "../../harness/core/json.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import { type Check, type CheckContext, type Shown } from "../../harness/model/check.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { forFeature } from "../shared/forFeature.ts";
import { refusedFor, rpcServedLike, shows } from "../shared/jsonRpcOracles.ts";
import { balance, compressed } from "../shared/jsonRpcRequests.ts";
import { notTested, onlyServed } from "../shared/masked.ts";
import { type Ask, jsonRpcRequest } from "../shared/requestSpecs.ts";

const { check, scenario } = forFeature("compression");
const total = jsonRpcRequest("getTotalCompressedBalance");

const addresses = [compressed(0, "address"), compressed(1, "address")];
const ofBoth = total(addresses);
const ofEach: readonly RequestSpec[] = addresses.map((address) => balance({ address }));
const ofNone = total([]);
const badParams = total([compressed(0, "address"), "not-base58!"]);

/** Each of two amounts, and their sum, may have been rounded to a double. */
const within = 4;

/** @throws Withheld where there is no number: schemas judge that */
function valueIn(exchange: Exchange): Big {
  const { json } = onlyServed(exchange).answer ?? {};
  const value = json ? exactAt(json, "/result/value") : undefined;
  if (!value) throw notTested("the value is not a number");
  return value;
}

/** Balances move: a total that differs at a second read proves nothing. */
async function isSum({ ask }: CheckContext): Promise<Shown> {
  const exchange = await ask(ofBoth);
  let sum = new Big(0);
  for (const one of ofEach) sum = sum.plus(valueIn(await ask(one)));
  if (!valueIn(await ask({ ...ofBoth, again: 1 })).eq(valueIn(exchange))) throw new Withheld("the balances move");
  return { exchange, finding: near("/result/value", valueIn(exchange), sum, { within }) };
}

export const baseline: Ask = (options) => total([compressed(0, "address")], options);

export const checks: readonly Check[] = [
  scenario("TCB-SUM-01", { requests: [ofBoth, ...ofEach] }, async (context) => [await isSum(context)]),
  check("TCB-NONE-01", ofNone, rpcServedLike(baseline()), { positiveControl: baseline() }),
  check(
    "TCB-NONE-01",
    ofNone,
    shows((exchange) => near("/result/value", valueIn(exchange), new Big(0), { within: 0 })),
  ),
  check("TCB-RES-01", baseline()),
  check("TCB-BAD-01", badParams, refusedFor("compression", "params", baseline()), { positiveControl: baseline() }),
];
