// Checks of getCompressedBalance: by address, by hash, with null members (§4.3)
import { must } from "../../harness/core/finding.ts";
import { exactAt } from "../../harness/core/json.ts";
import { notSettled } from "../../harness/core/outcomes.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import { givenAt } from "../../harness/core/template.ts";
import { type Check, type CheckContext, type Oracle, type Shown } from "../../harness/model/check.ts";
import type { Target } from "../../harness/targets/target.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { forFeature } from "../shared/forFeature.ts";
import { rpcServedLike, shows, takesParams } from "../shared/jsonRpcOracles.ts";
import { balance, compressed } from "../shared/jsonRpcRequests.ts";
import { notTested, onlyServed } from "../shared/masked.ts";
import type { Ask } from "../shared/requestSpecs.ts";

const { check, scenario } = forFeature("compression");
const by = (member: "address" | "hash", nth: number): RequestSpec => balance({ [member]: compressed(nth, member) });
const byAddress = by("address", 0);
const byHash = by("hash", 0);

/** Exact digits; undefined for anything but a number. */
const valueOf = ({ answer }: Exchange): string | undefined =>
  answer?.json ? exactAt(answer.json, "/result/value")?.toFixed() : undefined;

/** The balance that the target file gives for a sample, from a dashboard or the chain, as digits. */
const knownBalance = (target: Target, nth: number): string | undefined => {
  const known = givenAt(target, `/samples/compressed/${nth}/lamports`);
  return typeof known === "string" || typeof known === "number" ? String(known) : undefined;
};

const isKnownBalance = (nth: number) =>
  shows((exchange, { target }) => {
    const got = valueOf(exchange);
    const known = knownBalance(target, nth) ?? got;
    if (got === undefined) throw notTested("the balance is not a number");
    // Beyond 2^53 a balance may have been rounded to a double (T-27, OBS-CB-U64).
    const isRounded = Number(known) > Number.MAX_SAFE_INTEGER && Number(got) === Number(known);
    return must(got === known || isRounded, "/result/value", `${known}, the account's balance`, got);
  });

/** Balances move: equal in one of three attempts is equal, different in all of them is a breach. */
const attempts = 3;

async function sameBalance(context: CheckContext): Promise<Shown> {
  for (let again = 0; ; again += 1) {
    const number = again ? { again } : {};
    const address = onlyServed(await context.ask({ ...byAddress, ...number }));
    const hash = onlyServed(await context.ask({ ...byHash, ...number }));
    const a = valueOf(address);
    const h = valueOf(hash);
    if (a === undefined || h === undefined) throw notTested("a balance is not a number");
    if (a === h || again + 1 === attempts)
      return { exchange: hash, finding: must(a === h, "/result/value", `${a}, as by address`, h) };
  }
}

/** Served as the positive control without the null is, with the same balance, unless the balance moves. */
const isAlike =
  (positiveControl: RequestSpec): Oracle =>
  async (exchange, context) => {
    const finding = await rpcServedLike(positiveControl)(exchange, context);
    if (finding.outcome === "broken") return finding;
    const known = valueOf(await context.ask(positiveControl));
    const later = valueOf(await context.ask({ ...positiveControl, again: 9 }));
    const got = valueOf(exchange);
    if (known !== later) throw notSettled("the balance moves");
    return must(got === known, "/result/value", `${known}, as without the null`, got);
  };

/** Not every target names a second account. */
const optional = { optional: true } as const;

export const baseline: Ask = (options) => balance({ address: compressed(0, "address") }, options);

export const checks: readonly Check[] = [
  check("CB-PAR-01", byAddress, takesParams),
  check("CB-ADDR-01", byAddress, isKnownBalance(0)),
  check("CB-ADDR-01", by("address", 1), isKnownBalance(1), optional),
  check("GEN-NNEG-01", by("address", 1), undefined, optional),
  check("CB-HASH-01", byHash, rpcServedLike(byAddress), { positiveControl: byAddress }),
  check("CB-HASH-01", byHash, isKnownBalance(0)),
  check("CB-HASH-01", by("hash", 1), isKnownBalance(1), optional),
  scenario("CB-EQ-01", { requests: [byAddress, byHash] }, async (context) => [await sameBalance(context)]),
  check("CB-NULL-01", balance({ address: compressed(0, "address"), hash: null }, { id: 13 }), isAlike(byAddress), {
    positiveControl: byAddress,
  }),
  check("CB-NULL-01", balance({ hash: compressed(0, "hash"), address: null }, { id: 14 }), isAlike(byHash), {
    positiveControl: byHash,
  }),
  check("CB-RES-01", byAddress),
  check("CB-RES-01", byHash),
];
