// JUnit, CTRF, SARIF, annotations and summary: each kind of verdict by the verdict table.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { described } from "../../cli/described.ts";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { annotationsOf } from "../../reports/annotations.ts";
import { linkOf } from "../../reports/clauses.ts";
import { junitOf } from "../../reports/junit.ts";
import { markdownOf } from "../../reports/markdown.ts";
import { root } from "../support/assay.ts";
import {
  breach,
  ctrf,
  judged,
  judgeHostile,
  none,
  resultsOf,
  runWith,
  type SarifResult,
  sarif,
} from "../support/formats.ts";
import { madeLoad } from "../support/madeLoads.ts";
import { commandsIn, problemsOf, xmlProblem } from "../support/standards.ts";

let template: Run;
test.beforeAll(async () => {
  ({ template } = await judgeHostile());
});
const runOf = (requirement: JudgedRequirement, totals: Partial<Run["totals"]>): Run =>
  runWith(template, requirement, totals);

const table = [
  { title: "holds", change: {}, totals: { holds: 2 }, junit: "passed", ctrf: "passed", sarif: null, annotation: null },
  {
    title: "broken",
    change: { verdict: "broken", breaches: [breach] },
    totals: { broken: 1 },
    junit: "failure",
    ctrf: "failed",
    sarif: "error",
    annotation: "error",
  },
  {
    title: "broken but only a warning",
    change: { verdict: "broken", enforced: "warn", breaches: [breach] },
    totals: { warned: 1 },
    junit: "system-out",
    ctrf: "passed",
    sarif: "warning",
    annotation: "warning",
  },
  {
    title: "broken but only noted",
    change: { verdict: "broken", enforced: "note", breaches: [breach] },
    totals: { noted: 1 },
    junit: "property",
    ctrf: null,
    sarif: null,
    annotation: null,
  },
  {
    title: "deviates",
    change: {
      verdict: "deviates",
      reason: "known; until 2027-01-01, acme.deviations.yaml:7",
      breaches: [breach],
      entry: { file: "acme.deviations.yaml", line: 7 },
    },
    totals: { deviates: 1 },
    junit: "skipped",
    ctrf: "skipped",
    sarif: "note",
    annotation: null,
  },
  {
    title: "withheld",
    change: { verdict: "withheld", reason: "no key" },
    totals: { withheld: 1 },
    junit: "skipped",
    ctrf: "skipped",
    sarif: null,
    annotation: null,
  },
  {
    title: "inconclusive",
    change: { verdict: "inconclusive", reason: "reset" },
    totals: { inconclusive: 1 },
    junit: "error",
    ctrf: "other",
    sarif: "note",
    annotation: "warning",
  },
] as const;

