// Tests that a run makes and finds the samples that a target file doesn't give, and says so.
import { expect, test } from "@playwright/test";
import { planLines } from "../../cli/plan.ts";
import { suite } from "../../cli/suite.ts";
import { bytesOf } from "../../contracts/shared/base58.ts";
import type { Clock } from "../../harness/core/clock.ts";
import { type Json, listOf, valueAt } from "../../harness/core/json.ts";
import { Engine } from "../../harness/engine/engine.ts";
import type { SampleNote } from "../../harness/model/finder.ts";
import type { Target } from "../../harness/target/target.ts";
import type { Wire, WireRequest } from "../../harness/transport/wire.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { asVendor, keysOf } from "../support/probeSpecs.ts";
import { answered, answering, enveloped, payingVendor } from "../support/vendorsInProcess.ts";

/** One key, of a project whose id is known, and nothing else. */
const oneKey = (change: Partial<Target>) => (target: Target) => {
  const { bundles: _, ...rest } = target;
  const { main } = target.projects;
  if (!main) throw new Error("there is no project main");
  return asVendor({ keys: keysOf(target, "paid"), projects: { main }, samples: {}, names: {}, allow: [], ...change })(
    rest,
  );
};

interface Trial {
  readonly target: (target: Target) => Target;
  readonly between?: (wire: Wire, clock: Clock) => Wire;
}

async function judged({ target, between = (wire) => wire }: Trial, only: Engine["ids"] | null = null) {
  const options = inProcess(suite);
  const notes: SampleNote[] = [];
  const engine = new Engine({
    ...options,
    only,
    observe: [],
    target: target(options.target),
    wire: between(options.wire, options.clock),
    onEvent: (event) => {
      if (event.event === "sample") notes.push(event.sample);
    },
  });
  const verdicts = await engine.run();
  const namesOf = (by: SampleNote["by"]): readonly string[] =>
    notes.filter((note) => note.by === by).map(({ at }) => at.slice("/samples/".length));
  const count = (name: string): number => verdicts.filter(({ verdict }) => verdict === name).length;
  return {
    engine,
    verdicts,
    notes,
    namesOf,
    count,
    reasonOf: (id: string) => verdicts.find((one) => one.id === id)?.reason,
  };
}

/** Calls of a method. */
const calls = (request: WireRequest, method: string): boolean => (request.body ?? "").includes(`"${method}"`);

test("one key and a project id: addresses are made, proofs are judged, and nothing is inconclusive", async () => {
  const { namesOf, count, verdicts } = await judged({ target: oneKey({}) });
  expect(namesOf("made")).toEqual(["newAddresses/0", "newAddresses/1", "newAddresses/2", "wallets/0"]);
  expect(namesOf("found")).toEqual([]);
  expect([count("broken"), count("inconclusive")]).toEqual([0, 0]);
  expect(verdicts.find(({ id }) => id === "NAP-MAP-01")?.verdict).toBe("holds");
  expect(count("holds")).toBeGreaterThanOrEqual(85);
});

for (const status of [400, 403, 404, 410, 422] as const)
  test(`a wallet of the run that is refused with ${status} is a question`, {
    tag: status === 400 || status === 404 ? [] : "@slow",
  }, async () => {
    const refusal = answered(status, { message: "no such wallet" });
    const between = answering(({ url }) => (url.includes("/v1/wallet/") ? refusal : null));
    const { count, verdicts, reasonOf } = await judged({ target: oneKey({ offers: ["wallet", "usage"] }), between });
    expect([count("broken"), count("inconclusive")]).toEqual([0, 0]);
    expect(verdicts.find(({ id }) => id === "WAL-BAL-01")?.verdict).toBe("withheld");
    if (status === 404) expect(reasonOf("WAL-BAL-01")).toContain("may be unknown there: give `samples.wallets`");
  });

test("made addresses are the seed's, have 32 bytes, and are below 2^248", () => {
  const [made, again, other] = [1, 1, 2].map((seed) => suite.make?.(seed) ?? {});
  expect(made).toEqual(again);
  const texts = [...Object.values(made ?? {}), ...Object.values(other ?? {})] as string[];
  expect(new Set(texts).size).toBe(texts.length);
  for (const bytes of texts.map(bytesOf)) expect([bytes?.length, bytes?.[0]]).toEqual([32, 0]);
});

test("a mint gives an owner with several pages, and one with empty accounts where the flag is named", async () => {
  const { target } = inProcess(suite);
  const given = { samples: { mint: target.samples["mint"] as Json }, names: target.names };
  const { namesOf, count, verdicts } = await judged({ target: oneKey({ offers: ["tokenAccounts"], ...given }) });
  expect(namesOf("found")).toEqual(["owner", "ownerWithEmptyAccounts"]);
  expect([count("broken"), count("inconclusive")]).toEqual([0, 0]);
  const held = verdicts.filter(({ verdict }) => verdict === "holds").map(({ id }) => id);
  expect(held).toEqual(expect.arrayContaining(["TA-PAGE-01", "TA-PAGE-05", "TA-FLT-03", "TA-ZERO-01", "TA-ZERO-02"]));
});

test("an owner gives a mint", async () => {
  const { target } = inProcess(suite);
  const given = { samples: { owner: target.samples["owner"] as Json } };
  const { namesOf, verdicts } = await judged({ target: oneKey({ offers: ["tokenAccounts"], ...given }) }, [
    "TA-FLT-01",
  ]);
  expect(namesOf("found")).toEqual(["mint"]);
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(["holds"]);
});

