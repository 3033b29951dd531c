// Narrowed verdicts: where a requirement was tried in part, and what may not be missing.

import { expect, test } from "@playwright/test";
import { contractSuite } from "../../contracts/suite.ts";
import { virtualClock } from "../../harness/core/clock.ts";
import { heldInPart } from "../../harness/core/finding.ts";
import type { Feature, RequirementId } from "../../harness/core/interface.ts";
import type { Reason } from "../../harness/core/reason.ts";
import { openEngine } from "../../harness/engine/engine.ts";
import { Ledger } from "../../harness/engine/ledger.ts";
import { planFor } from "../../harness/engine/plan.ts";
import { Verdicts } from "../../harness/engine/verdicts.ts";
import { type Check, citedBy } from "../../harness/model/check.ts";
import { type CheckOutcome, type CoverageScope, coverageScopeOf } from "../../harness/model/narrowing.ts";
import { shownVerdict } from "../../harness/model/shown.ts";
import { exitCodeOf, type Verdict } from "../../harness/model/verdict.ts";
import type { Target } from "../../harness/targets/target.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { selectById } from "../../proof/mutants.ts";
import { asVendor, keysOf } from "../support/probeSpecs.ts";
import { inWords, sentenceOf } from "../support/reasons.ts";
import { requirementOf } from "../support/wallets.ts";

const full = inProcess(contractSuite).target;
const planned = planFor(full, contractSuite, { only: null }).checks;
const rows = full.interface.requirements.flatMap(({ coverage, ...row }) => (coverage ? [{ ...row, ...coverage }] : []));
const scopesOf = (id: RequirementId): readonly CoverageScope[] =>
  planned.flatMap(({ check }) => (citedBy(check).includes(id) ? [coverageScopeOf(check, full)] : []));

interface Case {
  readonly outcomeOf: (check: Check) => CheckOutcome;
  readonly doubtOn?: (feature: Feature) => Reason | null;
}

/** The verdict where each planned check had this outcome. */
function verdictWith(id: RequirementId, { outcomeOf, doubtOn = () => null }: Case): Verdict {
  const ledger = new Ledger([], (text) => text);
  const cited = planned.filter(({ check }) => citedBy(check).includes(id));
  const verdicts = new Verdicts(cited, {
    target: full,
    clock: virtualClock(0),
    impliedFails: false,
    renamedFails: false,
    fixedFails: false,
    ledger,
    isSelected: () => true,
    doubtOn,
  });
  for (const { check } of cited) {
    ledger.begin(check);
    verdicts.record(check, new Map(citedBy(check).map((one) => [one, outcomeOf(check)])));
  }
  return verdicts.of(id);
}

const lacking: CheckOutcome = { is: "withheld", reason: inWords("a sample is missing") };
const without = (id: RequirementId, isLost: (scope: CoverageScope) => boolean): Verdict =>
  verdictWith(id, { outcomeOf: (check) => (isLost(coverageScopeOf(check, full)) ? lacking : { is: "held" }) });

for (const { id, over, atLeast = [], sentence } of rows) {
  test(`${id} is narrowed by each member that wasn't tried: ${sentence}`, () => {
    const scopes = scopesOf(id);
    const members = [...new Set(scopes.map((scope) => scope[over]))];
    expect(scopes.length).toBeGreaterThan(1);
    expect(without(id, () => false)).toMatchObject({ verdict: "holds", reasons: [] });
    expect(without(id, () => true)).toMatchObject({ verdict: "withheld" });
    for (const member of members) {
      const verdict = without(id, (scope) => scope[over] === member);
      const left = scopes.filter((scope) => scope[over] !== member);
      const lacksAtLeast = atLeast.some(
        (name) =>
          scopes.some((one) => Object.values(one).includes(name)) &&
          !left.some((one) => Object.values(one).includes(name)),
      );
      const isTried = left.length > 0 && !lacksAtLeast;
      expect([member, verdict.verdict]).toEqual([member, isTried ? "holds" : "withheld"]);
      if (!isTried) continue;
      const untried = [{ member, reasons: [inWords("a sample is missing")], inPart: false }];
      expect(verdict.narrowed).toEqual({ axis: over, tried: members.filter((one) => one !== member), untried });
      expect(sentenceOf(verdict)).toContain(`not tried: ${member}: a sample is missing`);
    }
    for (const name of atLeast) {
      expect(scopes.some((one) => Object.values(one).includes(name))).toBe(true);
      expect(without(id, (one) => Object.values(one).includes(name)).verdict).toBe("withheld");
    }
  });
}

