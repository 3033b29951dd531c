// Sending regardless of the pace: all at once, or as a schedule that is remembered by name.
import { generatorFailed, Withheld } from "../core/outcomes.ts";
import type { UnmetNeed } from "../core/reason.ts";
import type { RequestSpec } from "../core/requestSpec.ts";
import type { Check } from "../model/check.ts";
import { judgeableOf } from "../transport/answers.ts";
import type { Exchange } from "../transport/exchange.ts";
import { foreignnessOf } from "../transport/foreign.ts";
import {
  type Generator,
  type NoGenerator,
  noGenerator,
  type TimedRequest,
  type TimedResult,
} from "../transport/timedRequests.ts";
import { afterBurst_ms, type Transport } from "../transport/transport.ts";

export interface TimedSendingOptions {
  /** Whether a request may be sent again, as it can't have had an effect. */
  readonly mayRepeat: (requestSpec: RequestSpec) => boolean;
  readonly transport: Transport;
  readonly generator: Generator | NoGenerator | undefined;
  /** The request spec with its carrier decided. */
  readonly carried: (requestSpec: RequestSpec) => RequestSpec;
  /** `counts`: whether laws may judge it. */
  readonly onExchange: (exchange: Exchange, causedBy: Check | null, counts: boolean) => void;
}

/** Why no schedule can be sent; null where it can. */
export const unmetGenerator = ({ lacks }: Pick<Generator, "lacks"> = noGenerator): UnmetNeed | null =>
  lacks ? { kind: "noGenerator", detail: lacks } : null;

export class TimedSending {
  readonly #options: TimedSendingOptions;
  readonly #sent = new Map<string, Promise<readonly TimedResult[]>>();

  constructor(options: TimedSendingOptions) {
    this.#options = options;
  }

  /** The results of a schedule. @param by the check that asks first, to which the exchanges are attributed */
  timedResults(
    name: string,
    timedRequests: () => Promise<readonly TimedRequest[]>,
    by: Check | null,
  ): Promise<readonly TimedResult[]> {
    const known = this.#sent.get(name);
    if (known) return known;
    let isFinal = false;
    const onSent = (all: readonly TimedRequest[]): void => {
      isFinal = all.some(({ requestSpec }) => !this.#options.mayRepeat(requestSpec));
    };
    const timedResults = this.#send(timedRequests, by, onSent);
    this.#sent.set(name, timedResults);
    timedResults.catch(() => isFinal || this.#sent.delete(name));
    return timedResults;
  }

  forget(): void {
    this.#sent.clear();
  }

  /**
   * Sends all request specs at once. Gives the exchanges without answers in a form that isn't the platform's.
   * @throws BudgetSpent where some weren't sent; the others are judged first
   */
  async atOnce(
    requestSpecs: readonly RequestSpec[],
    by: Check | null,
    note: (exchange: Exchange) => void,
  ): Promise<readonly Exchange[]> {
    const { transport, carried, onExchange } = this.#options;
    const sent = await Promise.allSettled(
      requestSpecs.map((requestSpec) => transport.send(carried(requestSpec), { atOnce: true })),
    );
    const exchanges = sent.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const judgeable = new Set(judgeableOf(exchanges));
    for (const exchange of exchanges) {
      transport.pause(exchange.requestSpec, afterBurst_ms);
      onExchange(exchange, by, judgeable.has(exchange));
      note(exchange);
    }
    for (const one of sent) if (one.status === "rejected") throw one.reason;
    return exchanges.filter((exchange) => judgeable.has(exchange) || foreignnessOf(exchange) === null);
  }

  async #send(
    timedRequests: () => Promise<readonly TimedRequest[]>,
    by: Check | null,
    onSent: (all: readonly TimedRequest[]) => void,
  ): Promise<readonly TimedResult[]> {
    const { transport, generator = noGenerator, carried, onExchange } = this.#options;
    if (!("fire" in generator) || generator.lacks)
      throw new Withheld({ kind: "noGenerator", detail: generator.lacks ?? noGenerator.lacks });
    const all = (await timedRequests()).map((one) => ({ ...one, requestSpec: carried(one.requestSpec) }));
    onSent(all);
    const timedResults = await transport.sendSchedule(all, generator);
    const judgeable = new Set(judgeableOf(timedResults.map(({ exchange }) => exchange)));
    for (const { exchange } of timedResults) onExchange(exchange, by, judgeable.has(exchange));
    const unsent = timedResults.filter(({ exchange }) => exchange.fault?.kind === "other");
    const detail = unsent[0]?.exchange.fault?.detail;
    if (unsent.length > 0) {
      const sentence = `${unsent.length} of ${timedResults.length} weren't sent: ${detail}`;
      throw generatorFailed(sentence);
    }
    return timedResults;
  }
}
