// How is a requirement proved? One request and an oracle, or a scenario of several steps.
import type { ObservationId } from "../../specs/generated/observations.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import type { Finding } from "../core/finding.ts";
import type { Generates, Generation } from "../core/generation.ts";
import type { Stimulus } from "../core/stimulus.ts";
import type { Consent, Target } from "../target/target.ts";
import type { MadeProject, ProjectWish } from "../transport/control.ts";
import type { Exchange } from "../transport/exchange.ts";
import type { TimedRequest, TimedResult } from "../transport/timedRequests.ts";

/** The check can't be tried here, or what it looks at is hidden behind another breach. */
export class Withheld extends Error {}

/** Our fault, the target file's or the network's: no verdict on the platform. */
export class Inconclusive extends Error {}

/** What a check may do. Every exchange passes all laws. */
export interface CheckContext {
  readonly target: Target;
  /** How many cases are generated, and from which seed. */
  readonly generation: Generation;
  /** A project of its own for a scenario; needs control. */
  project(wish?: ProjectWish): Promise<MadeProject>;
  /**
   * The answer to a stimulus, asked once and remembered. Suspicious answers are asked again between healthy controls;
   * rate refusals are waited out.
   * @throws Inconclusive where no answer came that can be judged.
   */
  ask(stimulus: Stimulus): Promise<Exchange>;
  /** All at once, beyond the pace; needs the consent `throttle`. */
  atOnce(stimuli: readonly Stimulus[]): Promise<readonly Exchange[]>;
  wait(duration_ms: number): Promise<void>;
  /**
   * What came of many requests at set times, beyond the pace; needs `needs.volleys` and the consent `throttle`.
   * Sent once and remembered by name, whoever asks.
   * @throws BudgetSpent where the budget doesn't cover all of them, and Inconclusive where they couldn't be sent as told: nothing is judged then
   */
  sendSchedule(name: string, timedRequests: () => Promise<readonly TimedRequest[]>): Promise<readonly TimedResult[]>;
}

/** What is sent at set times; what several checks name alike is sent once. */
export interface PlannedSchedule {
  readonly name: string;
  /** What each of its requests calls, bundles apart; null for what the interface doesn't describe. */
  readonly calls: readonly Stimulus["operation"][];
  readonly seconds: number;
}

/** A finding and the exchange that shows it. */
export interface Shown {
  readonly finding: Finding;
  readonly exchange: Exchange;
  /** Which of the check's requirements it speaks of; all of them where it doesn't say. */
  readonly about?: readonly RequirementId[];
}

/** Judges one exchange; may ask for more. Throws Withheld or Inconclusive where it can't. */
export type Oracle = (exchange: Exchange, context: CheckContext) => Promise<Finding> | Finding;

/** What is sent in bundles at most, those that are meant to be refused included: whoever takes them is paid. */
export interface Sends {
  readonly bundles: number;
  /** So many times the target's tip, in all of them together. */
  readonly tips: number;
  /** What several checks send once between them, by name. */
  readonly shared?: readonly (Sends & { readonly name: string })[];
}

export interface Needs {
  /** Stimuli that will be sent: their keys, projects and bases must be known. */
  readonly requests: readonly Stimulus[];
  readonly consent?: Consent;
  /** Needs power over the platform: projects of its own, whose usage is read about so many times. */
  readonly control?: { readonly reads: number };
  readonly sends?: Sends;
  readonly schedules?: readonly PlannedSchedule[];
  /** Asked besides, case by case. What examples prove isn't withheld where generated cases can't be tried. */
  readonly generates?: Generates;
  /** Anything else that the target must say; gives the reason where it doesn't. */
  readonly unless?: (target: Target) => string | null;
}

