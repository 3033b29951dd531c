// Bundles cost money: sent with consent only, no more than planned, and never again after an unclear answer.
import { expect, test } from "@playwright/test";
import { payerNamed, payerOf } from "../../contracts/bundles/transactions.ts";
import { bytesOf } from "../../contracts/shared/base58.ts";
import { privateKeyOf } from "../../contracts/shared/privateKey.ts";
import { suite } from "../../contracts/suite.ts";
import type { Target } from "../../harness/target/target.ts";
import type { Wire, WireAnswer } from "../../harness/transport/wire.ts";
import { WireFault } from "../../harness/transport/wireFault.ts";
import { asVendor, type Between, type Outcome, outcomeOf } from "../support/probeSpecs.ts";
import { enveloped, isBundle, payingVendor, secret } from "../support/vendorsInProcess.ts";

interface Sent extends Outcome {
  /** Texts that could be transactions, call by call. */
  readonly bundles: readonly string[];
}

/** Judges all; `instead` answers calls of sendBundle. */
async function judged(target: (target: Target) => Target, instead?: Wire): Promise<Sent> {
  const bundles: string[] = [];
  const between: Between = (wire) => (request, signal) => {
    if (!isBundle(request)) return wire(request, signal);
    bundles.push(JSON.stringify((JSON.parse(String(request.body)) as { params: readonly unknown[] }).params[0]));
    return (instead ?? wire)(request, signal);
  };
  return { bundles, ...(await outcomeOf({ suite, between, target })) };
}

const paid = payingVendor({ allow: ["sendBundle"] });

test("without consent, payer or tip account nothing is sent that could be a transaction, probes included", async () => {
  const consenting = { offers: ["bundles"], perSecond: 1000, allow: ["sendBundle"] } as const;
  for (const target of [
    payingVendor({ allow: [] }),
    payingVendor({ allow: ["throttle"] }),
    asVendor(consenting),
    ({ bundles: _, ...target }: Target) => asVendor(consenting)(target),
  ])
    expect((await judged(target)).bundles).toEqual([]);
});

test("with consent no more bundles are accepted than the plan counts", async () => {
  let taken = 0;
  const { bundles, engine } = await judged(paid, (request) => {
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
  test(`after ${title} no bundle is sent again`, { tag: title.startsWith("a gateway") ? "@slow" : [] }, async () => {
    const { bundles, engine } = await judged(paid, how);
    expect(bundles.length).toBeGreaterThan(0);
    expect(new Set(bundles).size).toBe(bundles.length);
    expect(engine.judgedIds.filter((id) => engine.verdict(id).verdict === "broken")).toEqual([]);
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
