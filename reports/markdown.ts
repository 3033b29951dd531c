// The summary of a run for a CI job or a pull request: GitHub-flavoured Markdown, at most 60 lines.
import type { JudgedRequirement, Run } from "../harness/record/run.ts";
import { breachText } from "./breach.ts";
import { linkOf } from "./clauses.ts";
import type { Described } from "./described.ts";
import { fewOf } from "./lists.ts";
import { loadSentences } from "./load.ts";
import { plain, references } from "./markdownText.ts";
import { counted } from "./numbers.ts";
import {
  auditLine,
  byReason,
  headlineOf,
  noticesOf,
  observedLine,
  type Reasoned,
  reasoned,
  spentText,
  yieldLine,
} from "./sentences.ts";
import { capped, oneLine } from "./text.ts";
import { countedKind, countIn, type Kind, kindOf, kinds, words } from "./words.ts";

/** A value from the platform is cut here, so that a comment never exceeds GitHub's 65,536 characters. */
const longest_chars = 100;
const command_chars = 400;
/** What the platform says is at the end of a reason. */
const reason_chars = 200;
/** With these, there are at most 60 lines. */
const mostBroken = 12;
const mostOthers = 5;
const mostReplayed = 3;

/** Text from the platform: every sign escaped, and in `code`, where GitHub makes no links and mentions nobody. */
const quoted = (text: string, most_chars = longest_chars): string =>
  `<code>${references(capped(oneLine(text), most_chars), /[!-/:-@[-`{-~]/g)}</code>`;

export function markdownOf(run: Run, { clauses }: Pick<Described, "clauses">): string {
  const { totals, target } = run;
  const counts = kinds
    .filter((kind) => countIn(totals, kind) > 0)
    .map((kind) => `${words[kind].sign} ${countedKind(countIn(totals, kind), kind)}`);
  const verified = yieldLine(run);
  const facts = [
    spentText(run),
    verified && `verified: ${verified}`,
    auditLine(run),
    run.observations.length ? observedLine(run.observations, run.unjudged) : null,
    run.unchecked.length ? `${counted(run.unchecked.length, "requirement")} not yet checked by this version` : null,
  ].filter((fact) => fact !== null);
  const lines = [
    `## ${signOf(run)} ${headlineOf(run)}: ${plain(target.name)}`,
    "",
    counts.join(" · ") || "No requirement was judged.",
    "",
    [
      facts.join(" · "),
      ...[...noticesOf(run), ...(run.remarks ?? []), ...(run.load ? loadSentences(run.load) : [])].map((sentence) =>
        capped(oneLine(sentence), command_chars),
      ),
    ]
      .map(plain)
      .join("<br>"),
    ...brokenTable(run, clauses),
    ...replays(run),
    ...othersOf(run, "warned", clauses, placeOf),
    ...othersOf(run, "deviates", clauses, reasonOf),
    ...reasoned.flatMap((kind) => inGroups(run, kind)),
    "",
    `<sub>Run ${plain(run.id)} by Assay ${plain(run.version)}, exit code ${run.exitCode}. Details are in the run's ` +
      `index.html, clauses (§) in Assay's ${clauses.file}.</sub>`,
  ];
  return `${lines.join("\n")}\n`;
}

const signOf = ({ exitCode }: Run): string => (exitCode === 0 ? "✅" : exitCode === 1 ? "❌" : "❔");

const of = ({ requirements }: Run, kind: Kind): readonly JudgedRequirement[] =>
  requirements.filter((requirement) => kindOf(requirement) === kind);

type Clauses = Described["clauses"];

const named = ({ id, sentence, clause }: JudgedRequirement, clauses: Clauses): string =>
  `<code>${id}</code> ${plain(sentence)} (${linked(clause, clauses)})`;

function linked(clause: string, clauses: Clauses): string {
  const link = linkOf(clauses, clause);
  return link === null ? plain(clause) : `[${plain(clause)}](${link})`;
}

const reasonOf = ({ reason }: JudgedRequirement): string => quoted(reason ?? "no reason given");
const placeOf = (requirement: JudgedRequirement): string => {
  const [first] = requirement.breaches;
  return first ? breachText(first, quoted) : reasonOf(requirement);
};

function brokenTable(run: Run, clauses: Clauses): readonly string[] {
  const broken = of(run, "broken");
  if (broken.length === 0) return [];
  const { shown, rest } = fewOf(broken, mostBroken);
  const row = (requirement: JudgedRequirement): string => {
    const { breaches, reason, entry } = requirement;
    const more = breaches.length > 1 ? `, and at ${counted(breaches.length - 1, "more place")}` : "";
    const known = entry && breaches.length ? `<br>${quoted(reason ?? "", command_chars)}` : "";
    return `| ${named(requirement, clauses)} | ${placeOf(requirement)}${more}${known} |`;
  };
  return ["", "| broken | evidence |", "| --- | --- |", ...shown.map(row), ...(rest ? [`| and ${rest} more | |`] : [])];
}

function replays(run: Run): readonly string[] {
  const broken = of(run, "broken").slice(0, mostReplayed);
  const items = broken.map(({ replay }) => quoted(replay, command_chars));
  return items.length ? folded("Replay", items) : [];
}

function othersOf(
  run: Run,
  kind: Kind,
  clauses: Clauses,
  textOf: (requirement: JudgedRequirement) => string,
): readonly string[] {
  const all = of(run, kind);
  const { shown, rest } = fewOf(all, mostOthers);
  const items = shown.map((requirement) => `${named(requirement, clauses)}: ${textOf(requirement)}`);
  return all.length ? folded(`${words[kind].sign} ${countedKind(all.length, kind)}`, items, rest) : [];
}

function inGroups(run: Run, kind: Reasoned): readonly string[] {
  const { shown } = fewOf(byReason(run, kind), mostOthers);
  const rest = run.totals[kind] - shown.reduce((total, { requirements }) => total + requirements.length, 0);
  const items = shown.map(({ reason, requirements }) => `${requirements.length} ${quoted(reason, reason_chars)}`);
  return items.length ? folded(`${words[kind].sign} ${countedKind(run.totals[kind], kind)}`, items, rest) : [];
}

/** HTML without an empty line: its content isn't read as Markdown. */
const folded = (summary: string, items: readonly string[], rest = 0): readonly string[] => [
  "",
  `<details><summary>${summary}</summary><ul>`,
  ...items.map((item) => `<li>${item}</li>`),
  ...(rest > 0 ? [`<li>and ${rest} more</li>`] : []),
  "</ul></details>",
];
