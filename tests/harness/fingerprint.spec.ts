// Fingerprints show what an answer is made of, and nothing that varies by itself.
import { expect, test } from "@playwright/test";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { protocolOf } from "../../harness/core/interface.ts";
import { parseJson } from "../../harness/core/json.ts";
import { type AnsweredExchange, fingerprintOf, withoutNumbers } from "../../harness/model/fingerprint.ts";
import type { HeaderList } from "../../harness/transport/exchange.ts";

function answered(text: string, headers: HeaderList = [], status = 200): AnsweredExchange {
  return {
    number: 1,
    requestSpec: { operation: null, api: "admin", method: "GET", path: ["/x"], carriers: [] },
    protocol: protocolOf(dataPlatform, "admin", null),
    asker: null,
    isOwn: false,
    sent: { method: "GET", url: "https://vendor.example/x", headers: [] },
    answer: { status, headers, text, json: parseJson(text), hasBom: false, invalidUtf8: false },
    fault: null,
    sentAt_ms: 0,
    latency_ms: 1,
  };
}
const bodyOf = (value: unknown): { readonly [path: string]: string } =>
  fingerprintOf(answered(typeof value === "string" ? value : JSON.stringify(value)), { case: "" }).body;

const classes: readonly (readonly [json: string, is: string])[] = [
  ["null", "null"],
  ["true", "boolean"],
  ["1", "int"],
  ["1.0", "int"],
  ["1e3", "int"],
  ["0.5", "frac"],
  ["9007199254740993", "big"],
  ['"2025-03-05"', "date"],
  ['"2025-03-05T12:00:00.000Z"', "date"],
  ['"5f0d5c1e-7f5b-4a57-9a0c-1d2e3f405162"', "uuid"],
  ['"9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"', "base58"],
  ['"0x00ff00ff00ff00ff"', "hex"],
  ['"two words"', "free"],
  ['"finalized"', "free(finalized)"],
  ["{}", "object"],
  ["[]", "array"],
];
for (const [json, is] of classes)
  test(`${json} is of the class ${is}`, () => expect(bodyOf(`{"at":${json}}`)["/at"]).toBe(is));

test("items of an array share one path with all their classes", () => {
  expect(bodyOf('[{"a":1,"b":"processed"},{"a":0.5,"b":"confirmed"},{"a":null}]')).toEqual({
    "": "array",
    "/*": "object",
    "/*/a": "frac|int|null",
    "/*/b": "free(confirmed,processed)",
  });
});

test("more than eight words are not written out", () => {
  const words = Array.from({ length: 9 }, (_, index) => `word${"abcdefghi"[index]}`);
  expect(bodyOf(words.slice(1))["/*"]).toContain("wordb");
  expect(bodyOf(words)["/*"]).toBe("free");
});

test("members named by ids share one path", () => {
  expect(bodyOf('{"5f0d5c1e-7f5b-4a57-9a0c-1d2e3f405162":1,"8c1a2b3d-4e5f-4061-8273-94a5b6c7d8e9":2,"17":3}')).toEqual({
    "": "object",
    "/<uuid>": "int",
    "/<number>": "int",
  });
});

test("very deep and very broad trees are cut", () => {
  expect(Object.keys(bodyOf(`${"[".repeat(500)}${"]".repeat(500)}`)).length).toBeLessThan(30);
  const broad = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`m${n}x`, n]));
  expect(Object.keys(bodyOf(broad)).length).toBe(400);
});

test("header names are sorted and unique, without those of the connection", () => {
  const headers = [
    ["vary", "a"],
    ["content-type", "Application/JSON; charset=utf-8"],
    ["connection", "keep-alive"],
    ["vary", "b"],
    ["content-length", "2"],
  ] as const;
  const { headers: names, mediaType } = fingerprintOf(answered("{}", headers), { case: "" });
  expect({ names, mediaType }).toEqual({ names: ["content-type", "vary"], mediaType: "application/json" });
});

test("errors of REST and JSON-RPC show code and message", () => {
  const errorOf = (text: string) => fingerprintOf(answered(text, [], 400), { case: "" }).error;
  expect(errorOf('{"statusCode":400,"message":"Invalid project id","error":"Bad Request"}')).toEqual({
    code: "Bad Request",
    message: "Invalid project id",
  });
  expect(errorOf('{"statusCode":400,"message":["one","two"]}')).toEqual({ code: 400, message: '["one","two"]' });
  expect(errorOf('{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"Unauthorized"}}')).toEqual({
    code: -32001,
    message: "Unauthorized",
  });
  expect(errorOf("{}")).toBeNull();
  expect(errorOf("<html>")).toBeNull();
});

test("ids, dates, hosts and long numbers are masked", () => {
  expect(
    withoutNumbers("no account 9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM at slot 312345678 on 2025-03-05"),
  ).toBe("no account <base58> at slot <number> on <date>");
  expect(
    withoutNumbers("Cannot GET http://127.0.0.1:38403/v0/admin/projects/5f0d5c1e-7f5b-4a57-9a0c-1d2e3f405162/usage"),
  ).toBe("Cannot GET http://<host>/v0/admin/projects/<uuid>/usage");
});
