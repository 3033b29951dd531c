// The view of a panel: who is wrong, who is behind, who is faster, and what can't be decided.
import { sum } from "simple-statistics";
import type { Lead, PanelReport } from "../../panel/panelReport.ts";
import { matrixSection, pairSections } from "../compare/view.ts";
import {
  type Block,
  code,
  type Document,
  detail,
  foreign,
  isEmpty,
  type List,
  linkTargetsIn,
  note,
  paragraph,
  type Section,
  type Sentence,
  sectionOf,
  type TextTable,
} from "../document/document.ts";
import { listedTogether } from "../lists.ts";
import { counted, inMs, numberText, whenText } from "../numbers.ts";
import { vendorScorecardBlocks } from "../scorecard/view.ts";
import { shown } from "../text.ts";
import { absenceBlocks } from "./absences.ts";
import { panelAnchors } from "./anchors.ts";
import { backwardsSections } from "./backwards.ts";
import { connectionSections } from "./connections.ts";
import { differenceList, dissentSections } from "./differing.ts";
import { freshnessFigure, mixFigure, speedFigure } from "./dotPlots.tsx";
import {
  answerCountsIn,
  askedOperationsIn,
  lagIn,
  panelExitCode,
  standingsText,
  summariesOf,
  vendorNameIn,
  vendorNamesIn,
} from "./figures.ts";
import { lackingLines } from "./lacking.ts";
import { mixLatencies, mixLeads, mixText, sharesOfMix } from "./mix.ts";
import { priceSections } from "./prices.ts";
import { type PanelWithRuns, panelScorecard } from "./scorecard.ts";
import { agreementTable, type PanelTable, questionTable, spentNote } from "./tables.ts";
import { workloadBlocks } from "./workload.ts";

const nothing = "Nobody is wrong or behind";

export const panelMood = (panel: PanelReport): "broken" | "holds" | "inconclusive" =>
  panelExitCode(panel) === 1 ? "broken" : panelHeadline(panel) === nothing ? "holds" : "inconclusive";

export function panelHeadline(panel: PanelReport): string {
  const all = summariesOf(panel);
  if (all.every(({ isSilent }) => isSilent)) return "Nothing could be compared";
  const parts = (
    [
      ["isWrong", "wrong"],
      ["isBehind", "behind"],
      ["isOpen", "different on some questions that stay undecided"],
      ["isSilent", "without an answer to compare"],
      ["isGone", "no longer answering"],
    ] as const
  ).flatMap(([is, what]) => {
    const names = all.filter((one) => one[is]).map(({ name }) => name);
    return names.length > 0 ? [`${listedTogether(names)} ${names.length > 1 ? "are" : "is"} ${what}`] : [];
  });
  const isSplit = panel.questions.some(({ splits }) => splits.length > 0);
  return [...parts, ...(isSplit ? ["Too few vendors to decide some questions"] : [])].join("; ") || nothing;
}

/** Questions that the panel couldn't decide, one sentence each. */
export function splitLines(panel: PanelReport): readonly string[] {
  const counts = new Map<string, number>();
  for (const { splits } of panel.questions)
    for (const { groups, polls } of splits) {
      const sentence = splitText(panel, groups);
      counts.set(sentence, (counts.get(sentence) ?? 0) + polls);
    }
  return [...counts].map(([sentence, polls]) => `${sentence}, in ${counted(polls, "poll")}`);
}

function splitText(panel: PanelReport, groups: readonly (readonly number[])[]): string {
  const [most = [], ...others] = groups;
  const rest = others.flat();
  if (most.length === 1) return `${vendorNamesIn(panel, [...most, ...rest])} differ, and nothing shows who is right`;
  return `too few vendors to decide: ${vendorNamesIn(panel, most)} agree against ${vendorNamesIn(panel, rest)}`;
}

const isShown = ({ isRanked, from_ms }: Lead): boolean => isRanked && from_ms > 0;

const leadText = (panel: PanelReport, lead: Lead): string =>
  `${vendorNameIn(panel, lead.faster)} is faster than ${vendorNameIn(panel, lead.slower)} by ` +
  `${inMs(lead.by_ms)} ms (${inMs(lead.from_ms)} to ${inMs(lead.to_ms)}) ` +
  `in ${lead.operation}, ${counted(lead.polls, "poll")}`;

