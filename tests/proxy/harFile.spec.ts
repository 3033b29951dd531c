// The HAR file: whole once the proxy has ended, and without keys.
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { assay, type Ended, emptyFolder, startAssay } from "../support/assay.ts";
import { smallEnvironment, smallTarget, targetFile, vendor, vendorKey } from "../support/vendor.ts";

interface Entry {
  readonly time: number;
  readonly request: Readonly<Record<string, unknown>>;
  readonly response: Readonly<Record<string, unknown>>;
}

const entriesIn = (file: string): readonly Entry[] =>
  (JSON.parse(readFileSync(file, "utf8")) as { readonly log: { readonly entries: readonly Entry[] } }).log.entries;

/** While a proxy records what a client of this platform does. */
async function recorded(
  answering: RequestListener,
  client: (proxy: string, base: string) => Promise<void>,
  file = join(emptyFolder(), "proxy.har"),
): Promise<Ended & { readonly file: string; readonly base: string }> {
  const { base, close } = await vendor(answering);
  const args = ["proxy", "--target", targetFile(smallTarget(base)), "--port", "0", "--out", join(emptyFolder(), "run")];
  const proxy = startAssay([...args, "--record", file], smallEnvironment);
  const [, address = ""] = /^admin: (\S+)/m.exec(await proxy.says("Findings as they come: ")) ?? [];
  await client(address, base).finally(() => proxy.kill("SIGTERM"));
  const ended = await proxy.ended;
  await close();
  if (file.endsWith(".har") && existsSync(file)) expect(readFileSync(file, "latin1")).not.toContain(vendorKey);
  return { ...ended, file, base };
}

const sent = { method: "POST", headers: { "content-type": "application/json", "x-api-key": vendorKey } } as const;
const ask = async (proxy: string): Promise<void> => {
  await (
    await fetch(`${proxy}/p?api-key=${vendorKey}&x=%20`, { ...sent, body: JSON.stringify({ of: vendorKey }) })
  ).text();
};
const echo: RequestListener = (_request, response) =>
  void response.writeHead(200, { "content-type": "text/plain", "x-of": vendorKey }).end(`echo ${vendorKey}`);

test("an entry is what HAR 1.2 asks for, without keys", async () => {
  const { file, base } = await recorded(echo, ask);
  const [entry] = entriesIn(file);
  const { headers, ...request } = entry?.request ?? {};
  expect(headers).toEqual(
    expect.arrayContaining([
      { name: "content-type", value: "application/json" },
      { name: "x-api-key", value: "<key:paid>" },
    ]),
  );
  const { headers: answered, ...response } = entry?.response ?? {};
  expect(answered).toEqual(
    expect.arrayContaining([
      { name: "content-type", value: "text/plain" },
      { name: "x-of", value: "<key:paid>" },
    ]),
  );
  expect({ ...entry, request, response }).toEqual({
    startedDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    time: expect.any(Number),
    request: {
      method: "POST",
      url: `${base}/p?api-key=<key:paid>&x=%20`,
      httpVersion: "HTTP/1.1",
      cookies: [],
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
      content: { size: 41, mimeType: "text/plain", text: "echo <key:paid>" },
      redirectURL: "",
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: entry?.time, receive: 0 },
  });
  expect(String(entry?.time)).toMatch(/^\d+(\.\d{1,3})?$/);
  expect(isOwners(file)).toBe(true);
});

/** Windows has no such modes. */
const isOwners = (file: string): boolean => process.platform === "win32" || (statSync(file).mode & 0o777) === 0o600;

const binary = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(vendorKey)]);

for (const [title, body, coding, content] of [
  ["text", Buffer.from(`é ${vendorKey}`), "", { size: 39, mimeType: "", text: "é <key:paid>" }],
  ["compressed", gzipSync(`é ${vendorKey}`), "gzip", { size: 39, mimeType: "", text: "é <key:paid>" }],
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
    Buffer.from(vendorKey),
    "gzip",
    { size: -1, mimeType: "", comment: "the body can't be decompressed, and isn't recorded" },
  ],
  [
    "longer than what is copied",
    Buffer.alloc(9 * 1024 * 1024),
    "",
    { size: -1, mimeType: "", comment: "the body wasn't recorded" },
  ],
] as const) {
  test(`a body that is ${title} is written without its key`, async () => {
    const answering: RequestListener = (_request, response) =>
      void response.writeHead(200, coding ? { "content-encoding": coding } : {}).end(body);
    const { file } = await recorded(answering, (proxy) => ask(proxy).catch(() => undefined));
    expect(entriesIn(file)[0]?.response["content"]).toEqual(content);
  });
}

test("a fault is an entry with status 0", async () => {
  const reset: RequestListener = ({ socket }) => void socket.resetAndDestroy();
  const { file } = await recorded(reset, (proxy) => ask(proxy).catch(() => undefined));
  expect(entriesIn(file)[0]?.response).toMatchObject({ status: 0, _error: expect.stringMatching(/^reset: /) });
});

test("an older file is replaced, and what was written before a proxy was killed is read", async () => {
  const [file, unfinished] = [join(emptyFolder(), "proxy.har"), join(emptyFolder(), "killed.har")];
  writeFileSync(file, "x".repeat(10_000), { mode: 0o644 });
  let read: Ended | undefined;
  const client = async (proxy: string, base: string): Promise<void> => {
    for (const _ of [1, 2, 3]) await ask(proxy);
    await expect.poll(() => readFileSync(file, "utf8").match(/"startedDateTime"/g)?.length).toBe(3);
    expect(isOwners(file)).toBe(true);
    copyFileSync(file, unfinished);
    read = await assay(["judge", unfinished, "--base", base, "--out", join(emptyFolder(), "run"), "--json"]);
  };
  await recorded(echo, client, file);
  expect(JSON.parse(read?.stdout ?? "")).toMatchObject({ complete: false, recording: { exchanges: 3 } });
  expect(entriesIn(file)).toHaveLength(3);
});

for (const [path, reason] of [
  ["/dev/full", "ENOSPC"],
  [join(emptyFolder(), "no/such/proxy.har"), "ENOENT"],
] as const) {
  test(`a file that ends with ${reason} stops the recording, and nothing else`, async () => {
    const { stderr, stdout } = await recorded(echo, ask, path);
    expect(stderr).toContain(`${path} isn't complete: ${reason}`);
    expect(stdout).toContain("1 exchange");
    expect(existsSync(path)).toBe(path === "/dev/full");
  });
}
