// Histories for programs: as JSON, and as CTRF

import { areaName, areaOf } from "../described.ts";
import { ctrfDocument, type Status } from "../run/ctrf.ts";
import { visible } from "../text.ts";
import type { Kind } from "../words.ts";
import type { DocumentChange } from "./documentChanges.ts";
import { historyHeadline, historyMood, verifiesNothing } from "./headline.ts";
import type { History } from "./history.ts";
import { type Night, withoutHistograms } from "./night.ts";
import { lastOf, trendText, unjudgedText } from "./strips.ts";
import type { HistoryWords } from "./view.ts";

/** Without what only a history's file has: histograms, and what is packed. */
export function historiesForPrograms(
  histories: readonly History[],
  documents: readonly DocumentChange[],
): readonly object[] {
  const plain = ({ packed: _, ...night }: Night) => night;
  return histories.map(({ last: _, ...history }) => ({
    ...history,
    documents: documents.filter(({ target }) => target === history.target),
    nights: history.nights.map((night) => plain(withoutHistograms(night))),
    left: history.left.map(({ id, at, left: reason }) => ({ id, at, reason })),
    strips: history.strips.map(({ states, ...strip }) => ({ ...strip, kinds: states.map(({ kind }) => kind) })),
  }));
}

/** What else occurs has passed, warnings included. */
const statuses: { readonly [kind in Kind | "absent"]?: Status } = {
  broken: "failed",
  inconclusive: "other",
  withheld: "skipped",
  untestable: "skipped",
  deviates: "skipped",
  absent: "skipped",
};

/** The last night of each, in the Common Test Report Format: what is flaky is marked so. */
export function historyCtrf(histories: readonly History[], { version, described }: HistoryWords): string {
  const tests = histories.flatMap((history) => {
    const target = visible(history.target);
    // Nothing verified is never green.
    const none = { name: `the nights of ${target}`, status: "failed" as const, duration: 0 };
    const cases = history.strips.map((strip) => ({
      testId: strip.id,
      name: visible(`${strip.id} ${strip.sentence}`),
      status: statuses[lastOf(strip)] ?? "passed",
      duration: 0,
      suite: [target, history.kind, areaName(described, areaOf(strip.id))],
      rawStatus: lastOf(strip),
      flaky: strip.trend.is === "flaky",
      message: unjudgedText(strip, history.nights) || trendText(strip.trend, history.nights) || undefined,
    }));
    const isNone = historyMood(history) !== "broken" && verifiesNothing(history);
    return isNone ? [none, ...cases] : cases;
  });
  const begins = histories.map(({ last }) => Date.parse(last.at));
  return ctrfDocument({
    runId: histories.map(({ last }) => last.id).join(","),
    version,
    target: [...new Set(histories.map(({ target }) => target))].join(", "),
    start: Math.min(...begins),
    stop: Math.max(...begins),
    tests,
    extra: { headline: visible(histories.map((one) => `${one.target}: ${historyHeadline(one)}`).join("; ")) },
  });
}
