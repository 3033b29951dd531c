// Probes of accepted bundles, of simulation and of too many at once; sent with consent only (§4.3, §8)
import type { Json } from "../../harness/core/json.ts";
import { notSeen } from "../../harness/core/outcomes.ts";
import { type UnmetNeed } from "../../harness/core/reason.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import { type AnsweredExchange, fingerprintOf, isAnswered } from "../../harness/model/fingerprint.ts";
import type { Observe, Probe, ProbeContext, Seen } from "../../harness/model/probe.ts";
import type { Target } from "../../harness/targets/target.ts";
import { isRateRefusal, isServed } from "../../harness/transport/answers.ts";
import { base58Bytes } from "../shared/base58.ts";
import { asUndescribed } from "../shared/describeCalls.ts";
import { resultOf } from "../shared/jsonRpcOracles.ts";
import { recentBlockhash } from "./blockhashes.ts";
import {
  answersAtOnce,
  answerToCall,
  bundleAnswerText,
  bundleRequestProbe,
  type MakeBundle,
  noTransaction,
  ownBundle,
  reallySent,
  seenOf,
  wordsSeen,
} from "./describeCalls.ts";
import {
  accepted,
  bundle,
  encodedTransaction,
  experiment,
  mayNotSend,
  plainly,
  sendBundleRequest,
  sendPlain,
  signedWith,
  simulate,
  transactions,
} from "./requests.ts";
import { payerNamed, type Signed, type Transfer, transaction } from "./transactions.ts";

/** Elsewhere the lack of control is the reason that counts. */
const unlessWithControl = (target: Target): UnmetNeed | null => (target.control ? mayNotSend(target) : null);

/** On the reference an account that wasn't seeded is never empty. */
const rich = payerNamed("who tips");
let tips = 0;

const tipping =
  (lamports: number): MakeBundle =>
  async (context, as) => {
    tips += 1;
    const to = base58Bytes(context.target.bundles?.tipAccount ?? "") ?? new Uint8Array(32);
    const transfer: Transfer = { from: rich, to, lamports: BigInt(lamports) };
    const blockhash = await recentBlockhash(context);
    return bundle([transaction({ payer: rich, transfers: [transfer], nonce: tips, blockhash })], { as });
  };

/** From nothing to the tip that the target names. */
async function describeTips(context: ProbeContext): Promise<readonly Seen[]> {
  const whole = context.target.bundles?.tipLamports ?? 0;
  const amounts = [0, 1, Math.floor(whole / 2), whole - 1, whole].filter((lamports) => lamports >= 0);
  const cases = amounts.map((lamports) => [`a tip of ${lamports} lamports`, tipping(lamports)] as const);
  return reallySent(context, Object.fromEntries(cases));
}

/** What a second call returns for a bundle that was accepted as this one. */
const again = async (context: ProbeContext, name: string, requestSpec: RequestSpec, id: string): Promise<Seen> =>
  wordsSeen(name, await answerToCall(context, { ...requestSpec, again: 1 }), (answered) =>
    resultOf(answered) === id ? "the same id" : "another id",
  );

/** Whether it is charged twice isn't observed: charges show late, and the price of a bundle isn't shown. */
async function sentTwice(context: ProbeContext): Promise<readonly Seen[]> {
  const tipped = bundle(await transactions(context, { tip: "all" }));
  const atOnce = await again(context, "the same bundle at once", tipped, accepted(await context.ask(tipped)));
  if (!context.target.control) return [atOnce];
  const { project, requestSpec, id } = await ownBundle(context);
  await project.moveBundles(60_000);
  return [atOnce, await again(context, "the same bundle once it has landed", requestSpec, id)];
}

/** How a bundle is answered, beside a plain one of its size that is accepted. */
const besidePlain = (
  id: Probe["id"],
  name: string,
  count: number,
  make: (context: ProbeContext) => Promise<readonly Signed[]>,
): Probe => {
  const observe: Observe = async (context) => {
    accepted(await sendPlain(context, count));
    return [wordsSeen(name, await answerToCall(context, bundle(await make(context))), () => "taken")];
  };
  const sends = { calls: 1, payments: count, shared: [plainly(count)] };
  return experiment(id, [], observe, { unless: mayNotSend, asksOnce: true, sends });
};

/** Twice the limit and two more. */
const burst = 12;
const lone = sendBundleRequest([[noTransaction], { encoding: "base64" }], { id: 2 });
const atOnce: readonly RequestSpec[] = Array.from({ length: burst }, (_, nth) => ({ ...lone, again: nth }));

/** So coarse that the network's delays don't change it. */
const roughly = (count: number): string =>
  count === burst ? "all" : count === 0 ? "none" : count < 3 ? "fewer than 3" : count < 8 ? "3 to 7" : "8 or more";