test("a requirement without coverage is withheld where one of its checks is", () => {
  for (const id of ["AUTH-ADM-PREC-01", "NAP-BAD-01", "WAL-ID-02"] as const) {
    expect(rows.map((row) => row.id)).not.toContain(id);
    let isFirst = true;
    const outcomeOf = (check: Check): CheckOutcome => {
      if (!isFirst || !citedBy(check).includes(id)) return { is: "held" };
      isFirst = false;
      return lacking;
    };
    expect(verdictWith(id, { outcomeOf })).toMatchObject({
      verdict: "withheld",
      reasons: [inWords("a sample is missing")],
    });
  }
});

test("a member of which some checks held is tried in part", () => {
  const [first] = planned.filter(({ check }) => citedBy(check).includes("ERR-TA-SET-01"));
  const some = verdictWith("ERR-TA-SET-01", {
    outcomeOf: (check) => (check === first?.check ? { is: "held" } : lacking),
  });
  expect(sentenceOf(some)).toBe("1 of 1 operation; tried in part: getTokenAccounts: a sample is missing");
});

test("a doubt about one feature narrows a requirement over several, and withholds one of that feature", () => {
  const doubtOn = (feature: Feature): Reason | null => (feature === "bundles" ? inWords("callers were alike") : null);
  const outcomeOf = (): CheckOutcome => ({ is: "held" });
  expect(sentenceOf(verdictWith("RPC-ENV-01", { outcomeOf, doubtOn }))).toEqual(
    expect.stringMatching(/^\d of \d operations; not tried: getBundleStatuses: callers were alike$/),
  );
  expect(verdictWith("BST-ALIGN-01", { outcomeOf, doubtOn })).toMatchObject({
    verdict: "withheld",
    reasons: [inWords("callers were alike")],
  });
});

test("what is inconclusive stays so, and what is masked keeps its reason", () => {
  const masked: CheckOutcome = { is: "withheld", reason: { kind: "hidden", by: ["USG-HTTP-01"] } };
  const of = (odd: CheckOutcome) =>
    verdictWith("RPC-ENV-01", { outcomeOf: ({ feature }) => (feature === "bundles" ? odd : { is: "held" }) });
  expect(of({ is: "inconclusive", reason: inWords("reset") })).toMatchObject({
    verdict: "inconclusive",
    reasons: [inWords("reset")],
  });
  expect(sentenceOf(of(masked))).toContain("getBundleStatuses: USG-HTTP-01 is broken");
});

test("a finding that held in part narrows any requirement", async () => {
  const [first] = contractSuite.checks.filter(({ ids, feature }) => ids.includes("USG-HTTP-01") && feature === "usage");
  if (!first) throw new Error("there is no such check");
  const inPart: Check = {
    ...first,
    run: async (context) =>
      (await first.run(context)).map((shown) => ({ ...shown, finding: heldInPart("pages beyond the 40th") })),
  };
  const [verdict] = await openEngine(inProcess({ ...contractSuite, checks: [inPart], probes: [] })).run();
  expect([verdict?.verdict, sentenceOf(verdict)]).toEqual(["holds", "not tried: pages beyond the 40th"]);
  expect(verdict?.narrowed?.axis).toBeNull();
});

const lessOf = <Value>(all: { readonly [name: string]: Value }, name: string): { readonly [name: string]: Value } =>
  Object.fromEntries(Object.entries(all).filter(([one]) => one !== name));

/** Targets that lack something, and what becomes of some requirements there. */
const poor: { readonly [lack: string]: readonly [(target: Target) => Target, { readonly [id: string]: string }] } = {
  "no landed bundle": [
    (target) => ({ ...target, samples: lessOf(target.samples, "landedBundles") }),
    {
      "RPC-ENV-01": "operations; not tried: getBundleStatuses: the target gives no `samples.landedBundles.0`",
      "GEN-POST-01": "operations; not tried: getBundleStatuses: the target gives no `samples.landedBundles.0`",
      "AUTH-RPC-QRY-01": "operations; not tried: getBundleStatuses: the target gives no `samples.landedBundles.0`",
    },
  ],
  "no name for balances at a moment": [
    (target) => ({ ...target, names: lessOf(target.names, "balanceAt") }),
    {
      "MET-WAL-01": "6 of 7 operations; not tried: getWalletBalanceAt: the target gives no `names.balanceAt.mint`",
      "AUTH-ALL-01": "operations; not tried: getWalletBalanceAt: the target gives no `names.balanceAt.mint`",
    },
  ],
  "no free plan": [
    ({ keys, ...target }) => ({ ...target, keys: new Map([...keys].filter(([role]) => role !== "free")) }),
    {
      "USG-PLAN-01": "1 of 2 keys; not tried: free: the target has no key `free`",
      "CYC-PRES-01": "withheld: the target has no key `free`",
    },
  ],
  "one key and one project id": [
    ({ bundles: _, ...target }) =>
      asVendor({ allow: [], keys: keysOf(target, "paid"), samples: {}, names: {}, quiet: false })(target),
    {
      "CRD-USE-01":
        "1 of 2 keys; not tried: a test project: " +
        "not testable from outside (needs a test project with prepared billing data)",
      "RPC-ENV-07": "; the target has no key `slow`",
      "AUTH-ALL-01":
        "operations; not tried: getCompressedBalance: the target gives no `samples.compressed.0.address`, ",
    },
  ],
};

