// What recorders make of the same exchanges: files as their exports and logs are.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { emptyFolder } from "./folders.ts";
import { type Exchanged, harEntry, harOf } from "./recordings.ts";
import { zipOf } from "./zip.ts";

type Files = { readonly [name: string]: string | Buffer };

export interface RecordedForm {
  /** What `--mapping` names; none where the file says it itself. */
  readonly form?: string;
  /** Of requests and of answers. */
  readonly lacksHeaders?: true;
  /** The files that a recorder leaves; the first is judged. */
  readonly files: (exchanged: readonly Exchanged[]) => Files;
}

type HarEntry = ReturnType<typeof harEntry>;

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const lines = (list: readonly unknown[]): string => list.map((one) => `${JSON.stringify(one)}\n`).join("");
const isoOf = (ms: number): string => new Date(ms).toISOString();
const mapOf = (pairs: Exchanged["headers"]) => Object.fromEntries(pairs);
const pathOf = (url: string): string => url.slice(new URL(url).origin.length);
const names = (pairs: Exchanged["headers"], as: "name" | "key") =>
  pairs.map(([name, value]) => ({ [as]: name, value }));

/** A HAR whose entries are changed as a recorder writes them. */
const har =
  (changed: (entry: HarEntry, one: Exchanged) => unknown, written = (text: string): string | Buffer => text) =>
  (exchanged: readonly Exchanged[]): Files => ({
    "traffic.har": written(harOf(exchanged.map((one) => changed(harEntry(one), one)))),
  });

const withPost = (entry: HarEntry, { body }: Exchanged, post: (text: string) => object) => ({
  ...entry,
  request: { ...entry.request, ...(body === undefined ? {} : { postData: post(body) }) },
});

/** As Playwright's recordHar writes it with bodies beside it, which is what a .zip has by default. */
function attached(exchanged: readonly Exchanged[]): { readonly har: string; readonly bodies: Files } {
  const bodies: { [name: string]: string } = {};
  const file = (text: string, type: string, nth: number): object => {
    const name = `${String(nth).padStart(40, "0")}.json`;
    bodies[name] = text;
    return { mimeType: type, _file: name };
  };
  const entries = exchanged.map((one, nth) => {
    const entry = harEntry(one, { size: Buffer.byteLength(one.text), ...file(one.text, "application/json", 2 * nth) });
    return withPost(entry, one, (text) => ({ text: "", params: [], ...file(text, "application/json", 2 * nth + 1) }));
  });
  return { har: harOf(entries), bodies };
}

const clf = (ms: number): string => {
  const [, day, month, year, time] = new Date(ms).toUTCString().split(" ");
  return `${day}/${month}/${year}:${time} +0000`;
};

const nginxLine = ({ method, url, body, at_ms, status, text }: Exchanged) => ({
  time_local: clf(at_ms),
  request: `${method} ${pathOf(url)} HTTP/1.1`,
  http_host: new URL(url).host,
  request_body: body ?? "-",
  request_time: "0.005",
  status: String(status),
  resp_body: text,
});

