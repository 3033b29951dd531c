// In which statuses and words are wallet requests refused? But for the status on free plans none of it is shown. (§4.2, §5.5, §7.3)

import type { PathPart, Stimulus } from "../../harness/core/stimulus.ts";
import type { Answered } from "../../harness/model/fingerprint.ts";
import { asking, experiment, type Probe, readingOf, type Sight, watching } from "../../harness/model/probe.ts";
import { mediaTypeOf } from "../../harness/transport/exchange.ts";
import { isServed } from "../../harness/transport/jsonRpc.ts";
import { openly, seenAs } from "../shared/describeCalls.ts";
import type { As } from "../shared/stimuli.ts";
import {
  askEach,
  askingEndpoints,
  byEndpoint,
  fieldsOf,
  howFull,
  inWords,
  ofWallet,
  paidFor,
  type Questions,
  worded,
} from "./describeCalls.ts";
import { batch, domain, goodWallet, goodWallets, identity, part, strangers, wallet } from "./requests.ts";

const by = (as: As): Questions => goodWallets.map(({ operation, ask }) => [operation, ask({ as })] as const);
const closedBy = (keyIn: "header" | "query"): Questions =>
  goodWallets
    .filter(({ isPaid }) => isPaid)
    .map(({ operation, ask }) => [operation, ask({ as: "free", keyIn })] as const);
/** With a free plan's key in the header, then in the query: checks ask both. */
const closedToFree = [closedBy("header"), closedBy("query")] as const;

/** Refusals of which each costs nothing. */
const everyRefusal: readonly Stimulus[] = [...by("nobody"), ...by("stranger")].map(([, stimulus]) => stimulus);

const refusalTold: Sight = (answered: Answered) => {
  const { stimulus, answer } = answered;
  const [first] = stimulus.path;
  const isWallet = stimulus.surface === "api" && typeof first === "string" && first.startsWith("/v1/wallet/");
  if (!isWallet || isServed(answered)) return undefined;
  return {
    case: `HTTP ${answer.status}`,
    tells: { mediaType: mediaTypeOf(answer) ?? "none", fields: fieldsOf(answered) },
  };
};

const balances = goodWallet("getWalletBalances").ask();
const balancesOf = (path: PathPart): Stimulus => ofWallet(balances, path);

/** As long as no address is (32 bytes in base58 have 44 letters at most). */
const tooLong = "1".repeat(45);

/** Two batches of 101, which checks ask for anyway. */
const beyond = [batch(strangers(101)), batch([domain(0), ...strangers(100)])] as const;

const badIdentity = (as: As): Stimulus => ofWallet(identity(wallet(0), { as }), "abc");
const largeBatch = (as: As): Stimulus => openly(batch(strangers(101), { as }));

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
  askingEndpoints(
    "OBS-AUTH-WAL-STATUS",
    { "no key": by("nobody"), "a malformed key": by({ key: "not a key" }), "an unknown key": by("stranger") },
    worded,
  ),
  experiment(
    "OBS-WAL-403",
    closedToFree.flat().map(([, stimulus]) => stimulus),
    async (bench) =>
      readingOf(
        byEndpoint(
          "on a free plan",
          await askEach(bench, closedToFree[bench.look], (answered) => ({
            refused: worded(answered),
            fields: fieldsOf(answered),
          })),
        ),
      ),
    { ...paidFor, suffices: "any" },
  ),
  watching("OBS-WAL-ERR", everyRefusal, refusalTold, { part }),
  asking(
    "OBS-WAL-BADADDR",
    { abc: balancesOf("abc"), "45 characters": balancesOf(tooLong), "%20": balancesOf("%20") },
    { part, tells: inWords(howFull) },
  ),
  experiment(
    "OBS-WAL-BATCH-101",
    beyond,
    async ({ ask, look }) => {
      const answered = await ask(beyond[look]);
      return readingOf([seenAs("101 entries", answered, worded(answered))]);
    },
    { part, apart: 0 },
  ),
  asking(
    "OBS-PREC-WAL",
    {
      "on a free plan, and a wallet that is none": { ask: badIdentity("free"), wins: ofPlan },
      "on a free plan, and 101 entries": { ask: largeBatch("free"), wins: ofPlan },
      "an unknown key, and a wallet that is none": { ask: badIdentity("stranger"), wins: ofKey },
      "an unknown key, and 101 entries": { ask: largeBatch("stranger"), wins: ofKey },
    },
    { part, tells: (answered, { winner }) => `${worded(answered)}: ${winner}` },
  ),
];
