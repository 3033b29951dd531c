// Preflight: a mistake in the target file ends a run at once or leaves open what needs it, and accuses nobody
import { expect, test } from "@playwright/test";
import { contractSuite } from "../../contracts/suite.ts";
import { requestKey } from "../../harness/core/requestSpec.ts";
import { Secret } from "../../harness/core/secret.ts";
import type { Target } from "../../harness/targets/target.ts";
import { acceptsConnections } from "../../harness/transport/reach.ts";
import type { WireAnswer, WireRequest } from "../../harness/transport/wire.ts";
import { WireFault } from "../../harness/transport/wireFault.ts";
import { asVendor, type Between, keysOf, type Outcome, outcomeOf, type Trial } from "../support/probeSpecs.ts";
import { deadBase, vendor } from "../support/vendor.ts";
import { answered, answering } from "../support/vendorsInProcess.ts";

type Change = (target: Target) => Partial<Target>;

const base = "http://vendor.example";
const judged = (change: Change, between?: Between, only: Trial["only"] = null): Promise<Outcome> =>
  outcomeOf({
    suite: contractSuite,
    only,
    observe: [],
    target: (target) => {
      const known = asVendor({ offers: target.offers, perSecond: 100, apiPerSecond: {} })(target);
      return { ...known, bases: { admin: base, api: base, rpc: base }, allow: [], ...change(known) };
    },
    ...(between ? { between } : {}),
  });

const page: WireAnswer = { status: 200, headers: [["content-type", "text/html"]], body: Buffer.from("<html></html>") };
const to = (location: string): WireAnswer => ({
  status: 302,
  headers: [["location", location]],
  body: Buffer.from(""),
});
const nowhere = answered(404, { statusCode: 404, message: "Cannot GET", error: "Not Found" });
const dead: Between = () => () => Promise.reject(new WireFault("refused", "ECONNREFUSED"));

const unchanged: Change = () => ({});
const mistyped =
  (...which: readonly string[]): Change =>
  ({ keys }) => ({
    keys: new Map(
      [...keys].map(([role, key]) => [
        role,
        which.includes(role) ? { ...key, secret: new Secret(role, `mistyped-${role}`) } : key,
      ]),
    ),
  });
const onlyPaid: Change = ({ keys }) => ({ keys: keysOf({ keys } as Target, "paid") });
const ofAnother: Change = ({ keys }) => {
  const [paid, free] = [keys.get("paid"), keys.get("free")];
  if (!paid || !free) throw new Error("the target lacks a key");
  return { offers: ["usage"], keys: new Map([["paid", { ...paid, project: free.project }]]) };
};

const endings: readonly (readonly [what: string, says: string, change: Change, between?: Between])[] = [
  ["a dead host", `${base} doesn't answer (refused: ECONNREFUSED): check \`bases\``, unchanged, dead],
  [
    "a wrong base path",
    `${base} isn't this platform (it answers with HTTP 404): check \`bases\``,
    unchanged,
    answering(() => nowhere),
  ],
  [
    "a captive page",
    `${base} isn't this platform (it answers with a gateway page (HTTP 200, text/html))`,
    unchanged,
    answering(() => page),
  ],
  [
    "a redirect",
    "a redirect (HTTP 302 to https://login.example/)",
    unchanged,
    answering(() => to("https://login.example/")),
  ],
  ["a proxy that refuses", "it answers with HTTP 407", unchanged, answering(() => answered(407, {}))],
  [
    "an unknown key",
    `${base} doesn't know the key \`paid\`: check the value of its variable`,
    (target) => mistyped("paid")({ ...target, ...onlyPaid(target) }),
  ],
  [
    "the id of another key",
    `${base} refuses the project id (HTTP 400, §4.1) given with the key \`paid\`: check`,
    ofAnother,
  ],
];

for (const [what, says, change, between] of endings)
  test(`${what} ends the run by one sentence and few requests`, async () => {
    const outcome = await judged(change, between);
    const { verdicts, broken, held, inconclusive, exchanges, took_s } = outcome;
    expect({ broken, held }).toEqual({ broken: [], held: [] });
    expect(inconclusive.length).toBeGreaterThan(20);
    const reasons = verdicts.flatMap(({ verdict, reason }) => (verdict === "inconclusive" ? [reason] : []));
    expect(new Set(reasons).size).toBe(1);
    expect(reasons[0]).toContain(says);
    expect(exchanges.length).toBeLessThanOrEqual(11);
    expect(took_s).toBeLessThan(3);
  });

