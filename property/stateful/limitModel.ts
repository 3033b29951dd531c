// The model of limits: how many requests at once must and may be served, by any limiter (§8)
import fc from "fast-check";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { type Of, recordArbitrary } from "../arbitraries/lists.ts";
import { isPossible, type ModelCommand, projectKey, twice, useCommands } from "./command.ts";
import { begun, type ModelState, type ProjectName, projectNames, projectOfKey } from "./state.ts";

/** Requests per second (§8). */
const perSecond = 5;

/** More than any limiter serves in two windows. */
const tooMany = 12;

/** A rest after which any limiter has forgotten earlier requests. */
export const rest_ms = 3_000;

/** A longer burst may meet more than two windows. */
export const longestModelBurst_ms = 1_000;

const limited = ["usage", "bundles"] as const;
type Limited = (typeof limited)[number];

/** Requests at once: as many as the limit, or too many. */
const burst = recordArbitrary({
  do: fc.constant("burst"),
  as: projectKey,
  of: fc.constantFrom(...limited),
  size: fc.constantFrom(perSecond, tooMany),
});
/** No request is sent for `rest_ms`. */
const rest = recordArbitrary({ do: fc.constant("rest") });

export type ModelBurst = Of<typeof burst>;
export type LimitCommand = ModelCommand | ModelBurst | Of<typeof rest>;

/** Bursts and rests of a sequence, at most: their waits count against the time that statuses last. */
const mostBurstsAndRests = 16;

export interface LimitState {
  readonly state: ModelState;
  /** Projects with requests since the last rest. */
  readonly busy: readonly ProjectName[];
  /** No project has: who shares the limit on usage is unspecified. */
  readonly isQuiet: boolean;
  /** Limits exceeded so far, and by which project. */
  readonly exceeded: readonly { readonly of: Limited; readonly by: ProjectName }[];
  readonly burstsAndRests: number;
}

export const rested: LimitState = { state: begun, busy: [], isQuiet: true, exceeded: [], burstsAndRests: 0 };

/** All other commands, with enough bursts and rests to meet in a sequence. */
export const limitCommands: readonly fc.Arbitrary<LimitCommand>[] = [
  ...useCommands,
  ...twice(burst),
  ...twice(burst),
  ...twice(rest),
  ...twice(rest),
];

export function isPossibleAtLimits(
  command: LimitCommand,
  { state, burstsAndRests, isQuiet }: LimitState,
  mostBundles: number,
): boolean {
  if (command.do !== "burst" && command.do !== "rest") return isPossible(command, state, mostBundles);
  return burstsAndRests < mostBurstsAndRests && !(command.do === "rest" && isQuiet);
}

/** The projects whose requests a command sends; those to control don't count. */
function askersIn(command: LimitCommand): readonly ProjectName[] {
  if ("as" in command) return [projectOfKey(command.as)];
  return command.do === "survey" || command.do === "refused" ? projectNames : [];
}

/** The next state. @param state of all but the limits, after the command */
export function stateAfter(
  command: LimitCommand,
  { busy, isQuiet, exceeded, burstsAndRests }: LimitState,
  state: ModelState,
): LimitState {
  if (command.do === "rest") return { state, busy: [], isQuiet: true, exceeded, burstsAndRests: burstsAndRests + 1 };
  const askers = askersIn(command);
  const isBurst = command.do === "burst";
  return {
    state,
    busy: [...new Set([...busy, ...askers])],
    isQuiet: isQuiet && askers.length === 0,
    exceeded:
      isBurst && command.size > perSecond ? [...exceeded, { of: command.of, by: projectOfKey(command.as) }] : exceeded,
    burstsAndRests: burstsAndRests + (isBurst ? 1 : 0),
  };
}

/** How many requests of a burst are served, and what is broken where it is another number. */
interface Required {
  readonly least: number;
  readonly most: number;
  readonly tooFew: RequirementId;
  /** Broken instead, where too few are served after a rest without other requests, too. */
  readonly tooFewAlone: RequirementId;
  readonly tooMany: RequirementId;
}

/** The requirement that as many as the limit are served after a rest. */
export function servedOf(of: Limited, exceeded: LimitState["exceeded"]): RequirementId {
  if (of === "bundles") return "RATE-SB-01";
  return exceeded.some((one) => one.of === of) ? "RATE-ADM-04" : "RATE-ADM-01";
}

/** The limit on bundles is per project; who shares the limit on usage is unspecified. */
export function requiredOf({ as, of }: ModelBurst, { busy, isQuiet, exceeded }: LimitState): Required {
  const name = projectOfKey(as);
  const isRested = of === "usage" ? isQuiet : !busy.includes(name);
  return {
    least: isRested ? perSecond : 0,
    most: 2 * perSecond,
    tooFew: of === "usage" || isQuiet ? servedOf(of, exceeded) : "RATE-SB-04",
    tooFewAlone: servedOf(of, exceeded),
    tooMany: of === "usage" ? "RATE-ADM-02" : "RATE-SB-02",
  };
}
