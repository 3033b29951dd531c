// How are bundles asked about where the interface leaves it open, and what is told of the answers? (§4.3, §7.2)

import type { Json } from "../../harness/core/json.ts";
import { type Asker, nameOf, type Stimulus } from "../../harness/core/stimulus.ts";
import { type Answered, masked } from "../../harness/model/fingerprint.ts";
import { experiment, type Probe, type ProbeContext, readingOf, type Seen } from "../../harness/model/probe.ts";
import type { Target } from "../../harness/target/target.ts";
import { isRateRefusal, isServed, rpcErrorOf } from "../../harness/transport/answers.ts";
import type { MadeProject } from "../../harness/transport/control.ts";
import { describeEnvelope } from "../jsonrpc/describeEnvelope.ts";
import { seenAs, unjudged } from "../shared/describeCalls.ts";
import { feature, mayNotSend } from "./requests.ts";

/** Three bytes in base64, and other ones in base58: no transaction in either. */
export const nothing = "AQID";

/** `200 error -32602 "Invalid params"`: HTTP status, code and words. */
export function worded(answered: Answered): string {
  const message = rpcErrorOf(answered)?.message;
  return typeof message === "string"
    ? `${describeEnvelope(answered)} ${JSON.stringify(masked(message))}`
    : describeEnvelope(answered);
}

/** What is seen in a result; of a refusal, its code and words. */
export const inWords =
  (sees: (answered: Answered) => Json) =>
  (answered: Answered): Json =>
    isServed(answered) ? sees(answered) : worded(answered);

/** The last answer to exactly this. */
function lastTo({ all }: ProbeContext, stimulus: Stimulus): Answered | undefined {
  const last = all.findLast((one) => nameOf(one.stimulus) === nameOf(stimulus));
  return last?.answer ? { ...last, answer: last.answer } : undefined;
}

/**
 * The answer to a call. No table says with which codes calls about bundles are refused (§7.2): where one that may stand for a failure
 * of the server can't be confirmed, it is told all the same.
 */
export async function answerTo(context: ProbeContext, stimulus: Stimulus): Promise<Answered> {
  try {
    return await context.ask(stimulus);
  } catch (error) {
    const last = lastTo(context, context.inPass(stimulus));
    if (last && rpcErrorOf(last) && !isRateRefusal(last)) return last;
    throw error;
  }
}

/** The same of many at once; those that weren't answered are left out. */
export async function answersAtOnce(context: ProbeContext, stimuli: readonly Stimulus[]): Promise<readonly Answered[]> {
  await context.atOnce(stimuli);
  return stimuli.flatMap((stimulus) => lastTo(context, context.inPass(stimulus)) ?? []);
}

/** Where ids of bundles stand: by chance the same form looks like base58 or like any text. */
const ids = ["/result", "/result/value/*/bundle_id"];
const texts = ["hex", "base58", "free"];

/** What is seen in an answer, whichever bundle's id is in it. */
export function seenOf(name: string, answered: Answered, summary: Json): Seen {
  const { fingerprint } = seenAs(name, answered, summary);
  const body = Object.entries(fingerprint.body).map(
    ([path, found]) => [path, ids.includes(path) && texts.includes(found) ? "id" : found] as const,
  );
  return { fingerprint: { ...fingerprint, body: Object.fromEntries(body) }, summary };
}

/** How a bundle is put that is good but for what is open about it. */
export type Put = (target: Target, as: Asker) => Stimulus;

/** With power over the platform nothing is real: there, good bundles show what texts that can't run don't. Each is sent by a project of its own. */
export async function reallySent(
  context: ProbeContext,
  cases: { readonly [name: string]: Put },
  summary: (answered: Answered, project: MadeProject) => Json | Promise<Json> = () => "taken",
): Promise<readonly Seen[]> {
  if (!context.target.control || mayNotSend(context.target) !== null) return [];
  const seen: Seen[] = [];
  for (const [name, put] of Object.entries(cases)) {
    const project = await context.project();
    const answered = await answerTo(context, unjudged(put(context.target, project.asker)));
    seen.push(
      seenOf(
        `really sent: ${name}`,
        answered,
        isServed(answered) ? await summary(answered, project) : worded(answered),
      ),
    );
  }
  return seen;
}

interface RequestProbeOptions {
  readonly summary?: (answered: Answered) => Json;
  /** What control adds to it. */
  readonly besides?: (context: ProbeContext) => Promise<readonly Seen[]>;
}

/** As `asking` does it, of calls about bundles. */
export const bundleRequestProbe = (
  id: Probe["id"],
  cases: { readonly [name: string]: Stimulus },
  { summary = worded, besides = () => Promise.resolve([]) }: RequestProbeOptions = {},
): Probe =>
  experiment(
    id,
    Object.values(cases),
    async (context) => {
      const seen: Seen[] = [];
      for (const [name, stimulus] of Object.entries(cases).filter(([, one]) => context.canAsk(one))) {
        const answered = await answerTo(context, stimulus);
        seen.push(seenOf(name, answered, summary(answered)));
      }
      return readingOf([...seen, ...(await besides(context))]);
    },
    { feature, suffices: "any" },
  );
