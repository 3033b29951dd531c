// Bundles judged on a vendor, played by the reference: defects are found, and lawful choices are no breach.
import { expect, test } from "@playwright/test";
import { bundles as rules, type ShownStatus, statusesShown } from "../support/choices.ts";
import { type Choice, type Outcome, outcomeOf, type Trial } from "../support/probeSpecs.ts";
import { answered, answering, enveloped, isBundle, payingVendor } from "../support/vendorsInProcess.ts";
import { idsIn, requirementOf, variantNamed } from "../support/wallets.ts";

interface Vendor extends Pick<Trial, "only" | "between" | "choice"> {
  /** Whether the target names bundles that have landed. */
  readonly hasSamples?: boolean;
}

/** As a vendor's: without control, with a payer. */
const judged = ({ hasSamples = true, ...trial }: Vendor): Promise<Outcome> =>
  outcomeOf({
    ...trial,
    observe: [],
    impliedFails: true,
    target: (target) => {
      const vendor = payingVendor()(target);
      const { landedBundles: _, ...samples } = vendor.samples;
      return hasSamples ? vendor : { ...vendor, samples };
    },
  });

const reasonOf = ({ verdicts }: Outcome, wanted: string): string | null | undefined =>
  verdicts.find(({ id }) => id === wanted)?.reason;

const found = idsIn(`
  BND-LIM-01.limit-4 BND-LIM-01.min-2 BND-LIM-02.accepts-6 BND-LIM-02.truncates BND-TIP-01.no-tip-ok
  BND-TIP-02.first-only BND-SIGN-01.unsigned-ok BND-SIGN-01.partial-ok BND-ENC-01.base64-as-base58
  BND-ENC-02.base58-unsupported BND-ENC-02.as-base64 BND-ENC-03.default-base64 BND-ENC-03.encoding-required
  BND-MEV-01.true-refused BND-REG-01.sgp-missing BND-REG-02.required BND-HASH-02.salted BND-HASH-03.over-messages
  BND-REQ-02.objects-ok BND-EMPTY-01.empty-ok BST-SIG-01.first-only BST-SLOT-02.request-slot
  SIM-EXIST-01.method-not-found
`);

/** The first of each requirement in the gate, others with the slow tests. */
const slowFrom = (nth: number, ids: readonly string[]): "@slow" | [] =>
  ids.indexOf(ids[nth] ?? "") < nth ? "@slow" : [];

for (const [nth, id] of found.entries()) {
  test(`${id} is found on a vendor too`, { tag: slowFrom(nth, found.map(requirementOf)) }, async () => {
    const named = requirementOf(id);
    expect((await judged({ only: [named], choice: variantNamed(id) })).broken).toContain(named);
  });
}

const foundByOwn = idsIn(`
  BST-ALIGN-01.reorders BST-ALIGN-01.drops-null BST-ALIGN-01.nulls-last BST-NULL-01.error BST-NULL-01.empty-object
  BST-NULL-01.not-found-object BST-LIM-01.limit-4 BST-LIM-01.limit-1 BST-LIM-02.accepts-6 BST-LIM-02.truncates
  BST-PAR-01.flat-only BST-PAR-01.missing-ok BST-RES-01.context-missing BST-RES-01.slot-string BST-RES-01.value-map
  BST-ELT-01.absent BST-ELT-01.camel BST-ELT-01.recased BST-ELT-02.base64 BST-ELT-02.objects BST-ELT-02.count
  BST-ELT-03.string BST-ELT-03.absent BST-ELT-04.landed BST-ELT-04.capital BST-ELT-04.null-when-final BST-ELT-05.null
  BST-ELT-05.absent BST-ELT-05.string BST-ELT-06.empty BST-ELT-06.ok-true BST-ELT-06.lower BST-SIG-01.first-only
  BST-SIG-01.extra BST-SLOT-01.future-slot BST-SLOT-01.context-zero BST-SLOT-02.request-slot EXT-SOL-02.len-32
`);

for (const [nth, id] of foundByOwn.entries()) {
  test(`${id} is found by bundles of our own, without a sample`, {
    tag: slowFrom(nth, foundByOwn.map(requirementOf)),
  }, async () => {
    const named = requirementOf(id);
    expect(
      (await judged({ only: [named, "BST-SLOT-02"], choice: variantNamed(id), hasSamples: false })).broken,
    ).toContain(named);
  });
}

const entries = (change: (value: readonly (ShownStatus | null)[]) => readonly (object | null)[]): Choice =>
  statusesShown((served) => ({ ...served, value: change(served.value) }));
const changed = <Member extends keyof ShownStatus>(
  member: Member,
  change: (value: ShownStatus[Member]) => unknown,
): Choice => entries((value) => value.map((one) => one && { ...one, [member]: change(one[member]) }));

