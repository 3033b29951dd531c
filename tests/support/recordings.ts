// Recordings for tests: made by hand, or what a small client exchanged with the reference.
import { wholeSuite } from "../../cli/suite.ts";
import { placeholder } from "../../cli/target.ts";
import { targetForm } from "../../contracts/targets.ts";
import type { RequirementId } from "../../harness/core/interface.ts";
import { type GivenKeys, RecordedCallers } from "../../harness/recordings/callers.ts";
import { entriesOfHar } from "../../harness/recordings/har.ts";
import { RecordingJudge } from "../../harness/recordings/judge.ts";
import type { Recorded, RecordedAnswer, RecordedEntry } from "../../harness/recordings/recorded.ts";
import type { Target } from "../../harness/targets/target.ts";
import { readTarget } from "../../harness/targets/targetFile.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { demo, demoRoles } from "../../reference/demo.ts";
import { root } from "./assay.ts";

export const host = "https://acme.example";
/** When the reference's clock and all recordings begin. */
export const began_ms = Date.parse("2026-01-15T10:00:00Z");

export interface World {
  readonly target: Target;
  readonly world: ReturnType<typeof demo>["world"];
  readonly keys: { readonly [role: string]: string };
  readonly ids: { readonly [role: string]: string };
  /** What the target file reads. */
  readonly environment: { readonly [name: string]: string };
}

/** The demo projects on a running clock. @param known roles whose keys the environment sets; all by default */
export function worldAt(base = host, known?: readonly string[], starts_ms = began_ms): World {
  const { world, keys, ids } = demo(starts_ms);
  const environment = Object.fromEntries(
    Object.entries(demoRoles).map(([role, name]) => [
      name,
      !known || known.includes(role) ? keys[role as keyof typeof keys] : placeholder,
    ]),
  );
  const embeddedBases = { admin: base, api: base, rpc: base };
  const target = readTarget(targetForm, `${root}/targets/reference.yaml`, environment, { embeddedBases });
  return { target, world, keys, ids, environment };
}

/** A call of getIndexerHealth that is served, but for what is given. */
export function health(given: Partial<Recorded> & { readonly id?: unknown; readonly text?: string } = {}): Recorded {
  const { id = 1, text, ...change } = given;
  return {
    method: "POST",
    url: `${host}/`,
    headers: [["content-type", "application/json"]],
    body: JSON.stringify({ jsonrpc: "2.0", id, method: "getIndexerHealth" }),
    answer: answered(text ?? JSON.stringify({ jsonrpc: "2.0", id, result: "ok" })),
    sentAt_ms: began_ms,
    latency_ms: 5,
    ...change,
  };
}

export const answered = (
  body: RecordedAnswer["body"],
  status = 200,
  more: RecordedAnswer["headers"] = [],
): RecordedAnswer => ({ status, headers: [["content-type", "application/json"], ...more], body });

export interface JudgedRecording {
  /** Requirements that are broken, in the order of their ids. */
  readonly broken: readonly RequirementId[];
  readonly report: RecordingJudge["report"];
  /** By reason. */
  readonly unjudged: { readonly [reason: string]: number };
  /** What is written. */
  readonly kept: readonly Exchange[];
  readonly judge: RecordingJudge;
}

/** Judges entries as `assay judge` does. */
export async function judged(
  entries: Iterable<RecordedEntry> | AsyncIterable<RecordedEntry>,
  target: Target = worldAt().target,
  given: GivenKeys = new Map(),
): Promise<JudgedRecording> {
  const kept: Exchange[] = [];
  const callers = new RecordedCallers(target, given, placeholder);
  const onExchange = (exchange: Exchange): unknown => kept.push(exchange);
  const judge = new RecordingJudge({ callers, laws: wholeSuite.laws, impliedFails: true, onExchange });
  for await (const entry of entries) await judge.add(entry);
  const { report } = judge;
  const unjudged = Object.fromEntries(report.unjudged.map(({ reason, exchanges }) => [reason, exchanges]));
  const broken = report.broken.map(({ id }) => id).sort();
  return { broken, report, unjudged, kept, judge };
}

/** A request as a client sends it, and its answer as it came. */
export interface Exchanged {
  readonly method: string;
  readonly url: string;
  readonly headers: Recorded["headers"];
  readonly body?: string;
  readonly at_ms: number;
  readonly status: number;
  readonly answerHeaders: Recorded["headers"];
  readonly text: string;
}

const pairs = (headers: Recorded["headers"]) => headers.map(([name, value]) => ({ name, value }));

/** One entry of a HAR. @param content instead of that of the text */
export const harEntry = (
  { method, url, headers, body, at_ms, status, answerHeaders, text }: Exchanged,
  content: object = { size: Buffer.byteLength(text), mimeType: "application/json", text },
) => ({
  startedDateTime: new Date(at_ms).toISOString(),
  time: 5,
  request: {
    method,
    url,
    httpVersion: "HTTP/1.1",
    headers: pairs(headers),
    ...(body === undefined ? {} : { postData: { mimeType: "application/json", text: body } }),
  },
  response: { status, statusText: "", headers: pairs(answerHeaders), content },
});

export const harOf = (entries: readonly unknown[]): string =>
  JSON.stringify({ log: { version: "1.2", creator: { name: "tests", version: "1" }, entries } });

/** All of what comes in turn. */
export async function listed<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** The entries of a HAR. @param end receives how it ended */
export const entriesIn = (har: string, end = { hasList: false, isWhole: false }): Promise<readonly RecordedEntry[]> =>
  listed(entriesOfHar([Buffer.from(har)] as unknown as AsyncIterable<Buffer>, end));
