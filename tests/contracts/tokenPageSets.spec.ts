// Checks of whole lists of token accounts: each account once, by page as by cursor, which lead on
import { expect, test } from "@playwright/test";
import { checks } from "../../contracts/tokenAccounts/pages.ts";
import { pageRequest } from "../../contracts/tokenAccounts/walks.ts";
import { atCursor, atPage, but, cutToTwo, type Id, ids, judged, list, refusing, reversed } from "./judgedPages.ts";
import { type Answers, many, paged } from "./madePages.ts";

test("each check of pages proves one requirement, and needs the first page of the owner", async () => {
  expect(checks.map((one) => one.ids)).toEqual(ids.map((id) => [id]));
  for (const id of ids)
    expect(
      (
        await judged(
          id,
          but(() => undefined),
        )
      ).outcome,
      id,
    ).toBe("held");
  const requests = [pageRequest({ owner: { $sample: "owner" } }, {})];
  for (const { feature, needs } of checks)
    expect({ feature, requests: needs.requests }).toEqual({ feature: "tokenAccounts", requests });
});

const noSecond = "samples.owner has no second page";

const two = but(({ page = 1 }) => (page > 2 ? -32602 : undefined), ["a", "b"]);

const rows: readonly (readonly [id: Id, rule: string, answers: Answers, outcome: string])[] = [
  ["TA-PAGE-01", "each account comes once", but(() => undefined), "held"],
  [
    "TA-PAGE-01",
    "an account is lost between pages",
    atPage({ 2: "ef" }),
    `${list} each account on one page; "d on none"`,
  ],
  ["TA-PAGE-01", "an account comes on two pages", atPage({ 2: "cdef" }), `${list} each account on one page; "c twice"`],
  ["TA-PAGE-01", "an account is lost by cursor", atCursor({ c: "ef > f" }), "held"],
  ["TA-PAGE-01", "there is one page", but(() => undefined, ["a"]), noSecond],
  [
    "TA-PAGE-01",
    "there is one page, and no second one",
    but(({ page = 1 }) => (page > 1 ? -32602 : undefined), ["a"]),
    noSecond,
  ],
  [
    "TA-PAGE-01",
    "pages are lost behind the first",
    but(({ page = 1 }) => (page > 1 ? "" : undefined), ["a", "b"]),
    `${list} each account on one page; "b on none"`,
  ],
  ["TA-PAGE-01", "there are two pages, and no third one", two, "held"],
  ["TA-PAGE-01", "there are two pages", but(() => undefined, ["a", "b"]), "held"],
  ["TA-PAGE-01", "more pages follow than are read", cutToTwo(70), "held but for accounts beyond the first 60"],
  [
    "TA-PAGE-01",
    "page numbers are refused",
    refusing("page"),
    "broken at /error/code: page accepted: a page without it is served; -32602",
  ],
  ["TA-PAGE-01", "cursors are refused", refusing("cursor"), "cursor is refused (-32602)"],

  ["TA-PAGE-02", "each account comes once", but(() => undefined), "held"],
  [
    "TA-PAGE-02",
    "an account is lost between pages",
    atCursor({ c: "ef > f" }),
    `${list} each account on one page; "d on none"`,
  ],
  ["TA-PAGE-02", "an account is lost by page", atPage({ 2: "ef" }), "held"],
  [
    "TA-PAGE-02",
    "the last page has a cursor, to an empty one",
    but((_, honest) => ({ cursor: "i", ...(honest as object) })),
    "held",
  ],
  ["TA-PAGE-02", "more pages follow than are read", cutToTwo(70), "held but for accounts beyond the first 60"],
  [
    "TA-PAGE-02",
    "cursors are refused",
    refusing("cursor"),
    "broken at /error/code: cursor accepted: a page without it is served; -32602",
  ],
  ["TA-PAGE-02", "page numbers are refused", refusing("page"), "page is refused (-32602)"],

  ["TA-PAGE-02", "there are two pages", two, "held"],

  ["TA-PAGE-05", "the same accounts come by page and by cursor", but(() => undefined), "held"],
  ["TA-PAGE-05", "they come in another order", but(reversed), "held"],
  ["TA-PAGE-05", "there are two pages, and no third one", two, "held"],
  ["TA-PAGE-05", "there are two pages", but(() => undefined, ["a", "b"]), "held"],
  [
    "TA-PAGE-05",
    "an account comes by cursor only",
    atPage({ 2: "ef" }),
    `${list} the same set by page and by cursor; "d in one of them only"`,
  ],
  [
    "TA-PAGE-05",
    "an account comes by page only",
    but(({ page }) => (page === 3 ? "ghx" : undefined)),
    `${list} the same set by page and by cursor; "i in one of them only"`,
  ],
  ["TA-PAGE-05", "a walk repeats an account", atPage({ 2: "cdef" }), "a walk repeats accounts"],
  ["TA-PAGE-05", "there is one page", but(({ page = 1 }) => (page > 1 ? -32602 : undefined), ["a"]), noSecond],
  ["TA-PAGE-05", "more pages follow than are read", cutToTwo(70), "held but for accounts beyond the first 60"],
  ["TA-PAGE-05", "page numbers are refused", refusing("page"), "page is refused (-32602)"],

  ["TA-CUR-02", "each page that others follow has a cursor", but(() => undefined), "held"],
  [
    "TA-CUR-02",
    "no small page has one",
    atCursor({ "": "abc" }),
    "broken at /result/cursor: a cursor: more results follow; nothing",
  ],
  [
    "TA-CUR-02",
    "it is an empty text",
    atCursor({ "": "abc > " }),
    'broken at /result/cursor: a cursor: more results follow; ""',
  ],
  [
    "TA-CUR-02",
    "the second page has none",
    atCursor({ c: "def" }),
    "warns at /result/cursor: a cursor: more results follow; nothing",
  ],
  [
    "TA-CUR-02",
    "the page before the last has none, which has one account",
    but(({ limit, page, cursor }) => (limit > 3 || page || cursor !== "d" ? undefined : "ef"), [..."abcdefg"]),
    "warns at /result/cursor: a cursor: more results follow; nothing",
  ],
  [
    "TA-CUR-02",
    "what follows by page came in part",
    but(({ limit, page, cursor }) => (limit > 3 ? undefined : page === 2 ? "cde" : page || cursor ? undefined : "abc")),
    "held",
  ],
  [
    "TA-CUR-02",
    "only the largest page has none, by page in another order",
    but((params) => (params.limit > 3 ? "abc" : reversed(params))),
    "held",
  ],
  ["TA-CUR-02", "there are two pages, and no third one", two, "held"],
  ["TA-CUR-02", "there are two pages", but(() => undefined, ["a", "b"]), "held"],
  ["TA-CUR-02", "there is one page", but(({ page = 1 }) => (page > 1 ? -32602 : undefined), ["a"]), noSecond],
  ["TA-CUR-02", "more pages follow than are read", cutToTwo(70), "held but for accounts beyond the first 60"],
  [
    "TA-CUR-02",
    "more pages follow by cursor than are read, and not by number",
    (params) => paged(many(70), { ...params, limit: params.page ? 50 : Math.min(2, params.limit) }),
    "held but for accounts beyond the first 60",
  ],
];

for (const [id, rule, answers, outcome] of rows)
  test(`${id}, where ${rule}: ${outcome}`, async () => {
    expect((await judged(id, answers)).outcome).toBe(outcome);
  });