/** What the register doesn't name. */
const subtle: readonly (readonly [title: string, id: string, choice: Choice])[] = [
  [
    "two neighbours change places",
    "BST-ALIGN-01",
    entries(([a, b, ...rest]) =>
      a && b ? [b, a, ...rest] : a === undefined ? [] : b === undefined ? [a] : [a, b, ...rest],
    ),
  ],
  ["the last of five is null", "BST-ALIGN-01", entries((value) => value.map((one, nth) => (nth === 4 ? null : one)))],
  [
    "the first of five is null",
    "BST-ALIGN-01",
    entries((value) => value.map((one, nth) => (nth === 0 && value.length === 5 ? null : one))),
  ],
  ["of several none is known", "BST-ALIGN-01", entries((value) => (value.length > 1 ? value.map(() => null) : value))],
  ["a further entry follows", "BST-ALIGN-01", entries((value) => [...value, null])],
  [
    "the first entry stands at each place",
    "BST-ALIGN-01",
    entries((value) => value.map((one) => one && (value.find((other) => other !== null) ?? one))),
  ],
  ["the id of another bundle", "BST-ELT-01", changed("bundle_id", (id) => [...id].reverse().join(""))],
  [
    "signatures in base64url",
    "BST-SIG-01",
    changed("transactions", (all) => all.map((one) => Buffer.from(one).toString("base64url").slice(0, 86))),
  ],
  [
    "signatures in lower case",
    "BST-SIG-01",
    changed("transactions", (all) => all.map((one) => one.toLowerCase().replaceAll("l", "m"))),
  ],
  ["no signatures", "BST-SIG-01", changed("transactions", () => [])],
  ["signatures twice", "BST-SIG-01", changed("transactions", (all) => [...all, ...all])],
  ["a slot of 0", "BST-SLOT-02", changed("slot", () => 0)],
  ["the slot of another bundle, of long ago", "BST-SLOT-02", changed("slot", () => 1_000_000)],
  ["a slot with a fraction", "BST-ELT-03", changed("slot", (slot) => slot - 0.5)],
  ["a slot below 0", "BST-ELT-03", changed("slot", () => -1)],
  [
    "a slot one beyond the request's",
    "BST-SLOT-01",
    statusesShown(({ context, value }) => ({
      context,
      value: value.map((one) => one && { ...one, slot: context.slot + 1 }),
    })),
  ],
  ["states in capitals", "BST-ELT-04", changed("confirmation_status", (stage) => stage.toUpperCase())],
  ["a state of another list", "BST-ELT-04", changed("confirmation_status", () => "rooted")],
  ["an error that is a list", "BST-ELT-05", changed("err", () => [])],
  ["an error without Ok", "BST-ELT-06", changed("err", () => ({}))],
  ["an Ok that is a text", "BST-ELT-06", changed("err", () => ({ Ok: "null" }))],
];

for (const [nth, [title, id, choice]] of subtle.entries())
  test(`${title}: found by bundles of our own (${id})`, {
    tag: slowFrom(foundByOwn.length + nth, [...foundByOwn.map(requirementOf), ...subtle.map(([, one]) => one)]),
  }, async () => {
    expect((await judged({ only: [id], choice, hasSamples: false })).broken).toContain(id);
  });

test("an honest vendor has no finding", async () => {
  const { verdicts, held } = await judged({});
  expect(verdicts.filter(({ verdict }) => verdict !== "holds" && verdict !== "withheld")).toEqual([]);
  expect(held.length).toBeGreaterThan(45);
});

const ofStatuses = idsIn(`
  BST-PAR-01 BST-RES-01 BST-ALIGN-01 BST-NULL-01 BST-LIM-01 BST-LIM-02 BST-ELT-01 BST-ELT-02 BST-ELT-03 BST-ELT-04
  BST-ELT-05 BST-ELT-06 BST-SIG-01 BST-SLOT-01 BST-SLOT-02
`);

test("without a sample statuses are judged by bundles of our own", async () => {
  const { verdicts, held, took_s } = await judged({ hasSamples: false });
  expect(verdicts.filter(({ verdict }) => verdict !== "holds" && verdict !== "withheld")).toEqual([]);
  expect(ofStatuses.filter((id) => !held.includes(id))).toEqual([]);
  expect(took_s).toBeLessThan(60);
});

/** What lands, and when it is forgotten. */
const lawful: readonly (readonly [title: string, choice: Choice, withheld: readonly string[]])[] = [
  ["bundles that never land", entries((value) => value.map(() => null)), [...ofStatuses.slice(6), "BST-ALIGN-01"]],
  ["bundles that are forgotten after 20 s", rules({ choices: { statuses: { kept_ms: 20_000 } } }), []],
  [
    "bundles that are forgotten after 3 s",
    rules({ choices: { statuses: { kept_ms: 3_000 } } }),
    ["BST-ALIGN-01", "BST-SLOT-02"],
  ],
  ["states that fall back", rules({ choices: { statuses: { stages: "with a step back" } } }), []],
  ["nothing before it is final", rules({ choices: { statuses: { stages: "finalized alone" } } }), []],
  ["a repeated id told once", rules({ choices: { statuses: { duplicates: "told once" } } }), []],
  [
    "ids in base64, others refused",
    rules({ idForm: "base64", choices: { statuses: { malformed: "refused" } } }),
    ["BST-PAR-01"],
  ],
  ["a bundle that is taken once", rules({ resent: "refused" }), []],
];

