// Can each check fail? Every mutant must be found by the requirement that it names, no benign variation may be flagged.
import { createHash } from "node:crypto";
import { canonical } from "../harness/core/json.ts";
import { Engine } from "../harness/engine/engine.ts";
import type { EngineEvent } from "../harness/model/event.ts";
import type { Observed, Probe } from "../harness/model/probe.ts";
import type { Suite } from "../harness/model/suite.ts";
import type { Verdict } from "../harness/model/verdict.ts";
import { benignVariants } from "../reference/generated/benignVariants.ts";
import { mutants } from "../reference/generated/mutants.ts";
import type { BenignVariant, Mutant } from "../reference/platform/mutant.ts";
import type { Feature } from "../specs/generated/operations.ts";
import { type BenignVariantId, type MutantId, requirements } from "../specs/generated/requirements.ts";
import { inProcess } from "./inProcess.ts";
import { judgedFeatures } from "./judgedFeatures.ts";

export interface Killed {
  readonly id: MutantId | BenignVariantId;
  /** `killed`: broken as named, or seen where it is only noted. `survived`: not. `misdeclared`: what it trips isn't what it declares. Controls are `silent` or `flagged`. */
  readonly result: "killed" | "survived" | "misdeclared" | "silent" | "flagged";
  /** Requirements broken, whatever their enforcement. */
  readonly broken: readonly string[];
  /** Trips that it doesn't declare. */
  readonly undeclared: readonly string[];
  /** Declared trips that don't happen. */
  readonly stale: readonly string[];
}

/** A mutant of a row that is only noted is killed by another requirement, or where its observation changes (register, amendment 2). */
const killedBy: { readonly [requirement: string]: string } = { "GEN-BASE-01": "USG-HTTP-01" };

export const requirementOfMutant = (id: string): string => id.slice(0, id.indexOf("."));

/** The probe that says all that is said of a requirement; most have none. */
const probeOf = (suite: Suite, requirement: string): Probe | undefined =>
  suite.probes.find(({ informs }) => informs.some((id) => id === requirement));

interface Found {
  readonly broken: readonly Verdict[];
  readonly observed: readonly Observed[];
}

interface Looking {
  readonly features: readonly Feature[] | null;
  readonly probe?: Probe | undefined;
  /** What is sent at set times are hundreds of requests, which say nothing of mutants about anything else. */
  readonly hasSchedules: boolean;
}

const isOfRates = (id: string): boolean => id.startsWith("RATE-");

async function foundUnder(
  suite: Suite,
  variant: Mutant | BenignVariant | undefined,
  { features, probe, hasSchedules }: Looking,
): Promise<Found> {
  const observed: Observed[] = [];
  const onEvent = (event: EngineEvent): void => {
    if (event.event === "observation") observed.push(event.observation);
  };
  const options = inProcess(suite, variant, { hasSchedules });
  const offers = features ?? options.target.offers;
  const verdicts = await new Engine({
    ...options,
    target: { ...options.target, offers },
    observe: probe ? [probe.id] : [],
    onEvent,
  }).run();
  return { broken: verdicts.filter(({ verdict }) => verdict === "broken"), observed };
}

export const brokenUnder = async (
  suite: Suite,
  variant?: Mutant | BenignVariant,
  features: readonly Feature[] | null = null,
): Promise<readonly Verdict[]> =>
  (await foundUnder(suite, variant, { features, hasSchedules: variant === undefined || isOfRates(variant.id) })).broken;

const honestly = new WeakMap<Suite, Map<string, Promise<Found>>>();

/** What a probe reads of the honest platform is the same for all mutants about one part. */
function foundHonestly(suite: Suite, looking: Looking & { readonly probe: Probe }): Promise<Found> {
  const known = honestly.get(suite) ?? new Map<string, Promise<Found>>();
  honestly.set(suite, known);
  const name = canonical({ ...looking, probe: looking.probe.id });
  const found = known.get(name) ?? foundUnder(suite, undefined, looking);
  known.set(name, found);
  return found;
}

