// How is an answer got that can be judged? Asked once, suspicious ones thrice between controls, rate refusals waited out.
import { Inconclusive } from "./check.ts";
import type { Clock } from "./clock.ts";
import { type Exchange, headerOf, suspicion } from "./exchange.ts";
import { nameOf, type Stimulus } from "./stimulus.ts";
import type { Transport } from "./transport.ts";

/** How often a prepared condition must fail, with healthy controls between, before the failure counts (amendment 4). */
const attempts = 3;
const rateRefusalsWaitedOut = 4;
const longestWait_ms = 10_000;

export interface Inquiry {
  ask(stimulus: Stimulus): Promise<Exchange>;
  /** Forgets what was asked for in vain, so that it can be tried again. */
  forgetFailures(): void;
}

export interface InquiryOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Each exchange as it happens; `counts` tells whether laws may judge it. */
  readonly onExchange: (exchange: Exchange, counts: boolean) => void;
  /** A request that a healthy platform serves, asked anew each time; null where none is known. */
  readonly control: (surface: Stimulus["surface"], nth: number) => Stimulus | null;
}

export function inquiryOf({ transport, clock, onExchange, control }: InquiryOptions): Inquiry {
  const asked = new Map<string, Promise<Exchange>>();
  const failed = new Set<string>();
  let controls = 0;

  const send = async (stimulus: Stimulus): Promise<Exchange> => {
    for (let wait_ms = 1100, tries = 0; ; wait_ms *= 2, tries += 1) {
      const exchange = await transport.send(stimulus);
      if (exchange.answer?.status !== 429) return exchange;
      onExchange(exchange, true);
      if (tries === rateRefusalsWaitedOut) throw new Inconclusive(`still refused for its rate (HTTP 429) after ${tries} waits`);
      const asked_s = Number(headerOf(exchange.answer, "retry-after"));
      const pause_ms = Math.min(longestWait_ms, Math.max(wait_ms, asked_s > 0 ? asked_s * 1000 : 0));
      transport.rest(stimulus.surface, pause_ms);
      await clock.sleep(pause_ms);
    }
  };

  const isHealthy = async (surface: Stimulus["surface"]): Promise<boolean> => {
    controls += 1;
    const stimulus = control(surface, controls);
    if (!stimulus) return false;
    const exchange = await send(stimulus);
    const healthy = suspicion(exchange) === null && exchange.answer?.status === 200;
    onExchange(exchange, healthy);
    return healthy;
  };

  const inquire = async (stimulus: Stimulus): Promise<Exchange> => {
    let exchange = await send(stimulus);
    const first = suspicion(exchange);
    if (first === null) {
      onExchange(exchange, true);
      return exchange;
    }
    onExchange(exchange, false);
    for (let attempt = 2; attempt <= attempts; attempt += 1) {
      if (!(await isHealthy(stimulus.surface))) throw new Inconclusive(first);
      exchange = await send(stimulus);
      const now = suspicion(exchange);
      const confirmed = now !== null && attempt === attempts && (await isHealthy(stimulus.surface));
      onExchange(exchange, now === null || confirmed);
      if (confirmed) return exchange;
      if (now === null) throw new Inconclusive(`${first}, then an answer (HTTP ${exchange.answer?.status}): not reproducible`);
    }
    throw new Inconclusive(first);
  };

  return {
    ask: (stimulus) => {
      const name = nameOf(stimulus);
      const known = asked.get(name);
      if (known) return known;
      const answer = inquire(stimulus);
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
