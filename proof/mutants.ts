// The mutant runner: each mutant must break its requirement, benign variants and the honest none
import { createHash } from "node:crypto";
import { canonical } from "../harness/core/json.ts";
import type { Observed, Probe } from "../harness/model/probe.ts";
import type { Suite } from "../harness/model/suite.ts";
import type { Verdict } from "../harness/model/verdict.ts";
import { benignVariants } from "../reference/generated/benignVariants.ts";
import { mutants } from "../reference/generated/mutants.ts";
import type { BenignVariant, Mutant } from "../reference/platform/mutant.ts";
import type { Feature } from "../specs/generated/operations.ts";
import { type RequirementId, requirements } from "../specs/generated/requirements.ts";
import { type Balancer, findingsOfRun, inProcess } from "./inProcess.ts";
import { declaredBesides, isAboutRates, judgedFeatures, requirementOfMutant } from "./judgedFeatures.ts";

export interface Killed {
  readonly id: string;
  /**
   * `killed`: its requirement is broken, or its observation changed · `survived`: neither ·
   * `misdeclared`: it breaks other requirements than it declares · `silent`, `flagged`: results of benign variants.
   */
  readonly result: "killed" | "survived" | "misdeclared" | "silent" | "flagged";
  /** Broken requirements of any enforcement. */
  readonly broken: readonly string[];
  /** Broken, but not declared. */
  readonly undeclared: readonly string[];
  /** Declared, but not broken. */
  readonly stale: readonly string[];
}

/**
 * A mutant of a row that is only observed is killed by another requirement, or by a changed observation (amendment 2).
 */
const killedBy: { readonly [requirement: string]: string } = { "GEN-BASE-01": "USG-HTTP-01" };

/** The probe that observes a requirement; most have none. */
const probeOf = (suite: Suite, requirement: string): Probe | undefined =>
  suite.probes.find(({ informs }) => informs.some((id) => id === requirement));

interface Found {
  readonly broken: readonly Verdict[];
  readonly observed: readonly Observed[];
}

interface Judging {
  readonly features: readonly Feature[] | null;
  /** Only checks of these requirements run; laws judge every exchange for all. */
  readonly only?: readonly RequirementId[] | null;
  readonly probe?: Probe | undefined;
  /** Whether timed requests are sent: hundreds, which only mutants of rate limits need. */
  readonly hasSchedules: boolean;
  readonly balancer?: Balancer | undefined;
}

async function foundUnder(suite: Suite, variant: Mutant | BenignVariant | undefined, judging: Judging): Promise<Found> {
  const { features, only = null, probe, hasSchedules, balancer } = judging;
  const options = inProcess(suite, variant, { hasSchedules, ...(balancer && { balancer }) });
  const wanted = { only, observe: probe ? [probe.id] : [] };
  const { verdicts, observed } = await findingsOfRun({ ...options, ...wanted }, features);
  return { broken: verdicts.filter(({ verdict }) => verdict === "broken"), observed };
}

export const brokenUnder = async (
  suite: Suite,
  variant?: Mutant | BenignVariant,
  features: readonly Feature[] | null = null,
  balancer?: Balancer,
): Promise<readonly Verdict[]> => {
  const hasSchedules = variant === undefined || isAboutRates(variant.id);
  return (await foundUnder(suite, variant, { features, hasSchedules, balancer })).broken;
};

const honestly = new WeakMap<Suite, Map<string, Promise<Found>>>();

/** Observations of the honest platform, which mutants of one requirement share. */
function foundHonestly(suite: Suite, judging: Judging & { readonly probe: Probe }): Promise<Found> {
  const known = honestly.get(suite) ?? new Map<string, Promise<Found>>();
  honestly.set(suite, known);
  const name = canonical({ ...judging, probe: judging.probe.id });
  const found = known.get(name) ?? foundUnder(suite, undefined, judging);
  known.set(name, found);
  return found;
}

/** Whether a probe observes a mutant: both observations are stable, and they differ. */
async function isObserved(
  suite: Suite,
  judging: Judging & { readonly probe: Probe },
  under: readonly Observed[],
): Promise<boolean> {
  const { observed } = await foundHonestly(suite, judging);
  return [...under, ...observed].every(({ state }) => state === "stable") && canonical(under) !== canonical(observed);
}

