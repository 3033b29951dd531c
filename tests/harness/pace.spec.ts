// Pace and consent: how fast requests leave, and what the target must allow first.
import { expect, test } from "@playwright/test";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { realClock, virtualClock } from "../../harness/core/clock.ts";
import type { Interface, KnownProject, Operation } from "../../harness/core/interface.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import type { Consent, Target } from "../../harness/targets/target.ts";
import { curlOf } from "../../harness/transport/rendering.ts";
import { paceOf } from "../../harness/transport/requestLimiter.ts";
import { transportTo } from "../../harness/transport/transport.ts";
import { smallTargetAt } from "../support/judgedFaults.ts";

type OperationId = Operation["id"];

const operations = [
  { id: "placeOrder", irreversible: '"method":\\s*"placeOrder"' },
  { id: "countOrders" },
] as unknown as readonly Operation[];

const tables: Interface = {
  ...dataPlatform,
  operations: operations.map((one) => ({
    ...one,
    api: "rpc",
    feature: "usage",
    errors: "none",
    credits: null,
    members: {},
  })),
  limits: [{ operation: "placeOrder" as OperationId, perSecond: 5, clause: "§8" }],
};

const rpc = (method: string, as: "paid" | null = "paid"): RequestSpec => ({
  operation: null,
  api: "rpc",
  method: "POST",
  path: ["/"],
  carriers: as ? [{ in: "header", key: { keyOf: as } }] : [],
  json: { method },
});

const base = "http://127.0.0.1:1";
const small = smallTargetAt(base);

function target(change: Partial<Target>, project: Partial<KnownProject> = {}): Target {
  const keys = [...small.keys].map(
    ([role, key]) => [role, { ...key, project: { ...key.project, ...project } }] as const,
  );
  return { ...small, interface: tables, bases: { rpc: base }, apiPerSecond: {}, keys: new Map(keys), ...change };
}

for (const [title, of, requestSpec, pace] of [
  ["the target's pace", target({ perSecond: 3 }), rpc("countOrders"), 3],
  ["one less than the limit of an operation", target({ perSecond: 10 }), rpc("placeOrder"), 4],
  ["the target's pace, if below that limit", target({ perSecond: 2 }), rpc("placeOrder"), 2],
  ["that of the API, if it has one", target({ perSecond: 10, apiPerSecond: { rpc: 6 } }), rpc("countOrders"), 6],
  ["the target's pace, if below that of the API", target({ perSecond: 1, apiPerSecond: { rpc: 6 } }), rpc("x"), 1],
  ["four fifths of the project's limit", target({ perSecond: 10 }, { generalPerSecond: 5 }), rpc("countOrders"), 4],
  ["the pace of a test project", target({ perSecond: 3 }, { ownPerSecond: 50 }), rpc("countOrders"), 50],
  ["without a key, the target's pace", target({ perSecond: 9 }, { generalPerSecond: 5 }), rpc("countOrders", null), 9],
] as const) {
  test(`the pace is ${title}`, () => expect(paceOf(of, requestSpec)).toBe(pace));
}

/** How many requests reached the wire, one by one and as a schedule. */
async function reached(of: Target, requestSpec: RequestSpec) {
  let requests = 0;
  const answer = { status: 200, headers: [], body: Buffer.from("{}") };
  const wire = () => Promise.resolve((requests++, answer));
  const transport = transportTo(of, wire, virtualClock(0));
  const fire = () => Promise.resolve([{ sent_ms: 0, received_ms: (requests++, 1), outcome: answer }]);
  const all = await Promise.allSettled([
    transport.send(requestSpec),
    transport.sendSchedule([{ at_ms: 0, requestSpec }], { name: "none", fire }),
  ]);
  const errors = all.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
  expect(transport.spent.requests).toBe(requests);
  return { requests, error: [...new Set(errors)].join() };
}

const irreversible = rpc("placeOrder");
const allow = ["placeOrder" as Consent];

test("what can't be undone isn't sent without consent, whatever the request spec claims to be", async () => {
  const refused = { requests: 0, error: expect.stringContaining("refused to send placeOrder") as unknown };
  expect(await reached(target({}), irreversible)).toEqual(refused);
  expect(await reached(target({}), { ...irreversible, operation: "countOrders" as OperationId })).toEqual(refused);
  expect(await reached(target({ allow: ["throttle", "paidProbes"] }), irreversible)).toEqual(refused);
});

test("it is sent with consent, and on the reference", async () => {
  expect(await reached(target({ allow }), irreversible)).toEqual({ requests: 2, error: "" });
  expect(await reached(target({ isReference: true }), irreversible)).toEqual({ requests: 2, error: "" });
});

for (const [title, change, agent] of [
  ["its name alone, where no version is given", {}, "assay"],
  ["its version and the contact", { version: "1.2.3", contact: "qa@acme.example" }, "assay/1.2.3 (+qa@acme.example)"],
] as const)
  test(`the User-Agent of each request has ${title}, and the curl line leaves it out`, async () => {
    const answer = { status: 200, headers: [], body: Buffer.from("{}") };
    const { sent } = await transportTo(target(change), () => Promise.resolve(answer), virtualClock(0)).send(rpc("x"));
    expect(sent.headers.filter(([name]) => name === "user-agent")).toEqual([["user-agent", agent]]);
    expect(curlOf(sent)).not.toContain("assay/");
  });

test("other requests need no consent", async () => {
  expect(await reached(target({}), rpc("countOrders"))).toEqual({ requests: 2, error: "" });
});

test("a pause that is due already takes no time, and Node warns of none", async () => {
  const warnings: string[] = [];
  const heard = ({ message }: Error): void => void warnings.push(message);
  process.on("warning", heard);
  await realClock.sleep(-realClock.now_ms());
  process.off("warning", heard);
  expect(warnings).toEqual([]);
});