export const recordedForms: { readonly [recorder: string]: RecordedForm } = {
  "Chrome, over HTTP/2": {
    files: har((entry) => ({
      _priority: "High",
      ...entry,
      request: { ...entry.request, headers: [{ name: ":method", value: "POST" }, ...entry.request.headers] },
    })),
  },
  "Firefox, whose times have the zone of its machine": {
    files: har((entry, { at_ms }) => ({
      ...entry,
      startedDateTime: isoOf(at_ms + 2 * 3_600_000).replace("Z", "+02:00"),
    })),
  },
  "Safari, whose texts may be in base64": {
    files: har((entry, { text }) => ({
      ...entry,
      response: { ...entry.response, content: { size: text.length, text: base64(text), encoding: "base64" } },
    })),
  },
  "Fiddler, with a byte-order mark and seven digits of a second": {
    files: har(
      (entry, { at_ms }) => ({ ...entry, startedDateTime: isoOf(at_ms).replace("Z", "0000+00:00"), time: 5 }),
      (text) => `\uFEFF${text}`,
    ),
  },
  "Charles, over HTTP/2, without a reason phrase": {
    files: har((entry) => {
      const { headers } = entry.response;
      const status = { name: ":status", value: "200" };
      return { ...entry, response: { ...entry.response, statusText: null, headers: [status, ...headers] } };
    }),
  },
  "Reqable, whose request bodies are in base64": {
    files: har((entry, one) => withPost(entry, one, (text) => ({ text: base64(`\n${text}`), encoding: "base64" }))),
  },
  "PowerShell, in UTF-16": {
    files: har(
      (entry) => entry,
      (text) => Buffer.from(`\uFEFF${text}\r\n`, "utf16le"),
    ),
  },
  "UTF-16 without a mark, the high byte first": {
    files: har(
      (entry) => entry,
      (text) => Buffer.from(text, "utf16le").swap16(),
    ),
  },
  "a HAR in gzip": {
    files: har(
      (entry) => entry,
      (text) => gzipSync(text),
    ),
  },
  "Playwright, with bodies beside the HAR": {
    files: (exchanged) => {
      const { har: text, bodies } = attached(exchanged);
      return { "traffic.har": text, ...bodies };
    },
  },
  "Playwright, in a .zip": {
    files: (exchanged) => {
      const { har: text, bodies } = attached(exchanged);
      return { "traffic.zip": zipOf({ ...bodies, "har.har": text }) };
    },
  },
  "a folder with bodies, in a .zip": {
    files: (exchanged) => {
      const { har: text, bodies } = attached(exchanged);
      const inFolder = Object.entries({ ...bodies, "traffic.har": text }).map(([name, one]) => [`a/${name}`, one]);
      return { "traffic.zip": zipOf(Object.fromEntries(inFolder) as Files) };
    },
  },
  "Charles's sessions as JSON": {
    form: "charles",
    files: (exchanged) => ({
      "session.chlsj": JSON.stringify(
        exchanged.map(({ method, url, headers, body, at_ms, status, answerHeaders, text }) => ({
          status: "COMPLETE",
          method,
          scheme: "https",
          host: new URL(url).host,
          actualPort: 443,
          times: { start: isoOf(at_ms) },
          durations: { total: 5 },
          request: {
            header: { firstLine: `${method} ${pathOf(url)} HTTP/1.1`, headers: names(headers, "name") },
            ...(body === undefined ? {} : { body: { text: body } }),
          },
          response: { status, header: { headers: names(answerHeaders, "name") }, body: { encoded: base64(text) } },
        })),
        null,
        2,
      ),
    }),
  },
  "Kong's file-log with bodies": {
    form: "kong",
    files: (exchanged) => ({
      "kong.log": lines(
        exchanged.map(({ method, url, headers, body, at_ms, status, answerHeaders, text }) => ({
          started_at: at_ms,
          latencies: { request: 5, kong: 1, proxy: 4 },
          request: {
            method,
            uri: pathOf(url),
            url: `http://acme.example:8000${pathOf(url)}`,
            headers: { host: new URL(url).host, ...mapOf(headers) },
            body,
          },
          response: { status, headers: mapOf(answerHeaders), body: text },
        })),
      ),
    }),
  },
  "APISIX's file-logger with bodies": {
    form: "apisix",
    files: (exchanged) => ({
      "apisix.log": lines(
        exchanged.map(({ method, url, headers, body, at_ms, status, answerHeaders, text }) => ({
          start_time: at_ms,
          latency: 5.0001,
          request: {
            method,
            uri: pathOf(url),
            url: `http://acme.example:9080${pathOf(url)}`,
            headers: { host: new URL(url).host, ...mapOf(headers) },
            body,
          },
          response: { status, headers: mapOf(answerHeaders), body: text },
        })),
      ),
    }),
  },
  "nginx, with a mark before the first line": {
    form: "nginx",
    lacksHeaders: true,
    files: (exchanged) => ({ "access.log": `\uFEFF${lines(exchanged.map(nginxLine))}` }),
  },
  "Envoy's tap, a value over many lines": {
    form: "envoy",
    files: (exchanged) => ({
      "tap.json": exchanged
        .map(({ method, url, headers, body, at_ms, status, answerHeaders, text }, nth) => ({
          http_buffered_trace: {
            request: {
              headers_received_time: isoOf(at_ms),
              headers: names(
                [
                  [":authority", new URL(url).host],
                  [":path", pathOf(url)],
                  [":method", method],
                  [":scheme", "https"],
                  ...headers,
                ],
                "key",
              ),
              ...(body === undefined ? {} : { body: { truncated: false, as_bytes: base64(body) } }),
            },
            response: {
              headers: names([[":status", String(status)], ...answerHeaders], "key"),
              body: nth % 2 === 0 ? { as_string: text } : { as_bytes: base64(text) },
            },
          },
        }))
        .map((one) => JSON.stringify(one, null, 1))
        .join("\n"),
    }),
  },
};

/** Writes the files; gives the path of the first. */
export function writtenForm({ files }: RecordedForm, exchanged: readonly Exchanged[]): string {
  const folder = emptyFolder();
  const written = Object.entries(files(exchanged));
  for (const [name, text] of written) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return join(folder, written[0]?.[0] ?? "");
}