/** By the checks of what the mutant declares to break: faster, but what else it breaks is seen only by laws. */
export async function tryDeclared(suite: Suite, mutant: Mutant): Promise<Killed> {
  const only = requirements.map(({ id }) => id).filter((id) => isDeclared(mutant, id));
  const fate = await tryMutant(suite, mutant, only);
  // Laws may need exchanges of other checks.
  return fate.result === "killed" ? fate : tryMutant(suite, mutant);
}

/** By all checks of the features that the mutant is about. */
export async function tryMutant(
  suite: Suite,
  mutant: Mutant,
  only: readonly RequirementId[] | null = null,
): Promise<Killed> {
  const named = requirementOfMutant(mutant.id);
  const probe = probeOf(suite, named);
  const judging = { features: judgedFeatures(mutant.id), only, hasSchedules: isAboutRates(mutant.id) };
  const found = await foundUnder(suite, mutant, { ...judging, probe });
  const broken = found.broken.map(({ id }) => id);
  const fate = mutantFate(mutant, broken);
  return fate.result === "survived" &&
    probe !== undefined &&
    (await isObserved(suite, { ...judging, probe }, found.observed))
    ? mutantFate(mutant, broken, true)
    : fate;
}

function isDeclared(mutant: Mutant, requirement: string): boolean {
  const named = requirementOfMutant(mutant.id);
  return [named, killedBy[named] ?? named, ...declaredBesides(mutant)].some((prefix) => requirement.startsWith(prefix));
}

/**
 * The result for a mutant that broke these requirements.
 * @param isObserved whether a changed observation shows it
 */
export function mutantFate(mutant: Mutant, broken: readonly string[], isObserved = false): Killed {
  const named = requirementOfMutant(mutant.id);
  const undeclared = broken.filter((id) => !isDeclared(mutant, id));
  const isKilled = isObserved || broken.some((id) => id === (killedBy[named] ?? named));
  const stale = declaredBesides(mutant).filter((prefix) => !broken.some((id) => id !== named && id.startsWith(prefix)));
  return {
    id: mutant.id,
    result: !isKilled ? "survived" : undeclared.length + stale.length ? "misdeclared" : "killed",
    broken,
    undeclared,
    stale,
  };
}

/** A benign variant, judged as mutants are. */
export async function tryControl(
  suite: Suite,
  variant: BenignVariant,
  features: readonly Feature[] | null = judgedFeatures(variant.id),
): Promise<Killed> {
  return fateOfRight(
    variant.id,
    (await brokenUnder(suite, variant, features)).map(({ id }) => id),
  );
}

/** The result for a right platform on which these requirements were found broken. */
export const fateOfRight = <Id extends string>(id: Id, broken: readonly string[]) => ({
  id,
  result: broken.length > 0 ? ("flagged" as const) : ("silent" as const),
  broken,
  undeclared: broken,
  stale: [],
});

/** Whether a mutant belongs to a seeded tenth that is held out while checks are written. */
export const isHeldOut = (id: string, seed: number): boolean =>
  createHash("sha256").update(`${seed} ${id}`).digest().readUInt32BE(0) % 10 === 0;

export interface Selection {
  readonly mutants: readonly Mutant[];
  readonly benignVariants: readonly BenignVariant[];
}

/** Mutants and benign variants by area (`AUTH`), requirement or name; all for no names. */
export function select(names: readonly string[]): Selection {
  const isWanted = ({ id }: Mutant | BenignVariant): boolean =>
    names.length === 0 || names.some((name) => id === name || id.startsWith(`${name}-`) || id.startsWith(`${name}.`));
  return { mutants: mutants.filter(isWanted), benignVariants: benignVariants.filter(isWanted) };
}

/** Exactly these. */
export const selectById = (ids: readonly string[]): Selection => ({
  mutants: mutants.filter(({ id }) => ids.includes(id)),
  benignVariants: benignVariants.filter(({ id }) => ids.includes(id)),
});

/** Mutants and benign variants that the register names and the reference doesn't implement yet. */
export function pending(): readonly string[] {
  const known = new Set<string>([...mutants, ...benignVariants].map(({ id }) => id));
  return requirements
    .flatMap(({ id, mutants = {}, benign = {} }) =>
      [...Object.keys(mutants), ...Object.keys(benign)].map((slug) => `${id}.${slug}`),
    )
    .filter((id) => !known.has(id));
}
