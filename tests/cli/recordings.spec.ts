// What recorders write: each of their files is judged as a HAR of the same exchanges.
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { isOfBody } from "../../cli/recordingBodies.ts";
import { utf8Of } from "../../cli/recordingBytes.ts";
import { readMapping, sourceAt } from "../../cli/recordings.ts";
import { openZip } from "../../cli/recordingZip.ts";
import type { RecordedEntry } from "../../harness/recordings/recorded.ts";
import { emptyFolder } from "../support/folders.ts";
import { exchangedWith } from "../support/recordedClient.ts";
import { recordedForms, writtenForm } from "../support/recordedForms.ts";
import { type Exchanged, entriesIn, harEntry, harOf, judged, listed, type World } from "../support/recordings.ts";
import { zipOf } from "../support/zip.ts";

let [world, exchanged]: [World?, (readonly Exchanged[])?] = [];
test.beforeAll(async () => {
  ({ world, exchanged } = await exchangedWith("CYC-BILL-01.object-on-free", undefined, 1));
});

const nothing = (): never => {
  throw new Error("nothing is piped in");
};

/** What is read of a file, and why it ends too early. */
async function readAt(path: string, form?: string) {
  const cuts: string[] = [];
  const entries: RecordedEntry[] = [];
  for await (const entry of (await sourceAt(path, readMapping(form), nothing)).entries((what) => cuts.push(what)))
    entries.push(entry);
  return { entries, cuts };
}

for (const [recorder, form] of Object.entries(recordedForms))
  test(`${recorder}: judged as a HAR`, async () => {
    if (!exchanged) throw new Error("nothing was exchanged");
    const expected = await judged(await entriesIn(harOf(exchanged.map((one) => harEntry(one)))), world?.target);
    const { entries, cuts } = await readAt(writtenForm(form, exchanged), form.form);
    const found = await judged(entries, world?.target);
    expect(cuts).toEqual([]);
    expect([found.unjudged, found.report.operations]).toEqual([expected.unjudged, expected.report.operations]);
    expect(found.report.judged).toBeGreaterThan(15);
    // A log without headers has no keys that they carry.
    expect(found.broken).toEqual(form.lacksHeaders ? [] : ["CYC-BILL-01"]);
  });

const served = '{"jsonrpc":"2.0","result":"ok","id":1}';
const call: Exchanged = {
  method: "POST",
  url: "https://acme.example/",
  headers: [],
  body: '{"jsonrpc":"2.0","id":1,"method":"getIndexerHealth"}',
  at_ms: 0,
  status: 200,
  answerHeaders: [["content-type", "application/json"]],
  text: served,
};
const harNaming = (file: string, type = "application/json"): string =>
  harOf([harEntry(call, { size: served.length, mimeType: type, _file: file }), harEntry(call)]);

/** As Playwright names a body: by the digest of what it is. */
const named = (digit: string): string => `${digit.repeat(40)}.json`;

/** A folder of files; gives the path of one. */
function laidOut(files: { readonly [name: string]: string | Buffer }, shown: string): string {
  const folder = emptyFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return join(folder, shown);
}

for (const [title, file, isRead] of [
  ["beside the HAR", named("a"), true],
  ["in a folder there", `resources/${named("a")}`, true],
  ["with a name of the reader's own", "own.json", false],
  ["in a folder above", `../${named("b")}`, false],
  ["in a folder above by a detour", `resources/../../${named("b")}`, false],
  ["by a link that leads out", named("c"), false],
  ["below a link that leads out", `linked/${named("b")}`, false],
  ["that is a folder", named("d"), false],
  ["that is too large", named("e"), false],
  ["that isn't there", named("f"), false],
] as const)
  test(`a body in a file ${title} is ${isRead ? "read" : "left alone"}`, async () => {
    const files = {
      "har/traffic.har": harNaming(file),
      [`har/${named("a")}`]: served,
      [`har/resources/${named("a")}`]: served,
      [`har/${named("d")}/within`]: "",
      [`har/${named("e")}`]: "",
      "har/own.json": served,
      [named("b")]: served,
    };
    const path = laidOut(files, "har/traffic.har");
    symlinkSync(`../${named("b")}`, join(dirname(path), named("c")));
    symlinkSync("..", join(dirname(path), "linked"));
    truncateSync(join(dirname(path), named("e")), 32 * 1024 * 1024 + 1);
    const { entries } = await readAt(path);
    const { unjudged, report } = await judged(entries);
    const reason = expect.stringContaining("a body in a file that isn't beside the HAR as Playwright names it");
    expect([report.judged, Object.entries(unjudged)]).toEqual(isRead ? [2, []] : [1, [[reason, 1]]]);
  });

test("names that lead elsewhere aren't looked for", () => {
  const body = named("a");
  const folders = [
    "/",
    "//host/",
    "\\\\host\\share\\",
    "C:\\",
    "c:",
    "../",
    "a\\..\\",
    "a/../",
    "./",
    ".git/",
    "a//",
    "a\0/",
  ];
  const names = ["", "a", ".env", "a/.npmrc", "id_rsa", `${body}/..`, `${body}\0`, `${body}.\n`, body.slice(1)];
  expect([...folders.map((folder) => `${folder}${body}`), ...names].filter(isOfBody)).toEqual([]);
  expect([body, body.slice(0, 40), `resources/${body}`, `a.b/c-d/${body}`].filter((name) => !isOfBody(name))).toEqual(
    [],
  );
});

