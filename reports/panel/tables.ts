// Tables of a panel's page, a column for each vendor.
import type { PanelReport, StandingCounts } from "../../panel/panelReport.ts";
import { code, foreign, type Sentence, type TextTable } from "../document/document.ts";
import { creditsText } from "../sentences.ts";
import { answerCountsIn, askedOperationsIn, standingsText } from "./figures.ts";

/** The title of its section names it. */
export type PanelTable = Omit<TextTable, "is" | "caption">;

const namesIn = ({ vendors }: Pick<PanelReport, "vendors">): readonly string[] => vendors.map(({ name }) => name);

/** Wrong answers are coloured like broken requirements. */
const countsCell = (counts: StandingCounts): Sentence => [
  { text: standingsText(counts), ...(counts.wrong > 0 ? { tone: "broken" } : {}) },
];

export const spentNote = ({ vendors }: PanelReport): string =>
  `Spent: ${vendors.map(({ name, spent }) => `${name} ${creditsText(spent)}`).join(", ")}.`;

export const agreementTable = (panel: PanelReport): PanelTable => ({
  kind: "chips",
  heads: ["Operation", ...namesIn(panel)],
  rows: askedOperationsIn(panel).map((operation) => [
    operation,
    ...panel.vendors.map((_, nth) => countsCell(answerCountsIn(panel, nth, operation))),
  ]),
});

export const questionTable = (panel: PanelReport): PanelTable => ({
  kind: "chips",
  heads: ["Question", "Polls", ...namesIn(panel)],
  rows: panel.questions.map(({ id, about, polls, counts }) => [
    [code(id), " ", foreign(about)],
    polls,
    ...counts.map(countsCell),
  ]),
});
