// The HAR file: whole once it is closed, and without keys.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { redactorOf, Secret } from "../../harness/core/secret.ts";
import { elementsOf } from "../../harness/recordings/har.ts";
import type { Recorded } from "../../harness/recordings/recorded.ts";
import { harFile } from "../../proxy/harFile.ts";
import { emptyFolder } from "../support/assay.ts";

const key = "a3d6c1f0-5b7e-4c29-8f14-6e0d9b2a7c58";
const redact = redactorOf([new Secret("paid", key)]);

const recorded: Recorded = {
  method: "POST",
  url: `https://vendor.example/p?api-key=${key}&x=%20`,
  headers: [
    ["content-type", "application/json"],
    ["x-api-key", key],
  ],
  body: JSON.stringify({ of: key }),
  answer: { status: 200, headers: [["content-type", "text/plain"]], body: `echo ${key}` },
  sentAt_ms: 1_000,
  latency_ms: 1.23456,
};

const withAnswer = (body: Uint8Array | null, coding = "identity"): Recorded => ({
  ...recorded,
  answer: { status: 200, headers: [["content-encoding", coding]], body },
});

interface Entry {
  readonly request: Readonly<Record<string, unknown>>;
  readonly response: Readonly<Record<string, unknown>>;
}

const entriesIn = (file: string): readonly Entry[] =>
  (JSON.parse(readFileSync(file, "utf8")) as { readonly log: { readonly entries: readonly Entry[] } }).log.entries;

async function written(all: readonly Recorded[]): Promise<string> {
  const file = join(emptyFolder(), "proxy.har");
  const har = harFile(file, redact, "1");
  for (const one of all) await har.add(one);
  har.close();
  expect(har.failure()).toBe(null);
  return file;
}

test("an entry is what HAR 1.2 asks for, without keys", async () => {
  const file = await written([recorded]);
  expect(entriesIn(file)).toEqual([
    {
      startedDateTime: "1970-01-01T00:00:01.000Z",
      time: 1.235,
      request: {
        method: "POST",
        url: "https://vendor.example/p?api-key=<key:paid>&x=%20",
        httpVersion: "HTTP/1.1",
        cookies: [],
        headers: [
          { name: "content-type", value: "application/json" },
          { name: "x-api-key", value: "<key:paid>" },
        ],
        queryString: [
          { name: "api-key", value: "<key:paid>" },
          { name: "x", value: " " },
        ],
        headersSize: -1,
        bodySize: 45,
        postData: { mimeType: "application/json", text: '{"of":"<key:paid>"}' },
      },
      response: {
        status: 200,
        statusText: "",
        httpVersion: "HTTP/1.1",
        cookies: [],
        headers: [{ name: "content-type", value: "text/plain" }],
        content: { size: 41, mimeType: "text/plain", text: "echo <key:paid>" },
        redirectURL: "",
        headersSize: -1,
        bodySize: -1,
      },
      cache: {},
      timings: { send: 0, wait: 1.235, receive: 0 },
    },
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

const binary = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(key)]);

for (const [title, body, coding, content] of [
  ["text", Buffer.from(`é ${key}`), "", { size: 39, mimeType: "", text: "é <key:paid>" }],
  ["compressed", gzipSync(`é ${key}`), "gzip", { size: 39, mimeType: "", text: "é <key:paid>" }],
  [
    "not UTF-8",
    binary,
    "",
    {
      size: 38,
      mimeType: "",
      text: Buffer.from("\xff\xfe<key:paid>", "latin1").toString("base64"),
      encoding: "base64",
    },
  ],
  [
    "wrongly labelled",
    Buffer.from(key),
    "gzip",
    { size: -1, mimeType: "", comment: "the body can't be decompressed, and isn't recorded" },
  ],
  ["not whole", null, "", { size: -1, mimeType: "", comment: "the body wasn't recorded" }],
] as const) {
  test(`a body that is ${title} is written without its key`, async () => {
    const [entry] = entriesIn(await written([withAnswer(body, coding)]));
    expect(entry?.response["content"]).toEqual(content);
  });
}

test("a fault is an entry with status 0", async () => {
  const [entry] = entriesIn(await written([{ ...recorded, answer: { fault: `reset: ${key}` } }]));
  expect(entry?.response).toMatchObject({ status: 0, _error: "reset: <key:paid>" });
});

test("an older file is replaced, and what was written before a proxy was killed is read", async () => {
  const file = join(emptyFolder(), "proxy.har");
  writeFileSync(file, "x".repeat(10_000), { mode: 0o644 });
  const har = harFile(file, redact, "1");
  for (const _ of [1, 2, 3]) await har.add(recorded);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const end = { isHar: false, isWhole: false };
  const elements: unknown[] = [];
  for await (const element of elementsOf([readFileSync(file)], end)) elements.push(element);
  expect({ ...end, count: elements.length }).toEqual({ isHar: true, isWhole: false, count: 3 });
  har.close();
  expect(entriesIn(file)).toHaveLength(3);
});

for (const [path, reason] of [
  ["/dev/full", /^ENOSPC/],
  ["/no/such/folder", /^ENOENT/],
] as const) {
  test(`${path} stops the recording, and nothing else`, async () => {
    const har = harFile(path, redact, "1");
    await har.add(recorded);
    har.close();
    expect(har.failure()).toMatch(reason);
  });
}
