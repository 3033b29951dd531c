// Vendors that meter in ways of their own, with and without defects: lawful ways draw no finding, each defect does.
import { expect, test } from "@playwright/test";
import type { WireAnswer } from "../../harness/transport/wire.ts";
import { type Charge, type Defect, measured, metered, type Ways } from "../support/meteredVendors.ts";
import { asVendor, changeIn, keysOf, outcomeOf, type TargetChange, type Trial } from "../support/probeSpecs.ts";
import { answered, payingVendor, rewriting } from "../support/vendorsInProcess.ts";

const ofTotals: readonly string[] = ["MET-CRED-01", "MET-WAL-03", "MET-WAL-04"];

/** Verdicts by requirement, such as `broken, warn`, and how many seconds it took. */
async function judged(ways: Ways, defect?: Defect, change: TargetChange = {}) {
  const { verdicts, took_s } = await outcomeOf({
    only: measured,
    observe: [],
    between: metered(ways, defect),
    target: asVendor((given) => ({
      offers: ["usage", "wallet", "compression", "tokenAccounts"],
      ...changeIn(given, change),
    })),
  });
  const wanted = verdicts.filter(({ id }) => measured.includes(id));
  const is = Object.fromEntries(
    wanted.map(({ id, verdict, enforced }) => [id, verdict === "broken" ? `broken, ${enforced}` : verdict]),
  );
  return { is, took_s, verdicts: new Map(wanted.map((one) => [one.id, one])) };
}
const idsOf = (is: Readonly<Record<string, string>>, wanted: RegExp): readonly string[] =>
  Object.keys(is).filter((id) => wanted.test(is[id] ?? ""));

const creditsLate = (lag_ms: number): Ways => ({ lag_ms: { credits: lag_ms, used: lag_ms, pools: lag_ms } });
const atOnce: Ways = {};
const countsFirst = creditsLate(8_000);

/**
 * Each way, the longest that it may take in virtual time, and what needn't be judged beside it. How long depends on the
 * phase in which calls meet it, which a method more shifts: with the reads, every 2.5 s, from 18 s to 195 s.
 */
const lawful: readonly (readonly [title: string, ways: Ways, most_s: number, unjudged?: readonly string[]])[] = [
  ["at once", atOnce, 110],
  ["after 8 s", { lag_ms: 8_000 }, 480],
  ["in counts 8 s before credits", countsFirst, 360],
  ["from replicas, one of them 8 s behind", { replicas_ms: [0, 8_000] }, 150],
  ["up to 8 s late, in no order", { jitter_ms: 8_000 }, 520],
  ["with the reads, every 2.5 s", { readsCount: true, together_ms: 2_500 }, 300],
  ["while webhooks are delivered", { webhookEvery_ms: 2_000 }, 600, ofTotals],
];
const moreLawful: typeof lawful = [
  ["after 3 s", { lag_ms: 3_000 }, 50],
  ["after 20 s", { lag_ms: 20_000 }, 1_050],
  ["in counts 5 s before credits", creditsLate(5_000), 50],
  ["in counts 20 s before credits", creditsLate(20_000), 120],
  ["in counts 40 s before credits", creditsLate(40_000), 1_400],
  ["in credits 8 s before counts", { lag_ms: { requests: 8_000 } }, 80],
  ["in the total 8 s before the product", { lag_ms: { credits: 8_000 } }, 60],
  ["in pools 8 s after the total", { lag_ms: { pools: 8_000 } }, 210],
  ["in pools 20 s after the total", { lag_ms: { pools: 20_000 } }, 450],
  ["from a cache of 5 s", { cached_ms: 5_000 }, 40],
  ["from a cache of 20 s", { cached_ms: 20_000 }, 150],
  ["from caches of 60 s, one per replica", { cached_ms: 60_000, replicas_ms: [0, 0, 0] }, 2_200],
  ["from caches of 62 s, one per replica", { cached_ms: 62_000, replicas_ms: [0, 0, 0] }, 1_600, ["MET-CMP-01"]],
  ["from caches of 20 s, one per replica", { cached_ms: 20_000, replicas_ms: [0, 0] }, 1_100],
  ["from replicas, one of them 3 s behind", { replicas_ms: [0, 3_000] }, 50],
  ["from three replicas, one of them 20 s behind", { replicas_ms: [0, 0, 20_000] }, 30],
  ["from a replica per key, some of them 8 s behind", { replicas_ms: [0, 8_000], isByKey: true }, 60],
  ["up to 8 s late, from replicas", { jitter_ms: 8_000, replicas_ms: [0, 3_000] }, 100],
  ["every 10 s", { together_ms: 10_000 }, 70],
  ["with the reads", { readsCount: true }, 30],
  ["with the reads, from replicas, one of them 2.5 s behind", { readsCount: true, replicas_ms: [0, 2_500] }, 220],
  ["with the reads, after 8 s", { readsCount: true, lag_ms: 8_000 }, 130],
  ["with refused calls", { refusalsCost: true }, 30],
  ["from prepaid credits first", { prepaidFirst: true }, 30],
  ["while a webhook is delivered every 20 s", { webhookEvery_ms: 20_000 }, 30, ofTotals],
];

