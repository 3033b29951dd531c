// Pages of token accounts as plain data, and a check's context that answers with them
import { dataPlatform } from "../../contracts/shared/interface.ts";
import type { Page, Walk } from "../../contracts/tokenAccounts/walks.ts";
import { protocolOf } from "../../harness/core/interface.ts";
import type { Json } from "../../harness/core/json.ts";
import { type RequestSpec, requestKey } from "../../harness/core/requestSpec.ts";
import type { CheckContext } from "../../harness/model/check.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { exchangeOf } from "../golden/build.ts";

/** Accounts of these addresses, one letter each in a text. */
const accountsOf = (addresses: string | readonly string[]): Json => [...addresses].map((address) => ({ address }));

/**
 * What a request gets: a page, as in `ab`, `ab > b` with a cursor, `c of 3` with a total; a result; the code of an
 * error; or what `ask` throws.
 */
export type Answer = string | number | Error | { readonly [member: string]: Json };

function resultOf(page: string): Json {
  const [, addresses = "", cursor, total] = /^(\w*)(?: > (\S*))?(?: of (\d+))?$/.exec(page) ?? [];
  return {
    token_accounts: accountsOf(addresses),
    ...(cursor === undefined ? {} : { cursor }),
    ...(total === undefined ? {} : { total: Number(total) }),
  };
}

/** A page of accounts with longer addresses. */
export const longPage = (addresses: readonly string[], cursor?: string): Answer => ({
  token_accounts: accountsOf(addresses),
  ...(cursor === undefined ? {} : { cursor }),
});

export function exchangeWith(answer: Exclude<Answer, Error>, params: Json = {}): Exchange {
  const got =
    typeof answer === "number"
      ? { error: { code: answer, message: "refused" } }
      : { result: typeof answer === "string" ? resultOf(answer) : answer };
  return exchangeOf(
    {
      ...{ title: "made", clause: "§4.3", holds: [], broken: [], notExercised: [], warns: [] },
      request: { role: "paid", method: "getTokenAccounts", id: 1, params },
      status: 200,
      headers: { "content-type": "application/json" },
      body: { jsonrpc: "2.0", id: 1, ...got },
    },
    1,
  );
}

export interface Params {
  readonly limit: number;
  readonly page?: number;
  readonly cursor?: string;
  readonly after?: string;
  readonly before?: string;
}

const paramsOf = ({ json }: RequestSpec): Params => (json as unknown as { readonly params: Params }).params;

/** A request as a text: `limit 2, page 1`; `again 1` or `anew` where it is another of the same, `unjudged` by laws. */
function textOf(requestSpec: RequestSpec): string {
  const { owner: _, ...params } = paramsOf(requestSpec) as Params & { readonly owner?: unknown };
  const { again, issued, operation } = requestSpec;
  return [
    ...Object.entries(params).map(([name, value]) => `${name} ${typeof value === "object" ? "…" : value}`),
    ...(again === undefined ? [] : [`again ${again}`]),
    ...(issued === undefined ? [] : ["anew"]),
    ...(operation === null ? ["unjudged"] : []),
  ].join(", ");
}

/** Answers by what is sent, of which nothing else is known, or made of its params. */
export type Answers = { readonly [sent: string]: Answer } | ((params: Params, sent: string) => Answer);

/** A context that answers with these pages; `sent` and `requestSpecs` tell what was asked for, each request once. */
export function answering(answers: Answers, { isReference = false } = {}) {
  const [sent, requestSpecs]: [string[], RequestSpec[]] = [[], []];
  const known = new Map<string, Promise<Exchange>>();
  const answered = (requestSpec: RequestSpec): Promise<Exchange> => {
    const text = textOf(requestSpec);
    sent.push(text);
    requestSpecs.push(requestSpec);
    const answer = typeof answers === "function" ? answers(paramsOf(requestSpec), text) : answers[text];
    if (answer === undefined) return Promise.reject(new Error(`not expected: ${text}`));
    if (answer instanceof Error) return Promise.reject(answer);
    const protocol = protocolOf(dataPlatform, requestSpec.api, requestSpec.operation);
    return Promise.resolve({ ...exchangeWith(answer), requestSpec, protocol });
  };
  const context = {
    target: { isReference },
    fresh: (requestSpec: RequestSpec) => ({ ...requestSpec, issued: sent.length }),
    ask: (requestSpec: RequestSpec) => {
      const exchange = known.get(requestKey(requestSpec)) ?? answered(requestSpec);
      known.set(requestKey(requestSpec), exchange);
      return exchange;
    },
  } as unknown as CheckContext;
  return { context, sent, requestSpecs };
}

/** How a platform without a fault pages: a cursor names the last account of its page, where another follows. */
export function paged(all: readonly string[], { limit, page = 1, cursor, after, before }: Params): Answer {
  const behind = cursor ?? after;
  const start = behind === undefined ? (page - 1) * limit : all.indexOf(behind) + 1;
  const until = before === undefined ? start + limit : all.indexOf(before);
  const addresses = all.slice(before === undefined ? start : Math.max(0, until - limit), until);
  return longPage(addresses, before === undefined && until < all.length ? addresses.at(-1) : undefined);
}

/** A walk whose pages are given, by themselves or as texts of one letter for each account. */
export function walked(
  by: Walk["by"],
  pages: readonly (string | readonly string[])[],
  { isWhole = true, limit = 2 } = {},
): Walk {
  const made = pages.map((page, nth): Page => {
    const addresses = [...page];
    return { exchange: { ...exchangeWith("a"), number: nth }, addresses, cursor: undefined };
  });
  const [[first], last] = [made, made.at(-1)];
  if (!first || !last) throw new Error("a walk has a page");
  const addresses = made.flatMap((page) => page.addresses);
  return { by, limit, pages: [first, ...made.slice(1)], last, addresses, isWhole };
}

/** So many addresses, such as `x17`. */
export const many = (count: number, name = "x"): readonly string[] =>
  Array.from({ length: count }, (_, nth) => `${name}${nth}`);
