// Checks: how a requirement is proved, by one request and an oracle or by a scenario of several steps.
import type { Finding } from "../core/finding.ts";
import type { Generates, Generation } from "../core/generation.ts";
import type { Feature, ObservationId, RequirementId } from "../core/interface.ts";
import type { Stimulus } from "../core/stimulus.ts";
import type { Consent, Target } from "../target/target.ts";
import type { MadeProject, ProjectWish } from "../transport/control.ts";
import type { Exchange } from "../transport/exchange.ts";
import type { TimedRequest, TimedResult } from "../transport/timedRequests.ts";

/** What a check may do, and a probe with it. Every exchange passes all laws. */
export interface CheckContext {
  readonly target: Target;
  /** How many cases are generated, and from which seed. */
  readonly generation: Generation;
  /** A project of its own for a scenario; needs control. */
  project(wish?: ProjectWish): Promise<MadeProject>;
  /**
   * The answer to a stimulus, asked once and remembered. Suspicious answers are asked again between health checks;
   * rate refusals are waited out.
   * @throws Inconclusive where no answer came that can be judged
   */
  ask(stimulus: Stimulus): Promise<Exchange>;
  /** The same request under a number that no other has: its answer is never a remembered one. */
  fresh(stimulus: Stimulus): Stimulus;
  /** Made by whoever asks first in this run, and the same for all who use the key. */
  once<Value>(key: string, make: () => Value): Value;
  /** All at once, beyond the pace; needs the consent `throttle`. */
  atOnce(stimuli: readonly Stimulus[]): Promise<readonly Exchange[]>;
  wait(duration_ms: number): Promise<void>;
  /**
   * Results of many requests at set times, beyond the pace; needs `needs.schedules` and the consent `throttle`.
   * Sent once and remembered by name, whoever asks.
   * @throws BudgetSpent where the budget doesn't cover all of them
   * @throws Inconclusive where they couldn't be sent at their times: nothing is judged then
   */
  sendSchedule(name: string, timedRequests: () => Promise<readonly TimedRequest[]>): Promise<readonly TimedResult[]>;
}

/** What is sent at set times; what several checks name alike is sent once. */
export interface PlannedSchedule {
  readonly name: string;
  /** What each of its requests calls, those in \`sends\` apart; null for what the interface doesn't describe. */
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

/** Calls that can't be undone, at most, those that should be refused included: whoever takes them is paid. */
export interface Sends {
  readonly calls: number;
  /** So many times the target's payment, in all of them together. */
  readonly payments: number;
  /** What several checks send once between them, by name. */
  readonly shared?: readonly (Sends & { readonly name: string })[];
}

export interface Needs {
  /** Stimuli that will be sent: their keys, projects and bases must be known. */
  readonly requests: readonly Stimulus[];
  readonly consent?: Consent;
  /** Needs control: projects of its own, whose meter is read about so many times. */
  readonly control?: { readonly reads: number };
  readonly sends?: Sends;
  readonly schedules?: readonly PlannedSchedule[];
  /** Asked besides, case by case. What examples prove isn't withheld where generated cases can't be tried. */
  readonly generates?: Generates;
  /** Anything else that the target must say; gives the reason where it doesn't. */
  readonly unless?: (target: Target) => string | null;
}

/**
 * `any`: beside others · `alone`: it counts calls, so before all else and one at a time · `beside`: what takes long and
 * disturbs nobody where it has projects of its own · `last`: consented experiments disturb others.
 */
export type CheckTime = "any" | "alone" | "beside" | "last";

export interface Check {
  /** What the oracle or the scenario proves. */
  readonly ids: readonly RequirementId[];
  /** What the laws must have held in this check's exchanges for it to count as proved. */
  readonly shows: readonly RequirementId[];
  readonly feature: Feature;
  readonly needs: Needs;
  /** Adds to a proof that other checks carry: where it can't be tried, nothing is withheld for it. */
  readonly optional: boolean;
  readonly when: CheckTime;
  run(context: CheckContext): Promise<readonly Shown[]>;
}

type Ids = RequirementId | readonly RequirementId[];
const asList = (ids: Ids): readonly RequirementId[] => (typeof ids === "string" ? [ids] : ids);

interface Options {
  readonly feature: Feature;
  readonly shows?: readonly RequirementId[];
  /** What the oracle asks besides. */
  readonly twin?: Stimulus;
  readonly optional?: boolean;
  readonly unless?: Needs["unless"];
}

interface ScenarioNeeds extends Needs {
  readonly when?: "alone" | "beside";
  readonly feature: Feature;
  readonly shows?: readonly RequirementId[];
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
export function check(ids: Ids, stimulus: Stimulus, oracle: Oracle | undefined, options: Options): Check {
  const { shows = [], feature, twin, optional = false, unless } = options;
  return made(feature, {
    ids: oracle ? asList(ids) : [],
    shows: oracle ? shows : asList(ids),
    needs: { requests: twin ? [stimulus, twin] : [stimulus], ...(unless ? { unless } : {}) },
    optional,
    run: async (context) => {
      const exchange = await context.ask(stimulus);
      return oracle ? [{ exchange, finding: await oracle(exchange, context) }] : [];
    },
  });
}

/** One request that proves nothing by itself: laws judge its answer. */
export const onlyRequest = (stimulus: Stimulus, feature: Feature): Check =>
  made(feature, {
    ids: [],
    needs: { requests: [stimulus] },
    run: async (context) => {
      await context.ask(stimulus);
      return [];
    },
  });

/**
 * What the interface says of the client or the specs rather than of the platform: no answer can show it.
 * @param test the self-test that verifies it
 */
export const verifiedBySelfTest = (ids: Ids, test: string, feature: Feature): Check =>
  made(feature, {
    ids: asList(ids),
    needs: { requests: [], unless: () => `not about the platform: verified by ${test}` },
  });

/** What is only noted: no answer can break it, and a probe records what is seen. */
export const onlyObserved = (ids: Ids, probe: ObservationId, feature: Feature): Check =>
  made(feature, { ids: asList(ids), needs: { requests: [], unless: () => `only observed, by ${probe}` } });

/** Several steps; `requests` lists what will be sent, so that the plan knows what is lacking and what it costs. */
export function scenario(
  ids: Ids,
  needs: ScenarioNeeds,
  run: (context: CheckContext) => Promise<readonly Shown[]>,
): Check {
  const { shows = [], feature, when, ...rest } = needs;
  const usual = rest.consent === undefined ? "any" : "last";
  return made(feature, { ids: asList(ids), shows, needs: rest, when: when ?? usual, run });
}

/** Every id that a check cites. */
export const citedBy = ({ ids, shows }: Check): readonly RequirementId[] => [...ids, ...shows];
