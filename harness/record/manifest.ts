// The manifest of a run's folder: a statement of in-toto on each file that Assay wrote there, which can be signed.
import type { Edition } from "../core/interface.ts";
import { isFixed, isInPart } from "../model/verdict.ts";
import { journalName } from "./journal.ts";
import type { JudgedRequirement, Run } from "./run.ts";

export const manifestFile = "manifest.json";
/** What a page shows that was made with a kill matrix. */
export const killsFile = "kills.json";

const statementType = "https://in-toto.io/Statement/v1";
const predicateType = "https://in-toto.io/attestation/test-result/v0.1";

/** A file, by its name in the folder. */
interface ManifestSubject {
  readonly name: string;
  readonly digest: { readonly sha256: string };
}

/** What judged, or by what: in-toto's ResourceDescriptor. */
interface Descriptor {
  readonly name: string;
  readonly uri?: string;
  readonly digest?: { readonly [algorithm: string]: string };
}

export interface Manifest {
  readonly _type: typeof statementType;
  /** In the order of their names. */
  readonly subject: readonly ManifestSubject[];
  readonly predicateType: typeof predicateType;
  readonly predicate: {
    /**
     * `PASSED`: something holds, and there is nothing to say against it · `WARNED`: the run passes all the same ·
     * `FAILED`: its exit code isn't 0, so that it says nothing for the platform
     */
    readonly result: "PASSED" | "WARNED" | "FAILED";
    readonly configuration: readonly Descriptor[];
    readonly passedTests: readonly string[];
    readonly warnedTests: readonly string[];
    readonly failedTests: readonly string[];
  };
}

/** Files beside the journal and the reports that a run names: k6's own pages. */
const dashboardsOf = ({ load }: Pick<Run, "load">): readonly string[] =>
  [load?.dashboard, ...(load?.parts ?? []).map(({ dashboard }) => dashboard)].filter(
    (name) => name !== undefined && dashboardForm.test(name),
  ) as string[];

/** Others may have written the journal that names them. */
const dashboardForm = /^k6-[a-z]+(-\d+)?\.html$/;

/** All that a manifest names. @param written files that were made of the run */
export const filesOf = (run: Pick<Run, "load">, written: readonly string[]): readonly string[] => [
  journalName,
  ...dashboardsOf(run),
  ...written,
];

/**
 * @param digests by the names of files
 * @param version of Assay that wrote the reports; the run names the one that judged
 * @param packageUrl a purl without a version
 */
export function manifestOf(
  run: Run,
  digests: ReadonlyMap<string, string>,
  version: string,
  packageUrl: string,
): Manifest {
  const subject = [...digests].map(([name, sha256]) => ({ name, digest: { sha256 } }));
  return {
    _type: statementType,
    subject: subject.sort((a, b) => (a.name < b.name ? -1 : 1)),
    predicateType,
    predicate: {
      result: resultOf(run),
      configuration: [
        { name: "judge", uri: `${packageUrl}@${run.version}` },
        { name: "reports", uri: `${packageUrl}@${version}` },
        interfaceOf(run.interface),
        ...(run.target.digests ?? []).map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
      ],
      ...testsOf(run),
    },
  };
}

/** How the package was called before it had a scope. */
const earlierUrl = "pkg:npm/assay";

const reporterUrl = ({ predicate }: Manifest): string =>
  predicate.configuration.find(({ name }) => name === "reports")?.uri ?? "";

/** The version that wrote the reports of a manifest, as it says; null where it says none. */
export const reporterOf = (manifest: Manifest): string | null =>
  /^pkg:npm\/(?:%40[^/]+\/)?assay@(.+)$/.exec(reporterUrl(manifest))?.[1] ?? null;

/** The URL of the package in a manifest: it may be of before the package had its name of now. */
export const packageUrlIn = (manifest: Manifest | null, now: string): string =>
  manifest && reporterUrl(manifest).startsWith(`${earlierUrl}@`) ? earlierUrl : now;

const interfaceOf = ({ name, version, digest }: Edition): Descriptor => ({
  name: `interface: ${name} ${version}`,
  digest: { specs: digest },
});

/** Of the requirements that the run is about; those that it didn't judge are in no list. */
function testsOf({ requirements }: Pick<Run, "requirements">) {
  const named = (list: "passed" | "warned" | "failed"): readonly string[] =>
    requirements.filter((judged) => listOf(judged) === list).map(({ id }) => id);
  return { passedTests: named("passed"), warnedTests: named("warned"), failedTests: named("failed") };
}

function listOf(judged: JudgedRequirement): "passed" | "warned" | "failed" | null {
  const { verdict, enforced, unselected } = judged;
  if (unselected || verdict === "withheld" || verdict === "inconclusive") return null;
  if ((verdict === "broken" || isFixed(judged)) && enforced === "fail") return "failed";
  return verdict === "holds" && !isFixed(judged) && !isInPart(judged) ? "passed" : "warned";
}

function resultOf(run: Run): Manifest["predicate"]["result"] {
  if (run.exitCode !== 0) return "FAILED";
  const { passedTests, warnedTests } = testsOf(run);
  return passedTests.length > 0 && warnedTests.length === 0 ? "PASSED" : "WARNED";
}

export const manifestText = (manifest: Manifest): string => `${JSON.stringify(manifest, null, 2)}\n`;
