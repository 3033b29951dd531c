// Content codings of requests: bodies are sent as headers say, and curl lines do the same.
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
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
