// Tests that a run makes and finds the samples that a target file doesn't give, and says so.
import { expect, test } from "@playwright/test";
import bs58 from "bs58";
import { assay } from "../support/assay.ts";
import {
  asVendor,
  type Between,
  changeIn,
  keysOf,
  type OfTarget,
  type Outcome,
  outcomeOf,
  samplesOf,
  type TargetChange,
  type Trial,
  verdictOn,
} from "../support/probeSpecs.ts";
import { deadBase, smallEnvironment, smallTarget, targetFile } from "../support/vendor.ts";
import { answered, answering, enveloped, payingVendor } from "../support/vendorsInProcess.ts";

/** One key, of a project whose id is known, and nothing else. */
const oneKey =
  (change: TargetChange = {}): OfTarget =>
  (given) => {
    const { bundles: _, ...target } = given;
    const { main } = target.projects;
    if (!main) throw new Error("there is no project main");
    const known = { keys: keysOf(target, "paid"), projects: { main }, samples: {}, names: {}, allow: [] };
    return asVendor({ ...known, ...changeIn(given, change) })(target);
  };

async function judged(trial: Trial) {
  const outcome = await outcomeOf({ suite: "everything", observe: [], ...trial });
  const { samples, verdicts } = outcome;
  const namesOf = (by: Outcome["samples"][number]["by"]): readonly string[] =>
    samples.filter((note) => note.by === by).map(({ at }) => at.slice("/samples/".length));
  const count = (name: string): number => verdicts.filter(({ verdict }) => verdict === name).length;
  return { ...outcome, namesOf, count, reasonOf: (id: string) => verdicts.find((one) => one.id === id)?.reason };
}

/** Token accounts alone, of which one sample is known. */
const knowing = (given: Parameters<OfTarget>[0], name: string) => ({
  ...{ offers: ["tokenAccounts"] as const, samples: samplesOf(given, name) },
});

/** Calls of a method. */
const calls = (request: { readonly body?: string }, method: string): boolean =>
  (request.body ?? "").includes(`"${method}"`);

test("one key and a project id: addresses are made, proofs are judged, and nothing is inconclusive", async () => {
  const { namesOf, count, verdicts } = await judged({ target: oneKey() });
  expect(namesOf("made")).toEqual(["newAddresses/0", "newAddresses/1", "newAddresses/2", "wallets/0", "owner"]);
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
    if (status === 404)
      expect(reasonOf("WAL-BAL-01")).toContain("may not exist on this platform: give `samples.wallets`");
  });

test("made addresses are the seed's, have 32 bytes, and are below 2^248", async () => {
  const madeBy = async (seed: number): Promise<readonly string[]> => {
    const trial = { target: oneKey(), only: ["NAP-MAP-01"], generation: { seed, scale: "few" } } as const;
    const { samples } = await judged(trial);
    return samples.flatMap(({ value }) => (typeof value === "string" ? [value] : []));
  };
  const [made, again, other] = [await madeBy(1), await madeBy(1), await madeBy(2)];
  expect(made).toEqual(again);
  const texts = [...made, ...other];
  expect(new Set(texts).size).toBe(6);
  for (const bytes of texts.map((text) => bs58.decode(text))) expect([bytes.length, bytes[0]]).toEqual([32, 0]);
});

test("a mint gives an owner with several pages, and one with empty accounts where the flag is named", async () => {
  const { namesOf, count, held } = await judged({
    target: oneKey((given) => ({ ...knowing(given, "mint"), names: given.names })),
  });
  expect(namesOf("found")).toEqual(["owner", "ownerWithEmptyAccounts"]);
  expect([count("broken"), count("inconclusive")]).toEqual([0, 0]);
  expect(held).toEqual(expect.arrayContaining(["TA-PAGE-01", "TA-PAGE-05", "TA-FLT-03", "TA-ZERO-01", "TA-ZERO-02"]));
});

test("an owner gives a mint", async () => {
  const target = oneKey((given) => knowing(given, "owner"));
  const { namesOf, verdicts } = await judged({ target, only: ["TA-FLT-01"] });
  expect(namesOf("found")).toEqual(["mint"]);
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(["holds"]);
});

