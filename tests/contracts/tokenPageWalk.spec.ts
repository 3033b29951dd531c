// Walks through pages of token accounts: which pages are asked for, where a walk ends, and whether it saw the end
import { expect, test } from "@playwright/test";
import { RefusedMember, type WalkRoute, walk } from "../../contracts/tokenAccounts/walks.ts";
import { Inconclusive, Withheld } from "../../harness/core/outcomes.ts";
import { type Answer, type Answers, answering, longPage, many } from "./madePages.ts";

/** What came of a walk, with its last answer; and what was sent. */
async function walkOf(route: Omit<WalkRoute, "owner">, answers: Answers) {
  const { context, sent } = answering(answers);
  const found = await walk(context, { owner: "o", ...route }).then(
    ({ pages, addresses, last, isWhole, ...rest }) => ({
      ...rest,
      pages: pages.map((page) => page.addresses.join("")),
      addresses: addresses.join(""),
      last: last.addresses.join(""),
      isWhole,
    }),
    (error: unknown) => error,
  );
  return { found, sent };
}

/** Pages in turn: the first without a cursor, each other one by the cursor of the page before. */
function byCursors(pages: readonly Answer[]): Answers {
  const cursorOf = (page: Answer | undefined): string =>
    typeof page === "string" ? (/ > (\w+)/.exec(page)?.[1] ?? "") : "";
  return Object.fromEntries(
    pages.map((page, nth) => [nth === 0 ? "limit 2" : `limit 2, cursor ${cursorOf(pages[nth - 1])}`, page]),
  );
}

/** What is asked for, the pages of the walk, and whether it saw the end. */
type Row = readonly [rule: string, answers: readonly Answer[], pages: readonly string[], isWhole: boolean];

const byCursor: readonly Row[] = [
  ["ends where a page has no cursor", ["ab > b", "c"], ["ab", "c"], true],
  ["ends where a cursor is an empty text", ["ab > "], ["ab"], true],
  [
    "goes on at its cursor, also behind a short page whose total shows the end",
    ["ab > b", "c > c of 3", ""],
    ["ab", "c", ""],
    true,
  ],
  ["ends in a circle where all that comes is known", ["ab > b", "cd > d", "ac > c"], ["ab", "cd", "ac"], false],
  ["ends in a circle where the last page comes again", ["ab > b", "cd > c", "dc > d"], ["ab", "cd", "dc"], false],
  ["goes on where a page has one new account", ["ab > b", "bc > c", "d"], ["ab", "bc", "d"], true],
  ["goes on behind two empty pages", ["ab > b", " > x", " > y", "c"], ["ab", "", "", "c"], true],
  ["ends with three empty pages", ["ab > b", " > x", " > y", " > z"], ["ab", "", "", ""], true],
  ["ends with three empty pages from the first on", [" > x", " > y", " > z"], ["", "", ""], true],
  [
    "counts empty pages in a row only",
    ["a > 1", " > 2", " > 3", "b > 4", " > 5", " > 6", "c"],
    ["a", "", "", "b", "", "", "c"],
    true,
  ],
  ["ends with an empty page whose cursor an earlier one had", ["ab > b", "cd > d", " > b"], ["ab", "cd", ""], true],
];

for (const [rule, answers, pages, isWhole] of byCursor)
  test(`a walk by cursor ${rule}`, async () => {
    const made = byCursors(answers);
    const { found, sent } = await walkOf({ by: "cursor", limit: 2 }, made);
    expect(found).toEqual({ by: "cursor", limit: 2, pages, addresses: pages.join(""), last: pages.at(-1), isWhole });
    expect(sent).toEqual(Object.keys(made));
  });

/** By page number from 1, of which the first comes without a number, too; beyond those given a page is empty. */
const byNumbers =
  (pages: readonly Answer[]): Answers =>
  ({ page = 1 }) =>
    pages[page - 1] ?? "";