export interface Check {
  /** What the oracle or the scenario proves. */
  readonly ids: readonly RequirementId[];
  /** What the laws must have held in this check's exchanges for it to count as proved. */
  readonly shows: readonly RequirementId[];
  readonly feature: Feature;
  readonly needs: Needs;
  /** Adds to a proof that other checks carry: where it can't be tried, nothing is withheld for it. */
  readonly optional: boolean;
  /** What counts calls runs alone, before all else. */
  readonly first: boolean;
  /** Consented experiments disturb others, so they run after all else. */
  readonly last: boolean;
  /** Disturbs nobody and isn't disturbed where it has projects of its own. */
  readonly beside?: boolean;
  run(context: CheckContext): Promise<readonly Shown[]>;
}

type Ids = RequirementId | readonly RequirementId[];
const asList = (ids: Ids): readonly RequirementId[] => (typeof ids === "string" ? [ids] : ids);

interface Options {
  readonly feature?: Feature;
  readonly shows?: readonly RequirementId[];
  /** What the oracle will ask besides. */
  readonly twin?: Stimulus;
  readonly optional?: boolean;
  readonly unless?: Needs["unless"];
}

interface ScenarioNeeds extends Needs {
  readonly first?: boolean;
  readonly beside?: boolean;
  readonly feature?: Feature;
  readonly shows?: readonly RequirementId[];
}

/**
 * One request. With an oracle, the oracle proves `ids`, and `shows` names what laws prove by the same answer;
 * without one the laws have the word on `ids`.
 */
export function check(ids: Ids, stimulus: Stimulus, oracle?: Oracle, options: Options = {}): Check {
  const { shows = [], feature = "usage", twin, optional = false, unless } = options;
  return {
    ids: oracle ? asList(ids) : [],
    shows: oracle ? shows : asList(ids),
    feature,
    needs: { requests: twin ? [stimulus, twin] : [stimulus], ...(unless ? { unless } : {}) },
    optional,
    first: false,
    last: false,
    run: async (context) => {
      const exchange = await context.ask(stimulus);
      return oracle ? [{ exchange, finding: await oracle(exchange, context) }] : [];
    },
  };
}

/** One request that proves nothing by itself: another pair of eyes for the laws. */
export const onlyRequest = (stimulus: Stimulus, feature: Feature = "usage"): Check => ({
  ids: [],
  shows: [],
  feature,
  needs: { requests: [stimulus] },
  optional: false,
  first: false,
  last: false,
  run: async (context) => {
    await context.ask(stimulus);
    return [];
  },
});

/**
 * What the interface says of the client or the specs rather than of the platform: no answer can show it.
 * @param by the self-test that keeps it
 */
export const verifiedBySelfTest = (ids: Ids, by: string, feature: Feature = "usage"): Check => ({
  ids: asList(ids),
  shows: [],
  feature,
  needs: { requests: [], unless: () => `not about the platform: kept by ${by}` },
  optional: false,
  first: false,
  last: false,
  run: () => Promise.resolve([]),
});

/** What is only noted: no answer can break it, and a probe writes down what is seen. */
export const onlyObserved = (ids: Ids, probe: ObservationId, feature: Feature = "usage"): Check => ({
  ids: asList(ids),
  shows: [],
  feature,
  needs: { requests: [], unless: () => `only observed: ${probe} tells what is seen` },
  optional: false,
  first: false,
  last: false,
  run: () => Promise.resolve([]),
});

/** Several steps; `asks` lists what will be sent, so that the plan can tell what is lacking and what it costs. */
export function scenario(
  ids: Ids,
  needs: ScenarioNeeds,
  run: (context: CheckContext) => Promise<readonly Shown[]>,
): Check {
  const { shows = [], feature = "usage", first = false, beside = false, ...rest } = needs;
  return {
    ids: asList(ids),
    shows,
    feature,
    needs: rest,
    optional: false,
    first,
    last: !first && rest.consent !== undefined,
    beside,
    run,
  };
}

/** Every id that a check has a say in. */
export const citedBy = ({ ids, shows }: Check): readonly RequirementId[] => [...ids, ...shows];
