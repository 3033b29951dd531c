// Comparison of walks: over which routes they go, which accounts one of them loses, and what several looks show
import { expect, test } from "@playwright/test";
import {
  about,
  accountsHeldBy,
  everyTime,
  faultsOf,
  isToItsEnd,
  lookOf,
  lostBy,
  nonEmptyPages,
  routesOver,
  walksOver,
} from "../../contracts/tokenAccounts/comparedWalks.ts";
import { type PageMember, RefusedMember, type Walk } from "../../contracts/tokenAccounts/walks.ts";
import { broken, held, heldInPart } from "../../harness/core/finding.ts";
import { Inconclusive, Withheld } from "../../harness/core/outcomes.ts";
import { answering, exchangeWith, many, paged, walked } from "./madePages.ts";

const owner = { $sample: "owner" };

/** By what a walk with the largest pages gets: how large the pages are that end elsewhere, and how many are known. */
const routes: readonly (readonly [rule: string, pages: readonly string[], limit: number, known: number, pages?: 4])[] =
  [
    ["no account is one page", [""], 1, 0],
    ["one account is one page", ["a"], 1, 1],
    ["three pages of a short list", ["abcdefghij"], 3, 10],
    ["three pages, the last of them short", ["abcdefghijk"], 4, 11],
    ["three pages and one account", ["abcdefghijklm"], 4, 13],
    ["three pages of what came on two pages", ["abcde > e", "fghij"], 3, 10],
    ["pages of 70 % where more than two pages came", ["abcdefghij > j", "klmnopqrst > t", "u"], 7, 21, 4],
    ["pages of 70 %, rounded up, where one account more than two pages came", ["abc > c", "def > f", "g"], 3, 7, 4],
    ["pages of 70 % of the first page", ["abc > c", "defghi"], 3, 9, 4],
    ["pages of 70 % where the end wasn't seen", ["abcd > d", "ab > b"], 3, 4, 4],
    ["each account is known once", ["abc > c", "ccd"], 1, 4],
  ];

for (const [rule, pages, limit, known, most] of routes)
  test(`walks are compared on smaller pages: ${rule}`, async () => {
    const cursorOf = (nth: number): string => / > (\w+)/.exec(pages[nth] ?? "")?.[1] ?? "";
    const sent = pages.map((_, nth) => (nth === 0 ? "limit 1000" : `limit 1000, cursor ${cursorOf(nth - 1)}`));
    const { context } = answering(Object.fromEntries(pages.map((page, nth) => [sent[nth] ?? "", page])));
    expect(await routesOver(context)).toEqual([
      { by: "cursor", owner, limit: 1_000 },
      { by: "page", owner, limit, known },
      { by: "cursor", owner, limit, ...(most ? { pages: most } : {}) },
    ]);
  });

const all = [..."abcdefg"];

for (const [again, order, first] of [
  [0, ["cursor 1000", "page 2", "cursor 2"], "limit 1000"],
  [1, ["page 2", "cursor 2", "cursor 1000"], "limit 2, again 1"],
  [2, ["cursor 2", "cursor 1000", "page 2"], "limit 2, again 2"],
] as const)
  test(`look ${again} walks by ${order.join(", ")}`, async () => {
    const { context, sent } = answering((params) => paged(all, params));
    const walks = await walksOver(context, again);
    expect(walks.map(({ by, limit }) => `${by} ${limit}`)).toEqual(order);
    expect(walks.map(({ addresses }) => addresses)).toEqual([all, all, all]);
    // How large pages are is told by the first look.
    expect(sent[0]).toBe("limit 1000");
    expect(sent[again === 0 ? 0 : 1]).toBe(first);
    expect(sent.slice(1).filter((one) => one.includes("again"))).toHaveLength(again === 0 ? 0 : sent.length - 1);
  });

test("empty pages are left out where pages are compared", () => {
  const walk = walked("page", ["ab", "", "c", ""]);
  expect(nonEmptyPages(walk).map(({ addresses }) => addresses)).toEqual([["a", "b"], ["c"]]);
});

