// Several places beside each other: who is fastest from where, who is wrong where, and each panel counted once.
import { expect, test } from "@playwright/test";
import { chanceOf } from "../../load/k6/chance.ts";
import { PanelLatencies } from "../../panel/latencies.ts";
import type { PanelReport } from "../../panel/panelReport.ts";
import { documentMarkdown } from "../../reports/document/markdown.ts";
import { documentLines } from "../../reports/document/terminal.ts";
import { mixLeads } from "../../reports/panel/mix.ts";
import { distinctPanels, type PanelNights, placesOf, vendorPanelsOf } from "../../reports/panel/places.ts";
import { placesHeadline } from "../../reports/panel/placesHeadline.ts";
import { placesDocument } from "../../reports/panel/placesView.ts";
import { leadLines } from "../../reports/panel/view.ts";
import { madePanel, panelFrom } from "./made.ts";
import { eventful, fastFrom } from "./madePages.ts";
import { lastVendorsAnswers, ofBalances, withBalances, workOf } from "./madePlaces.ts";

const beside = (...panels: readonly PanelReport[]) => placesOf(panels.map((panel): PanelNights => [panel]));
const sentence = (...panels: readonly PanelReport[]): string => placesHeadline(beside(...panels));

const silent = madePanel().questions.map((one) => ({
  ...one,
  counts: one.counts.map((counts) => ({ ...counts, agrees: 0, unavailable: 10 })),
}));

/** Answers of which the first vendor's are wrong, and the last one's, too. */
const wrongTwice = madePanel({ wrong: 3 }).questions.map((one) => {
  const [, right, last] = one.counts;
  return { ...one, counts: [last, right, last].flatMap((counts) => counts ?? []) };
});
const wrongFirst = wrongTwice.map((one) => ({ ...one, counts: one.counts.toSpliced(2, 1, ...one.counts.slice(1, 2)) }));

for (const [expected, ...panels] of [
  [
    "bea is fastest from fra and tyo, ada from nyc; nobody is wrong anywhere",
    panelFrom("fra"),
    panelFrom("tyo"),
    panelFrom("nyc", { takes: fastFrom }),
  ],
  ["bea is fastest everywhere; nobody is wrong anywhere", panelFrom("fra"), panelFrom(null)],
  [
    "cyd is wrong from nyc only; bea is fastest everywhere",
    panelFrom("fra"),
    panelFrom("tyo"),
    panelFrom("nyc", { wrong: 4 }),
  ],
  [
    "cyd is wrong from nyc only; ada is wrong everywhere; bea is fastest everywhere",
    panelFrom("fra", { questions: wrongFirst }),
    panelFrom("nyc", { questions: wrongTwice }),
  ],
  [
    "cyd is wrong everywhere; bea is fastest everywhere",
    panelFrom("fra", { wrong: 3 }),
    panelFrom("nyc", { wrong: 4 }),
  ],
  [
    "cyd is wrong from nyc; bea is fastest everywhere; nothing could be compared from fra",
    panelFrom("fra", { questions: silent }),
    panelFrom("nyc", { wrong: 4 }),
  ],
  [
    "bea is fastest everywhere; nothing could be compared from fra; nobody is wrong elsewhere",
    panelFrom("fra", { questions: silent }),
    panelFrom("nyc"),
  ],
  [
    "bea is fastest from fra; no order shown from an unnamed place: 12 more polls; nobody is wrong anywhere",
    panelFrom("fra"),
    panelFrom(null, { polls: 18 }),
  ],
  [
    "cyd is slowest from fra; nobody is surely fastest anywhere; nobody is wrong anywhere",
    panelFrom("fra", { takes: [30, 30, 60] }),
    panelFrom("nyc", { takes: [30, 30, 30] }),
  ],
  [
    "cyd is behind from nyc; bea is fastest from fra; nobody is surely fastest from nyc; nobody is wrong anywhere",
    panelFrom("fra"),
    panelFrom("nyc", {
      takes: [30, 30, 30],
      freshness: { getTokenAccounts: [{ vendor: 2, behind: { 40: 100 }, uncertain: 0.2, stale: 90 }] },
    }),
  ],
  [
    "bea is fastest from nyc; no order shown from fra: ada keeps no connection open; nobody is wrong anywhere",
    panelFrom("fra", { isCold: true }),
    panelFrom("nyc"),
  ],
  [
    "bea is fastest from nyc; no order shown from fra: fewer than two vendors answered the whole mix; " +
      "nobody is wrong anywhere",
    panelFrom("fra", { takes: [null, 30, null] }),
    panelFrom("nyc"),
  ],
  // Who gives no answer from a place is beaten by nobody there, and hinders nobody.
  [
    "bea is fastest from fra, ada from nyc; nobody is wrong anywhere",
    panelFrom("fra", { takes: [40, 30, null] }),
    panelFrom("nyc", { takes: fastFrom }),
  ],
  [
    "bea is fastest everywhere; some questions stay undecided from fra; nobody is shown to be wrong",
    panelFrom("fra", { questions: lastVendorsAnswers({ unsettled: 10 }) }),
    panelFrom("nyc"),
  ],
  [
    "bea is fastest everywhere; nothing of cyd could be compared from fra; nobody is shown to be wrong",
    panelFrom("fra", { questions: lastVendorsAnswers({ unavailable: 10 }) }),
    panelFrom("nyc"),
  ],
  [
    "No order shown from fra and nyc: no operation was asked from every place; nobody is wrong anywhere",
    panelFrom("fra"),
    ofBalances(panelFrom("nyc")),
  ],
  [
    "bea is fastest everywhere; cyd isn't in that order from fra and nyc: it served no getCompressedBalance; " +
      "nobody is wrong anywhere",
    withBalances(panelFrom("fra"), { getTokenAccounts: 0.5, getCompressedBalance: 0.5 }),
    withBalances(panelFrom("nyc"), { getTokenAccounts: 0.5, getCompressedBalance: 0.5 }),
  ],
] as const)
  test(`says: ${expected}`, () => {
    expect(sentence(...panels)).toBe(expected);
  });

