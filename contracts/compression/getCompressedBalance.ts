// Checks of getCompressedBalance: by address, by hash, with null members (§4.3)
import { broken, held } from "../../harness/core/finding.ts";
import { exactAt } from "../../harness/core/json.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Stimulus } from "../../harness/core/stimulus.ts";
import { givenAt } from "../../harness/core/template.ts";
import { type Check, type CheckContext, type Oracle, type Shown } from "../../harness/model/check.ts";
import type { Target } from "../../harness/target/target.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { forFeature } from "../shared/forFeature.ts";
import { servedLike, shows, takesParams } from "../shared/jsonRpcOracles.ts";
import { balance, compressed } from "../shared/jsonRpcRequests.ts";
import { masked, served } from "../shared/masked.ts";
import type { Ask } from "../shared/stimuli.ts";

const { check, scenario } = forFeature("compression");
const byAddress = (nth: number, again = 0): Stimulus =>
  balance({ address: compressed(nth, "address") }, again ? { again } : {});
const byHash = (nth: number, again = 0): Stimulus => balance({ hash: compressed(nth, "hash") }, again ? { again } : {});

/** Exact digits; undefined where it is no number. */
const valueOf = ({ answer }: Exchange): string | undefined =>
  answer?.json ? exactAt(answer.json, "/result/value")?.toFixed() : undefined;

/** The balance that the target file gives for a sample, from a dashboard or the chain, as digits. */
const knownBalance = (target: Target, nth: number): string | undefined => {
  const known = givenAt(target, `/samples/compressed/${nth}/lamports`);
  return typeof known === "string" || typeof known === "number" ? String(known) : undefined;
};

const isKnownBalance = (nth: number) =>
  shows((exchange, { target }) => {
    const [got, known] = [valueOf(exchange), knownBalance(target, nth)];
    if (got === undefined) throw masked("the balance is not a number");
    // Beyond 2^53 a balance may have been rounded to a double (T-27, OBS-CB-U64).
    return known === undefined ||
      got === known ||
      (Number(known) > Number.MAX_SAFE_INTEGER && Number(got) === Number(known))
      ? held
      : broken("/result/value", `${known}, the account's balance`, got);
  });

/** Balances move: equal in one of three attempts is equal, different in all of them is a breach. */
const attempts = 3;

async function sameBalance(context: CheckContext, nth: number): Promise<Shown> {
  for (let attempt = 0; ; attempt += 1) {
    const [address, hash] = [await context.ask(byAddress(nth, attempt)), await context.ask(byHash(nth, attempt))];
    for (const one of [address, hash]) served(one);
    const [a, h] = [valueOf(address), valueOf(hash)];
    if (a === undefined || h === undefined) throw masked("a balance is not a number");
    if (a === h) return { exchange: hash, finding: held };
    if (attempt + 1 === attempts) return { exchange: hash, finding: broken("/result/value", `${a}, as by address`, h) };
  }
}

/** Served as the twin without the null is, with the same balance, unless the balance moves. */
const isAlike =
  (twin: Stimulus): Oracle =>
  async (exchange, context) => {
    const finding = await servedLike(twin)(exchange, context);
    if (finding.outcome === "broken") return finding;
    const known = [await context.ask(twin), await context.ask({ ...twin, again: 9 })].map(valueOf);
    const got = valueOf(exchange);
    if (known[0] !== known[1]) throw new Withheld("the balance moves");
    return got === known[0] ? held : broken("/result/value", `${known[0]}, as without the null`, got);
  };

/** Not every target names a second account. */
const optional = { optional: true } as const;

export const baseline: Ask = (options) => balance({ address: compressed(0, "address") }, options);

export const checks: readonly Check[] = [
  check("CB-PAR-01", byAddress(0), takesParams),
  check("CB-ADDR-01", byAddress(0), isKnownBalance(0)),
  check("CB-ADDR-01", byAddress(1), isKnownBalance(1), optional),
  check("CB-HASH-01", byHash(0), servedLike(byAddress(0)), { twin: byAddress(0) }),
  check("CB-HASH-01", byHash(0), isKnownBalance(0)),
  check("CB-HASH-01", byHash(1), isKnownBalance(1), optional),
  scenario("CB-EQ-01", { requests: [byAddress(0), byHash(0)] }, async (context) => [await sameBalance(context, 0)]),
  check("CB-NULL-01", balance({ address: compressed(0, "address"), hash: null }, { id: 13 }), isAlike(byAddress(0)), {
    twin: byAddress(0),
  }),
  check("CB-NULL-01", balance({ hash: compressed(0, "hash"), address: null }, { id: 14 }), isAlike(byHash(0)), {
    twin: byHash(0),
  }),
  check("CB-RES-01", byAddress(0)),
  check("CB-RES-01", byHash(0)),
];
