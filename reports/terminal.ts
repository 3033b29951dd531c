// Terminal lines for a broken requirement, and for the end of a run.
import type { Breach } from "../harness/model/verdict.ts";
import type { JudgedRequirement, Run } from "../harness/record/run.ts";
import { breachText, counterexampleOf } from "./breach.ts";
import { fewOf } from "./lists.ts";
import { loadSentences } from "./load.ts";
import { counted, countsOf } from "./numbers.ts";
import {
  auditLine,
  byReason,
  costOf,
  expectedOf,
  headlineOf,
  noticesOf,
  observedLine,
  type Reasoned,
  reasoned,
  samplesLines,
  yieldLine,
} from "./sentences.ts";
import { capped, oneLine } from "./text.ts";
import { countedKind, countIn, kindOf, kinds, words } from "./words.ts";

const indent = " ".repeat(8);
/** A value from the platform is cut here. */
const shortest_chars = 160;
/** A line to copy is cut only where it would fill the screen. */
const command_chars = 2_000;
const mostPlaces = 3;
const mostReasons = 6;

const short = (text: string): string => capped(oneLine(text), shortest_chars);

/** At most 12 lines: sentence and clause, request, answer, where it differs from what was expected, and a replay. */
export function brokenLines({ exchanges }: Pick<Run, "exchanges">, requirement: JudgedRequirement): string[] {
  const { id, sentence, clause, reason, breaches, replay } = requirement;
  const numbers = [...new Set(breaches.map(({ exchange }) => exchange))];
  const first = exchanges.find(({ number }) => number === numbers[0]);
  const places = breaches.filter(({ exchange }) => exchange === numbers[0]);
  const shown = places.slice(0, mostPlaces);
  const rest = breaches.length - shown.length;
  const inAnswers = numbers.length > 1 ? `, in ${counted(numbers.length, "answer")} in all` : "";
  const details = [
    ...(reason ? [short(reason)] : []),
    ...(first ? [`${short(first.title)} → ${outcomeText(first)}`] : []),
    ...shown.map((breach) => breachText(breach, short)),
    ...places.flatMap(counterexampleLine).slice(0, 1),
    ...(rest ? [`and at ${counted(rest, "more place")}${inAnswers}`] : []),
    ...(first?.answer?.body ? [`answer: ${short(first.answer.body)}`] : []),
    ...(first ? [capped(oneLine(first.curl), command_chars)] : []),
    `replay: ${capped(oneLine(replay), command_chars)}`,
  ];
  return [
    `${words[kindOf(requirement)].one.toUpperCase()}  ${id}  ${oneLine(sentence)}  (${clause})`,
    ...details.map((line) => `${indent}${line}`),
  ];
}

const outcomeText = ({ answer, fault }: Run["exchanges"][number]): string =>
  answer ? String(answer.status) : `no answer (${short(fault ?? "no reason")})`;

function counterexampleLine({ counterexample }: Breach): readonly string[] {
  if (!counterexample) return [];
  const { label, text } = counterexampleOf(counterexample);
  return [`${label}: ${short(text)}`];
}

/** The last lines of a run: counts, reasons of what was withheld, cost, and where the report is. */
export function summaryLines(run: Run, folder: string): string[] {
  const { totals, unchecked, observations, complete } = run;
  const counts = [...kinds]
    .sort((a, b) => Number(b === "holds") - Number(a === "holds"))
    .filter((kind) => kind === "holds" || countIn(totals, kind) > 0);
  const line = counts.map((kind) => countedKind(countIn(totals, kind), kind)).join(" · ");
  return [
    ...(complete && totals.holds > 0 ? [] : [`${headlineOf(run)}.`]),
    ...noticesOf(run).map((notice) => `${capped(oneLine(notice), command_chars)}.`),
    line,
    ...(run.load ? loadSentences(run.load).map((sentence) => capped(oneLine(sentence), command_chars)) : []),
    ...reasoned.flatMap((kind) => reasonLines(run, kind)),
    `${costOf(run.spent)} in ${counted(run.spent.requests, "request")}` +
      (run.load ? "" : ` · verified: ${yieldLine(run)}`),
    ...auditLines(run),
    ...samplesLines(run.samples),
    ...(observations.length ? [observedLine(observations)] : []),
    ...countsOf([unchecked.length, "requirement of the register is", "requirements of the register are"]).map(
      (some) => `${some} not yet checked by this version`,
    ),
    `report ${oneLine(folder)}/index.html`,
  ];
}

function auditLines(run: Run): string[] {
  const line = auditLine(run);
  const differing = run.audit?.entries.filter(({ result }) => result === "differs") ?? [];
  return [
    ...(line === null ? [] : [line]),
    ...differing.map(
      (entry) => `  ${oneLine(entry.project)} ${entry.at}: expected ${expectedOf(entry)} more, got ${entry.charged}`,
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