const byPage: readonly (readonly [known: number | undefined, ...row: Row])[] = [
  [undefined, "ends with an empty page", ["ab", "cd"], ["ab", "cd", ""], true],
  [undefined, "ends with an empty first page", [], [""], true],
  [4, "ends with an empty page once all known accounts came", ["ab", "", "cd"], ["ab", "", "cd", ""], true],
  [3, "ends with an empty page once more than all came", ["ab", "cd"], ["ab", "cd", ""], true],
  [5, "ends with three empty pages before all came", ["ab", "", "cd"], ["ab", "", "cd", "", "", ""], true],
  [4, "counts each account once", ["ab", "bc"], ["ab", "bc", "", "", ""], true],
  [undefined, "ends before a third page that is refused", ["ab", "cd", -32602], ["ab", "cd"], true],
  [9, "ends before a third page that isn't found", ["ab", "cd", -32004], ["ab", "cd"], true],
  [undefined, "ends before a second page that is refused where nothing is known", ["ab", -32602], ["ab"], true],
  [2, "ends before a second page that is refused where all came", ["ab", -32602], ["ab"], true],
  [undefined, "leaves out the last page that comes again", ["ab", "cd", "dc"], ["ab", "cd"], true],
  [undefined, "leaves out the third page that comes again", ["ab", "cd", "ef", "fe"], ["ab", "cd", "ef"], true],
  [undefined, "leaves out a part of the last page that comes again", ["ab", "cd", "d"], ["ab", "cd"], true],
  [undefined, "ends in a circle where the first page comes again", ["ab", "ba"], ["ab", "ba"], false],
  [undefined, "ends in a circle where an earlier page comes again", ["ab", "cd", "ab"], ["ab", "cd", "ab"], false],
  [
    undefined,
    "ends in a circle where a known account is not the last page's",
    ["ab", "cd", "db"],
    ["ab", "cd", "db"],
    false,
  ],
  [undefined, "goes on where a page has one new account", ["ab", "bc"], ["ab", "bc", ""], true],
  [undefined, "ends with a short page that makes the total", ["ab", "c of 3"], ["ab", "c"], true],
  [undefined, "goes on behind a short page before the total", ["ab", "c of 4", "d"], ["ab", "c", "d", ""], true],
  [undefined, "goes on behind a short page without a total", ["ab", "c"], ["ab", "c", ""], true],
  [undefined, "goes on behind a full page that makes the total", ["ab of 2"], ["ab", ""], true],
  [undefined, "goes on behind a last full page that makes the total", ["ab", "cd of 4"], ["ab", "cd", ""], true],
];

for (const [known, rule, answers, pages, isWhole] of byPage)
  test(`a walk by page ${rule}, of ${known ?? "no"} known`, async () => {
    const route = { by: "page", limit: 2, ...(known === undefined ? {} : { known }) } as const;
    const { found, sent } = await walkOf(route, byNumbers(answers));
    expect(found).toMatchObject({ by: "page", limit: 2, pages, addresses: pages.join(""), isWhole });
    const beyond = Math.max(pages.length, Math.min(answers.length, pages.length + 1));
    const judged = sent.filter((one) => !one.endsWith("unjudged"));
    expect(judged).toEqual(["limit 2", ...Array.from({ length: beyond }, (_, nth) => `limit 2, page ${nth + 1}`)]);
  });

test("the last answer of a walk is its last, also where it repeats a page", async () => {
  const { found } = await walkOf({ by: "page", limit: 2 }, byNumbers(["ab", "cd", "d"]));
  expect(found).toMatchObject({ pages: ["ab", "cd"], last: "d" });
});

