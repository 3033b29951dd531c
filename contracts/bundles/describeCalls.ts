// Requests of probes about bundles, and summaries of their answers (§4.3, §7.2)
import type { Json } from "../../harness/core/json.ts";
import { type Asker, type RequestSpec, requestKey } from "../../harness/core/requestSpec.ts";
import { type AnsweredExchange, fingerprintOf, isAnswered, withoutNumbers } from "../../harness/model/fingerprint.ts";
import type { Observe, Probe, ProbeContext, Seen } from "../../harness/model/probe.ts";
import { isRateRefusal, isServed, rpcErrorOf } from "../../harness/transport/answers.ts";
import type { MadeProject } from "../../harness/transport/control.ts";
import { asUndescribed, describeResult } from "../shared/describeCalls.ts";
import { describeEnvelope } from "../shared/describeEnvelope.ts";
import { inTurn } from "../shared/inTurn.ts";
import { accepted, bundle, experiment, mayNotSend, transactions } from "./requests.ts";

/** Three bytes, in base64 and base58 alike: no transaction. */
export const noTransaction = "AQID";

/** `200 error -32602 "Invalid params"`: HTTP status, code and message. */
export function bundleAnswerText(answered: AnsweredExchange): string {
  const message = rpcErrorOf(answered)?.message;
  return typeof message === "string"
    ? `${describeEnvelope(answered)} ${JSON.stringify(withoutNumbers(message))}`
    : describeEnvelope(answered);
}

/** The summary of a result; of a refusal, its code and message. */
export const describeBundleResult = (sees: (answered: AnsweredExchange) => Json) =>
  describeResult(sees, bundleAnswerText);

function lastTo({ all }: ProbeContext, requestSpec: RequestSpec): AnsweredExchange | undefined {
  const last = all.findLast((one) => requestKey(one.requestSpec) === requestKey(requestSpec));
  return last && isAnswered(last) ? last : undefined;
}

/**
 * The answer to a call. No table shows the codes of refused calls about bundles (§7.2): a code that looks like a
 * server's failure is an answer, too, where it can't be confirmed.
 */
export async function answerToCall(context: ProbeContext, requestSpec: RequestSpec): Promise<AnsweredExchange> {
  try {
    return await context.ask(requestSpec);
  } catch (error) {
    const last = lastTo(context, context.inRepeat(requestSpec));
    if (last && rpcErrorOf(last) && !isRateRefusal(last)) return last;
    throw error;
  }
}

/** The answers to many at once, without those that didn't come. */
export async function answersAtOnce(
  context: ProbeContext,
  requestSpecs: readonly RequestSpec[],
): Promise<readonly AnsweredExchange[]> {
  await context.atOnce(requestSpecs);
  return requestSpecs.flatMap((requestSpec) => lastTo(context, context.inRepeat(requestSpec)) ?? []);
}

/** Places of bundle ids, whose class differs by chance: base58 or any text. */
const ids = ["/result", "/result/value/*/bundle_id"];
const texts = ["hex", "base58", "free"];

/** What is seen in an answer, whichever bundle id is in it. */
export function seenOf(name: string, answered: AnsweredExchange, summary: Json): Seen {
  const fingerprint = fingerprintOf(answered, { case: name });
  const body = Object.entries(fingerprint.body).map(
    ([path, found]) => [path, ids.includes(path) && texts.includes(found) ? "id" : found] as const,
  );
  return { fingerprint: { ...fingerprint, body: Object.fromEntries(body) }, summary };
}

export const wordsSeen = (name: string, answered: AnsweredExchange, sees: (answered: AnsweredExchange) => Json): Seen =>
  seenOf(name, answered, describeBundleResult(sees)(answered));

/** Whether bundles may be sent that cost nothing. */
export const canReallySend = ({ target }: ProbeContext): boolean =>
  target.control !== undefined && mayNotSend(target) === null;

/** A bundle of an isolated project that was accepted. */
export async function ownBundle(context: ProbeContext, count = 1) {
  const project = await context.project();
  const requestSpec = bundle(await transactions(context, { count, tip: "all" }), { as: project.asker });
  return { project, requestSpec, id: accepted(await context.ask(requestSpec)) };
}

/** Makes a bundle that would be accepted but for the unspecified behaviour in question. */
export type MakeBundle = (context: ProbeContext, as: Asker) => Promise<RequestSpec>;
type Bundles = { readonly [name: string]: MakeBundle };
type SeesBundle = (answered: AnsweredExchange, project: MadeProject) => Json | Promise<Json>;

/** With control no bundle costs anything: whole bundles are sent, each by an isolated project. None elsewhere. */
export async function reallySent(
  context: ProbeContext,
  bundles: Bundles,
  sees: SeesBundle = () => "taken",
): Promise<readonly Seen[]> {
  if (!canReallySend(context)) return [];
  return inTurn(Object.entries(bundles), async ([name, make]) => {
    const project = await context.project();
    const answered = await answerToCall(context, asUndescribed(await make(context, project.asker)));
    const summary = isServed(answered) ? await sees(answered, project) : bundleAnswerText(answered);
    return seenOf(`really sent: ${name}`, answered, summary);
  });
}

interface BundleRequests {
  readonly cases: { readonly [name: string]: RequestSpec };
  readonly summary?: (answered: AnsweredExchange) => Json;
  /** Whole bundles, sent where there is control, and what those that are accepted show. */
  readonly really?: Bundles;
  readonly sees?: SeesBundle;
  readonly besides?: Observe;
}

/** As `requestProbe`, for calls about bundles. */
export const bundleRequestProbe = (id: Probe["id"], bundleRequests: BundleRequests): Probe => {
  const { cases, summary = bundleAnswerText, really = {}, sees, besides = () => Promise.resolve([]) } = bundleRequests;
  const observe: Observe = async (context) => {
    const possible = Object.entries(cases).filter(([, requestSpec]) => context.canAsk(requestSpec));
    const seen = await inTurn(possible, async ([name, requestSpec]) => {
      const answered = await answerToCall(context, requestSpec);
      return seenOf(name, answered, summary(answered));
    });
    return [...seen, ...(await reallySent(context, really, sees)), ...(await besides(context))];
  };
  return experiment(id, Object.values(cases), observe, { suffices: "any" });
};
