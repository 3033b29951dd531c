// Limits in a recording: known by status and words, judged by their codes, and said to come and go.
import { expect, test } from "@playwright/test";
import type { Recorded } from "../../harness/recordings/recorded.ts";
import { answered, health, host, judged, worldAt } from "../support/recordings.ts";

const limited = (nth: number, answer: Recorded["answer"]): readonly Recorded[] => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: nth, method: "getTokenAccounts", params: { owner: "abc" } });
  return [health({ id: 1_000 + nth }), health({ body, answer, sentAt_ms: 1_000 * nth })];
};
const limits = (change: (nth: number) => Recorded["answer"]): readonly Recorded[] =>
  Array.from({ length: 6 }, (_, nth) => limited(nth, change(nth))).flat();
const vendorsCode = (nth: number, status: number, message: string) =>
  answered(JSON.stringify({ jsonrpc: "2.0", id: nth, error: { code: -32007, message } }), status);

for (const [title, change, found] of [
  ["by its status", (nth: number) => vendorsCode(nth, 429, "slow down"), { broken: ["ERR-TA-SET-01"], unjudged: {} }],
  ["by its words", (nth: number) => vendorsCode(nth, 200, "Rate limit"), { broken: ["ERR-TA-SET-01"], unjudged: {} }],
  [
    "of an edge",
    () => answered('{"reason":"slow down"}', 429),
    { broken: [], unjudged: { "a refusal for rate in a form of others (HTTP 429): limits come and go": 6 } },
  ],
] as const)
  test(`a limit with a code of the vendor's own is known ${title}`, async () => {
    const { broken, unjudged } = await judged(limits(change));
    expect({ broken, unjudged }).toEqual(found);
  });

test("a limit of the usage endpoint in other words is told as one that comes and goes", async () => {
  const { ids } = worldAt();
  const text = JSON.stringify({ statusCode: 429, message: "Slow down", error: "Too Many Requests" });
  const url = `${host}/v0/admin/projects/${ids["paid"]}/usage`;
  const limit = health({ method: "GET", url, body: null, answer: answered(text, 429) });
  const { unjudged } = await judged([limit, health(), { ...limit, sentAt_ms: 1_000 }]);
  expect(unjudged).toEqual({ "a refusal for rate (429) that breaks something: limits come and go": 2 });
});
