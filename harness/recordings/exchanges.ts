// Exchanges from recorded requests: their answers decoded and read, those of a batch apart.
import { parseTree } from "jsonc-parser";
import { canonical, type Json, parseJson, valueAt } from "../core/json.ts";
import type { RequestSpec } from "../core/requestSpec.ts";
import { decoded, missingCoding } from "../transport/contentCoding.ts";
import { type Answer, type Exchange, headerOf, textIn } from "../transport/exchange.ts";
import type { Calls, MatchedCall } from "../transport/matching.ts";
import { askerOfRequest, mutantHeader } from "../transport/recording.ts";
import { faultTexts } from "../transport/wireFault.ts";
import type { RecordedCallers } from "./callers.ts";
import type { Recorded } from "./recorded.ts";

const largestBody_bytes = 32 * 1024 * 1024;

/** Answers to what the client already had, or asked a part of. */
const isPartial = (status: number): boolean => status < 200 || status === 206 || status === 304;

/**
 * The exchanges of a request that makes calls, in clear; those of a batch whose answers can be distinguished.
 * @param first the number of the first
 * @returns also why others can't be judged
 */
export async function recordedExchanges(
  recorded: Recorded,
  { calls, batched }: Calls,
  callers: RecordedCallers,
  first: number,
): Promise<readonly (Exchange | string)[]> {
  const { method, url, headers, sentAt_ms, latency_ms } = recorded;
  const answer = await answerOf(recorded.answer);
  if (typeof answer === "string") return calls.map(() => answer);
  const answers = batched === null ? [answer] : batchOf(answer, calls, batched);
  const carriers = [callers.carrierOf(recorded)];
  return calls.map(({ operation, path, ...request }, nth): Exchange | string => {
    const own = answers[nth] ?? "a request of a batch without an answer of its own";
    if (typeof own === "string") return own;
    const requestSpec: RequestSpec = {
      operation: operation.id,
      api: operation.api,
      method,
      path,
      carriers,
      ...request,
    };
    const body = batched === null ? recorded.body : JSON.stringify(request.json);
    const sent = { method, url, headers, ...(body === null ? {} : { body }), ...request };
    const asked = askerOfRequest(callers.target, requestSpec);
    return { number: first + nth, requestSpec, ...asked, sent, answer: own, fault: null, sentAt_ms, latency_ms };
  });
}

/** Without details, which may hold an address with a key. Recorders other than ours have words of their own. */
function faultIn(text: string): string {
  const kind = /^[A-Za-z][\w ]{0,30}(::\w{1,40})?(?=$|: )/.exec(text)?.[0] ?? "other";
  return Object.hasOwn(faultTexts, kind) ? faultTexts[kind as keyof typeof faultTexts] : kind;
}

async function answerOf(recorded: Recorded["answer"]): Promise<Answer | string> {
  if ("fault" in recorded) return `no complete answer: ${faultIn(recorded.fault)}`;
  const { status, headers, body } = recorded;
  if (isPartial(status)) return `an answer that needs what the client had before (HTTP ${status})`;
  if (body === null) return "an answer whose body isn't recorded completely";
  const coding = body.length > 0 ? headerOf(recorded, "content-encoding") : undefined;
  const isText = typeof body === "string";
  const bytes = isText ? null : await decoded(body, coding ?? "", largestBody_bytes).catch(() => null);
  const read = isText ? textOf(body) : textIn(bytes ?? body);
  const json = parseJson(read.text);
  // Some recorders undo the compression that a header still names, others write compressed bytes as a text.
  if (coding !== undefined && json === null && bytes === null) {
    const missing = isText ? null : missingCoding(coding);
    return missing === null ? "an answer that can't be decompressed" : `an answer in ${missing}`;
  }
  return { status, headers: headers.filter(([name]) => name !== mutantHeader), ...read, json };
}

const textOf = (text: string) => ({ text, hasBom: text.startsWith("\uFEFF"), invalidUtf8: false });

export const idOf = (json: Json | undefined): string => canonical(valueAt(json, "/id"));

/** The answer to each call of a batch, by its id; a single one that is left over belongs to the call that is. */
function batchOf(
  answer: Answer,
  calls: readonly MatchedCall[],
  batched: number,
): readonly (Answer | string | undefined)[] {
  if (!Array.isArray(answer.json?.value)) return calls.map(() => "a batch that was answered as a whole");
  const answers = (parseTree(answer.text)?.children ?? []).map(({ offset, length }): Answer => {
    const text = answer.text.slice(offset, offset + length);
    return { ...answer, text, json: parseJson(text) };
  });
  const ids = calls.map(({ json }) => idOf(json));
  const found = ids.map((id) => {
    const alike = answers.filter(({ json }) => idOf(json?.value) === id);
    return alike.length === 1 && ids.indexOf(id) === ids.lastIndexOf(id) ? alike[0] : undefined;
  });
  const rest = answers.filter((one) => !found.includes(one));
  // Else what is left may be the answer to a request of others.
  const isOneLeft = rest.length === 1 && answers.length === batched;
  return found.map((one) => one ?? (isOneLeft ? rest[0] : undefined));
}
