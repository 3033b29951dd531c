// Wallets and their charges judged on a vendor, played by the reference: defects are found, and no more.
import { expect, test } from "@playwright/test";
import { asVendor, type Between, changeIn, keysWith, outcomeOf, type TargetChange } from "../support/probeSpecs.ts";
import { answered, answering, rewriting } from "../support/vendorsInProcess.ts";

const charges = ["MET-WAL-01", "MET-WAL-02", "MET-WAL-03", "MET-WAL-04", "MET-WAL-05", "MET-CRED-01"];

const vendor = { quiet: true, offers: ["usage", "wallet"], perSecond: 1000 } as const;
/** As a vendor's, without control; verdicts by requirement. */
async function verdictsOn(
  only: readonly string[],
  between?: Between,
  known: TargetChange = {},
): Promise<Readonly<Record<string, string>>> {
  const target = asVendor((given) => ({ ...vendor, ...changeIn(given, known) }));
  const { verdicts } = await outcomeOf({ only, between, target, observe: [], impliedFails: true });
  return Object.fromEntries(
    verdicts
      .filter(({ id }) => only.includes(id))
      .map(({ id, verdict, narrowed }) => [id, narrowed ? "holds in part" : verdict]),
  );
}
const verdictOn = async (id: string, ...trial: readonly [Between?, TargetChange?]) =>
  (await verdictsOn([id], ...trial))[id];

interface Asked {
  readonly url: string;
}
const isFor = ({ url }: Asked, step: string): boolean => new URL(url).pathname.endsWith(`/${step}`);
const isWallet = ({ url }: Asked): boolean => new URL(url).pathname.startsWith("/v1/wallet/");
const isOfDomain = ({ url }: Asked): boolean => /\.sol\/identity$/.test(new URL(url).pathname);
const isByQuery = ({ url }: Asked): boolean => new URL(url).searchParams.has("api-key");

/** Some calls cost so many credits more or less than what is due; those that cost nothing aren't counted either. */
function mispriced(isAffected: (asked: Asked) => boolean, more: number): Between {
  let count = 0;
  return rewriting(
    (usage) => {
      usage.credits.walletApi += count * more;
      usage.creditsUsed += count * more;
      usage.creditsRemaining -= count * more;
      if (more === -100) usage.requests.walletApi -= count;
    },
    (request) => {
      count += isWallet(request) && isAffected(request) ? 1 : 0;
    },
  );
}

const everyCall = mispriced.bind(null, () => true);
const together =
  (...all: readonly Between[]): Between =>
  (wire, clock) =>
    all.reduce((inner, between) => between(inner, clock), wire);
const unfunded = answering((request) =>
  isFor(request, "funded-by") ? answered(404, { message: "no funding transaction found" }) : null,
);
const all = (verdict: string) => Object.fromEntries(charges.map((id) => [id, verdict]));

/** Replaces refusals of one status. */
const reanswered =
  (status: number, isAffected: (asked: Asked) => boolean, instead: ReturnType<typeof answered>): Between =>
  (wire) =>
  async (request, signal) => {
    const answer = await wire(request, signal);
    return isWallet(request) && answer.status === status && isAffected(request) ? instead : answer;
  };
const isOfBalances = (request: Asked): boolean => isFor(request, "balances");
const served = answered(200, {});
const hasKeyInQuery = ({ url }: Asked): boolean => (new URL(url).searchParams.get("api-key") ?? "") !== "";

/** Verdicts on the honest vendor, once each. */
const honestly = new Map<string, Promise<string | undefined>>();