/** Whether a mutant is seen by a probe: a stable reading that isn't the honest platform's. */
async function isSeen(
  suite: Suite,
  looking: Looking & { readonly probe: Probe },
  under: readonly Observed[],
): Promise<boolean> {
  const { observed } = await foundHonestly(suite, looking);
  return [...under, ...observed].every(({ state }) => state === "stable") && canonical(under) !== canonical(observed);
}

/** Judged on the parts that it mutants of unless others are named; null: on all. */
export async function tryMutant(
  suite: Suite,
  mutant: Mutant,
  features: readonly Feature[] | null = judgedFeatures(mutant.id),
): Promise<Killed> {
  const named = requirementOfMutant(mutant.id);
  const probe = probeOf(suite, named);
  const looking = { features, hasSchedules: isOfRates(mutant.id) };
  const found = await foundUnder(suite, mutant, { ...looking, probe });
  const broken = found.broken.map(({ id }) => id);
  const fate = fateOf(mutant, broken);
  return fate.result === "survived" &&
    probe !== undefined &&
    (await isSeen(suite, { ...looking, probe }, found.observed))
    ? fateOf(mutant, broken, true)
    : fate;
}

/**
 * What became of a mutant that broke these.
 * @param isSeen whether it was found by what is only noted
 */
export function fateOf(mutant: Mutant, broken: readonly string[], isSeen = false): Killed {
  const named = requirementOfMutant(mutant.id);
  const declared = [named, killedBy[named] ?? named, ...mutant.also];
  const undeclared = broken.filter((id) => !declared.some((prefix) => id.startsWith(prefix)));
  const isKilled = isSeen || broken.some((id) => id === (killedBy[named] ?? named));
  const stale = mutant.also.filter((prefix) => !broken.some((id) => id !== named && id.startsWith(prefix)));
  return {
    id: mutant.id,
    result: !isKilled ? "survived" : undeclared.length + stale.length ? "misdeclared" : "killed",
    broken,
    undeclared,
    stale,
  };
}

/** Judged as lies are. */
export async function tryControl(
  suite: Suite,
  variant: BenignVariant,
  features: readonly Feature[] | null = judgedFeatures(variant.id),
): Promise<Killed> {
  const broken = (await brokenUnder(suite, variant, features)).map(({ id }) => id);
  return { id: variant.id, result: broken.length ? "flagged" : "silent", broken, undeclared: broken, stale: [] };
}

/** Whether a seeded tenth holds a mutant: kept out while checks are written, tried at the end. */
export const isHeldOut = (id: string, seed: number): boolean =>
  createHash("sha256").update(`${seed} ${id}`).digest().readUInt32BE(0) % 10 === 0;

export interface Selection {
  readonly mutants: readonly Mutant[];
  readonly benignVariants: readonly BenignVariant[];
}

/** By area (`AUTH`), requirement, or one name; all where nothing is named. */
export function select(names: readonly string[]): Selection {
  const isWanted = (id: string): boolean =>
    names.length === 0 || names.some((name) => id === name || id.startsWith(`${name}-`) || id.startsWith(`${name}.`));
  return {
    mutants: mutants.filter(({ id }) => isWanted(id)),
    benignVariants: benignVariants.filter(({ id }) => isWanted(id)),
  };
}

/** Exactly these. */
export const selectById = (ids: readonly string[]): Selection => ({
  mutants: mutants.filter(({ id }) => ids.includes(id)),
  benignVariants: benignVariants.filter(({ id }) => ids.includes(id)),
});

/** Lies and benign variations that the register names and the reference can't tell yet. */
export function pending(): readonly string[] {
  const known = new Set<string>([...mutants, ...benignVariants].map(({ id }) => id));
  return requirements
    .flatMap(({ id, mutants = {}, benign = {} }) =>
      [...Object.keys(mutants), ...Object.keys(benign)].map((slug) => `${id}.${slug}`),
    )
    .filter((id) => !known.has(id));
}
