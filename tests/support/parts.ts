// The parts of the nightly tier, by the paths of their spec files.
import { CommandLineError, suggestion } from "../../harness/core/commandLineError.ts";

/** How paths below tests/ begin; a spec file belongs to the first part that names it. */
const beginnings = {
  mutants: ["proof/mutants.", "proof/unlistedMutants", "harness/recordedMutants", "proxy/ownClientsMutants"],
  properties: ["property/", "proof/mutantsByProperties"],
  faults: ["proof/faults", "harness/faults", "proxy/faults"],
  limits: ["proof/limiter", "proof/rateLimit", "proof/mutantsByK6", "load/limit", "load/rateLimit", "load/scopes"],
  lawful: ["proof/"],
  vendors: ["contracts/"],
  k8s: ["load/k8s"],
  load: ["load/"],
  commands: ["cases", "cli/", "custom/", "package/", "proxy/"],
  engine: ["harness/", "golden", "reference/", "specs/"],
  reports: ["reports/", "panel/", "published/", "docs/"],
  project: ["tree/", "ci/", "bench/", "support/"],
} as const satisfies { readonly [part: string]: readonly string[] };

export type NightlyPart = keyof typeof beginnings;
export const partNames = Object.keys(beginnings) as readonly NightlyPart[];

/** @param file its path below tests/ */
export const partOf = (file: string): NightlyPart | undefined =>
  partNames.find((part) => beginnings[part].some((beginning) => file.startsWith(beginning)));

/**
 * Playwright's arguments for parts, or for spec files by a piece of their path; without either all parts run.
 * Flags are passed on as they are.
 * @param files paths of all spec files below tests/
 * @throws CommandLineError for a word that is neither
 */
export function partArguments(words: readonly string[], files: readonly string[]): readonly string[] {
  const flags = words.filter((word) => word.startsWith("-"));
  const chosen = words
    .filter((word) => !flags.includes(word))
    .flatMap((word) => {
      const isPart = partNames.some((part) => part === word);
      const found = files.filter((file) => (isPart ? partOf(file) === word : file.includes(word)));
      if (found.length > 0) return found;
      throw new CommandLineError(
        `There is no part "${word}" of the nightly tests${suggestion(word, partNames)}, and no spec file with that ` +
          `in its path. Name some of ${partNames.join(", ")}, or none for all.`,
      );
    });
  return [...flags, ...new Set(chosen.map((file) => `tests/${file}`))];
}