/** Whether page numbers begin with 0 or 1, or are refused. */
const bases: readonly (readonly [
  rule: string,
  unnamed: Answer,
  one: Answer,
  zero: Answer | null,
  base: 0 | 1 | string,
])[] = [
  ["page 1 is the one without a number", "ab", "ab", null, 1],
  ["page 1 is the one without a number in another order", "abc", "cab", null, 1],
  ["most of page 1 is on the one without a number", "abc", "abx", null, 1],
  ["half of page 1 is on the one without a number, and page 0 is that one", "ab", "bc", "ab", 0],
  ["page 0 is the one without a number", "ab", "cd", "ab", 0],
  ["page 0 is the one without a number, and begins like page 1", "abc", "axy", "abc", 0],
  ["page 0 begins with what isn't on page 1", "ab", "bc", "xc", 0],
  ["page 0 begins with what is on page 1", "ab", "cd", "dx", 1],
  ["page 0 is empty", "ab", "bc", "", 1],
  ["page 0 is refused", "ab", "cd", -32602, 1],
  ["page 1 alone is refused", "ab", -32602, "ab", 0],
  ["both are refused", "ab", -32602, -32602, "page is refused (-32602)"],
  ["both aren't found", "ab", -32004, -32004, 'a page was refused: -32004 "refused"'],
  ["the one without a number is refused", -32602, "ab", "ab", 'a page was refused: -32602 "refused"'],
];

for (const [rule, unnamed, one, zero, base] of bases)
  test(`where ${rule}, pages count from ${base}`, async () => {
    const { context, sent } = answering({
      "limit 3": unnamed,
      "limit 3, page 1": one,
      "limit 3, page 2": "",
      // What page 0 gets is unspecified.
      ...(zero === null ? {} : { "limit 3, page 0, unjudged": zero, "limit 3, page 0": zero }),
    });
    const found = await walk(context, { by: "page", owner: "o", limit: 3, pages: 1 }).catch((error: unknown) => error);
    const first = base === 0 ? zero : one;
    if (typeof base === "string") expect((found as Error).message).toBe(base);
    else expect(found).toMatchObject({ addresses: typeof first === "string" ? [...first] : [] });
    expect(found instanceof RefusedMember).toBe(one === -32602 && zero === -32602);
    const asked =
      unnamed === -32602 ? [] : ["limit 3, page 1", ...(zero === null ? [] : ["limit 3, page 0, unjudged"])];
    expect(sent).toEqual(["limit 3", ...asked, ...(base === 0 ? ["limit 3, page 0"] : [])]);
  });

test("pages from 0 are followed by the numbers after it", async () => {
  const { found, sent } = await walkOf({ by: "page", limit: 2 }, ({ page = 0 }) => ["ab", "cd"][page] ?? "");
  expect(found).toMatchObject({ pages: ["ab", "cd", ""], isWhole: true });
  expect(sent).toEqual([
    "limit 2",
    "limit 2, page 1",
    "limit 2, page 0, unjudged",
    "limit 2, page 0",
    "limit 2, page 2",
  ]);
});

/** Of 500 accounts that come by page number no further may be served. */
const firstPages: readonly (readonly [known: number, first: number, isRefused: boolean])[] = [
  [501, 500, false],
  [501, 499, true],
  [499, 499, false],
  [499, 498, true],
  [3, 2, true],
];

for (const [known, first, isRefused] of firstPages)
  test(`page 2, refused behind ${first} of ${known}, ${isRefused ? "is refused" : "is beyond the end"}`, async () => {
    const answers: Answers = ({ page = 1 }) => (page === 1 ? longPage(many(first)) : -32602);
    const { found } = await walkOf({ by: "page", limit: 1_000, known }, answers);
    if (isRefused) expect(found).toMatchObject({ member: "page" });
    else expect(found).toMatchObject({ isWhole: true });
  });

test("a walk reads as many pages as it is told, 30 otherwise, and says that it didn't see the end", async () => {
  const long: Answers = ({ cursor = "0" }) => longPage([`x${cursor}`], `${Number(cursor) + 1}`);
  for (const [pages, count] of [
    [1, 1],
    [2, 2],
    [undefined, 30],
  ] as const) {
    const { found, sent } = await walkOf({ by: "cursor", limit: 1, ...(pages ? { pages } : {}) }, long);
    expect(found).toMatchObject({ isWhole: false });
    expect(sent).toHaveLength(count);
  }
});

