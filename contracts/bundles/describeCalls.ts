// How are bundles asked about where the interface leaves it open, and what is told of the answers? (§4.3, §7.2)

import type { Json } from "../../harness/core/json.ts";
import { type Asker, afresh, nameOf, type Stimulus } from "../../harness/core/stimulus.ts";
import { type Answered, masked } from "../../harness/model/fingerprint.ts";
import { experiment, type Probe, type ProbeBench, readingOf, type Seen } from "../../harness/model/probe.ts";
import type { Target } from "../../harness/target/target.ts";
import type { MadeProject } from "../../harness/transport/control.ts";
import { isRateRefusal, isServed, rpcErrorOf } from "../../harness/transport/jsonRpc.ts";
import { said } from "../jsonrpc/describeEnvelope.ts";
import { openly, seenAs } from "../shared/describeCalls.ts";
import { mayNotSend, part } from "./requests.ts";

/** Three bytes in base64, and other ones in base58: no transaction in either. */
export const nothing = "AQID";

/** `200 error -32602 "Invalid params"`: HTTP status, code and words. */
export function worded(answered: Answered): string {
  const message = rpcErrorOf(answered)?.message;
  return typeof message === "string" ? `${said(answered)} ${JSON.stringify(masked(message))}` : said(answered);
}

/** What is seen in a result; of a refusal, its code and words. */
export const inWords =
  (sees: (answered: Answered) => Json) =>
  (answered: Answered): Json =>
    isServed(answered) ? sees(answered) : worded(answered);

/** The last answer to exactly this. */
function lastTo({ all }: ProbeBench, stimulus: Stimulus): Answered | undefined {
  const last = all.findLast((one) => nameOf(one.stimulus) === nameOf(stimulus));
  return last?.answer ? { ...last, answer: last.answer } : undefined;
}

/**
 * The answer to a call. No table says with which codes calls about bundles are refused (§7.2): where one that may stand for a failure
 * of the server can't be confirmed, it is told all the same.
 */
export async function answerTo(bench: ProbeBench, stimulus: Stimulus, apart = 1): Promise<Answered> {
  try {
    return await bench.ask(stimulus);
  } catch (error) {
    const last = lastTo(bench, afresh(stimulus, bench.look * apart));
    if (last && rpcErrorOf(last) && !isRateRefusal(last)) return last;
    throw error;
  }
}

/** The same of many at once; those that weren't answered are left out. */
export async function answersAtOnce(
  bench: ProbeBench,
  stimuli: readonly Stimulus[],
  apart: number,
): Promise<readonly Answered[]> {
  await bench.atOnce(stimuli);
  return stimuli.flatMap((stimulus) => lastTo(bench, afresh(stimulus, bench.look * apart)) ?? []);
}

/** Where ids of bundles stand: by chance the same form looks like base58 or like any text. */
const ids = ["/result", "/result/value/*/bundle_id"];
const texts = ["hex", "base58", "free"];

/** What is seen in an answer, whichever bundle's id is in it. */
export function seenOf(name: string, answered: Answered, tells: Json): Seen {
  const { fingerprint } = seenAs(name, answered, tells);
  const body = Object.entries(fingerprint.body).map(
    ([path, found]) => [path, ids.includes(path) && texts.includes(found) ? "id" : found] as const,
  );
  return { fingerprint: { ...fingerprint, body: Object.fromEntries(body) }, tells };
}

/** How a bundle is put that is good but for what is open about it. */
export type Put = (target: Target, as: Asker) => Stimulus;

/** With power over the platform nothing is real: there, good bundles show what texts that can't run don't. Each is sent by a project of its own. */
export async function reallySent(
  bench: ProbeBench,
  cases: { readonly [name: string]: Put },
  tells: (answered: Answered, project: MadeProject) => Json | Promise<Json> = () => "taken",
): Promise<readonly Seen[]> {
  if (!bench.target.control || mayNotSend(bench.target) !== null) return [];
  const seen: Seen[] = [];
  for (const [name, put] of Object.entries(cases)) {
    const project = await bench.project();
    const answered = await answerTo(bench, openly(put(bench.target, project.asker)));
    seen.push(
      seenOf(`really sent: ${name}`, answered, isServed(answered) ? await tells(answered, project) : worded(answered)),
    );
  }
  return seen;
}

interface Asking {
  readonly tells?: (answered: Answered) => Json;
  /** What control adds to it. */
  readonly besides?: (bench: ProbeBench) => Promise<readonly Seen[]>;
}

/** As `asking` does it, of calls about bundles. */
export const askingOfBundles = (
  id: Probe["id"],
  cases: { readonly [name: string]: Stimulus },
  { tells = worded, besides = () => Promise.resolve([]) }: Asking = {},
): Probe =>
  experiment(
    id,
    Object.values(cases),
    async (bench) => {
      const seen: Seen[] = [];
      for (const [name, stimulus] of Object.entries(cases).filter(([, one]) => bench.canAsk(one))) {
        const answered = await answerTo(bench, stimulus);
        seen.push(seenOf(name, answered, tells(answered)));
      }
      return readingOf([...seen, ...(await besides(bench))]);
    },
    { part, suffices: "any" },
  );
