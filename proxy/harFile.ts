// A HAR 1.2 file of what passed, written as it comes, without keys.
import { isUtf8 } from "node:buffer";
import { appendFileSync, chmodSync, statSync, writeFileSync } from "node:fs";
import type { Json } from "../harness/core/json.ts";
import { type Redactor, redactedIn } from "../harness/core/secret.ts";
import type { Recorded, RecordedAnswer } from "../harness/recordings/recorded.ts";
import { decoded, largestBody_bytes, missingCoding } from "../harness/transport/contentCoding.ts";
import { headerOf } from "../harness/transport/exchange.ts";

/**
 * Where the file can't be written, `failure` says why and nothing more is written; it never throws.
 * @param version of Assay
 */
export function harFile(path: string, redact: Redactor, version: string) {
  let before = "";
  let failure = null as string | null;
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
      write(`${before}\n${JSON.stringify(redactedIn(await entryOf(recorded, redact), redact))}`);
      before = ",";
    },
    failure: () => failure,
    close: (): void => write("\n]}}\n"),
  };
}

async function entryOf(recorded: Recorded, redact: Redactor): Promise<Json> {
  const { method, url, headers, body, answer, sentAt_ms, latency_ms } = recorded;
  const time = Math.round(latency_ms * 1000) / 1000;
  const { status, ...answered } = "status" in answer ? answer : { status: 0, headers: [], body: null };
  return {
    startedDateTime: new Date(sentAt_ms).toISOString(),
    time,
    request: {
      method,
      url,
      ...unsaid,
      headers: named(headers),
      queryString: named(new URLSearchParams(/\?([^#]*)/.exec(url)?.[1])),
      bodySize: body === null ? 0 : Buffer.byteLength(body),
      ...(body !== null && { postData: { mimeType: headerOf({ headers }, "content-type") ?? "", text: body } }),
    },
    response: {
      status,
      statusText: "",
      ...unsaid,
      headers: named(answered.headers),
      content: await contentOf(answered, redact),
      redirectURL: headerOf(answered, "location") ?? "",
      bodySize: -1,
      // As browsers write it.
      ...("fault" in answer && { _error: answer.fault }),
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
  };
}

/** What HAR asks for, and neither side says. */
const unsaid = { httpVersion: "HTTP/1.1", cookies: [], headersSize: -1 };

const named = (pairs: Iterable<readonly [string, string]>) => [...pairs].map(([name, value]) => ({ name, value }));

/** Decompressed, as HAR has it, and since a key can't be seen in what is compressed. */
async function contentOf(answer: Pick<RecordedAnswer, "headers" | "body">, redact: Redactor): Promise<Json> {
  const mimeType = headerOf(answer, "content-type") ?? "";
  if (answer.body === null) return { size: -1, mimeType, comment: "the body wasn't recorded" };
  const body = Buffer.from(answer.body);
  const coding = (body.length > 0 && headerOf(answer, "content-encoding")) || "";
  const bytes = await decoded(body, coding, largestBody_bytes).then(Buffer.from, () => null);
  if (bytes === null) {
    const missing = missingCoding(coding);
    const why = missing === null ? "can't be decompressed" : `is in ${missing}`;
    return { size: -1, mimeType, comment: `the body ${why}, and isn't recorded` };
  }
  const size = bytes.length;
  if (isUtf8(bytes)) return { size, mimeType, text: bytes.toString() };
  const shown = Buffer.from(redact(bytes.toString("latin1")), "latin1");
  return { size, mimeType, text: shown.toString("base64"), encoding: "base64" };
}
