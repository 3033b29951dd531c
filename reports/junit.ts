// What does a CI server read of a run? JUnit XML: a suite per area, a case per requirement.
import type { JudgedRequirement, Run } from "../harness/run.ts";
import { brokenLines } from "./terminal.ts";
import { capped, visible } from "./text.ts";
import { headlineOf, kindOf } from "./words.ts";

/** Longer texts are cut: CI servers keep reports for long. */
const longest_chars = 8_000;

const entities: { readonly [char: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

/** Escaped; what XML 1.0 forbids even as a reference is dropped (XML §2.2, Char). */
const xml = (text: string): string =>
  capped(visible(text), longest_chars)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replace(/[&<>"']/g, (char) => entities[char] ?? char);

/** A parser reads white space in an attribute as blanks unless it is written as a reference. */
const attributes = (values: { readonly [name: string]: string | number }): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${xml(String(value)).replace(/[\t\n\r]/g, (char) => `&#${char.charCodeAt(0)};`)}"`)
    .join("");

interface Case {
  readonly area: string;
  readonly name: string;
  readonly outcome: "passed" | "failure" | "error" | "skipped";
  /** What a failure, an error or a skip is told with. */
  readonly message: string;
  /** Text inside the outcome; for a passed case, its output. */
  readonly text: string;
}

export function junitOf(run: Run): string {
  const areas = new Map<string, Case[]>();
  for (const one of [...run.requirements.map((requirement) => caseOf(run, requirement)), ...casesOfRun(run)]) areas.set(one.area, [...(areas.get(one.area) ?? []), one]);
  const suites = [...areas].map(([area, cases]) => suiteXml(run, area, cases));
  const all = [...areas.values()].flat();
  return ['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites${attributes({ name: `assay ${run.target.name}`, ...countsOf(all) })}>`, ...suites, "</testsuites>", ""].join("\n");
}

/** The design's verdict table. */
function caseOf(run: Run, requirement: JudgedRequirement): Case {
  const { id, says, clause, area, reason } = requirement;
  const named = { area, name: `${id} ${says} (${clause})` };
  const kind = kindOf(requirement);
  const why = reason ?? "no reason given";
  if (kind === "holds") return { ...named, outcome: "passed", message: "", text: "" };
  if (kind === "deviates" || kind === "withheld") return { ...named, outcome: "skipped", message: `${kind}: ${why}`, text: "" };
  if (kind === "inconclusive") return { ...named, outcome: "error", message: `inconclusive: ${why}`, text: why };
  const lines = brokenLines(run, requirement);
  return { ...named, outcome: kind === "broken" ? "failure" : "passed", message: lines.slice(1, 3).join("; ").replace(/ {2,}/g, " ").trim(), text: lines.join("\n") };
}

/** A run that was cut short or verified nothing must not read as green. */
function casesOfRun(run: Run): readonly Case[] {
  if (run.complete && run.totals.holds > 0) return [];
  const message = run.complete ? "Nothing was verified" : headlineOf(run);
  return [{ area: "run", name: "the run", outcome: "error", message, text: message }];
}

const countsOf = (cases: readonly Case[]) => {
  const of = (wanted: Case["outcome"]): number => cases.filter(({ outcome }) => outcome === wanted).length;
  return { tests: cases.length, failures: of("failure"), errors: of("error"), skipped: of("skipped"), time: 0 };
};

function suiteXml(run: Run, area: string, cases: readonly Case[]): string {
  const properties = Object.entries({ run: run.id, target: run.target.name, version: run.version, command: run.command });
  return [
    `  <testsuite${attributes({ name: area, ...countsOf(cases), timestamp: run.startedAt.slice(0, 19) })}>`,
    "    <properties>",
    ...properties.map(([name, value]) => `      <property${attributes({ name, value })}/>`),
    "    </properties>",
    ...cases.map(caseXml),
    "  </testsuite>",
  ].join("\n");
}

function caseXml({ area, name, outcome, message, text }: Case): string {
  const open = `    <testcase${attributes({ name, classname: area, time: 0 })}`;
  if (outcome === "passed" && text === "") return `${open}/>`;
  if (outcome === "passed") return `${open}><system-out>${xml(text)}</system-out></testcase>`;
  if (outcome === "skipped") return `${open}><skipped${attributes({ message })}/></testcase>`;
  return `${open}><${outcome}${attributes({ message, type: outcome === "failure" ? "broken" : "inconclusive" })}>${xml(text)}</${outcome}></testcase>`;
}
