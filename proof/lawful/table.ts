// Every lawful choice alone, and combinations: none may be accused, and what each hides
import type { RequirementId } from "../../harness/core/interface.ts";
import type { ProofTable } from "../table.ts";
import { runAll } from "../workerPool.ts";
import {
  alone,
  type Combination,
  type CombinationOutcome,
  combinationsOf,
  smallest,
  targetKinds,
} from "./combinations.ts";
import { lawfulVariants } from "./variants.ts";

const seed = 20;
const perTarget = 200;

export const honest: Combination = { variants: [], target: "full", lacks: [], isObserved: false };

const none: CombinationOutcome = { findings: [], held: [] };

const missing = (from: CombinationOutcome, { held }: CombinationOutcome): readonly RequirementId[] =>
  from.held.filter((id) => !held.includes(id));

/** What choices hide: requirements that hold on a platform without them, and of which nothing is known with them. */
function hiddenBy(
  usual: CombinationOutcome,
  outcomes: readonly CombinationOutcome[],
): ReadonlyMap<string, readonly RequirementId[]> {
  return new Map(lawfulVariants.map(({ id }, nth) => [id, missing(usual, outcomes[nth] ?? none)]));
}

async function describeFindings(tried: readonly Combination[], outcomes: readonly CombinationOutcome[]) {
  const accused = tried.filter((_, nth) => outcomes[nth]?.findings.length);
  return Promise.all(accused.map(async (one) => JSON.stringify(await smallest(one))));
}

const choices = [...new Set(lawfulVariants.map(({ choice }) => choice))];

/** Each choice alone on a full target and with one key, and combinations; the first is none. */
const everything: readonly Combination[] = [
  honest,
  ...alone("full"),
  ...alone("bare"),
  ...targetKinds.flatMap((target) => combinationsOf(target, seed, perTarget)),
];

/** @param findings what accused platforms come down to */
export function tableOfLawful(
  tried: readonly Combination[],
  outcomes: readonly CombinationOutcome[],
  findings: readonly string[],
): ProofTable {
  const [usual = none, ...rest] = outcomes;
  const hidden = hiddenBy(usual, rest);
  // On full targets only: what a file doesn't give is withheld for that, and says so.
  const further = tried.flatMap(({ variants, target }, nth) => {
    const known = variants.flatMap((id) => hidden.get(id) ?? []);
    const ids = missing(usual, outcomes[nth] ?? none).filter((id) => !known.includes(id));
    return target === "full" && ids.length > 0 ? [`${variants.join(" + ")}: ${ids.join(" ")}`] : [];
  });
  return {
    title: "Lawful platforms",
    summary:
      `${lawfulVariants.length} ways to differ, each alone with a full target and with one key, and ${perTarget} ` +
      "seeded combinations of 2 to 6 of them, each with a full, a bare and a randomly thinned target: " +
      `${tried.length} platforms, ${findings.length === 0 ? "no" : findings.length} findings. ` +
      `Hidden by several choices together only: ${further.join("; ") || "nothing"}.`,
    columns: ["choice", "ways", "what isn't verified, by the way that hides it"],
    rows: choices.map((choice) => {
      const ways = lawfulVariants.filter((variant) => variant.choice === choice);
      const hiding = ways.flatMap(({ id }) => {
        const ids = hidden.get(id) ?? [];
        return ids.length === 0 ? [] : [`${id}: ${ids.join(" ")}`];
      });
      return [choice, ways.length, hiding.join("; ") || "nothing"];
    }),
    wrong: findings.map((finding) => `A lawful platform is accused: ${finding}.`),
  };
}

export async function lawfulTable(): Promise<ProofTable> {
  const outcomes = await runAll<CombinationOutcome>(everything, { worker: new URL("./worker.ts", import.meta.url) });
  return tableOfLawful(everything, outcomes, await describeFindings(everything, outcomes));
}
