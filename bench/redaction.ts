// Benchmark: hiding keys in texts that are hard to read, in time that grows with their length
import { wholeSuite } from "../cli/suite.ts";
import { placeholder } from "../cli/target.ts";
import { redactorOf, Secret } from "../harness/core/secret.ts";
import { RecordedCallers } from "../harness/recordings/callers.ts";
import { RecordingJudge } from "../harness/recordings/judge.ts";
import type { Recorded } from "../harness/recordings/recorded.ts";
import { freshWorld } from "../proof/inProcess.ts";
import { growthOf } from "./growth.ts";
import type { Ratio } from "./ratio.ts";

const key = "0c7f8f0e-9b1d-4f0a-8c39-5f2f7a1be6d4";
const host = "https://acme.example";

/** Beginnings of spellings that never end, or nearly do. */
const pieces = ["\\", "%25", "%41", "&#65;", "&a", "&#0", "YWFh", "4a", " , ", key.slice(0, 7), "\\u0025%2541"];

/** An exchange that somebody else recorded, with a key of so many letters. */
const recordedWith = (letters: number): Recorded => ({
  method: "POST",
  url: `${host}/`,
  headers: [
    ["content-type", "application/json"],
    ["x-api-key", `${"Aa".repeat(letters / 2)}1`],
  ],
  body: '{"jsonrpc":"2.0","id":1,"method":"getIndexerHealth"}',
  answer: {
    status: 200,
    headers: [["content-type", "application/json"]],
    body: '{"jsonrpc":"2.0","id":1,"result":"ok"}',
  },
  sentAt_ms: Date.parse("2026-01-15T10:00:00Z"),
  latency_ms: 5,
});

export async function measureRedaction(): Promise<readonly Ratio[]> {
  const redact = redactorOf([new Secret("paid", key)]);
  const ratios: Ratio[] = [];
  for (const piece of pieces)
    ratios.push(
      await growthOf(`redacting repeated ${JSON.stringify(piece)}`, { short: 20_000, long: 320_000 }, 100, (count) => {
        const text = piece.repeat(count);
        return () => redact(text);
      }),
    );
  const target = freshWorld("not used").targetAt(host);
  const judging = (letters: number) => async (): Promise<void> => {
    const callers = new RecordedCallers(target, new Map(), placeholder);
    await new RecordingJudge({ callers, laws: wholeSuite.laws, impliedFails: true, onExchange: () => undefined }).add(
      recordedWith(letters),
    );
  };
  // Of a long key only some hundred letters are looked for.
  const lengths = { short: 400, long: 20_000 };
  return [...ratios, await growthOf("judging a recording with a key of many letters", lengths, 10, judging)];
}
