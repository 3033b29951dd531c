// Panels and places as pages, and the vendors that stand on them.
import { described } from "../../cli/project.ts";
import type { PanelReport } from "../../panel/panelReport.ts";
import { compareRuns } from "../../reports/compare/compare.ts";
import { documentPage } from "../../reports/document/page.tsx";
import { type PanelPlaces, placesOf } from "../../reports/panel/places.ts";
import { placesDocument } from "../../reports/panel/placesView.ts";
import type { PanelWithRuns } from "../../reports/panel/scorecard.ts";
import { panelDocument } from "../../reports/panel/view.ts";
import { judged, made } from "../support/madeRuns.ts";
import { fiveVendors, madeFive, madePanel, panelFrom } from "./made.ts";

type Five = (typeof fiveVendors)[number];
/** Five that don't differ. */
export const alike = fiveVendors.map(({ name }): Five => ({ name, ms: 50, credits: 10 }));
/** Five of which only the first ones differ. */
export const withFirst = (some: Partial<Five>, ...others: readonly Partial<Five>[]): readonly Five[] =>
  alike.map((vendor, nth) => ({ ...vendor, ...[some, ...others][nth] }));

const runs = [
  made(0, { name: "acme", requirements: [judged("CYC-PRES-01", "broken"), judged("USG-FLD-01", "holds")] }),
  made(0, { name: "beta", requirements: [judged("CYC-PRES-01", "holds"), judged("USG-FLD-01", "holds")] }),
];
export const withRuns: PanelWithRuns = { ...madeFive(), conformance: compareRuns(runs, "0", described) };

/** In ms, three vendors of which the first is the fastest. */
export const fastFrom = [30, 40, 60] as const;

/** Three places with everything that can be said of them. */
export const eventful = (): PanelPlaces => {
  const backwards = [
    { vendor: 1, operation: "getTokenAccounts", answers: 900, back: 7, slots: { 2: 7 }, values: 0, statuses: 0 },
  ];
  const why = "timeout: no complete answer within 15 s";
  const absences = [{ vendor: 2, is: "silent" as const, from: "2026-11-27T03:00:00.000Z", to: null, polls: 14, why }];
  const [question] = madePanel({ wrong: 4 }).questions;
  if (!question) throw new Error("no question");
  const [ada, bea, cyd] = question.counts;
  if (!ada || !bea || !cyd) throw new Error("no counts");
  const refused = [{ ...question, counts: [{ ...ada, "rate-limited": 30 }, { ...bea, stale: 2 }, cyd] }];
  return placesOf([
    [panelFrom("fra", { backwards }), panelFrom("fra", { backwards })],
    [panelFrom("tyo", { absences, takes: [40, 30, null] }), panelFrom("tyo", { absences, takes: [40, 30, null] })],
    [panelFrom("nyc", { questions: refused, takes: fastFrom, polls: 30 })],
  ]);
};

export const pageOfPanel = (panel: PanelReport): string => documentPage(panelDocument(panel));
export const pageOfPlaces = (): string => documentPage(placesDocument(eventful(), { version: "0", pages: ["a.html"] }));
