// Checks that two keys or carriers read the same figures, by reads in turn (§1, §5.2).
import { broken, held } from "../../harness/core/finding.ts";
import { notSeen, notSettled } from "../../harness/core/outcomes.ts";
import { type Asker, type RequestSpec, withCarrier } from "../../harness/core/requestSpec.ts";
import type { Check, CheckContext, Shown } from "../../harness/model/check.ts";
import { keyOf } from "../../harness/targets/target.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { documentedPlaces } from "../shared/figures.ts";
import { forFeature } from "../shared/forFeature.ts";
import { notTested } from "../shared/masked.ts";
import { usageRequest } from "../shared/requestSpecs.ts";
import { figureAt, valueIn } from "./usageReader.ts";

const { scenario } = forFeature("usage");

/** A role's key, by one carrier or by whichever the engine prefers. */
interface Way {
  readonly as: Asker;
  readonly keyIn?: "header" | "query";
}

/** Numbered before its carrier is set, as other checks read by whichever the engine prefers, which may be the same. */
function newRead({ as, keyIn }: Way, fresh: CheckContext["fresh"]): RequestSpec {
  const read = fresh(usageRequest({ as }));
  return keyIn ? withCarrier(read, keyIn) : read;
}

/** A figure of the middle read that lies outside the two reads around it. */
interface Outside {
  readonly at: string;
  readonly side: "below" | "above";
  readonly shown: Shown;
}

function outsides(before: Exchange, middle: Exchange, after: Exchange): readonly Outside[] {
  return documentedPlaces.flatMap((at) => {
    const [first, between, last] = [before, middle, after].map((exchange) => figureAt(exchange, at));
    if (!first || !between || !last) return [];
    const [low, high] = first.lt(last) ? [first, last] : [last, first];
    if (between.gte(low) && between.lte(high)) return [];
    const range = low.eq(high) ? low.toFixed() : `from ${low.toFixed()} to ${high.toFixed()}`;
    const finding = broken(at, `${range}, as read before and after`, between);
    return [{ at, side: between.lt(low) ? "below" : "above", shown: { exchange: middle, finding } }];
  });
}

const isOfOneCycle = (exchanges: readonly Exchange[]): boolean =>
  new Set(exchanges.map((exchange) => valueIn(exchange, "/creditCycle/start"))).size === 1;
const hasConsumed = (exchange: Exchange): boolean => figureAt(exchange, "/creditsUsed")?.gt(0) === true;

/** One read may come from a replica or a cache; only what is off in the same direction every time may be broken. */
const attempts = 3;

/** Replicas may be so far behind each other, and each key may have one of its own. */
const apart_ms = 25_000;

/** Whether the same way never showed a figure as low or as high, in this cycle. */
function isBeyond({ at, side, shown }: Outside, way: Way, { exchanges, target }: CheckContext): boolean {
  const value = figureAt(shown.exchange, at);
  const cycle = valueIn(shown.exchange, "/creditCycle/start");
  const known = exchanges().flatMap((exchange) => {
    const [carrier] = exchange.requestSpec.carriers;
    const isSame =
      exchange.isOwn &&
      exchange.asker?.role === keyOf(target, way.as)?.role &&
      carrier?.in === (way.keyIn ?? carrier?.in);
    return isSame && valueIn(exchange, "/creditCycle/start") === cycle ? (figureAt(exchange, at) ?? []) : [];
  });
  return value !== undefined && known.every((one) => (side === "below" ? one.gt(value) : one.lt(value)));
}

/** @param needsFigures zeros alone agree whatever they count, so something must have been consumed */
const agree = (id: RequirementId, first: Way, other: Way, needsFigures = false): Check =>
  // `other` is read between two reads of `one`, so that traffic meanwhile can't explain a difference.
  scenario(
    id,
    { requests: [usageRequest(first), usageRequest(other), usageRequest({ ...first, again: 1 })] },
    async (context) => {
      const { ask, fresh } = context;
      let off: readonly Outside[] | null = null;
      for (let nth = 0; nth < attempts; nth += 1) {
        const exchanges: Exchange[] = [];
        for (const way of [first, other, first]) exchanges.push(await ask(newRead(way, fresh)));
        const [before, middle, after] = exchanges as [Exchange, Exchange, Exchange];
        if (exchanges.some(({ answer }) => answer?.status !== 200))
          throw notTested(`the reads got ${exchanges.map(({ answer }) => answer?.status).join(", ")}`);
        if (needsFigures && !hasConsumed(before))
          throw notSeen("nothing was consumed in this cycle, so its zeros could be any project's");
        if (!isOfOneCycle(exchanges)) continue;
        const found = outsides(before, middle, after);
        const earlier: readonly Outside[] = off ?? found;
        off = found.filter(({ at, side }) => earlier.some((one) => one.at === at && one.side === side));
        if (off.length === 0) return [{ exchange: middle, finding: held }];
      }
      if (!off) throw notSettled("a new cycle began between the reads, every time");
      // What one replica shows now, another has shown or will show.
      await context.wait(apart_ms, "charges");
      const last = await ask(newRead(first, fresh));
      const beyond = off.filter((found) => isBeyond(found, first, context));
      return beyond.length > 0 ? beyond.slice(0, 1).map(({ shown }) => shown) : [{ exchange: last, finding: held }];
    },
  );

export const checks: readonly Check[] = [
  agree("MET-SCOPE-02", { as: "paid" }, { as: "second" }, true),
  agree("AUTH-ADM-EQ-01", { as: "owner", keyIn: "header" }, { as: "owner", keyIn: "query" }),
];