/** Over the whole mix, where there is more than one operation, and its medians don't say the contrary. */
function mixLeadsShown(panel: PanelReport): readonly Lead[] {
  if (sharesOfMix(panel).length < 2) return [];
  const medians = mixLatencies(panel).map(({ p50 }) => p50?.ms ?? null);
  return mixLeads(panel).filter((lead) => {
    const [faster, slower] = [medians[lead.faster] ?? null, medians[lead.slower] ?? null];
    return isShown(lead) && (faster === null || slower === null || faster < slower);
  });
}

/** Who is faster, where an interval is above zero: over the whole mix first. */
export const leadLines = (panel: PanelReport): readonly string[] =>
  [...mixLeadsShown(panel), ...panel.leads.filter(isShown)].map((lead) => leadText(panel, lead));

/** Without operations in which it is as in the whole mix. */
function leadLinesInShort(panel: PanelReport): readonly string[] {
  const mix = mixLeadsShown(panel);
  const isAsInMix = (lead: Lead): boolean =>
    mix.some(({ faster, slower }) => faster === lead.faster && slower === lead.slower);
  const others = panel.leads.filter((lead) => isShown(lead) && !isAsInMix(lead));
  return [...mix, ...others].map((lead) => leadText(panel, lead));
}

/** @param nights that were pooled, the latest first */
export function panelDocument(report: PanelWithRuns, nights: readonly PanelReport[] = []): Document {
  const panel = shown(report);
  const headline = panelHeadline(shown(nights[0] ?? report));
  const isPooled = nights.length > 0;
  const from = panel.vantage === null ? "" : ` from ${panel.vantage}`;
  const sections = sectionsOf(panel, nights);
  return {
    kind: `Assay ${panel.version}, panel`,
    headline: nights.length > 1 ? `On the latest of ${nights.length} nights${from}: ${headline}` : headline,
    mood: panelMood(panel),
    icon: "comparison",
    first: [
      ...vendorScorecardBlocks(panelScorecard(panel, isPooled), linkTargetsIn(sections), {
        remarks: [...pooledRemarks(nights), ...mixRemarks(panel)],
      }),
      ...firstOf(panel),
    ],
    sections,
    foot: [
      "A single difference proves nothing: a vendor is called wrong if it stood alone in three polls while the " +
        "others' answers stayed the same. Only token accounts and compression can be compared between vendors. " +
        "Keys are redacted. The same for programs is in ",
      code("panel.json"),
      ".",
    ],
  };
}

/** What stands behind the scorecard, in its order. */
function sectionsOf(panel: PanelWithRuns, nights: readonly PanelReport[]): readonly Block[] {
  const { conformance } = panel;
  const { differed, agrees, fresh, fast, runs } = panelAnchors;
  return [
    ...(nights.length > 1 ? tableSection("Night by night", "night-by-night", null, nightTable(nights)) : []),
    pageSection("Where they differed", differed, ...dissentSections(panel)),
    ...tableSection("Who agrees", agrees, spentNote(panel), agreementTable(panel)),
    ...figureSections("Who is fresh", fresh, [
      note("Slots behind the newest answer of the same poll; ± is the uncertainty that round trips leave."),
      freshnessFigure(panel),
    ]),
    ...backwardsSections(panel, nights.map(shown)),
    ...figureSections("Who is fast", fast, speedBlocks(panel, nights.length > 0)),
    ...connectionSections(panel),
    ...priceSections(panel),
    pageSection("Question by question", "question-by-question", detail("All questions", tableOf(questionTable(panel)))),
    ...(conformance
      ? [
          pageSection(
            "Their latest runs",
            runs,
            ...matrixSection(conformance),
            ...conformance.pairs.flatMap((pair) => pairSections(conformance, pair)),
          ),
        ]
      : []),
  ];
}

/** The whole mix first, then by operation, folded where there are many. */
function speedBlocks(panel: PanelReport, isPooled: boolean): readonly Block[] {
  const [mix, each] = [mixFigure(panel), speedFigure(panel)];
  const operations = new Set(panel.latencies.map(({ operation }) => operation)).size;
  // What is asked alone is the mix.
  const isApart = mix.table.rows.length > 0 && operations > 1;
  const listOf = (lines: readonly string[]): List => ({
    is: "list",
    only: "page",
    items: lines.map((line) => [foreign(line)]),
  });
  const byOperation: readonly Block[] =
    isApart && operations > mostUnfolded
      ? [detail(`Operation by operation: ${operations}`, listOf(leadLines(panel)), each), { ...each, only: "markdown" }]
      : [each];
  return [
    note("Differences are of the same polls; their intervals have 99 % confidence over all rows."),
    ...(isApart ? [mix] : []),
    listOf(leadLinesInShort(panel)),
    ...byOperation,
    { is: "list", label: "Too few answers yet", items: lackingLines(panel, isPooled).map((line) => [foreign(line)]) },
  ];
}

