// Probes of pages, cursors, order and total of getTokenAccounts (§2.3, §4.3)
import { type Json, valueAt } from "../../harness/core/json.ts";
import { notSeen } from "../../harness/core/outcomes.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import type { Template } from "../../harness/core/template.ts";
import { type AnsweredExchange, isAnswered } from "../../harness/model/fingerprint.ts";
import type { Probe, ProbeContext, Seen } from "../../harness/model/probe.ts";
import { base58Bytes, numberFromBytes } from "../shared/base58.ts";
import {
  asUndescribed,
  describeLiteral,
  describeResult,
  isSame,
  resultSeen,
  resultsSeen,
  seenAs,
  unknownDigest,
} from "../shared/describeCalls.ts";
import { resultOf } from "../shared/jsonRpcOracles.ts";
import { mint, owner, ownerWithEmptyAccounts, tokenAccounts } from "../shared/jsonRpcRequests.ts";
import { ofAccounts } from "./listedAccounts.ts";
import { accountsIn, addressesIn, ask as askFor, howMany, pageRequest, walk } from "./walks.ts";

const { answerProbe, experiment } = ofAccounts;

type Params = { readonly [member: string]: Template };
const perPage = 5;
const judged = (params: Params): RequestSpec => pageRequest({ owner, limit: perPage }, params);
const page = (params: Params): RequestSpec => asUndescribed(judged(params));
const firstPage = judged({});
const longPage = pageRequest({ owner }, {});

/** The first three pages by cursor, and the cursors between them. @throws Withheld where there are fewer */
async function forward(context: ProbeContext) {
  const first = await askFor(context, firstPage);
  if (typeof first.cursor !== "string") throw notSeen("the first page has no cursor");
  const second = await askFor(context, judged({ cursor: first.cursor }));
  if (typeof second.cursor !== "string") throw notSeen("the second page has no cursor");
  const third = await askFor(context, judged({ cursor: second.cursor }));
  const addresses = [first, second, third].flatMap((one) => one.addresses);
  return { addresses, cursors: [first.cursor, second.cursor] as const, second };
}
type Forward = Awaited<ReturnType<typeof forward>>;

/** The places of an answer's accounts in the forward list, from 1, in the answer's order; 0 beyond its end. */
const places = (answered: AnsweredExchange, { addresses }: Forward): readonly number[] =>
  addressesIn(answered).map((address) => addresses.indexOf(address) + 1);

const spanOf = (of: readonly number[]): string => {
  const low = Math.min(...of);
  const high = Math.max(...of);
  if (of.length === 0) return "no accounts";
  if (low === 0) return "accounts beyond the third page";
  return high - low + 1 === new Set(of).size
    ? `accounts ${low} to ${high} of the list`
    : `accounts ${[...of].sort((a, b) => a - b).join(", ")} of the list`;
};

async function windows(context: ProbeContext): Promise<readonly Seen[]> {
  const list = await forward(context);
  const [first, second] = list.cursors;
  const cases = {
    "after page 1, before the end of page 2": page({ after: first, before: second }),
    "crossed: after page 2, before the end of page 1": page({ after: second, before: first }),
    "after and before one cursor": page({ after: first, before: first }),
    "cursor of page 1, after that of page 2": page({ cursor: first, after: second }),
    "cursor of page 2, after that of page 1": page({ cursor: second, after: first }),
  };
  return resultsSeen(context, cases, (answered) => spanOf(places(answered, list)));
}

/** Which accounts `before` a cursor returns, and in which order. */
async function describeBefore(context: ProbeContext): Promise<readonly Seen[]> {
  const list = await forward(context);
  const cases = { "before the end of page 2": judged({ before: list.cursors[1] }) };
  return resultsSeen(context, cases, (answered) => {
    const at = places(answered, list);
    if (at.length === 0) return "no accounts";
    const rises = at.every((place, nth) => nth === 0 || place > (at[nth - 1] ?? 0));
    const falls = at.every((place, nth) => nth === 0 || place < (at[nth - 1] ?? 0));
    const which = Math.max(...at) >= 2 * perPage - 1 ? "the nearest" : Math.min(...at) === 1 ? "the first" : spanOf(at);
    return `${which}, ${rises ? "as forward" : falls ? "reversed" : "in another order"}`;
  });
}

async function pageAndCursor(context: ProbeContext): Promise<readonly Seen[]> {
  const { cursors, second } = await forward(context);
  const byPage = addressesIn(await context.ask(page({ page: 3 })));
  const cases = { "page 3 with the cursor of page 1": page({ page: 3, cursor: cursors[0] }) };
  return resultsSeen(context, cases, (answered) => {
    const got = addressesIn(answered);
    if (isSame(got, second.addresses)) return "the cursor wins";
    if (isSame(got, byPage)) return "the page wins";
    return got.length === 0 ? "no accounts" : "neither wins: other accounts";
  });
}

const numbered = { "page 0": page({ page: 0 }), "page 1": judged({ page: 1 }) };

async function pageBase(context: ProbeContext): Promise<readonly Seen[]> {
  const without = addressesIn(await context.ask(firstPage));
  return resultsSeen(context, numbered, (answered) =>
    isSame(addressesIn(answered), without) ? "as without a page" : "other accounts",
  );
}

const lastOf = (answered: AnsweredExchange): string | undefined => addressesIn(answered).at(-1);
const isAddress = (text: string): boolean => base58Bytes(text)?.length === 32;

