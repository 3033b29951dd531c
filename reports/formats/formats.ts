// The formats of a run's report: what each is called, its file, and what renders it.
import type { Run } from "../../harness/record/run.ts";
import type { Described } from "../described.ts";
import type { KillMatrix } from "../run/killedBy.ts";

/** What formats are made of. */
export interface ReportSource {
  readonly run: Run;
  readonly described: Described;
  /** Which mutants each requirement finds; the page shows it. */
  readonly kills?: KillMatrix | undefined;
}

export interface ReportFormat {
  /** In `assay report --format <name>`. */
  readonly name: string;
  /** In the folder of a run. */
  readonly file: string;
  /** Whether `--<name> <file>` copies it to another place, for a program that reads it there. */
  readonly isCopied: boolean;
  /** Loads what it needs only then. */
  render(source: ReportSource): Promise<string> | string;
}

export const formats = [
  { name: "json", file: "run.json", isCopied: false, render: ({ run }) => `${JSON.stringify(run, null, 2)}\n` },
  {
    name: "html",
    file: "index.html",
    isCopied: false,
    render: async ({ run, described, kills }) =>
      (await import("../run/page.tsx")).htmlOf(run, described, kills ? { kills } : {}),
  },
  {
    name: "junit",
    file: "junit.xml",
    isCopied: true,
    render: async ({ run, described }) => (await import("../run/junit.ts")).junitOf(run, described),
  },
  {
    name: "ctrf",
    file: "ctrf.json",
    isCopied: false,
    render: async ({ run, described }) => (await import("../run/ctrf.ts")).ctrfOf(run, described),
  },
  {
    name: "sarif",
    file: "results.sarif",
    isCopied: true,
    render: async ({ run, described }) => (await import("../run/sarif.ts")).sarifOf(run, described),
  },
  {
    name: "markdown",
    file: "summary.md",
    isCopied: true,
    render: async ({ run, described }) => (await import("../run/ciSummary.ts")).ciSummaryOf(run, described),
  },
  {
    name: "gitlab",
    file: "gl-code-quality-report.json",
    isCopied: true,
    render: async ({ run, described }) => (await import("../run/codeQuality.ts")).codeQualityOf(run, described),
  },
] as const satisfies readonly ReportFormat[];

type Known = (typeof formats)[number];
/** Of formats that a flag copies. */
export type CopiedFormat = Extract<Known, { readonly isCopied: true }>["name"];

export const copiedFormats = formats.filter((format) => format.isCopied);
export const formatNamed = (name: string): ReportFormat | undefined => formats.find((format) => format.name === name);
