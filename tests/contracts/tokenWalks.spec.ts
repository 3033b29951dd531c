// Owners of 3 to 20,000 token accounts: a lawful platform is never accused, and a lost or doubled account is found.
import { expect, test } from "@playwright/test";
import { accused, type Defect, judgedOwner, type Paging } from "../support/madeOwner.ts";

test.describe.configure({ mode: "parallel" });

const sizes = [3, 40, 130, 1_300, 20_000];
/** In the gate one list that is longer than a page, which is short there. */
const inGate = 130;
const tagOf = (isInGate: boolean) => (isInGate ? {} : { tag: "@slow" });
const pagesOf = (count: number, paging: Paging = {}): Paging => (count === inGate ? { cap: 100, ...paging } : paging);

const lawful: { readonly [choice: string]: Paging } = {
  "as usual": {},
  "with empty accounts, and at most 100 per page": { empties: true, cap: 100 },
  "with larger limits cut to 100, which isn't told": { cap: 100, beyondCap: "cut, but echoed", total: "of the page" },
  "with larger limits cut to 1,000, pages from 0, and a cursor on the last page": {
    beyondCap: "cut",
    base: 0,
    cursors: "addresses",
    lastCursor: "there",
  },
  "with places as cursors, and pages beyond the end refused": {
    cursors: "places",
    lastCursor: "empty text",
    beyondEnd: "refused",
    total: "of the page",
  },
  "with no answer in time for more than 100 per page": { cap: 100, beyondCap: "no answer" },
  "with pages beyond the end not found": { beyondEnd: "not found", total: "of the page" },
  "with the last page for all beyond it": { beyondEnd: "the last page", total: "of the page" },
  "with page numbers to 1,000 accounts only": { deepest: 1_000, beyondEnd: "refused" },
  "with empty pages beyond 10,000 accounts": { deepest: 10_000, total: "of the page" },
  "with empty accounts left out once pages are cut": { empties: true, leavesOut: "afterwards", total: "of the page" },
  "with another order by page than by cursor": { order: "another by page" },
  "with each page in another order, from 0": { order: "another on each page", base: 0 },
  "with no cursor where a page is given": { cursorByPage: false },
};

/** What has a bound of its own needs longer lists. */
const isLong = ({ cap = 0, deepest = 0 }: Paging): boolean => cap > 100 || deepest > 0;

for (const [choice, paging] of Object.entries(lawful))
  for (const count of sizes)
    test(
      `${count} accounts ${choice} are no finding`,
      tagOf(count === (isLong(paging) ? 1_300 : inGate) || (count === 3 && paging.empties === true)),
      async () => {
        const { verdicts } = await judgedOwner(count, pagesOf(count, paging));
        expect(verdicts.filter(({ verdict }) => verdict === "broken" || verdict === "inconclusive")).toEqual([]);
        expect(verdicts.filter(({ verdict }) => verdict === "holds").length).toBeGreaterThanOrEqual(3);
      },
    );

const without = <One>(list: readonly One[], at: number): readonly One[] => list.filter((_, nth) => nth !== at);
/** On owners of one page nothing is lost where pages end. */
const onPage = (isIt: (nth: number, last: number) => boolean, change: Defect): Defect => {
  return (accounts, page, all) => {
    const last = Math.ceil(page.of / page.size) - 1;
    return last > 0 && isIt(page.nth, last) ? change(accounts, page, all) : accounts;
  };
};

const defects: { readonly [what: string]: Defect } = {
  "lost between page 1 and page 2": onPage(
    (nth) => nth === 1,
    (accounts) => accounts.slice(1),
  ),
  "lost in the middle": onPage(
    (nth, last) => nth === Math.ceil(last / 2),
    (accounts) => without(accounts, Math.floor(accounts.length / 2)),
  ),
  "lost on the last page": onPage(
    (nth, last) => nth === last,
    (accounts) => accounts.slice(0, -1),
  ),
  "doubled where page 2 begins": onPage(
    (nth) => nth === 1,
    (accounts, { nth, size }, all) => [...all.slice(nth * size - 1, nth * size), ...accounts.slice(1)],
  ),
  "skipped, every 100th": (accounts, { nth, size, of }) =>
    accounts.filter((_, at) => of < 100 || (nth * size + at) % 100 !== 99),
};

for (const [what, defect] of Object.entries(defects))
  for (const [by, id] of [
    ["page", "TA-PAGE-01"],
    ["cursor", "TA-PAGE-02"],
  ] as const)
    for (const count of sizes.filter((size) => size > 100 || !what.includes("100th")))
      test(`of ${count} accounts one is ${what}, by ${by}: ${id}`, tagOf(count === inGate), async () => {
        const only: Defect = (accounts, page, all) => (page.by === by ? defect(accounts, page, all) : accounts);
        expect(await accused(count, pagesOf(count, { defect: only }))).toContain(id);
      });