function describeCursor(answered: AnsweredExchange): string {
  const cursor = resultOf(answered, "/cursor");
  if (cursor === undefined) return "absent";
  if (typeof cursor !== "string") return cursor === null ? "null" : `a ${typeof cursor}`;
  if (cursor === "") return "an empty text";
  if (cursor === lastOf(answered)) return "the last address of the page";
  return isAddress(cursor) ? "another address" : /^\d+$/.test(cursor) ? "a whole number as a text" : "a text";
}

async function lastCursors(context: ProbeContext): Promise<readonly Seen[]> {
  const walked = await walk(context, { by: "cursor", owner });
  const filled = walked.pages.filter(({ addresses }) => addresses.length > 0).map(({ exchange }) => exchange);
  const last = filled.filter(isAnswered).at(-1);
  const cases = { "an empty page": asUndescribed(tokenAccounts({ owner: unknownDigest("owner"), limit: perPage })) };
  const seen = await resultsSeen(context, cases, describeCursor);
  return walked.isWhole && last ? [resultSeen("the last page", last, describeCursor), ...seen] : seen;
}

async function cursorShape(context: ProbeContext): Promise<readonly Seen[]> {
  const { ask, canAsk } = context;
  const one = await ask(firstPage);
  const again = await ask(tokenAccounts({ owner, limit: perPage }, { id: "once more" }));
  const cursor = resultOf(one, "/cursor");
  if (typeof cursor !== "string") throw notSeen("the first page has no cursor");
  const seen = [
    seenAs("form", one, describeCursor(one)),
    seenAs("repeated request", again, resultOf(again, "/cursor") === cursor ? "the same" : "another"),
  ];
  const foreignLists = [{ mint }, { owner: ownerWithEmptyAccounts }].map((list) =>
    asUndescribed(tokenAccounts({ ...list, limit: perPage, cursor })),
  );
  const possible = foreignLists.find(canAsk);
  if (!possible) return seen;
  return [...seen, resultSeen("on another list", await ask(possible), () => "accepted")];
}

const numberAt = (account: Json, at: string): number => Number(valueAt(account, at));
const textAt = (account: Json, at: string): string => {
  const text = valueAt(account, at);
  return typeof text === "string" ? text : "";
};
const valueOf = (account: Json): bigint =>
  numberFromBytes(base58Bytes(textAt(account, "/address")) ?? new Uint8Array());

/** Possible sort keys: whether one account may precede another. */
const keys: { readonly [name: string]: (one: Json, next: Json) => boolean } = {
  "address, as a text": (one, next) => textAt(one, "/address") <= textAt(next, "/address"),
  "address, as bytes": (one, next) => valueOf(one) <= valueOf(next),
  mint: (one, next) => textAt(one, "/mint") <= textAt(next, "/mint"),
  "amount, rising": (one, next) => numberAt(one, "/amount") <= numberAt(next, "/amount"),
  "amount, falling": (one, next) => numberAt(one, "/amount") >= numberAt(next, "/amount"),
};
const times = 3;
const isList = (answered: AnsweredExchange): boolean => Array.isArray(resultOf(answered, "/token_accounts"));

async function describeSort({ ask }: ProbeContext): Promise<readonly Seen[]> {
  const answered = await ask(longPage);
  const answers = [answered];
  for (let again = 1; again < times; again += 1) answers.push(await ask({ ...longPage, again }));
  const lists = answers.map(accountsIn);
  if (!answers.every(isList) || accountsIn(answered).length < 3)
    throw notSeen("samples.owner has no list of three accounts");
  const isSorted = (mayPrecede: (one: Json, next: Json) => boolean): boolean =>
    lists.every((list) => list.every((next, nth) => nth === 0 || mayPrecede(list[nth - 1] ?? null, next)));
  const found = Object.entries(keys).filter(([, mayPrecede]) => isSorted(mayPrecede));
  const isStable = new Set(answers.map((answered) => addressesIn(answered).join())).size === 1;
  return [
    seenAs("order", answered, found.map(([name]) => name).join(" and ") || "by none of address, mint and amount"),
    seenAs(`${times} times`, answered, isStable ? "the same order" : "another order"),
  ];
}

/** Whether `total` counts the page or the list. */
async function describeTotal(context: ProbeContext): Promise<readonly Seen[]> {
  const walked = await walk(context, { by: "cursor", owner });
  const seen = await resultsSeen(context, { "a page of a longer list": firstPage }, (answered) => {
    const total = describeLiteral(answered, "/result/total");
    if (total === String(addressesIn(answered).length)) return "of the page";
    if (!walked.isWhole) return "of more than the page";
    const isOfList = total === String(new Set(walked.addresses).size);
    return isOfList ? "of the whole list" : "neither of the page nor of the whole list";
  });
  return seen;
}

export const probes: readonly Probe[] = [
  experiment("OBS-TA-TOTAL", [firstPage, longPage], describeTotal),
  experiment("OBS-TA-PAGEBASE", [firstPage, ...Object.values(numbered)], pageBase),
  experiment("OBS-TA-PAGECURSOR", [firstPage, page({ page: 3 })], pageAndCursor),
  experiment("OBS-TA-BEFOREAFTER", [firstPage], windows),
  experiment("OBS-TA-BEFORE", [firstPage], describeBefore),
  experiment("OBS-TA-LASTCUR", [longPage], lastCursors),
  experiment("OBS-TA-CURSHAPE", [firstPage], cursorShape),
  answerProbe("OBS-TA-BADCURSOR", describeResult(howMany), {
    '"zzz"': page({ cursor: "zzz" }),
    '""': page({ cursor: "" }),
  }),
  experiment("OBS-TA-SORT", [longPage], describeSort),
];
