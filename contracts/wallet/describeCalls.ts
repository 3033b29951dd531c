// Requests of probes about wallets, and summaries of their answers (§2.6, §4.2, §7.3)

import { canonical, type Json } from "../../harness/core/json.ts";
import { notSeen } from "../../harness/core/outcomes.ts";
import type { PathPart, RequestSpec } from "../../harness/core/requestSpec.ts";
import { isGiven } from "../../harness/core/template.ts";
import { type AnsweredExchange, fingerprintOf } from "../../harness/model/fingerprint.ts";
import type { Observe, Probe, ProbeContext, Seen } from "../../harness/model/probe.ts";
import { isServed } from "../../harness/transport/answers.ts";
import type { ObservationId } from "../../specs/generated/observations.ts";
import { describeResult, fieldsOf, seenAs } from "../shared/describeCalls.ts";
import { forFeature } from "../shared/forFeature.ts";
import { inTurn } from "../shared/inTurn.ts";
import { sampleWallet, walletBaselines } from "./requests.ts";

/** One request with the key in the header and in the query. Checks send both: two repeats cost no further call. */
export const pairs = walletBaselines.map(({ operation, ask }) => ({
  operation,
  repeats: [ask(), ask({ keyIn: "query" })] as const,
}));
export type AddressPair = (typeof pairs)[number];

/** For probes of such pairs: the second repeat sends the other request instead of repeating the first. */
export const paidFor = { asksOnce: true, isPaidFor: true } as const;

/** The same request about another wallet. */
export const ofWallet = (requestSpec: RequestSpec, ...other: readonly PathPart[]): RequestSpec => ({
  ...requestSpec,
  operation: null,
  path: requestSpec.path.flatMap((one) => (typeof one === "object" && isGiven(one) ? other : [one])),
});

/** `400 "Neither a wallet address nor a domain"`: status and, of a refusal, its message. */
export function walletAnswerText(answered: AnsweredExchange): string {
  const { status, error } = fingerprintOf(answered, { case: "" });
  return isServed(answered) || error === null ? String(status) : `${status} ${JSON.stringify(error.message)}`;
}

/** The summary of what is served; of anything else, status and message. */
export const describeWalletResult = <Summary extends Json>(sees: (answered: AnsweredExchange) => Summary) =>
  describeResult(sees, walletAnswerText);

const hasItems = (answered: AnsweredExchange): boolean =>
  Object.keys(fieldsOf(answered)).some((path) => path.includes("/*"));

/** Fields aren't shown: whether a record has lists with anything in them is all that can be compared. */
export const howFull = (answered: AnsweredExchange): string =>
  `${answered.answer.status}, ${hasItems(answered) ? "something listed" : "nothing listed"}`;

interface EndpointSummary {
  readonly endpoint: string;
  readonly answered: AnsweredExchange;
  readonly summary: Json;
}

/** One summary where all endpoints agree, else one per endpoint. @throws Withheld where there is none */
export function byEndpoint(name: string, all: readonly EndpointSummary[]): readonly Seen[] {
  const isAlike = new Set(all.map(({ summary }) => canonical(summary))).size === 1;
  if (all.length === 0) throw notSeen("no endpoint showed it");
  return all.map(({ endpoint, answered, summary }) =>
    seenAs(isAlike ? name : `${name}: ${endpoint}`, answered, summary),
  );
}

export type Questions = readonly (readonly [endpoint: string, requestSpec: RequestSpec])[];

/** One request after the other; those that the target lacks sample data for are left out. */
export const askEach = (
  { ask, canAsk }: ProbeContext,
  questions: Questions,
  summary: (answered: AnsweredExchange) => Json,
): Promise<readonly EndpointSummary[]> =>
  inTurn(
    questions.filter(([, requestSpec]) => canAsk(requestSpec)),
    async ([endpoint, requestSpec]) => {
      const answered = await ask(requestSpec);
      return { endpoint, answered, summary: summary(answered) };
    },
  );

/**
 * Cases, each sent to several endpoints.
 * @param besides what isn't requested endpoint by endpoint, and what it shows
 */
export function endpointRequestProbe(
  id: ObservationId,
  cases: { readonly [name: string]: Questions },
  summary: (answered: AnsweredExchange) => Json,
  besides: readonly RequestSpec[] = [],
  see: Observe = () => Promise.resolve([]),
): Probe {
  const requests = Object.values(cases).flatMap((questions) => questions.map(([, requestSpec]) => requestSpec));
  const observe: Observe = async (context) => {
    const seen = await inTurn(Object.entries(cases), async ([name, questions]) => {
      const all = await askEach(context, questions, summary);
      return all.length > 0 ? byEndpoint(name, all) : [];
    });
    return [...seen.flat(), ...(await see(context))];
  };
  return forFeature("wallet").experiment(id, [...requests, ...besides], observe, { suffices: "any" });
}

/** For observations about every API. Without a key, as a call with a key may cost credits. */
const keyless = (change: Partial<RequestSpec>): RequestSpec => ({
  operation: null,
  api: "api",
  method: "GET",
  path: [],
  carriers: [],
  ...change,
});
const batchPath = ["/v1/wallet/batch-identity"];
const balancesPath = ["/v1/wallet/", sampleWallet(0), "/balances"];

export const everyKeyless: readonly RequestSpec[] = walletBaselines.map(({ ask }) => ask({ as: "anonymous" }));

/** `wallet 200`; undefined for undocumented calls. */
export const describeWalletOutcome = ({ answer, requestSpec }: AnsweredExchange): string | undefined =>
  requestSpec.api === "api" && requestSpec.operation !== null ? `wallet ${answer.status}` : undefined;

export const walletCalls = {
  OPTIONS: {
    "wallet: OPTIONS, as a browser asks": keyless({
      method: "OPTIONS",
      path: balancesPath,
      headers: [
        ["origin", "https://assay.example"],
        ["access-control-request-method", "GET"],
        ["access-control-request-headers", "x-api-key"],
      ],
    }),
  },
  METHOD: {
    "wallet: GET on batch-identity, without a key": keyless({ path: batchPath }),
    "wallet: POST on balances, without a key": keyless({ method: "POST", path: balancesPath }),
  },
  404: { "wallet: an unknown path, without a key": keyless({ path: ["/v1/wallet/nope"] }) },
  VERSION: {
    "wallet: the same path under v2, without a key": keyless({ path: ["/v2/wallet/", sampleWallet(0), "/balances"] }),
  },
} satisfies { readonly [row: string]: { readonly [name: string]: RequestSpec } };
