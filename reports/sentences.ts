// Sentences on a run as a whole, the same in every report; none ends with a full stop.
import type { Json } from "../harness/core/json.ts";
import { describeOutage } from "../harness/core/outageReason.ts";
import { withoutFigures } from "../harness/core/quoting.ts";
import { describeUntried } from "../harness/model/shown.ts";
import type { Run } from "../harness/record/run.ts";
import { describeRenamed } from "../harness/targets/renaming.ts";
import { headlinedOutages } from "./headline.ts";
import { fewOf, groupedBy, listedTogether } from "./lists.ts";
import { loadAlone } from "./load.ts";
import { counted, countsOf, durationText, numberText } from "./numbers.ts";
import { capped } from "./text.ts";
import { type Kind, kindOf } from "./words.ts";

/** The message of a defect may quote a whole answer. */
const longestMessage_chars = 200;

/** Whether calls of known charge were served, and no figure moved. */
function isNothingCharged({ audit }: Pick<Run, "audit">): boolean {
  const owed = audit?.entries.filter(({ spent }) => Number(spent.least) > 0) ?? [];
  return owed.length > 0 && owed.every(({ charged }) => charged !== null && Number(charged) <= 0);
}

const mostCauses = 3;
const mostListed = 5;

/** Failures that didn't recur: how many of all requests, why, and where to look. */
function intermittentNotice({ intermittent = [], spent }: Run): readonly string[] {
  const total = intermittent.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return [];
  const causes = intermittent.slice(0, mostCauses).map(({ cause, count, exchanges: [first] }) => {
    return `${numberText(count)} × ${capped(cause, longestMessage_chars)} (first in exchange ${first})`;
  });
  const rest = intermittent.length - causes.length;
  return [
    `Intermittent: ${numberText(total)} of ${counted(spent.requests, "request")} failed in a way that didn't recur, ` +
      `which proves nothing: ${[...causes, ...(rest > 0 ? [`${rest} other kinds`] : [])].join(", ")}`,
  ];
}

/** Outages of the run: since when nothing was answered properly, and the likely cause. */
export const outageNotices = ({ outages = [] }: Pick<Run, "outages">): readonly string[] =>
  outages.map((outage) => {
    const sentence = describeOutage(outage);
    // One that begins with the platform's name keeps it as the target file writes it.
    const isNamed = outage.stopped !== undefined && outage.until === undefined;
    const first = isNamed ? sentence.charAt(0) : sentence.charAt(0).toUpperCase();
    return capped(`${first}${sentence.slice(1)}`, longestMessage_chars);
  });

/** Why nothing was judged, where the preflight passed; of a load its first line says so. */
function unansweredNotice(run: Run): readonly string[] {
  const { holds, inconclusive } = run.totals;
  const [most] = byReason(run, "inconclusive");
  if (holds > 0 || inconclusive === 0 || run.preflight || run.outages || loadAlone(run) || !most) return [];
  const some = counted(most.requirements.length, "requirement is", "requirements are");
  return [`No answer could be judged: ${some} inconclusive, as ${capped(most.reason, longestMessage_chars)}`];
}

/** What a recording contained, how much of it was judged, and why the rest wasn't. */
function recordingNotice({ recording }: Run): readonly string[] {
  if (!recording) return [];
  const { sources, exchanges, judged, operations, unjudged } = recording;
  const listed = (texts: readonly string[], between = ", "): string => {
    const { shown, rest } = fewOf(texts, mostListed);
    return [...shown, ...countsOf([rest, "more", "more"])].join(between);
  };
  const calls = listed(operations.map((one) => `${one.operation} ${numberText(one.exchanges)}`));
  // Reasons are sentences of their own.
  const reasons = listed(
    unjudged.map((one) => `${numberText(one.exchanges)} × ${one.reason}`),
    "; ",
  );
  const read = `${counted(exchanges, "exchange")} of ${listed(sources)}, ${numberText(judged)} judged by all laws`;
  return [judged > 0 ? `${read}: ${calls}` : read, ...(reasons ? [`Not judged: ${reasons}`] : [])];
}

/** What checks threw: the user's own with its place, and what to report of Assay's. */
function defectNotices({ requirements, observations, version, command }: Run): readonly string[] {
  const failed = [...requirements, ...observations.map((one) => ({ ...one, replay: command }))].flatMap(
    ({ id, defect, replay }) => (defect ? [{ id, replay, ...defect }] : []),
  );
  return [true, undefined].flatMap((isCustom) => {
    const [first, ...others] = failed.filter((one) => one.isCustom === isCustom);
    if (!first) return [];
    const { id, message, at, replay } = first;
    const checks = others.length > 0 ? `Check ${id} and ${counted(others.length, "other")}` : `Check ${id}`;
    const threw = `${checks} threw an error: ${capped(message, longestMessage_chars)}`;
    if (isCustom) return [`${threw} (${at})`];
    const report = `Report it to Assay's maintainers with the run's folder (Assay ${version}); replay: ${replay}`;
    return [`${threw} ${at}. ${report}`];
  });
}

/** What a reader must know before the verdicts: defects of Assay, projects that others used, missing charges. */
export function noticesOf(run: Run): string[] {
  const { usedByOthers = [] } = run;
  return [
    ...recordingNotice(run),
    ...(run.preflight?.unusable ?? []),
    ...outageNotices({ outages: run.outages?.filter((outage) => !headlinedOutages(run).includes(outage)) ?? [] }),
    ...intermittentNotice(run),
    ...unansweredNotice(run),
    ...defectNotices(run),
    ...(usedByOthers.length > 0
      ? [
          `Others used the ${usedByOthers.length > 1 ? "projects" : "project"} ${listedTogether(usedByOthers)} ` +
            "during this run, perhaps another run did, so what was charged there isn't judged",
        ]
      : []),
    ...(isNothingCharged(run)
      ? [
          "No charge showed by the end of this run, so charges aren't judged: they are late, or never made. " +
            "If the platform states when charges show, set `settlesWithin_s` in the target file",
        ]
      : []),
  ];
}

