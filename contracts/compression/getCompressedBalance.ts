// Is the balance of a compressed account the same by address and by hash? (§4.3)

import { broken, held } from "../../harness/core/finding.ts";
import { exactAt } from "../../harness/core/json.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Stimulus } from "../../harness/core/stimulus.ts";
import { givenAt } from "../../harness/core/template.ts";
import { type Check, type CheckContext, check, type Oracle, type Shown, scenario } from "../../harness/model/check.ts";
import type { Target } from "../../harness/target/target.ts";
import { isServed, outcomeOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { servedLike, shows, takesParams } from "../shared/jsonRpcOracles.ts";
import { balance, compressed } from "../shared/jsonRpcRequests.ts";
import type { Ask } from "../shared/stimuli.ts";

const feature = "compression";
const byAddress = (nth: number, again = 0): Stimulus =>
  balance({ address: compressed(nth, "address") }, again ? { again } : {});
const byHash = (nth: number, again = 0): Stimulus => balance({ hash: compressed(nth, "hash") }, again ? { again } : {});

const valueOf = ({ answer }: Exchange): string | undefined =>
  answer?.json ? exactAt(answer.json, "/result/value")?.toFixed() : undefined;

/** The dashboard's or the chain's own figure, where the target tells it, as digits. */
const knownBalance = (target: Target, nth: number): string | undefined => {
  const told = givenAt(target, `/samples/compressed/${nth}/lamports`);
  return typeof told === "string" || typeof told === "number" ? String(told) : undefined;
};

const isKnownBalance = (nth: number) =>
  shows((exchange, { target }) => {
    const [got, known] = [valueOf(exchange), knownBalance(target, nth)];
    if (got === undefined) throw new Withheld("hidden: the balance is no number");
    // Beyond 2^53 a balance may have been rounded to a double (T-27, OBS-CB-U64).
    return known === undefined ||
      got === known ||
      (Number(known) > Number.MAX_SAFE_INTEGER && Number(got) === Number(known))
      ? held
      : broken("/result/value", `${known}, the account's balance`, got);
  });

/** Balances move: equal within one of three goes is equal, and different in all of them is a breach. */
const goes = 3;

async function sameBalance(context: CheckContext, nth: number): Promise<Shown> {
  for (let go = 0; ; go += 1) {
    const [address, hash] = [await context.ask(byAddress(nth, go)), await context.ask(byHash(nth, go))];
    for (const one of [address, hash]) if (!isServed(one)) throw new Withheld(`hidden: it drew ${outcomeOf(one)}`);
    const [a, h] = [valueOf(address), valueOf(hash)];
    if (a === undefined || h === undefined) throw new Withheld("hidden: a balance is no number");
    if (a === h) return { exchange: hash, finding: held };
    if (go + 1 === goes) return { exchange: hash, finding: broken("/result/value", `${a}, as by address`, h) };
  }
}

/** Served where its twin without the null is, with the same balance unless that moves. */
const isAlike =
  (twin: Stimulus): Oracle =>
  async (exchange, context) => {
    const served = await servedLike(twin)(exchange, context);
    if (served.outcome === "broken") return served;
    const known = [await context.ask(twin), await context.ask({ ...twin, again: 9 })].map(valueOf);
    const got = valueOf(exchange);
    if (known[0] !== known[1]) throw new Withheld("the balance moves");
    return got === known[0] ? held : broken("/result/value", `${known[0]}, as without the null`, got);
  };

/** An account that isn't in every target: its checks add to what the first shows. */
const more = { feature, optional: true } as const;

export const baseline: Ask = (options) => balance({ address: compressed(0, "address") }, options);

export const checks: readonly Check[] = [
  check("CB-PAR-01", byAddress(0), takesParams, { feature }),
  check("CB-ADDR-01", byAddress(0), isKnownBalance(0), { feature }),
  check("CB-ADDR-01", byAddress(1), isKnownBalance(1), more),
  check("CB-HASH-01", byHash(0), servedLike(byAddress(0)), { feature, twin: byAddress(0) }),
  check("CB-HASH-01", byHash(0), isKnownBalance(0), { feature }),
  check("CB-HASH-01", byHash(1), isKnownBalance(1), more),
  scenario("CB-EQ-01", { feature, requests: [byAddress(0), byHash(0)] }, async (context) => [
    await sameBalance(context, 0),
  ]),
  check("CB-NULL-01", balance({ address: compressed(0, "address"), hash: null }, { id: 13 }), isAlike(byAddress(0)), {
    feature,
    twin: byAddress(0),
  }),
  check("CB-NULL-01", balance({ hash: compressed(0, "hash"), address: null }, { id: 14 }), isAlike(byHash(0)), {
    feature,
    twin: byHash(0),
  }),
  check("CB-RES-01", byAddress(0), undefined, { feature }),
  check("CB-RES-01", byHash(0), undefined, { feature }),
];