test("what an account breaks is shown under its address, where it stands", () => {
  const { last } = walked("page", ["ab"]);
  const finding = (got: string) => broken("/result/token_accounts", "each once", got);
  expect(about(last, "each once", ["a", "b"], (address) => `${address}!`)).toEqual([
    ["a", { exchange: last.exchange, finding: finding("a!") }],
    ["b", { exchange: last.exchange, finding: finding("b!") }],
  ]);
});

test("a walk is at fault for what comes twice and for what it loses", () => {
  const got = faultsOf(walked("page", ["ab", "bc"]), ["x"]).map(([address, { finding }]) => [address, finding]);
  const finding = (text: string) => broken("/result/token_accounts", "each account on one page", text);
  expect(got).toEqual([
    ["b", finding("b twice")],
    ["x", finding("x on none")],
  ]);
});

/** So many accounts on pages of 100. */
const hundreds = (count: number, isWhole = true): Walk => {
  const all = many(count);
  const pages = Array.from({ length: Math.ceil(count / 100) }, (_, nth) => all.slice(100 * nth, 100 * nth + 100));
  return walked("page", pages, { isWhole });
};
const others = (count: number) => [walked("cursor", [many(count)])];

const ends: readonly (readonly [rule: string, one: Walk, others: readonly Walk[], isToItsEnd: boolean])[] = [
  ["a walk by cursor that saw the end", walked("cursor", [many(499), ["y"]]), others(1_000), true],
  ["a walk by cursor whose first page lacks one", walked("cursor", [many(500)]), others(1_000), false],
  ["a walk by cursor over one page that others don't exceed", walked("cursor", [many(500)]), others(500), true],
  ["a walk by cursor that didn't", walked("cursor", ["ab"], { isWhole: false }), [], false],
  ["a walk by page that saw the end and lost nothing", walked("page", ["ab"]), [walked("cursor", ["ab"])], true],
  ["a walk by page that lost nothing, and didn't see the end", hundreds(200, false), others(200), false],
  ["a walk by page over less than 500", hundreds(499), others(2_000), true],
  ["a walk by page over 500 that lost nothing", hundreds(500), others(500), true],
  ["a walk by page over 500, a round number, that lost one", hundreds(500), others(501), false],
  ["a walk by page over 1,000, a round number, that lost one", hundreds(1_000), others(1_001), false],
  ["a walk by page over 501 that lost less than a page", hundreds(501), others(600), true],
  ["a walk by page over 501 that lost a page", hundreds(501), others(601), false],
  ["a walk by page over 501 that lost one", hundreds(501), others(502), true],
];

for (const [rule, one, beside, isAtEnd] of ends)
  test(`${rule} ${isAtEnd ? "ended" : "may go on"}`, () => {
    expect(isToItsEnd(one, beside)).toBe(isAtEnd);
  });

const whole = (...pages: readonly string[]): Walk => walked("page", pages);
const part = (...pages: readonly string[]): Walk => walked("page", pages, { isWhole: false });

/** Of walks that may go on only what stands between pages that agree is judged (amendment 15). */
const losses: readonly (readonly [rule: string, one: Walk, others: readonly Walk[], lost: string])[] = [
  ["all that others list, where it ended", whole("ab", "c"), [whole("abcd"), whole("ae")], "de"],
  ["nothing, where it ended and lists all", whole("ab", "c"), [whole("abc"), part("ca")], ""],
  ["nothing, where pages agree", part("ab", "cd", "ef"), [part("ab", "cd", "ef")], ""],
  ["what isn't there a page later", part("ab", "de", "fg"), [part("ab", "cd")], "c"],
  ["nothing, where it comes a page later", part("ab", "de", "fc"), [part("ab", "cd")], ""],
  ["what comes two pages later", part("ab", "de", "fg", "ch"), [part("ab", "cd")], "c"],
  ["nothing that it may list on pages to come", part("ab", "de", "f"), [part("ab", "cd")], ""],
  ["nothing, where the first pages differ", part("bc", "de", "fg"), [part("ab", "xd")], ""],
  ["what it lacks behind a first page that ends elsewhere", part("ab", "cd", "ef", "gh"), [part("abc", "dxe")], "x"],
  ["nothing, where it lacks some of a longer first page", part("ab", "de", "cf", "gh"), [part("abc", "dxe")], ""],
  ["what an order by one account loses", part("a", "c", "d", "b"), [part("a", "b")], "b"],
  ["nothing that comes within its own first page's length", part("ab", "c", "de", "f"), [part("ab", "fc")], ""],
  ["what is lost behind empty pages of the other", part("ab", "de", "fg"), [part("", "ab", "", "cd")], "c"],
  ["what is lost behind its own empty page", part("", "a", "c", "d"), [part("a", "b")], "b"],
  [
    "what the first of others shows that shows any",
    part("ab", "de", "fg"),
    [part("ab"), part("ab", "cd"), part("ab", "xd")],
    "c",
  ],
  ["what a third page shows", part("ab", "cd", "fg", "hi"), [part("ab", "cd", "ef")], "e"],
];