for (const [count, paging] of [
  [3, {}],
  [40, {}],
  [130, { cap: 100 }],
  [1_300, { cap: 100 }],
  [20_000, { cap: 100, beyondCap: "cut" }],
] as const)
  test(
    `of ${count} accounts one lost between pages by page and by cursor alike is found`,
    tagOf(count <= inGate),
    async () => {
      const lost = defects["lost between page 1 and page 2"];
      expect(await accused(count, { ...paging, ...(lost ? { defect: lost } : {}) })).toContain("TA-PAGE-02");
    },
  );

test("beyond 30 pages the verdicts hold for what was read, and nothing is concluded of the rest", async () => {
  const lateLoss: Defect = (accounts, { by, nth }) => (by === "page" && nth > 40 ? accounts.slice(1) : accounts);
  const { untried } = await judgedOwner(5_000, { cap: 100, empties: true, defect: lateLoss });
  const beyond = (first: string): string => `accounts beyond the first ${first}`;
  expect(Object.fromEntries(untried)).toEqual({
    "TA-CUR-02": beyond("3,000"),
    "TA-PAGE-01": beyond("2,100"),
    "TA-PAGE-02": beyond("3,000"),
    "TA-PAGE-05": beyond("2,100"),
    "TA-ZERO-01": beyond("3,000"),
    "TA-ZERO-02": beyond("3,000"),
  });
});

for (const [how, there] of Object.entries({
  "come and go with each read": (nth: number, read: number) => nth % 10 !== 1 || read % 2 === 0,
  "come and go with every fourth read": (nth: number, read: number) => nth !== 1 || Math.floor(read / 4) % 2 === 0,
  "come and go by chance": (nth: number, read: number) => (nth * 7_919 + read * 104_729) % 101 > 5,
  vanish: (nth: number, read: number) => nth > read,
}))
  for (const count of [3, 40, 130])
    for (const base of [0, 1] as const)
      test(
        `of ${count} accounts those that ${how} are no breach, with pages from ${base}`,
        tagOf((count === 40) === (base === 0) && count > 3),
        async () => {
          expect(await accused(count, { there, base, cursors: "places" })).toEqual([]);
        },
      );

test("a cursor that no page has is entailed to be missing, one that the second page lacks is implied", async () => {
  const bare = await judgedOwner(130, { cursorOn: "no page" });
  const second = await judgedOwner(130, { cursorOn: "the first page" });
  const missing = [bare, second].map(({ verdicts }) => verdicts.find(({ id }) => id === "TA-CUR-02")?.breaches[0]);
  expect(missing).toMatchObject([{ at: "/result/cursor" }, { at: "/result/cursor", warnsOnVendors: true }]);
  expect(missing[0]).not.toHaveProperty("warnsOnVendors");
});

/** The outcomes of all that is judged, but for what holds. */
const openOn = async (count: number, paging: Paging) =>
  Object.fromEntries(
    (await judgedOwner(count, { empties: true, ...paging })).verdicts
      .filter(({ verdict }) => verdict !== "holds")
      .map(({ id, verdict, reason }) => [id, reason ?? verdict]),
  );
const noCursorOn = (page: number): string =>
  `page ${page} has no text as cursor, though accounts follow by page number`;

const habits: readonly (readonly [habit: string, paging: Paging, open: { readonly [id: string]: string }])[] = [
  ["on the last page", {}, {}],
  ["on pages by number and the last one", { cursorByPage: false }, {}],
  [
    "on every page",
    { cursorOn: "no page" },
    {
      ...{ "TA-CUR-02": "broken", "TA-PAGE-02": noCursorOn(1), "TA-PAGE-05": noCursorOn(1) },
      ...{ "TA-PAGE-03": noCursorOn(1), "TA-PAGE-04": noCursorOn(2) },
    },
  ],
];

for (const [habit, paging, open] of habits)
  for (const [count, cap] of [
    [40, 100],
    [130, 100],
    [2_600, 1_000],
  ] as const)
    test(`of ${count} accounts null instead of a cursor ${habit} leaves all else to be judged`, async () => {
      expect(await openOn(count, { cap, isNullSaid: true, ...paging })).toEqual({ "TA-CUR-01": "broken", ...open });
    });

test("without cursors an owner's empty accounts are judged on pages by number", async () => {
  const paging: Paging = { cursorOn: "no page", cap: 100, beyondCap: "cut, but echoed", total: "of the page" };
  expect(Object.keys(await openOn(130, paging))).toEqual([
    "TA-CUR-02",
    "TA-PAGE-02",
    "TA-PAGE-03",
    "TA-PAGE-04",
    "TA-PAGE-05",
  ]);
});

test("empty accounts are an implied breach without the flag, an entailed one where it is false", async () => {
  const [always, anyOptions] = [
    await judgedOwner(40, { empties: true, shows: "always" }),
    await judgedOwner(40, { empties: true, shows: "unless false" }),
  ];
  const kinds = [always, anyOptions].map(({ verdicts }) =>
    verdicts
      .filter(({ id }) => id === "TA-ZERO-02")
      .flatMap(({ breaches }) => breaches.map(({ warnsOnVendors = false }) => warnsOnVendors)),
  );
  expect(kinds.map((all) => new Set(all))).toEqual([new Set([false, true]), new Set([true])]);
});
