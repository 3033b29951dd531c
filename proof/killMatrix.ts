// The kill matrix: each mutant and benign variant with what it breaks, by the checks of all features that it is about
import { type Killed, pending, select } from "./mutants.ts";
import type { ProofTable } from "./table.ts";
import { trySideBySide } from "./workerPool.ts";

const isRight = ({ result }: Killed): boolean => result === "killed" || result === "silent";
const list = (ids: readonly string[]): string => ids.join(" ") || "–";

/** @param honest what the honest platform breaks */
export function tableOfKilled(
  honest: readonly string[],
  results: readonly Killed[],
  unproved: readonly string[],
): ProofTable {
  const count = (wanted: Killed["result"]): number => results.filter(({ result }) => result === wanted).length;
  const benign = count("silent") + count("flagged");
  return {
    title: "Mutants by name, and what each breaks",
    summary:
      `${count("killed")} of ${results.length - benign} mutants killed, ${count("silent")} of ${benign} benign ` +
      `variants silent, ${honest.length === 0 ? "no" : honest.length} findings on the honest platform.`,
    columns: ["mutant", "result", "breaks"],
    rows: results.map(({ id, result, broken }) => [id, result, list(broken)]),
    wrong: [
      ...honest.map((id) => `The honest platform breaks ${id}.`),
      ...results
        .filter((killed) => !isRight(killed))
        .map(({ id, result, broken }) => `${id} ${result}: it breaks ${broken.join(" ") || "nothing"}.`),
      ...unproved.map((id) => `The reference doesn't implement ${id}.`),
    ],
  };
}

export async function killMatrixTable(): Promise<ProofTable> {
  const { honest, results } = await trySideBySide(select([]));
  return tableOfKilled(honest, results, pending());
}