test("only what checks need is looked for", async () => {
  const target = oneKey((given) => ({ samples: samplesOf(given, "mint") }));
  const { engine, samples } = await judged({ target, only: ["USG-HTTP-01", "IH-OK-01"] });
  expect(engine.plan.searches).toEqual([]);
  expect(samples).toEqual([]);
});

/** What the platform lists, changed; it refuses whom it refuses. */
const listing =
  (change: (result: object) => object): Between =>
  (wire) =>
  async (request, signal) => {
    const answer = await wire(request, signal);
    const { result } = JSON.parse(Buffer.from(answer.body).toString()) as { readonly result?: object };
    return calls(request, "getTokenAccounts") && result ? enveloped(request, change(result)) : answer;
  };
/** Of an empty chain. */
const emptyPages = (change: object = {}): Between =>
  listing((result) => ({ result: { ...result, total: 0, cursor: undefined, token_accounts: [], ...change } }));

/** Shown by the empty page of an owner whom the run made up. */
const shownByNone = [
  ...["RPC-ENV-01", "RPC-ENV-02", "RPC-ENV-03", "RPC-ENV-04", "RPC-ENV-05", "AUTH-RPC-QRY-01", "AUTH-RPC-MISS-01"],
  ...["TA-RES-01", "TA-ARR-01", "TA-SLOT-01", "TA-TOT-01", "TA-LIM-02", "TA-LIM-03", "TA-BAD-01", "ERR-TA-32001"],
];
const ofAccounts = ["TA-FLT-02", "TA-LIM-01", "TA-ELT-04", "TA-PAGE-01", "TA-PAGE-03", "TA-CUR-02", "TA-ZERO-01"];

for (const [what, given, reason] of [
  ["of which nothing is known", "nothing", "the target gives no `samples.owner`"],
  ["of which a mint is known", "mint", "no owner has token accounts: 0 were tried; give `samples.owner`"],
] as const)
  test(`an empty chain ${what} shows what an empty page shows, and what needs accounts is withheld`, async () => {
    const target = oneKey((all) => ({ ...knowing(all, given), names: {} }));
    const { held, namesOf, reasonOf, count } = await judged({ target, between: emptyPages() });
    expect(namesOf("missing")).toEqual(given === "mint" ? ["owner"] : []);
    expect(namesOf("made")).toEqual(["owner"]);
    expect(held).toEqual(expect.arrayContaining(shownByNone));
    expect(held.filter((id) => ofAccounts.includes(id))).toEqual([]);
    expect([reasonOf("TA-ELT-04"), reasonOf("TA-PAGE-03")]).toEqual([reason, reason]);
    expect([count("broken"), count("inconclusive")]).toEqual([0, 0]);
  });

for (const [id, what, change] of [
  ["TA-SLOT-01", "has no slot", { last_indexed_slot: undefined }],
  ["TA-ARR-01", "lists null", { token_accounts: null }],
  ["TA-LIM-02", "has another limit", { limit: 4 }],
] as const)
  test(`an empty page that ${what} breaks ${id} without any sample`, async () => {
    const target = oneKey((given) => knowing(given, "nothing"));
    const { broken } = await judged({ target, between: emptyPages(change), only: [id] });
    expect(broken).toEqual([id]);
  });

test("an owner whom the run made up may be unknown, which breaks nothing", async () => {
  const target = oneKey((given) => knowing(given, "nothing"));
  const notFound = { error: { code: -32004, message: "The requested resource was not found." } };
  const { count, reasonOf } = await judged({ target, between: listing(() => notFound) });
  expect([count("broken"), count("inconclusive")]).toEqual([0, 0]);
  expect(reasonOf("TA-RES-01")).toContain('(answers: -32004 "');
});

const paying = (change: TargetChange = { samples: {} }): OfTarget =>
  payingVendor((given) => ({ allow: ["sendBundle"], ...changeIn(given, change) }));
const sentIn = ({ engine, exchanges }: Outcome) => ({
  planned: engine.plan.sends.calls,
  sent: exchanges.filter(({ sent }) => calls(sent, "sendBundle")).length,
});

