// Refusals that answer another question: limits, quotas, lag and silence cost what they concern, and accuse nobody.
import { expect, test } from "@playwright/test";
import { bare, type Habit, judgedWith, limited, refusal } from "../support/hinderedVendors.ts";

const upgrade = "1/second request limit reached - reduce calls per second or upgrade your account";

for (const [code, message, alsoBroken] of [
  [-32007, upgrade, []],
  [429, "Connection rate limits exceeded", ["EXT-JR-08"]],
  [-32016, "over", []],
  [-32000, "429 Too Many Requests: over rate limit", []],
] as const)
  test(`a limit that is shown by ${code} slows a run down, and breaks what its code and its words do`, async () => {
    const { broken, held, inconclusive, refused, sent } = await judgedWith(limited(code, message), ["CB"]);
    const ownCodes = code === -32000 ? [] : ["ERR-CMP-SET-01", ...alsoBroken];
    expect(broken.filter((id) => id !== "ERR-TA-SET-01").sort()).toEqual(ownCodes.sort());
    expect(held).toEqual(expect.arrayContaining(["CB-HASH-01", "CB-NULL-01", "CB-BAD-01"]));
    expect(inconclusive).toEqual([]);
    expect(refused).toBeLessThan(sent / 5);
  });

test("a malformed request that is always refused for its rate, and sound ones never, is found", async () => {
  const isMalformed = (params: string): boolean => params === '{"address":5}' || params === '{"hash":"0O"}';
  const { broken } = await judgedWith(
    (met) => (isMalformed(met.params) ? refusal(met, -32005, "Too many requests") : null),
    ["CB"],
  );
  expect(broken).toEqual(["CB-BAD-01"]);
});

for (const [kind, by, habit] of [
  ["HTTP 402", "quota", () => bare(402, "monthly quota exhausted")],
  ["an error that says so", "quota", (met) => refusal(met, -32010, "credits are used up")],
  ["an error that says nothing", "refusal", (met) => refusal(met, -32050, "computer says no")],
  ["HTTP 418", "refusal", () => bare(418, "short and stout")],
  ["maintenance", "maintenance", (met) => refusal(met, -32011, "down for maintenance")],
  ["silence", "silence", () => "silence"],
] as const satisfies readonly (readonly [string, string, Habit])[])
  test(`once everything is refused by ${kind}, the rest is inconclusive, and little is sent`, async () => {
    const seen = await judgedWith((met) => (met.nth >= 26 ? habit(met) : null));
    expect(seen.broken.filter((id) => !/-SET-01$/.test(id))).toEqual([]);
    const [{ by: named, from } = { by: null, from: 0 }] = seen.outages;
    // The first that is refused may be another caller's.
    expect([named, [26, 27].includes(from)]).toEqual([by, true]);
    const expected = by === "silence" ? "stopped answering at 0:06 (connection refused)" : `from request ${from} on `;
    expect(seen.reasons).toEqual([expect.stringContaining(expected)]);
    expect(seen.inconclusive.length).toBeGreaterThan(20);
    expect(seen.refused).toBeLessThan(20);
  });

test("a quota is named with the platform's words", async () => {
  const { reasons } = await judgedWith(({ nth }) => (nth >= 26 ? bare(402, "monthly\n quota exhausted") : null));
  expect(reasons).toEqual([
    expect.stringMatching(
      /^from request 2\d on every answer was HTTP 402 "monthly quota exhausted": the key's quota may be used up$/,
    ),
  ]);
});

test("a request that is refused like a quota while sound ones are served is judged", async () => {
  const { broken } = await judgedWith(
    ({ params }) => (params.includes('"before":1') ? bare(402, "Payment Required") : null),
    ["TA-BAD"],
  );
  expect(broken).toContain("TA-BAD-01");
});

test("an outage that ends before the run does costs nothing", async () => {
  let until_ms = Number.POSITIVE_INFINITY;
  const { broken, inconclusive, outages } = await judgedWith(({ nth, now_ms }) => {
    if (nth === 26) until_ms = now_ms + 12_000;
    return nth >= 26 && now_ms < until_ms ? "silence" : null;
  });
  expect([broken, inconclusive]).toEqual([[], []]);
  expect(outages.at(-1)).toMatchObject({ by: "silence", until: expect.any(Number) });
});

test("an index that is behind is no limit: nothing waits for it, and the rest of compression is tested", async () => {
  const behind = (met: Parameters<Habit>[0]) =>
    met.method === "getIndexerHealth" && /api-key=|x-api-key/i.test(JSON.stringify(met.request))
      ? refusal(met, -32005, `Node is behind by ${met.nth} slots`)
      : null;
  const seen = await judgedWith(behind, ["IH", "CB", "NAP"]);
  expect([seen.broken, seen.inconclusive]).toEqual([[], []]);
  expect(seen.held).toEqual(expect.arrayContaining(["CB-HASH-01", "NAP-RES-01"]));
  expect(seen.outages).toEqual([
    expect.objectContaining({ by: "lag", outcome: expect.stringContaining("is behind by") }),
  ]);
  const health = seen.verdicts.find(({ id }) => id === "IH-OK-01");
  expect(health).toMatchObject({ verdict: "withheld", reason: expect.stringContaining("the index is behind: -32005") });
  expect(seen.waits).toEqual([]);
});
