// Panels of six simulated vendors from three places: each but two has one planted defect.
import type { PanelReport } from "../../panel/panelReport.ts";
import { documentLines } from "../../reports/document/terminal.ts";
import { placesOf } from "../../reports/panel/places.ts";
import { placesDocument } from "../../reports/panel/placesView.ts";
import { panelScorecard } from "../../reports/panel/scorecard.ts";
import { madePanel } from "./made.ts";
import { simulatedPanel } from "./simulated.ts";

/** By name, how it behaves. The first two are honest: one is near fra and tyo, the other near nyc. */
const vendors = {
  acme: "plain",
  beta: "in another order each time",
  wrong: "a wrong balance",
  stale: "40 slots behind",
  replicas: "replicas 10 slots apart",
  limited: "refuses 30 %",
} as const;
export const chosenVendors = Object.keys(vendors);

/** How much farther away the vendors are, in ms; all others as far as the farther of both. */
const farther_ms = { fra: [0, 40], tyo: [0, 40], nyc: [40, 0] } as const;
export const chosenPlaces = ["fra", "tyo", "nyc"] as const;

/** Where the dear one is as dear as that, and all others cost 10 credits. */
const dear_credits = 30;

export async function panelAt(place: keyof typeof farther_ms, seed: number): Promise<PanelReport> {
  const { truths: _, ...found } = await simulatedPanel(Object.values(vendors), {
    seed,
    rounds: 30,
    farther_ms: (vendor) => farther_ms[place][vendor] ?? 40,
    price: (vendor) => (chosenVendors[vendor] === "limited" ? dear_credits : 10),
  });
  const spent = { requests: 120, credits: 0, unpriced: 120 };
  const all = chosenVendors.map((name) => ({ name, file: `${name}.yaml`, spent }));
  return madePanel({ ...found, vendors: all, vantage: place, id: place, conformance: null } as Partial<PanelReport>);
}

/** Vendors by what they are best and worst in. */
export function extremesIn(panel: PanelReport): {
  readonly [criterion: string]: Partial<Record<"best" | "worst", string>>;
} {
  const { rows, names } = panelScorecard(panel, false);
  const of = (cells: (typeof rows)[number]["cells"], rank: "best" | "worst") => {
    const at = cells.findIndex((cell) => cell?.rank === rank);
    return at < 0 ? {} : { [rank]: names[at] };
  };
  return Object.fromEntries(
    rows.map(({ criterion, cells }) => [criterion, { ...of(cells, "best"), ...of(cells, "worst") }]),
  );
}

/** What is said first of all places. */
export const placesHeadline = (panels: readonly PanelReport[]): string =>
  documentLines(placesDocument(placesOf(panels.map((panel) => [panel])), { version: "0" }))[0] ?? "";
