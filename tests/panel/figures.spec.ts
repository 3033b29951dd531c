// Lags, latencies and pooled nights: what is certain is reported, chance isn't, and nights add up exactly.
import { expect, type Locator, test } from "@playwright/test";
import { chanceOf } from "../../load/k6/chance.ts";
import { freshnessIn, type Sighting } from "../../panel/freshness.ts";
import { PanelLatencies } from "../../panel/latencies.ts";
import { type PanelReport, panelFormat } from "../../panel/panelReport.ts";
import { pooled } from "../../panel/pooling.ts";
import { documentMarkdown } from "../../reports/document/markdown.ts";
import { documentPage } from "../../reports/document/page.tsx";
import { documentLines } from "../../reports/document/terminal.ts";
import { lagIn } from "../../reports/panel/figures.ts";
import { panelDocument } from "../../reports/panel/view.ts";
import { graveIn, overflow, phone, reader, unfold } from "../support/reports.ts";
import { madePanel } from "./made.ts";

/** Polls of vendors that are so many slots behind, 400 ms a slot, each answer within `within_ms`. */
const pollsOf = (lags: readonly ((nth: number) => number)[], within_ms = 40, count = 100): readonly Sighting[][] =>
  Array.from({ length: count }, (_, nth) => {
    const sent_ms = nth * Math.max(100, within_ms);
    return lags.map((lag, vendor) => {
      const taken_ms = sent_ms + within_ms * chanceOf(vendor, nth);
      return { vendor, slot: Math.floor(taken_ms / 400) - lag(nth), sent_ms, received_ms: sent_ms + within_ms };
    });
  });
const behind = (lags: readonly number[], reference: number | null = null, within_ms = 40) =>
  freshnessIn(
    pollsOf(
      lags.map((lag) => () => lag),
      within_ms,
    ),
    reference,
  ).map(lagIn);

test("who is slots behind two others is behind, and the slots are counted", () => {
  const [, , , late] = behind([0, 0, 0, 3]);
  expect(behind([0, 0, 0, 3]).map(({ isStale }) => isStale)).toEqual([false, false, false, true]);
  expect([late?.answers, late?.median, late?.uncertain]).toEqual([100, 3, 0.1]);
});

for (const [title, lags, reference, within_ms, expected] of [
  ["one slot is no lag", [0, 0, 0, 1], null, 40, [false, false, false, false]],
  ["one alone may claim any slot", [0, 0, 0, -90], null, 40, [false, false, false, false]],
  ["of two, nobody knows", [0, 30], null, 40, [false, false]],
  ["of three, the third is behind two", [0, 0, 30], null, 40, [false, false, true]],
  ["the reference is trusted", [0, 30], 0, 40, [false, true]],
  ["nobody is behind a late reference", [30, 0], 0, 40, [false, false]],
  ["answers that take 2 s leave 3 slots open", [0, 0, 0, 3], null, 2_000, [false, false, false, false]],
  ["and not 40", [0, 0, 0, 40], null, 2_000, [false, false, false, true]],
] as const)
  test(title, () => {
    expect(behind(lags, reference, within_ms).map(({ isStale }) => isStale)).toEqual(expected);
  });

test("what others had shown before counts, though they have fallen behind since", () => {
  const pollOf = (nth: number, ...slots: readonly number[]): Sighting[] =>
    slots.map((slot, vendor) => ({ vendor, slot, sent_ms: nth * 100, received_ms: nth * 100 + 40 }));
  const polls = [pollOf(0, 100, 100, 95), pollOf(1, 60, 60, 95), pollOf(2, 60, 60, 95)];
  expect(freshnessIn(polls, null).map(({ stale }) => stale)).toEqual([2, 2, 2]);
});

test("a hiccup in two of a hundred answers isn't being behind, and a replica in four of ten is", () => {
  const rarely = freshnessIn(pollsOf([() => 0, () => 0, (nth) => (nth % 50 === 0 ? 40 : 0)]), null).map(lagIn);
  expect([rarely[2]?.isStale, rarely[2]?.most]).toEqual([false, 40]);
  expect(
    lagIn(freshnessIn(pollsOf([() => 0, () => 0, (nth) => (nth % 5 < 2 ? 40 : 0)]), null)[2] as never).isStale,
  ).toBe(true);
});

