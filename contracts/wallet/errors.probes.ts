// Probes of refused wallet requests: statuses and messages, of which only 403 for plans is shown (§4.2, §5.5, §7.3)
import type { PathPart, RequestSpec } from "../../harness/core/requestSpec.ts";
import type { AnsweredExchange } from "../../harness/model/fingerprint.ts";
import type { Probe, Sight } from "../../harness/model/probe.ts";
import { isServed } from "../../harness/transport/answers.ts";
import { mediaTypeOf } from "../../harness/transport/exchange.ts";
import { asUndescribed, fieldsOf, seenAs } from "../shared/describeCalls.ts";
import { forFeature } from "../shared/forFeature.ts";
import type { As } from "../shared/requestSpecs.ts";
import type { Questions } from "./describeCalls.ts";
import {
  askEach,
  byEndpoint,
  describeWalletResult,
  endpointRequestProbe,
  howFull,
  ofWallet,
  paidFor,
  walletAnswerText,
} from "./describeCalls.ts";
import { balances, batch, domain, identity, sampleWallet, unknownAddresses, walletBaselines } from "./requests.ts";

const { answerProbe, experiment, observeEach } = forFeature("wallet");

const by = (as: As): Questions => walletBaselines.map(({ operation, ask }) => [operation, ask({ as })] as const);
const closedBy = (keyIn: "header" | "query"): Questions =>
  walletBaselines
    .filter(({ isPaid }) => isPaid)
    .map(({ operation, ask }) => [operation, ask({ as: "free", keyIn })] as const);
/** With a free plan's key in the header, then in the query: checks send both. */
const closedToFree = [closedBy("header"), closedBy("query")] as const;

/** Refusals that cost nothing. */
const everyRefusal: readonly RequestSpec[] = [...by("anonymous"), ...by("unknownKey")].map(
  ([, requestSpec]) => requestSpec,
);

const describeRefusal: Sight = (answered: AnsweredExchange) => {
  const { requestSpec, answer } = answered;
  const [first] = requestSpec.path;
  const isWallet = requestSpec.api === "api" && typeof first === "string" && first.startsWith("/v1/wallet/");
  if (!isWallet || isServed(answered)) return undefined;
  return {
    case: `HTTP ${answer.status}`,
    summary: { mediaType: mediaTypeOf(answer) ?? "none", fields: fieldsOf(answered) },
  };
};

const balancesOf = (path: PathPart): RequestSpec => ofWallet(balances(), path);

/** Longer than any address: 32 bytes in base58 have at most 44 characters. */
const tooLong = "1".repeat(45);

/** Two batches of 101, which checks send anyway. */
const beyond = [batch(unknownAddresses(101)), batch([domain(0), ...unknownAddresses(100)])] as const;

const badIdentity = (as: As): RequestSpec => ofWallet(identity(sampleWallet(0), { as }), "abc");
const largeBatch = (as: As): RequestSpec => asUndescribed(batch(unknownAddresses(101), { as }));

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
    walletAnswerText,
  ),
  experiment(
    "OBS-WAL-403",
    closedToFree.flat().map(([, requestSpec]) => requestSpec),
    async (context) => {
      const refusal = (answered: AnsweredExchange) => ({
        refused: walletAnswerText(answered),
        fields: fieldsOf(answered),
      });
      return byEndpoint("on a free plan", await askEach(context, closedToFree[context.repeat], refusal));
    },
    { ...paidFor, suffices: "any" },
  ),
  observeEach("OBS-WAL-ERR", everyRefusal, describeRefusal),
  answerProbe("OBS-WAL-BADADDR", describeWalletResult(howFull), {
    abc: balancesOf("abc"),
    "45 characters": balancesOf(tooLong),
    "%20": balancesOf("%20"),
  }),
  experiment(
    "OBS-WAL-BATCH-101",
    beyond,
    async ({ ask, repeat }) => {
      const answered = await ask(beyond[repeat]);
      return [seenAs("101 entries", answered, walletAnswerText(answered))];
    },
    { asksOnce: true },
  ),
  answerProbe("OBS-PREC-WAL", (answered, { winner }) => `${walletAnswerText(answered)}: ${winner}`, {
    "on a free plan, and a malformed wallet": { ask: badIdentity("free"), wins: ofPlan },
    "on a free plan, and 101 entries": { ask: largeBatch("free"), wins: ofPlan },
    "an unknown key, and a malformed wallet": { ask: badIdentity("unknownKey"), wins: ofKey },
    "an unknown key, and 101 entries": { ask: largeBatch("unknownKey"), wins: ofKey },
  }),
];