test("a walk doesn't stop at an empty page, unless it is the end", async () => {
  const { found } = await walkOf({ by: "cursor", limit: 2, pages: 1 }, byCursors([" > x", " > y", "ab > b"]));
  expect(found).toMatchObject({ pages: ["", "", "ab"], isWhole: false });
});

const inconclusive = new Inconclusive("no answer in time");
const defect = new Error("a defect");

const limits: readonly (readonly [
  rule: string,
  answers: { readonly [sent: string]: Answer },
  limit: number | Error,
])[] = [
  ["1,000 where it is served", { "limit 1000": "a" }, 1_000],
  ["100 where 1,000 is refused", { "limit 1000": -32602, "limit 100": "a" }, 100],
  ["100 where 1,000 gets no answer", { "limit 1000": inconclusive, "limit 100": "a" }, 100],
  ["50 where 100 is refused", { "limit 1000": -32602, "limit 100": -32602, "limit 50": "a" }, 50],
  ["10 where 50 gets no answer", { "limit 1000": -1, "limit 100": -1, "limit 50": inconclusive, "limit 10": "a" }, 10],
  ["none where a defect shows", { "limit 1000": defect }, defect],
];

for (const [rule, answers, limit] of limits)
  test(`the limit of a walk is ${rule}`, async () => {
    const { found, sent } = await walkOf({ by: "cursor" }, answers);
    if (limit instanceof Error) expect(found).toBe(limit);
    else expect(found).toMatchObject({ limit, pages: ["a"] });
    expect(sent).toEqual(Object.keys(answers));
  });

test("where no limit is served a walk asks for 50 accounts, and isn't judged", async () => {
  const { found, sent } = await walkOf({ by: "cursor" }, () => -32000);
  expect(found).toEqual(new Withheld('a page was refused: -32000 "refused"'));
  expect(sent).toEqual(["limit 1000", "limit 100", "limit 50", "limit 10"]);
});

test("pages of a walk are asked for with its options, key and number", async () => {
  const route = { by: "cursor", owner: "o", limit: 2, options: { flag: true }, again: 1, as: "free" } as const;
  const { context, sent, requestSpecs } = answering({
    "limit 2, options …, again 1": "ab > b",
    "limit 2, options …, cursor b, again 1": "c",
  });
  expect((await walk(context, route)).addresses).toEqual(["a", "b", "c"]);
  expect(sent).toHaveLength(2);
  expect(requestSpecs.map(({ carriers }) => carriers[0]?.key)).toEqual([{ keyOf: "free" }, { keyOf: "free" }]);
});

for (const cursor of [5, null, {}])
  test(`a cursor that is ${JSON.stringify(cursor)} leads nowhere, and pages by number need none`, async () => {
    const answers = ({ page = 1 }: { readonly page?: number }): Answer => ({
      token_accounts: ["a", "b", "c"].slice(page - 1, page).map((address) => ({ address })),
      cursor,
    });
    const { found } = await walkOf({ by: "cursor", limit: 1 }, answers);
    expect(found).toMatchObject({ pages: ["a"], isWhole: true });
    const { found: byPage } = await walkOf({ by: "page", limit: 1 }, answers);
    expect(byPage).toMatchObject({ pages: ["a", "b", "c", ""], isWhole: true });
  });

for (const [code, isRefused] of [
  [-32602, true],
  [-32000, false],
] as const)
  test(`a walk whose cursor gets ${code} is ${isRefused ? "refused for it" : "not judged"}`, async () => {
    const { found } = await walkOf({ by: "cursor", limit: 2 }, byCursors(["ab > b", code]));
    expect(found instanceof RefusedMember).toBe(isRefused);
    expect(found).toBeInstanceOf(Withheld);
    expect(found).toMatchObject(isRefused ? { member: "cursor" } : { message: 'a page was refused: -32000 "refused"' });
  });
