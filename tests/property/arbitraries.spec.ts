// Tests of arbitraries: each generates all that it should and nothing else
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { base58Bytes } from "../../contracts/shared/base58.ts";
import { contractSuite } from "../../contracts/suite.ts";
import { valueAt } from "../../harness/core/json.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { amounts } from "../../property/arbitraries/amounts.ts";
import { alphabet, base58Key, wrongAlphabet, wrongLength } from "../../property/arbitraries/base58.ts";
import { keyHeader } from "../../property/arbitraries/carriers.ts";
import { filtered } from "../../property/arbitraries/filtered.ts";
import { aroundLimit } from "../../property/arbitraries/limits.ts";
import { newAddress } from "../../property/arbitraries/newAddresses.ts";
import { type NearMiss, nearMissesOf } from "../../property/arbitraries/requests.ts";
import { numericId, rpcId, textId } from "../../property/arbitraries/rpcIds.ts";
import { breaksAlone, fitsSecond, type Request, validityOf } from "../../property/arbitraries/schemas.ts";
import { requestShapes, sourcesFor } from "../../property/arbitraries/sources.ts";
import { valueArbitrary } from "../../property/arbitraries/values.ts";
import { knownDomains, knownWallets, walletBatch } from "../../property/arbitraries/wallets.ts";
import { methodFiles } from "../../specs/build/catalogue.ts";
import { loadResolved, type SpecSchemaNode } from "../../specs/build/load.ts";
import { sitesOf } from "../../specs/build/sites.ts";
import { newAjv } from "../../specs/build/validators.ts";
import { observations } from "../../specs/generated/observations.ts";
import type { RequestShape } from "../../specs/generated/requests.ts";

const { target } = inProcess(contractSuite);
const sampling = { seed: 21, numRuns: 400 };
/** Of each schema that is made for it. */
const samplingMisses = { seed: 21, numRuns: 150 };

const requestOf = (schema: SpecSchemaNode): Request => ({
  operation: "madeUp",
  schema,
  sites: sitesOf(schema).sites as RequestShape["sites"],
  accepts: [],
  validate: newAjv().compile(schema),
});

const missesOf = (request: Request, valid: fc.Arbitrary<unknown> | null): readonly NearMiss[] => {
  const misses =
    valid &&
    nearMissesOf(valid as Parameters<typeof nearMissesOf>[0], request, () =>
      Array.from({ length: 20 }, (_, nth) => 100 + nth),
    );
  return misses ? fc.sample(misses, samplingMisses) : [];
};

const id = "TA-BAD-01";
const cited = (keywords: string, schema: SpecSchemaNode): SpecSchemaNode => ({
  ...schema,
  "x-requirements": { [id]: keywords.split(" ") },
});
const madeUp = cited("type additionalProperties", {
  type: "object",
  required: ["count", "kind"],
  additionalProperties: false,
  properties: {
    count: cited("present type minimum maximum multipleOf", {
      type: "integer",
      minimum: 2,
      maximum: 50,
      multipleOf: 2,
    }),
    kind: cited("present enum", { enum: ["one", "two"] }),
    word: cited("type", { type: "string", enum: ["abcdef"] }),
    list: cited("type minItems maxItems", {
      type: "array",
      minItems: 1,
      maxItems: 3,
      items: cited("type", { type: "number" }),
    }),
    fixed: cited("const", { const: 7 }),
    isOn: cited("type", { type: ["boolean", "null"], "x-open": { "OBS-TA-NULLS": { type: "string" } } }),
    unlabelled: { type: "boolean" },
  },
});