test("p95 of slots is given from 60 answers on, in figures and in words", () => {
  const of = (answers: number) => ({ vendor: 2, behind: { 3: answers - 9, 40: 9 }, uncertain: 0.2, stale: answers });
  expect([59, 60].map((answers) => lagIn(of(answers)).p95)).toEqual([null, 40]);
  const linesOf = (answers: number) =>
    documentLines(panelDocument(madePanel({ freshness: { getTokenAccounts: [of(answers)] } }))).join("\n");
  expect(linesOf(59)).toContain("3 slots behind in the median, ± 0.2; certainly behind in 59");
  expect(linesOf(60)).toContain("3 slots behind in the median, p95 40, ± 0.2; certainly behind in 60");
});

interface Timed {
  readonly seed: number;
  readonly polls?: number;
  /** By how many ms the second of three vendors is slower. */
  readonly slower_ms?: number;
}
function latenciesOf({ seed, polls = 200, slower_ms = 0 }: Timed, into = new PanelLatencies()): PanelLatencies {
  for (let nth = 0; nth < polls; nth += 1) {
    // What the way of all three takes varies more than they differ.
    const common_ms = 80 * chanceOf(seed, nth * 10);
    into.add(
      "getIndexerHealth",
      [0, 1, 2].map((vendor) => {
        const own_ms = 20 * chanceOf(seed, nth * 10 + vendor + 1) + (vendor === 1 ? slower_ms : 0);
        return { vendor, ms: 10 + common_ms + own_ms, isCold: nth === 0 };
      }),
    );
  }
  return into;
}
const isReported = ({ from_ms, isRanked }: PanelLatencies["leads"][number]): boolean => isRanked && from_ms > 0;

test("a difference within the noise of the way is reported, with the interval around it", () => {
  const { leads, latencies } = latenciesOf({ seed: 1, slower_ms: 5 });
  const reported = leads.filter(isReported);
  expect(reported.map(({ faster, slower }) => [faster, slower])).toEqual(
    expect.arrayContaining([
      [0, 1],
      [2, 1],
    ]),
  );
  for (const { from_ms, by_ms, to_ms } of reported)
    expect([from_ms < 5, by_ms > 3, by_ms < 7, to_ms > 5]).toEqual([true, true, true, true]);
  expect(latencies.filter(({ kind }) => kind === "cold").map(({ count }) => count)).toEqual([1, 1, 1]);
  expect(latencies.filter(({ kind }) => kind === "warm").map(({ count }) => count)).toEqual([199, 199, 199]);
});

test("where nobody is faster, 300 panels tell of hardly any", () => {
  const reported = Array.from({ length: 300 }, (_, seed) => latenciesOf({ seed, polls: 60 }).leads.some(isReported));
  expect(reported.filter(Boolean).length).toBeLessThanOrEqual(9);
});

test("where two take equally long, neither was faster", () => {
  const latencies = new PanelLatencies();
  for (let nth = 0; nth < 100; nth += 1)
    latencies.add(
      "getIndexerHealth",
      [0, 1].map((vendor) => ({ vendor, ms: 5, isCold: false })),
    );
  expect(latencies.leads.map(({ polls, isRanked }) => [polls, isRanked])).toEqual([[0, false]]);
});

test("a vendor with too few answers isn't ranked, however slow it is", () => {
  const { leads } = latenciesOf({ seed: 1, polls: 30, slower_ms: 500 });
  expect(leads.map(({ polls, isRanked }) => [polls, isRanked])).toEqual([
    [29, false],
    [29, false],
    [29, false],
  ]);
});

test("pooled nights are what one long night would have been", () => {
  const nights = [1, 2, 3].map((seed) => latenciesOf({ seed, polls: 25, slower_ms: 30 }));
  const whole = [1, 2, 3].reduce(
    (all, seed) => latenciesOf({ seed, polls: 25, slower_ms: 30 }, all),
    new PanelLatencies(),
  );
  const panels = nights.map(({ latencies, leads }) => madePanel({ latencies, leads }));
  const all = pooled(panels as [PanelReport, ...PanelReport[]]);
  expect(all.latencies).toEqual(whole.latencies);
  expect(all.leads).toEqual(whole.leads);
  expect(all.leads.filter(isReported).map(({ slower }) => slower)).toEqual([1, 1]);
});

