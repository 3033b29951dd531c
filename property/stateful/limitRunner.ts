// How are limits strained on a platform in the midst of a journey, and does what is served agree with the model? (§8)

import { accepted, bundle, transactions } from "../../contracts/bundles/requests.ts";
import { health } from "../../contracts/shared/jsonRpcRequests.ts";
import { usage } from "../../contracts/shared/stimuli.ts";
import type { Asker, Stimulus } from "../../harness/core/stimulus.ts";
import { type CheckContext, Inconclusive, Withheld } from "../../harness/model/check.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { isRateRefusal, isServed, outcomeOf } from "../../harness/transport/jsonRpc.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import {
  type Burst,
  longestBurst_ms,
  promisedOf,
  rest_ms,
  type Strain,
  type Straining,
  servedOf,
  strainedBy,
} from "./limitModel.ts";
import { Breach } from "./modelViolation.ts";
import { called, projectOf, projects, type State, sentBundle } from "./state.ts";
import type { Runner } from "./statefulTest.ts";
import type { Journey } from "./useRunner.ts";

/** Numbers that no journey reaches, so that nothing is remembered instead of asked. */
const firstAgain = 20_000;

/** Where a refusal stands. */
const placeOf: { readonly [O in Burst["of"]]: string } = { usage: "status", bundles: "/error" };

/** A journey with bursts and rests in it. */
export class StrainedJourney implements Runner<Straining, Strain> {
  readonly #context: CheckContext;
  readonly #journey: Journey;
  #bursts = 0;
  #last: Exchange | null = null;
  readonly ran: Straining[] = [];

  constructor(context: CheckContext, journey: Journey) {
    this.#context = context;
    this.#journey = journey;
  }

  async run(command: Straining, strain: Strain): Promise<Strain> {
    // What was asked before the sequence is forgotten then.
    if (this.ran.length === 0) await this.#context.wait(rest_ms);
    this.ran.push(command);
    return strainedBy(command, strain, await this.#done(command, strain));
  }

  async last({ state }: Strain): Promise<Exchange> {
    return this.#last ?? this.#journey.last(state);
  }

  async #done(command: Straining, strain: Strain): Promise<State> {
    switch (command.do) {
      case "burst":
        return this.#burst(command, strain);
      case "rest":
        await this.#context.wait(rest_ms);
        return strain.state;
      default:
        return this.#journey.run(command, strain.state).catch((error: unknown) => this.#stillRefused(error, strain));
    }
  }

  async #burst(command: Burst, strain: Strain): Promise<State> {
    const { as, of, size } = command;
    const asker = await this.#journey.asker(as, strain.state);
    const exchanges = await this.#context.atOnce(Array.from({ length: size }, () => this.#stimulus(of, asker)));
    this.#last = exchanges[0] ?? this.#last;
    const other = exchanges.find((one) => !isServed(one) && !isRateRefusal(one));
    if (other) throw new Withheld(`hidden: ${other.stimulus.operation} drew ${outcomeOf(other)} in a burst`);
    const served = exchanges.filter(isServed);
    const { least, most, tooMany } = promisedOf(command, strain);
    const at = placeOf[of];
    const refused = exchanges.find(isRateRefusal);
    if (refused && served.length < least)
      throw new Breach(
        await this.#tooFew(command, strain, asker),
        refused,
        at,
        `${least} of ${size} at once served, after a rest`,
        `${served.length} served`,
      );
    const excess = served[most];
    if (excess && !(await this.#wasShort(exchanges, asker)))
      throw new Withheld("a burst took too long to tell one second from the next");
    if (excess)
      throw new Breach(tooMany, excess, at, `at most ${most} of ${size} at once served`, `${served.length} served`);
    return this.#after(command, strain.state, exchanges);
  }

  /** That others asked is what hinders it only where it is served alone. */
  async #tooFew(command: Burst, strain: Strain, asker: Asker): Promise<RequirementId> {
    const { least, tooFew, tooFewAlone } = promisedOf(command, strain);
    if (tooFew === tooFewAlone) return tooFew;
    await this.#context.wait(rest_ms);
    const alone = await this.#context.atOnce(Array.from({ length: least }, () => this.#stimulus(command.of, asker)));
    return alone.every(isServed) ? tooFew : tooFewAlone;
  }

  /** A request that was refused for its rate as often as it was asked again: who once exceeded a limit must be served after a rest. */
  async #stillRefused(error: unknown, { state, exceeded }: Strain): Promise<never> {
    if (!(error instanceof Inconclusive)) throw error;
    for (const { of, by } of exceeded) {
      await this.#context.wait(rest_ms);
      const [one] = await this.#context.atOnce([
        this.#stimulus(of, await this.#journey.asker(projects[by].keys[0], state)),
      ]);
      if (one && isRateRefusal(one))
        throw new Breach(servedOf(of, exceeded), one, placeOf[of], "served after a rest", outcomeOf(one));
    }
    throw error;
  }

  #stimulus(of: Burst["of"], asker: Asker): Stimulus {
    return of === "usage"
      ? usage({ as: asker })
      : bundle(transactions(this.#context.target, {}), { as: asker, encoding: "base64" });
  }

  /** Other requests may let time pass meanwhile: one that comes after all of a burst tells how long it took, at most. */
  async #wasShort(burst: readonly Exchange[], asker: Asker): Promise<boolean> {
    this.#bursts += 1;
    const after = await this.#context.ask(health(undefined, { as: asker, again: firstAgain + this.#bursts }));
    return burst.every(({ sentAt_ms }) => after.sentAt_ms - sentAt_ms < longestBurst_ms);
  }

  /** Whether what is refused counts, is open. */
  #after({ as, of }: Burst, before: State, exchanges: readonly Exchange[]): State {
    let state = before;
    for (const exchange of exchanges) {
      if (of === "bundles" && isServed(exchange)) state = sentBundle(state, projectOf(as), accepted(exchange));
      state = called(state, as, "unshown");
    }
    return state;
  }
}
