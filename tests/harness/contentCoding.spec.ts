// Content codings of requests: bodies are sent as headers say, and curl lines do the same.
import { buffer } from "node:stream/consumers";
import zlib, { brotliCompressSync, deflateRawSync, deflateSync, gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { decoded, unzstdBy } from "../../harness/transport/contentCoding.ts";
import { curlOf } from "../../harness/transport/rendering.ts";
import { networkWire } from "../../harness/transport/wire.ts";
import { vendor } from "../support/vendor.ts";

async function received(headers: readonly (readonly [string, string])[], body: string) {
  let [bytes, type, length]: [Buffer, string | undefined, string | undefined] = [Buffer.alloc(0), undefined, undefined];
  const { base, close } = await vendor((request, response) => {
    [type, length] = [request.headers["content-type"], request.headers["content-length"]];
    void buffer(request).then((all) => {
      bytes = all;
      response.end();
    });
  });
  const { wire, close: hangUp } = networkWire({ environment: {} });
  await wire({ method: "POST", url: `${base}/`, headers, body }, AbortSignal.timeout(5_000));
  await hangUp();
  await close();
  return { bytes, type, length };
}

test("a body is compressed where a header says so", async () => {
  const { bytes, length } = await received([["content-encoding", "gzip"]], '{"x":"é"}');
  expect(gunzipSync(bytes).toString()).toBe('{"x":"é"}');
  expect(length).toBe(String(bytes.length));
});

test("without such headers a body is sent unchanged and without a type", async () => {
  const { bytes, type } = await received([], "\ufeff{}");
  expect([bytes.toString("hex"), type]).toEqual(["efbbbf7b7d", undefined]);
});

const sent = { method: "POST", url: "https://rpc.example/", body: "{}" } as const;

test("curl compresses what was compressed", () => {
  const headers = [
    ["content-type", "application/json"],
    ["content-encoding", "gzip"],
  ] as const;
  expect(curlOf({ ...sent, headers })).toBe(
    "printf %s '{}' | gzip | curl -sS -i -X POST -H 'content-type: application/json' " +
      "-H 'content-encoding: gzip' --data-binary @- 'https://rpc.example/'",
  );
});

test("curl sends no type where none was sent", () => {
  expect(curlOf({ ...sent, headers: [] })).toBe(
    "curl -sS -i -X POST -H 'content-type:' --data-raw '{}' 'https://rpc.example/'",
  );
});

/** A frame that holds less than 256 bytes as it is (RFC 8878 §3.1.1). */
function zstdFrame(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content as string);
  const block = (bytes.length << 3) | 1;
  return Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, bytes.length, block & 255, block >> 8, 0, ...bytes]);
}

/** What can be left out by those that read it (RFC 8878 §3.1.2). */
const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 7, 7]);
const hello = Buffer.from("hello");
const whole = Buffer.concat([zstdFrame("hel"), skippable, zstdFrame("lo")]);

const nested = (times: number): Buffer => (times === 0 ? hello : brotliCompressSync(nested(times - 1)));

for (const [title, coding, bytes, text] of [
  ["br", "br", brotliCompressSync(hello), "hello"],
  ["two, in the order in which they were applied", "GZIP , br", brotliCompressSync(gzipSync(hello)), "hello"],
  ["compress", "compress", hello, "a content coding that wasn't asked for: compress, which Assay can't decompress"],
  ["a dictionary's", "gzip, dcz", hello, "dcz, which needs a dictionary that only its client has"],
  ["one whose name may be anything", '"<b>"', hello, "another coding, which Assay can't decompress"],
  ["as many as are undone", "br,".repeat(5), nested(5), "hello"],
  ["one more than that", "br,".repeat(6), hello, "more than 5 content codings"],
  ["zstd in several frames", "zstd", whole, "hello"],
  ["zstd with gzip below", "gzip, zstd", zstdFrame(gzipSync(hello)), "hello"],
  [
    "zstd that is cut",
    "zstd",
    whole.subarray(0, -1),
    "the body isn't zstd, as its content-encoding says: unexpected end",
  ],
  ["zstd in name only", "zstd", hello, "the body isn't zstd"],
  ["zstd that unpacks to more than is read", "zstd", zstdFrame("x".repeat(99)), "more than 60 bytes of body"],
  [
    "zstd whose frames together do",
    "zstd",
    Buffer.concat([zstdFrame("x".repeat(59)), zstdFrame("yy")]),
    "more than 60 bytes of body",
  ],
] as const)
  test(`${title}: a coding is undone, or a fault says why it can't be`, async () => {
    const isMissing = coding.includes("zstd") && !("zstdDecompress" in zlib);
    const found = await decoded(bytes, coding, 60).then(
      (done) => Buffer.from(done).toString(),
      (error: unknown) => (error as Error).message,
    );
    expect(found).toContain(isMissing ? "zstd, which needs Node 22.15 or newer" : text);
  });

for (const [title, taken_bytes, says] of [
  ["doesn't go on", 0, "a frame that can't be read"],
  ["is one of too many", 1, "more than 10000 frames"],
] as const)
  test(`a frame of zstd that ${title} ends the reading`, async () => {
    const undone = { buffer: Buffer.alloc(0), engine: { bytesWritten: taken_bytes } };
    const undo = unzstdBy((_bytes, _options, done) => done(null, undone));
    await expect(undo(Buffer.alloc(20_000), { maxOutputLength: 60 })).rejects.toThrow(says);
  });

const unpacked = Buffer.alloc(2 ** 24);

for (const [title, coding, pack] of [
  ["gzip", "gzip", gzipSync],
  ["deflate", "deflate", deflateSync],
  ["deflate without its wrapper", "deflate", deflateRawSync],
  ["br", "br", (bytes: Buffer) => brotliCompressSync(bytes)],
  ["gzip twice", "gzip, gzip", (bytes: Buffer) => gzipSync(gzipSync(bytes))],
] as const)
  test(`a small body in ${title} that unpacks beyond the bound is refused as oversized`, async () => {
    const failure = decoded(pack(unpacked), coding, 2 ** 20);
    await expect(failure).rejects.toMatchObject({ kind: "oversized" });
  });
