// A run of a hostile vendor, verdicts made by hand, and the formats parsed again.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assayRun, emptyFolder, type Run } from "./assay.ts";
import { hostile } from "./hostile.ts";
import { breach as anyBreach, exchanged, type JudgedRequirement, judged as judgedOf, made } from "./madeRuns.ts";
import { type Reported, textsIn } from "./reports.ts";
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

type Texts = Pick<Reported, "text">;

export const sarifIn = ({ text }: Texts): Sarif => JSON.parse(text("results.sarif")) as Sarif;
export const resultsIn = (report: Texts): readonly SarifResult[] => sarifIn(report).runs[0]?.results ?? [];
export const ctrfIn = ({ text }: Texts): Ctrf => JSON.parse(text("ctrf.json")) as Ctrf;

export const judged = ({
  id = "USG-FLD-01",
  verdict = "holds",
  ...change
}: Partial<Omit<JudgedRequirement, "id">> & { readonly id?: string } = {}): JudgedRequirement =>
  judgedOf(id, verdict, { breaches: [], exchanges: [1], ...change });

export const breach = {
  ...anyBreach,
  at: "/creditsRemaining",
  expected: "must be number",
  got: { value: "7" },
} as const;

/** A run of this one verdict, beside one that holds; its exchange asked for usage. */
export const runOf = (requirement: JudgedRequirement, change: Partial<Run> = {}): Run =>
  made(0, {
    requirements: [requirement, judged({ id: "USG-FLD-02" })],
    exchanges: [exchanged({ operation: "getProjectUsage" })],
    ...change,
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
  return { folder, stdout, run, text: textsIn(folder), summary: readFileSync(summaryFile, "utf8") };
}
