// Inquiry: gets a stimulus an answer that can be judged, by retries between health checks.
import type { Clock } from "../core/clock.ts";
import { operationOf } from "../core/interface.ts";
import { Inconclusive } from "../core/outcomes.ts";
import { calledBy, nameOf, type Stimulus } from "../core/stimulus.ts";
import type { Check } from "../model/check.ts";
import { BudgetSpent, costOf } from "../target/budget.ts";
import type { Target } from "../target/target.ts";
import { isRateRefusal, isServed, outcomeOf, suspicion } from "../transport/answers.ts";
import type { Exchange } from "../transport/exchange.ts";
import { foreignnessOf } from "../transport/foreign.ts";
import { retryAfter_ms } from "../transport/rateHeaders.ts";
import type { Transport } from "../transport/transport.ts";
import { Failures, isRefusal } from "./failures.ts";

const rateRefusalsWaitedOut = 4;
/** The longest wait that an answer can ask for. */
const longestWait_ms = 60_000;

interface Options {
  readonly target: Target;
  readonly transport: Transport;
  readonly clock: Clock;
  /** Called with each exchange; `counts`: whether laws may judge it. */
  readonly onExchange: (exchange: Exchange, counts: boolean, causedBy: Check | null) => void;
  /** Called with a failure that didn't occur again. */
  readonly onIntermittent: (exchange: Exchange, cause: string) => void;
  /** A request that a healthy platform serves, fresh each time; null where none is known. */
  readonly healthCheck: (beside: Stimulus) => Stimulus | null;
}

/** Calls of this price aren't repeated for an answer in a foreign form. */
const dear_credits = 100;

/** A request without an answer may have had an effect, and a price. */
function mayRepeat({ isReference, interface: tables }: Target, stimulus: Stimulus): boolean {
  const { irreversible, isOnce = false } = operationOf(tables, calledBy(stimulus, tables)) ?? {};
  return isReference || (irreversible === undefined && !isOnce);
}

type Report = (exchange: Exchange, counts: boolean) => void;

const patientSender =
  ({ transport, clock }: Options) =>
  async (stimulus: Stimulus, report: Report): Promise<Exchange> => {
    for (let wait_ms = 1100, tries = 0; ; wait_ms *= 2, tries += 1) {
      const exchange = await transport.send(stimulus);
      if (!exchange.answer || !isRateRefusal(exchange)) return exchange;
      report(exchange, suspicion(exchange) === null);
      if (tries === rateRefusalsWaitedOut)
        throw new Inconclusive(`still refused for its rate (${outcomeOf(exchange)}) after ${tries} waits`);
      const asked_ms = retryAfter_ms(exchange.answer, clock.now_ms());
      const pause_ms = Math.max(wait_ms, Math.min(longestWait_ms, asked_ms));
      transport.rest(stimulus, pause_ms);
      await clock.sleep(pause_ms);
    }
  };

/** Repeats a failure until it is confirmed. */
function confirmer(options: Options, send: ReturnType<typeof patientSender>, failures: Failures) {
  /** Whether the platform serves another request, or answers it in the same form, which then is its own. */
  const isHealthy = async (failure: Exchange, report: Report): Promise<boolean> => {
    const stimulus = options.healthCheck(failure.stimulus);
    if (!stimulus) return false;
    const exchange = await send(stimulus, report);
    const isServedWell = suspicion(exchange) === null && isServed(exchange);
    report(exchange, isServedWell);
    return isServedWell || failures.isTheirForm(failure, exchange);
  };

  /**
   * The last of enough exchanges that failed alike, with a health check after each.
   * @throws Inconclusive where the failure isn't reproducible, or a health check fails
   */
  return async (failure: Exchange, first: string, report: Report): Promise<Exchange> => {
    for (let attempt = 2; ; attempt += 1) {
      if (!(await isHealthy(failure, report))) throw new Inconclusive(first);
      const exchange = await send(failure.stimulus, report);
      const now = suspicion(exchange);
      const isAlike = failures.areAlike(failure, exchange);
      const isEnough = isAlike && attempt >= failures.enough;
      let confirmed = false;
      try {
        confirmed = isEnough && (await isHealthy(failure, report));
      } finally {
        report(exchange, now === null || confirmed);
      }
      if (confirmed) return exchange;
      // A transient fault must not replace the answer of a condition that fails as documented.
      if (!isAlike) {
        failures.comeAndGone();
        // A failure that is documented may be followed by one that isn't.
        options.onIntermittent(now === null ? failure : exchange, now ?? first);
        throw new Inconclusive(`${first}, then ${now ?? `an answer (${outcomeOf(exchange)})`}: not reproducible`);
      }
      if (isEnough) throw new Inconclusive(first);
    }
  };
}

