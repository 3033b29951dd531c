// Checks of what comes after and before a cursor of token accounts
import { expect, test } from "@playwright/test";
import { all, answerTo, atCursor, but, checkOf, type Id, judged, list, refusing, reversed } from "./judgedPages.ts";
import { type Answer, type Answers, answering, longPage, many, type Params, paged } from "./madePages.ts";

const tooFew = "samples.owner has too few accounts";
const noCursorOn = (page: number): string =>
  `page ${page} has no text as cursor, though accounts follow by page number`;

const swapped = (params: Params): Answer | undefined => (params.page ? paged([..."abcghidef"], params) : undefined);

const rows: readonly (readonly [id: Id, rule: string, answers: Answers, outcome: string])[] = [
  ["TA-PAGE-03", "page 2 comes", but(() => undefined), "held"],
  ["TA-PAGE-03", "page 2 comes in another order", answerTo("after", "fed"), "held"],
  ["TA-PAGE-03", "pages by number have another order", but(reversed), "held"],
  ["TA-PAGE-03", "page 2 by number comes", but((params) => (params.after ? "fed" : reversed(params))), "held"],
  ["TA-PAGE-03", "page 2 comes, which is page 3 by number", but(swapped), "held"],
  [
    "TA-PAGE-03",
    "page 3 comes, which is page 2 by number",
    but((params) => (params.after ? "ghi" : swapped(params))),
    "held",
  ],
  ["TA-PAGE-03", "the cursor names the first account of page 2", answerTo("after", "efg"), "held"],
  ["TA-PAGE-03", "all but one of page 2 comes", answerTo("after", "de"), "held"],
  ["TA-PAGE-03", "page 2 lacks two accounts", answerTo("after", "fgh"), `${list} page 2; ["f","g","h"]`],
  ["TA-PAGE-03", "page 3 comes", answerTo("after", "ghi"), `${list} page 2; ["g","h","i"]`],
  ["TA-PAGE-03", "an account of no page comes", answerTo("after", "defx"), `${list} page 2; ["d","e","f","x"]`],
  [
    "TA-PAGE-03",
    "page 1 comes again",
    answerTo("after", "abc"),
    `${list} results after the cursor of page 1; "a of page 1"`,
  ],
  [
    "TA-PAGE-03",
    "the cursor's account comes again",
    answerTo("after", "cde"),
    `${list} results after the cursor of page 1; "c of page 1"`,
  ],
  [
    "TA-PAGE-03",
    "the last account of page 1 comes beside page 2",
    answerTo("after", "defc"),
    `${list} results after the cursor of page 1; "c of page 1"`,
  ],
  ["TA-PAGE-03", "no account comes", answerTo("after", ""), `${list} page 2; []`],
  [
    "TA-PAGE-03",
    "it is refused",
    refusing("after"),
    "broken at /error/code: after accepted: a page without it is served; -32602",
  ],
  ["TA-PAGE-03", "it gets another error", refusing("after", -32000), 'a page was refused: -32000 "refused"'],
  ["TA-PAGE-03", "there are three pages of one account", but(() => undefined, ["a", "b", "c"]), "held"],
  [
    "TA-PAGE-03",
    "there are three pages of one account, and the third comes",
    but(({ after }) => (after ? "c" : undefined), ["a", "b", "c"]),
    "held",
  ],
  [
    "TA-PAGE-03",
    "there are three pages of one account, and none comes",
    but(({ after }) => (after ? "" : undefined), ["a", "b", "c"]),
    `${list} page 2; []`,
  ],
  ["TA-PAGE-03", "the second page has no cursor", atCursor({ c: "def" }), "held"],
  ["TA-PAGE-04", "the second page has no cursor", atCursor({ c: "def" }), noCursorOn(2)],
  ["TA-PAGE-03", "no page has a cursor", atCursor({ "": "abc" }), noCursorOn(1)],
  ["TA-PAGE-03", "no page has a cursor, nor begin pages alike", atCursor({ "": "abd" }), tooFew],
  ["TA-PAGE-03", "there are two pages", but(() => undefined, ["a", "b"]), tooFew],
  [
    "TA-PAGE-03",
    "there are two pages, and an empty one",
    but(({ cursor }) => (cursor === "b" ? "" : cursor ? "b > b" : undefined), ["a", "b"]),
    tooFew,
  ],

  ["TA-PAGE-04", "what stands before the cursor of page 2 comes", but(() => undefined), "held"],
  ["TA-PAGE-04", "some of page 1 comes", answerTo("before", "ba"), "held"],
  ["TA-PAGE-04", "page 1 comes", answerTo("before", "abc"), "held"],
  ["TA-PAGE-04", "page 2 comes", answerTo("before", "def"), "held"],
  ["TA-PAGE-04", "page 2 by number comes", but((params) => (params.before ? "gih" : reversed(params))), "held"],
  [
    "TA-PAGE-04",
    "page 1 comes, and pages by number have another order",
    but((params) => (params.before ? "abc" : reversed(params))),
    "held",
  ],
  ["TA-PAGE-04", "an account of page 3 comes", answerTo("before", "abg"), `${list} results of pages 1 and 2; "g"`],
  ["TA-PAGE-04", "one account comes", answerTo("before", "e"), "held"],
  ["TA-PAGE-04", "no account comes", answerTo("before", ""), `${list} results before the cursor of page 2; []`],
  [
    "TA-PAGE-04",
    "the account at the cursor comes, too",
    answerTo("before", "abcdef"),
    `${list} pages 1 and 2 without the account at the cursor; "all 6"`,
  ],
  [
    "TA-PAGE-04",
    "it is refused",
    refusing("before"),
    "broken at /error/code: before accepted: a page without it is served; -32602",
  ],
];

