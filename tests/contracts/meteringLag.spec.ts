// Charges of vendors that show them late, in batches, from caches or replicas, or count the reads.
import { expect, test } from "@playwright/test";
import { metering as late, platform } from "../support/choices.ts";
import { measured as measuredCharges } from "../support/meteredVendors.ts";
import { asVendor, type Choice, outcomeOf, type Trial } from "../support/probeSpecs.ts";
import { idsIn, requirementOf, variantNamed } from "../support/wallets.ts";

/** One of them has a check that needs control. */
const measured: readonly string[] = [...measuredCharges, "MET-REQ-01"];

const judged = async (trial: Trial) => {
  const outcome = await outcomeOf({ only: measured, observe: [], ...trial });
  return {
    ...outcome,
    reasons: new Map<string, string | null>(outcome.verdicts.map(({ id, reason }) => [id, reason])),
  };
};

const asCustomer = asVendor({ offers: ["usage", "wallet", "compression", "tokenAccounts"] });
/** Judges the reference as a vendor: without control, and not known as the reference. */
const judgedOn = ({ rules: way }: Choice, only = measured, mutant?: Choice) => {
  const rules = {
    ...mutant?.rules,
    metering: { ...mutant?.rules?.metering, ...way?.metering },
    choices: { ...mutant?.rules?.choices, ...way?.choices },
  };
  return judged({ only, choice: { ...mutant, rules }, target: asCustomer, impliedFails: true });
};

const selfCounted = (metering: Parameters<typeof late>[0] = {}): Choice =>
  platform({ metering, choices: { usageReads: "counted" } });

/**
 * Vendors whose charges show within a minute, so that every requirement is decided. Each slow one lies between vendors
 * that stay in the gate, combines two of them, or is of a sort that meteredVendors.spec.ts has there.
 */
const vendors: readonly (readonly [title: string, way: Choice, tag?: "@slow"])[] = [
  ["shows charges at once", {}],
  ["shows charges after 1 s", late({ lag_ms: 1_000 }), "@slow"],
  ["shows charges after 5 s", late({ lag_ms: 5_000 }), "@slow"],
  ["shows charges after 30 s", late({ lag_ms: 30_000 }), "@slow"],
  ["shows charges every 10 s", late({ together_ms: 10_000 }), "@slow"],
  ["shows charges every 10 s, 2 s late", late({ together_ms: 10_000, lag_ms: 2_000 })],
  ["shows usage as of the last 10 s", late({ cached_ms: 10_000 })],
  ["reads every other time from a replica 3 s behind", late({ replica_ms: 3_000 }), "@slow"],
  ["reads every other time from a replica 8 s behind, 1 s late", late({ replica_ms: 8_000, lag_ms: 1_000 }), "@slow"],
  ["counts the reads", selfCounted(), "@slow"],
  ["counts the reads, 5 s late", selfCounted({ lag_ms: 5_000 }), "@slow"],
  ["counts the reads, every 10 s", selfCounted({ together_ms: 10_000 }), "@slow"],
];

for (const [title, way, tag = []] of vendors) {
  test(`an honest vendor that ${title} is verified`, { tag }, async () => {
    const { broken, held, reasons } = await judgedOn(way);
    expect(broken).toEqual([]);
    expect([...held].sort()).toEqual([...measured].sort());
    expect(reasons.get("MET-REQ-01")).toBe(
      "2 of 3 keys; not tried: a test project: " +
        "not testable from outside (needs a test project with prepared billing data)",
    );
  });
}

/** Mutants that charge too little, too much, elsewhere, or wrongly for parallel calls. */
const mutants = idsIn(`
  MET-WAL-01.balances-10 MET-WAL-01.batch-per-item MET-WAL-01.first-free MET-WAL-01.post-free MET-WAL-02.batch-n
  MET-WAL-05.also-rpc MET-CMP-01.per-address MET-CMP-01.health-uncounted MET-SCOPE-01.global-counter
  MET-SCOPE-02.per-key MET-CONC-01.lost-update AUTH-ALL-02.query-unattributed
`);
const late5 = "shows charges after 5 s";
/** Of requirements that no defect in the gate of meteredVendors.spec.ts breaks. */
const quick: readonly string[] = ["MET-CMP-01.per-address", "MET-SCOPE-01.global-counter", "MET-SCOPE-02.per-key"];
const mutatedPlatforms = ["shows charges at once", late5, "shows charges every 10 s"];

for (const id of mutants) {
  for (const [title, way] of vendors.filter(([title]) => mutatedPlatforms.includes(title))) {
    test(`${id} is found on a vendor that ${title}`, {
      tag: title === late5 && quick.includes(id) ? [] : "@slow",
    }, async () => {
      const only = requirementOf(id);
      expect((await judgedOn(way, [only], variantNamed(id))).broken).toContain(only);
    });
  }
}

for (const [title, lag_ms, tag] of [
  ["after 120 s", 120_000, null],
  ["after the end of any run", 86_400_000, "@slow"],
] as const) {
  test(`charges that show ${title} are withheld, with the time waited`, { tag: tag ?? [] }, async () => {
    const { broken, held, reasons, took_s } = await judgedOn(late({ lag_ms }));
    expect({ broken, held }).toEqual({ broken: [], held: [] });
    for (const id of measured)
      expect(reasons.get(id)).toMatch(
        id === "MET-REQ-01" ? /not testable from outside/ : /^(charges take|no charge showed within) \d+ s/,
      );
    expect(took_s).toBeLessThan(300);
  });
}

test("calls that are never metered are withheld on a vendor; wallet calls are still judged", async () => {
  const { broken, held, reasons } = await judgedOn(late({ rpc: "not metered" }));
  expect(broken).toEqual([]);
  expect(reasons.get("MET-CMP-01")).toMatch(/^not charged within \d+ s, /);
  expect(held).toContain("MET-WAL-01");
});

for (const [title, way, tag] of [
  ["3 s late", { lag_ms: 3_000 }, null],
  ["every 5 s", { together_ms: 5_000 }, "@slow"],
  ["as of the last 5 s", { cached_ms: 5_000 }, "@slow"],
  ["every other time as of 2 s ago", { replica_ms: 2_000 }, "@slow"],
] as const)
  test(`a reference that shows charges ${title} has no findings`, { tag: tag ?? [] }, async () => {
    const { broken, held } = await judged({ choice: late(way) });
    expect(broken).toEqual([]);
    expect(held.length).toBeGreaterThan(10);
  });
