// A panel's scorecard: who is best and worst, only where figures tell vendors apart; what shows it; what is lacking.
import { expect, test } from "@playwright/test";
import { chanceOf } from "../../load/k6/chance.ts";
import { documentPage } from "../../reports/document/page.tsx";
import { documentLines } from "../../reports/document/terminal.ts";
import { panelChanges } from "../../reports/panel/changes.ts";
import { lackingLines, lackingOf } from "../../reports/panel/lacking.ts";
import { panelScorecard } from "../../reports/panel/scorecard.ts";
import { leadLines, panelDocument } from "../../reports/panel/view.ts";
import { danglingLinks } from "../support/reports.ts";
import { fiveVendors, madeFive, madePanel, panelFrom } from "./made.ts";
import { alike, withFirst, withRuns } from "./madePages.ts";

type Panel = Parameters<typeof panelScorecard>[0];

const [acme, beta] = fiveVendors;
type Five = typeof acme;

const sentencesOf = (panel: Panel): readonly string[] =>
  documentLines(panelDocument(panel))
    .filter((line) => /^ {2}(\S+ is (best|worst) in|nothing sets) /.test(line))
    .map((line) => line.trim());

/** By criterion, who is best and who is worst. */
const ranksIn = (panel: Panel) =>
  Object.fromEntries(
    panelScorecard(panel, false).rows.map(({ criterion, cells }) => [
      criterion,
      cells.map((cell) => cell?.rank ?? (cell === null ? "unknown" : "-")),
    ]),
  );

test("each vendor is named for what it is best and worst in, of those of which that is known", () => {
  expect(sentencesOf(withRuns)).toEqual([
    "acme is best in p50, worst in conformance (of 2)",
    "beta is best in conformance (of 2) and price (of 4)",
    "cyd is worst in wrong answers",
    "delta-nodes is worst in freshness and going back",
    "echo is worst in p50, p95, refusals and price (of 4)",
  ]);
});

test("rows are criteria in their order, wrong answers first, and nothing adds them up", () => {
  const { rows, names } = panelScorecard(withRuns, false);
  expect(rows.map(({ label }) => label)).toEqual([
    "wrong",
    "stale",
    "goes back",
    "p50 of the mix",
    "p95 of the mix",
    "refusals",
    "conformance",
    "credits for a million calls",
  ]);
  expect(names).toEqual(withRuns.vendors.map(({ name }) => name));
});

const isUnranked = ["-", "-", "-", "-", "-"];
for (const [title, vendors, criterion, ranks] of [
  ["two as fast as each other: neither is best", withFirst({ ms: 30 }, { ms: 30 }), "p50", isUnranked],
  ["one that is faster than all others is best", withFirst({ ms: 30 }), "p50", ["best", "-", "-", "-", "-"]],
  [
    "two wrong alike: neither is worst",
    withFirst({ counts: { wrong: 12 } }, { counts: { wrong: 14 } }),
    "wrong",
    isUnranked,
  ],
  ["one wrong is worst", withFirst({ counts: { wrong: 3 } }), "wrong", ["worst", "-", "-", "-", "-"]],
  ["a stale answer or two is chance", withFirst({ counts: { stale: 1 } }), "stale", isUnranked],
  ["many stale answers", withFirst({ counts: { stale: 40 } }), "stale", ["worst", "-", "-", "-", "-"]],
  ["an answer that goes back is chance", withFirst({ back: 2 }), "backwards", isUnranked],
  ["many that go back", withFirst({ back: 40 }), "backwards", ["worst", "-", "-", "-", "-"]],
  ["a refusal or two is chance", withFirst({ counts: { "rate-limited": 1 } }), "refusals", isUnranked],
  ["many refusals", withFirst({ counts: { unavailable: 30 } }), "refusals", ["worst", "-", "-", "-", "-"]],
  ["one price for all", alike, "price", isUnranked],
  ["a lower price", withFirst({ credits: 9 }), "price", ["best", "-", "-", "-", "-"]],
] as const)
  test(`apart or not: ${title}`, () => {
    expect(ranksIn(madeFive(120, vendors))[criterion]).toEqual(ranks);
  });

test("where nothing tells vendors apart, each is said to be so", () => {
  expect(sentencesOf(madeFive(120, alike))).toEqual(alike.map(({ name }) => `nothing sets ${name} apart`));
});

test("answers that nothing shows right or wrong are said to be unsettled, of who gave them", () => {
  const { unknown } = panelScorecard(madeFive(120, withFirst({ counts: { unsettled: 16 } })), false);
  expect(unknown.map((texts) => texts.filter((text) => text.includes("unsettled")))).toEqual([
    ["right or wrong: 32 answers unsettled"],
    [],
    [],
    [],
    [],
  ]);
});

