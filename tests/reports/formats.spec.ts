// JUnit, CTRF, SARIF, annotations and summary: each kind of verdict by the verdict table.
import { expect, test } from "@playwright/test";
import { type Run, read } from "../support/assay.ts";
import { breach, ctrfIn, judged, resultsIn, runOf, type SarifResult, sarifIn } from "../support/formats.ts";
import { madeLoad } from "../support/madeLoads.ts";
import { exchanged, type JudgedRequirement, made } from "../support/madeRuns.ts";
import { reported } from "../support/reports.ts";
import { problemsOf, xmlProblem } from "../support/standards.ts";

const brokenRun = (change: Partial<JudgedRequirement> = {}, run: Partial<Run> = {}): Run =>
  runOf(judged({ verdict: "broken", breaches: [breach], ...change }), run);

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
  expected: readonly [junit: string, ctrf: string | null, sarif: string | null, annotation: string | null],
])[] = [
  ["holds", {}, ["passed", "passed", null, null]],
  ["broken", { verdict: "broken", breaches }, ["failure", "failed", "error", "error"]],
  [
    "broken but only a warning",
    { verdict: "broken", enforced: "warn", breaches },
    ["system-out", "passed", "warning", "warning"],
  ],
  ["broken but only noted", { verdict: "broken", enforced: "note", breaches }, ["property", null, null, null]],
  ["deviates", { verdict: "deviates", reason, breaches, entry }, ["skipped", "skipped", "note", null]],
  ["verified in part", { reason: "1 of 2 keys", narrowed }, ["system-out", "passed", null, null]],
  [
    "renamed",
    { verdict: "deviates", reason: "renamed: x instead of y", renamed },
    ["system-out", "passed", "warning", "warning"],
  ],
  ["withheld", { verdict: "withheld", reason: "no key" }, ["skipped", "skipped", null, null]],
  ["inconclusive", { verdict: "inconclusive", reason: "reset" }, ["error", "other", "note", "warning"]],
];

