// What is left open about bundles that are taken, simulated, or too many at once? (§4.3, §8) Real ones are sent with consent or to the reference.

import type { Json } from "../../harness/core/json.ts";
import type { Stimulus } from "../../harness/core/stimulus.ts";
import { Withheld } from "../../harness/model/check.ts";
import { type Answered, fingerprintOf } from "../../harness/model/fingerprint.ts";
import {
  experiment,
  type Probe,
  type ProbeBench,
  type Reading,
  readingOf,
  type Seen,
} from "../../harness/model/probe.ts";
import type { Target } from "../../harness/target/target.ts";
import { isRateRefusal, isServed } from "../../harness/transport/jsonRpc.ts";
import { bytesOf } from "../shared/base58.ts";
import { openly } from "../shared/describeCalls.ts";
import { resultOf } from "../shared/jsonRpcOracles.ts";
import {
  answersAtOnce,
  answerTo,
  askingOfBundles,
  inWords,
  nothing,
  type Put,
  reallySent,
  seenOf,
  worded,
} from "./describeCalls.ts";
import {
  accepted,
  bundle,
  mayNotSend,
  part,
  plain,
  plainly,
  send,
  simulate,
  transactions,
  written,
} from "./requests.ts";
import { payerNamed, type Transfer, transaction } from "./transactions.ts";

/** Of what only the reference is asked: that there is no control is the reason to be told elsewhere. */
const unlessThere = (target: Target): string | null => (target.control ? mayNotSend(target) : null);

/** Somebody whose accounts nobody has counted. */
const rich = payerNamed("who tips");
let tips = 0;

/** One transaction that does nothing but tip, with so much. */
const tipping =
  (lamports: number): Put =>
  (target, as) => {
    tips += 1;
    const to = bytesOf(target.bundles?.tipAccount ?? "") ?? new Uint8Array(32);
    const transfer: Transfer = { from: rich, to, lamports: BigInt(lamports) };
    return bundle([transaction({ payer: rich, transfers: [transfer], nonce: tips })], { as });
  };

/** Of the amount that the target names. */
function tipsTold(bench: ProbeBench): Promise<readonly Seen[]> {
  const whole = bench.target.bundles?.tipLamports ?? 0;
  const amounts = [...new Set([0, 1, Math.floor(whole / 2), whole - 1, whole].filter((lamports) => lamports >= 0))];
  return reallySent(
    bench,
    Object.fromEntries(amounts.map((lamports) => [`a tip of ${lamports} lamports`, tipping(lamports)])),
  );
}

/** Whether it is billed twice isn't looked at: usage is told late, and what a bundle costs isn't shown. */
async function sentTwice(bench: ProbeBench): Promise<Reading> {
  const signed = transactions(bench.target, { tip: "all" });
  const id = accepted(await bench.ask(bundle(signed)));
  const tells = inWords((answered) => (resultOf(answered) === id ? "the same id" : "another id"));
  const again = await answerTo(bench, { ...bundle(signed), again: 1 }, 0);
  return readingOf([
    seenOf("the same bundle at once", again, tells(again)),
    ...(bench.target.control ? [await sentOnceLanded(bench)] : []),
  ]);
}

async function sentOnceLanded(bench: ProbeBench): Promise<Seen> {
  const project = await bench.project();
  const stimulus = bundle(transactions(bench.target, { tip: "all" }), { as: project.asker });
  const id = accepted(await bench.ask(stimulus));
  await project.moveBundles(60_000);
  const again = await answerTo(bench, { ...stimulus, again: 1 }, 0);
  return seenOf(
    "the same bundle once it has landed",
    again,
    inWords((answered) => (resultOf(answered) === id ? "the same id" : "another id"))(again),
  );
}

async function twiceInOne(bench: ProbeBench): Promise<Reading> {
  accepted(await plain(bench, 2));
  const [one] = transactions(bench.target, { tip: "all" });
  if (!one) throw new Withheld("no transaction was made");
  const answered = await answerTo(bench, bundle([one, one]), 0);
  return readingOf([seenOf("[a, a]", answered, inWords(() => "taken")(answered))]);
}

/** Twice the limit and two more. */
const burst = 12;
const lone = send([[nothing], { encoding: "base64" }], { id: 2 });
const atOnce: readonly Stimulus[] = Array.from({ length: burst }, (_, nth) => ({ ...lone, again: 300 + nth }));

/** As coarsely as it stays the same: the clock of the network has a say. */
const roughly = (count: number): string =>
  count === burst ? "all" : count === 0 ? "none" : count < 3 ? "fewer than 3" : count < 8 ? "3 to 7" : "8 or more";

