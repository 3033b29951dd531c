// What nights of loads say besides latency: another load, bounds of the target file, refusals and failures
import type { LatencyBound } from "../../harness/record/load.ts";
import { boundsHeadline } from "../bounds.ts";
import { shareTexts } from "../compare/loadView.ts";
import { changesSection } from "../compare/view.ts";
import { type Block, note, type Section } from "../document/document.ts";
import { counted, toTenths } from "../numbers.ts";
import { loadChangeOn } from "./comparedLatencies.ts";
import type { History } from "./history.ts";
import type { Night } from "./night.ts";
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

/** How many more, or fewer, of a load's requests were refused or failed. */
export function sharesSection({ nights }: History, nth: number): Section {
  const [was, is] = [nights[nth], nights.at(-1)];
  const load = was && is ? loadChangeOn(was, is) : null;
  return changesSection(["noted", "Refusals and failures"], load ? shareTexts({ load }) : [], (text) => [text]);
}

const boundsOn = (night: Night | undefined): { readonly bounds: readonly LatencyBound[] } => ({
  bounds: night?.load?.exceeded ?? [],
});

/** `getA answered with p95 182 ms, above the target file's bound of 150 ms, on 2 of 8 nights`; empty where none did. */
export function boundsParts({ nights }: History): readonly string[] {
  const headline = boundsHeadline(boundsOn(nights.at(-1)));
  if (headline === null) return [];
  const exceeding = nights.filter((night) => boundsHeadline(boundsOn(night)) !== null).length;
  return [`${headline}, on ${exceeding} of ${counted(nights.length, "night")}`];
}
