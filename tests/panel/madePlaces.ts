// Panels from places that asked other calls than one another, or of which one vendor lacks something.
import type { PanelQuestion, PanelReport, PanelWorkload } from "../../panel/panelReport.ts";
import { madePanel } from "./made.ts";

export const workOf = (digest: string): PanelWorkload => {
  return { name: digest, is: "mix", why: null, shares: { getTokenAccounts: 1 }, left: [], digest };
};

/** Of the last vendor. */
export const lastVendorsAnswers = (some: Partial<PanelQuestion["counts"][number]>) =>
  madePanel().questions.map((one) => ({
    ...one,
    counts: one.counts.map((counts, vendor) => (vendor === 2 ? { ...counts, agrees: 0, ...some } : counts)),
  }));

/** A panel that asked another operation. */
export const ofBalances = (panel: PanelReport): PanelReport => {
  const operation = "getCompressedBalance";
  const [questions, latencies, leads] = [panel.questions, panel.latencies, panel.leads].map((all) =>
    all.map((one) => ({ ...one, operation })),
  ) as unknown as [PanelReport["questions"], PanelReport["latencies"], PanelReport["leads"]];
  return { ...panel, questions, latencies, leads };
};

/** One that also asked another operation, which the last vendor doesn't serve. */
export const withBalances = (panel: PanelReport, shares: PanelWorkload["shares"]): PanelReport => {
  const { latencies, leads, questions } = ofBalances(panel);
  return {
    ...panel,
    questions: [...panel.questions, ...questions],
    latencies: [...panel.latencies, ...latencies.filter(({ vendor }) => vendor < 2)],
    leads: [...panel.leads, ...leads.filter(({ faster, slower }) => faster < 2 && slower < 2)],
    workload: { ...workOf("both"), shares },
  };
};