for (const [rule, one, beside, lost] of losses)
  test(`a walk loses ${rule}`, () => {
    expect(lostBy(one, beside)).toEqual([...lost]);
  });

test("walks hold for all where one of them ended, else for as many accounts as the longest came", () => {
  expect(accountsHeldBy([part("ab"), whole("abc")], [])).toEqual(held);
  expect(accountsHeldBy([whole("abc"), part("ab")], [])).toEqual(held);
  expect(accountsHeldBy([part("ab", "c"), part("ab")], [])).toEqual(heldInPart("accounts beyond the first 3"));
  expect(accountsHeldBy([hundreds(1_300, false)], [])).toEqual(heldInPart("accounts beyond the first 1,300"));
  expect(accountsHeldBy([hundreds(500)], others(501))).toEqual(heldInPart("accounts beyond the first 500"));
});

const breaches = about(walked("page", ["a"]).last, "each once", ["a"], () => "twice");

test("a look without a breach lists nothing", () => {
  const walk = whole("ab", "c");
  expect(lookOf([walk, part("x")], [])).toEqual({
    exchange: walk.last.exchange,
    finding: held,
    breaches: [],
    list: "",
  });
});

test("a look lists each account of each walk once, in an order of its own", () => {
  const list = (...walks: readonly Walk[]): string | undefined => lookOf(walks, breaches).list;
  expect(list(whole("ab", "ba"), walked("cursor", ["c"], { limit: 9 }))).toBe("cursor 9 c\npage 2 a,b");
  expect(list(walked("cursor", ["c"], { limit: 9 }), whole("b", "a"))).toBe("cursor 9 c\npage 2 a,b");
  expect(lookOf([whole("a")], breaches, heldInPart("some"))).toMatchObject({ breaches, finding: { untried: "some" } });
});

test("without a walk there is nothing to look at", () => {
  expect(() => lookOf([], [])).toThrow("no walk to look at");
});

/** What comes of looks that each throw this, or show this. */
async function looked(show: (again: number) => Error | ReturnType<typeof lookOf>, own: PageMember | null = null) {
  const see = (_: unknown, again: number) => {
    const shown = show(again);
    return shown instanceof Error ? Promise.reject(shown) : Promise.resolve(shown);
  };
  const { context } = answering({});
  return everyTime(see, own)(context).catch((error: unknown) => error);
}

const exchange = exchangeWith(-32602);
const refused = (member: PageMember): RefusedMember => new RefusedMember(member, exchange);

test("what each look shows alike is broken, what only some show is inconclusive", async () => {
  const [broke, fine] = [lookOf([whole("a")], breaches), lookOf([whole("a")], [])];
  expect(await looked(() => broke)).toEqual([breaches[0]?.[1]]);
  expect(await looked(() => fine)).toEqual([fine]);
  expect(await looked((again) => (again === 2 ? fine : broke))).toEqual(
    new Inconclusive("accounts changed between two reads"),
  );
});

test("a parameter that is refused is its own requirement's breach, and hides others'", async () => {
  const finding = broken("/error/code", "page accepted: a page without it is served", -32602);
  expect(await looked(() => refused("page"), "page")).toEqual([{ exchange, finding }]);
  for (const own of ["cursor", null] as const)
    expect(await looked(() => refused("page"), own)).toBeInstanceOf(RefusedMember);
});

test("what isn't judged in a look isn't judged at all", async () => {
  const withheld = new Withheld("not tested");
  for (const own of ["page", null] as const) expect(await looked(() => withheld, own)).toBe(withheld);
});