test("files of pictures and scripts aren't looked for", async () => {
  const { entries } = await readAt(laidOut({ "traffic.har": harNaming("none.js", "text/javascript") }, "traffic.har"));
  expect((await judged(entries)).unjudged).toEqual({ "an answer whose body isn't recorded completely": 1 });
});

const whole = harOf([harEntry(call), harEntry(call)]);
const cutAt = (bytes: Buffer, end: number): Buffer => bytes.subarray(0, end);
const longer = harOf(Array.from({ length: 2_000 }, (_, id) => ({ ...harEntry(call), comment: `${id * 7_919}` })));

for (const [title, name, content, says, form] of [
  ["in gzip", "a.har.gz", cutAt(gzipSync(longer), 9_000), "can't be unpacked to its end"],
  ["in a .zip", "a.zip", zipOf({ "b.har": longer }).fill(0, 9_000, 9_100), "can't be unpacked to its end"],
  ["of text", "a.har", Buffer.from(whole.slice(0, -20)), "ends within its entries"],
  ["in a list", "a.chlsj", Buffer.from('[{"a":1},\n{"a":'), "ends within its entries", "charles"],
  ["of values over lines", "a.json", Buffer.from('{\n"a":1}\n{\n"a":'), "ends within its entries", "envoy"],
] as const)
  test(`a recording ${title} that is damaged has the entries before, and says so`, async () => {
    const path = laidOut({ [name]: content }, name);
    const { entries, cuts } = await readAt(path, form);
    expect(entries.length).toBeGreaterThan(0);
    expect(cuts).toEqual([expect.stringContaining(says)]);
    expect(cuts[0]).toContain(path);
  });

for (const [title, name, content, says] of [
  ["an archive of Fiddler", "a.saz", zipOf({ "[Content_Types].xml": "", "raw/1_c.txt": "" }), "an archive of Fiddler"],
  ["a trace of Playwright", "trace.zip", zipOf({ "0-trace.network": "" }), "a trace of Playwright"],
  ["a .zip of something else", "a.zip", zipOf({ "a.txt": "", "b.txt": "" }), "a zip without a HAR"],
  ["a damaged .zip", "a.zip", Buffer.from("PK\x03\x04…"), "a zip that can't be read"],
  ["a .zip whose names lead out of it", "a.zip", zipOf({ "../a.har": whole }), "a zip that can't be read"],
  ["a capture of packets", "a.pcapng", Buffer.from("0a0d0d0a1c000000", "hex"), "a capture of packets"],
  ["a session of Charles", "a.chls", Buffer.from("00ff", "hex"), "a session of Charles (.chls)"],
  ["a session of Proxyman", "a.proxymanlogv2", Buffer.from("00ff", "hex"), "a session of Proxyman"],
  ["what zstd packed", "a.har.zst", Buffer.from("28b52ffd00", "hex"), "packed by zstd"],
] as const)
  test(`${title} is called so`, async () => {
    const path = laidOut({ [name]: content }, name);
    await expect(readAt(path)).rejects.toThrow(`${path} is ${says}`);
  });

test("a log in a .zip is read by its mapping, and a HAR beside a mapping as a HAR", async () => {
  const line = JSON.stringify({ time: 1, method: "POST", url: call.url, sent: call.body, status: 200, body: served });
  const zip = await readAt(laidOut({ "a.zip": zipOf({ "k6.log": `${line}\n` }) }, "a.zip"), "k6");
  expect([(await judged(zip.entries)).report.judged, zip.cuts]).toEqual([1, []]);
  const har = await readAt(laidOut({ "a.har": whole }, "a.har"), "k6");
  expect((await judged(har.entries)).report.judged).toBe(2);
  // A line may have a member of that name.
  const logged = await readAt(laidOut({ "a.log": `{"log":{"level":"info"},${line.slice(1)}\n` }, "a.log"), "k6");
  expect((await judged(logged.entries)).report.judged).toBe(1);
});

test("what is packed twice is unpacked once: some files unpack to themselves", async () => {
  const twice = gzipSync(gzipSync(whole));
  await expect(readAt(laidOut({ "a.har.gz": twice }, "a.har.gz"))).rejects.toThrow("isn't a HAR");
  expect(Buffer.concat([...(await listed(utf8Of(Readable.from([twice]))))])).toEqual(gzipSync(whole));
});

test("what unpacks to more than a bound is read up to it", async () => {
  const bomb = Buffer.alloc(4_000_000);
  const most_bytes = 1024 * 1024;
  const packed = Readable.from([gzipSync(bomb)]);
  await expect(listed(utf8Of(packed, most_bytes))).rejects.toThrow("unpacks to more than 1 MB");
  const zip = await openZip(laidOut({ "a.zip": zipOf({ a: bomb.subarray(0, 700_000) }) }, "a.zip"), most_bytes);
  expect((await zip.body("a"))?.length).toBe(700_000);
  await expect(zip.body("a")).rejects.toThrow("unpacks to more than 1 MB");
});

test("lines that begin with a time in brackets are counted, and the others read", async () => {
  const line = JSON.stringify({ time: 1, method: "POST", url: call.url, sent: call.body, status: 200, body: served });
  const { entries, cuts } = await readAt(laidOut({ "a.log": `[12:00] starts\n${line}\n` }, "a.log"), "k6");
  const { unjudged, report } = await judged(entries);
  expect([unjudged, report.judged, cuts]).toEqual([{ "what isn't JSON (line 1)": 1 }, 1, []]);
});
