// Workloads made by hand: questions with shares in their turns, and recordings of another vendor's traffic.
import type { RecordedEntry } from "../../harness/recordings/recorded.ts";
import { namedQuestions, type PolledQuestion } from "../../panel/questions.ts";
import { RecordedCalls } from "../../panel/recordedCalls.ts";
import { mostCallsIn, turnsOf } from "../../panel/turns.ts";
import { freshWorld } from "../../proof/inProcess.ts";

/** Questions about made-up owners, with shares. */
export const sharing = (...shares: readonly number[]): readonly PolledQuestion[] =>
  shares.map((share, nth) => {
    const [question] = namedQuestions([{ getTokenAccounts: { owner: `o${nth}` } }]);
    if (!question) throw new Error("no question");
    return { ...question, share };
  });
export const healthSharing = (share: number): readonly PolledQuestion[] =>
  namedQuestions([{ getIndexerHealth: null }]).map((question) => ({ ...question, share }));

/** How often each was polled in so many rounds, in their order. */
export function countsIn(questions: readonly PolledQuestion[], rounds: number, seed = 1): readonly number[] {
  const turns = turnsOf(questions, seed);
  const polls = Array.from({ length: rounds }, (_, round) => turns(round)).flat();
  return questions.map(({ id }) => polls.filter((poll) => poll.id === id).length);
}

/** At most so many calls of the one operation of these, as is said beforehand. */
export const callsAnnounced = (questions: readonly PolledQuestion[], rounds: number): number =>
  mostCallsIn(questions, "getTokenAccounts", rounds);

/** The ids of the first round. */
export const orderOf = (questions: readonly PolledQuestion[], seed: number): readonly string[] =>
  turnsOf(questions, seed)(0).map(({ id }) => id);

/** Without shares. */
export const unshared = namedQuestions([{ getIndexerHealth: null }, { getTokenAccounts: { owner: "o" } }]);

/** Of the recording. */
export const recordedKey = "sk-live-Zk4yTQ9pLm2xWv7cRb8N";

export const entryOf = (
  method: string,
  url: string,
  body: unknown = null,
  headers: [string, string][] = [],
): RecordedEntry => ({
  method,
  url,
  headers,
  body: body === null ? null : JSON.stringify(body),
  answer: { fault: "none was recorded" },
  sentAt_ms: 0,
  latency_ms: 1,
});
export const rpcCall = (method: string, params?: unknown, id = 1) => ({ jsonrpc: "2.0", id, method, params });
/** Of another vendor, whose key is in the path. */
export const sent = (
  method: string,
  params?: unknown,
  url = `https://rpc.others.example/v2/${recordedKey}`,
): RecordedEntry => entryOf("POST", url, rpcCall(method, params));
export const got = (path: string, headers: [string, string][] = []): RecordedEntry =>
  entryOf("GET", `https://api.others.example/x${path}`, null, headers);

export function callsIn(...entries: readonly RecordedEntry[]) {
  const recorded = new RecordedCalls(freshWorld("asking").targetAt("http://a.example"));
  for (const entry of entries) recorded.add(entry);
  const { calls, left } = recorded.workload;
  const asked = calls.flatMap(({ operation, params }) =>
    (params ?? []).map(({ value, weight }) => [operation, value, weight] as const),
  );
  return { recorded, calls, asked, left };
}
export const times = (count: number, entry: RecordedEntry): readonly RecordedEntry[] =>
  Array<RecordedEntry>(count).fill(entry);
