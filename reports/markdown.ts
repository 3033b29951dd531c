// What does somebody read of a run in a job's summary or a pull request? GitHub-flavoured Markdown, at most 60 lines.
import { saying } from "../harness/core/finding.ts";
import type { JudgedRequirement, Run } from "../harness/record/run.ts";
import { loadSentences } from "./load.ts";
import { capped, oneLine, shown } from "./text.ts";
import {
  auditLine,
  costOf,
  counted,
  headlineOf,
  type Kind,
  kindOf,
  kinds,
  observedLine,
  withheldByReason,
  words,
  yieldLine,
} from "./words.ts";

/** A value from the platform is cut here, so that a comment stays under GitHub's 65,536 characters whatever it is. */
const longest_chars = 100;
const command_chars = 400;
/** With these, 60 lines at most. */
const mostBroken = 12;
const mostOthers = 5;
const mostReplayed = 3;

const references = (text: string, signs: RegExp): string =>
  oneLine(text).replace(signs, (sign) => `&#${sign.charCodeAt(0)};`);
/** Our own sentences: what Markdown or HTML would take for its own is written as a reference. */
const plain = (text: string): string => references(text, /[\\`*_[\]<>|&~]/g);
/** A stranger's text: every sign a reference, which means nothing but itself, and in `code`, where GitHub makes no link and calls nobody. */
const quoted = (text: string, most_chars = longest_chars): string =>
  `<code>${references(capped(oneLine(text), most_chars), /[!-/:-@[-`{-~]/g)}</code>`;

export function markdownOf(run: Run): string {
  const { totals, spent, target } = run;
  const counts = kinds
    .filter((kind) => totals[kind] > 0)
    .map((kind) => `${words[kind].sign} ${counted(totals[kind], words[kind].one, words[kind].many)}`);
  const facts = [
    `${counted(spent.requests, "request")}, ${costOf(spent)}`,
    run.load ? null : yieldLine(run),
    auditLine(run),
    run.observations.length ? observedLine(run.observations) : null,
    run.unchecked.length ? `${counted(run.unchecked.length, "requirement")} not yet checked by this version` : null,
  ].filter((fact) => fact !== null);
  const lines = [
    `## ${signOf(run)} ${headlineOf(run)}: ${plain(target.name)}`,
    "",
    counts.join(" · ") || "No requirement was judged.",
    "",
    [
      facts.join(" · "),
      ...(run.load ? loadSentences(run.load).map((sentence) => capped(oneLine(sentence), command_chars)) : []),
    ]
      .map(plain)
      .join("<br>"),
    ...brokenTable(run),
    ...replays(run),
    ...othersOf(run, "warned", (requirement) => placeOf(requirement)),
    ...othersOf(run, "inconclusive", ({ reason }) => quoted(reason ?? "no reason given")),
    ...othersOf(run, "deviates", ({ reason }) => quoted(reason ?? "no reason given")),
    ...withheld(run),
    "",
    `<sub>Run ${plain(run.id)} by Assay ${plain(run.version)}, exit code ${run.exitCode}. Everything else is in the run's index.html.</sub>`,
  ];
  return `${lines.join("\n")}\n`;
}

const signOf = ({ exitCode }: Run): string => (exitCode === 0 ? "✅" : exitCode === 1 ? "❌" : "❔");

const of = ({ requirements }: Run, kind: Kind): readonly JudgedRequirement[] =>
  requirements.filter((requirement) => kindOf(requirement) === kind);

const named = ({ id, sentence, clause }: JudgedRequirement): string =>
  `<code>${id}</code> ${plain(sentence)} (${plain(clause)})`;

/** Where, what was expected, and what came. */
function placeOf({ breaches: [first], reason }: JudgedRequirement): string {
  if (!first) return quoted(reason ?? "no reason given");
  return `at ${quoted(first.at || "the whole body")}: expected ${quoted(first.expected)}, got ${quoted(saying(shown(first.got)))}`;
}

function brokenTable(run: Run): readonly string[] {
  const broken = of(run, "broken");
  if (broken.length === 0) return [];
  const { told, untold } = fewOf(broken, mostBroken);
  const row = (requirement: JudgedRequirement): string => {
    const { breaches, reason, entry } = requirement;
    const more = breaches.length > 1 ? `, and at ${counted(breaches.length - 1, "more place")}` : "";
    return `| ${named(requirement)} | ${placeOf(requirement)}${more}${entry && breaches.length ? `<br>${quoted(reason ?? "", command_chars)}` : ""} |`;
  };
  return [
    "",
    "| broken | what came |",
    "| --- | --- |",
    ...told.map(row),
    ...(untold ? [`| and ${untold} more | |`] : []),
  ];
}

function replays(run: Run): readonly string[] {
  const broken = of(run, "broken").slice(0, mostReplayed);
  const items = broken.map(({ replay }) => quoted(replay, command_chars));
  return items.length ? folded(`How to see ${items.length === 1 ? "it" : "them"} again`, items) : [];
}

function othersOf(run: Run, kind: Kind, told: (requirement: JudgedRequirement) => string): readonly string[] {
  const all = of(run, kind);
  const few = fewOf(all, mostOthers);
  const items = few.told.map((requirement) => `${named(requirement)}: ${told(requirement)}`);
  return all.length
    ? folded(`${words[kind].sign} ${counted(all.length, words[kind].one, words[kind].many)}`, items, few.untold)
    : [];
}

function withheld(run: Run): readonly string[] {
  const { told, untold } = fewOf(withheldByReason(run), mostOthers);
  const left = run.totals.withheld - told.reduce((total, { requirements }) => total + requirements.length, 0);
  const items = told.map(({ reason, requirements }) => `${requirements.length} ${quoted(reason)}`);
  return items.length
    ? folded(`${words.withheld.sign} ${counted(run.totals.withheld, "withheld", "withheld")}`, items, untold ? left : 0)
    : [];
}

/** So many of them that the line that counts the others fits in as well. */
function fewOf<One>(all: readonly One[], most: number): { readonly told: readonly One[]; readonly untold: number } {
  const told = all.slice(0, all.length > most ? most - 1 : most);
  return { told, untold: all.length - told.length };
}

/** HTML without an empty line: what stands in it isn't read as Markdown. */
const folded = (summary: string, items: readonly string[], untold = 0): readonly string[] => [
  "",
  `<details><summary>${summary}</summary><ul>`,
  ...items.map((item) => `<li>${item}</li>`),
  ...(untold > 0 ? [`<li>and ${untold} more</li>`] : []),
  "</ul></details>",
];