test("a dead host is asked without a key only, so that nothing is counted as spent", async () => {
  const { exchanges } = await judged(unchanged, dead);
  expect(exchanges.length).toBeGreaterThan(3);
  expect(exchanges.filter(({ asker }) => asker !== null)).toEqual([]);
});

const isAt =
  (path: RegExp) =>
  ({ url }: WireRequest): boolean =>
    path.test(new URL(url).pathname);
test("where one base is wrong, only what needs it is inconclusive, and nothing is paid for there", async () => {
  const asked: WireRequest[] = [];
  const isWallet = isAt(/^\/v1\/wallet/);
  const between = answering((request) => {
    if (isWallet(request)) asked.push(request);
    return isWallet(request) ? page : null;
  });
  const { broken, inconclusive, held } = await judged(unchanged, between);
  expect(broken).toEqual([]);
  expect(held).toEqual(expect.arrayContaining(["USG-HTTP-01", "TA-RES-01"]));
  expect(inconclusive.length).toBeGreaterThan(5);
  expect(inconclusive.filter((id) => !/^(WAL|MET|AUTH|GEN|VER|CRD)-/.test(id))).toEqual([]);
  expect(asked.length).toBe(3);
});

test("where one key is unknown, only what needs it is inconclusive, and another key is the owner's", async () => {
  const all = await judged(mistyped("paid"));
  expect(all.broken).toEqual([]);
  expect(all.held).toEqual(expect.arrayContaining(["USG-HTTP-01", "TA-RES-01"]));
  const reasons = all.verdicts.flatMap(({ verdict, reason }) => (verdict === "inconclusive" ? [reason] : []));
  expect(reasons.length).toBeGreaterThan(0);
  expect(reasons.filter((reason) => !reason?.includes("doesn't know the key `paid`"))).toEqual([]);
});

test("a platform that refuses a good key in one carrier, or hides from callers without one, is judged", async () => {
  const noHeaders = await judged(
    unchanged,
    answering(({ headers }) =>
      headers.some(([name]) => name.toLowerCase() === "x-api-key")
        ? answered(401, { statusCode: 401, message: "Missing or invalid API key", error: "Unauthorized" })
        : null,
    ),
    ["AUTH-ADM-HDR-01"],
  );
  expect(noHeaders.broken).toContain("AUTH-ADM-HDR-01");
  const hidden = await judged(
    unchanged,
    answering((request) =>
      isAt(/\/usage$/)(request) && !/api-?key/i.test(JSON.stringify([request.headers, request.url])) ? nowhere : null,
    ),
    ["AUTH-ADM-MISS-01"],
  );
  expect(hidden.broken).toContain("AUTH-ADM-MISS-01");
});

test("no request of the preflight is sent again, and no wallet is paid for where usage knows the key", async () => {
  const { exchanges } = await judged(onlyPaid);
  const first = exchanges
    .slice(0, 4)
    .map(({ requestSpec: { operation }, asker }) => `${operation} ${asker?.role ?? "anonymous"}`);
  expect(first.filter((one) => one === "getWalletBalances paid")).toEqual([]);
  const names = exchanges.map(({ requestSpec }) => requestKey(requestSpec));
  const again = names.slice(0, 5).filter((name) => names.filter((one) => one === name).length > 1);
  expect(again).toEqual([]);
});

test("whether anything accepts connections is seen", async () => {
  const there = await vendor(() => undefined);
  expect(await acceptsConnections(new URL(there.base), 10_000, {})).toBe(true);
  expect(await acceptsConnections(new URL(await deadBase()), 10_000, {})).toBe(false);
  await there.close();
});

test("only keys that the run calls with are tried", async () => {
  const { exchanges } = await outcomeOf({
    suite: contractSuite,
    only: ["AUTH-ADM-MISS-01"],
    observe: [],
    target: asVendor(),
  });
  expect(new Set(exchanges.flatMap(({ asker }) => asker?.role ?? []))).toEqual(new Set(["paid", "second"]));
});
