// What finds a mutant of each requirement that is wrong only now and then
import type { RequirementId } from "../../harness/core/interface.ts";
import { requirementOfMutant } from "../judgedFeatures.ts";
import { judgedPlatform } from "../lawful/platforms.ts";
import type { ProofTable } from "../table.ts";
import { runAll } from "../workerPool.ts";
import { inLoads, inRuns, type Rarity } from "./balancers.ts";
import { chosen, type TriedRarity } from "./finding.ts";

/** Of so many answers one in fifty is wrong with a probability of 95 %. */
const needed = Math.ceil(Math.log(0.05) / Math.log(1 - 1 / 50));

/** How many of its answers a run over the public surface judges. */
type Judged = ReadonlyMap<RequirementId, number>;

async function judgedHonestly(): Promise<Judged> {
  const { verdicts } = await judgedPlatform({ id: "the honest platform" }, { hasSchedules: false, observe: [] });
  return new Map(verdicts.map(({ id, exchanges }) => [id, exchanges.length]));
}

const list = (ids: readonly string[]): string => ids.join(" ") || "none";
const idsOf = (some: readonly TriedRarity[]): readonly string[] =>
  some.map(({ mutant }) => requirementOfMutant(mutant));

/** The requirements by the number of runs that judge enough answers. */
function byRuns(rows: readonly TriedRarity[], judged: Judged): string {
  const runs = new Map<string, string[]>();
  for (const id of idsOf(rows)) {
    const answers = judged.get(id as RequirementId) ?? 0;
    const name = answers === 0 ? "with control only" : `${Math.ceil(needed / answers)} runs`;
    runs.set(name, [...(runs.get(name) ?? []), id]);
  }
  const inOrder = [...runs].sort(([a], [b]) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  return inOrder.map(([name, ids]) => `${name}: ${ids.join(" ")}`).join("; ");
}

/** What would find those that a run doesn't find. */
const otherwise: { readonly [rarity: string]: string } = {
  "for other keys than the owner's": "one request more, by such a key",
  "from the third page on": "one request more, for such a page",
  "in February": "a run in that month",
  "above 2^53": "one request more, whose answer has such a number",
};

export function tableOfRare(tried: readonly TriedRarity[], judged: Judged): ProofTable {
  const rowsOf = (rarities: readonly Pick<Rarity, "name">[], by: "run" | "load") =>
    rarities.map(({ name }) => {
      const named = tried.filter((one) => name in one[by]);
      const missed = named.filter((one) => !one[by][name]);
      const better = by === "load" ? "a longer load" : (otherwise[name] ?? "");
      return [name, `a ${by}`, named.length, named.length - missed.length, better, list(idsOf(missed))];
    });
  const outside = tried.filter(({ load }) => Object.keys(load).length === 0);
  const never = tried.filter(({ by }) => by === null);
  return {
    title: "Rare defects",
    summary:
      `${tried.length} mutants, one of each requirement that doesn't need requests at set times. ` +
      `Not found even where they are always wrong: ${list(idsOf(never))}.`,
    columns: ["wrong only", "judged by", "mutants", "found", "what would find the others", "the others"],
    rows: [
      ...rowsOf(inRuns, "run"),
      ...rowsOf(inLoads, "load"),
      [
        "in one answer of fifty, outside a load's reads",
        "runs",
        outside.length,
        0,
        `${needed} answers`,
        byRuns(outside, judged),
      ],
    ],
    wrong: [],
  };
}

export async function rareTable(): Promise<ProofTable> {
  const worker = new URL("./worker.ts", import.meta.url);
  const tried = await runAll<TriedRarity>(
    chosen().map(({ id }) => id),
    { worker },
  );
  return tableOfRare(tried, await judgedHonestly());
}
