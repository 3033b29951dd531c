// In which statuses and words are wallet requests refused? But for the status on free plans none of it is shown. (§4.2, §5.5, §7.3)

import type { PathPart, Stimulus } from "../../harness/core/stimulus.ts";
import type { Answered } from "../../harness/model/fingerprint.ts";
import { experiment, observeEach, type Probe, readingOf, requestProbe, type Sight } from "../../harness/model/probe.ts";
import { isServed } from "../../harness/transport/answers.ts";
import { mediaTypeOf } from "../../harness/transport/exchange.ts";
import { seenAs, unjudged } from "../shared/describeCalls.ts";
import type { As } from "../shared/stimuli.ts";
import {
  askEach,
  byEndpoint,
  endpointRequestProbe,
  fieldsOf,
  howFull,
  inWords,
  ofWallet,
  paidFor,
  type Questions,
  worded,
} from "./describeCalls.ts";
import {
  batch,
  domain,
  feature,
  identity,
  unknownAddresses,
  wallet,
  walletBaseline,
  walletBaselines,
} from "./requests.ts";

const by = (as: As): Questions => walletBaselines.map(({ operation, ask }) => [operation, ask({ as })] as const);
const closedBy = (keyIn: "header" | "query"): Questions =>
  walletBaselines
    .filter(({ isPaid }) => isPaid)
    .map(({ operation, ask }) => [operation, ask({ as: "free", keyIn })] as const);
/** With a free plan's key in the header, then in the query: checks ask both. */
const closedToFree = [closedBy("header"), closedBy("query")] as const;

/** Refusals of which each costs nothing. */
const everyRefusal: readonly Stimulus[] = [...by("anonymous"), ...by("unknownKey")].map(([, stimulus]) => stimulus);

const describeRefusal: Sight = (answered: Answered) => {
  const { stimulus, answer } = answered;
  const [first] = stimulus.path;
  const isWallet = stimulus.api === "api" && typeof first === "string" && first.startsWith("/v1/wallet/");
  if (!isWallet || isServed(answered)) return undefined;
  return {
    case: `HTTP ${answer.status}`,
    summary: { mediaType: mediaTypeOf(answer) ?? "none", fields: fieldsOf(answered) },
  };
};

const balances = walletBaseline("getWalletBalances").ask();
const balancesOf = (path: PathPart): Stimulus => ofWallet(balances, path);

/** As long as no address is (32 bytes in base58 have 44 letters at most). */
const tooLong = "1".repeat(45);

/** Two batches of 101, which checks ask for anyway. */
const beyond = [batch(unknownAddresses(101)), batch([domain(0), ...unknownAddresses(100)])] as const;

const badIdentity = (as: As): Stimulus => ofWallet(identity(wallet(0), { as }), "abc");
const largeBatch = (as: As): Stimulus => unjudged(batch(unknownAddresses(101), { as }));

/** Which of two reasons for a refusal is told: each alone has words of its own on most platforms, and a status at least. */
const ofPlan = {
  403: "the plan is told",
  401: "the key is told",
  400: "the request is told",
  404: "the request is told",
  413: "the request is told",
  422: "the request is told",
};
const ofKey = { ...ofPlan, 403: "the key or the plan is told" };

export const probes: readonly Probe[] = [
  endpointRequestProbe(
    "OBS-AUTH-WAL-STATUS",
    { "no key": by("anonymous"), "a malformed key": by({ key: "not a key" }), "an unknown key": by("unknownKey") },
    worded,
  ),
  experiment(
    "OBS-WAL-403",
    closedToFree.flat().map(([, stimulus]) => stimulus),
    async (context) =>
      readingOf(
        byEndpoint(
          "on a free plan",
          await askEach(context, closedToFree[context.pass], (answered) => ({
            refused: worded(answered),
            fields: fieldsOf(answered),
          })),
        ),
      ),
    { ...paidFor, suffices: "any" },
  ),
  observeEach("OBS-WAL-ERR", everyRefusal, describeRefusal, { feature }),
  requestProbe(
    "OBS-WAL-BADADDR",
    { abc: balancesOf("abc"), "45 characters": balancesOf(tooLong), "%20": balancesOf("%20") },
    { feature, summary: inWords(howFull) },
  ),
  experiment(
    "OBS-WAL-BATCH-101",
    beyond,
    async ({ ask, pass }) => {
      const answered = await ask(beyond[pass]);
      return readingOf([seenAs("101 entries", answered, worded(answered))]);
    },
    { feature, asksOnce: true },
  ),
  requestProbe(
    "OBS-PREC-WAL",
    {
      "on a free plan, and a wallet that is none": { ask: badIdentity("free"), wins: ofPlan },
      "on a free plan, and 101 entries": { ask: largeBatch("free"), wins: ofPlan },
      "an unknown key, and a wallet that is none": { ask: badIdentity("unknownKey"), wins: ofKey },
      "an unknown key, and 101 entries": { ask: largeBatch("unknownKey"), wins: ofKey },
    },
    { feature, summary: (answered, { winner }) => `${worded(answered)}: ${winner}` },
  ),
];
