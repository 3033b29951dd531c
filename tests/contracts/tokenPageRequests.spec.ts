// Single pages of token accounts: what is sent for one, what is read of it, and what isn't judged
import { expect, test } from "@playwright/test";
import {
  accountsIn,
  addressesIn,
  ask,
  emptyAccountsFlag,
  howMany,
  missing,
  pageRequest,
  RefusedMember,
  repeated,
} from "../../contracts/tokenAccounts/walks.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import { givensOf } from "../../harness/core/template.ts";
import { type Answer, answering, exchangeWith } from "./madePages.ts";

test("a page is asked for as the owner, with 50 accounts and nothing else unless told", () => {
  const { json, carriers, operation, ...rest } = pageRequest({ owner: "o" }, {});
  expect(operation).toBe("getTokenAccounts");
  expect(json).toMatchObject({ method: "getTokenAccounts", params: { owner: "o", limit: 50 } });
  expect(Object.keys((json as { params: object }).params)).toEqual(["owner", "limit"]);
  expect(carriers).toEqual([{ in: "query", key: { keyOf: "owner" } }]);
  expect(rest).not.toHaveProperty("again");
});

test("a page is asked for with the limit, options, member, key and number that are given", () => {
  const options = { [emptyAccountsFlag]: true };
  const route = { owner: "o", limit: 3, options, again: 2, as: "free" } as const;
  const { json, carriers, again } = pageRequest(route, { page: 4 });
  expect(json).toMatchObject({ params: { owner: "o", limit: 3, options, page: 4 } });
  expect(carriers).toEqual([{ in: "query", key: { keyOf: "free" } }]);
  expect(again).toBe(2);
  expect(pageRequest({ owner: "o", again: 0 }, {})).toEqual(pageRequest({ owner: "o" }, {}));
});

test("the flag for empty accounts is named by the target", () => {
  expect(givensOf({ [emptyAccountsFlag]: true })).toEqual(["/names/emptyAccountsFlag"]);
});

const noList: { readonly [what: string]: Exclude<Answer, Error> } = {
  "an error": -32602,
  "a result without a list": {},
  "a list that is an object": { token_accounts: { address: "a" } },
  "an account without an address": { token_accounts: [{ address: "a" }, { mint: "b" }] },
  "an address that is a number": { token_accounts: [{ address: 1 }, { address: "b" }] },
};

test("addresses are read of a list whose accounts all have one", () => {
  expect(addressesIn(exchangeWith("ab"))).toEqual(["a", "b"]);
  expect(howMany(exchangeWith("a"))).toBe("accounts");
  expect(howMany(exchangeWith(""))).toBe("no accounts");
  expect(accountsIn(exchangeWith("ab"))).toEqual([{ address: "a" }, { address: "b" }]);
  expect(accountsIn(exchangeWith({ token_accounts: 1 }))).toEqual([]);
  for (const [what, answer] of Object.entries(noList)) expect(addressesIn(exchangeWith(answer)), what).toEqual([]);
});

const asked = (answer: Answer, member?: "cursor"): Promise<unknown> => {
  const { context } = answering(() => answer);
  return ask(context, pageRequest({ owner: "o" }, {}), member).catch((error: unknown) => error);
};

test("a page that is served has its addresses and its cursor", async () => {
  expect(await asked("ab > b")).toMatchObject({ addresses: ["a", "b"], cursor: "b", exchange: { number: 1 } });
  expect(await asked("")).toMatchObject({ addresses: [], cursor: undefined });
});

test("a page that isn't served, or is no list of accounts, is another requirement's matter", async () => {
  for (const [what, answer] of Object.entries(noList)) {
    const got =
      answer === -32602 ? 'a page was refused: -32602 "refused"' : "a page is not a list of accounts with addresses";
    expect(await asked(answer), what).toEqual(new Withheld(got));
  }
});

test("a page is refused for the member that names it where the code is that of bad parameters", async () => {
  const error = await asked(-32602, "cursor");
  expect(error).toBeInstanceOf(RefusedMember);
  expect(error).toMatchObject({ member: "cursor", exchange: { number: 1 } });
  expect((error as Error).message).toBe("cursor is refused (-32602)");
  expect(await asked(-32000, "cursor")).not.toBeInstanceOf(RefusedMember);
  expect(await asked("ab", "cursor")).toMatchObject({ addresses: ["a", "b"] });
});

test("what comes twice is repeated, once for each further time", () => {
  expect(repeated([..."abcabda"])).toEqual([..."aba"]);
  expect(repeated([..."abc"])).toEqual([]);
});

test("what one list has and another doesn't is missing", () => {
  expect(missing([..."abca"], [..."bd"])).toEqual([..."aca"]);
  expect(missing([..."ab"], [..."ba"])).toEqual([]);
});
