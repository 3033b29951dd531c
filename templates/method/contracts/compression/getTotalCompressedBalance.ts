// Is the total of compressed accounts what they hold one by one? (§4.3)
import Big from "big.js";
import { near } from "../../harness/core/finding.ts";
import { exactAt } from "../../harness/core/json.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Stimulus } from "../../harness/core/stimulus.ts";
import { type Check, type CheckContext, check, type Shown, scenario } from "../../harness/model/check.ts";
import { isServed, outcomeOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { refusedFor, servedLike, shows } from "../shared/jsonRpcOracles.ts";
import { balance, compressed } from "../shared/jsonRpcRequests.ts";
import { type Ask, rpc } from "../shared/stimuli.ts";

const feature = "compression";
const total = rpc("getTotalCompressedBalance");

const addresses = [compressed(0, "address"), compressed(1, "address")];
const ofBoth = total(addresses);
const ofEach: readonly Stimulus[] = addresses.map((address) => balance({ address }));
const ofNone = total([]);

/** Each of two amounts, and their sum, may have been rounded to a double. */
const within = 4;

/** @throws Withheld where there is none: schemas judge that */
function valueIn(exchange: Exchange): Big {
  const value =
    isServed(exchange) && exchange.answer?.json ? exactAt(exchange.answer.json, "/result/value") : undefined;
  if (!value) throw new Withheld(`hidden: it drew ${outcomeOf(exchange)}, and no number`);
  return value;
}

/** Balances move: what is told again otherwise afterwards proves nothing. */
async function isSum({ ask }: CheckContext): Promise<Shown> {
  const exchange = await ask(ofBoth);
  let sum = new Big(0);
  for (const one of ofEach) sum = sum.plus(valueIn(await ask(one)));
  if (!valueIn(await ask({ ...ofBoth, again: 1 })).eq(valueIn(exchange))) throw new Withheld("the balances move");
  return { exchange, finding: near("/result/value", valueIn(exchange), sum, { within }) };
}

export const baseline: Ask = (options) => total([compressed(0, "address")], options);

export const checks: readonly Check[] = [
  scenario("TCB-SUM-01", { feature, requests: [ofBoth, ...ofEach] }, async (context) => [await isSum(context)]),
  check("TCB-NONE-01", ofNone, servedLike(baseline()), { feature, twin: baseline() }),
  check(
    "TCB-NONE-01",
    ofNone,
    shows((exchange) => near("/result/value", valueIn(exchange), new Big(0), { within: 0 })),
    { feature },
  ),
  check("TCB-RES-01", baseline(), undefined, { feature }),
  check(
    "TCB-BAD-01",
    total([compressed(0, "address"), "not-base58!"]),
    refusedFor("compression", "params", baseline()),
    {
      feature,
      twin: baseline(),
    },
  ),
];