/** Whether texts that are no transactions use up the rate: at some point they are refused for another reason. */
async function invalidOnes(bench: ProbeBench): Promise<Reading> {
  const usual = worded(await answerTo(bench, lone, burst));
  await bench.rest();
  const answers = await answersAtOnce(bench, atOnce, burst);
  if (answers.length < burst) throw new Withheld(`only ${answers.length} of ${burst} were answered`);
  const like = answers.filter((answered) => worded(answered) === usual);
  const name = `${burst} at once`;
  return readingOf([
    ...like.slice(0, 1).map((answered) => seenOf(`${name}: refused like one alone`, answered, roughly(like.length))),
    ...answers
      .filter((answered) => !like.includes(answered))
      .map((answered) => seenOf(`${name}: the others`, answered, worded(answered))),
  ]);
}

/** More than are served in a second. */
const tooMany = 8;

/** With power over the platform too many are sent; elsewhere it is told what was seen. */
async function rateRefusals(bench: ProbeBench): Promise<Reading> {
  const seen = bench.target.control ? await overRate(bench) : refusedSoFar(bench);
  if (seen.length === 0)
    throw new Withheld(
      bench.target.control ? `${tooMany} at once were all taken` : "no bundle was refused for its rate while we looked",
    );
  return readingOf(seen.map((answered) => seenOf("too many bundles", answered, worded(answered))));
}

async function overRate(bench: ProbeBench): Promise<readonly Answered[]> {
  const { asker } = await bench.project();
  const stimuli = Array.from({ length: tooMany }, () =>
    openly(bundle(transactions(bench.target, { tip: "all" }), { as: asker })),
  );
  await bench.rest();
  return (await answersAtOnce(bench, stimuli, 0)).filter((answered) => !isServed(answered));
}

const refusedSoFar = ({ all }: ProbeBench): readonly Answered[] =>
  all.flatMap((exchange) => {
    const { answer, stimulus } = exchange;
    return answer && stimulus.operation === "sendBundle" && isRateRefusal(exchange) ? [{ ...exchange, answer }] : [];
  });

/** Classes of what a result holds. */
function shapeOf(answered: Answered): Json {
  const { body } = fingerprintOf(answered, { case: "" });
  return Object.fromEntries(Object.entries(body).filter(([path]) => path.startsWith("/result")));
}

/** Its parameters aren't shown: as sendBundle takes them, and as engines of the field do. */
const forms: { readonly [name: string]: (texts: readonly string[]) => Parameters<typeof simulate>[0] } = {
  "as of sendBundle": (texts) => [texts, { encoding: "base64" }],
  "an object": (texts) => [{ encodedTransactions: texts }],
};

async function simulated(bench: ProbeBench): Promise<Reading> {
  const project = await bench.project();
  const poor = payerNamed("who has nothing");
  await project.seedAccounts([{ address: poor.address, lamports: "0" }]);
  const bundles = {
    "a good bundle": transactions(bench.target, { count: 2, tip: "all" }),
    "one whose second fails": transactions(bench.target, {
      count: 2,
      tip: "all",
      transfers: [[], [{ from: poor, to: rich.publicKey, lamports: 1n }]],
    }),
  };
  const seen: Seen[] = [];
  for (const [name, signed] of Object.entries(bundles))
    for (const [form, paramsOf] of Object.entries(forms)) {
      const answered = await answerTo(
        bench,
        openly(simulate(paramsOf(signed.map((one) => written(one, "base64"))), { as: project.asker })),
      );
      seen.push(seenOf(`${name}, params ${form}`, answered, inWords(shapeOf)(answered)));
    }
  return readingOf(seen);
}

export const probes: readonly Probe[] = [
  experiment("OBS-BND-TIP", [], async (bench) => readingOf(await tipsTold(bench)), {
    part,
    unless: unlessThere,
    control: { reads: 0 },
  }),
  experiment("OBS-BND-RESEND", [], sentTwice, { part, unless: mayNotSend, apart: 0, sends: { bundles: 2, tips: 2 } }),
  experiment("OBS-BND-DUPTX", [], twiceInOne, {
    part,
    unless: mayNotSend,
    apart: 0,
    sends: { bundles: 1, tips: 2, shared: [plainly(2)] },
  }),
  experiment("OBS-BND-INVALIDRATE", [lone, ...atOnce], invalidOnes, { part, apart: burst, hasOwnProjects: true }),
  experiment("OBS-RATE-SB-REFUSAL", [], rateRefusals, { part, unless: mayNotSend, apart: 0, hasOwnProjects: true }),
  askingOfBundles("OBS-SIM-PARAMS", {
    "params absent": simulate(undefined, { id: 50 }),
    "params []": simulate([], { id: 50 }),
    "an empty bundle": simulate([[]], { id: 50 }),
    "what is no transaction": simulate([[nothing], { encoding: "base64" }], { id: 50 }),
    "an object without transactions": simulate([{ encodedTransactions: [] }], { id: 50 }),
  }),
  experiment("OBS-SIM-RESULT", [], simulated, { part, control: { reads: 0 } }),
];
