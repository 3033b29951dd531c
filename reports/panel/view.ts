// The view of a panel: who is wrong, who is behind, who is faster, and what can't be decided.
import { sum } from "simple-statistics";
import type { PanelReport, StandingCounts } from "../../panel/panelReport.ts";
import type { Comparison } from "../compare/comparison.ts";
import { matrixSection, pairSections } from "../compare/view.ts";
import {
  type Block,
  type ChartFigure,
  code,
  type Document,
  foreign,
  note,
  paragraph,
  type Section,
  type Sentence,
  sectionOf,
  type TextTable,
} from "../document/document.ts";
import { listedTogether } from "../lists.ts";
import { counted, inMs, numberText, whenText } from "../numbers.ts";
import { creditsText } from "../sentences.ts";
import { shown } from "../text.ts";
import { absenceBlocks } from "./absences.ts";
import { backwardsSections } from "./backwards.ts";
import { connectionSections } from "./connections.ts";
import { differenceList, dissentSections } from "./differing.ts";
import { freshnessFigure, speedFigure } from "./dotPlots.tsx";
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

/** Who is faster, where an interval is above zero. */
export const leadLines = (panel: PanelReport): readonly string[] =>
  panel.leads
    .filter(({ isRanked, from_ms }) => isRanked && from_ms > 0)
    .map(
      (difference) =>
        `${vendorNameIn(panel, difference.faster)} is faster than ${vendorNameIn(panel, difference.slower)} by ` +
        `${inMs(difference.by_ms)} ms (${inMs(difference.from_ms)} to ${inMs(difference.to_ms)}) ` +
        `in ${difference.operation}, ${counted(difference.polls, "poll")}`,
    );

/** A panel with a comparison of its vendors' latest runs. */
export type PanelWithRuns = PanelReport & { readonly conformance?: Comparison | null };

/** @param nights that were pooled, the latest first */
export function panelDocument(report: PanelWithRuns, nights: readonly PanelReport[] = []): Document {
  const panel = shown(report);
  const { conformance, version } = panel;
  const headline = panelHeadline(shown(nights[0] ?? report));
  return {
    kind: `Assay ${version}, panel`,
    headline: nights.length > 1 ? `On the latest of ${nights.length} nights: ${headline}` : headline,
    mood: panelMood(panel),
    icon: "comparison",
    first: firstOf(panel),
    sections: [
      ...(nights.length > 1 ? tableSection("Night by night", null, nightTable(nights)) : []),
      pageSection("Where they differed", ...dissentSections(panel)),
      ...tableSection("Who agrees", spentNote(panel), agreementTable(panel)),
      ...figureSections(
        "Who is fresh",
        "Slots behind the newest answer of the same poll; ± is the uncertainty that round trips leave.",
        freshnessFigure(panel),
      ),
      ...backwardsSections(panel, nights.map(shown)),
      ...figureSections(
        "Who is fast",
        "Intervals have 99 % confidence over all rows.",
        speedFigure(panel),
        leadLines(panel),
      ),
      ...connectionSections(panel),
      ...tableSection("Question by question", null, questionTable(panel)),
      ...(conformance
        ? [
            pageSection(
              "Their latest runs",
              ...matrixSection(conformance),
              ...conformance.pairs.flatMap((pair) => pairSections(conformance, pair)),
            ),
          ]
        : []),
      ...(conformance || nights.length > 0
        ? []
        : [
            {
              ...note(
                "Conformance and limits are compared here once two vendors have a run in the folder of ",
                code("--runs"),
                ".",
              ),
              only: "page" as const,
            },
          ]),
    ],
    foot: [
      "A single difference proves nothing: a vendor is called wrong if it stood alone in three polls while the " +
        "others' answers stayed the same. Only token accounts and compression can be compared between vendors. " +
        "Keys are redacted. The same for programs is in ",
      code("panel.json"),
      ".",
    ],
  };
}

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
    { is: "list", only: "text", label: "Who is faster", items: leadLines(panel).map((line) => [foreign(line)]) },
    ...(apart > 0 ? [paragraph(`${counted(apart, "poll")} didn't begin together and weren't compared.`)] : []),
  ];
}

const lagItems = (panel: PanelReport): readonly Sentence[] =>
  Object.entries(panel.freshness).flatMap(([operation, all]) =>
    all
      .filter((freshness) => lagIn(freshness).isStale)
      .map((freshness): Sentence => {
        const { median, p95, uncertain, stale, answers } = lagIn(freshness);
        const slots = `${numberText(median)} slots behind in the median, p95 ${numberText(p95)}, ± ${uncertain}`;
        const certain = `certainly behind in ${numberText(stale)} of ${counted(answers, "answer")}`;
        return [foreign(vendorNameIn(panel, freshness.vendor)), " in ", foreign(operation), `: ${slots}; ${certain}`];
      }),
  );

const pageSection = (title: string, ...blocks: readonly Block[]): Section => ({
  ...sectionOf([title], ...blocks),
  only: "page",
  id: title.toLowerCase().replaceAll(" ", "-"),
});

/** The title of its section names it. */
type PanelTable = Omit<TextTable, "is" | "caption">;

const tableSection = (title: string, about: string | null, table: PanelTable): readonly Section[] =>
  table.rows.length === 0
    ? []
    : [
        pageSection(title, ...(about === null ? [] : [note(foreign(about))]), {
          ...table,
          is: "table",
          caption: title,
        }),
      ];

/** In Markdown, too, whose reader has no page; leads stand there above. */
const figureSections = (
  title: string,
  about: string,
  figure: ChartFigure,
  lines: readonly string[] = [],
): readonly Section[] => {
  const items = lines.map((line) => [foreign(line)]);
  const section = pageSection(title, note(about), { is: "list", only: "page", items }, figure);
  return figure.table.rows.length === 0 ? [] : [section, { ...section, only: "markdown" }];
};

const namesIn = ({ vendors }: PanelReport): readonly string[] => vendors.map(({ name }) => name);

/** Wrong answers are coloured like broken requirements. */
const countsCell = (counts: StandingCounts): Sentence => [
  { text: standingsText(counts), ...(counts.wrong > 0 ? { tone: "broken" } : {}) },
];

const spentNote = ({ vendors }: PanelReport): string =>
  `Spent: ${vendors.map(({ name, spent }) => `${name} ${creditsText(spent)}`).join(", ")}.`;

const agreementTable = (panel: PanelReport): PanelTable => ({
  kind: "matrix",
  heads: ["Operation", ...namesIn(panel)],
  rows: askedOperationsIn(panel).map((operation) => [
    operation,
    ...panel.vendors.map((_, nth) => countsCell(answerCountsIn(panel, nth, operation))),
  ]),
});

const questionTable = (panel: PanelReport): PanelTable => ({
  kind: "matrix",
  heads: ["Question", "Polls", ...namesIn(panel)],
  rows: panel.questions.map(({ id, about, polls, counts }) => [
    [code(id), " ", foreign(about)],
    polls,
    ...counts.map(countsCell),
  ]),
});

const nightTable = (nights: readonly PanelReport[]): PanelTable => ({
  kind: "matrix",
  heads: ["When", "Panel", "Rounds", "Found"],
  rows: nights.map((night) => [whenText(night.startedAt), night.id, night.rounds, panelHeadline(night)]),
});