for (const [nth, [title, ways, most_s, unjudged = []]] of [...lawful, ...moreLawful].entries())
  test(`charges that show ${title} are judged in time, without a finding`, {
    tag: nth < lawful.length ? [] : "@slow",
  }, async () => {
    const { is, took_s } = await judged(ways);
    const isOpen = (id: string): boolean => unjudged.includes(id) && is[id] === "withheld";
    expect(is).toEqual(Object.fromEntries(measured.map((id) => [id, isOpen(id) ? "withheld" : "holds"])));
    expect(took_s).toBeLessThan(most_s);
  });

/** Documents that contradict themselves for a while are no matter of when charges show. */
const ofDocuments: readonly string[] = ["CRD-SUM-01", "CRD-REM-01", "CRD-USE-01"];

/** Requirements that a run of everything but bursts breaks. */
async function brokenBy(ways: Ways, trial: Trial = {}): Promise<readonly string[]> {
  const { broken } = await outcomeOf({
    ...trial,
    between: metered(ways),
    target: payingVendor(({ allow, offers }) => ({
      ...{ offers, perSecond: 25, apiPerSecond: { admin: 4.9 }, quiet: true },
      allow: allow.filter((one) => one !== "throttle"),
    })),
  });
  return broken.filter((id) => !ofDocuments.includes(id));
}

test("each of twenty calls is waited for, in whatever order their charges show", async () => {
  for (const disorder of [0, 1, 2])
    expect(await brokenBy({ jitter_ms: 8_000, disorder }, { only: ["MET-REQ-01"], observe: [] })).toEqual([]);
});

for (const jitter_ms of [4_000, 8_000, 25_000])
  test(`a whole run draws no finding where charges show up to ${jitter_ms} ms late, in further orders`, {
    tag: "@slow",
  }, async () => {
    for (const disorder of [1, 2, 3, 4]) expect(await brokenBy({ jitter_ms, disorder })).toEqual([]);
  });

for (const [title, ways] of [...lawful, ...moreLawful])
  test(`a whole run draws no finding where charges show ${title}`, { tag: "@slow" }, async () => {
    expect(await brokenBy(ways)).toEqual([]);
  });

test("what another replica may show is waited for, and the wait is told", async () => {
  const { broken, waits } = await outcomeOf({
    ...{ observe: [], between: metered({ replicas_ms: [0, 8_000], isByKey: true }) },
    target: asVendor({ offers: ["usage", "wallet"], quiet: true }),
  });
  expect(broken).toEqual([]);
  expect(waits).toContainEqual(expect.objectContaining({ on: "charges", duration_ms: 25_000 }));
});

const ofWallet =
  (change: (due: Charge) => readonly Charge[]): Defect =>
  (due) =>
    due.product === "walletApi" ? change(due) : [due];
const costing = (credits: number): Defect => ofWallet((due) => [{ ...due, credits }]);
const freeUnmetered: Defect = (due, { isFree }) => (isFree ? [] : [due]);
const neverCharged: Defect = ofWallet(() => []);

/** Each defect, and the requirements that it breaks at least; those after `warned` are only warned of. */
const defects: Readonly<
  Record<string, readonly [defect: Defect, broken: readonly string[], warned?: readonly string[]]>