/** The headline is of the latest night alone. */
const pooledRemarks = ({ length }: readonly PanelReport[]): readonly Sentence[] =>
  length > 1 ? [[`The table is of all ${length} nights.`]] : [];

/** What stands for the calls of a user: a workload says it itself, and of one operation there is no mix. */
const mixRemarks = (panel: PanelReport): readonly Sentence[] =>
  panel.workload || sharesOfMix(panel).length === 0 || askedOperationsIn(panel).length < 2
    ? []
    : [["The mix is what was asked and every vendor served: ", foreign(mixText(panel)), "."]];

/** So many plots are shown at once. */
const mostUnfolded = 3;

/** The page has all of them. */
const mostReplays = 3;

function firstOf(panel: PanelReport): readonly Block[] {
  const { vendors, rounds, questions, reference, apart, startedAt, endedAt, complete } = panel;
  const polls = counted(sum(questions.map((question) => question.polls)), "poll");
  const asked = `${counted(questions.length, "question")}, ${counted(rounds, "round")}, ${polls}`;
  const wrong = panel.dissents.flatMap(({ question, standings: all, replay }): Sentence[] =>
    all.includes("wrong")
      ? [[foreign(vendorNameIn(panel, all.indexOf("wrong"))), " is wrong on ", foreign(question), ": ", code(replay)]]
      : [],
  );
  const trusted: Sentence = reference === null ? [] : [" ", foreign(vendorNameIn(panel, reference)), " is trusted."];
  return [
    paragraph(
      `${asked}, from ${whenText(startedAt)} to ${whenText(endedAt)}${complete ? "." : ", cut short."}`,
      ...trusted,
    ),
    ...workloadBlocks(panel),
    {
      is: "list",
      only: "text",
      items: [
        ...vendors.map(
          ({ name }, vendor): Sentence => [foreign(name), `: ${standingsText(answerCountsIn(panel, vendor))}`],
        ),
        ...lagItems(panel),
        ...wrong.slice(0, mostReplays),
      ],
    },
    ...absenceBlocks(panel),
    differenceList(panel),
    { is: "list", items: splitLines(panel).map((line) => [foreign(line)]) },
    { is: "list", only: "text", label: "Who is faster", items: leadLinesInShort(panel).map((line) => [foreign(line)]) },
    ...(apart > 0
      ? [
          paragraph(
            `${counted(apart, "poll")} didn't begin together and ${apart === 1 ? "wasn't" : "weren't"} compared.`,
          ),
        ]
      : []),
  ];
}

const lagItems = (panel: PanelReport): readonly Sentence[] =>
  Object.entries(panel.freshness).flatMap(([operation, all]) =>
    all
      .filter((freshness) => lagIn(freshness).isStale)
      .map((freshness): Sentence => {
        const { median, p95, uncertain, stale, answers } = lagIn(freshness);
        const tail = p95 === null ? "" : `, p95 ${numberText(p95)}`;
        const slots = `${numberText(median)} slots behind in the median${tail}, ± ${uncertain}`;
        const certain = `certainly behind in ${numberText(stale)} of ${counted(answers, "answer")}`;
        return [foreign(vendorNameIn(panel, freshness.vendor)), " in ", foreign(operation), `: ${slots}; ${certain}`];
      }),
  );

const pageSection = (title: string, id: string, ...blocks: readonly Block[]): Section => ({
  ...sectionOf([title], ...blocks),
  only: "page",
  id,
});

const tableOf = (table: PanelTable, caption = "All questions"): TextTable => ({ ...table, is: "table", caption });

const tableSection = (title: string, id: string, about: string | null, table: PanelTable): readonly Section[] =>
  table.rows.length === 0
    ? []
    : [pageSection(title, id, ...(about === null ? [] : [note(foreign(about))]), tableOf(table, title))];

/** In Markdown, too, whose reader has no page; leads stand there above. None without a figure. */
const figureSections = (title: string, id: string, blocks: readonly Block[]): readonly Section[] => {
  const isEmptyFigure = blocks.every((block) => block.is !== "figure" || isEmpty(block));
  const section = pageSection(title, id, ...blocks);
  return isEmptyFigure ? [] : [section, { ...section, only: "markdown" }];
};

const nightTable = (nights: readonly PanelReport[]): PanelTable => ({
  kind: "matrix",
  heads: ["When", "Panel", "Rounds", "Found"],
  rows: nights.map((night) => [whenText(night.startedAt), night.id, night.rounds, panelHeadline(night)]),
});