for (const [title, change, [junit, ctrf, sarif, annotation]] of table) {
  test(`each format reports what is ${title} by the verdict table`, async () => {
    const report = await reported(runOf(judged(change)));
    const xml = report.text("junit.xml");
    const own = xml.match(/<testcase name="USG-FLD-01[^>]*?(\/?)>(?:<([a-z-]+))?/);
    expect(
      own ? (own[1] ? "passed" : own[2]) : xml.includes('<property name="noted USG-FLD-01"') ? "property" : null,
    ).toBe(junit);
    expect(ctrfIn(report).results.tests.find(({ testId }) => testId === "USG-FLD-01")?.status ?? null).toBe(ctrf);
    const [result] = resultsIn(report);
    expect(result?.level ?? null).toBe(sarif);
    expect(result?.suppressions?.map(({ justification }) => justification) ?? null).toEqual(
      title === "deviates" ? [reason] : null,
    );
    expect(report.commands.map(({ name }) => name)).toEqual(annotation ? [annotation] : []);
    const problems = [problemsOf("sarif", sarifIn(report)), problemsOf("ctrf", ctrfIn(report)), xmlProblem(xml)];
    expect(problems).toEqual([[], [], null]);
  });
}

test("terminal, summary and page say how long a run took, and what it waited for", async () => {
  const [startedAt, endedAt] = ["2026-03-01T12:00:00.000Z", "2026-03-01T12:03:40.000Z"];
  const waited = { charges_s: 5, schedules_s: 142, limits_s: 0.4 };
  const { stdout, text } = await reported(runOf(judged({}), { startedAt, endedAt, waited }));
  const took = "in 3 min 40 s (2 min 22 s for limits over time, 5 s for charges to settle), ";
  for (const shown of [stdout, text("summary.md"), text("index.html")]) expect(shown).toContain(took);
});

test("every format says what wasn't tried of what is verified in part", async () => {
  const untried = "not tried: free: no key";
  const report = await reported(runOf(judged({ reason: `1 of 2 keys; ${untried}`, narrowed })));
  expect(report.text("junit.xml")).toContain(`<system-out>verified in part: 1 of 2 keys; ${untried}</system-out>`);
  expect(report.text("ctrf.json")).toContain(untried);
  expect(report.text("summary.md")).toMatch(/◐ 1 verified in part<[\s\S]*not tried/);
  const lines = report.stdout.split("\n");
  expect(lines).toContain("1 passed · 1 verified in part");
  expect(lines).toContain(`     1 verified in part: ${untried}`);
});

test("every format says what is renamed", async () => {
  const reason = "renamed: x instead of y";
  const report = await reported(runOf(judged({ verdict: "deviates", reason, renamed })));
  expect(report.text("junit.xml")).toContain(`<system-out>${reason}</system-out>`);
  expect(report.text("ctrf.json")).toContain(reason);
  expect(resultsIn(report)[0]?.message.text).toContain(reason);
  expect(report.commands[0]?.message).toContain(reason);
  expect(report.text("summary.md")).toMatch(/↔ 1 renamed<[\s\S]*x instead of y/);
  const lines = report.stdout.split("\n");
  expect(lines).toContain("1 passed · 1 renamed");
  expect(lines).toContain(`     1 ${reason}`);
});

const load = madeLoad({
  after: 0,
  bounds: [{ operation: "getProjectUsage", bound_ms: 100, p95_ms: 700, isKept: false }],
});
const untried = { reason: "1 of 2 keys", narrowed };
const flaws: readonly (readonly [title: string, run: Run, junit: string, sentence: string])[] = [
  [
    "had an inconclusive load",
    runOf(judged({}), { load: { ...load, bounds: [], doubt: "k6 was too slow" } }),
    "error",
    "Inconclusive: the load is inconclusive; all 2 requirements judged",
  ],
  [
    "is strict and verified something only in part",
    runOf(judged(untried)),
    "error",
    "Inconclusive: 1 requirement is only verified in part, which a strict run doesn't accept; " +
      "all 2 requirements judged, 1 of them in part",
  ],
  [
    "verified nothing",
    made(0, { requirements: [judged({ verdict: "withheld" })] }),
    "error",
    "Inconclusive: nothing was verified; 0 of 1 requirement judged",
  ],
  [
    "was cut short",
    runOf(judged({}), { complete: false, endedAt: null }),
    "error",
    "Inconclusive: the run was cut short; all 2 requirements judged",
  ],
];
for (const [title, run, junit, sentence] of flaws) {
  test(`no format shows a run that ${title} as green`, async () => {
    const report = await reported({ ...run, exitCode: 3 });
    expect(report.text("junit.xml")).toContain(`<${junit} message="${sentence.replace("'", "&apos;")}"`);
    expect(ctrfIn(report).results.tests.at(-1)).toMatchObject({ status: "failed", message: sentence });
    expect(sarifIn(report).runs[0]).toMatchObject({
      invocations: [
        { executionSuccessful: false, toolExecutionNotifications: [{ level: "error", message: { text: sentence } }] },
      ],
    });
    expect(problemsOf("sarif", sarifIn(report))).toEqual([]);
    expect(report.commands).toEqual([{ name: "error", properties: { title: "Assay" }, message: sentence }]);
    expect(report.text("summary.md")).toContain(`## ❔ ${sentence}`);
  });
}

const bound = (operation: "getProjectUsage" | "getIndexerHealth", p95_ms: number, bound_ms = 150) => ({
  operation,
  bound_ms,
  p95_ms,
  isKept: p95_ms <= bound_ms,
});

test("an exceeded bound has its own sentence, exit text, test case and annotation", async () => {
  const unmeasured = { operation: "getTokenAccounts", bound_ms: 150, p95_ms: null, isKept: null } as const;
  const bounds = [bound("getProjectUsage", 182.4), bound("getIndexerHealth", 20), unmeasured];
  const report = await reported({ ...runOf(judged({}), { load: madeLoad({ after: 0, bounds }) }), exitCode: 1 });
  const sentence = "getProjectUsage answered with p95 182 ms, above the target file's bound of 150 ms";
  expect(report.stdout).toContain(`Failed: ${sentence}; `);
  expect(report.stdout).toMatch(/bounds not tested, as no latency was measured: getTokenAccounts/i);
  expect(report.text("summary.md")).toContain(`## ❌ Failed: ${sentence}; `);
  expect(report.text("summary.md")).toContain("exit code 1 (a bound of the target file is exceeded).");
  expect(report.text("index.html")).toMatch(/>1 <span[^>]*>\(a bound of the target file is exceeded\)</);
  const [exceeded, kept] = ["getProjectUsage", "getIndexerHealth"].map(
    (name) => `p95 of ${name} under load is at most 150 ms`,
  );
  const xml = report.text("junit.xml");
  expect(xml).toContain(
    `<testcase name="${exceeded}" classname="bounds" time="0.000">` +
      `<failure message="${sentence.replace("'", "&apos;")}"`,
  );
  expect(xml).toContain(`<testcase name="${kept}" classname="bounds" time="0.000"/>`);
  expect(xml).not.toContain("the run");
  expect(ctrfIn(report).results.tests.slice(-3)).toMatchObject([
    { name: exceeded, status: "failed", message: sentence },
    { name: kept, status: "passed" },
    { status: "skipped", message: "not tested: no latency was measured" },
  ]);
  expect(report.commands).toEqual([
    { name: "error", properties: { title: "Bound on getProjectUsage" }, message: sentence },
  ]);
  expect(sarifIn(report).runs[0]).toMatchObject({
    invocations: [{ executionSuccessful: false, toolExecutionNotifications: [{ message: { text: sentence } }] }],
  });
  expect([problemsOf("sarif", sarifIn(report)), problemsOf("ctrf", ctrfIn(report)), xmlProblem(xml)]).toEqual([
    [],
    [],
    null,
  ]);
});

test("several exceeded bounds are named together, and stand beside what is broken", async () => {
  const load = madeLoad({ after: 0, bounds: [bound("getProjectUsage", 182.4), bound("getIndexerHealth", 150.2)] });
  const report = await reported({ ...runOf(judged({}), { load }), exitCode: 1 });
  const all =
    "2 bounds of the target file are exceeded: getProjectUsage p95 182 ms, bound 150 ms; getIndexerHealth p95 " +
    "150.2 ms, bound 150 ms";
  expect(report.text("summary.md")).toContain(all);
  const broken = await reported({ ...brokenRun(), load, exitCode: 1 });
  expect(broken.stdout).toContain(`1 requirement is broken; ${all}`);
  expect(broken.text("summary.md")).toContain("(a requirement is broken, and a bound of the target file is exceeded)");
});

test("the published schemas refuse invalid documents", async () => {
  const report = await reported(brokenRun());
  expect(problemsOf("sarif", { ...sarifIn(report), version: "2.0.0" })).not.toEqual([]);
  expect(problemsOf("ctrf", { ...ctrfIn(report), reportFormat: "other" })).not.toEqual([]);
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
  test(`SARIF points at ${title}`, async () => {
    const exchanges = [exchanged({ operation })];
    const report = await reported(brokenRun({ id, breaches: [{ ...breach, at, got }] }, { exchanges }));
    expect(lineOf(resultsIn(report)[0])).toContain(is);
    expect(is).toContain(report.commands[0]?.properties["file"]);
  });
}

test("a deviation that no longer matches points at its entry, in the user's file", async () => {
  const file = "our targets/acme.deviations.yaml";
  const report = await reported(brokenRun({ breaches: [], reason: "gone", entry: { file, line: 7 } }));
  expect(resultsIn(report)[0]?.locations).toEqual([
    { physicalLocation: { artifactLocation: { uri: "our%20targets/acme.deviations.yaml" }, region: { startLine: 7 } } },
  ]);
  expect(report.commands[0]?.properties).toMatchObject({ file, line: "7" });
});

test("fingerprints differ between breaches, but not with the answer's number or an array index", async () => {
  const at = async (place: string, exchange = 1): Promise<string | undefined> => {
    const report = await reported(brokenRun({ id: "TA-ARR-01", breaches: [{ ...breach, at: place, exchange }] }));
    return resultsIn(report)[0]?.partialFingerprints["assayBreach/v2"];
  };
  expect(await at("/result/token_accounts/3")).toBe(await at("/result/token_accounts/17", 9));
  expect(await at("/result/token_accounts")).not.toBe(await at("/result/token_accounts/3"));
});

test("a SARIF rule names the anchor of its clause in the interface", async () => {
  const [log] = sarifIn(await reported(brokenRun())).runs;
  expect(log?.tool.driver.rules[0]?.help.text).toContain("The interface: docs/INTERFACE.md#s2.1.");
});