for (const [lack, [change, expected]] of Object.entries(poor)) {
  test(`with ${lack}, requirements with a coverage hold on the rest, and name it`, {
    tag: lack.startsWith("no name") || lack.startsWith("no free") ? "@slow" : [],
  }, async () => {
    const options = inProcess({ ...contractSuite, probes: [], finders: [] });
    const target = change(options.target);
    const engine = openEngine({ ...options, target, only: rows.map(({ id }) => id) });
    const verdicts = new Map((await engine.run()).map((verdict) => [verdict.id, verdict]));
    for (const [id, reason] of Object.entries(expected)) {
      const verdict = verdicts.get(id as RequirementId);
      expect(`${verdict?.verdict === "holds" ? "" : `${verdict?.verdict}: `}${sentenceOf(verdict)}`).toContain(reason);
    }
    for (const { id, over, atLeast = [] } of rows) {
      const { verdict, narrowed } = verdicts.get(id) ?? {};
      const own = engine.plan.checks.filter(({ check }) => citedBy(check).includes(id) && !check.optional);
      const lost = own.filter(({ unmetNeed: lacks, check }) => lacks !== null && !check.needs.generates);
      if (narrowed) expect(narrowed.tried.length).toBeGreaterThan(0);
      if (verdict !== "holds" || lost.length === 0) continue;
      // What was lost is named, and nothing that must be covered was.
      const members = lost.map(({ check }) => coverageScopeOf(check, target)[over]);
      expect([id, narrowed?.untried.map(({ member }) => member)]).toEqual([id, expect.arrayContaining(members)]);
      expect(atLeast.filter((name) => members.includes(name) && !narrowed?.tried.includes(name))).toEqual([]);
    }
    const isNarrowed = [...verdicts.values()].some(({ narrowed }) => narrowed);
    expect(isNarrowed).toBe(true);
    expect([...verdicts.values()].filter(({ verdict }) => verdict === "broken" || verdict === "inconclusive")).toEqual(
      [],
    );
    expect(exitCodeOf([...verdicts.values()], true)).toBe(0);
    expect(exitCodeOf([...verdicts.values()], true, true)).toBe(3);
  });
}

test("what other checks prove wholly isn't narrowed by an optional check that can't run", async () => {
  const options = inProcess({ ...contractSuite, probes: [] });
  const target = { ...options.target, samples: lessOf(options.target.samples, "landedBundles") };
  const verdicts = await openEngine({ ...options, target, only: ["BST-ELT-02", "BST-ELT-01"] }).run();
  expect(verdicts.map(shownVerdict).map(({ id, verdict, reason }) => [id, verdict, reason])).toEqual([
    ["BST-ELT-01", "holds", null],
    ["BST-ELT-02", "holds", null],
  ]);
});

for (const [what, only, least, tag] of [
  ["what has a coverage", rows.map(({ id }) => id), 30, null],
  ["all", null, 280, "@slow"],
] as const)
  test(`with full samples the reference is judged on ${what}: nothing is narrowed`, { tag: tag ?? [] }, async () => {
    const verdicts = await openEngine({ ...inProcess({ ...contractSuite, probes: [] }), only }).run();
    expect(verdicts.filter(({ narrowed }) => narrowed)).toEqual([]);
    expect(verdicts.filter(({ verdict }) => verdict === "holds").length).toBeGreaterThan(least);
  });

for (const mutant of ["RPC-ENV-01.number", "GEN-POST-01.get-only", "MET-WAL-01.balances-10"]) {
  test(`what is tried of a narrowed requirement is still found broken: ${mutant}`, async () => {
    const [variant] = selectById([mutant]).mutants;
    const id = requirementOf(mutant);
    const options = inProcess({ ...contractSuite, probes: [] }, variant);
    expect(variant?.id).toBe(mutant);
    const { samples, names } = options.target;
    const target = { ...options.target, samples: lessOf(samples, "landedBundles"), names: lessOf(names, "balanceAt") };
    const [verdict] = await openEngine({ ...options, target, only: [id] }).run();
    expect(verdict).toMatchObject({ id, verdict: "broken", enforced: "fail" });
    expect(verdict?.narrowed).toBeUndefined();
  });
}
