// Sample discovery: looks once for what the target file doesn't give, when a check first needs it.
import { defaultGeneration } from "../core/generation.ts";
import { BudgetSpent, Withheld } from "../core/outcomes.ts";
import { describeReason, type Reason } from "../core/reason.ts";
import { supplemented } from "../core/template.ts";
import { type Check, type CheckContext, citedBy } from "../model/check.ts";
import type { SampleNote } from "../model/sampleFinder.ts";
import type { Suite } from "../model/suite.ts";
import type { AuthCheck } from "./authCheck.ts";
import { type Plan, type PlanOptions, samplesFor } from "./plan.ts";
import { assumeSample, type OwnTarget, type SampleSearch } from "./samples.ts";
import { unmetNeedOfCheck } from "./unmetNeeds.ts";
import type { Outcomes } from "./verdicts.ts";

interface DiscoveryOptions {
  readonly target: OwnTarget;
  readonly suite: Suite;
  readonly plan: Plan;
  readonly planOptions: PlanOptions;
  readonly authCheck: AuthCheck;
  readonly onNote: (note: SampleNote) => void;
}

export class SampleDiscovery {
  readonly #options: DiscoveryOptions;
  readonly #underWay = new Map<SampleSearch, Promise<void>>();
  readonly #missing = new Map<string, Reason>();
  readonly #unsaid: SampleNote[];

  constructor(options: DiscoveryOptions) {
    this.#options = options;
    this.#unsaid = [...options.plan.samples];
  }

  /**
   * Looks for what a planned check needs.
   * @param context in which it looks
   * @returns null where it can run, else its outcomes
   */
  async withheld(check: Check, context: () => CheckContext): Promise<Outcomes | null> {
    const { target, suite, plan, planOptions, onNote } = this.#options;
    for (const note of this.#unsaid.splice(0)) onNote(note);
    const needed = samplesFor(check, target, suite);
    for (const search of plan.searches)
      if (search.at.some((pointer) => needed.includes(pointer))) {
        const running = this.#underWay.get(search) ?? this.#run(search, context);
        this.#underWay.set(search, running);
        await running;
      }
    const missing = needed.find((pointer) => this.#missing.has(pointer));
    const lack = unmetNeedOfCheck(check, target, planOptions);
    // What isn't found may be supposed, which is enough for some checks.
    const reason = lack === null ? null : (this.#missing.get(missing ?? "") ?? lack);
    return reason === null ? null : new Map(citedBy(check).map((id) => [id, { is: "withheld", reason }]));
  }

  async #run({ finder, at }: SampleSearch, context: () => CheckContext): Promise<void> {
    const { target, suite, planOptions, authCheck, onNote } = this.#options;
    const { seed } = planOptions.generation ?? defaultGeneration(target);
    // Don't pay for results that wouldn't count.
    const doubt = finder.needs.sends ? await authCheck.distinguish(finder.feature) : null;
    let why = doubt?.reason ?? null;
    const missing = (reason: Reason) => {
      why = reason;
      return at.map((one): SampleNote => ({ at: one, by: "missing", value: null, how: describeReason(reason) }));
    };
    const finding = doubt ? Promise.resolve(missing(doubt.reason)) : finder.find(context(), at);
    const notes = await finding.catch((error: unknown) => {
      if (error instanceof Withheld || error instanceof BudgetSpent) return missing(error.reason);
      throw error;
    });
    for (const note of notes) {
      onNote(note);
      if (note.by === "found") target.samples = supplemented(target.samples, note.at, note.value);
      else {
        this.#missing.set(note.at, {
          kind: "notFound",
          at: note.at,
          why: why ?? { kind: "notSeen", detail: note.how },
        });
        const supposed = suite.suppose?.(seed)[note.at];
        if (supposed !== undefined) onNote(assumeSample(target, note.at, supposed, seed));
      }
    }
  }
}
