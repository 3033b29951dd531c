// Keys that are a part of ordinary words: answers are judged as they came, and no key is shown.
import { expect, test } from "@playwright/test";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { contractSuite as contracts } from "../../contracts/suite.ts";
import { redactorOf, Secret } from "../../harness/core/secret.ts";
import { openEngine } from "../../harness/engine/engine.ts";
import type { EngineEvent } from "../../harness/model/event.ts";
import { recordOf } from "../../harness/record/journal.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { inProcess } from "../../proof/inProcess.ts";
import type { Variant } from "../../reference/platform/mutant.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import { asVendor } from "../support/probeSpecs.ts";

const features: readonly Feature[] = ["usage", "compression"];

/** In names of members, of methods, of headers, and a number. */
const words = { paid: "subscription", other: "requests", free: "1000000", second: "content" } as const;

/** A run over the public surface of platforms whose keys are those words, or are not. */
async function judged(areWords: boolean, variant?: Variant) {
  const checks = contracts.checks.filter(({ feature, when }) => features.includes(feature) && when !== "alone");
  const options = inProcess({ ...contracts, checks }, variant);
  const vendor = asVendor({ perSecond: 1_000 })(options.target);
  const keys = new Map(vendor.keys);
  const real = new Map<string, string>();
  for (const [role, held] of areWords ? vendor.keys : []) {
    const word = (words as { readonly [role: string]: string })[role];
    if (word === undefined) continue;
    real.set(word, held.secret.open());
    keys.set(role, { ...held, secret: new Secret(role, word) });
  }
  const events: EngineEvent[] = [];
  const engine = openEngine({
    ...options,
    target: { ...vendor, keys, redact: redactorOf([...keys.values()].map(({ secret }) => secret)) },
    wire: ({ url, headers, ...request }, signal) => {
      const at = new URL(url);
      const named = real.get(at.searchParams.get("api-key") ?? "");
      if (named) at.searchParams.set("api-key", named);
      const sent = headers.map(([name, value]) => [name, real.get(value) ?? value] as const);
      return options.wire({ ...request, url: at.href, headers: sent }, signal);
    },
    observe: [],
  });
  engine.events.on((event) => events.push(event));
  const verdicts = await engine.run();
  const found = verdicts.map(({ id, verdict, enforced }) => `${id} ${verdict} ${enforced}`).sort();
  const records = events.flatMap((event) => (event.event === "exchange" ? [recordedOf(event.exchange)] : []));
  const recorded = records.map(({ title, outcome }) => `${title} ${outcome}`).sort();
  return { found, recorded, shown: JSON.stringify(events.map(textsOf)) };
}

const recordedOf = (exchange: Exchange) => recordOf(exchange, dataPlatform);

/** What is written of an event that quotes the platform; the rest is our own vocabulary. */
function textsOf(event: EngineEvent): unknown {
  if (event.event === "exchange") return recordedOf(event.exchange);
  if (event.event === "verdict") return [event.verdict.reasons, event.verdict.breaches];
  return event.event === "observation" ? event.observation.values.map(({ summary }) => summary) : event;
}

test("keys that are a part of words, numbers or names change no verdict", async () => {
  const [plain, spelled] = [await judged(false), await judged(true)];
  expect(plain.found.filter((one) => / holds /.test(one)).length).toBeGreaterThan(90);
  expect(spelled.found).toEqual(plain.found);
  expect(spelled.recorded).toEqual(plain.recorded);
});

test("what is written of answers never shows such a key, breaches included", async () => {
  const broken: Variant = {
    id: "no document",
    answer: (answer, { operation }) =>
      operation === "getProjectUsage" ? { ...answer, body: { subscriptionDetails: "of a subscription" } } : answer,
  };
  const { found, shown } = await judged(true, broken);
  expect(found.some((one) => / broken fail$/.test(one))).toBe(true);
  expect(shown).toContain("<key:paid>Details");
  expect(shown).not.toMatch(/subscription/i);
});
