// The last night of histories in the Common Test Report Format: what is flaky is marked so
import { ctrfDocument, type Status } from "../ctrf.ts";
import { areaOf } from "../described.ts";
import { visible } from "../text.ts";
import type { Kind } from "../words.ts";
import type { History } from "./history.ts";
import { headlineIn, moodOf, trendText, type Words } from "./sections.ts";
import { lastOf, type Strip } from "./strips.ts";

/** What else occurs has passed, warnings included. */
const statuses: { readonly [kind in Kind | "absent"]?: Status } = {
  broken: "failed",
  inconclusive: "other",
  withheld: "skipped",
  deviates: "skipped",
  absent: "skipped",
};

export function historyCtrf(histories: readonly History[], { version, described }: Words): string {
  const sentences = new Map<string, string>(described.tables.requirements.map(({ id, sentence }) => [id, sentence]));
  const testOf = ({ target, kind, nights }: History, strip: Strip) => {
    const { id, trend } = strip;
    const last = lastOf(strip);
    const message = trendText(trend, nights);
    return {
      testId: id,
      name: visible(`${id} ${sentences.get(id) ?? ""}`),
      status: statuses[last] ?? "passed",
      duration: 0,
      suite: [visible(target), kind, areaOf(id)],
      rawStatus: last,
      flaky: trend.is === "flaky",
      ...(message === "" ? {} : { message }),
    };
  };
  const tests = histories.flatMap((history) => [
    // Nothing verified is never green.
    ...(moodOf(history) === "inconclusive"
      ? [{ name: visible(`the nights of ${history.target}`), status: "failed" as const, duration: 0 }]
      : []),
    ...history.strips.map((strip) => testOf(history, strip)),
  ]);
  const lasts = histories.flatMap(({ nights, left }) => nights.at(-1) ?? left.at(-1) ?? []);
  const begins = lasts.map(({ at }) => Date.parse(at));
  return ctrfDocument({
    runId: lasts.map(({ id }) => id).join(","),
    version,
    target: [...new Set(histories.map(({ target }) => target))].join(", "),
    start: Math.min(...begins),
    stop: Math.max(...begins),
    tests,
    extra: { headline: visible(histories.map((one) => `${one.target}: ${headlineIn(one)}`).join("; ")) },
  });
}
