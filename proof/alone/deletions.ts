// What is missed once a check is deleted: by a mutant, or by one that is wrong only where that check looks
import type { RequirementId } from "../../harness/core/interface.ts";
import { Engine } from "../../harness/engine/engine.ts";
import type { EngineOptions } from "../../harness/engine/options.ts";
import type { Check } from "../../harness/model/check.ts";
import type { Target } from "../../harness/target/target.ts";
import type { WireRequest } from "../../harness/transport/wire.ts";
import { suite } from "../../load/suite.ts";
import { balancedBy } from "../inProcess.ts";
import { nameOfCheck, ofLaws, requirementsOf, suiteWithout } from "./detectors.ts";
import { mutantNamed, type On, optionsFor, type Row } from "./tried.ts";

/** Where deletions are tried: some checks need samples that are right for a mutant, as vendors' targets have them. */
export type Deleting = Extract<On, "control" | "without control">;

export interface Deletion {
  /** The check that is deleted. */
  readonly check: string;
  /** What isn't found broken then. */
  readonly misses: RequirementId;
  readonly mutant: string;
  readonly on: Deleting;
  /**
   * `any`: the mutant as it is · `confined`: a platform that has its defect only in answers to what the check sends ·
   * `others`: nothing is missed, as others, or the engine for itself, send and judge the same.
   */
  readonly by: "any" | "confined" | "others";
}

const checkNamed = new Map([...nameOfCheck].map(([check, name]) => [name, check]));

const isBroken = async (id: RequirementId, options: EngineOptions): Promise<boolean> =>
  (await new Engine(options).run()).some((one) => one.id === id && one.verdict === "broken");

/** A request as it looks in every world: keys differ. */
const describe = ({ redact }: Pick<Target, "redact">, { method, url, headers, body }: WireRequest): string =>
  redact(JSON.stringify([method, url, headers, body]));

/** Whether a check by itself finds a mutant, perhaps one that is honest to all others, and what it sent meanwhile. */
async function foundAlone({ mutant, misses, by, on }: Deletion, check: Check) {
  const sent = new Set<string>();
  let isRunning = false;
  const only: Check = {
    ...check,
    run: async (context) => {
      isRunning = true;
      // Checks that share a charge window ask about each other, as the suite has them.
      const isRunnable = (one: object): Promise<boolean> => context.isRunnable(one === check ? only : (one as Check));
      return check.run({ ...context, isRunnable }).finally(() => (isRunning = false));
    },
  };
  const options: EngineOptions = optionsFor(mutantNamed(mutant), on, {
    balancer: balancedBy((request) => {
      const description = describe(options.target, request);
      if (isRunning) sent.add(description);
      // What it sends is asked again to confirm a breach.
      return by !== "confined" || sent.has(description);
    }),
  });
  const target = { ...options.target, offers: [...new Set([...options.target.offers, check.feature])] };
  const isFound = await isBroken(misses, { ...options, target, suite: { ...suite, checks: [only] } });
  return { isFound, sent };
}

/**
 * Whether the requirement is found broken by the check and, unless others find the same, isn't any more without it, by
 * the checks that cite it. What others find has been traced: only what they wouldn't make up for is tried.
 */
export async function isNoticed(deletion: Deletion): Promise<boolean> {
  const { check: name, mutant, misses, by, on } = deletion;
  const check = checkNamed.get(name);
  if (!check) return false;
  const alone = by === "any" ? null : await foundAlone(deletion, check);
  if (alone?.isFound === false || by === "others") return alone?.isFound ?? false;
  const options = (): EngineOptions => {
    const own: EngineOptions = optionsFor(mutantNamed(mutant), on, {
      ...(alone ? { balancer: balancedBy((request) => alone.sent.has(describe(own.target, request))) } : {}),
    });
    return { ...own, only: [misses] };
  };
  const isFound = alone?.isFound ?? (await isBroken(misses, options()));
  return isFound && !(await isBroken(misses, { ...options(), suite: suiteWithout(name) }));
}

/** What may show that a check is missed, or that it finds anything, mutants of what it is about first. */
function candidatesFor(
  check: string,
  rows: readonly Row[],
  { by, on }: Pick<Deletion, "by" | "on">,
): readonly Deletion[] {
  const cited = requirementsOf(check);
  const isCandidate = (id: string, { found, needed }: Row): boolean => {
    const isCited = check.startsWith(ofLaws) || cited.includes(id);
    if (by === "any") return needed[id]?.includes(check) ?? false;
    return isCited && (by === "others" || found.includes(check));
  };
  const candidates = rows
    .filter((row) => row.on === on)
    .flatMap((row) =>
      row.broken
        .filter((id) => isCandidate(id, row))
        .map((id) => ({
          deletion: { check, misses: id as RequirementId, mutant: row.mutant, on, by },
          rank: (row.found.includes(check) ? 0 : 2) + (row.mutant.startsWith(`${id}.`) ? 0 : 1),
        })),
    );
  return candidates.sort((a, b) => a.rank - b.rank).map(({ deletion }) => deletion);
}

/** Mutants tried at most for one check in each way. */
const mostTries = 6;

/** The first that is noticed; null for a check that finds nothing. */
export async function deletionOf(check: string, rows: readonly Row[]): Promise<Deletion | null> {
  for (const on of ["control", "without control"] as const)
    for (const by of ["any", "confined", "others"] as const)
      for (const one of candidatesFor(check, rows, { by, on }).slice(0, mostTries))
        if (await isNoticed(one)) return one;
  return null;
}