test("each cited keyword of a schema is broken alone, beside a valid positive control; others never are", () => {
  const request = requestOf(madeUp);
  const misses = missesOf(request, valueArbitrary(request.schema));
  const labels = new Set(misses.map(({ at, keyword }) => `${at.replace(/\/\d+$/, "/*")} ${keyword}`));
  // The word of another type isn't one of those listed either: its type can't be broken alone.
  const alone = request.sites.map(({ at, keyword }) => `${at} ${keyword}`).filter((site) => site !== "/word type");
  expect([...labels].sort()).toEqual([...new Set(alone)].sort());
  for (const { at, keyword, params, positiveControl } of misses) {
    expect(validityOf(params, request)).toBe("invalid");
    expect(breaksAlone(params, at, keyword, request)).toBe(true);
    expect(validityOf(positiveControl, request)).toBe("valid");
    expect(["boolean", "undefined"]).toContain(typeof valueAt(params, "/untold"));
    expect(typeof valueAt(params, "/isOn")).not.toBe("string");
  }
});

test("texts are broken by one letter, by being too short or too long", () => {
  const request = requestOf({
    type: "array",
    items: cited("pattern minLength maxLength", { type: "string", pattern: "^[a-c]+$", minLength: 3, maxLength: 5 }),
  });
  const misses = missesOf(request, fc.constant(["abca"]));
  expect([...new Set(misses.map(({ keyword }) => keyword))].sort()).toEqual(["maxLength", "minLength", "pattern"]);
});

test("a request on which the validators disagree isn't called invalid", () => {
  const request = requestOf(cited("minimum", { type: "number", minimum: 5 }));
  const lenient: Request = { ...request, schema: { type: "number" } };
  expect(validityOf(3, request)).toBe("invalid");
  expect(validityOf(3, lenient)).toBe("disputed");
});

test("a filter that passes nothing throws, and what it is for is withheld", () => {
  const nothing = filtered(fc.nat(), () => false, "number");
  expect(() => fc.sample(nothing, 1)).toThrow(new Withheld("values can't be generated: no number among 10,000"));
});

test("both validators accept every example of the specs", () => {
  const ofRequests = [...requestShapes.values()];
  const ofMethods = methodFiles().flatMap(({ method, params, result }) =>
    [params, result].map((schema) => ({ operation: method, schema, validate: newAjv().compile(schema) })),
  );
  const examplesIn = ({ examples }: { readonly examples?: unknown }) =>
    (examples ?? []) as readonly Parameters<typeof validityOf>[0][];
  for (const { operation, schema, validate } of [...ofRequests, ...ofMethods])
    for (const example of examplesIn(schema))
      expect([validate(example), fitsSecond(schema, example)], `${operation} ${JSON.stringify(example)}`).toEqual([
        true,
        true,
      ]);
  expect(ofRequests.flatMap(({ schema }) => examplesIn(schema)).length).toBeGreaterThan(9);
});

test("each x-open cites an observation, with a schema that ajv can compile", () => {
  const known = new Set<string>(observations.map((one) => one.id));
  const open: (readonly [string, object])[] = [];
  JSON.stringify([loadResolved("openapi.yaml"), methodFiles()], (name, node: object) => {
    if (name === "x-open") open.push(...Object.entries(node));
    return node;
  });
  expect(open.length).toBeGreaterThan(15);
  expect(open.filter(([one]) => !known.has(one))).toEqual([]);
  const ajv = newAjv();
  ajv.opts.strictTypes = false;
  for (const [, schema] of open) expect(() => ajv.compile(schema)).not.toThrow();
});

test("every site of the specs is broken, if its operation can be called", () => {
  for (const source of sourcesFor(target)) {
    const misses = source.nearMisses();
    const { sites = [], schema } = requestShapes.get(source.operation) ?? {};
    const generated = misses ? fc.sample(misses, { seed: 3, numRuns: 40 * Math.min(sites.length, 4) }) : [];
    const broken = new Set(
      generated.map(
        ({ at, keyword }) =>
          `${schema?.items ? at.replace(/\/\d+$/, "/*") : at.replace(/^\/0\/\d+$/, "/0/*")} ${keyword}`,
      ),
    );
    const missing = sites.map(({ at, keyword }) => `${at} ${keyword}`).filter((site) => !broken.has(site));
    expect(missing, source.operation).toEqual([]);
  }
});

