// How many of several requests at once must be served, and how many may be, whatever happened before? A pure model of both limits of five a second, true of any limiter. (§8; register §2)
import fc from "fast-check";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { type Command, isPossible, key, plainly, twice, useCommands } from "./command.ts";
import { begun, type KeyName, type ProjectName, projectNames, projectOf, type State } from "./state.ts";

/** Requests per second (§8). */
const perSecond = 5;

/** More than two windows of any limiter serve. */
const tooMany = 12;

/** So long that any limiter has forgotten what came before. */
export const rest_ms = 3_000;

/** A burst that takes as long may meet more than two windows. */
export const longestBurst_ms = 1_000;

const limited = ["usage", "bundles"] as const;
type Limited = (typeof limited)[number];

/** So many requests at once: as many as the limit, or too many. */
export interface Burst {
  readonly do: "burst";
  readonly as: KeyName;
  readonly of: Limited;
  readonly size: typeof perSecond | typeof tooMany;
}

/** Nothing is asked for as long as a limiter remembers. */
interface Rest {
  readonly do: "rest";
}

export type LimitCommand = Command | Burst | Rest;

/** Bursts and rests that a sequence has at most: what each waits counts against how long statuses are kept. */
const mostBurstsAndRests = 16;

/** What is known, limits included. */
export interface LimitState {
  readonly state: State;
  /** Who has asked for anything since the last rest. */
  readonly busy: readonly ProjectName[];
  /** Nobody has: whose requests for usage are counted together isn't shown. */
  readonly isQuiet: boolean;
  /** Which limits were exceeded so far, and by whom. */
  readonly exceeded: readonly { readonly of: Limited; readonly by: ProjectName }[];
  /** Bursts and rests so far. */
  readonly burstsAndRests: number;
}

/** After a rest. */
export const rested: LimitState = { state: begun, busy: [], isQuiet: true, exceeded: [], burstsAndRests: 0 };

const burst: fc.Arbitrary<LimitCommand> = fc.record(
  {
    do: fc.constant("burst" as const),
    as: key,
    of: fc.constantFrom(...limited),
    size: fc.constantFrom(perSecond, tooMany),
  },
  plainly,
);
const rest: fc.Arbitrary<LimitCommand> = fc.record({ do: fc.constant("rest" as const) }, plainly);

/** Whatever else may happen, and as many bursts as come together in a sequence. */
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
  if (command.do === "burst") return burstsAndRests < mostBurstsAndRests;
  return command.do === "rest"
    ? burstsAndRests < mostBurstsAndRests && !isQuiet
    : isPossible(command, state, mostBundles);
}

/** Whose requests a command makes; control's are no calls. */
function askersIn(command: LimitCommand): readonly ProjectName[] {
  if ("as" in command) return [projectOf(command.as)];
  return command.do === "survey" || command.do === "refused" ? projectNames : [];
}

/** After a command, in whatever state that left all else. */
export function stateAfter(
  command: LimitCommand,
  { busy, isQuiet, exceeded, burstsAndRests }: LimitState,
  state: State,
): LimitState {
  if (command.do === "rest") return { state, busy: [], isQuiet: true, exceeded, burstsAndRests: burstsAndRests + 1 };
  const askers = askersIn(command);
  const isBurst = command.do === "burst";
  return {
    state,
    busy: [...new Set([...busy, ...askers])],
    isQuiet: isQuiet && askers.length === 0,
    exceeded:
      isBurst && command.size > perSecond ? [...exceeded, { of: command.of, by: projectOf(command.as) }] : exceeded,
    burstsAndRests: burstsAndRests + (isBurst ? 1 : 0),
  };
}

/** How many of a burst are served, and what is broken where it is another number. */
interface Required {
  readonly least: number;
  readonly most: number;
  readonly tooFew: RequirementId;
  /** What is broken instead where after another rest too few are served, too: others have nothing to do with it. */
  readonly tooFewAlone: RequirementId;
  readonly tooMany: RequirementId;
}

/** Which row says that as many as the limit are served after a rest. */
export function servedOf(of: Limited, exceeded: LimitState["exceeded"]): RequirementId {
  if (of === "bundles") return "RATE-SB-01";
  return exceeded.some((one) => one.of === of) ? "RATE-ADM-04" : "RATE-ADM-01";
}

/** The limit of bundles is the project's own; nothing is said of whose that of usage is. */
export function requiredOf({ as, of }: Burst, { busy, isQuiet, exceeded }: LimitState): Required {
  const name = projectOf(as);
  const isRested = of === "usage" ? isQuiet : !busy.includes(name);
  return {
    least: isRested ? perSecond : 0,
    most: 2 * perSecond,
    tooFew: of === "usage" || isQuiet ? servedOf(of, exceeded) : "RATE-SB-04",
    tooFewAlone: servedOf(of, exceeded),
    tooMany: of === "usage" ? "RATE-ADM-02" : "RATE-SB-02",
  };
}
