// Where CI points a reader: at lines of the user's own files, and JUnit as GitLab and others read it
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { Run } from "../support/assay.ts";
import { breach, judged, resultsIn, runOf } from "../support/formats.ts";
import { exchanged, type JudgedRequirement, made } from "../support/madeRuns.ts";
import { reported } from "../support/reports.ts";

const target = { name: "acme", isReference: false, bases: {}, file: "ci/acme.yaml", lines: { usage: 3, wallet: 5 } };
const broken = { verdict: "broken", breaches: [breach] } as const;

/** By each format, the file and line, and what tells the finding from others. */
async function placesOf(change: Partial<JudgedRequirement>, run: Partial<Run> = {}) {
  const report = await reported(runOf(judged(change), { target, exitCode: 1, ...run }));
  const [result] = resultsIn(report);
  const { artifactLocation, region } = result?.locations[0]?.physicalLocation ?? {};
  const issues = JSON.parse(report.text("gl-code-quality-report.json")) as readonly {
    readonly check_name: string;
    readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
    readonly fingerprint: string;
  }[];
  const issue = issues.find(({ check_name }) => check_name === "USG-FLD-01");
  const properties = report.commands.find(({ properties: { file } }) => file)?.properties;
  return {
    sarif: `${artifactLocation?.uri}:${region?.startLine}`,
    gitlab: issue && `${issue.location.path}:${issue.location.lines.begin}`,
    github: properties && `${properties["file"]}:${properties["line"]}`,
    keys: [result?.partialFingerprints["assayBreach/v2"], issue?.fingerprint],
  };
}

const everywhere = (place: string) => ({ sarif: place, gitlab: place, github: place });

test("a breach is at what the target file says of its feature, whatever stands above it", async () => {
  const found = await placesOf(broken);
  expect(found).toMatchObject(everywhere("ci/acme.yaml:3"));
  const later = await placesOf(broken, { target: { ...target, lines: { usage: 30 } } });
  expect([later.sarif, later.keys]).toEqual(["ci/acme.yaml:30", found.keys]);
  const exchanges = [exchanged({ operation: "getWalletIdentity" })];
  expect(await placesOf(broken, { exchanges })).toMatchObject(everywhere("ci/acme.yaml:5"));
  // A journal of an older version has no lines.
  const { lines: _, ...older } = target;
  expect(await placesOf(broken, { target: older })).toMatchObject(everywhere("ci/acme.yaml:1"));
});

test("a file outside of the repository is named without its folders, and one below as servers match it", async () => {
  const at = async (file: string) => (await placesOf(broken, { target: { ...target, file } })).sarif;
  expect(await at("/elsewhere/acme.yaml")).toBe("acme.yaml:3");
  expect(await at("./ci/../ci/acme.yaml")).toBe("ci/acme.yaml:3");
  expect(await at(join(process.cwd(), "ci/acme.yaml"))).toBe("ci/acme.yaml:3");
});

test("a known deviation is at its entry, and what the embedded reference breaks in Assay's specs", async () => {
  const entry = { file: "ci/acme.deviations.yaml", line: 7 };
  const place = everywhere("ci/acme.deviations.yaml:7");
  expect(await placesOf({ ...broken, entry })).toMatchObject(place);
  expect(await placesOf({ entry, enforced: "note" })).toMatchObject(place);
  expect((await placesOf({ verdict: "deviates", breaches: [breach], entry })).sarif).toBe("ci/acme.deviations.yaml:7");
  const { file: _, ...embedded } = target;
  expect((await placesOf(broken, { target: embedded })).sarif).toMatch(/^specs\/.*\.yaml:\d+$/);
});

test("the summary repeats what broke, with the user's variable where the shell expands it", async () => {
  const url = "https://acme.example/usage?api-key=<key:made-2>&v=1";
  const sent = { method: "GET", url, headers: [["X-Api-Key", "<key:paid>"]] } as const;
  const { text } = await reported(
    runOf(judged(broken), {
      exitCode: 1,
      target: { ...target, variables: { paid: "ACME_KEY" } },
      exchanges: [exchanged({ operation: "getProjectUsage", sent })],
    }),
  );
  expect(text("summary.md").split("\n")).toContain(
    `curl -sS -i -H 'X-Api-Key: '"$ACME_KEY" 'https://acme.example/usage?api-key='"$KEY_MADE"'&v=1'`,
  );
});

test("a code span that the summary cuts doesn't set free what it held", async () => {
  const reason = `${"a ".repeat(90)}\`@octocat ${"b".repeat(60)}\` is asked`;
  const { text } = await reported(runOf(judged({ verdict: "inconclusive", reason }), { exitCode: 3 }));
  const line = text("summary.md")
    .split("\n")
    .find((one) => one.includes("@octocat"));
  expect(line).toMatch(/^- 1 ``.*@octocat.*``$/);
});

test("JUnit has the time of the exchanges, and each reason as text of its element", async () => {
  const exchanges = [exchanged({ number: 1, latency_ms: 250 }), exchanged({ number: 2, latency_ms: 1_500 })];
  const requirements = [
    judged({ id: "USG-HTTP-01", exchanges: [1] }),
    judged({ id: "USG-FLD-01", verdict: "inconclusive", reason: "reset by peer", exchanges: [1, 2] }),
    judged({ id: "USG-FLD-02", verdict: "withheld", reason: "no key", exchanges: [] }),
    judged({ id: "IH-OK-01", verdict: "broken", enforced: "note", breaches: [breach] }),
  ];
  const { text } = await reported(made(0, { requirements, exchanges, exitCode: 3 }));
  const xml = text("junit.xml");
  for (const written of [
    /<testsuites [^>]*tests="3" [^>]*time="1\.750">/,
    /<testsuite name="USG · The usage answer and its fields" [^>]*time="1\.750"/,
    /<testcase name="USG-HTTP-01 [^>]*time="0\.250"\/>/,
    /<testcase name="USG-FLD-01 [^>]*time="1\.750"><error [^>]*>inconclusive: reset by peer<\/error>/,
    /<testcase name="USG-FLD-02 [^>]*time="0\.000"><skipped [^>]*>not tested: no key<\/skipped>/,
    /<property name="noted IH-OK-01"/,
  ])
    expect(xml).toMatch(written);
  expect(xml).not.toContain('<testsuite name="IH');
});

test("of answers that break a requirement in the same way, the page shows the first", async () => {
  const exchanges = [1, 2, 3, 4].map((number) =>
    exchanged({ number, title: number < 4 ? "GET /usage" : "GET /other" }),
  );
  const requirements = [
    judged({ verdict: "broken", breaches: exchanges.map(({ number }) => ({ ...breach, exchange: number })) }),
  ];
  const { text } = await reported(made(0, { requirements, exchanges, exitCode: 1 }));
  const shown = [...text("index.html").matchAll(/>Request (\d+): /g)].map(([, number]) => number);
  expect(shown).toEqual(["1", "4"]);
});
