// Redocly's drift with all its rules and coverage, on the HAR of Assay's run
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { lastWords, runToEnd } from "./children.ts";
import { operationAt } from "./document.ts";
import { harOf } from "./har.ts";
import { firstTimes, type JudgedPlatform, type Place, saidOfRequest, type Unable } from "./outcome.ts";

interface Problem {
  readonly ruleId: string;
  readonly severity: string;
  readonly message: string;
  readonly target: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly details?: { readonly keyword?: string; readonly path?: string; readonly issueId?: string };
}

interface Report {
  readonly run: { readonly totalExchanges: number };
  readonly problems: readonly Problem[];
}

/** Of documented items, how many the traffic has reached. */
export interface Coverage {
  readonly [item: string]: { readonly covered: number; readonly total: number };
}

const rules = "undocumented-endpoint,schema-consistency,security-baseline,owasp-api-top10";
const longest_s = 120;

/**
 * @param program of Redocly
 * @param after_s how long the traffic took, before which nothing is found
 */
export async function judgedByDrift(
  program: string,
  document: string,
  { served, folder }: Place,
  after_s: number,
): Promise<(JudgedPlatform & { readonly coverage: Coverage }) | Unable> {
  await harOf(served.exchanges, join(folder, "traffic.har"));
  const command = [process.execPath, program, "drift", "traffic.har", "--api", document, "--server", served.base];
  const written = ["--format", "json", "-o", "drift.json", "--coverage", "--coverage-output", "coverage.json"];
  const ended = await runToEnd([...command, "--rules", rules, ...written], { cwd: folder, within_s: longest_s });
  const [file, covered] = [join(folder, "drift.json"), join(folder, "coverage.json")];
  if (ended.code === null) return { unable: `it took more than ${longest_s} s` };
  if (!existsSync(file) || !existsSync(covered)) return { unable: `exit code ${ended.code}: ${lastWords(ended)}` };
  const { run, problems } = JSON.parse(readFileSync(file, "utf8")) as Report;
  const seconds = after_s + ended.seconds;
  return {
    findings: firstTimes(problems.map((problem) => [findingOf(problem), seconds])),
    requests: run.totalExchanges,
    seconds,
    processorSeconds: ended.processorSeconds,
    coverage: (JSON.parse(readFileSync(covered, "utf8")) as { readonly totals: Coverage }).totals,
  };
}

function findingOf({ ruleId, severity, message, target, method, path, status, details = {} }: Problem): string {
  const kind = details.keyword ?? details.issueId;
  const what = kind === undefined ? message : `${kind} at ${details.path ?? ""}: ${withoutValues(message)}`;
  const where = target === "response" ? `${status}` : saidOfRequest(status);
  return `${operationAt(method, path)} ${where}: ${ruleId} (${severity}), ${what}`;
}

/** What an answer has at that moment isn't what is said of it. */
const withoutValues = (message: string): string => message.replace(/-?\d+(\.\d+)?/g, "N");