> = {
  "costs 99": [costing(99), ["MET-WAL-01", "MET-WAL-03", "AUTH-ALL-02", "MET-CONC-01"]],
  "costs 50": [costing(50), ["MET-WAL-01", "MET-WAL-03", "AUTH-ALL-02", "MET-CONC-01"]],
  "costs 101": [costing(101), ["MET-WAL-01", "MET-WAL-03", "AUTH-ALL-02", "MET-CONC-01"]],
  "costs nothing at one endpoint": [
    (due, { url }) => [url.pathname.endsWith("/history") ? { ...due, credits: 0 } : due],
    ["MET-WAL-01", "MET-WAL-03"],
  ],
  "is counted twice": [ofWallet((due) => [{ ...due, requests: 2 }]), ["AUTH-ALL-02"], ["MET-WAL-02"]],
  "is charged to another project": [
    (due, { otherKey: key = due.key }) => [due.product === "walletApi" ? { ...due, key } : due],
    ["MET-SCOPE-01"],
    ["MET-WAL-03", "MET-CRED-01"],
  ],
  "counts as another product": [
    ofWallet((due) => [{ ...due, product: "rpc" }]),
    ["MET-WAL-01"],
    ["MET-WAL-02", "MET-WAL-05"],
  ],
  "is charged every second time": [
    (due, { nth }) => (due.product === "walletApi" && nth % 2 === 0 ? [] : [due]),
    ["MET-SCOPE-02"],
  ],
  "isn't charged on a free plan": [freeUnmetered, [], ["MET-WAL-01", "MET-WAL-03", "MET-CRED-01"]],
  "costs credits but isn't counted": [ofWallet((due) => [{ ...due, requests: 0 }]), [], ["MET-WAL-02"]],
  "is counted but costs no credits": [costing(0), [], ["MET-WAL-01", "MET-WAL-03", "MET-CRED-01"]],
  "is missing in its product": [ofWallet((due) => [{ ...due, credits: 0, used: 100 }]), [], ["MET-WAL-01"]],
  "is missing in the total": [ofWallet((due) => [{ ...due, used: 0 }]), [], ["MET-WAL-03", "MET-CRED-01"]],
  "comes from no pool": [ofWallet((due) => [{ ...due, pools: "none" }]), [], ["MET-WAL-04"]],
  "comes from both pools": [ofWallet((due) => [{ ...due, pools: "both" }]), [], ["MET-WAL-04"]],
  "is never charged": [neverCharged, [], ["MET-WAL-01", "MET-WAL-03", "MET-CRED-01"]],
};

const platforms: readonly (readonly [title: string, ways: Ways])[] = [
  ["at once", atOnce],
  ["in counts 8 s before credits", countsFirst],
  ["after 8 s", { lag_ms: 8_000 }],
  ["from a cache of 5 s", { cached_ms: 5_000 }],
  ["from replicas, one of them 8 s behind", { replicas_ms: [0, 8_000] }],
  ["every 10 s", { together_ms: 10_000 }],
];
const quick: Readonly<Record<string, readonly string[]>> = {
  "at once": ["counts as another product"],
  "in counts 8 s before credits": ["costs 99"],
  "from replicas, one of them 8 s behind": ["costs credits but isn't counted"],
};

for (const [platform, ways] of platforms)
  for (const [title, [defect, broken, warned = []]] of Object.entries(defects))
    test(`a wallet call that ${title} is found where charges show ${platform}`, {
      tag: quick[platform]?.includes(title) ? [] : "@slow",
    }, async () => {
      const { is } = await judged(ways, defect);
      expect(idsOf(is, /broken, fail/)).toEqual(expect.arrayContaining([...broken]));
      expect(idsOf(is, /broken, warn/)).toEqual(expect.arrayContaining([...warned]));
    });

test("what a window finds is asked once more alone, and no third time", async () => {
  const callsOf = async (defect?: Defect): Promise<number> => {
    const { exchanges } = await outcomeOf({
      ...{ isAudited: false, only: ["AUTH-ALL-02"], observe: [], between: metered(atOnce, defect) },
      target: asVendor({ offers: ["usage", "wallet"] }),
    });
    return exchanges.filter(({ asker, requestSpec }) => asker && requestSpec.api === "api").length;
  };
  // One that is sampled, and four in the window.
  expect([await callsOf(), await callsOf(costing(101))]).toEqual([5, 9]);
});