export type Inquiry = ReturnType<typeof inquiryOf>;

export function inquiryOf(options: Options) {
  const { target, onExchange } = options;
  const send = patientSender(options);
  const failures = new Failures();
  const confirm = confirmer(options, send, failures);
  const asked = new Map<string, Promise<Exchange>>();
  const failed = new Set<string>();
  /** Failed, and never to be retried. */
  const final = new Set<string>();
  const confirmed = new Map<string, Promise<Exchange>>();

  const confirmWithin: typeof confirm = (failure, first, report) =>
    confirm(failure, first, report).catch((error: unknown) => {
      throw error instanceof BudgetSpent ? new Inconclusive(`${first}; not asked again: ${error.message}`) : error;
    });

  const inquire = async (stimulus: Stimulus, report: Report): Promise<Exchange> => {
    const exchange = await send(stimulus, report);
    const first = suspicion(exchange);
    const foreign = foreignnessOf(exchange);
    const cost = costOf(target, stimulus);
    const isDear = cost !== null && cost >= dear_credits;
    const isUsual = failures.note(exchange) && (isDear || foreign?.isJson === true);
    const isAccepted = first === null || isUsual;
    report(exchange, isAccepted || foreign?.isOwn === true);
    if (isAccepted) return exchange;
    const isRepeatable = mayRepeat(target, stimulus);
    if (isRepeatable && !(foreign && isDear)) return confirmWithin(exchange, first, report);
    final.add(nameOf(stimulus));
    throw new Inconclusive(
      `${first}; not sent again, as it ${isRepeatable ? "costs credits" : "may have had an effect"}`,
    );
  };

  return {
    /** @param by the check that asks first, to which the exchange is attributed */
    ask: (stimulus: Stimulus, by: Check | null = null): Promise<Exchange> => {
      const name = nameOf(stimulus);
      const known = asked.get(name);
      if (known) return known;
      const answer = inquire(stimulus, (exchange, counts) => onExchange(exchange, counts, by));
      asked.set(name, answer);
      answer.catch(() => final.has(name) || failed.add(name));
      return answer;
    },
    /**
     * Asks again for a refusal of access that proves a breach, as a single one may be an edge's in the platform's form.
     * @throws Inconclusive where it isn't given again, or nothing is served beside it
     */
    confirmRefusal: async (exchange: Exchange, by: Check): Promise<void> => {
      const { stimulus } = exchange;
      const name = nameOf(stimulus);
      if (!isRefusal(exchange) || !mayRepeat(target, stimulus) || (await asked.get(name)) !== exchange) return;
      const report: Report = (one, counts) => onExchange(one, counts, by);
      const confirmation = confirmed.get(name) ?? confirmWithin(exchange, `a refusal (${outcomeOf(exchange)})`, report);
      confirmed.set(name, confirmation);
      confirmation.catch(() => failed.add(name));
      await confirmation;
    },
    /** Has the exchange of a stimulus, so that it isn't sent again. */
    remember: (exchange: Exchange): void => void asked.set(nameOf(exchange.stimulus), Promise.resolve(exchange)),
    /** Forgets failed inquiries, so that they can be retried. */
    forgetFailures: (): void => {
      for (const name of failed) for (const known of [asked, confirmed]) known.delete(name);
      failed.clear();
    },
  };
}
