// Probes of new-address proofs, compressed balances and the index's health (§2.4, §4.3, §7.2)

import { type Json, listOf, valueAt } from "../../harness/core/json.ts";
import { notSeen } from "../../harness/core/outcomes.ts";
import { otherNeed } from "../../harness/core/reason.ts";
import { keyHolder, type RequestSpec } from "../../harness/core/requestSpec.ts";
import { givenAt, type Template } from "../../harness/core/template.ts";
import { type AnsweredExchange, isAnswered, withoutNumbers } from "../../harness/model/fingerprint.ts";
import { type Probe, type ProbeContext, type Seen, seenTogether } from "../../harness/model/probe.ts";
import type { Target } from "../../harness/targets/target.ts";
import { describeOutcome, isServed, rpcErrorOf } from "../../harness/transport/answers.ts";
import { rpcErrors } from "../../specs/generated/operations.ts";
import {
  asUndescribed,
  describeLiteral,
  describeResult,
  isOfDouble,
  resultSeen,
  resultsSeen,
  seenAs,
  unknownDigest,
} from "../shared/describeCalls.ts";
import { forFeature } from "../shared/forFeature.ts";
import { listIn, resultOf } from "../shared/jsonRpcOracles.ts";
import { balance, compressed, health, proofs } from "../shared/jsonRpcRequests.ts";

const { answerProbe, experiment, observeAll } = forFeature("compression");

const openProofs = (addresses?: readonly Template[]): RequestSpec => asUndescribed(proofs(addresses, { id: "open" }));
const fresh = (nth: number): string => unknownDigest(`new address ${nth}`);
const freshOnes = (count: number): readonly string[] => Array.from({ length: count }, (_, nth) => fresh(nth));

const proofsIn = (answered: AnsweredExchange): readonly Json[] => listIn(answered, "/value");
const counted = (answered: AnsweredExchange): string =>
  `${proofsIn(answered).length} ${proofsIn(answered).length === 1 ? "proof" : "proofs"}`;
const addressesOf = (answered: AnsweredExchange): readonly (Json | undefined)[] =>
  proofsIn(answered).map((proof) => valueAt(proof, "/address"));

const sizes = [1, 2, 4, 8, 16, 32];

/** Doubles the number of addresses until some are refused. */
async function mostProofs({ ask }: ProbeContext): Promise<readonly Seen[]> {
  let most: readonly Seen[] = [];
  for (const size of sizes) {
    const answered = await ask(openProofs(freshOnes(size)));
    if (!isServed(answered) || proofsIn(answered).length !== size) {
      const outcome = `${size}: ${describeResult(counted)(answered)}`;
      return [...most, seenAs("the first that isn't", answered, outcome)];
    }
    most = [seenAs("the largest that is proved", answered, size)];
  }
  return most;
}

const a = fresh(0);
const b = fresh(1);
const repeats = {
  "[a, a]": openProofs([a, a]),
  "[a, a, b]": openProofs([a, a, b]),
  "[a, b, a]": openProofs([a, b, a]),
  "[b, a, a]": openProofs([b, a, a]),
};
/** Whose proofs came, e.g. `a, b`. */
const describeRepeats = (answered: AnsweredExchange): Json =>
  addressesOf(answered)
    .map((address) => (address === a ? "a" : address === b ? "b" : "another"))
    .join(", ") || "no proof";

const oneProof = proofs([fresh(0)], { id: "open" });

/** The neighbours in a proof are existing addresses. */
async function existing({ ask }: ProbeContext): Promise<readonly Seen[]> {
  const [proof] = proofsIn(await ask(oneProof));
  // The ends of a tree are no addresses: the neighbour further from its end is used.
  const isFirst = valueAt(proof, "/lowElementLeafIndex") === 0;
  const neighbour = valueAt(proof, isFirst ? "/higherRangeAddress" : "/lowerRangeAddress");
  if (typeof neighbour !== "string") throw notSeen("no proof names a neighbour");
  return [resultSeen("a neighbour of a new address", await ask(openProofs([neighbour])), counted)];
}

const orders = {
  "[a, b]": proofs([fresh(0), fresh(1)], { id: "open" }),
  "[b, a]": proofs([fresh(1), fresh(0)], { id: "open" }),
};

