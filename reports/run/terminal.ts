// Terminal lines: what is broken, as it falls and at the end, and the summary of a run.
import { styleText } from "node:util";
import type { Breach } from "../../harness/model/verdict.ts";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { breachText, byCause, counterexampleOf } from "../breach.ts";
import { fewOf } from "../lists.ts";
import { loadSentences } from "../load.ts";
import { counted, countsOf } from "../numbers.ts";
import {
  auditLine,
  byReason,
  expectedText,
  headlineOf,
  nextSteps,
  noticesOf,
  observedLine,
  type Reasoned,
  reasoned,
  samplesLines,
  spentText,
  yieldLine,
} from "../sentences.ts";
import { capped, oneLine } from "../text.ts";
import { countedKind, countOfKind, type Kind, kindOf, presentIn, words } from "../words.ts";

/** Colours a word by what it says; the same text where there are no colours. */
export type Paint = (text: string, as: Kind | "dim") => string;
const plain: Paint = (text) => text;

const styles = { broken: "red", warned: "yellow", inconclusive: "magenta", holds: "green", dim: "dim" } as const;

/** In colour where the stream shows it; NO_COLOR, FORCE_COLOR and TERM are heeded. */
/** @param stream a terminal shows colours, unless it can't or NO_COLOR is set */
export const paintFor = (stream: { readonly isTTY?: boolean; hasColors?(): boolean }): Paint =>
  stream.isTTY && stream.hasColors?.()
    ? (text, as) => (as in styles ? styleText(styles[as as keyof typeof styles], text) : text)
    : (text) => text;

const indent = " ".repeat(8);
/** A value from the platform is cut here. */
const shortest_chars = 160;
/** A line to copy is cut only where it would fill the screen. */
const command_chars = 2_000;
const mostPlaces = 3;
const mostReasons = 6;
const mostAlike = 3;

const short = (text: string): string => capped(oneLine(text), shortest_chars);

type Headed = Parameters<typeof kindOf>[0] & Pick<JudgedRequirement, "id" | "breaches" | "sentence" | "clause">;

const headOf = (judged: Headed, paint: Paint): string => {
  const kind = kindOf(judged);
  return `${paint(words[kind].one.toUpperCase(), kind)}  ${judged.id}  ${oneLine(judged.sentence)}  (${judged.clause})`;
};

const askedText = (title: string, outcome: string): string => `${short(title)} → ${short(outcome)}`;

/** A breach as it falls: the sentence, and the first place that shows it. */
export function liveLines(
  judged: Headed,
  exchange: { readonly title: string; readonly outcome: string } | undefined,
  paint: Paint,
): readonly string[] {
  const [first] = judged.breaches;
  const asked = exchange ? `${askedText(exchange.title, exchange.outcome)} · ` : "";
  return [headOf(judged, paint), ...(first ? [`${indent}${asked}${breachText(first, short)}`] : [])];
}

/** At most 12 lines: sentence and clause, request, answer, where it differs from what was expected, and a replay. */
export const brokenLines = (run: Pick<Run, "exchanges">, requirement: JudgedRequirement): string[] =>
  groupLines(run, [requirement], plain);

/** What is broken, the worst first; what one answer shows at one place stands together. */
export function findingLines(run: Run, paint: Paint = plain): string[] {
  const ofKind = (kind: Kind) => run.requirements.filter((one) => kindOf(one) === kind && one.verdict === "broken");
  const grouped = (kind: Kind) => byCause(run, ofKind(kind));
  return [
    ...[...grouped("broken"), ...grouped("warned")].flatMap((group) => groupLines(run, group, paint)),
    ...ofKind("noted").map(
      (one) => `${headOf(one, paint)}${one.unselected ? ": outside --only, for information" : ""}`,
    ),
  ];
}

