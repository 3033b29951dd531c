// Bundles cost money: sent with consent only, no more than planned, and never again after an unclear answer.
import { expect, test } from "@playwright/test";
import { privateKeyOf } from "../../contracts/bundles/privateKey.ts";
import { payerNamed, payerOf } from "../../contracts/bundles/transactions.ts";
import { bytesOf } from "../../contracts/shared/base58.ts";
import { suite } from "../../contracts/suite.ts";
import { Secret } from "../../harness/core/secret.ts";
import { Engine, type EngineOptions } from "../../harness/engine/engine.ts";
import type { Target } from "../../harness/target/target.ts";
import type { Wire, WireAnswer, WireRequest } from "../../harness/transport/wire.ts";
import { WireFault } from "../../harness/transport/wireFault.ts";
import { inProcess } from "../../proof/inProcess.ts";

const secret = "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi";

interface Sent {
  /** Texts that could be transactions, call by call. */
  readonly bundles: readonly string[];
  readonly engine: Engine;
}

/**
 * The reference judged as if it were a vendor's, all but the unspecified behaviours; `instead` answers calls of
 * sendBundle.
 */
async function judged(change: Partial<Target>, instead?: Wire): Promise<Sent> {
  const { target, wire, ...rest } = inProcess(suite);
  const { control: _, ...vendor } = target;
  const bundles: string[] = [];
  const spying: Wire = (request, signal) => {
    const body = typeof request.body === "string" ? request.body : "";
    const isBundle = body.includes('"sendBundle"') && /[\w+/=-]{86}/.test(body);
    if (isBundle) bundles.push(JSON.stringify((JSON.parse(body) as { params: readonly unknown[] }).params[0]));
    return isBundle && instead ? instead(request, signal) : wire(request, signal);
  };
  const options: EngineOptions = {
    ...rest,
    wire: spying,
    target: { ...vendor, isReference: false, offers: ["bundles"], perSecond: 1000, ...change },
  };
  const engine = new Engine(options);
  await engine.run();
  return { bundles, engine };
}

const { bundles: money } = inProcess(suite).target;
const paid: Partial<Target> = money
  ? { allow: ["sendBundle"], bundles: { ...money, payer: new Secret("payer", secret) } }
  : {};

test("without consent, payer or tip account nothing is sent that could be a transaction, probes included", async () => {
  const { bundles: _, ...unpaid } = paid;
  for (const change of [
    { allow: [] },
    { allow: ["throttle"] },
    { ...paid, allow: ["throttle"] },
    unpaid,
    { ...paid, ...(money ? { bundles: money } : {}) },
  ] as const)
    expect((await judged(change)).bundles).toEqual([]);
});

/** An envelope with the id of its call. */
const enveloped = ({ body }: WireRequest, members: object): WireAnswer => {
  const { id } = JSON.parse(String(body)) as { readonly id: number };
  return {
    status: 200,
    headers: [["content-type", "application/json"]],
    body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, ...members })),
  };
};

test("with consent no more bundles are accepted than the plan counts", async () => {
  let taken = 0;
  const { bundles, engine } = await judged({ ...paid }, (request) => {
    taken += 1;
    return Promise.resolve(enveloped(request, { result: taken.toString(16).padStart(64, "0") }));
  });
  expect(bundles.length).toBeGreaterThan(20);
  expect(taken).toBeLessThanOrEqual(engine.plan.sends.calls);
});

const page = (status: number, text: string): Wire => {
  const answer: WireAnswer = { status, headers: [["content-type", "text/html"]], body: Buffer.from(text) };
  return () => Promise.resolve(answer);
};

const unclear: readonly (readonly [title: string, how: Wire])[] = [
  ["a server error", page(500, "<h1>Internal Server Error</h1>")],
  ["a gateway that gave up", page(504, "")],
  [
    "an error of the server in an envelope",
    (request) => Promise.resolve(enveloped(request, { error: { code: -32603, message: "Internal error" } })),
  ],
  ["a connection that was cut", () => Promise.reject(new WireFault("reset", "the connection was reset"))],
];

for (const [title, how] of unclear) {
  test(`after ${title} no bundle is sent again`, async () => {
    const { bundles, engine } = await judged(paid, how);
    expect(bundles.length).toBeGreaterThan(0);
    expect(new Set(bundles).size).toBe(bundles.length);
    expect(engine.brokenIds).toEqual([]);
  });
}

test("who pays is the target's payer", async () => {
  const { bundles } = await judged(paid);
  const { publicKey } = payerNamed("anybody");
  const texts = bundles.flatMap((listed) => JSON.parse(listed) as unknown).filter((text) => typeof text === "string");
  const bytes = texts.flatMap((text) => [Buffer.from(text, "base64"), Buffer.from(bytesOf(text) ?? [])]);
  expect(
    bytes.some((one) => one.includes(Buffer.from(payerOf(privateKeyOf(secret) ?? new Uint8Array(32)).publicKey))),
  ).toBe(true);
  expect(bytes.some((one) => one.includes(Buffer.from(publicKey)))).toBe(false);
  expect(bundles.join()).not.toContain(secret);
});
