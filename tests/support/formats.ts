// A run of a hostile vendor, verdicts made by hand, and the formats parsed again.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { described } from "../../cli/project.ts";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { ctrfOf } from "../../reports/ctrf.ts";
import { sarifOf } from "../../reports/sarif.ts";
import { assayRun, emptyFolder } from "./assay.ts";
import { hostile } from "./hostile.ts";
import { breach as anyBreach, judged as judgedOf } from "./madeRuns.ts";
import { smallEnvironment, smallTarget, targetFile, vendor } from "./vendor.ts";

export interface SarifResult {
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly {
    readonly physicalLocation: {
      readonly artifactLocation: { readonly uri: string };
      readonly region: { readonly startLine: number };
    };
  }[];
  readonly partialFingerprints: { readonly [name: string]: string };
  readonly suppressions?: readonly { readonly justification: string }[];
}
interface Sarif {
  readonly runs: readonly {
    readonly results: readonly SarifResult[];
    readonly tool: {
      readonly driver: { readonly rules: readonly { readonly id: string; readonly help: { readonly text: string } }[] };
    };
  }[];
}
interface Ctrf {
  readonly results: {
    readonly tests: readonly { readonly testId?: string; readonly status: string; readonly message?: string }[];
  };
}

export const sarif = (run: Run): Sarif => JSON.parse(sarifOf(run, described)) as Sarif;
export const resultsOf = (run: Run): readonly SarifResult[] => sarif(run).runs[0]?.results ?? [];
export const ctrf = (run: Run): Ctrf => JSON.parse(ctrfOf(run, described)) as Ctrf;

export const judged = ({
  id = "USG-FLD-01",
  verdict = "holds",
  ...change
}: Partial<JudgedRequirement>): JudgedRequirement => judgedOf(id, verdict, { breaches: [], exchanges: [1], ...change });

export const breach = {
  ...anyBreach,
  at: "/creditsRemaining",
  expected: "must be number",
  got: { value: "7" },
} as const;
const other = judged({ id: "USG-FLD-02" });
export const none = {
  holds: 0,
  narrowed: 0,
  renamed: 0,
  broken: 0,
  warned: 0,
  noted: 0,
  deviates: 0,
  withheld: 0,
  inconclusive: 0,
};

/** A run of this one verdict, beside one that holds. */
export const runWith = (template: Run, requirement: JudgedRequirement, totals: Partial<Run["totals"]>): Run => ({
  ...template,
  totals: { ...none, holds: 1, ...totals },
  requirements: [requirement, other],
});

export type HostileRun = Awaited<ReturnType<typeof judgeHostile>>;

/** As on GitHub's runner; `summary`: what was appended to the job's. */
export async function judgeHostile() {
  const { base, close } = await vendor(hostile);
  const summaryFile = join(emptyFolder(), "summary.md");
  const only = "USG-FLD-01,USG-FLD-02,CYC-PRES-01,CYC-DATE-01,CRD-SUM-01,ERR-ADM-SHAPE-01,AUTH-ADM-MISS-01";
  const { folder, stdout, run } = await assayRun(["run", "--target", targetFile(smallTarget(base)), "--only", only], {
    ...smallEnvironment,
    GITHUB_ACTIONS: "true",
    GITHUB_STEP_SUMMARY: summaryFile,
  });
  await close();
  const [exchange] = run.exchanges;
  // To be filled with verdicts; its exchange 1 asked for usage.
  const template: Run = {
    ...run,
    complete: true,
    exchanges: exchange ? [{ ...exchange, number: 1, operation: "getProjectUsage" }] : [],
    observations: [],
    unchecked: [],
  };
  return { folder, stdout, summary: readFileSync(summaryFile, "utf8"), run, template };
}