for (const [id, what, between] of [
  ["MET-WAL-01", "calls whose key is in the query are free", mispriced(isByQuery, -100)],
  ["MET-WAL-01", "a domain costs double", mispriced(isOfDomain, 100)],
  ["MET-WAL-01", "the first endpoint is free", mispriced(isOfBalances, -100)],
  ["MET-WAL-01", "an endpoint refuses the sample, and the others cost 99", together(everyCall(-1), unfunded)],
  ["AUTH-WAL-MISS-01", "an unknown key in the query is served", reanswered(401, hasKeyInQuery, served)],
  ["WAL-FREE-03", "a free plan whose key is in the query is served", reanswered(403, isByQuery, served)],
  ["WAL-FREE-01", "a domain is looked up for a free plan", reanswered(403, isOfDomain, served)],
  ["AUTH-IP-01", "a key that is restricted to another address is served", reanswered(403, isOfBalances, served)],
  [
    "WAL-FREE-02",
    "a free plan's key, served elsewhere, is called unknown",
    reanswered(403, () => true, answered(401, { code: "UNAUTHORIZED", message: "unknown key" })),
  ],
] as const)
  test(`found: ${what}`, { tag: what === "a domain costs double" ? "@slow" : [] }, async () => {
    expect(await verdictOn(id, between)).toBe("broken");
    const honest = honestly.get(id) ?? verdictOn(id);
    honestly.set(id, honest);
    expect(await honest).toBe("holds");
  });

for (const [what, known] of [
  ["no names", { names: {} }],
  ["no mint", ({ samples: { mint: _, ...samples } }) => ({ samples })],
] satisfies readonly (readonly [string, TargetChange])[]) {
  test(`charges of the other endpoints are judged where the target gives ${what}`, async () => {
    expect(await verdictOn("MET-WAL-01", everyCall(-1), known)).toBe("broken");
    expect(await verdictOn("MET-WAL-01", undefined, known)).toBe("holds in part");
  });
}

test("a free key that is unknown may be wrong in the target", async () => {
  const known: TargetChange = (given) => ({ keys: keysWith(given, "free", "mistyped-in-the-target") });
  expect(await verdictOn("WAL-FREE-01", undefined, known)).toBe("inconclusive");
});

test("an honest vendor's charges hold", async () => {
  expect(await verdictsOn(charges)).toEqual(all("holds"));
});

test("a refused sample narrows, and no other call is blamed for it", async () => {
  expect(await verdictsOn(charges, unfunded)).toEqual(all("holds in part"));
});

test("an unknown domain withholds only requirements about domains", async () => {
  const between = answering((request) => (isOfDomain(request) ? answered(404, { message: "no such name" }) : null));
  expect(await verdictsOn(["WAL-ID-01", "WAL-ID-02", "MET-WAL-01"], between)).toEqual({
    "WAL-ID-01": "holds",
    "WAL-ID-02": "withheld",
    "MET-WAL-01": "holds",
  });
});

test("a usage read that costs a fraction of a credit is no breach of a call", async () => {
  let reads = 0;
  const between = rewriting((usage) => {
    reads += 1;
    const cost = Math.round(reads * 0.3);
    usage.credits.rpc += cost;
    usage.creditsUsed += cost;
    usage.creditsRemaining -= cost;
  });
  expect(Object.values(await verdictsOn(charges, between))).not.toContain("broken");
});

test("a call that takes the last of the plan's credits is charged once", async () => {
  let first: number | undefined;
  const between = rewriting((usage) => {
    first ??= usage.creditsRemaining;
    usage.creditsRemaining = Math.max(0, usage.creditsRemaining - first + 250);
  });
  expect(await verdictOn("MET-WAL-04", between)).toBe("holds");
});

test("a call that is repeated between health checks isn't charged with their cost", async () => {
  let calls = 0;
  const between = answering((request) => {
    if (!isFor(request, "history")) return null;
    calls += 1;
    return calls === 1 ? answered(503, { message: "try again" }) : null;
  });
  expect(Object.values(await verdictsOn(charges, between))).not.toContain("broken");
});

test("parameters that aren't shown may be wanted", async () => {
  const between = answering((request) =>
    isFor(request, "history") ? answered(400, { message: "limit is required" }) : null,
  );
  expect(await verdictOn("WAL-HIST-01", between)).toBe("withheld");
});

for (const [what, served, verdict] of [
  ["in milliseconds are no breach", /^\d{13}$/, "withheld"],
  ["in no unit are a breach", /^$/, "broken"],
] as const) {
  test(`timestamps ${what}`, async () => {
    const between = answering(({ url }) => {
      const { pathname, searchParams } = new URL(url);
      const time = pathname.endsWith("/balance-at") ? searchParams.get("time") : null;
      return time === null ? null : answered(served.test(time) ? 200 : 400, {});
    });
    expect(await verdictOn("WAL-BALAT-01", between)).toBe(verdict);
  });
}
