// Probes of unknown parameters, wallets, domains and moments; what is served costs credits (§4.2)
import { canonical } from "../../harness/core/json.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import type {} from "../../harness/core/template.ts";
import type { AnsweredExchange } from "../../harness/model/fingerprint.ts";
import type { Probe, ProbeContext, Seen } from "../../harness/model/probe.ts";
import { isServed } from "../../harness/transport/answers.ts";
import { answersSeen, asUndescribed, seenAs, unknownDigest } from "../shared/describeCalls.ts";
import { forFeature } from "../shared/forFeature.ts";
import {
  describeWalletResult,
  endpointRequestProbe,
  howFull,
  ofWallet,
  type Questions,
  walletAnswerText,
} from "./describeCalls.ts";
import { askForBalanceAt, balances, domain, identity, moment, sampleWallet, walletBaselines } from "./requests.ts";

const { answerProbe, experiment } = forFeature("wallet");

const withUnknown: RequestSpec = asUndescribed({ ...balances(), query: [["assayUnknown", "1"]] });

/** Endpoints with the wallet in the path. */
const byPath = walletBaselines.filter(({ operation }) => operation !== "batchWalletIdentity");
const unseen = unknownDigest("wallet");
const ofUnknown: Questions = byPath.map(({ operation, ask }) => [operation, ofWallet(ask(), unseen)] as const);

const elsewhere = byPath
  .filter(({ operation }) => operation !== "getWalletIdentity")
  .map(({ operation, ask }) => [operation, ofWallet(ask(), domain(0))] as const);
const known = identity(domain(0));
const inCapitals = asUndescribed(identity({ ...domain(0), upperCase: true }));
/** An unknown name below an existing domain. */
const unknown = ofWallet(identity(sampleWallet(0)), "assay-51c8e2f7.", domain(0));

/** In lower case: the domain's spelling may come back. */
const recordOf = ({ answer }: AnsweredExchange): string => canonical(answer.json?.value ?? answer.text).toLowerCase();

async function describeCapitals({ ask, canAsk }: ProbeContext): Promise<readonly Seen[]> {
  if (!canAsk(inCapitals)) return [];
  const lower = await ask(known);
  const upper = await ask(inCapitals);
  const isOfDomain = recordOf(upper) === recordOf(lower);
  const summary = describeWalletResult(() => (isOfDomain ? "the record of the domain" : "another record"));
  return [seenAs("identity: the domain in capitals", upper, summary(upper))];
}

const native = askForBalanceAt("time", { ofToken: false });
const at = (...query: NonNullable<RequestSpec["query"]>): RequestSpec => asUndescribed({ ...native, query });
const time = { $name: "balanceAt/time" };
const slot = { $name: "balanceAt/slot" };

/** New Year 2100, New Year 2000, and a slot months before the usual moment. */
const future = "4102444800";
const beforeAll = "946684800";
const earlierSlot = "200000000";
const both = at([time, moment.time], [slot, earlierSlot]);
const cases = { "a moment to come": at([time, future]), "before any chain": at([time, beforeAll]), "no moment": at() };

async function describeMoments(context: ProbeContext): Promise<readonly Seen[]> {
  const served = await context.ask(native);
  const seen = await answersSeen(context, cases, walletAnswerText);
  const answered = await context.ask(both);
  const isOfTime = isServed(served) && recordOf(answered) === recordOf(served);
  const summary = describeWalletResult(() => (isOfTime ? "the time counts" : "the time alone doesn't count"));
  return [...seen, seenAs("a time and another slot", answered, summary(answered))];
}

export const probes: readonly Probe[] = [
  answerProbe(
    "OBS-WAL-QUERY",
    describeWalletResult(({ answer }) => `ignored, ${answer.status}`),
    { "an unknown parameter": withUnknown },
  ),
  endpointRequestProbe("OBS-WAL-UNKNOWN", { "an unknown address": ofUnknown }, describeWalletResult(howFull)),
  endpointRequestProbe(
    "OBS-WAL-DOMAIN",
    {
      "a domain elsewhere than on identity": elsewhere,
      "identity: an unknown domain": [["getWalletIdentity", unknown]],
    },
    walletAnswerText,
    [known, inCapitals],
    describeCapitals,
  ),
  experiment("OBS-WAL-WHEN", [native, ...Object.values(cases), both], describeMoments),
];
