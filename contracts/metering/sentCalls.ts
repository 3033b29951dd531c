// Sent calls: charged calls of several checks as they are sent, counted by project and feature (§2.1, §8).
import Big from "big.js";
import type { Asker } from "../../harness/core/requestSpec.ts";
import type { CheckContext } from "../../harness/model/check.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import { inTurn } from "../shared/inTurn.ts";
import { reasonOf } from "../shared/reasonOf.ts";
import { type ChargedCalls, NotServed } from "./chargedCalls.ts";
import { type MeterFigures, nameIn, onePerProject, projectOf } from "./meterRounds.ts";

export const payersOf = ({ target }: Pick<CheckContext, "target">, { askers, payers = askers }: ChargedCalls) =>
  onePerProject(target, payers);

export class SentCalls {
  readonly #context: CheckContext;
  readonly #counts = new Map<string, number>();
  #asked = 0;
  /** Calls that weren't sent to the end, and why. */
  readonly failed = new Map<ChargedCalls, Error>();

  constructor(context: CheckContext) {
    this.#context = {
      ...context,
      ask: (requestSpec) => {
        this.#asked += 1;
        return context.ask(requestSpec);
      },
      atOnce: (requestSpecs) => {
        this.#asked += requestSpecs.length;
        return context.atOnce(requestSpecs);
      },
    };
  }

  /** How many requests were asked for; those that the engine repeats count once. */
  get asked(): number {
    return this.#asked;
  }

  /** Sends all of them; features have paces of their own, so that those of several are sent side by side. */
  async send(all: readonly ChargedCalls[]): Promise<void> {
    const features = [...new Set(all.map(({ feature }) => feature))];
    const ofFeature = (feature: Feature) => all.filter((charged) => charged.feature === feature);
    await Promise.all(features.map((feature) => inTurn(ofFeature(feature), (charged) => this.#sendOnce(charged))));
  }

  /** Sends one later call for each of them. */
  async sendLater(all: readonly ChargedCalls[]): Promise<void> {
    for (const charged of all) {
      await charged.sendLater(this.#context);
      this.#add(charged, 1);
    }
  }

  /** Whether any call was served for which the asker's project pays. */
  isCaller(as: Asker): boolean {
    const project = projectOf(this.#context.target, as);
    return [...this.#counts].some(([name, count]) => count > 0 && name.startsWith(`${project} `));
  }

  of(as: Asker, feature: Feature): number {
    return this.#counts.get(this.#nameOf(as, feature)) ?? 0;
  }

  /** What calls of other features are known to have added to figures by which those of this one are judged. */
  ofOthers(askers: readonly Asker[], feature: Feature): MeterFigures {
    const counted = feature === "compression" ? [] : askers;
    return new Map(
      counted.map((as) => [nameIn(this.#context, as, "/requests/compression"), new Big(this.of(as, "compression"))]),
    );
  }

  async #sendOnce(charged: ChargedCalls): Promise<void> {
    try {
      this.#add(charged, await charged.send(this.#context));
    } catch (error) {
      reasonOf(error);
      this.failed.set(charged, error as Error);
      this.#add(charged, error instanceof NotServed ? error.before : 0);
    }
  }

  #add(charged: ChargedCalls, count: number): void {
    for (const as of payersOf(this.#context, charged))
      this.#counts.set(this.#nameOf(as, charged.feature), this.of(as, charged.feature) + count);
  }

  #nameOf(as: Asker, feature: Feature): string {
    return `${projectOf(this.#context.target, as)} ${feature}`;
  }
}
