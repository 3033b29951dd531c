// What checks of pages of token accounts find where their answers are given
import { checks } from "../../contracts/tokenAccounts/pages.ts";
import { describeGot } from "../../harness/core/finding.ts";
import type { Check } from "../../harness/model/check.ts";
import { type Answer, type Answers, answering, many, type Params, paged } from "./madePages.ts";

export const ids = ["TA-CUR-02", "TA-PAGE-01", "TA-PAGE-02", "TA-PAGE-03", "TA-PAGE-04", "TA-PAGE-05"] as const;
export type Id = (typeof ids)[number];

export function checkOf(id: Id): Check {
  const found = checks.find((one) => one.ids.includes(id));
  if (!found) throw new Error(`no check proves ${id}`);
  return found;
}

/** What a check finds, or why it doesn't judge; with what was sent. */
export async function judged(id: Id, answers: Answers, options?: { readonly isReference: boolean }) {
  const { context, sent } = answering(answers, options);
  const outcome = await checkOf(id)
    .run(context)
    .then(
      (shown) =>
        shown.map(({ finding }) => {
          if (finding.outcome === "held") return finding.untried ? `held but for ${finding.untried}` : "held";
          const { warnsOnVendors, at, expected, got } = finding;
          return `${warnsOnVendors ? "warns" : "broken"} at ${at}: ${expected}; ${describeGot(got)}`;
        }),
      (error: unknown) => [(error as Error).message],
    );
  return { outcome: outcome.join(" + "), sent };
}

/** Where a list is broken. */
export const list = "broken at /result/token_accounts:";

export const all = [..."abcdefghi"];

/** An honest platform, but for some answers: the checks read pages of three accounts of it. */
export const but =
  (change: (params: Params, honest: Answer) => Answer | undefined, list: readonly string[] = all): Answers =>
  (params) =>
    change(params, paged(list, params)) ?? paged(list, params);

/** In another order by page number than by cursor. */
export const reversed = (params: Params): Answer | undefined =>
  params.page === undefined ? undefined : paged(all.toReversed(), params);
export const refusing = (member: keyof Params, code = -32602): Answers =>
  but((params) => (params[member] === undefined ? undefined : code));
/** Answers of walks by page, or by cursor with small pages, by what names the page. */
export const atPage = (pages: { readonly [page: number]: Answer }): Answers => but(({ page = -1 }) => pages[page]);
export const atCursor = (pages: { readonly [cursor: string]: Answer }): Answers =>
  but(({ limit, page, cursor = "" }) => (limit > 3 || page ? undefined : pages[cursor]));
export const answerTo = (member: "after" | "before", answer: Answer): Answers =>
  but((params) => (params[member] === undefined ? undefined : answer));

/** So many accounts, of which no more than two come at once. */
export const cutToTwo =
  (count: number): Answers =>
  (params) =>
    paged(many(count), { ...params, limit: Math.min(2, params.limit) });
