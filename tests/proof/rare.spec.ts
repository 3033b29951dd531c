// Tests that rare defects show when they should, and that the table says what finds them
import { expect, test } from "@playwright/test";
import type { WireAnswer, WireRequest } from "../../harness/transport/wire.ts";
import type { Replicas } from "../../proof/inProcess.ts";
import { isAboutRates, requirementOfMutant } from "../../proof/judgedFeatures.ts";
import { inLoads, inRuns, type Rarity } from "../../proof/rare/balancers.ts";
import { chosen, tryRarity } from "../../proof/rare/finding.ts";
import { tableOfRare } from "../../proof/rare/table.ts";
import { demo } from "../../reference/demo.ts";
import { mutants } from "../../reference/generated/mutants.ts";
import type { Variant } from "../../reference/platform/mutant.ts";
import type { Value } from "../../reference/platform/wire.ts";

const all: readonly Rarity[] = [...inRuns, ...inLoads];
const named = (name: string): Rarity => {
  const found = all.find((one) => one.name === name);
  if (!found) throw new Error(`there is no rarity ${name}`);
  return found;
};

const { world, keys } = demo();
const answer = (text: string): WireAnswer => ({ status: 200, headers: [], body: new TextEncoder().encode(text) });
const request = (key: string, params: object = {}): WireRequest => ({
  method: "POST",
  url: `http://reference.assay.example/?api-key=${key}`,
  headers: [],
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getTokenAccounts", params }),
});

/** Whether each request reaches the faulty replica; a request every so many ms, and pages lead on by cursors. */
async function faultyOf(rarity: Rarity, requests: readonly WireRequest[], every_ms = 100): Promise<readonly boolean[]> {
  const seen: boolean[] = [];
  let [pages, now_ms] = [0, 0];
  const replica = (isFaulty: boolean) => () => {
    seen.push(isFaulty);
    pages += 1;
    return Promise.resolve(answer(`{"result":{"cursor":"c${pages}"}}`));
  };
  const replicas: Replicas = { honest: replica(false), faulty: replica(true), world, now_ms: () => now_ms };
  const carry = rarity.balancer?.(replicas);
  if (!carry) throw new Error(`${rarity.name} has no balancer`);
  for (const one of requests) {
    await carry(one);
    now_ms += every_ms;
  }
  return seen;
}

test("defects for other keys show to all but the owner's", async () => {
  const asked = [keys.paid, keys.second, keys.free].map((key) => request(key));
  expect(await faultyOf(named("for other keys than the owner's"), asked)).toEqual([false, true, true]);
});

test("defects from the third page on show there, by number or by cursor", async () => {
  const asked = [{}, { cursor: "c1" }, { cursor: "c2" }, { cursor: "c3" }, { page: 2 }, { page: 3 }];
  const requests = asked.map((params) => request(keys.paid, params));
  expect(await faultyOf(named("from the third page on"), requests)).toEqual([false, false, true, true, false, true]);
});

test("defects in February show by the calendar of the project", async () => {
  const asked = [request(keys.paid), request(keys.other)];
  const project = world.holderOf(keys.other)?.project;
  if (project) project.clock = { standsAt_ms: Date.parse("2025-02-28T12:00:00Z") };
  expect(await faultyOf(named("in February"), asked)).toEqual([false, true]);
});

test("defects above 2^53 show beside such a number only", () => {
  const variant: Variant = { id: "no body", answer: (honest) => ({ ...honest, body: {} }) };
  const changed = named("above 2^53").changed?.(variant)?.answer;
  const bodyOf = (body: Value) => changed?.({ status: 200, headers: {}, body }, {} as never).body;
  for (const body of [{ lamports: 2n ** 53n }, { lamports: "9007199254740993" }]) expect(bodyOf(body)).toEqual({});
  for (const body of [{ lamports: 2n ** 53n - 1n }, { id: "5f0d5c1e7f5b4a57" }, { rate: "0.12345678901234567" }])
    expect(bodyOf(body)).toEqual(body);
});

test("one answer in fifty is wrong in one of fifty, and under load those beyond 30 in a second", async () => {
  const many = Array.from({ length: 2_000 }, () => request(keys.paid));
  const rare = (await faultyOf(named("in one answer of fifty"), many)).filter((isFaulty) => isFaulty).length;
  expect(rare).toBeGreaterThan(20);
  expect(rare).toBeLessThan(70);
  const loaded = many.slice(0, 100);
  expect((await faultyOf(named("under load"), loaded, 100)).some((isFaulty) => isFaulty)).toBe(false);
  expect((await faultyOf(named("under load"), loaded, 20)).indexOf(true)).toBe(30);
});

test("a mutant of every requirement that answers alone can show is tried", () => {
  const shown = new Set(mutants.filter((mutant) => !isAboutRates(mutant.id)).map(({ id }) => requirementOfMutant(id)));
  const tried = chosen().map(({ id }) => requirementOfMutant(id));
  expect(new Set(tried).size).toBe(tried.length);
  expect(tried.filter((id) => !shown.has(id))).toEqual([]);
  expect(tried.length).toBeGreaterThan(shown.size - 10);
});

test("the table has a row for each rarity, with what was found, and what would find the others", () => {
  const [first, second] = ["CRD-REM-02.absolute", "CYC-BILL-03.unused"];
  const { rows } = tableOfRare(
    [
      { mutant: first, by: "run", run: { "in February": false }, load: { "under load": true } },
      { mutant: second, by: null, run: {}, load: {} },
    ],
    new Map([["CRD-REM-02", 50]]),
  );
  expect(rows).toHaveLength(all.length + 1);
  expect(rows.find(([name]) => name === "in February")?.slice(2)).toEqual([1, 0, "a run in that month", "CRD-REM-02"]);
  expect(rows.find(([name]) => name === "under load")?.slice(2)).toEqual([1, 1, "a longer load", "none"]);
  expect(rows.at(-1)?.slice(2)).toEqual([1, 0, "149 answers", "with control only: CYC-BILL-03"]);
});

/** Rarities that a run and a load don't find, of all that the mutant can have. */
const missedRarities: { readonly [mutant: string]: readonly string[] } = {
  "TA-RES-01.assets-shape": [],
  "CYC-PRES-01.omit-on-free": ["in February", "above 2^53"],
};

for (const [id, missed] of Object.entries(missedRarities))
  test(`${id} is found in every way to be wrong but ${missed.length} that are known`, { tag: "@slow" }, async () => {
    const { run, load } = await tryRarity(id);
    const outcomes = [...Object.entries(run), ...Object.entries(load)];
    expect(outcomes.length).toBeGreaterThan(missed.length);
    expect(outcomes.flatMap(([name, isFound]) => (isFound ? [] : [name]))).toEqual(missed);
  });
