// Checks: experiments that prove requirements, by one request and an oracle or by a scenario.
import type { Wait } from "../core/clock.ts";
import type { Finding } from "../core/finding.ts";
import type { Generates, Generation } from "../core/generation.ts";
import type { Feature, ObservationId, RequirementId } from "../core/interface.ts";
import type { UnmetNeed } from "../core/reason.ts";
import { type Asker, keyHolders, type RequestSpec } from "../core/requestSpec.ts";
import type { Consent, Target } from "../targets/target.ts";
import type { MadeProject, ProjectWish } from "../transport/control.ts";
import type { Exchange } from "../transport/exchange.ts";
import type { Received } from "../transport/recording.ts";
import type { TimedRequest, TimedResult } from "../transport/timedRequests.ts";
import type { WireRequest } from "../transport/wire.ts";

/** What a check may do, and a probe with it. Every exchange passes all laws. */
export interface CheckContext {
  readonly target: Target;
  /** How many cases are generated, and from which seed. */
  readonly generation: Generation;
  /** Makes a project for this scenario alone. @throws Withheld without control */
  project(wish?: ProjectWish): Promise<MadeProject>;
  /**
   * The exchange of a request spec, which is sent once and remembered. After a suspicious answer it is sent again,
   * between health checks; rate refusals are waited out.
   * @throws Inconclusive where no answer came that can be judged
   */
  ask(requestSpec: RequestSpec): Promise<Exchange>;
  /** The same request under a number of its own, so that it is sent anew. */
  fresh(requestSpec: RequestSpec): RequestSpec;
  once<Value>(key: string, make: () => Value): Value;
  /** Every exchange of the run so far. */
  exchanges(): readonly Exchange[];
  /** Unix time in ms. */
  now_ms(): number;
  /** A request to an address that isn't the platform's: it is neither paced, nor judged, nor in the run's exchanges. */
  elsewhere(request: WireRequest): Promise<Received>;
  /** What the plan sends at most that can't be undone. */
  readonly mostSends: Required<Costs>;
  /** Whether the run has a check or a probe that lacks nothing. */
  isRunnable(one: Pick<Check, "needs">): Promise<boolean>;
  /** Sends all at once, regardless of the pace; needs the consent `throttle`. Gives those that can be judged. */
  atOnce(requestSpecs: readonly RequestSpec[]): Promise<readonly Exchange[]>;
  /** @param on what it waits for, as reported; charges where they settle during the check */
  wait(duration_ms: number, on?: Wait["on"]): Promise<void>;
  /**
   * Sends requests at set times, regardless of the pace; needs `needs.schedules` and the consent `throttle`.
   * A schedule of one name is sent once per run.
   * @throws BudgetSpent where the budget doesn't cover all of them
   * @throws Inconclusive where the times weren't kept; nothing is judged then
   */
  sendSchedule(name: string, timedRequests: () => Promise<readonly TimedRequest[]>): Promise<readonly TimedResult[]>;
}

/** Requests at set times; a schedule that several checks name is sent once. */
export interface PlannedSchedule {
  readonly name: string;
  /** The operation of each request, those in `sends` excepted; null for what the interface doesn't describe. */
  readonly calls: readonly RequestSpec["operation"][];
  readonly seconds: number;
}

/** A finding and the exchange that shows it. */
export interface Shown {
  readonly finding: Finding;
  readonly exchange: Exchange;
  /** The check's requirements that it is about; all of them by default. */
  readonly about?: readonly RequirementId[];
}

/**
 * Judges one exchange, perhaps by further requests.
 * @throws Withheld or Inconclusive where it can't
 */
export interface Oracle {
  (exchange: Exchange, context: CheckContext): Promise<Finding> | Finding;
  /** What it sends besides, which the check then needs. */
  readonly requests?: readonly RequestSpec[];
}

interface Costs {
  readonly calls: number;
  /** What all of them together pay, as a multiple of the target's payment. */
  readonly payments: number;
  /** Signatures of all of them together, where each has a fee. */
  readonly signatures?: number;
  /** What they move to accounts of the check, which is sent back, in the payment's smallest unit. */
  readonly deposits?: number;
}

/** Calls that can't be undone, at most; also those to be refused, as a platform may accept and charge them. */
export interface Sends extends Costs {
  /** Calls that several checks share and send once, by name. */
  readonly shared?: readonly (Sends & { readonly name: string })[];
}

