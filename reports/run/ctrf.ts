// A run in the Common Test Report Format (CTRF 0.0.0, JSON).
import type { Run } from "../../harness/record/run.ts";
import { areaName, type Described } from "../described.ts";
import { headlineOf } from "../headline.ts";
import { visible } from "../text.ts";
import { type Case, casesOf, notedIn } from "./cases.ts";
import { citedIn } from "./cited.ts";

export type Status = "passed" | "failed" | "skipped" | "pending" | "other";

/** Inconclusive is CTRF's `other`. A run that was cut short or verified nothing counts as failed. */
function statusOf({ outcome, kind }: Case): Status {
  if (outcome === "failure" || (kind === "run" && outcome !== "passed")) return "failed";
  return outcome === "error" ? "other" : outcome;
}

export function ctrfOf(run: Run, described: Pick<Described, "areas" | "lines" | "tables">): string {
  const citedBy = citedIn(run, described);
  const start = Date.parse(run.startedAt);
  const stop = Date.parse(run.endedAt ?? run.startedAt);
  return ctrfDocument({
    runId: run.id,
    version: run.version,
    target: run.target.name,
    start,
    stop,
    tests: casesOf(run).map((one) => ({ ...testOf(one, citedBy), suite: [areaName(described, one.area)] })),
    extra: {
      headline: headlineOf(run),
      exitCode: run.exitCode,
      command: visible(run.command),
      noted: notedIn(run).map((noted) => ({ id: noted.requirement.id, text: visible(noted.text) })),
    },
  });
}

/** Version of Assay; times in Unix time, in ms. */
interface CtrfParts extends Readonly<Record<"runId" | "version" | "target", string>> {
  readonly start: number;
  readonly stop: number;
  readonly tests: readonly { readonly name: string; readonly status: Status }[];
  readonly extra: object;
}

export function ctrfDocument(ctrfParts: CtrfParts): string {
  const { runId, version, target, start, stop, tests, extra } = ctrfParts;
  const of = (wanted: Status): number => tests.filter(({ status }) => status === wanted).length;
  const document = {
    reportFormat: "CTRF",
    specVersion: "0.0.0",
    runId,
    timestamp: new Date(stop).toISOString(),
    generatedBy: `Assay ${version}`,
    results: {
      tool: { name: "Assay", version },
      summary: {
        tests: tests.length,
        passed: of("passed"),
        failed: of("failed"),
        skipped: of("skipped"),
        pending: of("pending"),
        other: of("other"),
        start,
        stop,
        duration: stop - start,
      },
      tests,
      environment: { reportName: visible(`assay ${target}`), testEnvironment: visible(target) },
      extra,
    },
  };
  return `${JSON.stringify(document)}\n`;
}

/** Without durations: several requirements share one exchange. */
function testOf(one: Case, citedBy: ReturnType<typeof citedIn>) {
  const { requirement, name, kind, message, text } = one;
  const status = statusOf(one);
  const [cited] = requirement && status === "failed" ? citedBy(requirement) : [];
  return {
    ...(requirement ? { testId: requirement.id } : {}),
    name: visible(name),
    status,
    duration: 0,
    rawStatus: kind,
    ...(message === "" ? {} : { message: visible(message) }),
    ...(text === "" ? {} : status === "failed" ? { trace: visible(text) } : { stdout: visible(text).split("\n") }),
    ...(cited ? { filePath: cited.file, line: cited.line } : {}),
    ...(requirement
      ? { labels: { clause: requirement.clause, level: requirement.level, basis: requirement.basis } }
      : {}),
  };
}
