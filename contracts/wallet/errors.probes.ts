// Probes of refused wallet requests: statuses and messages, of which only 403 for plans is shown (§4.2, §5.5, §7.3)
import type { PathPart, Stimulus } from "../../harness/core/stimulus.ts";
import type { Answered } from "../../harness/model/fingerprint.ts";
import type { Probe, Sight } from "../../harness/model/probe.ts";
import { isServed } from "../../harness/transport/answers.ts";
import { mediaTypeOf } from "../../harness/transport/exchange.ts";
import { fieldsOf, seenAs, unjudged } from "../shared/describeCalls.ts";
import { forFeature } from "../shared/forFeature.ts";
import type { As } from "../shared/stimuli.ts";
import type { Questions } from "./describeCalls.ts";
import {
  askEach,
  byEndpoint,
  endpointRequestProbe,
  howFull,
  inWords,
  ofWallet,
  paidFor,
  worded,
} from "./describeCalls.ts";
import { balances, batch, domain, identity, unknownAddresses, wallet, walletBaselines } from "./requests.ts";

const { answerProbe, experiment, observeEach } = forFeature("wallet");

const by = (as: As): Questions => walletBaselines.map(({ operation, ask }) => [operation, ask({ as })] as const);
const closedBy = (keyIn: "header" | "query"): Questions =>
  walletBaselines
    .filter(({ isPaid }) => isPaid)
    .map(({ operation, ask }) => [operation, ask({ as: "free", keyIn })] as const);
/** With a free plan's key in the header, then in the query: checks send both. */
const closedToFree = [closedBy("header"), closedBy("query")] as const;

/** Refusals that cost nothing. */
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

const balancesOf = (path: PathPart): Stimulus => ofWallet(balances(), path);

/** Longer than any address: 32 bytes in base58 have at most 44 characters. */
const tooLong = "1".repeat(45);

/** Two batches of 101, which checks send anyway. */
const beyond = [batch(unknownAddresses(101)), batch([domain(0), ...unknownAddresses(100)])] as const;

const badIdentity = (as: As): Stimulus => ofWallet(identity(wallet(0), { as }), "abc");
const largeBatch = (as: As): Stimulus => unjudged(batch(unknownAddresses(101), { as }));

/** Which of two reasons for a refusal is reported, by status. */
const ofPlan = {
  403: "the plan is reported",
  401: "the key is reported",
  400: "the request is reported",
  404: "the request is reported",
  413: "the request is reported",
  422: "the request is reported",
};
const ofKey = { ...ofPlan, 403: "the key or the plan is reported" };

export const probes: readonly Probe[] = [
  endpointRequestProbe(
    "OBS-AUTH-WAL-STATUS",
    { "no key": by("anonymous"), "a malformed key": by({ key: "not a key" }), "an unknown key": by("unknownKey") },
    worded,
  ),
  experiment(
    "OBS-WAL-403",
    closedToFree.flat().map(([, stimulus]) => stimulus),
    async (context) => {
      const refusal = (answered: Answered) => ({ refused: worded(answered), fields: fieldsOf(answered) });
      return byEndpoint("on a free plan", await askEach(context, closedToFree[context.pass], refusal));
    },
    { ...paidFor, suffices: "any" },
  ),
  observeEach("OBS-WAL-ERR", everyRefusal, describeRefusal),
  answerProbe("OBS-WAL-BADADDR", inWords(howFull), {
    abc: balancesOf("abc"),
    "45 characters": balancesOf(tooLong),
    "%20": balancesOf("%20"),
  }),
  experiment(
    "OBS-WAL-BATCH-101",
    beyond,
    async ({ ask, pass }) => {
      const answered = await ask(beyond[pass]);
      return [seenAs("101 entries", answered, worded(answered))];
    },
    { asksOnce: true },
  ),
  answerProbe("OBS-PREC-WAL", (answered, { winner }) => `${worded(answered)}: ${winner}`, {
    "on a free plan, and a malformed wallet": { ask: badIdentity("free"), wins: ofPlan },
    "on a free plan, and 101 entries": { ask: largeBatch("free"), wins: ofPlan },
    "an unknown key, and a malformed wallet": { ask: badIdentity("unknownKey"), wins: ofKey },
    "an unknown key, and 101 entries": { ask: largeBatch("unknownKey"), wins: ofKey },
  }),
];