export interface Needs {
  /** What will be sent; the target must have the keys, projects and bases. */
  readonly requests: readonly RequestSpec[];
  readonly consent?: Consent;
  /**
   * Set where it needs control; `reads`: about how often it reads the meter of its projects · `of`: what it makes or
   * moves there, e.g. `an index that lags on demand`; projects by default.
   */
  readonly control?: { readonly reads: number; readonly of?: string };
  readonly sends?: Sends;
  /** How often it sends its first request again, at most. */
  readonly repeats?: number;
  readonly schedules?: readonly PlannedSchedule[];
  /**
   * About how often its reads of the meter are repeated until charges are settled, once for all of a window; at most,
   * where no other window has shown how late they are.
   */
  readonly settles?: { readonly window: string; readonly rounds: number; readonly mostRounds?: number };
  /** Generated cases that it sends besides. Where they can't be sent, examples may still prove the requirement. */
  readonly generates?: Generates;
  /** Any other need, where the target doesn't meet it; else null. */
  readonly unless?: (target: Target) => UnmetNeed | null;
}

/** Whose keys are used. */
export const callersIn = ({ requests, generates }: Needs): readonly Asker[] =>
  [...requests, ...(generates?.each ?? [])].flatMap(keyHolders);

/**
 * `any`: beside others · `alone`: one at a time, since it counts calls · `beside`: beside all others where it has
 * projects of its own, since it takes long · `last`: after all others, since it disturbs them.
 */
export type CheckTime = "any" | "alone" | "beside" | "last";

export interface Check {
  /** What the oracle or the scenario proves. */
  readonly ids: readonly RequirementId[];
  /** What laws prove by this check's exchanges. */
  readonly shows: readonly RequirementId[];
  readonly feature: Feature;
  readonly needs: Needs;
  /** Set where other checks prove the same: if it can't run, nothing is withheld or narrowed for it. */
  readonly optional: boolean;
  readonly when: CheckTime;
  run(context: CheckContext): Promise<readonly Shown[]>;
}

export type Ids = RequirementId | readonly RequirementId[];
export const listOfIds = (ids: Ids): readonly RequirementId[] => (typeof ids === "string" ? [ids] : ids);

interface Options extends Partial<Pick<Check, "shows" | "optional">>, Partial<Pick<Needs, "unless" | "repeats">> {
  /** What the oracle sends besides. */
  readonly positiveControl?: RequestSpec;
}

interface ScenarioNeeds extends Needs, Pick<Check, "feature">, Partial<Pick<Check, "shows">> {
  readonly when?: "alone" | "beside";
}

const made = (feature: Feature, check: Pick<Check, "ids"> & Partial<Check>): Check => ({
  shows: [],
  feature,
  needs: { requests: [] },
  optional: false,
  when: "any",
  run: () => Promise.resolve([]),
  ...check,
});

/**
 * One request. With an oracle, the oracle proves `ids`, and `shows` names what laws prove by the same answer;
 * without one, laws decide on `ids`.
 */
export function check(
  feature: Feature,
  ids: Ids,
  requestSpec: RequestSpec,
  oracle?: Oracle,
  options: Options = {},
): Check {
  const { shows = [], positiveControl, optional = false, ...needs } = options;
  const requests = [requestSpec, ...(positiveControl ? [positiveControl] : (oracle?.requests ?? []))];
  return made(feature, {
    ids: oracle ? listOfIds(ids) : [],
    shows: oracle ? shows : listOfIds(ids),
    needs: { ...needs, requests },
    optional,
    run: async (context) => {
      const exchange = await context.ask(requestSpec);
      return oracle ? [{ exchange, finding: await oracle(exchange, context) }] : [];
    },
  });
}

/** One request whose answer only laws judge. */
export const onlyRequest = (feature: Feature, requestSpec: RequestSpec): Check => check(feature, [], requestSpec);

/**
 * A requirement on the client or the specs, which no answer of a platform can show.
 * @param test the self-test that verifies it
 */
export const verifiedBySelfTest = (feature: Feature, ids: Ids, test: string): Check =>
  made(feature, { ids: listOfIds(ids), needs: { requests: [], unless: () => ({ kind: "aboutAssay", test }) } });

/** A requirement that no answer can break; a probe records what is observed. */
export const onlyObserved = (feature: Feature, ids: Ids, probe: ObservationId): Check =>
  made(feature, { ids: listOfIds(ids), needs: { requests: [], unless: () => ({ kind: "onlyObserved", probe }) } });

/** Several steps; the plan derives from `needs` what the target lacks and what it costs. */
export function scenario(
  ids: Ids,
  needs: ScenarioNeeds,
  run: (context: CheckContext) => Promise<readonly Shown[]>,
): Check {
  const { shows = [], feature, when, ...rest } = needs;
  const usual = rest.consent === undefined ? "any" : "last";
  return made(feature, { ids: listOfIds(ids), shows, needs: rest, when: when ?? usual, run });
}

export const citedBy = ({ ids, shows }: Check): readonly RequirementId[] => [...ids, ...shows];