const mostUnlocks = 5;

export function unlockText({ add, requirements, seconds }: NonNullable<Run["unlocks"]>[number]): string {
  const time = seconds === undefined ? "" : `, about ${seconds} s`;
  return `${counted(requirements, "more requirement")}${time}: ${add}`;
}

/** What to add to the target file next, the most first; empty where there is nothing, or where nothing was tested. */
export const nextSteps = ({ unlocks = [], preflight }: Pick<Run, "unlocks" | "preflight">): readonly string[] =>
  preflight?.ended ? [] : unlocks.slice(0, mostUnlocks).map(unlockText);

type Cost = Pick<Run["spent"], "credits" | "unpriced">;

const costText = ({ credits, unpriced }: Cost, unpricedCalls: string): string =>
  [...(credits || !unpriced ? [counted(credits, "credit")] : []), ...(unpriced ? [unpricedCalls] : [])].join(" + ");

/** The cost of a plan, or what was spent in the end, e.g. `1,200 credits + 578 unpriced calls`. */
export const creditsText = (cost: Cost): string => costText(cost, counted(cost.unpriced, "unpriced call"));

/** The same, where a view first names a cost, e.g. `1,200 credits + 578 calls (price not published)`. */
export const explainedCreditsText = (cost: Cost): string =>
  costText(cost, `${counted(cost.unpriced, "call")} (price not published)`);

/** What a run spent, how long it took, and how much of that the platform imposed. */
export const spentText = (
  run: Pick<Run, "spent" | "startedAt" | "endedAt" | "waited" | "recording">,
  credits = creditsText(run.spent),
): string =>
  run.recording ? `judged${tookText(run)}` : `${counted(run.spent.requests, "request")}${tookText(run)}, ${credits}`;

function tookText({ startedAt, endedAt, waited }: Pick<Run, "startedAt" | "endedAt" | "waited">): string {
  if (endedAt === null) return "";
  const shares = [
    [waited?.schedules_s, "for limits over time"],
    [waited?.charges_s, "for charges to settle"],
    [waited?.limits_s, "to stay within limits"],
  ] as const;
  const parts = shares.flatMap(([seconds = 0, what]) => (seconds >= 1 ? [`${durationText(seconds)} ${what}`] : []));
  const took = durationText((Date.parse(endedAt) - Date.parse(startedAt)) / 1000);
  return ` in ${took}${parts.length > 0 ? ` (${parts.join(", ")})` : ""}`;
}

const origins = { made: "made for this run", profile: "public facts", found: "found", missing: "not found" } as const;

/** What the target file didn't give, in one line; none where it gave all. @param sought what a plan will look for */
export function samplesLines(samples: Run["samples"] = [], sought: readonly string[] = []): readonly string[] {
  const places = [
    ...samples.map(({ at, by }) => [origins[by], at] as const),
    ...sought.map((at) => ["looked for when needed", at] as const),
  ];
  const texts = [...groupedBy(places, ([origin]) => origin)].map(
    ([origin, some]) => `${origin}: ${[...new Set(some.map(([, at]) => at.split("/")[2]))].join(", ")}`,
  );
  return texts.length > 0 ? [texts.join(" · ")] : [];
}

/** An observed value. */
export function valueText(value: Json): string {
  if (Array.isArray(value)) return value.map(valueText).join(" | ");
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([name, member]) => `${name} ${valueText(member)}`)
    .join(", ");
}

/** How many unspecified behaviours were observed. @param unjudged answers that no law judged, where there were some */
export function observedLine(observations: Run["observations"], unjudged: Run["unjudged"] = []): string {
  const of = (wanted: Run["observations"][number]["state"]): number =>
    observations.filter(({ state }) => state === wanted).length;
  const answers = unjudged.reduce((total, { exchanges }) => total + exchanges, 0);
  return [
    `${counted(of("stable"), "unspecified behaviour")} observed`,
    ...countsOf([of("unstable"), "varied", "varied"], [of("withheld"), "not observed", "not observed"]),
    ...countsOf([answers, "answer not judged by laws", "answers not judged by laws"]),
  ].join(" · ");
}

/** Kinds of which several requirements share a reason, in the order of reports. */
export const reasoned = ["inconclusive", "renamed", "narrowed", "withheld", "untestable"] as const;
export type Reasoned = (typeof reasoned)[number];
/** Where there is little room: what can't be tested there needs no reason. */
export const reasonsWorthALine = reasoned.filter((kind) => kind !== "untestable");

/** Requirements of a kind by their reason, such as what is lacking, the commonest first; the first one says it. */
export function byReason({ requirements }: Pick<Run, "requirements">, kind: Kind) {
  const of = requirements.filter((one) => kindOf(one) === kind);
  const reasonOf = ({ reason, narrowed, renamed }: (typeof of)[number]): string => {
    if (kind === "renamed" && renamed) return describeRenamed(renamed);
    return (kind === "narrowed" && narrowed ? describeUntried(narrowed) : reason) ?? "no reason given";
  };
  return [...groupedBy(of, (one) => withoutFigures(reasonOf(one))).values()]
    .map((members) => ({ reason: reasonOf(members[0]), requirements: members }))
    .sort((a, b) => b.requirements.length - a.requirements.length);
}
