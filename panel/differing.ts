// Which values differ between the answers to one poll, and who gave which: exact, as the answers have them.
import Big from "big.js";
import { canonical, type Json, jsonOrNull, literalAt, parseJson, valueAt } from "../harness/core/json.ts";
import type { Exchange } from "../harness/transport/exchange.ts";
import { shownOf } from "../harness/transport/recording.ts";
import { comparedIn, isNumeric, type Meaning } from "./meaning.ts";
import type { Difference, Dissent } from "./panelReport.ts";

/** One answer to a poll, and what it means. */
interface MeantAnswer {
  readonly vendor: number;
  readonly exchange: Exchange;
  readonly meaning: Meaning;
}

/** What is told of an account that an answer lacks. */
const amount = "amount";
/** Of each poll; the rest is counted. */
const mostDifferences = 20;
const longestValue_chars = 2_000;
/** A longer number stays as it is written: 1e999999 would fill pages. */
const mostDigits = 60;

/** The decimal that a number, or a text of digits, stands for; null for anything else. */
function decimalOf(text: string): string | null {
  if (text.length > mostDigits || !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return null;
  const number = new Big(text);
  return Math.abs(number.e) > mostDigits ? null : number.toFixed();
}

type ValueReader = (at: string, member: string) => string | null;

/** By pointer, from the redacted text: an answer may hold a key. Null where a value is missing. */
function readerOf({ answer }: Exchange): ValueReader {
  const json = parseJson(shownOf(answer)?.text ?? "");
  return (at, member) => {
    const value = valueAt(json?.value, `${at}/${member}`);
    if (json === null || value === undefined) return null;
    const literal = literalAt(json, `${at}/${member}`);
    // An empty text keeps its quotes, and so does one that reads like another type.
    const isPlain = typeof value === "string" && value !== "" && (isNumeric(member) || jsonOrNull(value) === null);
    const text = isPlain ? value : (literal ?? canonical(value));
    return (isNumeric(member) ? decimalOf(text) : null) ?? text.slice(0, longestValue_chars);
  };
}

/** Members of an item in which those that have it differ; its amount, too, where some lack it. */
function membersOf(name: string, meanings: readonly Meaning[]): readonly string[] {
  const all = meanings.flatMap(({ items }) => {
    const text = items.get(name);
    return text === undefined ? [] : [JSON.parse(text) as { readonly [member: string]: Json }];
  });
  const members = Object.keys(all[0] ?? {}).filter((member) => new Set(all.map((one) => one[member])).size > 1);
  return all.length < meanings.length ? [...new Set([amount, ...members])] : members;
}

type Giver = Pick<MeantAnswer, "vendor" | "meaning"> & { readonly read: ValueReader };

function differenceAt(name: string, member: string, givers: readonly Giver[]): Difference {
  const given = givers.map(({ vendor, meaning: { places }, read }) => {
    const at = places.get(name);
    const [of, value] = at === undefined ? [null, null] : [read(at, "address"), read(at, member)];
    return { vendor, of, value };
  });
  const values = [...new Set(given.map(({ value }) => value))].map((value) => {
    return { value, vendors: given.filter((one) => one.value === value).map(({ vendor }) => vendor) };
  });
  const isNumber = isNumeric(member) && given.every(({ value }) => value === null || decimalOf(value) !== null);
  return {
    of: given.find(({ of }) => of !== null)?.of ?? null,
    member,
    is: isNumber ? "number" : "text",
    values: values.sort((a, b) => b.vendors.length - a.vendors.length),
  };
}

/** @param answers to one poll in which vendors differ @returns the first of the differences, and how many there are */
export function differencesIn(answers: readonly MeantAnswer[]): Pick<Required<Dissent>, "differences" | "differing"> {
  const compared = comparedIn(answers.map(({ vendor, meaning }) => [vendor, meaning]));
  const givers = answers
    .filter(({ vendor }) => compared.answers.some(([other]) => other === vendor))
    .map(({ vendor, meaning, exchange }) => ({ vendor, meaning, read: readerOf(exchange) }));
  const meanings = givers.map(({ meaning }) => meaning);
  const places = compared.names.flatMap((name) => membersOf(name, meanings).map((member) => [name, member] as const));
  const differences = places.slice(0, mostDifferences).map(([name, member]) => differenceAt(name, member, givers));
  return { differences, differing: places.length };
}
