// JUnit, CTRF, SARIF, annotations and summary: each kind of verdict by the verdict table.
import { expect, test } from "@playwright/test";
import { described } from "../../cli/project.ts";
import { describeNarrowed } from "../../harness/model/narrowing.ts";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { describeRenamed } from "../../harness/target/renaming.ts";
import { annotationsOf } from "../../reports/annotations.ts";
import { linkOf } from "../../reports/clauses.ts";
import { htmlOf } from "../../reports/html/page.tsx";
import { junitOf } from "../../reports/junit.ts";
import { markdownOf } from "../../reports/markdown.ts";
import { headlineOf } from "../../reports/sentences.ts";
import { summaryLines } from "../../reports/terminal.ts";
import { read } from "../support/assay.ts";
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
const brokenRun = (change: Partial<JudgedRequirement> = {}): Run =>
  runOf(judged({ verdict: "broken", breaches: [breach], ...change }), { broken: 1 });
const commandsOf = (run: Run) => commandsIn(annotationsOf(run, described).join("\n"));

const [breaches, reason] = [[breach], "known; until 2027-01-01, acme.deviations.yaml:7"];
const narrowed = {
  axis: "key",
  tried: ["paid"],
  untried: [{ member: "free", reason: "no key", inPart: false }],
} as const;
const renamed = [{ documented: "y", name: "x" }];
const entry = { file: "acme.deviations.yaml", line: 7 };

const table: readonly (readonly [
  title: string,
  change: Partial<JudgedRequirement>,
  totals: Partial<Run["totals"]>,
  expected: readonly [junit: string, ctrf: string | null, sarif: string | null, annotation: string | null],
])[] = [
  ["holds", {}, { holds: 2 }, ["passed", "passed", null, null]],
  ["broken", { verdict: "broken", breaches }, { broken: 1 }, ["failure", "failed", "error", "error"]],
  [
    "broken but only a warning",
    { verdict: "broken", enforced: "warn", breaches },
    { warned: 1 },
    ["system-out", "passed", "warning", "warning"],
  ],
  [
    "broken but only noted",
    { verdict: "broken", enforced: "note", breaches },
    { noted: 1 },
    ["property", null, null, null],
  ],
  ["deviates", { verdict: "deviates", reason, breaches, entry }, { deviates: 1 }, ["skipped", "skipped", "note", null]],
  [
    "verified in part",
    { reason: "1 of 2 keys", narrowed },
    { holds: 2, narrowed: 1 },
    ["system-out", "passed", "note", null],
  ],
  [
    "renamed",
    { verdict: "deviates", reason: "renamed: x instead of y", renamed },
    { deviates: 1, renamed: 1 },
    ["system-out", "passed", "warning", "warning"],
  ],
  ["withheld", { verdict: "withheld", reason: "no key" }, { withheld: 1 }, ["skipped", "skipped", null, null]],
  [
    "inconclusive",
    { verdict: "inconclusive", reason: "reset" },
    { inconclusive: 1 },
    ["error", "other", "note", "warning"],
  ],
];