for (const { title, change, totals, ...expected } of table) {
  test(`each format reports what is ${title} by the verdict table`, () => {
    const run = runOf(judged(change), totals);
    const xml = junitOf(run);
    const own = xml.match(/<testcase name="USG-FLD-01[^>]*?(\/?)>(?:<([a-z-]+))?/);
    expect(
      own ? (own[1] ? "passed" : own[2]) : xml.includes('<property name="noted USG-FLD-01"') ? "property" : null,
    ).toBe(expected.junit);
    expect(ctrf(run).results.tests.find(({ testId }) => testId === "USG-FLD-01")?.status ?? null).toBe(expected.ctrf);
    const [result] = resultsOf(run);
    expect(result?.level ?? null).toBe(expected.sarif);
    expect(result?.suppressions?.map(({ justification }) => justification) ?? null).toEqual(
      title === "deviates" ? [change.reason] : null,
    );
    expect(commandsIn(annotationsOf(run, described).join("\n")).map(({ name }) => name)).toEqual(
      expected.annotation ? [expected.annotation] : [],
    );
    expect([problemsOf("sarif", sarif(run)), problemsOf("ctrf", ctrf(run)), xmlProblem(xml)]).toEqual([[], [], null]);
  });
}

const load = madeLoad({ bounds: [{ operation: "getProjectUsage", bound_ms: 100, p95_ms: 700, isKept: false }] });
const flaws = [
  { title: "exceeded a bound", change: { load }, junit: "failure", sentence: "1 latency bound exceeded" },
  {
    title: "had an inconclusive load",
    change: { load: { ...load, bounds: [], doubt: "k6 was too slow" } },
    junit: "error",
    sentence: "The load is inconclusive",
  },
  {
    title: "verified nothing",
    change: { totals: { ...none, withheld: 2 } },
    junit: "error",
    sentence: "Nothing was verified",
  },
  {
    title: "was cut short",
    change: { complete: false, endedAt: null },
    junit: "error",
    sentence: "The run was cut short",
  },
] as const;
for (const { title, change, junit, sentence } of flaws) {
  test(`no format shows a run that ${title} as green`, () => {
    const run = { ...runOf(judged({}), {}), ...change, exitCode: 3 };
    expect(junitOf(run)).toContain(`<${junit} message="${sentence.replace("'", "&apos;")}"`);
    expect(ctrf(run).results.tests.at(-1)).toMatchObject({ status: "failed", message: sentence });
    expect(sarif(run).runs[0]).toMatchObject({
      invocations: [
        { executionSuccessful: false, toolExecutionNotifications: [{ level: "error", message: { text: sentence } }] },
      ],
    });
    expect(problemsOf("sarif", sarif(run))).toEqual([]);
    expect(commandsIn(annotationsOf(run, described).join("\n"))).toEqual([
      { name: "error", properties: { title: "Assay" }, message: sentence },
    ]);
    expect(markdownOf(run, described)).toContain(`## ❔ ${sentence}`);
  });
}

test("the published schemas refuse invalid documents", () => {
  const run = runOf(judged({ verdict: "broken", breaches: [breach] }), { broken: 1 });
  expect(problemsOf("sarif", { ...sarif(run), version: "2.0.0" })).not.toEqual([]);
  expect(problemsOf("ctrf", { ...ctrf(run), reportFormat: "other" })).not.toEqual([]);
  expect(xmlProblem("<a><b></a>")).not.toBeNull();
  expect(xmlProblem('<a x="<"/>')).not.toBeNull();
  expect(xmlProblem("<a>\u0007</a>")).not.toBeNull();
});

/** The line of a file of the specs that a result points at. */
function lineOf(result: SarifResult | undefined): string {
  const { artifactLocation, region } = result?.locations[0]?.physicalLocation ?? {};
  const lines = readFileSync(join(root, artifactLocation?.uri ?? ""), "utf8").split("\n");
  return `${artifactLocation?.uri} ${lines[(region?.startLine ?? 0) - 1]?.trim()}`;
}

const lines = [
  {
    title: "a type, at its keyword in the noun",
    id: "USG-FLD-01",
    operation: "getProjectUsage",
    at: "/creditsRemaining",
    got: { value: "7" },
    is: "specs/nouns/CreditAmount.yaml type: number",
  },
  {
    title: "an absent member, at the member",
    id: "USG-FLD-01",
    operation: "getProjectUsage",
    at: "/creditsRemaining",
    got: { is: "absent" },
    is: "specs/nouns/ProjectUsage.yaml creditsRemaining:",
  },
  {
    title: "a bound, at its keyword",
    id: "CRD-REM-02",
    operation: "getProjectUsage",
    at: "/creditsRemaining",
    got: { value: -1 },
    is: "specs/nouns/ProjectUsage.yaml minimum: 0",
  },
  {
    title: "an element, whatever its index",
    id: "BST-ELT-05",
    operation: "getBundleStatuses",
    at: "/result/value/3/err",
    got: { is: "absent" },
    is: "specs/nouns/BundleStatus.yaml err:",
  },
  {
    title: "a documented refusal, at its row of the table",
    id: "ERR-CMP-32005",
    operation: "getCompressedBalance",
    at: "/error/message",
    got: { value: "slow" },
    is: "specs/errors.yaml - { code: -32005",
  },
  {
    title: "a price, at the price",
    id: "MET-WAL-01",
    operation: "getWalletHistory",
    at: "/credits/walletApi",
    got: { value: 1 },
    is: "specs/rest/history.yaml x-credits: 100",
  },
  {
    title: "what no schema carries, at its row of the register",
    id: "CRD-SUM-01",
    operation: "getProjectUsage",
    at: "/creditsUsed",
    got: { value: 1 },
    is: "specs/requirements/CRD.yaml - id: CRD-SUM-01",
  },
] as const;
for (const { title, id, operation, at, got, is } of lines) {
  test(`SARIF points at ${title}`, () => {
    const run = runOf(judged({ id, verdict: "broken", breaches: [{ ...breach, at, got }] }), { broken: 1 });
    const changed = { ...run, exchanges: run.exchanges.map((exchange) => ({ ...exchange, operation })) };
    expect(lineOf(resultsOf(changed)[0])).toContain(is);
    const [annotation] = commandsIn(annotationsOf(changed, described).join("\n"));
    expect(is).toContain(annotation?.properties["file"]);
  });
}

test("a deviation that no longer matches points at its entry, in the user's file", () => {
  const run = runOf(
    judged({ verdict: "broken", reason: "gone", entry: { file: "our targets/acme.deviations.yaml", line: 7 } }),
    { broken: 1 },
  );
  expect(resultsOf(run)[0]?.locations).toEqual([
    { physicalLocation: { artifactLocation: { uri: "our%20targets/acme.deviations.yaml" }, region: { startLine: 7 } } },
  ]);
  expect(commandsIn(annotationsOf(run, described).join("\n"))[0]?.properties).toMatchObject({
    file: "our targets/acme.deviations.yaml",
    line: "7",
  });
});

test("fingerprints differ between breaches, but not with the answer's number or an array index", () => {
  const at = (place: string, exchange = 1): string | undefined =>
    resultsOf(
      runOf(judged({ id: "TA-ARR-01", verdict: "broken", breaches: [{ ...breach, at: place, exchange }] }), {
        broken: 1,
      }),
    )[0]?.partialFingerprints["assayBreach/v1"];
  expect(at("/result/token_accounts/3")).toBe(at("/result/token_accounts/17", 9));
  expect(at("/result/token_accounts")).not.toBe(at("/result/token_accounts/3"));
});

test("a SARIF rule names the anchor of its clause in the interface", () => {
  const run = runOf(judged({ verdict: "broken", clause: "§2.1", breaches: [breach] }), { broken: 1 });
  expect(sarif(run).runs[0]?.tool.driver.rules[0]?.help.text).toContain("The interface: docs/INTERFACE.md#s2.1.");
});

test("a clause's link is absolute where the repository has an address, and there is none otherwise", () => {
  const base = "https://assay.example/blob/main/";
  expect(linkOf(described.clauses, "§2.1", base)).toBe("https://assay.example/blob/main/docs/INTERFACE.md#s2.1");
  expect([
    linkOf(described.clauses, "§2.1", null),
    linkOf(described.clauses, "<b>", base),
    linkOf(described.clauses, "constructor", base),
  ]).toEqual([null, null, null]);
});