test("exit codes: 1 where a vendor is wrong from any place, 3 where nothing was compared from any", () => {
  const [right, wrong, none] = [{}, { wrong: 1 }, { questions: silent }].map((given) => panelFrom("fra", given));
  if (!right || !wrong || !none) throw new Error("no panels");
  expect([beside(right, wrong), beside(right, none), beside(none, none)].map(({ exitCode }) => exitCode)).toEqual([
    1, 0, 3,
  ]);
});

test("intervals hold for all pairs at all places together: ten places need a clearer lead than one", () => {
  const one = panelFrom("fra", { takes: [30, 32, 60] });
  const alone = mixLeads(one).map(({ from_ms }) => from_ms);
  const among = beside(...Array.from({ length: 10 }, () => one)).places.map(({ leads }) =>
    leads.map(({ from_ms }) => from_ms),
  );
  for (const [pair, from_ms] of (among[3] ?? []).entries()) expect(from_ms).toBeLessThan(alone[pair] ?? 0);
});

test("who is faster in most polls and slower in the mix isn't called fastest, nor faster in the whole mix", () => {
  const all = new PanelLatencies();
  for (let poll = 0; poll < 600; poll += 1) {
    const ms = 10 + 90 * chanceOf(1, poll);
    all.add(
      "getTokenAccounts",
      [0, 1].map((vendor) => ({ vendor, ms: ms + vendor, isCold: false })),
    );
  }
  for (let poll = 0; poll < 400; poll += 1)
    all.add(
      "getCompressedBalance",
      [0, 1].map((vendor) => ({ vendor, ms: 200 - 180 * vendor, isCold: false })),
    );
  const { latencies, leads } = all;
  const shares = { getTokenAccounts: 0.6, getCompressedBalance: 0.4 };
  const vendors = madePanel().vendors.slice(0, 2);
  const panel = panelFrom("fra", { vendors, latencies, leads, workload: { ...workOf("both"), shares } });
  const [fra] = beside(panel, panel).places;
  const [ada, bea] = fra?.vendors ?? [];
  expect((ada?.p50?.ms ?? 0) > (bea?.p50?.ms ?? 0)).toBe(true);
  expect([fra?.leads[0]?.faster, (fra?.leads[0]?.from_ms ?? 0) > 0, fra?.order.is]).toEqual([0, true, "none"]);
  expect(leadLines(panel).filter((line) => line.includes("the whole mix"))).toEqual([]);
});

test("where nobody is faster, 100 tables of three places name hardly anybody", () => {
  const named = Array.from({ length: 100 }, (_, nth) => {
    const alike = { takes: [30, 30, 30], polls: 60 };
    const panels = ["fra", "tyo", "nyc"].map((place, at) => panelFrom(place, { ...alike, chance: 3 * nth + at }));
    return beside(...panels).places.some(({ order }) => order.is === "fastest");
  });
  expect(named.filter(Boolean).length).toBeLessThanOrEqual(3);
});

