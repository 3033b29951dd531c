// Hostile vendors in machine formats and the summary: valid, and without effect.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { assay, emptyFolder, expectCommandLineError, type Run } from "../support/assay.ts";
import { breach, type HostileRun, judged, judgeHostile, resultsIn } from "../support/formats.ts";
import { nasty } from "../support/hostile.ts";
import { configOf, reported } from "../support/reports.ts";
import { commandsIn, problemsOf, xmlProblem } from "../support/standards.ts";

let hostileRun: HostileRun;
test.beforeAll(async () => {
  hostileRun = await judgeHostile();
});

test("a hostile vendor breaks no format and adds nothing to any", () => {
  const { run, text } = hostileRun;
  expect(run.totals.broken).toBeGreaterThan(2);
  expect(JSON.stringify(run)).toContain("onerror");
  expect(problemsOf("sarif", JSON.parse(text("results.sarif")))).toEqual([]);
  expect(problemsOf("ctrf", JSON.parse(text("ctrf.json")))).toEqual([]);
  const xml = text("junit.xml");
  expect(xmlProblem(xml)).toBeNull();
  expect(xml.match(/<testcase /g)).toHaveLength(run.requirements.filter(({ unselected }) => !unselected).length);
  for (const name of ["results.sarif", "ctrf.json", "junit.xml", "summary.md"] as const) {
    expect(/[\p{Cc}\p{Cs}\u2028\u2029\u202e\ufeff]/u.exec(text(name).replaceAll("\n", "")), name).toBeNull();
  }
  for (const { message } of resultsIn(hostileRun)) {
    expect(message.text).not.toContain("](");
    expect(message.text.replaceAll("{{", "").replaceAll("}}", "")).not.toMatch(/[{}]/);
  }
});

test("GitHub's runner obeys our annotations alone, whatever the vendor sends", () => {
  const commands = commandsIn(hostileRun.stdout);
  expect(commandsIn(nasty).map(({ name }) => name)).toEqual(["error", "add-mask", "add-mask"]);
  expect(commands.length).toBeGreaterThan(2);
  for (const { name, properties } of commands) {
    expect(["error", "warning", "notice"]).toContain(name);
    expect(properties["title"]).toMatch(/^([A-Z]+-[A-Z0-9-]+ |Assay$)/);
    expect(properties["file"] ?? "target.yaml").toMatch(/target\.yaml$/);
  }
  expect(hostileRun.stdout).toMatch(/^::stop-commands::[0-9a-f-]{36}$/m);
});

/** A span of code ends at a run of as many backticks as it begins with (CommonMark §6.1). */
const codeSpan = /(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)/g;

test("the vendor's text in the summary is text, not Markdown", () => {
  const { summary } = hostileRun;
  expect(summary.trimEnd()).toBe(hostileRun.text("summary.md").trimEnd());
  const words = [...summary.matchAll(codeSpan)].map(([, , text = ""]) => text);
  expect(words.some((text) => text.includes("script"))).toBe(true);
  const rest = summary.replace(codeSpan, "");
  for (const word of ["script", "onerror", "evil", "everyone", "bold", "made up"]) expect(rest).not.toContain(word);
  for (const [tag] of rest.matchAll(/<[^>]*>/g)) expect(tag).toMatch(/^<\/?(details|summary)>$/);
  for (const row of rest.split("\n").filter((line) => line.startsWith("|")))
    expect(row.match(/(?<!\\)\|/g)).toHaveLength(3);
});

const kinds = [
  { verdict: "broken", breaches: [{ ...breach, expected: nasty, got: { value: nasty.repeat(20) } }] },
  { verdict: "broken", enforced: "warn", breaches: [breach, { ...breach, at: "/x" }] },
  { verdict: "deviates", reason: nasty.repeat(20) },
  { verdict: "withheld", reason: nasty.repeat(20) },
  { verdict: "inconclusive", reason: nasty.repeat(20) },
] as const;

/** So many requirements, of all kinds in turn. */
async function reportedMany(count: number) {
  const { config, ids } = configOf(count);
  const requirements = ids.map((id, nth) =>
    judged({ id, ...kinds[nth % 5], ...(nth % 5 === 3 ? { reason: `no ${nth} key` } : {}) }),
  );
  return reported({ ...hostileRun.run, requirements, observations: [] }, { config });
}

test("a summary has at most 60 lines, those of its commands counted", async () => {
  const { text } = await reportedMany(50);
  expect(text("summary.md").trimEnd().split("\n").length).toBeLessThanOrEqual(60);
});

test("as many results as a config may have stay small in every format, and the summary has 60 lines", {
  tag: "@slow",
}, async () => {
  const { text, commands } = await reportedMany(1_000);
  for (const name of ["results.sarif", "ctrf.json", "junit.xml"] as const)
    expect(Buffer.byteLength(text(name)), name).toBeLessThan(1_000_000);
  const summary = text("summary.md");
  expect(summary.trimEnd().split("\n").length).toBeLessThanOrEqual(60);
  // GitHub refuses a longer comment.
  expect(summary.length).toBeLessThan(65_536);
  const names = commands.map(({ name }) => name);
  expect(names.filter((name) => name === "error")).toHaveLength(10);
  expect(names.filter((name) => name === "warning")).toHaveLength(10);
  expect(problemsOf("ctrf", JSON.parse(text("ctrf.json")))).toEqual([]);
});

test("--json prints one document on GitHub too, and the summary is written", async () => {
  const summary = join(emptyFolder(), "summary.md");
  const { stdout } = await assay(["report", hostileRun.folder, "--json"], {
    GITHUB_ACTIONS: "true",
    GITHUB_STEP_SUMMARY: summary,
  });
  expect((JSON.parse(stdout) as Run).id).toBe(hostileRun.run.id);
  expect(readFileSync(summary, "utf8")).toContain("##");
  await expectCommandLineError(["report", hostileRun.folder, "--json", "--annotations", "github"], "--annotations");
  await expectCommandLineError(["report", hostileRun.folder, "--annotations", "gitlab"], '--annotations is "gitlab"');
  const without = await assay(["report", hostileRun.folder, "--annotations", "none"], { GITHUB_ACTIONS: "true" });
  expect(commandsIn(without.stdout).filter(({ name }) => name === "warning" || name === "stop-commands")).toEqual([]);
  expect(without.stdout).not.toMatch(/^::/m);
});