for (const [title, change, totals, [junit, ofCtrf, ofSarif, annotation]] of table) {
  test(`each format reports what is ${title} by the verdict table`, () => {
    const run = runOf(judged(change), totals);
    const xml = junitOf(run);
    const own = xml.match(/<testcase name="USG-FLD-01[^>]*?(\/?)>(?:<([a-z-]+))?/);
    expect(
      own ? (own[1] ? "passed" : own[2]) : xml.includes('<property name="noted USG-FLD-01"') ? "property" : null,
    ).toBe(junit);
    expect(ctrf(run).results.tests.find(({ testId }) => testId === "USG-FLD-01")?.status ?? null).toBe(ofCtrf);
    const [result] = resultsOf(run);
    expect(result?.level ?? null).toBe(ofSarif);
    expect(result?.suppressions?.map(({ justification }) => justification) ?? null).toEqual(
      title === "deviates" ? [reason] : null,
    );
    expect(commandsOf(run).map(({ name }) => name)).toEqual(annotation ? [annotation] : []);
    expect([problemsOf("sarif", sarif(run)), problemsOf("ctrf", ctrf(run)), xmlProblem(xml)]).toEqual([[], [], null]);
  });
}

test("terminal, summary and page say how long a run took, and what it waited for", async () => {
  const [startedAt, endedAt] = ["2026-03-01T12:00:00.000Z", "2026-03-01T12:03:40.000Z"];
  const waited = { charges_s: 5, schedules_s: 142, limits_s: 0.4 };
  const run: Run = { ...runOf(judged({}), { holds: 1 }), startedAt, endedAt, waited };
  const took = "in 3 min 40 s (2 min 22 s for limits over time, 5 s for charges to settle), ";
  for (const report of [
    summaryLines(run, "runs/a").join("\n"),
    markdownOf(run, described),
    await htmlOf(run, described),
  ])
    expect(report).toContain(took);
});

test("every format says what wasn't tried of what is verified in part", () => {
  const run = runOf(judged({ reason: describeNarrowed(narrowed), narrowed }), { holds: 2, narrowed: 1 });
  const untried = "not tried: free: no key";
  expect(junitOf(run)).toContain(`<system-out>verified in part: 1 of 2 keys; ${untried}</system-out>`);
  expect(JSON.stringify(ctrf(run))).toContain(untried);
  expect(resultsOf(run)[0]?.message.text).toContain(untried);
  expect(markdownOf(run, described)).toMatch(/◐ 1 verified in part<[\s\S]*not tried/);
  expect(summaryLines(run, "runs/a")).toContain("1 holds · 1 verified in part");
  expect(summaryLines(run, "runs/a")).toContain(`     1 verified in part: ${untried}`);
});

test("every format says what is renamed", () => {
  const reason = `renamed: ${describeRenamed(renamed)}`;
  const run = runOf(judged({ verdict: "deviates", reason, renamed }), { deviates: 1, renamed: 1 });
  expect(junitOf(run)).toContain("<system-out>renamed: x instead of y</system-out>");
  expect(JSON.stringify(ctrf(run))).toContain(reason);
  expect(resultsOf(run)[0]?.message.text).toContain(reason);
  expect(commandsOf(run)[0]?.message).toContain(reason);
  expect(markdownOf(run, described)).toMatch(/↔ 1 renamed<[\s\S]*x instead of y/);
  expect(summaryLines(run, "runs/a")).toContain("1 holds · 1 renamed");
  expect(summaryLines(run, "runs/a")).toContain(`     1 ${reason}`);
});

const load = madeLoad({ bounds: [{ operation: "getProjectUsage", bound_ms: 100, p95_ms: 700, isKept: false }] });
const flaws: readonly (readonly [title: string, change: Partial<Run>, junit: string, sentence: string])[] = [
  ["exceeded a bound", { load }, "failure", "1 latency bound exceeded"],
  [
    "had an inconclusive load",
    { load: { ...load, bounds: [], doubt: "k6 was too slow" } },
    "error",
    "The load is inconclusive",
  ],
  [
    "is strict and verified something only in part",
    { totals: { ...none, holds: 2, narrowed: 1 } },
    "error",
    "Nothing was found broken, 1 requirement is verified only in part",
  ],
  ["verified nothing", { totals: { ...none, withheld: 2 } }, "error", "Nothing was verified"],
  ["was cut short", { complete: false, endedAt: null }, "error", "The run was cut short"],
];
for (const [title, change, junit, sentence] of flaws) {
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
    expect(commandsOf(run)).toEqual([{ name: "error", properties: { title: "Assay" }, message: sentence }]);
    expect(markdownOf(run, described)).toContain(`## ❔ ${headlineOf(run)}`);
  });
}

test("the published schemas refuse invalid documents", () => {
  const run = brokenRun();
  expect(problemsOf("sarif", { ...sarif(run), version: "2.0.0" })).not.toEqual([]);
  expect(problemsOf("ctrf", { ...ctrf(run), reportFormat: "other" })).not.toEqual([]);
  expect(xmlProblem("<a><b></a>")).not.toBeNull();
  expect(xmlProblem('<a x="<"/>')).not.toBeNull();
  expect(xmlProblem("<a>\u0007</a>")).not.toBeNull();
});

