// Laws of pages of token accounts: filters, limits, totals, empty balances (§2.3, §4.3)
import Big from "big.js";
import { broken, type Finding, held, must, onlyWarning } from "../../harness/core/finding.ts";
import { isObject, type Json } from "../../harness/core/json.ts";
import { type Law, type LawReading, law, NotThere } from "../../harness/model/law.ts";

interface Body {
  readonly result: { readonly total: number; readonly limit: number; readonly token_accounts: readonly Json[] };
}

type Account = { readonly [member: string]: Json };

/** @throws NotThere where there is no list of accounts: schemas judge that */
export function accountsOf({ any }: Pick<LawReading<Body>, "any">): readonly Account[] {
  const accounts = any("/result/token_accounts");
  if (!Array.isArray(accounts)) throw new NotThere("/result/token_accounts");
  return (accounts as readonly Json[]).filter(isObject);
}

const requested = ({ params }: Pick<LawReading<Body>, "params">, member: string): Json | undefined =>
  isObject(params) ? params[member] : undefined;

/** Each account has the mint or owner that was requested; undefined where none was, or no account came. */
function allHave(reading: LawReading<Body>, members: readonly ("mint" | "owner")[]): Finding | undefined {
  const wanted = members.map((member) => [member, requested(reading, member)] as const);
  if (wanted.some(([, value]) => typeof value !== "string")) return undefined;
  const accounts = accountsOf(reading);
  if (accounts.length === 0) return undefined;
  for (const [index, account] of accounts.entries()) {
    const wrong = wanted.find(([member, value]) => typeof account[member] === "string" && account[member] !== value);
    if (wrong)
      return broken(
        `/result/token_accounts/${index}/${wrong[0]}`,
        `${JSON.stringify(wrong[1])}, as requested`,
        account[wrong[0]],
      );
  }
  return held;
}

/** Whether larger limits are cut is unspecified (OBS-TA-MAXLIMIT). */
const largestSmallLimit = 10;
const isLimit = (limit: Json | undefined): limit is number =>
  typeof limit === "number" && Number.isInteger(limit) && limit >= 1;

const atMost = (reading: LawReading<Body>, most: Big, whose: string): Finding => {
  const { length } = accountsOf(reading);
  const expected = `at most ${most.toFixed()} accounts, ${whose}`;
  return must(most.gte(length), "/result/token_accounts", expected, `${length} accounts`);
};

/** Of a limit that answers none or a sound one: others may be echoed (OBS-TA-RANGE). An empty page shows no amounts. */
const soundLimit =
  (isSound: (limit: Big) => boolean, expected: string) =>
  (reading: LawReading<Body>): Finding | undefined => {
    const sent = requested(reading, "limit");
    const limit = reading.number("/result/limit");
    if (sent !== undefined && !isLimit(sent)) return undefined;
    if (!isSound(limit)) return broken("/result/limit", expected, limit);
    return accountsOf(reading).length > 0 ? held : undefined;
  };

const members = ["last_indexed_slot", "total", "limit", "token_accounts"];

const tokenPages = law<Body>("getTokenAccounts", "result", {
  "TA-RES-01": ({ any }) => {
    const result = any("/result");
    if (!isObject(result)) return undefined;
    const isPage = members.some((member) => member in result);
    return must(isPage, "/result", `an object with ${members.join(", ")}`, Object.keys(result));
  },
  "TA-FLT-01": (reading) => allHave(reading, ["mint"]),
  "TA-FLT-02": (reading) => allHave(reading, ["owner"]),
  "TA-FLT-03": (reading) => allHave(reading, ["mint", "owner"]),
  "TA-LIM-01": (reading) => {
    const limit = requested(reading, "limit");
    return isLimit(limit) ? atMost(reading, new Big(limit), "as requested") : undefined;
  },
  "TA-LIM-02": (reading) => {
    const limit = requested(reading, "limit");
    const got = reading.any("/result/limit");
    if (!isLimit(limit) || limit > largestSmallLimit || got === undefined) return undefined;
    const isEqual = typeof got === "number" && reading.number("/result/limit").eq(limit);
    return must(isEqual, "/result/limit", `${limit}, as requested`, got);
  },
  "TA-LIM-03": (reading) =>
    requested(reading, "limit") === undefined
      ? atMost(reading, reading.number("/result/limit"), "by result.limit")
      : undefined,
  "GEN-NNEG-01": soundLimit((limit) => limit.gte(0), "a number that isn't negative"),
  "GEN-INT-01": soundLimit((limit) => limit.eq(limit.round(0, 0)), "a whole number"),
  "TA-TOT-01": (reading) => {
    const { length } = accountsOf(reading);
    const isEnough = reading.number("/result/total").gte(length);
    return must(
      isEnough,
      "/result/total",
      `at least ${length}, the accounts on the page`,
      reading.any("/result/total"),
    );
  },
  "TA-ZERO-02": (reading) => {
    if (Object.values(requested(reading, "options") ?? {}).some((flag) => flag !== false)) return undefined;
    const accounts = accountsOf(reading);
    const empty = accounts.findIndex(({ amount }) => amount === 0);
    if (accounts.length === 0) return undefined;
    const at = `/result/token_accounts/${empty}/amount`;
    // Entailed only where the platform's own flag is false (amendment 12), which the target names.
    return onlyWarning(must(empty < 0, at, "no empty balance without the flag", accounts[empty]?.["amount"]));
  },
});

export const laws: readonly Law[] = [tokenPages];