for (const [title, choice, withheld] of lawful)
  test(`${title}: no finding without a sample, and what can't be judged is withheld`, async () => {
    const outcome = await judged({ only: [...ofStatuses, "BND-USE-01", "BND-TIP-01"], choice, hasSamples: false });
    expect([...outcome.broken, ...outcome.inconclusive]).toEqual([]);
    expect(ofStatuses.filter((id) => !outcome.held.includes(id)).toSorted()).toEqual(withheld.toSorted());
  });

test.describe("signatures", () => {
  const [sign, later] = ["BND-SIGN-01", { choices: { sends: { signaturesJudged: "after it is taken" } } }] as const;

  test("a forged one that is taken and doesn't land is no breach, once others have landed", async () => {
    const { held, took_s } = await judged({ only: [sign], choice: rules(later) });
    expect(held).toEqual([sign]);
    expect(took_s).toBeGreaterThanOrEqual(90);
  });

  test("a forged one that lands is a breach", async () => {
    const { broken, exchanges } = await judged({ only: [sign], choice: rules({ signatures: "not verified" }) });
    expect(broken).toEqual([sign]);
    expect(exchanges.filter(({ requestSpec }) => requestSpec.operation === "getBundleStatuses").length).toBeLessThan(
      20,
    );
  });

  test("a forged one that lands late and is soon forgotten is a breach", async () => {
    const choice = rules({
      signatures: "not verified",
      choices: { statuses: { stages: "finalized alone", kept_ms: 20_000 } },
    });
    expect((await judged({ only: [sign], choice })).broken).toEqual([sign]);
  });

  const nothing = entries((value) => value.map(() => null));

  test("where nothing lands a forged one that is taken is no breach", async () => {
    const { broken, inconclusive } = await judged({ only: [sign], choice: { ...rules(later), ...nothing } });
    expect([...broken, ...inconclusive]).toEqual([]);
  });

  test("where nothing lands a zero one that is taken is a breach", async () => {
    const choice = { ...rules({ signatures: "not looked at" }), ...nothing };
    expect((await judged({ only: [sign], choice })).broken).toEqual([sign]);
  });
});

const texts = ({ exchanges }: Outcome): readonly string[] =>
  exchanges.flatMap(({ sent }) => (isBundle(sent) ? [sent.body ?? ""] : []));

for (const regions of [[], ["ams", "dub", "fra", "lon", "nyc", "slc", "sgp", "tyo"]])
  test(`where ${9 - regions.length} of 9 regions are refused that is found, within the plan's cost`, async () => {
    const outcome = await judged({ only: ["BND-REG-01"], choice: rules({ regions }) });
    expect(outcome.broken).toEqual(["BND-REG-01"]);
    const { calls, payments } = outcome.engine.plan.sends;
    const bodies = texts(outcome);
    expect(bodies.length).toBeLessThanOrEqual(calls);
    // One transaction each: the same bytes pay once.
    expect(new Set(bodies).size).toBeLessThanOrEqual(payments);
    expect(bodies.length - new Set(bodies).size).toBe(2 * (9 - regions.length));
  });

/** Refuses bundles for no reason that is shown, once it knows the key. */
const busy = (isBusy: (nth: number) => boolean) => {
  let bundles = 0;
  return answering((request) => {
    if (
      !isBundle(request) ||
      (!request.url.includes("api-key") && !request.headers.some(([name]) => name === "x-api-key"))
    )
      return null;
    bundles += 1;
    const error = { code: -32000, message: "The engine is congested" };
    return isBusy(bundles) ? enveloped(request, { error }) : null;
  });
};
const every = (count: number) => busy((nth) => nth % count === 0);

for (const count of [3, 9])
  test(`an engine that is busy every ${count}. time is no breach`, { tag: count === 3 ? [] : "@slow" }, async () => {
    expect((await judged({ between: every(count) })).broken).toEqual([]);
  });

for (const funds of [1, 12, 30])
  test(`a payer that runs dry after ${funds} bundles is no breach`, { tag: funds === 12 ? [] : "@slow" }, async () => {
    expect((await judged({ between: busy((nth) => nth > funds) })).broken).toEqual([]);
  });

test("a region that is refused is found beside an engine that is busy now and then", async () => {
  const choice = rules({ regions: ["ams", "dub", "fra", "lon", "nyc", "slc", "sgp", "tyo"] });
  expect((await judged({ only: ["BND-REG-01"], choice, between: every(6) })).broken).toEqual(["BND-REG-01"]);
});

test("a bundle accepted at a second attempt is withheld with that reason", async () => {
  const outcome = await judged({ only: ["BND-REG-01"], between: every(4) });
  expect(outcome.held).toEqual([]);
  expect(reasonOf(outcome, "BND-REG-01")).toContain("accepted at a second attempt");
});

test("after an answer that shows no refusal no bundle is sent again", async () => {
  const between = answering((request) =>
    isBundle(request) && request.headers.some(([name]) => name === "engine-region") ? answered(200, {}) : null,
  );
  const outcome = await judged({ only: ["BND-REG-01"], between });
  expect(new Set(texts(outcome)).size).toBe(texts(outcome).length);
});
