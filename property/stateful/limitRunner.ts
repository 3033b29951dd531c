// Runs commands with bursts and rests on a platform and compares what is served with the model (§8)

import { accepted, bundle, transactions } from "../../contracts/bundles/requests.ts";
import { inTurn } from "../../contracts/shared/inTurn.ts";
import { health } from "../../contracts/shared/jsonRpcRequests.ts";
import { notTested } from "../../contracts/shared/masked.ts";
import { usageRequest } from "../../contracts/shared/requestSpecs.ts";
import { Inconclusive, notSettled } from "../../harness/core/outcomes.ts";
import type { Asker, RequestSpec } from "../../harness/core/requestSpec.ts";
import type { CheckContext } from "../../harness/model/check.ts";
import { describeOutcome, isRateRefusal, isServed } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { fateOf } from "../../harness/transport/fates.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import {
  type LimitCommand,
  type LimitState,
  longestModelBurst_ms,
  type ModelBurst,
  requiredOf,
  rest_ms,
  rested,
  servedOf,
  stateAfter,
} from "./limitModel.ts";
import { called, type ModelState, projectOfKey, projects, sentBundle } from "./state.ts";
import { ModelViolation, type Runner } from "./statefulTest.ts";
import type { UseRunner } from "./useRunner.ts";

/** Where a refusal shows. */
const placeOf: { readonly [O in ModelBurst["of"]]: string } = { usage: "status", bundles: "/error" };

/** Runs bursts and rests itself, all else by a UseRunner. */
export class LimitRunner implements Runner<LimitCommand, LimitState> {
  readonly #context: CheckContext;
  readonly #useRunner: UseRunner;
  #last: Exchange | null = null;

  constructor(context: CheckContext, useRunner: UseRunner) {
    this.#context = context;
    this.#useRunner = useRunner;
  }

  async run(command: LimitCommand, limitState: LimitState): Promise<LimitState> {
    // Limiters have forgotten earlier requests then.
    if (limitState === rested) await this.#context.wait(rest_ms);
    return stateAfter(command, limitState, await this.#done(command, limitState));
  }

  async last({ state }: LimitState): Promise<Exchange> {
    return this.#last ?? this.#useRunner.last(state);
  }

  async #done(command: LimitCommand, limitState: LimitState): Promise<ModelState> {
    switch (command.do) {
      case "burst":
        return this.#burst(command, limitState);
      case "rest":
        await this.#context.wait(rest_ms);
        return limitState.state;
      default:
        return this.#useRunner
          .run(command, limitState.state)
          .catch((error: unknown) => this.#stillRefused(error, limitState));
    }
  }

  async #burst(command: ModelBurst, limitState: LimitState): Promise<ModelState> {
    const { as, of, size } = command;
    const asker = await this.#useRunner.asker(as, limitState.state);
    const exchanges = await this.#context.atOnce(await this.#requestSpecs(size, of, asker));
    this.#last = exchanges[0] ?? this.#last;
    const other = exchanges.find((one) => !isServed(one) && !isRateRefusal(one));
    if (other) throw notTested(`${other.requestSpec.operation} ${fateOf(other)}, in a burst`);
    const served = exchanges.filter(isServed);
    const { least, most, tooMany } = requiredOf(command, limitState);
    const at = placeOf[of];
    const refused = exchanges.find(isRateRefusal);
    const got = `${served.length} served`;
    if (refused && served.length < least) {
      const about = await this.#tooFew(command, limitState, asker);
      throw new ModelViolation(about, refused, at, `${least} of ${size} at once served, after a rest`, got);
    }
    const excess = served[most];
    if (excess && !(await this.#wasShort(exchanges, asker))) throw notSettled("a burst took longer than a second");
    if (excess) throw new ModelViolation(tooMany, excess, at, `at most ${most} of ${size} at once served`, got);
    return this.#after(command, limitState.state, exchanges);
  }

  /** Requests of others explain too few served only where the burst alone is served. */
  async #tooFew(command: ModelBurst, limitState: LimitState, asker: Asker): Promise<RequirementId> {
    const { least, tooFew, tooFewAlone } = requiredOf(command, limitState);
    if (tooFew === tooFewAlone) return tooFew;
    await this.#context.wait(rest_ms);
    const alone = await this.#context.atOnce(await this.#requestSpecs(least, command.of, asker));
    return alone.every(isServed) ? tooFew : tooFewAlone;
  }

  /** A request was refused each time: a project that exceeded a limit must be served after a rest. */
  async #stillRefused(error: unknown, { state, exceeded }: LimitState): Promise<never> {
    if (!(error instanceof Inconclusive)) throw error;
    for (const { of, by } of exceeded) {
      await this.#context.wait(rest_ms);
      const asker = await this.#useRunner.asker(projects[by].keys[0], state);
      const [one] = await this.#context.atOnce(await this.#requestSpecs(1, of, asker));
      if (one && isRateRefusal(one))
        throw new ModelViolation(servedOf(of, exceeded), one, placeOf[of], "served after a rest", describeOutcome(one));
    }
    throw error;
  }

  #requestSpecs(count: number, of: ModelBurst["of"], asker: Asker): Promise<readonly RequestSpec[]> {
    return inTurn(Array.from({ length: count }), async () =>
      of === "usage"
        ? usageRequest({ as: asker })
        : bundle(await transactions(this.#context, {}), { as: asker, encoding: "base64" }),
    );
  }

  /** Whether a burst was short: a request sent after all of it shows how long it took, at most. */
  async #wasShort(burst: readonly Exchange[], asker: Asker): Promise<boolean> {
    const after = await this.#context.ask(this.#context.fresh(health(undefined, { as: asker })));
    return burst.every(({ sentAt_ms }) => after.sentAt_ms - sentAt_ms < longestModelBurst_ms);
  }

  /** Refused requests may count or not. */
  #after({ as, of }: ModelBurst, before: ModelState, exchanges: readonly Exchange[]): ModelState {
    let state = before;
    for (const exchange of exchanges) {
      if (of === "bundles" && isServed(exchange)) state = sentBundle(state, projectOfKey(as), accepted(exchange));
      state = called(state, as, "unspecified");
    }
    return state;
  }
}
