// Which fields do wallet records have, and what else comes with what is served? (§2.6, §4.2, §9) No call is made that checks don't make.

import { type Json, pointerOf } from "../../harness/core/json.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import { type Answered, headerNames } from "../../harness/model/fingerprint.ts";
import { experiment, type Probe, type ProbeContext, type Reading, readingOf } from "../../harness/model/probe.ts";
import { isServed, outcomeOf } from "../../harness/transport/answers.ts";
import type { ObservationId } from "../../specs/generated/observations.ts";
import { seenAs } from "../shared/describeCalls.ts";
import { askEach, byEndpoint, fieldsOf, type Pair, paidFor, pairs } from "./describeCalls.ts";
import type { WalletOperation } from "./requests.ts";

/** The good request of an endpoint, once served. @throws Withheld */
async function servedIn({ ask, pass }: ProbeContext, { looks }: Pair): Promise<Answered> {
  const answered = await ask(looks[pass]);
  if (!isServed(answered)) throw new Withheld(`it drew ${outcomeOf(answered)}`);
  return answered;
}

/** Names of members by which lists are known to be cut into pages. */
const ofPages =
  /cursor|paginat|paging|^next|^prev|^(?:before|after|offset|limit|pages?|per_?page|page_?size|total|total_?(?:count|pages|items)|has_?(?:more|next))$/i;
const lastStep = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function describeShape(answered: Answered): Reading {
  const fields = fieldsOf(answered);
  const paging = Object.keys(fields).filter((path) => ofPages.test(lastStep(path)));
  return readingOf([
    seenAs("fields", answered, fields),
    seenAs("pagination", answered, paging.length ? paging : "no such member"),
  ]);
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

const shapes = pairs.map((pair) =>
  experiment(
    rows[pair.operation],
    pair.looks,
    async (context) => describeShape(await servedIn(context, pair)),
    paidFor,
  ),
);

/** Members that are named for what something is worth. */
const ofWorth = /usd|price|value|worth/i;

const isRecord = (value: Json): value is { readonly [member: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Every member of an item by its place, those of inner records too. */
const membersOf = (item: Json, at: readonly string[] = []): readonly (readonly [at: string, value: Json])[] =>
  isRecord(item)
    ? Object.entries(item).flatMap(([name, value]) =>
        isRecord(value) ? membersOf(value, [...at, name]) : [[pointerOf([...at, name]), value] as const],
      )
    : [];

/** Every list of records, with its place. */
function listsIn(value: Json, at = ""): readonly (readonly [at: string, items: readonly Json[]])[] {
  if (Array.isArray(value)) return [[at, (value as readonly Json[]).filter(isRecord)]];
  return isRecord(value)
    ? Object.entries(value).flatMap(([name, inner]) => listsIn(inner, at + pointerOf([name])))
    : [];
}

const worthOf = (value: Json | undefined): string =>
  value === undefined ? "absent" : value === null ? "null" : Number(value) === 0 ? "0" : `a ${typeof value}`;

/** Of each asset that is listed: what stands where its value should. */
function describeWorth(answered: Answered): { readonly [at: string]: Json } {
  const lists = listsIn(answered.answer.json?.value ?? null).map(
    ([at, items]) => [at, items.map((item) => new Map(membersOf(item)))] as const,
  );
  const told = lists.flatMap(([at, items]) => {
    const names = new Set(items.flatMap((members) => [...members.keys()]).filter((name) => ofWorth.test(name)));
    return [...names].map(
      (name) =>
        [
          `${at}/*${name}`,
          [...new Set(items.map((members) => worthOf(members.get(name))))].sort().join(" | "),
        ] as const,
    );
  });
  return Object.fromEntries(told);
}

const balances = pairs.filter(({ operation }) => operation === "getWalletBalances");

/** What every endpoint shows that serves its good request. */
const ofServed = (id: ObservationId, name: string, sees: (answered: Answered) => Json): Probe =>
  experiment(
    id,
    pairs.flatMap(({ looks }) => looks),
    async (context) => {
      const questions = pairs.map(({ operation, looks }) => [operation, looks[context.pass]] as const);
      const all = await askEach(context, questions, sees);
      return readingOf(
        byEndpoint(
          name,
          all.filter(({ answered }) => isServed(answered)),
        ),
      );
    },
    { ...paidFor, suffices: "any" },
  );

/** Names of headers by which an interface is told to be young, or near its end. */
const ofStability = /beta|preview|experimental|stability|version|deprecat|sunset|^warning$/;

function describeStability({ answer }: Answered): Json {
  const names = headerNames(answer).filter((name) => ofStability.test(name));
  return names.length ? names : "none";
}

export const probes: readonly Probe[] = [
  ...shapes,
  ...balances.map((pair) =>
    experiment(
      "OBS-WAL-CURRENCY",
      pair.looks,
      async (context) => {
        const answered = await servedIn(context, pair);
        const told = Object.entries(describeWorth(answered));
        if (told.length === 0) throw new Withheld("no member of what is listed is named for its value");
        return readingOf(told.map(([at, summary]) => seenAs(at, answered, summary)));
      },
      paidFor,
    ),
  ),
  ofServed("OBS-WAL-SUCCESS", "every endpoint", ({ answer }) => answer.status),
  ofServed("OBS-WAL-LAG", "headers that tell of beta", describeStability),
];
