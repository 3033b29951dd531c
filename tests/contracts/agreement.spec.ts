// Agreement of two keys or carriers: what three reads in turn, up to three times, say of a difference (§1, §5.2)
import { expect, test } from "@playwright/test";
import { checks } from "../../contracts/usage/agreement.ts";
import { describeGot } from "../../harness/core/finding.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import type { Check, CheckContext } from "../../harness/model/check.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { type Change, type MadeRead, madeRead } from "./madeUsage.ts";

const [twoKeys, twoCarriers] = checks as readonly [Check, Check];

const roles: { readonly [asker: string]: string } = { owner: "paid", paid: "paid", second: "second" };
const target = {
  keys: new Map(["paid", "second"].map((role) => [role, { role }])),
  owner: "paid",
  interface: { askers: { owner: ["paid"], bystander: [] } },
};

const used = (...credits: readonly number[]): readonly MadeRead[] =>
  credits.map((one) => ({ change: { "/creditsUsed": one } }));

function readBy(requestSpec: RequestSpec, number: number, made: MadeRead): Exchange {
  const [carrier] = requestSpec.carriers;
  const asker = carrier && "keyOf" in carrier.key ? carrier.key.keyOf : "";
  return { ...madeRead({ number, asker: { role: roles[asker] ?? "" }, ...made }), requestSpec };
}

/** Reads of the run before the check. */
const by = (asker: "paid" | "second" | "owner", keyIn: "header" | "query", made: MadeRead): Exchange =>
  readBy({ carriers: [{ in: keyIn, key: { keyOf: asker } }] } as unknown as RequestSpec, 0, made);

/** Where reads show these documents in turn, the last of them again and again. */
async function judged(check: Check, reads: readonly MadeRead[], earlier: readonly Exchange[] = []) {
  const exchanges = [...earlier];
  const [askers, waits]: [string[], unknown[]] = [[], []];
  const context: Partial<CheckContext> = {
    target: target as unknown as CheckContext["target"],
    exchanges: () => exchanges,
    fresh: (requestSpec) => ({ ...requestSpec, issued: askers.length }),
    wait: (...wait) => Promise.resolve(void waits.push(wait)),
    ask: (requestSpec) => {
      const [carrier] = requestSpec.carriers;
      const exchange = readBy(requestSpec, askers.length + 1, reads[Math.min(askers.length, reads.length - 1)] ?? {});
      askers.push(`${carrier && "keyOf" in carrier.key ? carrier.key.keyOf : ""} ${carrier?.in}`);
      exchanges.push(exchange);
      return Promise.resolve(exchange);
    },
  };
  const found = await check.run(context as CheckContext).then(
    (shown) =>
      shown.map(({ exchange: { number }, finding }) =>
        finding.outcome === "broken"
          ? `${number} ${finding.at} ${finding.expected}, not ${describeGot(finding.got)}`
          : `${number} ${finding.outcome}`,
      ),
    (error: unknown) => [(error as Error).message],
  );
  return { found: found.join("; "), reads: askers.length, askers, waits };
}

const outcomeOf = async (...some: Parameters<typeof judged>): Promise<readonly [found: string, reads: number]> => {
  const { found, reads } = await judged(...some);
  return [found, reads];
};

test("two keys of a project, and two carriers of a key, are read in turn, each time anew", async () => {
  expect([twoKeys.ids, twoCarriers.ids, twoKeys.feature]).toEqual([["MET-SCOPE-02"], ["AUTH-ADM-EQ-01"], "usage"]);
  expect((await judged(twoKeys, used(500))).askers).toEqual(["paid either", "second either", "paid either"]);
  expect((await judged(twoCarriers, used(500))).askers).toEqual(["owner header", "owner query", "owner header"]);
  const planned = ({ needs }: Check) => needs.requests.map(({ carriers: [one], again }) => [one, again]);
  const key = (keyOf: string, keyIn: string) => ({ in: keyIn, key: { keyOf } });
  expect(planned(twoKeys)).toEqual([
    [key("paid", "either"), undefined],
    [key("second", "either"), undefined],
    [key("paid", "either"), 1],
  ]);
  expect(planned(twoCarriers)).toEqual([
    [key("owner", "header"), undefined],
    [key("owner", "query"), undefined],
    [key("owner", "header"), 1],
  ]);
});

const next = "/creditCycle/start";
const [below, above] = [used(500, 490, 500), used(500, 510, 500)];
const three = (some: readonly MadeRead[]): readonly MadeRead[] => [...some, ...some, ...some];
const inNext = (some: readonly MadeRead[]): readonly MadeRead[] =>
  some.map(({ change }, nth) => ({ change: { ...change, ...(nth === 1 && { [next]: "2025-03-28" }) } }));
const without = (nth: number, at: string): readonly MadeRead[] =>
  [0, 1, 2].map((one) => ({ change: one === nth ? { [at]: undefined } : { [at]: one === 1 ? 490 : 500 } }));