test("only what checks need is looked for", async () => {
  const { target } = inProcess(suite);
  const { engine, notes } = await judged({ target: oneKey({ samples: { mint: target.samples["mint"] as Json } }) }, [
    "USG-HTTP-01",
    "IH-OK-01",
  ]);
  expect(engine.plan.searches).toEqual([]);
  expect(notes).toEqual([]);
});

test("where no account is listed, what needs an owner is withheld, with what was tried", async () => {
  const noAccounts =
    (wire: Wire): Wire =>
    async (request, signal) => {
      if (!calls(request, "getTokenAccounts")) return wire(request, signal);
      return enveloped(request, {
        result: { last_indexed_slot: 1, total: 0, limit: 50, cursor: "", token_accounts: [] },
      });
    };
  const { target } = inProcess(suite);
  const given = { offers: ["tokenAccounts"], samples: { mint: target.samples["mint"] as Json } } as const;
  const { namesOf, reasonOf, count } = await judged({ target: oneKey(given), between: noAccounts });
  expect(namesOf("missing")).toEqual(["owner"]);
  expect(reasonOf("TA-FLT-02")).toBe("no owner has token accounts: 0 were tried; give `samples.owner`");
  expect([count("broken"), count("inconclusive")]).toEqual([0, 0]);
});

const paying = (samples: Target["samples"]) => payingVendor({ allow: ["sendBundle"], samples });
const sent = (engine: Engine, requests: readonly WireRequest[]) => ({
  planned: engine.plan.sends.calls,
  sent: requests.filter((request) => calls(request, "sendBundle")).length,
});

test("bundles that the run sends anyway are the landed ones", async () => {
  const requests: WireRequest[] = [];
  const noted =
    (wire: Wire): Wire =>
    (request, signal) => {
      requests.push(request);
      return wire(request, signal);
    };
  const found = await judged({ target: paying({}), between: noted });
  const ofFound = sent(found.engine, requests.splice(0));
  const given = await judged({ target: paying(inProcess(suite).target.samples), between: noted });
  expect(found.namesOf("found")).toEqual(["landedBundles/0", "landedBundles/1"]);
  expect([found.count("broken"), found.count("inconclusive")]).toEqual([0, 0]);
  expect(found.count("holds")).toBe(given.count("holds"));
  expect(ofFound).toEqual(sent(given.engine, requests));
});

test("a given bundle stays the first, and our own is the second", async () => {
  const [first] = inProcess(suite).target.samples["landedBundles"] as readonly string[];
  const { engine, namesOf, verdicts } = await judged({ target: paying({ landedBundles: [first ?? ""] }) }, [
    "BST-ALIGN-01",
  ]);
  expect(namesOf("found")).toEqual(["landedBundles/1"]);
  expect(engine.plan.sends.calls).toBe(2);
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(["holds"]);
});

/** Statuses are null so long after a bundle was sent; with 0 none ever has one. */
const forgettingAfter =
  (after_s: number) =>
  (wire: Wire, { now_ms }: Clock): Wire => {
    const sentAt_ms = new Map<string, number>();
    return async (request, signal) => {
      const answer = await wire(request, signal);
      const { result } = JSON.parse(Buffer.from(answer.body).toString()) as { readonly result?: Json };
      if (calls(request, "sendBundle") && typeof result === "string") sentAt_ms.set(JSON.stringify(result), now_ms());
      const entries = valueAt(result, "/value");
      if (!calls(request, "getBundleStatuses") || !Array.isArray(entries)) return answer;
      const ids = listOf(valueAt(JSON.parse(request.body ?? "") as Json, "/params/0"));
      const isForgotten = (id: Json | undefined): boolean =>
        now_ms() - (sentAt_ms.get(JSON.stringify(id)) ?? 0) >= after_s * 1_000;
      const value = entries.map((one: Json, nth) => (isForgotten(ids[nth]) ? null : one));
      return enveloped(request, { result: { ...(result as object), value } });
    };
  };

test("bundles that never land leave statuses withheld, after 90 s", async () => {
  const trial = { target: paying({}), between: forgettingAfter(0) };
  const { reasonOf, namesOf } = await judged(trial, ["BST-SLOT-02"]);
  expect(namesOf("missing")).toEqual(["landedBundles/0"]);
  expect(reasonOf("BST-SLOT-02")).toBe("none of our bundles landed within 90 s");
});

test("platforms that forget bundles after seconds are not accused", async () => {
  const only = ["BST-ALIGN-01", "BST-NULL-01", "BST-LIM-01", "BST-SLOT-02"] as const;
  const target = (one: Target): Target => ({ ...paying({})(one), perSecond: 3 });
  for (const after_s of [3, 3.5, 4, 4.5]) {
    const { count } = await judged({ target, between: forgettingAfter(after_s) }, only);
    expect([count("broken"), count("inconclusive")]).toEqual([0, 0]);
  }
});

test("a plan says what would be looked for and made, and sends nothing", async () => {
  const options = inProcess(suite);
  const target = oneKey({ samples: { mint: options.target.samples["mint"] as Json } })(options.target);
  const wire = (): never => {
    throw new Error("a request was sent");
  };
  const lines = await planLines(target, new Engine({ ...options, wire, target, observe: [] }).plan);
  expect(lines[1]).toBe("not of the target file · made: newAddresses, wallets · looked for when needed: owner");
});

test("one requirement alone is judged by a sample that is found for it", async () => {
  const options = inProcess(suite);
  const target = oneKey({ samples: { mint: options.target.samples["mint"] as Json } })(options.target);
  const engine = new Engine({ ...options, target, observe: [] });
  expect((await engine.judge("TA-FLT-02")).verdict).toBe("holds");
});
