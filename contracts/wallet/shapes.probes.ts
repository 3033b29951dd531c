// Probes of the fields, values and headers of wallet answers; checks send the same requests (§2.6, §4.2, §9)
import { isObject, type Json, pointerFromPath } from "../../harness/core/json.ts";
import { notSeen } from "../../harness/core/outcomes.ts";
import { type AnsweredExchange, headerNames } from "../../harness/model/fingerprint.ts";
import type { Probe, Seen } from "../../harness/model/probe.ts";
import { isServed } from "../../harness/transport/answers.ts";
import type { ObservationId } from "../../specs/generated/observations.ts";
import { fieldsOf, seenAs } from "../shared/describeCalls.ts";
import { forFeature } from "../shared/forFeature.ts";
import { onlyServed } from "../shared/masked.ts";
import { type AddressPair, askEach, byEndpoint, paidFor, pairs } from "./describeCalls.ts";
import type { WalletOperation } from "./requests.ts";

const { experiment } = forFeature("wallet");

/** What the answer to an endpoint's baseline request shows. */
const ofPair = (
  id: ObservationId,
  { repeats }: AddressPair,
  describe: (answered: AnsweredExchange) => readonly Seen[],
): Probe =>
  experiment(id, repeats, async ({ ask, repeat }) => describe(onlyServed(await ask(repeats[repeat]))), paidFor);

/** Names of members that belong to pagination. */
const total = "total|total_?(?:count|pages|items)";
const wholeNames = `before|after|offset|limit|pages?|per_?page|page_?size|${total}|has_?(?:more|next)`;
const ofPages = new RegExp(`cursor|paginat|paging|^next|^prev|^(?:${wholeNames})$`, "i");
const lastStep = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function describeShape(answered: AnsweredExchange): readonly Seen[] {
  const fields = fieldsOf(answered);
  const paging = Object.keys(fields).filter((path) => ofPages.test(lastStep(path)));
  return [
    seenAs("fields", answered, fields),
    seenAs("pagination", answered, paging.length ? paging : "no such member"),
  ];
}

const rows: { readonly [O in WalletOperation]: ObservationId } = {
  getWalletIdentity: "OBS-WAL-SHAPE-IDENTITY",
  batchWalletIdentity: "OBS-WAL-SHAPE-BATCH",
  getWalletBalances: "OBS-WAL-SHAPE-BALANCES",
  getWalletBalanceAt: "OBS-WAL-SHAPE-BALANCEAT",
  getWalletHistory: "OBS-WAL-SHAPE-HISTORY",
  getWalletTransfers: "OBS-WAL-SHAPE-TRANSFERS",
  getWalletFundedBy: "OBS-WAL-SHAPE-FUNDEDBY",
};

/** Names of members that may hold a price. */
const ofWorth = /usd|price|value|worth/i;

/** Every member of an item by pointer, those of inner records too. */
const membersOf = (item: Json, at: readonly string[] = []): readonly (readonly [at: string, value: Json])[] =>
  isObject(item)
    ? Object.entries(item).flatMap(([name, value]) =>
        isObject(value) ? membersOf(value, [...at, name]) : [[pointerFromPath([...at, name]), value] as const],
      )
    : [];

/** Every list of records, by pointer. */
function listsIn(value: Json, at = ""): readonly (readonly [at: string, items: readonly Json[]])[] {
  if (Array.isArray(value)) return [[at, (value as readonly Json[]).filter(isObject)]];
  return isObject(value)
    ? Object.entries(value).flatMap(([name, inner]) => listsIn(inner, at + pointerFromPath([name])))
    : [];
}

const worthOf = (value: Json | undefined): string =>
  value === undefined ? "absent" : value === null ? "null" : Number(value) === 0 ? "0" : `a ${typeof value}`;

/** By pointer, the kinds of prices of the listed assets. */
function describeWorth(answered: AnsweredExchange): readonly Seen[] {
  const seen = listsIn(answered.answer.json?.value ?? null).flatMap(([at, items]) => {
    const records = items.map((item) => new Map(membersOf(item)));
    const names = new Set(records.flatMap((members) => [...members.keys()]).filter((name) => ofWorth.test(name)));
    return [...names].map((name) => {
      const kinds = new Set(records.map((members) => worthOf(members.get(name))));
      return seenAs(`${at}/*${name}`, answered, [...kinds].sort().join(" | "));
    });
  });
  if (seen.length === 0) throw notSeen("no listed record has a member named for its value");
  return seen;
}

/** What each endpoint shows that serves its baseline request. */
const ofServed = (id: ObservationId, name: string, sees: (answered: AnsweredExchange) => Json): Probe =>
  experiment(
    id,
    pairs.flatMap(({ repeats }) => repeats),
    async (context) => {
      const questions = pairs.map(({ operation, repeats }) => [operation, repeats[context.repeat]] as const);
      const all = await askEach(context, questions, sees);
      const shown = all.filter(({ answered }) => isServed(answered));
      return byEndpoint(name, shown);
    },
    { ...paidFor, suffices: "any" },
  );

/** Names of headers that announce a beta, or an end of support. */
const ofStability = /beta|preview|experimental|stability|version|deprecat|sunset|^warning$/;

function describeStability({ answer }: AnsweredExchange): Json {
  const names = headerNames(answer).filter((name) => ofStability.test(name));
  return names.length ? names : "none";
}

export const probes: readonly Probe[] = [
  ...pairs.map((pair) => ofPair(rows[pair.operation], pair, describeShape)),
  ...pairs
    .filter(({ operation }) => operation === "getWalletBalances")
    .map((pair) => ofPair("OBS-WAL-CURRENCY", pair, describeWorth)),
  ofServed("OBS-WAL-SUCCESS", "every endpoint", ({ answer }) => answer.status),
  ofServed("OBS-WAL-LAG", "headers about stability", describeStability),
];
