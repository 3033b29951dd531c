// Exchanges from recorded requests: their answers decoded and read, those of a batch apart.
import { parseTree } from "jsonc-parser";
import { canonical, isObject, type Json, valueAt } from "../core/json.ts";
import type { Carrier, Stimulus } from "../core/stimulus.ts";
import type { Target } from "../target/target.ts";
import { decoded } from "../transport/contentCoding.ts";
import { type Answer, type Exchange, headerOf, textIn } from "../transport/exchange.ts";
import { askedBy, jsonOf, mutantHeader } from "../transport/recording.ts";
import { WireFault } from "../transport/wireFault.ts";
import type { Call, Calls } from "./matching.ts";
import type { Recorded } from "./recorded.ts";

/** Why an answer isn't judged, the same words for all alike. */
const unreadable = {
  body: "an answer whose body isn't recorded, or not whole",
  coding: "an answer whose compression can't be undone",
  nesting: "an answer nested more deeply than we can read",
  batch: "a batch that was answered as a whole",
  item: "a request of a batch without an answer of its own",
} as const;

const largestBody_bytes = 32 * 1024 * 1024;

/** Answers to what the client already had, or asked a part of. */
const isPartial = (status: number): boolean => status < 200 || status === 206 || status === 304;

interface Sender {
  readonly target: Target;
  readonly carrier: Carrier;
  /** Of the first exchange. */
  readonly number: number;
}

/**
 * The exchanges of a request that makes calls, in clear; those of a batch whose answers can be distinguished.
 * @returns also why others can't be judged
 */
export async function exchangesOf(
  recorded: Recorded,
  { calls, batched }: Calls,
  sender: Sender,
): Promise<readonly (Exchange | string)[]> {
  const answer = await answerOf(recorded.answer);
  if (typeof answer === "string") return calls.map(() => answer);
  const answers = batched === null ? [answer] : batchOf(answer, calls, batched);
  return calls.map((call, nth) => {
    const own = answers[nth] ?? unreadable.item;
    return typeof own === "string" ? own : exchangeOf(recorded, call, { ...sender, number: sender.number + nth }, own);
  });
}

function exchangeOf(
  { method, url, headers, body, sentAt_ms, latency_ms }: Recorded,
  { operation, path, json }: Call,
  { target, carrier, number }: Sender,
  answer: Answer,
): Exchange {
  const { id, api } = operation;
  const request = json === undefined ? {} : { json };
  const text = json === undefined ? body : JSON.stringify(json);
  const stimulus: Stimulus = { operation: id, api, method, path, carriers: [carrier], ...request };
  const sent = { method, url, headers, ...(text === null ? {} : { body: text }), ...request };
  return { number, stimulus, ...askedBy(target, stimulus), sent, answer, fault: null, sentAt_ms, latency_ms };
}

/** Without details, which may hold an address with a key. */
const faultIn = (text: string): string => /^[A-Za-z][\w ]{0,30}(::\w{1,40})?(?=$|: )/.exec(text)?.[0] ?? "an error";

async function answerOf(recorded: Recorded["answer"]): Promise<Answer | string> {
  if ("fault" in recorded) return `no whole answer: ${faultIn(recorded.fault)}`;
  const { status, headers, body } = recorded;
  if (isPartial(status)) return `an answer that needs what the client had before (HTTP ${status})`;
  if (body === null) return unreadable.body;
  const coding = headerOf(recorded, "content-encoding");
  const bytes = typeof body === "string" ? null : await undone(coding, body);
  const read = typeof body === "string" ? textOf(body) : textIn(bytes ?? body);
  try {
    const json = jsonOf(read.text);
    // Some recorders undo the compression that a header still names, others write compressed bytes as a text.
    if (coding !== undefined && json === null && bytes === null) return unreadable.coding;
    return { status, headers: headers.filter(([name]) => name !== mutantHeader), ...read, json };
  } catch (error) {
    if (error instanceof WireFault) return unreadable.nesting;
    throw error;
  }
}

/** Null where it can't be undone. */
const undone = (coding: string | undefined, body: Uint8Array): Promise<Uint8Array | null> | Uint8Array =>
  coding === undefined || body.length === 0 ? body : decoded(body, coding, largestBody_bytes).catch(() => null);

const textOf = (text: string) => ({ text, hasBom: text.startsWith("\uFEFF"), invalidUtf8: false });

/** The answer to each call of a batch, by its id; a single one that is left over belongs to the call that is. */
function batchOf(answer: Answer, calls: readonly Call[], batched: number): readonly (Answer | string)[] {
  const items = Array.isArray(answer.json?.value) ? (parseTree(answer.text)?.children ?? []) : null;
  if (items === null) return calls.map(() => unreadable.batch);
  const answers = items.map(({ offset, length }): Answer => {
    const text = answer.text.slice(offset, offset + length);
    return { ...answer, text, json: jsonOf(text) };
  });
  const idOf = (value: Json | undefined): string => (isObject(value) ? canonical(valueAt(value, "/id")) : "");
  const ids = calls.map(({ json }) => idOf(json));
  const found = ids.map((id) => {
    const alike = answers.filter(({ json }) => idOf(json?.value) === id);
    return ids.filter((other) => other === id).length === 1 && alike.length === 1 ? alike[0] : undefined;
  });
  const rest = answers.filter((one) => !found.includes(one));
  const isOneLeft = rest.length === 1 && found.filter((one) => one === undefined).length === 1;
  // What is left may be the answer to a request of others.
  const left = isOneLeft && answers.length === batched && calls.length === batched ? rest[0] : undefined;
  return found.map((one) => one ?? left ?? unreadable.item);
}
