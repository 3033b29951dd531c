// A run as a Code Quality report for GitLab, which shows it in a merge request: a list, as GitLab refuses an object.
import { createHash } from "node:crypto";
import { canonical, starred } from "../../harness/core/json.ts";
import type { Run } from "../../harness/record/run.ts";
import { boundTitle, exceededBounds, exceededSentence } from "../bounds.ts";
import { breachText } from "../breach.ts";
import type { Described } from "../described.ts";
import { flawOf } from "../headline.ts";
import { capped, oneLine } from "../text.ts";
import { type Kind, kindOf } from "../words.ts";
import { citedIn, findingKey } from "./cited.ts";

/** What GitLab reads of an issue of Code Climate's format. */
interface Issue {
  readonly description: string;
  readonly check_name: string;
  /** The same for the same finding in another run: GitLab compares both branches by it. */
  readonly fingerprint: string;
  readonly severity: "info" | "minor" | "major" | "critical" | "blocker";
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

/** Kinds without a severity aren't reported as issues. */
const severities: { readonly [kind in Kind]?: Issue["severity"] } = {
  broken: "critical",
  warned: "minor",
  renamed: "minor",
  fixed: "minor",
  inconclusive: "info",
};

const longest_chars = 200;
const short = (text: string): string => capped(oneLine(text), longest_chars);

const fingerprintOf = (...parts: readonly string[]): string =>
  createHash("sha256").update(canonical(parts)).digest("hex").slice(0, 32);

/** One issue for each line that a requirement's breaches lead to. */
export function codeQualityOf(run: Run, described: Pick<Described, "lines" | "tables">): string {
  const citedBy = citedIn(run, described);
  const issues = run.requirements.flatMap((requirement): readonly Issue[] => {
    const { id, sentence, reason } = requirement;
    const severity = severities[kindOf(requirement)];
    if (!severity) return [];
    return citedBy(requirement).map((cited) => {
      const { file, line, breaches } = cited;
      const [breach, ...others] = breaches;
      const evidence = breach ? breachText(breach, short) : short(reason ?? "no reason given");
      const places = [breach ?? [], others].flat().map(({ at }) => starred(at));
      return {
        description: `${id} ${short(sentence)}: ${evidence}`,
        check_name: id,
        fingerprint: fingerprintOf(id, findingKey(run, cited), ...[...new Set(places)].sort()),
        severity,
        location: { path: file, lines: { begin: line } },
      };
    });
  });
  return `${JSON.stringify([...flawsIn(run), ...issues])}\n`;
}

/** A run that must not look green, and exceeded bounds: without a line of their own, so that of the target file. */
function flawsIn(run: Run): readonly Issue[] {
  const flaw = flawOf(run);
  const path = run.target.file ?? "targets/reference.yaml";
  const issueOf = (description: string, check_name: string, ...fingerprint: readonly string[]): Issue => ({
    description,
    check_name,
    fingerprint: fingerprintOf(check_name, ...fingerprint),
    severity: "critical",
    location: { path, lines: { begin: 1 } },
  });
  return [
    ...(flaw === null ? [] : [issueOf(flaw, "Assay", flaw)]),
    ...exceededBounds(run.load).map((bound) => issueOf(exceededSentence(bound), "Bound", boundTitle(bound))),
  ];
}