function groupLines(
  { exchanges }: Pick<Run, "exchanges">,
  group: readonly JudgedRequirement[],
  paint: Paint,
): string[] {
  const [requirement, ...others] = group;
  if (!requirement) return [];
  const { reason, breaches, replay } = requirement;
  const numbers = [...new Set(breaches.map(({ exchange }) => exchange))];
  const first = exchanges.find(({ number }) => number === numbers[0]);
  const places = breaches.filter(({ exchange }) => exchange === numbers[0]);
  const shown = places.slice(0, mostPlaces);
  const rest = breaches.length - shown.length;
  const inAnswers = numbers.length > 1 ? `, in ${counted(numbers.length, "answer")} in all` : "";
  const alike = fewOf(others, mostAlike);
  const details = [
    ...alike.shown.map(({ id, sentence, clause }) => `so is ${id}  ${short(sentence)}  (${clause})`),
    ...(alike.rest
      ? [
          `so are ${alike.rest} more: ${others
            .slice(-alike.rest)
            .map(({ id }) => id)
            .join(", ")}`,
        ]
      : []),
    ...(reason ? [short(reason)] : []),
    ...(first ? [askedText(first.title, outcomeText(first))] : []),
    ...shown.map((breach) => breachText(breach, short)),
    ...places.flatMap(counterexampleLine).slice(0, 1),
    ...(rest ? [`and at ${counted(rest, "more place")}${inAnswers}`] : []),
    ...(first?.answer?.body ? [`answer: ${short(first.answer.body)}`] : []),
    ...(first ? [capped(oneLine(first.curl), command_chars)] : []),
    `replay: ${capped(oneLine(replay), command_chars)}`,
  ];
  return [headOf(requirement, paint), ...details.map((line) => `${indent}${line}`)];
}

const outcomeText = ({ answer, fault }: Run["exchanges"][number]): string =>
  answer ? String(answer.status) : `no answer (${short(fault ?? "no reason")})`;

function counterexampleLine({ counterexample }: Breach): readonly string[] {
  if (!counterexample) return [];
  const { label, text } = counterexampleOf(counterexample);
  return [`${label}: ${short(text)}`];
}

/** What a reader must know before what is broken, which may follow from it. */
export const causeLines = (run: Run): string[] => noticesOf(run).map((notice) => `${sentenceLine(notice)}.`);

const sentenceLine = (sentence: string): string => capped(oneLine(sentence), command_chars);

/** The last lines of a run: counts, reasons of what was not tested, cost, what to add, and where the report is. */
export function summaryLines(run: Run, folder: string, paint: Paint = plain): string[] {
  const { totals, unchecked, observations } = run;
  const report = `report ${oneLine(folder)}/index.html`;
  if (run.preflight?.ended) return [`${headlineOf(run)}.`, report];
  const next = nextSteps(run);
  const verified = yieldLine(run);
  return [
    `${paint(headlineOf(run), totals.broken > 0 ? "broken" : run.exitCode === 0 ? "holds" : "inconclusive")}.`,
    presentIn(totals)
      .map((kind) => paint(countedKind(countOfKind(totals, kind), kind), kind))
      .join(" · "),
    ...(run.load ? loadSentences(run.load) : []).map(sentenceLine),
    ...reasoned.flatMap((kind) => reasonLines(run, kind)),
    [spentText(run), ...(verified === null ? [] : [`verified: ${verified}`])].join(" · "),
    ...auditLines(run),
    ...samplesLines(run.samples),
    ...(run.remarks ?? []).map(sentenceLine),
    ...(observations.length ? [observedLine(observations, run.unjudged)] : []),
    ...countsOf([unchecked.length, "requirement of the register is", "requirements of the register are"]).map(
      (some) => `${some} not yet checked by this version`,
    ),
    ...(next.length > 0 ? ["What to add next:", ...next.map((step) => `  ${oneLine(step)}`)] : []),
    report,
  ];
}

function auditLines(run: Run): string[] {
  const line = auditLine(run);
  const differing = run.audit?.entries.filter(({ result }) => result === "differs") ?? [];
  return [
    ...(line === null ? [] : [line]),
    ...differing.map(
      (entry) => `  ${oneLine(entry.project)} ${entry.at}: expected ${expectedText(entry)} more, got ${entry.charged}`,
    ),
  ];
}

function reasonLines(run: Run, kind: Reasoned): string[] {
  const groups = byReason(run, kind);
  const { shown, rest } = fewOf(groups, mostReasons);
  const lines = shown.map(
    ({ reason, requirements }) => `  ${String(requirements.length).padStart(4)} ${words[kind].one}: ${short(reason)}`,
  );
  if (rest === 0) return lines;
  const count = groups.slice(shown.length).reduce((total, { requirements }) => total + requirements.length, 0);
  return [...lines, `  ${String(count).padStart(4)} ${words[kind].one} for ${rest} other reasons`];
}
