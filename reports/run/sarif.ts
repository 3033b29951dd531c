// A run as SARIF 2.1.0 for code scanning: each result at a line of the user's files.
import { createHash } from "node:crypto";
import { canonical, starred } from "../../harness/core/json.ts";
import type { Breach } from "../../harness/model/verdict.ts";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { exceededBounds, exceededSentence } from "../bounds.ts";
import { breachText } from "../breach.ts";
import { anchorOf, linkOf, ownRepository } from "../clauses.ts";
import { type Described, rowOf } from "../described.ts";
import { flawOf } from "../headline.ts";
import { counted } from "../numbers.ts";
import { capped, oneLine, visible } from "../text.ts";
import { type Kind, kindOf } from "../words.ts";
import { type Cited, citedIn, findingKey } from "./cited.ts";

/** A value from the platform is cut here. */
const longest_chars = 200;
const replay_chars = 1_000;
/** Places shown of one result. */
const mostPlaces = 5;

/** By the verdict table; a kind without a level gives no result. */
const levels: { readonly [kind in Kind]?: "error" | "warning" | "note" } = {
  broken: "error",
  warned: "warning",
  deviates: "note",
  fixed: "note",
  renamed: "warning",
  inconclusive: "note",
};

/** Text from the platform. Braces would be placeholders (SARIF §3.11.5), and `](` a link (SARIF §3.11.6). */
const text = (foreign: string): string =>
  capped(oneLine(foreign), longest_chars).replace(/[{}]/g, "$&$&").replaceAll("](", "] (");

/** The base of Assay's own files: readers know where it is, and the report names no machine. */
const ownBase = "ASSAY";

export function sarifOf(run: Run, described: Pick<Described, "lines" | "clauses" | "tables">): string {
  const citedBy = citedIn(run, described);
  const reported = run.requirements.filter((requirement) => levels[kindOf(requirement)] !== undefined);
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
            ...(ownRepository === null ? {} : { informationUri: ownRepository }),
            rules: reported.map((one) => ruleOf(one, described)),
          },
        },
        automationDetails: {
          id: `assay/${run.target.name}/`,
          description: { text: text(`Assay judging ${run.target.name}`) },
        },
        invocations: [invocationOf(run)],
        originalUriBaseIds: { [ownBase]: { description: { text: "The folder of Assay itself" } } },
        columnKind: "utf16CodeUnits",
        results: reported.flatMap((requirement, ruleIndex) =>
          citedBy(requirement).map((cited) => resultOf(requirement, ruleIndex, cited, findingKey(run, cited))),
        ),
        properties: { run: run.id, target: run.target.name, totals: run.totals, spent: run.spent },
      },
    ],
  };
  return `${JSON.stringify(log)}\n`;
}

function ruleOf(requirement: JudgedRequirement, { lines, clauses }: Pick<Described, "lines" | "clauses">) {
  const { id, sentence, clause, level, basis, area } = requirement;
  const row = rowOf(lines, id);
  const anchor = anchorOf(clauses, clause);
  const helpUri = linkOf(clauses, clause);
  const interfaceText = anchor === null ? "" : ` The interface: ${anchor}.`;
  const help = `Level ${level}, basis ${basis}. The register: ${row.file}, line ${row.line}.${interfaceText}`;
  return {
    id,
    shortDescription: { text: sentence },
    fullDescription: { text: `${sentence} (${clause})` },
    help: { text: help },
    ...(helpUri === null ? {} : { helpUri }),
    defaultConfiguration: { level: levels[kindOf(requirement)] },
    properties: { tags: [...new Set([area, level, basis])], clause },
  };
}

function invocationOf(run: Run) {
  const flaw = flawOf(run);
  const errors = [...(flaw === null ? [] : [flaw]), ...exceededBounds(run.load).map(exceededSentence)];
  const notifications = errors.map((error) => ({ level: "error", message: { text: error } }));
  return {
    executionSuccessful: errors.length === 0,
    exitCode: run.exitCode,
    commandLine: oneLine(run.command),
    startTimeUtc: run.startedAt,
    ...(run.endedAt === null ? {} : { endTimeUtc: run.endedAt }),
    ...(errors.length === 0 ? {} : { toolExecutionNotifications: notifications }),
  };
}

/** @param key of the finding, besides the requirement and its places */
function resultOf(requirement: JudgedRequirement, ruleIndex: number, cited: Cited, key: string) {
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
    // Without the line number: lines inserted above don't make it another finding.
    partialFingerprints: {
      "assayBreach/v2": createHash("sha256")
        .update(canonical([id, key, places]))
        .digest("hex")
        .slice(0, 32),
    },
    ...(kind === "deviates"
      ? { suppressions: [{ kind: "external", status: "accepted", justification: text(reason ?? "a known issue") }] }
      : {}),
    properties: { replay: capped(oneLine(replay), replay_chars) },
  };
}

function locationOf({ file, of }: Cited) {
  if (of === "specs") return { uri: file, uriBaseId: ownBase };
  return { uri: encodeURI(visible(file)).replaceAll("#", "%23").replaceAll("?", "%3F") };
}

function messageOf({ sentence, clause, reason }: JudgedRequirement, breaches: readonly Breach[]): string {
  const all = new Set(breaches.map((breach) => breachText(breach, text)));
  const shown = [...all].slice(0, mostPlaces);
  const rest = all.size - shown.length;
  return [
    `${sentence} (${clause})`,
    ...(reason === null ? [] : [text(reason)]),
    ...shown,
    ...(rest ? [`and at ${counted(rest, "more place")}`] : []),
  ].join("\n");
}
