// Exchanges from recorded requests: their answers decoded and read, those of a batch apart.
import { parseTree } from "jsonc-parser";
import { canonical, type Json, parseJson, valueAt } from "../core/json.ts";
import type { RequestSpec } from "../core/requestSpec.ts";
import { decoded, largestBody_bytes, missingCoding } from "../transport/contentCoding.ts";
import { type Answer, type Exchange, type HeaderList, headerOf, textIn } from "../transport/exchange.ts";
import type { Calls, MatchedCall } from "../transport/matching.ts";
import { askerOfRequest, mutantHeader } from "../transport/recording.ts";
import { faultTexts } from "../transport/wireFault.ts";
import type { RecordedCallers } from "./callers.ts";
import { readBody } from "./readings.ts";
import { isOthers, type Recorded, type RecordedAnswer } from "./recorded.ts";

/** Answers to what the client already had, or asked a part of. */
const isPartial = (status: number): boolean => status === 206 || status === 304;

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
  const isChanged = isOthers(recorded);
  const answer = await answerOf(recorded.answer, isChanged);
  if (typeof answer === "string") return calls.map(() => answer);
  const answers = batched === null ? [answer] : batchOf(answer, calls, batched);
  const carriers = [callers.carrierOf(recorded)];
  const isParsed = "isParsed" in recorded.answer && recorded.answer.isParsed;
  const changed = isChanged ? ({ recordedAs: isParsed ? "json" : "text" } as const) : {};
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
    const received = { answer: own, fault: null, sentAt_ms, latency_ms, ...changed };
    return { number: first + nth, requestSpec, ...asked, sent, ...received };
  });
}

/** Without details, which may hold an address with a key. Recorders other than ours have words of their own. */
function faultIn(text: string): string {
  const kind = /^[A-Za-z][\w ]{0,30}(::\w{1,40})?(?=$|: )/.exec(text)?.[0] ?? "other";
  return Object.hasOwn(faultTexts, kind) ? faultTexts[kind as keyof typeof faultTexts] : kind;
}

/** @param isChanged whether a recorder of others may have changed it: its body is taken for what it is */
async function answerOf(recorded: Recorded["answer"], isChanged: boolean): Promise<Answer | string> {
  if ("fault" in recorded) return `no complete answer: ${faultIn(recorded.fault)}`;
  const { status, body } = recorded;
  if (status < 200) return `an interim answer (HTTP ${status})`;
  if (isPartial(status)) return `an answer that needs what the client had before (HTTP ${status})`;
  if (body === null) return "an answer whose body isn't recorded completely";
  const coding = body.length > 0 ? headerOf(recorded, "content-encoding") : undefined;
  const isText = typeof body === "string";
  const bytes = isText ? null : await decoded(body, coding ?? "", largestBody_bytes).catch(() => null);
  const as = isText ? textOf(body) : textIn(bytes ?? body);
  const read = isChanged
    ? { ...(await readBody(bytes ?? body)), hasBom: false, invalidUtf8: false }
    : { ...as, json: parseJson(as.text) };
  // Some recorders undo the compression that a header still names, others write compressed bytes as a text.
  if (coding !== undefined && read.json === null && bytes === null) {
    const missing = isText ? null : missingCoding(coding);
    const shown = /^[\w, -]{1,30}$/.exec(coding)?.[0] ?? "unknown";
    return missing === null ? `an answer that can't be decompressed (${shown})` : `an answer in ${missing}`;
  }
  const headers = (isChanged ? linesIn(recorded) : recorded.headers).filter(([name]) => name !== mutantHeader);
  return { status, headers, ...read };
}

const noTypes = ["", "x-unknown"];

/** What a line says, once where it is joined from lines that say the same. */
function onceIn(line: string): string {
  const [first = "", ...others] = line.trim().split(", ");
  return others.every((other) => other === first) ? first : line;
}

/** The lines of a head, each once: recorders list some twice, join them, and make up a type where there is none. */
function linesIn({ headers }: RecordedAnswer): HeaderList {
  const lines = headers.flatMap(([name, value]) => value.split(/\r?\n/).map((line) => [name, onceIn(line)] as const));
  return lines.filter(
    ([name, value], nth) =>
      lines.findIndex((line) => line[0] === name && line[1] === value) === nth &&
      (name !== "content-type" || !noTypes.includes(value)),
  );
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
