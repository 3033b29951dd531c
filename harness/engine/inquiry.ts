// Inquiry: gets a stimulus an answer that can be judged, by retries between health checks.
import type { Clock } from "../core/clock.ts";
import { Inconclusive } from "../core/outcomes.ts";
import { nameOf, type Stimulus } from "../core/stimulus.ts";
import type { Check } from "../model/check.ts";
import { BudgetSpent } from "../target/budget.ts";
import { isRateRefusal, isServed, outcomeOf, rpcErrorOf, suspicion } from "../transport/answers.ts";
import type { Exchange } from "../transport/exchange.ts";
import { retryAfter_ms } from "../transport/rateHeaders.ts";
import type { Transport } from "../transport/transport.ts";

/** How often the same failure must occur, with health checks between, before it counts (amendment 4). */
const attempts = 3;
const rateRefusalsWaitedOut = 4;
/** The longest wait that an answer can ask for. */
const longestWait_ms = 60_000;

interface Options {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Called with each exchange; `counts`: whether laws may judge it. */
  readonly onExchange: (exchange: Exchange, counts: boolean, causedBy: Check | null) => void;
  /** A request that a healthy platform serves, fresh each time; null where none is known. */
  readonly healthCheck: (beside: Stimulus) => Stimulus | null;
  /** Whether a stimulus may be sent again to reproduce a failure. */
  readonly mayRepeat: (stimulus: Stimulus) => boolean;
}

/** Failures of the same cause are alike, whatever their details. */
const causeOf = (exchange: Exchange): string =>
  exchange.fault?.kind ?? (rpcErrorOf(exchange) ? outcomeOf(exchange) : `HTTP ${exchange.answer?.status}`);

type Report = (exchange: Exchange, counts: boolean) => void;

const patientSender =
  ({ transport, clock }: Options) =>
  async (stimulus: Stimulus, report: Report): Promise<Exchange> => {
    for (let wait_ms = 1100, tries = 0; ; wait_ms *= 2, tries += 1) {
      const exchange = await transport.send(stimulus);
      if (!exchange.answer || !isRateRefusal(exchange)) return exchange;
      report(exchange, true);
      if (tries === rateRefusalsWaitedOut)
        throw new Inconclusive(`still refused for its rate (${outcomeOf(exchange)}) after ${tries} waits`);
      const asked_ms = retryAfter_ms(exchange.answer, clock.now_ms());
      const pause_ms = Math.max(wait_ms, Math.min(longestWait_ms, asked_ms));
      transport.rest(stimulus, pause_ms);
      await clock.sleep(pause_ms);
    }
  };

const healthBy =
  ({ healthCheck }: Options, send: ReturnType<typeof patientSender>) =>
  async (beside: Stimulus, report: Report): Promise<boolean> => {
    const stimulus = healthCheck(beside);
    if (!stimulus) return false;
    const exchange = await send(stimulus, report);
    const healthy = suspicion(exchange) === null && isServed(exchange);
    report(exchange, healthy);
    return healthy;
  };

export type Inquiry = ReturnType<typeof inquiryOf>;

export function inquiryOf(options: Options) {
  const { onExchange, mayRepeat } = options;
  const send = patientSender(options);
  const isHealthy = healthBy(options, send);
  const asked = new Map<string, Promise<Exchange>>();
  const failed = new Set<string>();

  /**
   * The last of three exchanges that failed alike, with a health check after each.
   * @throws Inconclusive where the failure isn't reproducible, or a health check fails
   */
  const confirm = async (stimulus: Stimulus, before: Exchange, first: string, report: Report): Promise<Exchange> => {
    for (let attempt = 2; attempt <= attempts; attempt += 1) {
      if (!(await isHealthy(stimulus, report))) throw new Inconclusive(first);
      const exchange = await send(stimulus, report);
      const now = suspicion(exchange);
      const isAlike = now !== null && causeOf(exchange) === causeOf(before);
      let confirmed = false;
      try {
        confirmed = isAlike && attempt === attempts && (await isHealthy(stimulus, report));
      } finally {
        report(exchange, now === null || confirmed);
      }
      if (confirmed) return exchange;
      // A transient fault must not replace the answer of a condition that fails as documented.
      if (!isAlike)
        throw new Inconclusive(`${first}, then ${now ?? `an answer (${outcomeOf(exchange)})`}: not reproducible`);
    }
    throw new Inconclusive(first);
  };

  const inquire = async (stimulus: Stimulus, report: Report): Promise<Exchange> => {
    const exchange = await send(stimulus, report);
    const first = suspicion(exchange);
    report(exchange, first === null);
    if (first === null) return exchange;
    if (!mayRepeat(stimulus)) throw new Inconclusive(`${first}; not sent again, as it may have had an effect`);
    try {
      return await confirm(stimulus, exchange, first, report);
    } catch (error) {
      throw error instanceof BudgetSpent ? new Inconclusive(`${first}; not asked again: ${error.message}`) : error;
    }
  };

  return {
    /** @param by the check that asks first, to which the exchange is attributed */
    ask: (stimulus: Stimulus, by: Check | null = null): Promise<Exchange> => {
      const name = nameOf(stimulus);
      const known = asked.get(name);
      if (known) return known;
      const answer = inquire(stimulus, (exchange, counts) => onExchange(exchange, counts, by));
      asked.set(name, answer);
      answer.then(
        () => failed.delete(name),
        () => failed.add(name),
      );
      return answer;
    },
    /** Has the exchange of a stimulus, so that it isn't sent again. */
    remember: (exchange: Exchange): void => void asked.set(nameOf(exchange.stimulus), Promise.resolve(exchange)),
    /** Forgets failed inquiries, so that they can be retried. */
    forgetFailures: (): void => void [...failed].map((name) => asked.delete(name)),
  };
}