for (const [title, left, verdict, isFirst = true] of [
  ["fall by what is used", (used) => -used, "holds"],
  ["never fall", () => 0, "broken, fail"],
  ["fall by twice of what is used", (used) => -2 * used, "broken, fail"],
  ["are not used", () => 0, "withheld", false],
] as const satisfies readonly (readonly [string, (used: number) => number, string, boolean?])[])
  test(`prepaid credits that ${title} are judged by wallet calls`, async () => {
    const rewrite = rewriting((usage) => {
      usage.prepaidCreditsRemaining = 500_000 + left(usage.prepaidCreditsUsed);
    });
    const { verdicts } = await outcomeOf({
      only: ["CRD-PRE-01"],
      observe: [],
      between: (wire, clock) => rewrite(metered({ prepaidFirst: isFirst })(wire, clock), clock),
      target: asVendor({ offers: ["usage", "wallet"] }),
    });
    expect(verdicts.map((one) => [one.id, one.verdict === "broken" ? `broken, ${one.enforced}` : one.verdict])).toEqual(
      [["CRD-PRE-01", verdict]],
    );
  });

test("what is never charged is said with both times, and fails where the target says when charges show", async () => {
  const warned = await judged(atOnce, neverCharged);
  const [breach] = warned.verdicts.get("MET-WAL-01")?.breaches ?? [];
  expect(breach?.expected).toMatch(
    /^a charge for the call: not charged within \d+ s, while other charges showed after 0\.\d s$/,
  );
  expect(warned.took_s).toBeLessThan(900);
  const agreed = await judged(atOnce, neverCharged, { settlesWithin_s: 120 });
  for (const id of ["MET-WAL-01", "MET-WAL-03", "MET-CRED-01"]) expect(agreed.is[id]).toBe("broken, fail");
});

test("where nothing at all is charged, all is withheld with the time waited", async () => {
  const { is, took_s, verdicts } = await judged(atOnce, () => []);
  expect(is).toEqual(Object.fromEntries(measured.map((id) => [id, "withheld"])));
  for (const { reason } of verdicts.values()) expect(reason).toMatch(/^no charge showed within \d+ s/);
  expect(took_s).toBeLessThan(300);
});

test("a free plan alone and a paid one alone are judged for what they can show", async () => {
  const [paid, free] = await Promise.all(
    (["paid", "free"] as const).map((role) => judged(atOnce, costing(99), (given) => ({ keys: keysOf(given, role) }))),
  );
  for (const one of [paid, free])
    expect(idsOf(one?.is ?? {}, /broken, fail/)).toEqual(["MET-WAL-01", "MET-WAL-03", "MET-CONC-01"]);
  for (const one of [paid, free]) expect(one?.is["MET-CMP-01"]).toBe("holds");
});

/**
 * The verdict on calls at once where those beyond so many are refused, and charged all the same.
 * @param losesOne whether a charge is lost wherever calls are charged at once
 */
async function chargedAtOnce(most: number, refusal: WireAnswer, losesOne = false) {
  let atOnceNow = 0;
  let lostAt_ms = 0;
  const lostUpdate: Defect = (due) => {
    if (!losesOne || atOnceNow < 2 || due.at_ms === lostAt_ms) return [due];
    lostAt_ms = due.at_ms;
    return [];
  };
  const { verdicts } = await outcomeOf({
    only: ["MET-CONC-01"],
    observe: [],
    between: (wire, clock) => {
      const inner = metered(atOnce, lostUpdate)(wire, clock);
      return async (request, signal) => {
        if (!new URL(request.url).pathname.endsWith("/balances")) return inner(request, signal);
        atOnceNow += 1;
        const isOneMore = atOnceNow > most;
        const answer = await inner(request, signal).finally(() => (atOnceNow -= 1));
        return isOneMore ? refusal : answer;
      };
    },
    target: asVendor({ offers: ["usage", "wallet"] }),
  });
  return verdicts.find(({ id }) => id === "MET-CONC-01");
}

test("calls at once of which an edge refuses one that was charged prove nothing", async () => {
  expect(await chargedAtOnce(9, answered(403, { message: "Forbidden" }))).toMatchObject({
    verdict: "inconclusive",
    reason: expect.stringContaining("1 of 10 calls at once got no answer that can be judged"),
  });
});

test("of calls at once, as many are judged as are served, whether or not refused ones are charged", async () => {
  const tooMany = answered(429, { message: "too many requests" });
  expect(await chargedAtOnce(6, tooMany)).toMatchObject({ verdict: "holds" });
  expect(await chargedAtOnce(6, tooMany, true)).toMatchObject({ verdict: "broken" });
  expect(await chargedAtOnce(1, tooMany)).toMatchObject({
    verdict: "withheld",
    reason: expect.stringContaining("only 1 of 10 calls at once were served"),
  });
});
