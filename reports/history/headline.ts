// The last night of a history in a sentence, its verdict first, and the requirements that it names
import { median } from "simple-statistics";
import { againText, slownessText } from "../compare/items.ts";
import { isVerified } from "../compare/requirements.ts";
import { verdictWord } from "../headline.ts";
import { fewOf } from "../lists.ts";
import { counted, countsOf } from "../numbers.ts";
import type { Kind } from "../words.ts";
import type { History } from "./history.ts";
import { boundsParts } from "./loadNights.ts";
import { stepsSince } from "./steps.ts";
import { lastOf, nightDay, type Strip, unjudgedSince, unjudgedText } from "./strips.ts";

export const flakyIn = ({ strips }: History): readonly Strip[] => strips.filter(({ trend }) => trend.is === "flaky");

const idsOf = (strips: readonly Strip[]): readonly string[] => strips.map(({ id }) => id);

const mostNamed = 3;

/** `CYC-PRES-01, USG-FLD-02 are newly broken`; empty where there are none. */
function namedIds(ids: readonly string[], what: string): readonly string[] {
  const { shown: named, rest } = fewOf(ids, mostNamed);
  const all = [...named, ...(rest ? [`${rest} more`] : [])].join(", ");
  return ids.length === 0 ? [] : [`${all} ${ids.length === 1 ? "is" : "are"} ${what}`];
}

/** Requirements that the last night didn't judge, and that were broken when they last were. */
export const unjudgedBroken = ({ strips }: History): readonly Strip[] =>
  strips.filter((strip) => unjudgedSince(strip)?.kind === "broken");

/** `USG-FLD-01 is not judged since 2026-11-06 (broken then)`; empty where there is none. */
function unjudgedParts(history: History): readonly string[] {
  const strips = unjudgedBroken(history);
  const [only] = strips;
  return only && strips.length === 1
    ? [`${only.id} is ${unjudgedText(only, history.nights)}`]
    : namedIds(idsOf(strips), "no longer judged (broken when they last were)");
}

export const againIn = ({ strips }: History): readonly Strip[] =>
  strips.filter((strip) => strip.trend.is === "broken again" && lastOf(strip) === "broken");

/** Latencies are on another level for a month, then on their own. */
const recentNights = 30;

/** `getTransfers p95 is 3.1 × slower since 2026-11-05 and 2 more operations are slower`; empty where none is. */
function slownessParts(history: History): readonly string[] {
  const { nights, latencies } = history;
  const slower = stepsSince(history, nights.length - 1 - recentNights).filter(({ was, is }) => is > was);
  const [worst] = [...slower].sort((a, b) => b.is / b.was - a.is / a.was);
  if (!worst) return [];
  const since = `since ${nightDay(nights[worst.night]?.at ?? "")}`;
  const isOfAll = slower.length > 1 && slower.length === latencies.length;
  if (isOfAll && slower.every(({ night }) => night === worst.night)) {
    const slowness = slownessText({ was: 1, is: median(slower.map(({ was, is }) => is / was)) });
    const all = slower.length === 2 ? "both" : `all ${slower.length}`;
    return [`${all} operations are ${slowness} in the median ${since}`];
  }
  const more = slower.length > 1 ? `, and ${counted(slower.length - 1, "more operation")} slower` : "";
  return [`${worst.operation} ${worst.percentile} is ${slownessText(worst)} ${since}${more}`];
}

/** `the last night, 2026-11-14, is left out, as it didn't finish`; empty where it isn't. */
function leftOutParts({ nights, left, last }: History): readonly string[] {
  if (last.left === null) return [];
  const end_ms = Date.parse(nights.at(-1)?.at ?? "");
  const later = left.filter(({ at }) => !(Date.parse(at) <= end_ms));
  const [first = last] = later;
  return later.length > 1
    ? [`the last ${later.length} nights, since ${nightDay(first.at)}, are left out, the last as ${last.left}`]
    : [`the last night, ${nightDay(last.at)}, is left out, as ${last.left}`];
}

/** The last night in a sentence, without full stop. */
export function historyHeadline(history: History): string {
  const { newlyBroken, strips } = history;
  const again = againIn(history);
  const isBrokenAsBefore = (strip: Strip): boolean =>
    lastOf(strip) === "broken" &&
    strip.trend.is !== "flaky" &&
    !again.includes(strip) &&
    !newlyBroken.includes(strip.id);
  const broken = [
    ...namedIds(
      newlyBroken.filter((id) => !again.some((strip) => strip.id === id)),
      "newly broken",
    ),
    ...again.map(({ id, trend }) => `${id} is ${trend.is === "broken again" ? againText(trend) : ""}`),
    ...namedIds(idsOf(strips.filter(isBrokenAsBefore)), "broken as before"),
  ];
  const flaky = namedIds(idsOf(flakyIn(history)), "flaky");
  const none = verifiesNothing(history) ? "nothing was verified" : "nothing is broken";
  const parts = [
    ...boundsParts(history),
    ...(endingBroken(history).length > 0 ? broken : [none]),
    ...flaky,
    ...leftOutParts(history),
    ...unjudgedParts(history),
    ...slownessParts(history),
    ...countsOf(
      [knownIn(history).length, "known issue"],
      [fixedIn(history).length, "known issue is fixed", "known issues are fixed"],
    ),
  ];
  return `${moodWords[historyMood(history)]}: ${parts.join("; ")}`;
}

export const moodWords = { holds: verdictWord(0), broken: verdictWord(1), inconclusive: verdictWord(3) };

const endingAs =
  (kind: Kind) =>
  ({ strips }: History): readonly Strip[] =>
    strips.filter((strip) => lastOf(strip) === kind);
const endingBroken = endingAs("broken");
export const knownIn = endingAs("deviates");
export const fixedIn = endingAs("fixed");

/** Nothing that the last night judged is verified: never green. */
export const verifiesNothing = ({ strips }: History): boolean =>
  !strips.some((strip) => isVerified({ kind: lastOf(strip) }));

/**
 * Nothing of what was broken when it was last judged is green, and nothing whose last night is left out; what is flaky
 * is neither.
 */
export function historyMood(history: History): "broken" | "holds" | "inconclusive" {
  const broken = endingBroken(history);
  if (broken.some(({ trend }) => trend.is !== "flaky") || boundsParts(history).length > 0) return "broken";
  const isOpen = verifiesNothing(history) || unjudgedBroken(history).length > 0 || history.last.left !== null;
  const isUnsure = isOpen || broken.length > 0;
  return isUnsure ? "inconclusive" : "holds";
}
