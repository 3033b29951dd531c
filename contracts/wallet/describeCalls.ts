// How are wallet endpoints asked about where the interface leaves it open, and what is told of the answers? (§2.6, §4.2, §7.3)

import { canonical, type Json } from "../../harness/core/json.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { PathPart, Stimulus } from "../../harness/core/stimulus.ts";
import { type Answered, fingerprintOf } from "../../harness/model/fingerprint.ts";
import { experiment, type Probe, type ProbeContext, readingOf, type Seen } from "../../harness/model/probe.ts";
import { isServed } from "../../harness/transport/answers.ts";
import type { ObservationId } from "../../specs/generated/observations.ts";
import { seenAs } from "../shared/describeCalls.ts";
import { feature, type WalletOperation, wallet, walletBaselines } from "./requests.ts";

/** One question in two words: with the key in the header and in the query. Checks ask both, so that two looks cost no call more. */
export interface Pair {
  readonly operation: WalletOperation;
  readonly looks: readonly [byHeader: Stimulus, byQuery: Stimulus];
}

export const pairs: readonly Pair[] = walletBaselines.map(({ operation, ask }) => ({
  operation,
  looks: [ask(), ask({ keyIn: "query" })],
}));

/** Of probes that ask such a pair: the second look's question is the other one rather than the same asked afresh. */
export const paidFor = { feature, asksOnce: true, isPaidFor: true } as const;

/** The same question about another wallet. */
export const ofWallet = (stimulus: Stimulus, ...other: readonly PathPart[]): Stimulus => ({
  ...stimulus,
  operation: null,
  path: stimulus.path.flatMap((one) => (typeof one === "object" && "§" in one ? other : [one])),
});

/** `400 "Neither a wallet address nor a domain"`: status and, of a refusal, its words. */
export function worded(answered: Answered): string {
  const { status, error } = fingerprintOf(answered, { case: "" });
  return isServed(answered) || error === null ? String(status) : `${status} ${JSON.stringify(error.message)}`;
}

/** What is seen in what is served; of anything else, status and words. */
export const inWords =
  <Told extends Json>(sees: (answered: Answered) => Told) =>
  (answered: Answered): Told | string =>
    isServed(answered) ? sees(answered) : worded(answered);

/** The classes of values by path, items of lists merged. */
export const fieldsOf = (answered: Answered): { readonly [path: string]: string } =>
  fingerprintOf(answered, { case: "" }).body;

/** Fields aren't shown, so that emptiness is all that can be told of any record. */
export const howFull = (answered: Answered): string =>
  `${answered.answer.status}, ${Object.keys(fieldsOf(answered)).some((path) => path.includes("/*")) ? "something listed" : "nothing listed"}`;

interface Told {
  readonly endpoint: string;
  readonly answered: Answered;
  readonly summary: Json;
}

/** Told once where every endpoint tells the same, else endpoint by endpoint. @throws Withheld where none was asked */
export function byEndpoint(name: string, all: readonly Told[]): readonly Seen[] {
  const isAlike = new Set(all.map(({ summary }) => canonical(summary))).size === 1;
  if (all.length === 0) throw new Withheld("no endpoint showed it");
  return all.map(({ endpoint, answered, summary }) =>
    seenAs(isAlike ? name : `${name}: ${endpoint}`, answered, summary),
  );
}

export type Questions = readonly (readonly [endpoint: string, stimulus: Stimulus])[];

/** One after the other, as far as the target has what it takes. */
export async function askEach(
  { ask, canAsk }: ProbeContext,
  questions: Questions,
  summary: (answered: Answered) => Json,
): Promise<readonly Told[]> {
  const all: Told[] = [];
  for (const [endpoint, stimulus] of questions) {
    if (!canAsk(stimulus)) continue;
    const answered = await ask(stimulus);
    all.push({ endpoint, answered, summary: summary(answered) });
  }
  return all;
}

/** What doesn't come endpoint by endpoint. */
interface Besides {
  readonly requests: readonly Stimulus[];
  readonly see: (context: ProbeContext) => Promise<readonly Seen[]>;
}

/** Cases, each asked of several endpoints. */
export const endpointRequestProbe = (
  id: ObservationId,
  cases: { readonly [name: string]: Questions },
  summary: (answered: Answered) => Json,
  besides?: Besides,
): Probe =>
  experiment(
    id,
    [
      ...Object.values(cases).flatMap((questions) => questions.map(([, stimulus]) => stimulus)),
      ...(besides?.requests ?? []),
    ],
    async (context) => {
      const seen: Seen[] = [];
      for (const [name, questions] of Object.entries(cases)) {
        const all = await askEach(context, questions, summary);
        if (all.length > 0) seen.push(...byEndpoint(name, all));
      }
      return readingOf([...seen, ...((await besides?.see(context)) ?? [])]);
    },
    { feature, suffices: "any" },
  );

/** The wallet's part of rows that are about every surface: without a key, since a call with one may cost credits whatever comes of it. */
const keyless = (change: Partial<Stimulus>): Stimulus => ({
  operation: null,
  api: "api",
  method: "GET",
  path: [],
  carriers: [],
  ...change,
});
const [batchPath, balancesPath] = [["/v1/wallet/batch-identity"], ["/v1/wallet/", wallet(0), "/balances"]];

export const everyKeyless: readonly Stimulus[] = walletBaselines.map(({ ask }) => ask({ as: "anonymous" }));

/** Of documented calls: `wallet 200`. */
export const outcomeOf = ({ answer, stimulus }: Answered): string | undefined =>
  stimulus.api === "api" && stimulus.operation !== null ? `wallet ${answer.status}` : undefined;

export const cases = {
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
    "wallet: the same path under v2, without a key": keyless({ path: ["/v2/wallet/", wallet(0), "/balances"] }),
  },
} satisfies { readonly [row: string]: { readonly [name: string]: Stimulus } };
