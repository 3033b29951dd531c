// Tables of a panel's page, a column for each vendor.
import { type PanelReport, type StandingCounts, type VendorPrice } from "../../panel/panelReport.ts";
import { code, foreign, type Sentence, type TextTable } from "../document/document.ts";
import { counted, numberText } from "../numbers.ts";
import { nothingKnown } from "../scorecard/view.ts";
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

export const priceTable = ({ prices = [], ...panel }: PanelReport): PanelTable => {
  const of = (vendor: number): VendorPrice | undefined => prices.find((one) => one.vendor === vendor);
  const chargedBy = (vendor: number): Sentence => {
    const { charged = null, why = null } = of(vendor) ?? {};
    if (charged) return [`${charged.credits} for ${counted(charged.calls, "call")}`];
    return [why === null ? nothingKnown : foreign(why)];
  };
  return {
    kind: "chips",
    heads: ["Operation", ...namesIn(panel)],
    rows:
      prices.length === 0
        ? []
        : [
            ...[...new Set(prices.flatMap(({ listed }) => Object.keys(listed)))].map((operation) => [
              operation,
              ...panel.vendors.map((_, vendor): Sentence => {
                const credits = of(vendor)?.listed[operation] ?? null;
                return [credits === null ? nothingKnown : numberText(credits)];
              }),
            ]),
            ["charged", ...panel.vendors.map((_, vendor) => chargedBy(vendor))],
          ],
  };
};

export const questionTable = (panel: PanelReport): PanelTable => ({
  kind: "chips",
  heads: ["Question", "Polls", ...namesIn(panel)],
  rows: panel.questions.map(({ id, about, polls, counts }) => [
    [code(id), " ", foreign(about)],
    polls,
    ...counts.map(countsCell),
  ]),
});