/** The line of a file of the specs that a result points at. */
function lineOf(result: SarifResult | undefined): string {
  const { artifactLocation, region } = result?.locations[0]?.physicalLocation ?? {};
  const uri = artifactLocation?.uri ?? "";
  return `${uri} ${read(uri).split("\n")[(region?.startLine ?? 0) - 1]?.trim()}`;
}

type Got = JudgedRequirement["breaches"][number]["got"];
const lines: readonly (readonly [
  title: string,
  where: readonly [id: JudgedRequirement["id"], operation: string, at: string, got: Got],
  is: string,
])[] = [
  [
    "a type, at its keyword in the noun",
    ["USG-FLD-01", "getProjectUsage", "/creditsRemaining", { value: "7" }],
    "specs/nouns/CreditAmount.yaml type: number",
  ],
  [
    "an absent member, at the member",
    ["USG-FLD-01", "getProjectUsage", "/creditsRemaining", { is: "absent" }],
    "specs/nouns/ProjectUsage.yaml creditsRemaining:",
  ],
  [
    "a bound, at its keyword",
    ["CRD-REM-02", "getProjectUsage", "/creditsRemaining", { value: -1 }],
    "specs/nouns/ProjectUsage.yaml minimum: 0",
  ],
  [
    "an element, whatever its index",
    ["BST-ELT-05", "getBundleStatuses", "/result/value/3/err", { is: "absent" }],
    "specs/nouns/BundleStatus.yaml err:",
  ],
  [
    "a documented refusal, at its row of the table",
    ["ERR-CMP-32005", "getCompressedBalance", "/error/message", { value: "slow" }],
    "specs/errors/compression.yaml - { code: -32005",
  ],
  [
    "a price, at the price",
    ["MET-WAL-01", "getWalletHistory", "/credits/walletApi", { value: 1 }],
    "specs/rest/history.yaml x-credits: 100",
  ],
  [
    "what no schema carries, at its row of the register",
    ["CRD-SUM-01", "getProjectUsage", "/creditsUsed", { value: 1 }],
    "specs/requirements/CRD.yaml - id: CRD-SUM-01",
  ],
];
for (const [title, [id, operation, at, got], is] of lines) {
  test(`SARIF points at ${title}`, () => {
    const run = brokenRun({ id, breaches: [{ ...breach, at, got }] });
    const changed = { ...run, exchanges: run.exchanges.map((exchange) => ({ ...exchange, operation })) };
    expect(lineOf(resultsOf(changed)[0])).toContain(is);
    const [annotation] = commandsOf(changed);
    expect(is).toContain(annotation?.properties["file"]);
  });
}

test("a deviation that no longer matches points at its entry, in the user's file", () => {
  const file = "our targets/acme.deviations.yaml";
  const run = brokenRun({ breaches: [], reason: "gone", entry: { file, line: 7 } });
  expect(resultsOf(run)[0]?.locations).toEqual([
    { physicalLocation: { artifactLocation: { uri: "our%20targets/acme.deviations.yaml" }, region: { startLine: 7 } } },
  ]);
  expect(commandsOf(run)[0]?.properties).toMatchObject({ file, line: "7" });
});

test("fingerprints differ between breaches, but not with the answer's number or an array index", () => {
  const at = (place: string, exchange = 1): string | undefined =>
    resultsOf(brokenRun({ id: "TA-ARR-01", breaches: [{ ...breach, at: place, exchange }] }))[0]?.partialFingerprints[
      "assayBreach/v1"
    ];
  expect(at("/result/token_accounts/3")).toBe(at("/result/token_accounts/17", 9));
  expect(at("/result/token_accounts")).not.toBe(at("/result/token_accounts/3"));
});

test("a SARIF rule names the anchor of its clause in the interface", () => {
  const run = brokenRun({ clause: "§2.1" });
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
