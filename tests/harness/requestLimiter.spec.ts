// The request limiter: which requests share a pace, and how a platform's refusals and headers change it.
import { expect, test } from "@playwright/test";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { steppedClock, type Wait } from "../../harness/core/clock.ts";
import type { Operation } from "../../harness/core/interface.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import type { Target } from "../../harness/targets/target.ts";
import { retryAfter_ms, statedIn } from "../../harness/transport/rateHeaders.ts";
import { transportTo } from "../../harness/transport/transport.ts";
import type { Wire, WireAnswer } from "../../harness/transport/wire.ts";
import { smallTargetAt } from "../support/judgedFaults.ts";

/** Two features of one API, and one of another. */
const featureOf = { countOrders: "tokenAccounts", countParcels: "compression", countWallets: "wallet" } as const;
type Name = keyof typeof featureOf;
const apiOf = (name: Name): "api" | "rpc" => (name === "countWallets" ? "api" : "rpc");
const operations = (Object.keys(featureOf) as Name[]).map((id) => ({
  id: id as Operation["id"],
  api: apiOf(id),
  feature: featureOf[id],
  method: "POST",
  path: "/",
  credits: null,
  errors: "none",
  answers: [],
  members: {},
}));
const base = "http://127.0.0.1:1";
const target = {
  ...smallTargetAt(base),
  interface: { ...dataPlatform, operations, limits: [] },
  bases: { rpc: base, api: base },
  apiPerSecond: {},
  perSecond: 2,
};

let numbered = 0;
const call = (name: Name): RequestSpec => ({
  operation: name as Operation["id"],
  api: apiOf(name),
  method: "POST",
  path: ["/"],
  carriers: [{ in: "header", key: { keyOf: "paid" } }],
  json: { method: name, id: (numbered += 1) },
});

type Headers = WireAnswer["headers"];
const answer = (status: number, headers: Headers = []): WireAnswer => ({ status, headers, body: Buffer.from("{}") });

/** Sends each of these names so often, in parallel, and gives when each request arrived, in s, and how many waited. */
async function arrivals(
  names: readonly Name[],
  times: number,
  answered: (at_s: number, name: Name) => WireAnswer,
  change: Partial<Target> = {},
  onWait: (wait: Wait) => void = () => undefined,
) {
  const clock = steppedClock(0);
  const arrived: { readonly at_s: number; readonly name: Name }[] = [];
  const wire: Wire = ({ body }) => {
    const name = (JSON.parse(body ?? "") as { readonly method: Name }).method;
    arrived.push({ at_s: clock.now_ms() / 1000, name });
    return Promise.resolve(answered(clock.now_ms() / 1000, name));
  };
  const transport = transportTo({ ...target, ...change }, wire, clock, {
    onEvent: ({ event: _, ...wait }) => onWait(wait),
  });
  await Promise.all(
    names.map(async (name) => {
      for (let nth = 0; nth < times; nth += 1) await transport.send(call(name));
    }),
  );
  return arrived;
}

const timesOf = (arrived: Awaited<ReturnType<typeof arrivals>>, of: readonly Name[]): readonly number[] =>
  arrived.filter(({ name }) => of.includes(name)).map(({ at_s }) => at_s);
/** The shortest time between two requests of these names from some time on, in s. */
const closest = (arrived: Awaited<ReturnType<typeof arrivals>>, of: readonly Name[], from_s = 0): number => {
  const times = timesOf(arrived, of).filter((at_s) => at_s >= from_s);
  return Math.min(...times.slice(1).map((at_s, nth) => at_s - (times[nth] ?? 0)));
};
const all: readonly Name[] = ["countOrders", "countParcels", "countWallets"];
const served = () => answer(200);

test("each feature of a vendor keeps the pace by itself", async () => {
  const arrived = await arrivals(all, 6, served);
  for (const name of all) expect(timesOf(arrived, [name])).toEqual([0, 0.5, 1, 1.5, 2, 2.5]);
});

test("after a refusal beside a busy feature of the API, the API shares a pace; others keep theirs", async () => {
  let refusals = 0;
  const arrived = await arrivals(all, 12, (at_s, name) =>
    at_s === 1 && name === "countParcels" && (refusals += 1) === 1 ? answer(429) : served(),
  );
  expect(closest(arrived, ["countOrders", "countParcels"], 1.1)).toBeGreaterThanOrEqual(0.5);
  expect(timesOf(arrived, ["countWallets"]).slice(0, 12)).toEqual(Array.from({ length: 12 }, (_, nth) => nth / 2));
});