/** By creditsUsed of reads in turn. */
const differences: readonly (readonly [what: string, reads: readonly MadeRead[], found: string, count: number])[] = [
  ["none", used(500), "2 held", 3],
  ["within what grew meanwhile", used(500, 505, 510), "2 held", 3],
  ["as little as before", used(500, 500, 510), "2 held", 3],
  ["as much as after", used(500, 510, 510), "2 held", 3],
  ["within what fell meanwhile", used(510, 505, 500), "2 held", 3],
  ["once", [...below, ...used(500)], "5 held", 6],
  ["twice", [...below, ...below, ...used(500)], "8 held", 9],
  ["less once, more the next time", [...below, ...above], "5 held", 6],
  ["more once, less the next time", [...above, ...below], "5 held", 6],
  [
    "another figure the next time",
    [...below, ...used(500), { change: { "/credits/das": 90 } }, ...used(500)],
    "5 held",
    6,
  ],
  ["less each time", [...three(below), ...used(500)], '8 /creditsUsed 500, as read before and after, not "490"', 10],
  ["more each time", [...three(above), ...used(500)], '8 /creditsUsed 500, as read before and after, not "510"', 10],
  [
    "more than what grew",
    [...three(used(500, 520, 510)), ...used(510)],
    '8 /creditsUsed from 500 to 510, as read before and after, not "520"',
    10,
  ],
  [
    "less than what fell",
    [...three(used(510, 490, 500)), ...used(500)],
    '8 /creditsUsed from 500 to 510, as read before and after, not "490"',
    10,
  ],
  ["less each time, until the first key shows as little", [...three(below), ...used(490)], "10 held", 10],
  ["less each time, until the first key shows less", [...three(below), ...used(480)], "10 held", 10],
  ["more each time, until the first key shows as much", [...three(above), ...used(510)], "10 held", 10],
  ["more each time, until the first key shows more", [...three(above), ...used(520)], "10 held", 10],
  ["a cycle that began meanwhile", [...inNext(below), ...used(500)], "5 held", 6],
  [
    "less each time but for a cycle that began meanwhile",
    [...inNext(below), ...below, ...below, ...used(500)],
    '8 /creditsUsed 500, as read before and after, not "490"',
    10,
  ],
  [
    "cycles that began each time",
    three(inNext(used(500, 500, 500))),
    "a new cycle began between the reads, every time",
    9,
  ],
  ["no figure before", without(0, "/prepaidCreditsUsed"), "2 held", 3],
  ["no figure between", without(1, "/prepaidCreditsUsed"), "2 held", 3],
  ["no figure after", without(2, "/prepaidCreditsUsed"), "2 held", 3],
];

for (const [what, reads, found, count] of differences)
  test(`a difference between keys: ${what}: ${found}`, async () => {
    expect(await outcomeOf(twoKeys, reads)).toEqual([found, count]);
  });

test("of several figures that differ the first is told", async () => {
  const change: Change = { "/creditsUsed": 490, "/credits/rpc": 230 };
  const [{ found }, { found: some }] = [
    await judged(twoKeys, [...three([{}, { change }, {}]), {}]),
    await judged(twoKeys, [...three([{}, { change }, {}]), { change: { "/creditsUsed": 490 } }]),
  ];
  expect(found).toBe('8 /creditsUsed 500, as read before and after, not "490"');
  expect(some).toBe('8 /credits/rpc 240, as read before and after, not "230"');
});

test("replicas have 25 s to show the same before a difference counts", async () => {
  expect((await judged(twoKeys, three(below))).waits).toEqual([[25_000, "charges"]]);
  expect((await judged(twoKeys, used(500))).waits).toEqual([]);
});

const low: MadeRead = { change: { "/creditsUsed": 490 } };
const [differs, agrees] = ['8 /creditsUsed 500, as read before and after, not "490"', "10 held"];

/** What differs each time may have been read before, in the same way. */
const before: readonly (readonly [what: string, keys: string, carriers: string, earlier: readonly Exchange[]])[] = [
  ["nothing", differs, differs, []],
  ["as little by the same key in the header", agrees, agrees, [by("paid", "header", low)]],
  ["as little by the same key in the query", agrees, differs, [by("paid", "query", low)]],
  ["as little by the other key", differs, differs, [by("second", "header", low)]],
  ["more by the same key", differs, differs, [by("paid", "header", used(600)[0] ?? {})]],
  [
    "as little in another cycle",
    differs,
    differs,
    [by("paid", "header", { change: { ...low.change, [next]: "2025-01-28" } })],
  ],
  ["as little of another's project", differs, differs, [by("paid", "header", { ...low, isOwn: false })]],
  ["no figure", differs, differs, [by("paid", "header", { change: { "/creditsUsed": undefined } })]],
];

for (const [what, keys, carriers, earlier] of before)
  test(`before a difference was read: ${what}`, async () => {
    const reads = [...three(below), ...used(500)];
    expect(await outcomeOf(twoKeys, reads, earlier)).toEqual([keys, 10]);
    expect(await outcomeOf(twoCarriers, reads, earlier)).toEqual([carriers, 10]);
  });

test("reads that aren't served say nothing", async () => {
  for (const [statuses, text] of [
    [[403, 200, 200], "403, 200, 200"],
    [[200, 403, 200], "200, 403, 200"],
    [[200, 200, 403], "200, 200, 403"],
  ] as const)
    expect(
      await outcomeOf(
        twoKeys,
        statuses.map((status) => ({ status })),
      ),
    ).toEqual([`the reads got ${text}`, 3]);
});

test("zeros could be any project's, but are the same by both carriers", async () => {
  const reason = "nothing was consumed in this cycle, so its zeros could be any project's";
  for (const nothing of [0, undefined]) {
    const reads = [{ change: { "/creditsUsed": nothing } }];
    expect([await outcomeOf(twoKeys, reads), await outcomeOf(twoCarriers, reads)]).toEqual([
      [reason, 3],
      ["2 held", 3],
    ]);
  }
  expect(await outcomeOf(twoKeys, used(1))).toEqual(["2 held", 3]);
});
