// What runs and a load find of a mutant that is wrong only now and then
import { brokenIdsOf } from "../../harness/model/law.ts";
import type { Verdict } from "../../harness/model/verdict.ts";
import { transportTo } from "../../harness/transport/transport.ts";
import { loadSuite } from "../../load/suite.ts";
import { mixFor } from "../../load/traffic/mix.ts";
import { mutants } from "../../reference/generated/mutants.ts";
import type { Mutant } from "../../reference/platform/mutant.ts";
import { type Feature, operations } from "../../specs/generated/operations.ts";
import { type Balancer, inProcess } from "../inProcess.ts";
import { isAboutRates, judgedFeatures, requirementOfMutant } from "../judgedFeatures.ts";
import { judgedPlatform } from "../lawful/platforms.ts";
import { brokenUnder } from "../mutants.ts";
import { inLoads, inRuns } from "./balancers.ts";

/**
 * A run over the public surface with a full target; one with control, where the first finds nothing; or the answers of
 * a load, judged by laws.
 */
export type RarityPlace = "run" | "run with control" | "load";

/** By the name of each rarity that was tried: whether it was found; nothing where it isn't found even always. */
export type FoundByRarity = { readonly [rarity: string]: boolean };

export interface TriedRarity {
  readonly mutant: string;
  /** Where a run finds it; null where only requests at set times would. */
  readonly by: Exclude<RarityPlace, "load"> | null;
  readonly run: FoundByRarity;
  readonly load: FoundByRarity;
}

/** Its own requirement is broken, or anything that makes a run fail. */
const isFound = (id: string, verdicts: readonly Verdict[]): boolean =>
  verdicts.some((one) => one.verdict === "broken" && (one.id === id || one.enforced === "fail"));

/** Requests per operation: one answer in fifty shows in them with a probability of 99.8 %. */
const each = 300;
/** Reads in turn; with fewer the usage endpoint would get more than its limit. */
const turns = 15;
const perSecond = 50;

/** Whether laws find it in answers to the reads that loads are made of. */
async function isFoundByLoad(mutant: Mutant, features: readonly Feature[], balancer?: Balancer): Promise<boolean> {
  const { target, wire, clock } = inProcess(loadSuite, mutant, balancer ? { balancer } : {});
  const { shares } = mixFor(target, loadSuite.reads);
  const isAbout = ({ operation }: { readonly operation: string }): boolean =>
    operations.some(({ id, feature }) => id === operation && features.includes(feature));
  const filler = shares.filter(({ operation }) => operation === "getIndexerHealth");
  const own = shares.filter(isAbout);
  const round = Array.from({ length: Math.max(turns, own.length) }, (_, nth) => own[nth] ?? filler[0]);
  const transport = transportTo({ ...target, budget: {} }, wire, clock);
  const rounds = own.length === 0 ? 0 : balancer ? each : 2;
  for (let repeat = 0; repeat < rounds; repeat += 1) {
    for (const share of round) {
      await clock.sleep(1000 / perSecond);
      if (!share) continue;
      const exchange = await transport.send({ ...share.requestSpec, again: repeat }, { atOnce: true });
      if (isAbout(share) && brokenIdsOf(exchange, loadSuite.laws).has(requirementOfMutant(mutant.id))) return true;
    }
  }
  return false;
}

async function isFoundAt(place: RarityPlace, mutant: Mutant, balancer?: Balancer): Promise<boolean> {
  const features = judgedFeatures(mutant.id);
  if (place === "load") return isFoundByLoad(mutant, features, balancer);
  const verdicts =
    place === "run with control"
      ? await brokenUnder(loadSuite, mutant, features, balancer)
      : (
          await judgedPlatform(mutant, {
            offers: features,
            hasSchedules: false,
            observe: [],
            ...(balancer && { balancer }),
          })
        ).verdicts;
  return isFound(requirementOfMutant(mutant.id), verdicts);
}

/** What isn't found even always says nothing of rare defects. */
async function foundAt(place: RarityPlace, mutant: Mutant): Promise<FoundByRarity | null> {
  if (!(await isFoundAt(place, mutant))) return null;
  const found: { [rarity: string]: boolean } = {};
  const features = judgedFeatures(mutant.id);
  for (const { name, feature, balancer, changed } of place === "load" ? inLoads : inRuns) {
    if (feature && !features.includes(feature)) continue;
    const variant = changed ? (changed(mutant) as Mutant | null) : mutant;
    if (variant) found[name] = await isFoundAt(place, variant, balancer);
  }
  return found;
}

export async function tryRarity(id: string): Promise<TriedRarity> {
  const mutant = mutants.find((one) => one.id === id);
  if (!mutant) throw new Error(`no mutant ${id}`);
  const load = (await foundAt("load", mutant)) ?? {};
  for (const by of ["run", "run with control"] as const) {
    const run = await foundAt(by, mutant);
    if (run) return { mutant: id, by, run, load };
  }
  return { mutant: id, by: null, run: {}, load };
}

/** The first mutant of each requirement that answers alone can show. */
export const chosen = (): readonly Mutant[] => {
  const first = new Map<string, Mutant>();
  for (const mutant of mutants) {
    const requirement = requirementOfMutant(mutant.id);
    if (isAboutRates(mutant.id) || mutant.rules?.rpc?.hangs) continue;
    const known = first.get(requirement);
    if (!known || (!known.answer && mutant.answer)) first.set(requirement, mutant);
  }
  return [...first.values()];
};