test("after refusals while only another API was busy, all general scopes share one pace", async () => {
  const names: readonly Name[] = ["countOrders", "countWallets"];
  const arrived = await arrivals(names, 12, (at_s, name) =>
    at_s === 1 && name === "countOrders" ? answer(429) : served(),
  );
  expect(closest(arrived, names, 1.1)).toBeGreaterThanOrEqual(0.5);
});

test("a refusal while no other scope was busy halves the pace, which recovers slowly, and not beyond", async () => {
  const arrived = await arrivals(["countOrders"], 120, (at_s) => (at_s === 1 ? answer(429) : served()));
  const times = timesOf(arrived, ["countOrders"]);
  const pause = (nth: number): number => (times[nth + 1] ?? 0) - (times[nth] ?? 0);
  expect([pause(0), pause(1)]).toEqual([0.5, 0.5]);
  expect(pause(3)).toBeCloseTo(1, 1);
  expect(pause(60)).toBeLessThan(pause(10));
  expect(closest(arrived, ["countOrders"])).toBeCloseTo(0.5, 5);
  expect(pause(118)).toBeCloseTo(0.5, 5);
});

test("however often a scope is refused, it goes on once in 5 s", async () => {
  const times = timesOf(await arrivals(["countOrders"], 12, () => answer(429)), ["countOrders"]);
  expect((times[11] ?? 0) - (times[10] ?? 0)).toBeCloseTo(5, 5);
});

const policy: Headers = [["ratelimit-policy", '"burst";q=1000;w=3600, "default";q=60;w=60']];
test("a stated rate below the pace is kept from the first answer on", async () => {
  const arrived = await arrivals(["countOrders"], 5, () => answer(200, policy));
  expect(timesOf(arrived, ["countOrders"])).toEqual([0, 1, 2, 3, 4]);
});

const spent: Headers = [
  ["x-ratelimit-remaining", "0"],
  ["x-ratelimit-reset", "3"],
];
test("where nothing remains, the whole API rests until the reset; a reset of tomorrow is a quota's", async () => {
  const resting = await arrivals(["countOrders", "countParcels"], 2, (at_s) => answer(200, at_s === 0 ? spent : []));
  expect(timesOf(resting, ["countOrders", "countParcels"])).toEqual([0, 0, 3, 3]);
  const quota: Headers = [spent[0] ?? ["", ""], ["x-ratelimit-reset", "86400"]];
  expect(timesOf(await arrivals(["countOrders"], 3, () => answer(200, quota)), all)).toEqual([0, 0.5, 1]);
});

test("near a limit of its own a refusal slows its scope alone, a further one is taken for a shared limit", async () => {
  const limits = [{ operation: "countOrders" as Operation["id"], perSecond: 5, clause: "§8" }];
  const change = { perSecond: 4.9, apiPerSecond: { rpc: 4.9 }, interface: { ...target.interface, limits } };
  const names: readonly Name[] = ["countOrders", "countWallets"];
  const refusing = (most: number) => {
    let refusals = 0;
    return (at_s: number, name: Name) =>
      at_s > 1 && name === "countOrders" && (refusals += 1) <= most ? answer(429) : answer(200);
  };
  const once = await arrivals(names, 30, refusing(1), change);
  expect(closest(once, ["countOrders"], 2)).toBeCloseTo(0.25, 5);
  expect(closest(once, ["countWallets"])).toBeCloseTo(1 / 4.9, 5);
  expect(closest(once, names, 2)).toBeLessThan(0.2);
  expect(closest(await arrivals(names, 30, refusing(2), change), names, 3)).toBeGreaterThan(0.2);
});

test("where our own requests are all that a window allows, the next one waits until the first leaves it", async () => {
  const limited: Headers = [
    ["ratelimit", "limit=5, remaining=0, reset=1"],
    ["ratelimit-policy", "5;w=1"],
  ];
  const answered = (at_s: number) => answer(200, at_s < 1 && at_s > 0.7 ? limited : []);
  const change = { perSecond: 4.9, apiPerSecond: { rpc: 4.9 } };
  const times = timesOf(await arrivals(["countOrders"], 6, answered, change), ["countOrders"]);
  expect(times[5]).toBeCloseTo(1.05, 2);
  // A slower pace can't have used the window up, so others have.
  const slower = { perSecond: 2, apiPerSecond: { rpc: 2 } };
  const spentAt1 = (at_s: number) => answer(200, at_s === 1 ? limited : []);
  expect(timesOf(await arrivals(["countOrders"], 4, spentAt1, slower), ["countOrders"])).toEqual([0, 0.5, 1, 2]);
});

