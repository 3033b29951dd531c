// Keys in recordings: none is written, wherever it stands and however it is spelled.
import { expect, test } from "@playwright/test";
import { recordOf } from "../../harness/record/journal.ts";
import type { Recorded } from "../../harness/recordings/recorded.ts";
import { answered, health, host, judged, worldAt } from "../support/recordings.ts";

const { target, keys } = worldAt();
const own = keys["paid"] ?? "";
const key = "b05c3f72-e84d-4196-a2d7-1f9b6c40e8a3";
const jwt = `eyJhbGciOiJIUzI1NiJ9.${"eyJzdWIiOiIxMjM0NTY3ODkwIn0".repeat(20)}.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV`;

/** Answers with a text where a result should be. */
const echoing = (text: string): Recorded => health({ text: JSON.stringify({ jsonrpc: "2.0", id: 1, result: text }) });
const at = (query: string): Partial<Recorded> => ({ url: `${host}/${query}` });
const withHeader = (name: string, value: string): Partial<Recorded> => ({ headers: [[name, value]] });
const hex = (text: string): string => Buffer.from(text).toString("hex");
const percent = (text: string): string => [...text].map((letter) => `%${hex(letter)}`).join("");

/** All that is written of recorded exchanges. */
async function writtenOf(entries: readonly Recorded[]): Promise<string> {
  const { kept, judge, report } = await judged(entries, target);
  const breaches = report.broken.map(({ id }) => judge.verdictOn(id));
  return JSON.stringify([kept.map((one) => recordOf(one, target.interface)), breaches, report]);
}

for (const [title, change, secret] of [
  ["the header of keys", withHeader("x-api-key", key), key],
  ["the parameter of keys", at(`?api-key=${key}`), key],
  ["that parameter, its name encoded", at(`?api%2Dkey=${key}`), key],
  ["that parameter, encoded", at(`?api-key=${percent(key)}`), key],
  ["two parameters", at(`?api-key=x&api-key=${key}`), key],
  ["a key of the environment", withHeader("x-api-key", own), own],
  ["a key of the environment as another's field", withHeader("x-trace", `of ${own}`), own],
  ["Authorization", withHeader("authorization", `Bearer ${key}`), key],
  ["a long token", withHeader("authorization", `Bearer ${jwt}`), jwt.slice(100, 160)],
  ["its end", withHeader("authorization", `Bearer ${jwt}`), jwt.slice(-20)],
  ["Proxy-Authorization", withHeader("proxy-authorization", `Basic ${key}`), key],
  ["a cookie", withHeader("cookie", `theme=dark; sid=${key}`), key],
  [
    "a cookie that is set",
    { answer: answered('{"jsonrpc":"2.0","id":1,"result":"ok"}', 200, [["set-cookie", `sid=${key}; HttpOnly`]]) },
    key,
  ],
  ["a name in camel case", at(`?accessToken=${key}`), key],
  ["a signature", at(`?sig=${key}`), key],
  ["a fragment", at(`#access_token=${key}`), key],
  ["the address of the page before", withHeader("referer", `https://acme.example/app?token=${key}`), key],
  [
    "an address to go to",
    { answer: answered('{"jsonrpc":"2.0","id":1,"result":"ok"}', 200, [["location", `/?token=${key}`]]) },
    key,
  ],
  ["a user's password in the address", { url: `https://joe:${key}@acme.example/` }, key],
  ["a member of the request", { body: `{"jsonrpc":"2.0","id":1,"method":"getIndexerHealth","apiKey":"${key}"}` }, key],
  ["what a network's fault says", { answer: { fault: `Get "${host}/?api-key=${key}": dial tcp` } }, key],
] as const)
  test(`no key is written of ${title}`, async () => {
    const text = await writtenOf([health(change)]);
    expect(text).not.toContain(secret);
    expect(text).toContain(text.includes('"asker"') ? "getIndexerHealth" : "no complete answer: an error");
  });

for (const [title, first] of [
  ["the header of keys", withHeader("x-api-key", key)],
  ["the parameter of keys", at(`?api-key=${key}`)],
  ["Authorization", withHeader("authorization", `Bearer ${key}`)],
  ["another host's", { ...withHeader("x-api-key", key), url: "https://other.example/" }],
  ["another host's parameter", { url: `https://other.example/?api-key=${key}` }],
] as const)
  test(`a key of ${title} is in no later exchange`, async () => {
    const spellings = [key, key.toUpperCase(), percent(key), hex(key), Buffer.from(key).toString("base64")];
    const text = await writtenOf([
      health(first),
      ...spellings.map(echoing),
      health(withHeader("x-echo", key)),
      health(at(`?from=${key}`)),
    ]);
    for (const spelling of spellings) expect(text).not.toContain(spelling);
    expect(text).toContain("<key:someone>");
  });

test("words and addresses in fields of such names stay elsewhere", async () => {
  const mint = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
  const text = await writtenOf([
    health(at(`?token=${mint}&sort-key=lamports`)),
    health(withHeader("idempotency-key", "getIndexerHealth")),
    echoing(`${mint} lamports`),
  ]);
  expect(text).toContain(`${mint} lamports`);
  expect(text).toContain("getIndexerHealth");
});
