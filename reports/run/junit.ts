// A run as JUnit XML: a suite per area, a case per requirement.
import type { Run } from "../../harness/record/run.ts";
import { groupedBy } from "../lists.ts";
import { visible } from "../text.ts";
import { type Case, casesOf, notedIn } from "./cases.ts";

const entities: { readonly [char: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Escaped; what XML 1.0 forbids even as a reference is dropped (XML §2.2, Char). */
const xml = (text: string): string =>
  visible(text)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replace(/[&<>"']/g, (char) => entities[char] ?? char);

/** White space in an attribute is written as a reference: parsers read it as blanks otherwise. */
const attributes = (values: { readonly [name: string]: string | number }): string =>
  Object.entries(values)
    .map(
      ([name, value]) => ` ${name}="${xml(String(value)).replace(/[\t\n\r]/g, (char) => `&#${char.charCodeAt(0)};`)}"`,
    )
    .join("");

export function junitOf(run: Run): string {
  const all = casesOf(run);
  const byArea = groupedBy(all, ({ area }) => area);
  const areas = new Set([...byArea.keys(), ...notedIn(run).map(({ requirement }) => requirement.area)]);
  const suites = [...areas].map((area) => suiteXml(run, area, byArea.get(area) ?? []));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: `assay ${run.target.name}`, ...countsOf(all) })}>`,
    ...suites,
    "</testsuites>",
    "",
  ].join("\n");
}

const countsOf = (cases: readonly Case[]) => {
  const of = (wanted: Case["outcome"]): number => cases.filter(({ outcome }) => outcome === wanted).length;
  return { tests: cases.length, failures: of("failure"), errors: of("error"), skipped: of("skipped"), time: 0 };
};

function suiteXml(run: Run, area: string, cases: readonly Case[]): string {
  const noted = notedIn(run).filter(({ requirement }) => requirement.area === area);
  const properties = [
    ...Object.entries({ run: run.id, target: run.target.name, version: run.version, command: run.command }),
    ...noted.map(({ requirement, text }): [string, string] => [`noted ${requirement.id}`, text]),
  ];
  return [
    `  <testsuite${attributes({ name: area, ...countsOf(cases), timestamp: run.startedAt.slice(0, 19) })}>`,
    "    <properties>",
    ...properties.map(([name, value]) => `      <property${attributes({ name, value })}/>`),
    "    </properties>",
    ...cases.map(caseXml),
    "  </testsuite>",
  ].join("\n");
}

function caseXml(testCase: Case): string {
  const { area, name, outcome, kind, message, text } = testCase;
  const open = `    <testcase${attributes({ name, classname: area, time: 0 })}`;
  if (outcome === "passed" && text === "") return `${open}/>`;
  if (outcome === "passed") return `${open}><system-out>${xml(text)}</system-out></testcase>`;
  if (outcome === "skipped") return `${open}><skipped${attributes({ message })}/></testcase>`;
  const type = outcome !== "failure" ? "inconclusive" : kind === "bound" ? "exceeded" : "broken";
  return `${open}><${outcome}${attributes({ message, type })}>${xml(text)}</${outcome}></testcase>`;
}