test("a rest while several wait costs none its turn, and such waits are told", async () => {
  const limited: Headers = [
    ["ratelimit", "limit=5, remaining=0, reset=1"],
    ["ratelimit-policy", "5;w=1"],
  ];
  const change = { perSecond: 4.9, apiPerSecond: { rpc: 4.9 } };
  const answered = (at_s: number) => answer(200, at_s === 0 ? limited : []);
  const waits: Wait[] = [];
  const names: readonly Name[] = ["countOrders", "countParcels"];
  const times = timesOf(await arrivals(names, 2, answered, change, (wait) => waits.push(wait)), names);
  const pauses = times.slice(1).map((at_s, nth) => at_s - (times[nth] ?? 0));
  expect(pauses.map((pause_s) => Number(pause_s.toFixed(3)))).toEqual([0.234, 0.204, 0.204]);
  expect(waits.map(({ on }) => on)).toEqual(["limits", "limits", "limits"]);
});

test("the pace of a vendor as such is no wait for limits, a rest after a burst is", async () => {
  const waits: Wait[] = [];
  const note = (wait: Wait) => waits.push(wait);
  await arrivals(["countOrders"], 3, served, {}, note);
  expect(waits).toEqual([]);
  await arrivals(["countOrders"], 2, (at_s) => answer(200, at_s === 0 ? spent : []), {}, note);
  expect(waits).toEqual([{ on: "limits", from_ms: 0, duration_ms: 3_000 }]);
});

const now_ms = Date.parse("2026-03-01T12:00:00Z");
const date: Headers[number] = ["date", "Sun, 01 Mar 2026 12:01:30 GMT"];
for (const [title, headers, wait_ms] of [
  ["in seconds", [["retry-after", "7"]], 7_000],
  ["as a date, by the platform's clock", [["retry-after", "Sun, 01 Mar 2026 12:01:35 GMT"], date], 5_000],
  ["as a date in the past", [["retry-after", "Sun, 01 Mar 2026 11:00:00 GMT"]], 0],
  ["as nothing that can be read", [["retry-after", "soon"]], 0],
  ["not at all", [], 0],
] as const)
  test(`Retry-After asks for a wait ${title}`, () => expect(retryAfter_ms({ headers }, now_ms)).toBe(wait_ms));

const none = Number.POSITIVE_INFINITY;
for (const [title, headers, stated] of [
  ["nothing", [], { rest_ms: 0, perSecond: none }],
  [
    "what remains",
    [
      ["x-ratelimit-remaining", "4"],
      ["x-ratelimit-reset", "1"],
    ],
    { rest_ms: 0, perSecond: none },
  ],
  [
    "a reset in seconds",
    [
      ["ratelimit-remaining", "0"],
      ["ratelimit-reset", "2"],
    ],
    { rest_ms: 2_000, perSecond: none },
  ],
  [
    "a reset as Unix time",
    [
      ["x-ratelimit-remaining", "0"],
      ["x-ratelimit-reset", `${now_ms / 1000 + 3}`],
    ],
    { rest_ms: 3_000, perSecond: none },
  ],
  [
    "a reset as Unix time in ms, by a clock 90 s fast",
    [["x-ratelimit-remaining", "0"], ["x-ratelimit-reset", `${now_ms + 94_000}`], date],
    { rest_ms: 4_000, perSecond: none },
  ],
  ["an early draft", [["ratelimit", "limit=5, remaining=0, reset=4"]], { rest_ms: 4_000, perSecond: none }],
  [
    "a late draft",
    [
      ["ratelimit", '"day";r=9;t=900, "default";r=0;t=2'],
      ["ratelimit-policy", '"default";q=3;w=2'],
    ],
    { rest_ms: 2_000, perSecond: 1.5, window_s: 2 },
  ],
  ["a limit with its window", [["x-ratelimit-limit", "10, 10;w=20"]], { rest_ms: 0, perSecond: 0.5, window_s: 20 }],
  ["a daily quota alone", [["ratelimit-policy", '"day";q=1000;w=86400']], { rest_ms: 0, perSecond: none }],
] as const)
  test(`rate headers that state ${title} are read`, () => expect(statedIn({ headers }, now_ms)).toMatchObject(stated));