for (const [id, rule, answers, outcome] of rows)
  test(`${id}, where ${rule}: ${outcome}`, async () => {
    expect((await judged(id, answers)).outcome).toBe(outcome);
  });

/** Cursors that name no account: the place behind it. */
const opaque = (before: Answer): Answers =>
  but((params) => {
    if (params.before !== undefined) return before;
    const { cursor, ...rest } = paged(all, { ...params, ...(params.cursor && { cursor: params.cursor.slice(6) }) }) as {
      readonly [member: string]: string;
    };
    return { ...rest, ...(cursor ? { cursor: `behind${cursor}` } : {}) };
  });

test("all before a cursor may come where it is a place, which the reference's aren't", async () => {
  const inclusive = `${list} pages 1 and 2 without the account at the cursor; "all 6"`;
  for (const [answer, outcome] of [
    ["abcde", "held"],
    ["abcdef", inclusive],
  ] as const) {
    expect((await judged("TA-PAGE-04", opaque(answer))).outcome).toBe("held");
    expect((await judged("TA-PAGE-04", opaque(answer), { isReference: true })).outcome).toBe(outcome);
  }
});

const lookAt = (again: string): readonly string[] =>
  [
    ...["limit 3", "limit 3, cursor c", "limit 3, cursor f"],
    ...["limit 3", "limit 3, page 1", "limit 3, page 2", "limit 3, page 3"],
  ]
    .map((one) => `${one}${again}`)
    .filter((one, nth, every) => every.indexOf(one) === nth);

test("three pages each way are read in each look, and one more list before the third", async () => {
  const { sent } = await judged("TA-PAGE-03", answerTo("after", "abc"));
  expect(sent).toEqual([
    "limit 1000",
    ...[...lookAt(""), "limit 3, after c"],
    ...[...lookAt(", again 1"), "limit 3, after c, again 1"],
    "limit 50, anew",
    ...[...lookAt(", again 2"), "limit 3, after c, again 2"],
  ]);
});

test("before the end of page 2 as many accounts are asked for as two pages have", async () => {
  const { sent } = await judged(
    "TA-PAGE-04",
    but(() => undefined),
  );
  expect(sent).toEqual(["limit 1000", ...lookAt(""), "limit 6, before f"]);
});

test("page 2 is the second by cursor, whatever the order by number", async () => {
  const { sent } = await judged("TA-PAGE-04", but(reversed));
  expect(sent.at(-1)).toBe("limit 6, before f");
});

test("pages around a cursor have five accounts at most", async () => {
  const { sent } = await judged(
    "TA-PAGE-03",
    but(() => undefined, many(40)),
  );
  expect(sent.slice(0, 4)).toEqual(["limit 1000", "limit 5", "limit 5, cursor x4", "limit 5, cursor x9"]);
  expect(sent).not.toContain("limit 5, cursor x14");
});

for (const way of ["cursor", "page"] as const)
  test(`a breach around a cursor isn't judged where pages by ${way} change between looks`, async () => {
    const { context } = answering((params, sent) => {
      if (params.after) return "abc";
      const isChanged = sent.endsWith("again 1") && (way === "page" ? params.page === 3 : params.cursor === "f");
      return isChanged ? "gh" : paged(all, params);
    });
    await expect(checkOf("TA-PAGE-03").run(context)).rejects.toThrow("accounts changed between two reads");
  });

test("a breach that each look shows of other accounts isn't judged", async () => {
  const shown: { readonly [again: string]: readonly string[] } = {
    "": [..."hijk"],
    "again 1": [..."fgjk"],
    "again 2": [..."hijk"],
  };
  const answers: Answers = (params, sent) => {
    const [, again = ""] = / (again \d)$/.exec(sent) ?? [];
    return params.after ? longPage(shown[again] ?? []) : paged([..."abcdefghijklmno"], params);
  };
  const { outcome } = await judged("TA-PAGE-03", answers);
  expect(outcome).toBe("accounts changed between two reads");
});

test("what holds is shown by the last page by cursor", async () => {
  const { context } = answering(but(() => undefined));
  const [shown] = await checkOf("TA-PAGE-03").run(context);
  expect(shown?.exchange.answer?.text).toContain('"g"');
  expect(shown?.exchange.requestSpec.json).toMatchObject({ params: { cursor: "f" } });
});
