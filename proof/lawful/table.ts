// Every lawful choice alone and 200 combinations; run it to write their tables into docs/proof.md
import type { RequirementId } from "../../harness/core/interface.ts";
import { PublishedDocument, type Table } from "../publishedTable.ts";
import { runAll } from "../workerPool.ts";
import { alone, type Combination, combinationsOf, type Outcome, smallest, targetKinds } from "./combinations.ts";
import { lawfulVariants } from "./variants.ts";

export const script = "proof/lawful/table.ts";
export const document = new PublishedDocument("proof.md");

const seed = 20;
const perTarget = 200;

const honest: Combination = { variants: [], target: "full", lacks: [], isObserved: false };

const none: Outcome = { findings: [], held: [] };

const missing = (from: Outcome, { held }: Outcome): readonly RequirementId[] =>
  from.held.filter((id) => !held.includes(id));

/** What choices hide: requirements that hold on a platform without them, and of which nothing is known with them. */
function hiddenBy(usual: Outcome, outcomes: readonly Outcome[]): ReadonlyMap<string, readonly RequirementId[]> {
  return new Map(lawfulVariants.map(({ id }, nth) => [id, missing(usual, outcomes[nth] ?? none)]));
}

async function describeFindings(tried: readonly Combination[], outcomes: readonly Outcome[]) {
  const accused = tried.filter((_, nth) => outcomes[nth]?.findings.length);
  return Promise.all(accused.map(async (one) => JSON.stringify(await smallest(one))));
}

export const choices = [...new Set(lawfulVariants.map(({ choice }) => choice))];

function tableOf(hidden: ReadonlyMap<string, readonly RequirementId[]>, summary: string): Table {
  return {
    by: script,
    summary,
    columns: ["choice", "ways", "what isn't verified, by the way that hides it"],
    rows: choices.map((choice) => {
      const ways = lawfulVariants.filter((one) => one.choice === choice);
      const hiding = ways.flatMap(({ id }) => {
        const ids = hidden.get(id) ?? [];
        return ids.length === 0 ? [] : [`${id}: ${ids.join(" ")}`];
      });
      return [choice, ways.length, hiding.join("; ") || "nothing"];
    }),
  };
}

if (process.argv[1] === import.meta.filename) {
  const combined = targetKinds.flatMap((target) => combinationsOf(target, seed, perTarget));
  const tried = [honest, ...alone("full"), ...alone("bare"), ...combined];
  const outcomes = await runAll<Outcome>(tried, { worker: new URL("./worker.ts", import.meta.url) });
  const [usual = none, ...rest] = outcomes;
  const hidden = hiddenBy(usual, rest);
  const findings = await describeFindings(tried, outcomes);
  // On full targets only: what a file doesn't give is withheld for that, and says so.
  const further = tried.flatMap(({ variants, target }, nth) => {
    const known = variants.flatMap((id) => hidden.get(id) ?? []);
    const ids = missing(usual, outcomes[nth] ?? none).filter((id) => !known.includes(id));
    return target === "full" && ids.length > 0 ? [`${variants.join(" + ")}: ${ids.join(" ")}`] : [];
  });
  const summary =
    `${lawfulVariants.length} ways to differ, each alone with a full target and with one key, and ${perTarget} ` +
    "seeded combinations of 2 to 6 of them, each with a full, a bare and a randomly thinned target: " +
    `${tried.length} platforms, findings: ${findings.join("; ") || "none"}. ` +
    `Hidden by several choices together only: ${further.join("; ") || "nothing"}.`;
  document.publish(tableOf(hidden, summary));
}
