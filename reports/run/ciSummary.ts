// What a run says in the summary of a CI job, or to a pull request: Markdown of at most 60 lines.
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { auditLine } from "../audit.ts";
import { gotText, isMissing } from "../breach.ts";
import { linkOf } from "../clauses.ts";
import { withVariables } from "../curl.ts";
import type { Described } from "../described.ts";
import {
  type Block,
  breachSentence,
  code,
  foreign,
  paragraph,
  type Section,
  type Sentence,
  sectionOf,
} from "../document/document.ts";
import { documentMarkdown } from "../document/markdown.ts";
import { exitCodeText } from "../headline.ts";
import { loadAlone, loadSentences } from "../load.ts";
import { counted } from "../numbers.ts";
import { byReason, explainedCreditsText, noticesOf, observedLine, reasonsWorthALine, spentText } from "../sentences.ts";
import { shown } from "../text.ts";
import { countedKind, countOfKind, type Kind, kindOf, kinds, words } from "../words.ts";
import { runHead } from "./head.ts";
import { loadTexts } from "./load.ts";

type Clauses = Described["clauses"];

const mostReplayed = 3;

export function ciSummaryOf(found: Run, { clauses }: Pick<Described, "clauses">): string {
  const run = shown(found);
  const ofKind = (kind: Kind) => run.requirements.filter((requirement) => kindOf(requirement) === kind);
  const details = `Details are in the run's index.html, clauses (§) in Assay's ${clauses.file}.`;
  const cause = run.exitCode === 1 ? ` (${exitCodeText(run)})` : "";
  const broken = ofKind("broken");
  const itemsOf = (kind: Kind): readonly Sentence[] =>
    ofKind(kind).map((requirement) => [...named(requirement, clauses), ": ", ...evidenceOf(requirement)]);
  return documentMarkdown({
    ...runHead(run),
    first: firstOf(run),
    sections: [
      {
        is: "table",
        caption: "Broken",
        heads: ["Broken", "Evidence"],
        rows: broken.map((requirement) => [named(requirement, clauses), evidenceOf(requirement)]),
      },
      repeating(run, broken.slice(0, mostReplayed)),
      ...(["deviates", "fixed"] as const).map((kind) => sectionOf([titleOf(kind, run)], listOf(itemsOf(kind)))),
      folded(titleOf("warned", run), itemsOf("warned")),
      ...reasonsWorthALine.map((kind) =>
        folded(
          titleOf(kind, run),
          byReason(run, kind).map(({ reason, requirements }) => [`${requirements.length} `, foreign(reason)]),
        ),
      ),
    ],
    foot: ["Run ", foreign(run.id), ` by Assay ${run.version}, exit code ${run.exitCode}${cause}. ${details}`],
    more: details,
  });
}

function firstOf(run: Run): readonly Block[] {
  const { totals, target, observations, unjudged, unchecked, remarks = [], load } = run;
  const counts = kinds.filter((kind) => countOfKind(totals, kind) > 0).map((kind) => titleOf(kind, run));
  const alone = loadAlone(run);
  const facts = [
    spentText(run, explainedCreditsText(run.spent)),
    auditLine(run),
    observations.length > 0 ? observedLine(observations, unjudged) : null,
    unchecked.length > 0 ? `${counted(unchecked.length, "requirement")} not yet checked by this version` : null,
  ].filter((fact) => fact !== null);
  const notices = [...noticesOf(run), ...remarks, ...(load && !alone ? loadSentences(load) : [])];
  return [
    ...(alone ? loadTexts(run, alone) : []),
    paragraph(foreign(target.name), `: ${counts.join(" · ") || "no requirement was judged"}.`),
    paragraph(facts.join(" · ")),
    { is: "list", fewest: 6, items: notices.map((notice) => [foreign(notice)]) },
  ];
}

const titleOf = (kind: Kind, { totals }: Pick<Run, "totals">): string =>
  `${words[kind].sign} ${countedKind(countOfKind(totals, kind), kind)}`;

function named({ id, sentence, clause }: JudgedRequirement, clauses: Clauses): Sentence {
  const link = linkOf(clauses, clause);
  return [code(id), " ", foreign(sentence), " (", { text: clause, ...(link === null ? {} : { to: link }) }, ")"];
}

/** The first place that shows it, or why it is so. */
function evidenceOf({ reason, breaches, entry, verdict }: JudgedRequirement): Sentence {
  const [first] = breaches;
  if (!first || verdict === "deviates") return [foreign(reason ?? "no reason given")];
  const more = breaches.length > 1 ? `, and at ${counted(breaches.length - 1, "more place")}` : "";
  const known: Sentence = entry && reason !== null ? ["; ", foreign(reason)] : [];
  return [...breachSentence({ ...first, got: isMissing(first) ? null : gotText(first) }), more, ...known];
}

/** Shell lines that repeat the request that broke each, and its test. */
function repeating({ exchanges, target }: Run, broken: readonly JudgedRequirement[]): Section {
  const lines = broken.flatMap(({ id, breaches: [breach], replay }) => {
    const exchange = exchanges.find(({ number }) => number === breach?.exchange);
    return [`# ${id}`, ...(exchange ? [withVariables(exchange.curl, target.variables)] : []), replay];
  });
  const blocks: readonly Block[] = lines.length > 0 ? [{ is: "command", text: lines.join("\n") }] : [];
  return { ...sectionOf(["Repeat it"], ...blocks), isFolded: true };
}

const listOf = (items: readonly Sentence[]): Block => ({ is: "list", items });

const folded = (title: string, items: readonly Sentence[]): Section => ({
  ...sectionOf([title], listOf(items)),
  isFolded: true,
});