const places = (panels: readonly PanelReport[]) =>
  vendorPanelsOf(panels).map(({ histories, beside: all }) => ({
    each: histories.map(({ nights, left }) => [nights[0].vantage, nights.length, left]),
    beside: all && [all.nights.map((nights) => `${nights[0].vantage} ${nights.length}`), all.left],
  }));

test("nights of one place add up to what one long night would have been, and places don't", () => {
  const [first, second, other] = [panelFrom("fra", { polls: 50 }), panelFrom("fra", { polls: 70 }), panelFrom("nyc")];
  const whole = new PanelLatencies();
  for (const panel of [first, second]) whole.addAll(panel);
  const one = beside(madePanel({ vantage: "fra", latencies: whole.latencies, leads: whole.leads }), other);
  const two = placesOf([[first, second], [other]]);
  const figures = ({ places: [fra] }: typeof one) => fra?.vendors.map(({ p50, p95, answers }) => [p50, p95, answers]);
  expect(figures(two)).toEqual(figures(one));
  expect(two.places[0]?.leads).toEqual(one.places[0]?.leads);
  expect(two.places.map(({ nights, polls }) => [nights, polls])).toEqual([
    [2, 20],
    [1, 10],
  ]);
});

test("the same panel counts once, with its place where that was named later; another of the same second counts", () => {
  const panel = panelFrom("fra");
  const later = { ...panel, endedAt: "2026-11-27T05:00:00.000Z" };
  expect(distinctPanels([panel, { ...panel, dissents: [] }, later, { ...panel, seed: 2 }])).toHaveLength(3);
  expect(distinctPanels([{ ...panel, vantage: null }, panel]).map(({ vantage }) => vantage)).toEqual(["fra"]);
  expect(distinctPanels([panel, { ...panel, vantage: "nyc" }])).toHaveLength(2);
  expect(places([panel, panel, panelFrom("fra")])).toEqual([{ each: [["fra", 2, 0]], beside: null }]);
});

test("panels of other calls or vendors are neither added up nor set beside each other", () => {
  const [wallet, trading] = [workOf("wallet"), workOf("trading")];
  const others = madePanel().vendors.toReversed();
  expect(
    places([
      panelFrom("fra", { workload: wallet }),
      panelFrom("nyc", { workload: wallet }),
      panelFrom("fra", { workload: trading }),
      panelFrom("tyo"),
      panelFrom("fra", { vendors: others }),
      panelFrom("nyc", { vendors: others }),
    ]),
  ).toEqual([
    {
      each: [
        ["fra", 1, 1],
        ["nyc", 1, 0],
        ["tyo", 1, 0],
      ],
      beside: [["fra 1", "nyc 1"], 2],
    },
    {
      each: [
        ["fra", 1, 0],
        ["nyc", 1, 0],
      ],
      beside: [["fra 1", "nyc 1"], 0],
    },
  ]);
  const { nights = [], left = 0 } =
    vendorPanelsOf([panelFrom("fra"), panelFrom("nyc"), panelFrom("nyc", { workload: wallet })])[0]?.beside ?? {};
  const text = documentMarkdown(placesDocument(placesOf(nights), { version: "0", left }));
  expect(text).toContain("\n1 panel of the same vendors asked other calls, and is left out.\n");
});

test("one table has the latencies by vendor and place, others what was wrong and what was refused there", () => {
  const text = documentMarkdown(placesDocument(eventful(), { version: "0" }));
  for (const row of [
    "| Vendor | fra | tyo | nyc |",
    /\n\| ada \| \d\d \/ \d\d \| \d\d \/ \d\d \| ✓ \d\d \/ too few, fastest \|\n/,
    /\n\| bea \| ✓ \d\d \/ \d\d, fastest \| ✓ .*, fastest \| \d\d \/ too few \|\n/,
    /\n\| cyd \| \d\d \/ \d\d \| no answer \| \d\d \/ too few \|\n/,
    "| bea | goes back in 14 of 1,800 (0.8 %) | all 20 agree | stale in 2 of 12 (16.7 %) |",
    "| cyd | all 20 agree | all 20 agree | ✗ wrong in 4 of 10 (40 %) |",
    "| ada | none | none | rate-limited 30 of 40 (75 %) |",
    "| cyd | none | left out of 28 polls (timeout: no complete answer within 15 s) | none |",
    "\n- ✗ cyd from nyc in 4 answers: `getTokenAccounts-1` {}\n",
  ])
    expect(text).toEqual(typeof row === "string" ? expect.stringContaining(row) : expect.stringMatching(row));
  expect(documentLines(placesDocument(eventful(), { version: "0" }))[0]).toBe(
    "cyd is wrong from nyc only; bea is fastest from fra and tyo, ada from nyc.",
  );
});