/** Whether texts that are no transactions count against the rate limit: then some are refused for another reason. */
async function invalidOnes(context: ProbeContext): Promise<readonly Seen[]> {
  const usual = bundleAnswerText(await answerToCall(context, lone));
  await context.rest();
  const answers = await answersAtOnce(context, atOnce);
  if (answers.length < burst) throw notSeen(`only ${answers.length} of ${burst} were answered`);
  const like = answers.filter((answered) => bundleAnswerText(answered) === usual);
  const others = answers.filter((answered) => !like.includes(answered));
  return [
    ...like.slice(0, 1).map((one) => seenOf(`${burst} at once: refused like one alone`, one, roughly(like.length))),
    ...others.map((one) => seenOf(`${burst} at once: the others`, one, bundleAnswerText(one))),
  ];
}

/** More than are served in a second. */
const tooMany = 8;

/** With control too many are sent; elsewhere the run's own answers are read. */
async function rateRefusals(context: ProbeContext): Promise<readonly Seen[]> {
  const [seen, none] = context.target.control
    ? [await overRate(context), `${tooMany} at once were all accepted`]
    : [refusedSoFar(context), "no bundle was refused for its rate during the run"];
  if (seen.length === 0) throw notSeen(none);
  return seen.map((answered) => seenOf("too many bundles", answered, bundleAnswerText(answered)));
}

async function overRate(context: ProbeContext): Promise<readonly AnsweredExchange[]> {
  const { asker } = await context.project();
  const blockhash = await recentBlockhash(context);
  const requestSpecs = Array.from({ length: tooMany }, () =>
    asUndescribed(bundle(signedWith(context.target, blockhash, { tip: "all" }), { as: asker })),
  );
  await context.rest();
  return (await answersAtOnce(context, requestSpecs)).filter((answered) => !isServed(answered));
}

const refusedSoFar = ({ all }: ProbeContext): readonly AnsweredExchange[] =>
  all.filter(isAnswered).filter((one) => one.requestSpec.operation === "sendBundle" && isRateRefusal(one));

function shapeOf(answered: AnsweredExchange): Json {
  const { body } = fingerprintOf(answered, { case: "" });
  return Object.fromEntries(Object.entries(body).filter(([path]) => path.startsWith("/result")));
}

/** Its params aren't shown: those of sendBundle, and those of other engines. */
const forms: { readonly [name: string]: (texts: readonly string[]) => Parameters<typeof simulate>[0] } = {
  "as of sendBundle": (texts) => [texts, { encoding: "base64" }],
  "an object": (texts) => [{ encodedTransactions: texts }],
};

async function simulated(context: ProbeContext): Promise<readonly Seen[]> {
  const project = await context.project();
  const poor = payerNamed("who has nothing");
  await project.seedAccounts([{ address: poor.address, lamports: "0" }]);
  const bundles = {
    "a valid bundle": await transactions(context, { count: 2, tip: "all" }),
    "one whose second fails": await transactions(context, {
      count: 2,
      tip: "all",
      transfers: [[], [{ from: poor, to: rich.publicKey, lamports: 1n }]],
    }),
  };
  const seen: Seen[] = [];
  for (const [name, signed] of Object.entries(bundles))
    for (const [form, paramsOf] of Object.entries(forms)) {
      const params = paramsOf(signed.map((one) => encodedTransaction(one, "base64")));
      const answered = await answerToCall(context, asUndescribed(simulate(params, { as: project.asker })));
      seen.push(wordsSeen(`${name}, params ${form}`, answered, shapeOf));
    }
  return seen;
}

export const probes: readonly Probe[] = [
  experiment("OBS-BND-TIP", [], describeTips, { unless: unlessWithControl, control: { reads: 0 } }),
  experiment("OBS-BND-RESEND", [], sentTwice, { unless: mayNotSend, asksOnce: true, sends: { calls: 2, payments: 2 } }),
  besidePlain("OBS-BND-DUPTX", "[a, a]", 2, async (context) => {
    const tipped = await transactions(context, { tip: "all" });
    return [...tipped, ...tipped];
  }),
  besidePlain("OBS-BND-FORGED", "a signature that doesn't fit", 1, (context) =>
    transactions(context, { unsigned: "forged", tip: "all" }),
  ),
  experiment("OBS-BND-INVALIDRATE", [lone, ...atOnce], invalidOnes, { when: "isolated" }),
  experiment("OBS-RATE-SB-REFUSAL", [], rateRefusals, { unless: mayNotSend, asksOnce: true, when: "isolated" }),
  bundleRequestProbe("OBS-SIM-PARAMS", {
    cases: {
      "params absent": simulate(undefined, { id: 50 }),
      "params []": simulate([], { id: 50 }),
      "an empty bundle": simulate([[]], { id: 50 }),
      "what is no transaction": simulate([[noTransaction], { encoding: "base64" }], { id: 50 }),
      "an object without transactions": simulate([{ encodedTransactions: [] }], { id: 50 }),
    },
  }),
  experiment("OBS-SIM-RESULT", [], simulated, { control: { reads: 0 } }),
];
