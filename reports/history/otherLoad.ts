// Since when the nights of a load are those of another: its latencies can't be told from the platform's
import { type Block, note } from "../document/document.ts";
import { toTenths } from "../numbers.ts";
import type { History } from "./history.ts";
import { nightDay } from "./strips.ts";

/** Rates are rounded where loads are planned. */
const otherRate = 0.05;

type Phases = readonly { readonly perSecond: number }[];

/** A load that ends early has fewer phases. */
const isOtherLoad = (was: Phases, is: Phases): boolean =>
  is.some(({ perSecond }, nth) => {
    const before = was[nth]?.perSecond ?? perSecond;
    return Math.abs(perSecond - before) > otherRate * Math.max(perSecond, before);
  });

/** Latencies at other rates don't tell whether the platform is slower. */
export function otherLoadBlocks({ nights, kind }: History): readonly Block[] {
  if (kind === "run") return [];
  const phases = nights.map(({ load }) => load?.phases ?? []);
  const night = phases.findLastIndex((is, nth) => nth > 0 && isOtherLoad(phases[nth - 1] ?? [], is));
  if (night < 0) return [];
  const [was, is] = [night - 1, night].map((nth) =>
    toTenths(Math.max(...(phases[nth] ?? []).map(({ perSecond }) => perSecond))),
  );
  const since = nightDay(nights[night]?.at ?? "");
  return [note(`Not the same load since ${since}: up to ${is}/s, ${was}/s before. It may be why latency changed.`)];
}