test("with too few polls nobody is faster, however far apart; and without intervals no p95 is worst", () => {
  const panel = madeFive(9, [
    { ...acme, ms: 10 },
    { ...beta, ms: 900 },
  ]);
  expect(ranksIn(panel)["p50"]).toEqual(["-", "-"]);
  expect(ranksIn(panel)["p95"]).toBeUndefined();
  expect(ranksIn(madeFive(60, [acme, beta]))["p50"]).toEqual(["best", "worst"]);
});

test("who is behind by a little more than another isn't worst: chance took it across the bound", () => {
  const lagging = (...stale: readonly number[]) => {
    const lags = alike.map((_, vendor) => {
      return { vendor, behind: { 0: 120 }, uncertain: 0.2, stale: stale[vendor] ?? 0 };
    });
    return ranksIn(madeFive(120, alike, { freshness: { getTokenAccounts: lags } }))["stale"];
  };
  expect(lagging(14, 9, 10, 8, 9)).toEqual(isUnranked);
  expect(lagging(9, 14, 13, 15, 13)).toEqual(isUnranked);
  expect(lagging(60, 9, 10, 8, 9)).toEqual(["worst", "-", "-", "-", "-"]);
});

test("of 60 nights that differ by chance alone, hardly any is said to have changed", () => {
  let nth = 0;
  const ofHundred = (share: number): number =>
    Array.from({ length: 100 }, () => Number(chanceOf(3, (nth += 1)) < share)).reduce((all, one) => all + one);
  const { questions, vendors } = madePanel();
  const nightOf = () => {
    const counts = vendors.map(() => {
      const some = { stale: ofHundred(0.08), "rate-limited": ofHundred(0.06), unavailable: ofHundred(0.04) };
      return { ...questions[0]?.counts[0], ...some, agrees: 82 } as Panel["questions"][number]["counts"][number];
    });
    const whose = vendors.map((_, vendor) => ({ vendor, operation: "getTokenAccounts" }));
    return madePanel({
      questions: questions.map((one) => ({ ...one, polls: 100, counts })),
      // Such a share of stale answers is on the bound of being behind.
      freshness: {
        getTokenAccounts: whose.map(({ vendor }) => {
          return { vendor, behind: { 0: 100 }, uncertain: 0.2, stale: ofHundred(0.1) };
        }),
      },
      backwards: whose.map((one) => ({
        ...one,
        answers: 100,
        back: ofHundred(0.1),
        slots: {},
        values: 0,
        statuses: 0,
      })),
    });
  };
  const nights = Array.from({ length: 60 }, nightOf);
  const changed = nights
    .slice(1)
    .filter((night, at) =>
      panelChanges(nights[at] ?? night, night).vendors.some(({ lines }) => lines.join() !== "as before"),
    );
  expect(changed.length).toBeLessThanOrEqual(1);
});

test("answers on new connections are shown, and not ranked against those on open ones", () => {
  const panel = panelFrom(null, { isCold: true, takes: [90, 30, 60] });
  expect(ranksIn(panel)).toMatchObject({ p50: ["-", "best", "worst"], p95: ["-", "best", "worst"] });
  expect(sentencesOf(panel)).toEqual([
    "nothing sets ada apart",
    "bea is best in p50 (of 2) and p95 (of 2)",
    "cyd is worst in p50 (of 2) and p95 (of 2)",
  ]);
  expect(panelScorecard(panel, false).unknown[0]).toContain("order in p50 and p95: most answers on new connections");
});

test("who was left out of most polls isn't best in refusals, nor worst for what it wasn't asked", () => {
  const absencesOf = (polls: number) => [
    { vendor: 0, is: "silent" as const, from: "2026-11-27T03:00:00.000Z", to: null, polls, why: "timeout" },
  ];
  const limited = withFirst({}, ...[1, 2, 3, 4].map(() => ({ counts: { "rate-limited": 30 } })));
  const ranksOf = (vendors: readonly Five[], polls: number) =>
    ranksIn(madeFive(120, vendors, { absences: absencesOf(polls) }))["refusals"];
  expect(ranksOf(limited, 0)).toEqual(["best", "-", "-", "-", "-"]);
  expect(ranksOf(limited, 400)).toEqual(isUnranked);
  expect(ranksOf(alike, 400)).toEqual(isUnranked);
});