test("answers, lags, rounds and what is spent add up", () => {
  const panels = [
    madePanel({ rounds: 3 }),
    madePanel({ rounds: 4, startedAt: "2026-11-28T03:00:00.000Z", wrong: 2 }),
  ] as const;
  const { rounds, questions, freshness, startedAt, format, vendors } = pooled(panels);
  expect(vendors.map(({ spent }) => spent.requests)).toEqual([20, 20, 20]);
  expect([rounds, startedAt, format]).toEqual([7, panels[0].startedAt, panelFormat]);
  expect(questions.map(({ polls, counts }) => [polls, counts[2]?.wrong, counts[0]?.agrees])).toEqual([[20, 2, 20]]);
  const [question] = madePanel().questions;
  if (!question) throw new Error("no question");
  const divided = (polls: number) =>
    madePanel({ questions: [{ ...question, splits: [{ groups: [[0, 1], [2]], polls }] }] });
  const splits = [3, 4].map((polls) => ({ groups: [[0, 1], [2]], polls }));
  expect(pooled([divided(3), divided(4)]).questions[0]?.splits).toEqual(splits);
  expect(freshness["getTokenAccounts"]?.[0]).toEqual({ vendor: 0, behind: { 0: 16, 3: 4 }, uncertain: 0.2, stale: 2 });
});

test("where the headline is of the latest night, the table says that it is of all", () => {
  const nights = [madePanel({ wrong: 2 }), madePanel()] as const;
  const says = "The table is of all 2 nights.";
  expect(documentMarkdown(panelDocument(pooled(nights), nights.toReversed()))).toContain(says);
  expect(documentMarkdown(panelDocument(nights[0]))).not.toContain("The table is of");
});

test("what nights were charged adds up exactly, and what is listed is that of the last one", () => {
  const night = (credits: string | null, of = 5): PanelReport => {
    const charged = credits === null ? null : { credits, calls: 10, listed: 50 };
    const listed = { getTokenAccounts: of };
    return madePanel({ prices: [{ vendor: 0, listed, charged, why: charged ? null : "not quiet" }] });
  };
  expect(pooled([night("0.1"), night(null), night("0.2", 6)]).prices).toEqual([
    { vendor: 0, listed: { getTokenAccounts: 6 }, charged: { credits: "0.3", calls: 20, listed: 100 }, why: null },
  ]);
  expect(pooled([night(null), night(null)]).prices).toMatchObject([{ charged: null, why: "not quiet" }]);
  const old = madePanel({ format: 1 });
  expect(Object.keys(pooled([old, old]))).toEqual(Object.keys(old));
  expect(pooled([madePanel(), night("0.1")]).prices).toMatchObject([{ charged: { credits: "0.1" } }]);
});

/** Within a pixel and a half. */
const near = (place: number) => expect.closeTo(place, -0.5);

/** Bea is three slots behind and takes ten times as long; the rest of its answers are far worse. */
function unlike(answers: number) {
  const latencies = new PanelLatencies();
  for (let nth = 0; nth < answers; nth += 1)
    latencies.add("getIndexerHealth", [
      { vendor: 0, ms: 20, isCold: false },
      { vendor: 1, ms: nth % 10 === 0 ? 900 : 200, isCold: false },
    ]);
  const lags = [{ 0: answers }, { 3: answers * 0.8, 30: answers * 0.2 }].map((behind, vendor) => {
    return { vendor, behind, uncertain: 0.2, stale: 0 };
  });
  return panelDocument(madePanel({ latencies: latencies.latencies, freshness: { getTokenAccounts: lags } }));
}