test("bundles that the run sends anyway are the landed ones", async () => {
  const found = await judged({ target: paying() });
  const given = await judged({ target: paying({}) });
  expect(found.namesOf("found")).toEqual(["landedBundles/0", "landedBundles/1"]);
  expect([found.count("broken"), found.count("inconclusive")]).toEqual([0, 0]);
  expect(found.count("holds")).toBe(given.count("holds"));
  expect(sentIn(found)).toEqual(sentIn(given));
});

test("a given bundle stays the first, and our own is the second", async () => {
  const target = paying(({ samples: { landedBundles = [] } }) => ({
    samples: { landedBundles: [landedBundles].flat().slice(0, 1) },
  }));
  const { engine, namesOf, verdicts } = await judged({ target, only: ["BST-ALIGN-01"] });
  expect(namesOf("found")).toEqual(["landedBundles/1"]);
  // Two plain bundles, each with four more in its place.
  expect(engine.plan.sends.calls).toBe(10);
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(["holds"]);
});

/** What is returned, whichever method was called. */
interface Statuses {
  readonly result?: string | { readonly value: readonly unknown[] };
}
/** Statuses are null so long after a bundle was sent; with 0 none ever has one. */
const forgettingAfter =
  (after_s: number): Between =>
  (wire, { now_ms }) => {
    const sentAt_ms = new Map<string, number>();
    return async (request, signal) => {
      const answer = await wire(request, signal);
      const { result } = JSON.parse(Buffer.from(answer.body).toString()) as Statuses;
      if (calls(request, "sendBundle") && typeof result === "string") sentAt_ms.set(JSON.stringify(result), now_ms());
      if (!calls(request, "getBundleStatuses") || typeof result !== "object") return answer;
      const { params = [[]] } = JSON.parse(request.body ?? "") as { readonly params?: readonly (readonly unknown[])[] };
      const isForgotten = (id: unknown): boolean =>
        now_ms() - (sentAt_ms.get(JSON.stringify(id)) ?? 0) >= after_s * 1_000;
      const value = result.value.map((one, nth) => (isForgotten(params[0]?.[nth]) ? null : one));
      return enveloped(request, { result: { ...result, value } });
    };
  };

test("bundles that never land leave statuses withheld, after 90 s", async () => {
  const trial = { target: paying(), between: forgettingAfter(0), only: ["BST-SLOT-02"] };
  const { reasonOf, namesOf } = await judged(trial);
  expect(namesOf("missing")).toEqual(["landedBundles/0"]);
  expect(reasonOf("BST-SLOT-02")).toBe("0 of our 5 bundles landed within 90 s");
});

test("platforms that forget bundles after seconds are not accused", async () => {
  const only = ["BST-ALIGN-01", "BST-NULL-01", "BST-LIM-01", "BST-SLOT-02"];
  const target = paying({ samples: {}, perSecond: 3 });
  for (const after_s of [3, 3.5, 4, 4.5]) {
    const { count } = await judged({ target, between: forgettingAfter(after_s), only });
    expect([count("broken"), count("inconclusive")]).toEqual([0, 0]);
  }
});

test("a plan says what would be looked for and made, and sends nothing", async () => {
  const base = await deadBase();
  const yaml = smallTarget(base).replace("{ admin", `{ api: "${base}", rpc: "${base}", admin`);
  const file = targetFile(
    yaml.replace(
      "[usage]",
      `[usage, wallet, tokenAccounts, compression]
samples: { mint: 7fVLvPeLoSrtshkX7Eh4x7uM8VTqY3KPGXjtkV2ya5rA }`,
    ),
  );
  const { stdout, stderr } = await assay(["run", "--plan", "--target", file], smallEnvironment);
  expect(stderr).toBe("");
  expect(stdout.split("\n")).toContain("made for this run: newAddresses, wallets · looked for when needed: owner");
});

test("one requirement alone is judged by a sample that is found for it", async () => {
  const target = oneKey((given) => ({ samples: samplesOf(given, "mint") }));
  const { verdict } = await verdictOn("TA-FLT-02", { suite: "everything", target, observe: [] });
  expect(verdict).toBe("holds");
});