test("what is listed and what is charged may contradict each other: nobody is best then", () => {
  const pricesOf = (listed: readonly number[], charged: readonly string[]): Panel => {
    const panel = madeFive(120, [acme, beta]);
    const prices = listed.map((each, vendor) => ({
      vendor,
      listed: Object.fromEntries(panel.questions.map(({ operation }) => [operation, each])),
      charged: { credits: charged[vendor] ?? "0", calls: 90, listed: null },
      why: null,
    }));
    return { ...panel, prices };
  };
  expect(ranksIn(pricesOf([5, 9], ["900", "890"]))["price"]).toEqual(["-", "-"]);
  expect(ranksIn(pricesOf([9, 9], ["900", "890"]))["price"]).toEqual(["worst", "best"]);
  // The table of prices calls both as listed.
  expect(ranksIn(pricesOf([9, 9], ["900", "898"]))["price"]).toEqual(["-", "-"]);
});

test("who refused calls isn't best in price: what these would have cost isn't known", () => {
  const panel = madePanel();
  const pricesOf = (...charged: readonly (readonly [credits: string, calls: number])[]): Panel => ({
    ...panel,
    prices: charged.map(([credits, calls], vendor) => ({
      vendor,
      listed: {},
      charged: { credits, calls, listed: null },
      why: null,
    })),
  });
  // 8.2 and 8.1 credits a call; then at least 16.2 of the third.
  expect(ranksIn(pricesOf(["738", 90], ["738", 90], ["656", 81]))["price"]).toEqual(["-", "-", "-"]);
  expect(ranksIn(pricesOf(["738", 90], ["738", 90], ["1458", 81]))["price"]).toEqual(["-", "-", "worst"]);
  expect(ranksIn(pricesOf(["738", 90], ["738", 90], ["656", 90]))["price"]).toEqual(["-", "-", "best"]);
});

test("each cell leads to what shows it, on pages with much and with little", () => {
  for (const panel of [withRuns, madeFive(), madeFive(3), madePanel(), madePanel({ wrong: 3 })]) {
    const page = documentPage(panelDocument(panel));
    const known = panelScorecard(panel, false).rows.flatMap(({ cells }) => cells.filter((cell) => cell !== null));
    expect(danglingLinks(page)).toEqual([]);
    expect(page.match(/<a [^>]*href="#/g)).toHaveLength(known.length);
  }
});

test("what is lacking is said once, with what it takes", () => {
  const few = madeFive(9, [acme, beta]);
  const takes = ["p95: 36 more answers, about 23 rounds in all", "p99: 276 more answers, about 113 rounds in all"];
  expect(lackingOf(few, 0, false)).toEqual([...takes, "order against beta: 6 more polls, about 12 rounds in all"]);
  expect(lackingLines(few, false)).toEqual([
    "p95 of the mix of every vendor: 36 more answers, about 23 rounds in all",
    "p99 of the mix of every vendor: 276 more answers, about 113 rounds in all",
    "order of acme and beta: 6 more polls, about 12 rounds in all",
    "p95 of every operation: 52 more answers, about 68 rounds in all",
    "p99 of every operation: 292 more answers, about 338 rounds in all",
  ]);
  // Nights have no number of rounds.
  expect(lackingOf(few, 1, true)).toEqual([
    "p95: 36 more answers",
    "p99: 276 more answers",
    "order against acme: 6 more polls",
  ]);
  // Of one that has too few polls with everybody, it isn't said of the others, too.
  const enough = madeFive(40, alike.slice(0, 3));
  const lone = madeFive(9, alike.slice(0, 3));
  const leads = enough.leads.flatMap((lead, nth) =>
    [lead.faster, lead.slower].includes(2) ? (lone.leads[nth] ?? []) : lead,
  );
  const ordersOf = (vendor: number) =>
    lackingOf({ ...enough, leads }, vendor, true).filter((one) => one.startsWith("order"));
  expect([0, 1, 2].map((vendor) => ordersOf(vendor).length)).toEqual([0, 0, 1]);
  const [page, none] = [few, madeFive(301)].map((panel) => documentPage(panelDocument(panel)));
  expect(page?.match(/order of acme and beta: 6 more polls/g)).toHaveLength(1);
  expect(none).not.toMatch(/more (answers|polls), about|Too few answers yet/);
});

test("who is faster over the whole mix comes first, and in short where operations say the same", () => {
  const panel = madeFive(120, [acme, beta]);
  expect(leadLines(panel).map((line) => / in (.*), /.exec(line)?.[1])).toEqual([
    "the whole mix",
    ...panel.leads.map(({ operation }) => operation),
  ]);
  const shownLines = documentLines(panelDocument(panel)).filter((line) => line.includes(" is faster than "));
  expect(shownLines).toHaveLength(1);
});