function describeOrder(answered: AnsweredExchange): string {
  const sent = listOf(valueAt(answered.sent.json, "/params"));
  const got = addressesOf(answered);
  if (got.length !== sent.length) return counted(answered);
  if (sent.every((address, nth) => got[nth] === address)) return "as sent";
  return sent.every((address) => got.includes(address)) ? "in another order" : "other addresses";
}

const indices = ["lowElementLeafIndex", "nextIndex", "rootSeq"];

function proofShape(ownAnswers: readonly AnsweredExchange[]): readonly Seen[] {
  const all = ownAnswers
    .filter((answered) => answered.requestSpec.operation === "getMultipleNewAddressProofs" && isServed(answered))
    .flatMap(proofsIn);
  if (all.length === 0) throw notSeen("no proof was seen twice");
  const paths = all.map((proof) => valueAt(proof, "/proof"));
  const trees = all.map((proof) => valueAt(proof, "/merkleTree"));
  const areWhole = all.every((proof) => indices.every((name) => Number.isInteger(valueAt(proof, `/${name}`))));
  const lengths = new Set(paths.map((path) => (Array.isArray(path) ? path.length : -1)));
  return seenTogether({
    "hashes in a proof": [...lengths].sort((a, b) => a - b),
    trees: [...new Set(trees.map((tree) => (typeof tree === "string" ? tree : "no text")))].sort(),
    indices: areWhole ? "whole numbers" : "not all whole numbers",
  });
}

type Params = { readonly [member: string]: Template } | null;
const openBalance = (params?: Params): RequestSpec => asUndescribed(balance(params, { id: "open" }));
const describeValue = (answered: AnsweredExchange): Json =>
  resultOf(answered, "/value") === null ? "value null" : `value ${figureOf(answered)}`;

const figureOf = (answered: AnsweredExchange): string => describeLiteral(answered, "/result/value");

const ofFirst = balance({ address: compressed(0, "address") }, { id: "open" });
const ofSecond = balance({ hash: compressed(1, "hash") }, { id: "open" });
const pairs = {
  "of one account": openBalance({ address: compressed(0, "address"), hash: compressed(0, "hash") }),
  "of two accounts": openBalance({ address: compressed(0, "address"), hash: compressed(1, "hash") }),
};

async function bothGiven(context: ProbeContext): Promise<readonly Seen[]> {
  const byAddress = figureOf(await context.ask(ofFirst));
  const byHash = figureOf(await context.ask(ofSecond));
  return resultsSeen(context, pairs, (answered) => {
    const got = figureOf(answered);
    if (byAddress === byHash) return got === byAddress ? "the balance of both" : "neither balance";
    return got === byAddress ? "the balance by address" : got === byHash ? "the balance by hash" : "neither balance";
  });
}

/** The sample account with more than a double can hold, and its balance; undefined where there is none. */
function bigBalance(target: Target): { readonly nth: number; readonly digits: string } | undefined {
  const balances = listOf(givenAt(target, "/samples/compressed")).map((sample) => valueAt(sample, "/lamports"));
  const nth = balances.findIndex((digits) => typeof digits === "string" && /^\d+$/.test(digits) && !isOfDouble(digits));
  const digits = balances[nth];
  return typeof digits === "string" ? { nth, digits } : undefined;
}

const noBigBalance = "samples.compressed has no balance above 2^53";

async function describeBigBalance({ ask, target }: ProbeContext): Promise<readonly Seen[]> {
  const known = bigBalance(target);
  if (!known) throw notSeen(noBigBalance);
  const answered = await ask(balance({ address: compressed(known.nth, "address") }, { id: "open" }));
  const got = figureOf(answered);
  const rounded = Number(got) === Number(known.digits) ? "rounded to a double" : "another figure";
  return [resultSeen("a balance above 2^53", answered, () => (got === known.digits ? "exact" : rounded))];
}

/** Further behind than it may be. */
const lag = { behindBy: 1000, mayBeBehindBy: 20 };
const refusals = [-32700, -32600, -32601, -32602, -32001];
const documented = rpcErrors.compression.map(({ code }) => code);

