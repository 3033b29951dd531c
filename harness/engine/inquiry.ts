// How is an answer got that can be judged? Asked once, suspicious ones thrice between controls, rate refusals waited out.

import type { Clock } from "../core/clock.ts";
import { nameOf, type Stimulus } from "../core/stimulus.ts";
import { type Check, Inconclusive } from "../model/check.ts";
import { BudgetSpent } from "../target/budget.ts";
import { type Answer, type Exchange, headerOf, suspicion } from "../transport/exchange.ts";
import { isRateRefusal, isServed, outcomeOf, rpcErrorOf } from "../transport/jsonRpc.ts";
import type { Transport } from "../transport/transport.ts";

/** How often a prepared condition must fail, with healthy controls between, before the failure counts (amendment 4). */
const attempts = 3;
const rateRefusalsWaitedOut = 4;
const longestWait_ms = 10_000;

export interface Inquiry {
  /** @param by the check that asks first; an answer that is remembered stays its own */
  ask(stimulus: Stimulus, by?: Check | null): Promise<Exchange>;
  /** Forgets what was asked for in vain, so that it can be tried again. */
  forgetFailures(): void;
}

export interface InquiryOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Each exchange as it happens; `counts` tells whether laws may judge it. */
  readonly onExchange: (exchange: Exchange, counts: boolean, causedBy: Check | null) => void;
  /** A request that a healthy platform serves, asked anew each time; null where none is known. */
  readonly healthCheck: (beside: Stimulus, nth: number) => Stimulus | null;
  /** Whether it may be sent again to see whether a failure comes again. */
  readonly mayRepeat: (stimulus: Stimulus) => boolean;
}

/** Two failures with the same cause are alike, whatever their details. */
const causeOf = (exchange: Exchange): string =>
  exchange.fault?.kind ?? (rpcErrorOf(exchange) ? outcomeOf(exchange) : `HTTP ${exchange.answer?.status}`);

/** As long as we would wait, or as the answer asks us to, within bounds. */
function pauseAfter(answer: Answer, wait_ms: number): number {
  const asked_s = Number(headerOf(answer, "retry-after"));
  return Math.min(longestWait_ms, Math.max(wait_ms, asked_s > 0 ? asked_s * 1000 : 0));
}

/** Exchanges of one question. */
type Tell = (exchange: Exchange, counts: boolean) => void;

/** Sends, and waits out refusals for our rate. */
const patientSender =
  ({ transport, clock }: InquiryOptions) =>
  async (stimulus: Stimulus, tell: Tell): Promise<Exchange> => {
    for (let wait_ms = 1100, tries = 0; ; wait_ms *= 2, tries += 1) {
      const exchange = await transport.send(stimulus);
      if (!exchange.answer || !isRateRefusal(exchange)) return exchange;
      tell(exchange, true);
      if (tries === rateRefusalsWaitedOut)
        throw new Inconclusive(`still refused for its rate (${outcomeOf(exchange)}) after ${tries} waits`);
      const pause_ms = pauseAfter(exchange.answer, wait_ms);
      transport.rest(stimulus, pause_ms);
      await clock.sleep(pause_ms);
    }
  };

export function inquiryOf(options: InquiryOptions): Inquiry {
  const { onExchange, healthCheck, mayRepeat } = options;
  const send = patientSender(options);
  const asked = new Map<string, Promise<Exchange>>();
  const failed = new Set<string>();
  let healthChecks = 0;

  const isHealthy = async (beside: Stimulus, tell: Tell): Promise<boolean> => {
    healthChecks += 1;
    const stimulus = healthCheck(beside, healthChecks);
    if (!stimulus) return false;
    const exchange = await send(stimulus, tell);
    const healthy = suspicion(exchange) === null && isServed(exchange);
    tell(exchange, healthy);
    return healthy;
  };

  /** The last of three exchanges that failed alike, with a healthy control behind each. */
  const confirm = async (stimulus: Stimulus, before: Exchange, first: string, tell: Tell): Promise<Exchange> => {
    for (let attempt = 2; attempt <= attempts; attempt += 1) {
      if (!(await isHealthy(stimulus, tell))) throw new Inconclusive(first);
      const exchange = await send(stimulus, tell);
      const now = suspicion(exchange);
      const isAlike = now !== null && causeOf(exchange) === causeOf(before);
      let confirmed = false;
      try {
        confirmed = isAlike && attempt === attempts && (await isHealthy(stimulus, tell));
      } finally {
        tell(exchange, now === null || confirmed);
      }
      if (confirmed) return exchange;
      // A passing fault must not be taken for the answer of a condition that fails in its own, documented way.
      if (!isAlike)
        throw new Inconclusive(`${first}, then ${now ?? `an answer (${outcomeOf(exchange)})`}: not reproducible`);
    }
    throw new Inconclusive(first);
  };

  const inquire = async (stimulus: Stimulus, tell: Tell): Promise<Exchange> => {
    const exchange = await send(stimulus, tell);
    const first = suspicion(exchange);
    tell(exchange, first === null);
    if (first === null) return exchange;
    if (!mayRepeat(stimulus)) throw new Inconclusive(`${first}; not sent again, as it may have been taken`);
    try {
      return await confirm(stimulus, exchange, first, tell);
    } catch (error) {
      throw error instanceof BudgetSpent ? new Inconclusive(`${first}; not asked again: ${error.message}`) : error;
    }
  };

  return {
    ask: (stimulus, by = null) => {
      const name = nameOf(stimulus);
      const known = asked.get(name);
      if (known) return known;
      const answer = inquire(stimulus, (exchange, counts) => onExchange(exchange, counts, by));
      asked.set(name, answer);
      answer.catch(() => failed.add(name));
      return answer;
    },
    forgetFailures: () => {
      for (const name of failed) asked.delete(name);
      failed.clear();
    },
  };
}
