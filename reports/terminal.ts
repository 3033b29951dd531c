// What does somebody read on the terminal when a promise is broken, and when the run is over?
import { saying } from "../harness/core/finding.ts";
import { canonical } from "../harness/core/json.ts";
import type { Breach } from "../harness/model/verdict.ts";
import type { JudgedRequirement, Run } from "../harness/record/run.ts";
import { loadSentences } from "./load.ts";
import { capped, oneLine, shown } from "./text.ts";
import {
  auditLine,
  costOf,
  counted,
  expectedOf,
  headlineOf,
  kindOf,
  kinds,
  observedLine,
  withheldByReason,
  words,
  yieldLine,
} from "./words.ts";

const indent = " ".repeat(8);
/** A value from the platform is cut here. */
const shortest_chars = 160;
/** A line to copy is cut only where it would fill the screen. */
const command_chars = 2_000;
const mostPlaces = 3;
const mostReasons = 6;

const short = (text: string): string => capped(oneLine(text), shortest_chars);

/** At most 12 lines: sentence and clause, what was sent, what came back, where it differs, and how to see it again. */
export function brokenLines({ exchanges }: Pick<Run, "exchanges">, requirement: JudgedRequirement): string[] {
  const { id, sentence, clause, reason, breaches, replay } = requirement;
  const numbers = [...new Set(breaches.map(({ exchange }) => exchange))];
  const first = exchanges.find(({ number }) => number === numbers[0]);
  const places = breaches.filter(({ exchange }) => exchange === numbers[0]);
  const told = places.slice(0, mostPlaces);
  const untold = breaches.length - told.length;
  const details = [
    ...(reason ? [short(reason)] : []),
    ...(first ? [`${short(first.title)} → ${cameBack(first)}`] : []),
    ...told.map(placeLine),
    ...places.flatMap(caseLine).slice(0, 1),
    ...(untold
      ? [
          `and at ${counted(untold, "more place")}${numbers.length > 1 ? `, in ${counted(numbers.length, "answer")} in all` : ""}`,
        ]
      : []),
    ...(first?.answer?.body ? [`answered: ${short(first.answer.body)}`] : []),
    ...(first ? [capped(oneLine(first.curl), command_chars)] : []),
    `again: ${capped(oneLine(replay), command_chars)}`,
  ];
  return [
    `${words[kindOf(requirement)].one.toUpperCase()}  ${id}  ${oneLine(sentence)}  (${clause})`,
    ...details.map((line) => `${indent}${line}`),
  ];
}

const cameBack = ({ answer, fault }: Run["exchanges"][number]): string =>
  answer ? String(answer.status) : `no answer (${short(fault ?? "no reason")})`;

/** `shown` first: what stands there may be nested deeper than a stack. */
const placeLine = ({ at, expected, got }: Breach): string =>
  `at ${short(at) || "the whole body"}: expected ${short(expected)}, got ${short(saying(shown(got)))}`;

const caseLine = ({ counterexample }: Breach): readonly string[] =>
  counterexample
    ? [
        `of generated cases: ${short(canonical(counterexample.values))}${counterexample.isMinimal ? ", as small as could be" : "; not fully shrunk: budget"}`,
      ]
    : [];

/** The last lines of a run: how many of what, why not the others, and where the report is. */
export function summaryLines(run: Run, folder: string): string[] {
  const { totals, unchecked, observations, complete } = run;
  const counts = [...kinds]
    .sort((a, b) => Number(b === "holds") - Number(a === "holds"))
    .filter((kind) => kind === "holds" || totals[kind] > 0);
  const line = counts.map((kind) => counted(totals[kind], words[kind].one, words[kind].many)).join(" · ");
  return [
    ...(complete && totals.holds > 0 ? [] : [`${headlineOf(run)}.`]),
    line,
    ...(run.load ? loadSentences(run.load).map((sentence) => capped(oneLine(sentence), command_chars)) : []),
    ...withheldLines(run),
    `${costOf(run.spent)} in ${counted(run.spent.requests, "request")}${run.load ? "" : ` · ${yieldLine(run)}`}`,
    ...auditLines(run),
    ...(observations.length ? [observedLine(observations)] : []),
    ...(unchecked.length
      ? [
          `${counted(unchecked.length, "requirement")} of the register ${unchecked.length === 1 ? "is" : "are"} not yet checked by this version`,
        ]
      : []),
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

function withheldLines(run: Run): string[] {
  const groups = withheldByReason(run);
  const told = groups.length > mostReasons ? groups.slice(0, mostReasons - 1) : groups;
  const lines = told.map(
    ({ reason, requirements }) => `  ${String(requirements.length).padStart(4)} withheld: ${short(reason)}`,
  );
  const untold = groups.slice(told.length);
  if (untold.length === 0) return lines;
  const count = untold.reduce((total, { requirements }) => total + requirements.length, 0);
  return [...lines, `  ${String(count).padStart(4)} withheld for ${untold.length} other reasons`];
}
