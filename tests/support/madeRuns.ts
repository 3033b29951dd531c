// Runs made by hand, with no more than a comparison needs, and what `assay compare` says of them.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type JudgedRequirement,
  type Run,
  type RunObservation,
  runFormat,
  totalsOf,
} from "../../harness/record/run.ts";
import type { Comparison, Pair } from "../../reports/compare/comparison.ts";
import { edition } from "../../specs/generated/edition.ts";
import { assay, type Ended, emptyFolder } from "./assay.ts";

export type { Comparison, JudgedRequirement, Run };
export { edition };

export type Answer = Run["exchanges"][number];

export const instant = (second: number): string =>
  new Date(Date.parse("2026-03-01T12:00:00Z") + second * 1000).toISOString();

type Made = Partial<Omit<Run, "requirements">> & {
  readonly name?: string;
  readonly requirements?: readonly JudgedRequirement[];
};

/** A complete run of a minute from `second` on; of `acme` by default. */
export function made(
  second: number,
  { name = "acme", requirements = [judged("USG-HTTP-01", "holds")], ...rest }: Made = {},
): Run {
  return {
    format: runFormat,
    version: "0.1.0",
    interface: edition,
    id: `${instant(second).slice(0, 19)}-${name}`,
    target: { name, isReference: false, bases: { admin: "https://admin.acme.example" } },
    command: "npx assay run --target acme.yaml",
    startedAt: instant(second),
    endedAt: instant(second + 60),
    complete: true,
    exitCode: 0,
    totals: totalsOf(requirements),
    plan: { requirements: requirements.length, requests: 1, credits: 0, unpriced: 0 },
    spent: { requests: 1, credits: 0, unpriced: 0 },
    yield: { musts: 1, perThousandCredits: null, perHundredRequests: 100, byThousandCredits: 1, byHundredRequests: 1 },
    audit: null,
    requirements,
    unchecked: [],
    observations: [],
    exchanges: [],
    ...rest,
  };
}

export const breach = {
  outcome: "broken",
  at: "/creditCycle",
  expected: "must be there",
  got: { is: "absent" },
  exchange: 1,
  causedBy: [],
} as const;

export function judged(
  id: string,
  verdict: JudgedRequirement["verdict"],
  rest: Partial<JudgedRequirement> = {},
): JudgedRequirement {
  return {
    id: id as JudgedRequirement["id"],
    verdict,
    enforced: "fail",
    reason: null,
    breaches: verdict === "broken" ? [breach] : [],
    exchanges: [],
    sentence: `The sentence of ${id}`,
    clause: "§2.1",
    level: "must",
    basis: "explicit",
    area: id.slice(0, id.indexOf("-")),
    replay: `npx assay run --only ${id}`,
    ...rest,
  };
}

/** Verified in part: these operations weren't tried. */
export const narrowed = (...members: readonly string[]): Pick<JudgedRequirement, "reason" | "narrowed"> => ({
  reason: `not tried: ${members.join(", ")}`,
  narrowed: {
    axis: "operation",
    tried: ["getOrders"],
    untried: members.map((member) => ({ member, reason: "no sample", inPart: false })),
  },
});

/** An audit of one counter. */
export const audited = (charged: string, result: "agrees" | "differs" | "open", project = "main"): Run["audit"] => {
  const spent = { least: "100", most: "200" };
  return { entries: [{ project, at: "/credits/walletApi", charged, spent, result, reason: null }], reason: null };
};

export type Summary = RunObservation["values"][number]["summary"];

/** What one pass, or two that differ, observed. */
export const observed = (id: string, ...passes: readonly Summary[]): RunObservation => ({
  id: id as RunObservation["id"],
  features: ["usage"],
  question: "An unspecified behaviour",
  clause: "§4.1",
  kind: "silent",
  state: passes.length > 1 ? "unstable" : "stable",
  values: passes.map((summary) => ({ summary, fingerprints: [] })),
  reason: null,
});

type Exchange = Partial<Omit<Answer, "answer">> & {
  readonly body?: unknown;
  readonly status?: number;
  readonly headers?: readonly (readonly [string, string])[];
  readonly isCut?: boolean;
};

export function exchanged({ body = {}, status = 200, headers = [], isCut = false, ...rest }: Exchange = {}): Answer {
  return {
    number: 1,
    title: "GET /v0/admin/projects/{id}/usage as paid (header)",
    operation: "getProjectUsage",
    api: "admin",
    stimulus: "a request",
    asker: "paid",
    outcome: status < 400 ? "served" : "refused",
    curl: "curl",
    sent: { method: "GET", url: "https://admin.acme.example/", headers: [] },
    answer: {
      status,
      headers,
      body: typeof body === "string" ? body : JSON.stringify(body),
      cutAt_chars: isCut ? 64 : null,
    },
    fault: null,
    sentAt: instant(0),
    latency_ms: 10,
    ...rest,
  };
}

/** Writes runs into a new folder; gives their files. */
export function runFiles(runs: readonly Run[]): readonly string[] {
  const folder = emptyFolder();
  return runs.map((run, nth) => {
    const file = join(folder, `${nth}.json`);
    writeFileSync(file, JSON.stringify(run));
    return file;
  });
}

/** What `assay compare` says of runs, the base first. */
export const sayCompared = (runs: readonly Run[], ...flags: readonly string[]): Promise<Ended> =>
  assay(["compare", ...runFiles(runs), ...flags]);

/** The comparison as a document; it ends with the exit code that it names. */
export async function compared(runs: readonly Run[]): Promise<Comparison> {
  const { code, stdout, stderr } = await sayCompared(runs, "--json");
  const comparison = stderr === "" ? (JSON.parse(stdout) as Comparison) : null;
  if (comparison?.exitCode !== code) throw new Error(`exit code ${code}: ${stderr}`);
  return comparison;
}

/** How the second run differs from the first. @param others runs beside them */
export async function pairOf(base: Run, head: Run, ...others: readonly Run[]): Promise<Pair> {
  const [pair] = (await compared([base, head, ...others])).pairs;
  if (!pair) throw new Error("there is no pair");
  return pair;
}
