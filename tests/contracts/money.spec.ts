// Bundles cost money: sent with consent only, no more than planned, and never again after an unclear answer.
import { expect, test } from "@playwright/test";
import bs58 from "bs58";
import { asVendor, type Between, type OfTarget, type Outcome, outcomeOf } from "../support/probeSpecs.ts";
import { cut, enveloped, isBundle, payer, payingVendor, secret } from "../support/vendorsInProcess.ts";

type Serve = ReturnType<Between>;

interface Sent extends Outcome {
  /** Texts that could be transactions, call by call. */
  readonly bundles: readonly string[];
}

/** Judges all; `instead` answers calls of sendBundle. */
async function judged(target: OfTarget, instead?: Serve): Promise<Sent> {
  const bundles: string[] = [];
  const between: Between = (wire) => (request, signal) => {
    if (!isBundle(request)) return wire(request, signal);
    bundles.push(JSON.stringify((JSON.parse(String(request.body)) as { params: readonly unknown[] }).params[0]));
    return (instead ?? wire)(request, signal);
  };
  return { bundles, ...(await outcomeOf({ between, target })) };
}

const paid = payingVendor({ allow: ["sendBundle"] });

test("without consent, payer or tip account nothing is sent that could be a transaction, probes included", async () => {
  const consenting = { offers: ["bundles"], perSecond: 1000, allow: ["sendBundle"] } as const;
  for (const target of [
    payingVendor({ allow: [] }),
    payingVendor({ allow: ["throttle"] }),
    asVendor(consenting),
    ({ bundles: _, ...target }) => asVendor(consenting)(target),
  ] satisfies OfTarget[])
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

const page =
  (status: number, text: string): Serve =>
  () =>
    Promise.resolve({ status, headers: [["content-type", "text/html"]], body: Buffer.from(text) });

const unclear: readonly (readonly [title: string, how: Serve])[] = [
  ["a server error", page(500, "<h1>Internal Server Error</h1>")],
  ["a gateway that gave up", page(504, "")],
  [
    "an error of the server in an envelope",
    (request) => Promise.resolve(enveloped(request, { error: { code: -32603, message: "Internal error" } })),
  ],
  ["a connection that was cut", cut],
];

for (const [title, how] of unclear) {
  test(`after ${title} no bundle is sent again`, { tag: title.startsWith("a gateway") ? "@slow" : [] }, async () => {
    const { bundles, broken } = await judged(paid, how);
    expect(bundles.length).toBeGreaterThan(0);
    expect(new Set(bundles).size).toBe(bundles.length);
    expect(broken).toEqual([]);
  });
}

/** Who pays for a transaction: the first of its accounts, behind signatures, version and header. */
function payerIn(bytes: Buffer): string {
  const message = bytes.subarray(1 + (bytes[0] ?? 0) * 64);
  return bs58.encode(message.subarray(message[0] === 0x80 ? 5 : 4).subarray(0, 32));
}

test("who pays is the target's payer", async () => {
  const { bundles } = await judged(paid);
  const texts = bundles.flatMap((listed) => JSON.parse(listed) as unknown).filter((text) => typeof text === "string");
  const read = (text: string) => [
    ...[Buffer.from(text, "base64"), Buffer.from(text, "hex")],
    Buffer.from(bs58.decodeUnsafe(text) ?? []),
  ];
  // Some could be read in several ways.
  expect(texts.filter((text) => !read(text).some((bytes) => payerIn(bytes) === payer))).toEqual([]);
  expect(texts.length).toBeGreaterThan(20);
  expect(bundles.join()).not.toContain(secret);
});