/** Errors of well-formed calls with a key, which are about the index rather than the call. */
const indexErrors = ({ all }: ProbeContext, isAsked: (call: RequestSpec) => boolean): readonly AnsweredExchange[] =>
  all.filter(isAnswered).filter((exchange) => {
    const { requestSpec } = exchange;
    const isCall =
      requestSpec.operation === "getIndexerHealth" && keyHolder(requestSpec) !== null && isAsked(requestSpec);
    return isCall && !isServed(exchange) && !refusals.includes(rpcErrorOf(exchange)?.code ?? 0);
  });

/** With control the index is made to lag; elsewhere the run's own answers are read. */
async function describeLag(context: ProbeContext): Promise<readonly Seen[]> {
  const [seen, none] = context.target.control
    ? [await lagging(context), "a lagging index returned no error"]
    : [indexErrors(context, () => true), "the index didn't lag during the run"];
  const last = seen.at(-1);
  if (!last) throw notSeen(none);
  const { code, message } = rpcErrorOf(last) ?? {};
  return [
    seenAs("behind", last, {
      outcome: describeOutcome(last),
      // The number of blocks differs from call to call.
      message: typeof message === "string" ? withoutNumbers(message).replace(/\d+/g, "<number>") : "no text",
      status: last.answer.status,
      "one of the six": code !== undefined && documented.includes(code),
    }),
  ];
}

async function lagging(context: ProbeContext): Promise<readonly AnsweredExchange[]> {
  const project = await context.project();
  await project.setIndexer(lag.behindBy, lag.mayBeBehindBy);
  // An error like the server's own, or like a refusal for our rate, is thrown; the exchange has it all the same.
  await context.ask(health(undefined, { as: project.asker, id: "lag" })).catch(() => undefined);
  return indexErrors(context, (call) => keyHolder(call) === project.asker);
}

const unjudgedHealth = (params: Template): RequestSpec => asUndescribed(health(params, { id: "open" }));
const describeHealth = (answered: AnsweredExchange): Json =>
  resultOf(answered) === "ok" ? "accepted" : "another result";

export const probes: readonly Probe[] = [
  experiment(
    "OBS-NAP-MAX",
    sizes.map((size) => openProofs(freshOnes(size))),
    mostProofs,
  ),
  answerProbe("OBS-NAP-EMPTY", describeResult(counted), { "[]": openProofs([]), "params absent": openProofs() }),
  answerProbe("OBS-NAP-DUP", describeResult(describeRepeats), repeats),
  experiment("OBS-NAP-EXISTS", [oneProof], existing),
  answerProbe("OBS-NAP-ORDER", describeResult(describeOrder), orders),
  answerProbe("OBS-NAP-LEN", describeResult(counted), {
    "31 bytes": openProofs([unknownDigest("short", 31)]),
    "33 bytes": openProofs([unknownDigest("long", 33)]),
  }),
  observeAll("OBS-NAP-SHAPE", [oneProof, orders["[a, b]"]], ({ ownAnswers }) => proofShape(ownAnswers)),

  answerProbe("OBS-CB-NEITHER", describeResult(describeValue), {
    "{}": openBalance({}),
    "both null": openBalance({ address: null, hash: null }),
    "params absent": openBalance(),
  }),
  experiment("OBS-CB-BOTH", [ofFirst, ofSecond, ...Object.values(pairs)], bothGiven),
  answerProbe("OBS-CB-UNKNOWN", describeResult(describeValue), {
    "an unknown address": openBalance({ address: unknownDigest("account") }),
    "an unknown hash": openBalance({ hash: unknownDigest("hash") }),
  }),
  experiment("OBS-CB-U64", [ofFirst], describeBigBalance, {
    unless: (target) => (bigBalance(target) ? null : otherNeed(noBigBalance)),
  }),

  experiment("OBS-IH-CODE", [health()], describeLag),
  answerProbe("OBS-IH-PARAMS", describeResult(describeHealth), {
    "[]": unjudgedHealth([]),
    "{}": unjudgedHealth({}),
    null: unjudgedHealth(null),
    "[1]": unjudgedHealth([1]),
  }),
];
