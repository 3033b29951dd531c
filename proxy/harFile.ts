// A HAR 1.2 file of what passed, written as it comes, without keys.
import { isUtf8 } from "node:buffer";
import { appendFileSync, chmodSync, statSync, writeFileSync } from "node:fs";
import type { Json } from "../harness/core/json.ts";
import { type Redactor, redactedIn } from "../harness/core/secret.ts";
import type { Recorded, RecordedAnswer } from "../harness/recordings/recorded.ts";
import { decoded } from "../harness/transport/contentCoding.ts";
import { type HeaderList, headerOf } from "../harness/transport/exchange.ts";

const largestBody_bytes = 32 * 1024 * 1024;

/**
 * Where the file can't be written, `failure` says why and nothing more is written; it never throws.
 * @param version of Assay
 */
export function harFile(path: string, redact: Redactor, version: string) {
  let [entries, failure] = [0, null as string | null];
  const write = (text: string, put = appendFileSync): void => {
    try {
      if (failure === null) put(path, text, { mode: 0o600 });
    } catch (error) {
      failure = (error as Error).message;
    }
  };
  write(`{"log":{"version":"1.2","creator":${JSON.stringify({ name: "Assay", version })},"entries":[`, writeFileSync);
  // Where it was there before, others may have been allowed to read it.
  if (failure === null && statSync(path).isFile()) chmodSync(path, 0o600);
  return {
    add: async (recorded: Recorded): Promise<void> => {
      const entry = failure === null ? redactedIn(await entryOf(recorded, redact), redact) : null;
      write(`${entries > 0 ? "," : ""}\n${JSON.stringify(entry)}`);
      entries += 1;
    },
    failure: () => failure,
    close: (): void => write("\n]}}\n"),
  };
}

async function entryOf(recorded: Recorded, redact: Redactor): Promise<Json> {
  const { method, url, headers, body, answer, sentAt_ms, latency_ms } = recorded;
  const time = Math.round(latency_ms * 1000) / 1000;
  const whole = "status" in answer;
  return {
    startedDateTime: new Date(sentAt_ms).toISOString(),
    time,
    request: {
      method,
      url,
      ...common(headers),
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      bodySize: body === null ? 0 : Buffer.byteLength(body),
      ...(body === null ? {} : { postData: { mimeType: headerOf({ headers }, "content-type") ?? "", text: body } }),
    },
    response: {
      status: whole ? answer.status : 0,
      statusText: "",
      ...common(whole ? answer.headers : []),
      content: whole ? await contentOf(answer, redact) : { size: 0, mimeType: "x-unknown" },
      redirectURL: whole ? (headerOf(answer, "location") ?? "") : "",
      bodySize: -1,
      // As browsers write it.
      ...(whole ? {} : { _error: answer.fault }),
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
  };
}

const common = (headers: HeaderList) => ({
  httpVersion: "HTTP/1.1",
  cookies: [],
  headers: headers.map(([name, value]) => ({ name, value })),
  headersSize: -1,
});

/** Decompressed, as HAR has it, and since a key can't be seen in what is compressed. */
async function contentOf(answer: RecordedAnswer, redact: Redactor): Promise<Json> {
  const { body } = answer;
  const mimeType = headerOf(answer, "content-type") ?? "";
  if (body === null) return { size: -1, mimeType, comment: "the body wasn't recorded" };
  if (typeof body === "string") return { size: Buffer.byteLength(body), mimeType, text: body };
  const coding = body.length > 0 ? headerOf(answer, "content-encoding") : undefined;
  const bytes = await decoded(body, coding ?? "", largestBody_bytes).catch(() => null);
  if (bytes === null) return { size: -1, mimeType, comment: "the body can't be decompressed, and isn't recorded" };
  const size = bytes.length;
  if (isUtf8(bytes)) return { size, mimeType, text: Buffer.from(bytes).toString() };
  const shown = Buffer.from(redact(Buffer.from(bytes).toString("latin1")), "latin1");
  return { size, mimeType, text: shown.toString("base64"), encoding: "base64" };
}
