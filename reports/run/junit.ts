// A run as JUnit XML: a suite per area, a case per requirement.
import { sum } from "simple-statistics";
import type { Run } from "../../harness/record/run.ts";
import { areaName, type Described } from "../described.ts";
import { groupedBy } from "../lists.ts";
import { capped, visible } from "../text.ts";
import { type Case, casesOf, notedIn } from "./cases.ts";
import { exchangesOf } from "./choice.ts";

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

export function junitOf(run: Run, described: Pick<Described, "areas">): string {
  const all = casesOf(run);
  const timeOf = timesIn(run);
  const suites = [...groupedBy(all, ({ area }) => area)].map(([area, cases], nth) =>
    // A suite of notes alone would be empty.
    suiteXml(run, { name: areaName(described, area), cases, timeOf, notes: nth === 0 ? notedIn(run) : [] }),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: `assay ${run.target.name}`, ...countsOf(all, timeOf) })}>`,
    ...suites,
    "</testsuites>",
    "",
  ].join("\n");
}

/** In seconds: how long the exchanges of some cases took, those of several once. */
type TimeOf = (cases: readonly Case[]) => string;

function timesIn({ exchanges }: Run): TimeOf {
  const latencies = new Map(exchanges.map(({ number, latency_ms }) => [number, latency_ms]));
  return (cases) => {
    const numbers = new Set(cases.flatMap(({ requirement }) => (requirement ? exchangesOf(requirement) : [])));
    return (sum([...numbers].map((number) => latencies.get(number) ?? 0)) / 1_000).toFixed(3);
  };
}

function countsOf(cases: readonly Case[], timeOf: TimeOf) {
  const of = (wanted: Case["outcome"]): number => cases.filter(({ outcome }) => outcome === wanted).length;
  const counts = { failures: of("failure"), errors: of("error"), skipped: of("skipped") };
  return { tests: cases.length, ...counts, time: timeOf(cases) };
}

interface SuiteParts {
  readonly name: string;
  readonly cases: readonly Case[];
  readonly timeOf: TimeOf;
  readonly notes: ReturnType<typeof notedIn>;
}

function suiteXml(run: Run, { name, cases, timeOf, notes }: SuiteParts): string {
  const properties = [
    ...Object.entries({ run: run.id, target: run.target.name, version: run.version, command: run.command }),
    ...notes.map(({ requirement, text }): [string, string] => [`noted ${requirement.id}`, text]),
  ];
  return [
    `  <testsuite${attributes({ name, ...countsOf(cases, timeOf), timestamp: run.startedAt.slice(0, 19) })}>`,
    "    <properties>",
    ...properties.map(([name, value]) => `      <property${attributes({ name, value })}/>`),
    "    </properties>",
    ...cases.map((one) => caseXml(one, timeOf([one]))),
    "  </testsuite>",
  ].join("\n");
}

const longestAttribute_chars = 200;

/** Reasons are texts of elements, too: GitLab shows an element with attributes alone as an object. */
function caseXml(testCase: Case, time: string): string {
  const { area, name, outcome, kind, message, text } = testCase;
  const open = `    <testcase${attributes({ name, classname: area, time })}`;
  if (outcome === "passed" && text === "") return `${open}/>`;
  if (outcome === "passed") return `${open}><system-out>${xml(text)}</system-out></testcase>`;
  // An attribute needs only the beginning of what is the text.
  const brief = outcome === "skipped" || text === "" ? capped(message, longestAttribute_chars) : message;
  if (outcome === "skipped")
    return `${open}><skipped${attributes({ message: brief })}>${xml(message)}</skipped></testcase>`;
  const type = outcome !== "failure" ? "inconclusive" : kind === "bound" ? "exceeded" : "broken";
  return `${open}><${outcome}${attributes({ message: brief, type })}>${xml(text || message)}</${outcome}></testcase>`;
}