for (const [name, viewport, colorScheme] of [
  ["a phone", phone, "dark"],
  ["a reader", reader, "light"],
] as const)
  test(`dots stand where their figures are, on a scale that all vendors share, on ${name}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await page.setContent(documentPage(unlike(400)));
    const rows = page.locator(".dots > div").filter({ hasText: "answers" });
    expect(await rows.allInnerTexts()).toEqual(
      [
        ["ada", "0 slots, p95 0; 400 answers"],
        ["bea", "3 slots, p95 30; 400 answers"],
        ["ada", "20 ms \\(20 to 20\\), p95 20; 400 answers"],
        ["bea", "201 ms \\(201 to 201\\), p95 901; 400 answers"],
      ].map((texts) => expect.stringMatching(new RegExp(`^${texts.join("\\s+")}$`))),
    );
    const placesOf = async (nth: number): Promise<number[]> => {
      const marks = [".dot", ".ring", ".highest"].map((mark) => rows.nth(nth).locator(mark).boundingBox());
      return (await Promise.all(marks)).map((box) => Math.round((box?.x ?? 0) + (box?.width ?? 0) / 2));
    };
    const textsOf = (nth: number) => page.locator(".dots").nth(nth).locator("text");
    const middleOf = async (nth: number, tick: string): Promise<number> => {
      const box = await textsOf(nth).getByText(tick, { exact: true }).boundingBox();
      return Math.round((box?.x ?? 0) + (box?.width ?? 0) / 2);
    };
    const [none, twenty] = [await middleOf(0, "0"), await middleOf(1, "20")];
    expect(await placesOf(0)).toEqual([none, none, none].map(near));
    expect(await placesOf(2)).toEqual([twenty, twenty, twenty].map(near));
    const [median, p95, most] = (await placesOf(1)) as [number, number, number];
    expect([median > (await middleOf(0, "2")), median < (await middleOf(0, "5")), p95 === most]).toEqual([
      true,
      true,
      true,
    ]);
    expect((await placesOf(3))[0]).toEqual(near(await middleOf(1, "200")));

    await expect(page.locator(".dots text").first()).toHaveCSS("font-size", "11px");
    await unfold(page);
    expect(await overflow(page)).toBe(0);
    expect(await graveIn(page)).toEqual([]);
  });

test("a table has the figures of the dots with their units, and stands alone where answers are few", () => {
  const [many, few] = [unlike(400), unlike(4)];
  expect(documentMarkdown(many)).toContain("| getTokenAccounts | bea | 400 | 3 | 30 | 30 | 0.2 |");
  expect(documentMarkdown(many)).toContain("| Answers | Median slots | p95 slots | Most slots | ± slots |");
  expect(documentMarkdown(many)).toContain("| Answers | Median ms | from | to | p95 ms | p99 ms |");
  expect(documentMarkdown(many)).toContain("| getIndexerHealth | warm | bea | 400 | 201 | 201 | 201 | 901 |");
  expect([many, few].map((document) => documentPage(document).includes('class="dots"'))).toEqual([true, false]);
  for (const page of [many, few].map(documentPage))
    for (const head of ["Median slots", "Median ms"]) expect(page).toContain(`<th scope="col">${head}</th>`);
});

test("a bar is the interval of a median, and a ring or a mark stands only where there are answers enough", async ({
  page,
}) => {
  // Of 100 answers, the 40th and the 61st are the ends of the interval of their median.
  const latencies = new PanelLatencies();
  for (let nth = 0; nth < 100; nth += 1)
    latencies.add("getTokenAccounts", [
      { vendor: 0, ms: nth < 45 ? 20 : nth < 55 ? 50 : 200, isCold: false },
      ...(nth < 50 ? [{ vendor: 1, ms: 500, isCold: false }] : []),
    ]);
  await page.setViewportSize(reader);
  await page.setContent(documentPage(panelDocument(madePanel({ latencies: latencies.latencies, freshness: {} }))));
  const rows = page.locator(".dots > div").filter({ hasText: "answers" });
  const marks = [".interval", ".dot", ".ring", ".highest"];
  const countsOf = (row: Locator) => Promise.all(marks.map((mark) => row.locator(mark).count()));
  expect(await countsOf(rows.nth(0))).toEqual([1, 1, 1, 0]);
  expect(await countsOf(rows.nth(1))).toEqual([1, 1, 0, 0]);
  const boxOf = async (locator: Locator) => (await locator.boundingBox()) ?? { x: -1, width: 0 };
  const middleOf = async (tick: string): Promise<number> => {
    const { x, width } = await boxOf(page.locator(".dots text").getByText(tick, { exact: true }));
    return x + width / 2;
  };
  const { x, width } = await boxOf(rows.nth(0).locator(".interval"));
  // The box of a line is larger by half its thickness, which is 9.
  expect([x + 4.5, x + width - 4.5]).toEqual([near(await middleOf("20")), near(await middleOf("200"))]);
});