test("keys are 32 bytes of base58, and wrong ones are wrong in one way", () => {
  const isBase58 = (text: string): boolean => [...text].every((letter) => alphabet.includes(letter));
  expect(fc.sample(base58Key, sampling).every((text) => base58Bytes(text)?.length === 32)).toBe(true);
  const lengths = fc.sample(wrongLength, sampling).map((text) => base58Bytes(text)?.length ?? 0);
  expect(lengths.includes(32) || lengths.includes(0)).toBe(false);
  expect([31, 33].every((length) => lengths.includes(length))).toBe(true);
  expect(fc.sample(wrongAlphabet, sampling).some(isBase58)).toBe(false);
});

test("ids are texts and safe integers of every documented kind", () => {
  const texts = fc.sample(textId, sampling);
  expect(texts.some((text) => text.length === 64) && texts.includes("")).toBe(true);
  expect(texts.filter((text) => /\p{Surrogate}/u.test(text))).toEqual([]);
  const numbers = fc.sample(numericId, sampling);
  expect(numbers.every((one) => Number.isSafeInteger(one) && !Object.is(one, -0))).toBe(true);
  expect(numbers.some((one) => one < 0) && numbers.some((one) => one > 2 ** 32)).toBe(true);
  expect(new Set(fc.sample(rpcId, sampling).map((one) => typeof one))).toEqual(new Set(["string", "number"]));
});

test("batches have 1 to 100 different entries, wallets and domains mixed", () => {
  const batches = fc.sample(walletBatch(target), { seed: 4, numRuns: 200 });
  const sizes = new Set(batches.map(({ length }) => length));
  expect([1, 50, 99, 100].filter((size) => !sizes.has(size))).toEqual([]);
  expect([Math.min(...sizes), Math.max(...sizes)]).toEqual([1, 100]);
  expect(batches.every((batch) => new Set(batch).size === batch.length)).toBe(true);
  const entries = batches.flat();
  expect([...knownDomains(target), ...knownWallets(target)].filter((known) => !entries.includes(known))).toEqual([]);
});

test("names of headers come in any case", () => {
  const names = new Set(fc.sample(keyHeader, sampling));
  expect(names.size).toBeGreaterThan(50);
  expect([...names].every((name) => name.toLowerCase() === "x-api-key")).toBe(true);
});

test("new addresses are 32 bytes within the range of a tree", () => {
  const values = fc.sample(newAddress, sampling).map((text) => base58Bytes(text) ?? new Uint8Array());
  expect(
    values.filter(
      (bytes) => bytes.length !== 32 || bytes[0] !== 0 || bytes.every((byte, nth) => byte === (nth === 0 ? 0 : 255)),
    ),
  ).toEqual([]);
  expect(new Set(values.map((bytes) => bytes.join())).size).toBeGreaterThan(250);
});

test("use is below, at and above a plan's limit, and between whole credits", () => {
  const over = fc.sample(aroundLimit, sampling).map(({ creditsLimit, regular }) => Number(regular) - creditsLimit);
  const places = new Set(over.map((by) => (by > 0 && by < 1 ? "between" : Math.sign(by))));
  expect(places).toEqual(new Set([0, -1, 1, "between"]));
  expect(over.filter((by) => Math.abs(by) > 3.001)).toEqual([]);
});

test("amounts are decimals of 64 bits, within and beyond what a double holds", () => {
  const generated = fc.sample(amounts, sampling).flat();
  expect(generated.filter((one) => !/^[1-9]\d{0,19}$/.test(one) || BigInt(one) >= 2n ** 64n)).toEqual([]);
  expect(generated.filter((one) => BigInt(one) <= BigInt(Number.MAX_SAFE_INTEGER)).length).toBeGreaterThan(100);
  expect(generated.filter((one) => BigInt(Number(one)) !== BigInt(one)).length).toBeGreaterThan(100);
});
