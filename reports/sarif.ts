// What does code scanning read of a run? SARIF 2.1.0, each result at the line of the specs that was broken.
import { createHash } from "node:crypto";
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { saying } from "../harness/core/finding.ts";
import { canonical, starred } from "../harness/core/json.ts";
import type { Breach } from "../harness/model/verdict.ts";
import type { JudgedRequirement, Run } from "../harness/record/run.ts";
import { type Cited, citedBy, operationsIn } from "./cited.ts";
import { type Described, rowOf, type SpecLines } from "./described.ts";
import { capped, oneLine, shown } from "./text.ts";
import { counted, flawOf, type Kind, kindOf } from "./words.ts";

/** A value from the platform is cut here. */
const longest_chars = 200;
const replay_chars = 1_000;
/** Of the places that one line of the specs is broken at. */
const mostPlaces = 5;

/** The design's verdict table; what has no level is no result. */
const levels: { readonly [kind in Kind]?: "error" | "warning" | "note" } = {
  broken: "error",
  warned: "warning",
  deviates: "note",
  inconclusive: "note",
};

/** A stranger's text in a message: braces stand for placeholders (§3.11.5), a bracket before a parenthesis for a link (§3.11.6). */
const text = (stranger: string): string =>
  capped(oneLine(stranger), longest_chars).replace(/[{}]/g, "$&$&").replaceAll("](", "] (");

/** Where Assay's own files are; the reader knows, the report doesn't tell whose machine it was. */
const ownBase = "ASSAY";

export function sarifOf(run: Run, { lines }: Pick<Described, "lines">): string {
  const operationOf = operationsIn(run);
  const told = run.requirements.filter((requirement) => levels[kindOf(requirement)] !== undefined);
  const log = {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "Assay",
            version: run.version,
            semanticVersion: run.version,
            rules: told.map((one) => ruleOf(one, lines)),
          },
        },
        automationDetails: {
          id: `assay/${run.target.name}/`,
          description: { text: text(`Assay judging ${run.target.name}`) },
        },
        invocations: [invocationOf(run)],
        originalUriBaseIds: { [ownBase]: { description: { text: "The folder of Assay itself" } } },
        columnKind: "utf16CodeUnits",
        results: told.flatMap((requirement, ruleIndex) =>
          citedBy(requirement, operationOf, lines).map((cited) => resultOf(requirement, ruleIndex, cited)),
        ),
        properties: { run: run.id, target: run.target.name, totals: run.totals, spent: run.spent },
      },
    ],
  };
  return `${JSON.stringify(log)}\n`;
}

function ruleOf(requirement: JudgedRequirement, lines: SpecLines) {
  const { id, sentence, clause, level, basis, area } = requirement;
  const row = rowOf(lines, id);
  const help = `${sentence} (${clause}). Its level is ${level}, its basis ${basis}; the register has it in ${row.file}, line ${row.line}.`;
  return {
    id,
    shortDescription: { text: sentence },
    fullDescription: { text: `${sentence} (${clause})` },
    help: { text: help },
    defaultConfiguration: { level: levels[kindOf(requirement)] },
    properties: { tags: [...new Set([area, level, basis])], clause },
  };
}

function invocationOf(run: Run) {
  const flaw = flawOf(run);
  return {
    executionSuccessful: flaw === null,
    exitCode: run.exitCode,
    commandLine: oneLine(run.command),
    startTimeUtc: run.startedAt,
    ...(run.endedAt === null ? {} : { endTimeUtc: run.endedAt }),
    ...(flaw === null ? {} : { toolExecutionNotifications: [{ level: "error", message: { text: flaw } }] }),
  };
}

function resultOf(requirement: JudgedRequirement, ruleIndex: number, cited: Cited) {
  const { id, reason, replay } = requirement;
  const kind = kindOf(requirement);
  const places = [
    ...new Set(cited.breaches.map(({ at, got }) => `${starred(at)}${"is" in got ? " absent" : ""}`)),
  ].sort();
  return {
    ruleId: id,
    ruleIndex,
    level: levels[kind],
    message: { text: messageOf(requirement, cited.breaches) },
    locations: [{ physicalLocation: { artifactLocation: locationOf(cited), region: { startLine: cited.line } } }],
    // Not the line: what is inserted above it doesn't make it another finding.
    partialFingerprints: {
      "assayBreach/v1": createHash("sha256")
        .update(canonical([id, cited.file, places]))
        .digest("hex")
        .slice(0, 32),
    },
    ...(kind === "deviates"
      ? { suppressions: [{ kind: "external", status: "accepted", justification: text(reason ?? "a known deviation") }] }
      : {}),
    properties: { replay: capped(oneLine(replay), replay_chars) },
  };
}

function locationOf({ file, of }: Cited) {
  if (of === "specs") return { uri: file, uriBaseId: ownBase };
  return {
    uri: isAbsolute(file) ? pathToFileURL(file).href : encodeURI(file).replaceAll("#", "%23").replaceAll("?", "%3F"),
  };
}

function messageOf({ sentence, clause, reason }: JudgedRequirement, breaches: readonly Breach[]): string {
  const all = new Set(
    breaches.map(
      ({ at, expected, got }) =>
        `at ${text(at) || "the whole body"}: expected ${text(expected)}, got ${text(saying(shown(got)))}`,
    ),
  );
  const told = [...all].slice(0, mostPlaces);
  const untold = all.size - told.length;
  return [
    `${sentence} (${clause})`,
    ...(reason === null ? [] : [text(reason)]),
    ...told,
    ...(untold ? [`and at ${counted(untold, "more place")}`] : []),
  ].join("\n");
}
