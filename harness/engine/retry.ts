// Retry: gets a request spec an answer that can be judged, by retries between health checks.
import type { Clock } from "../core/clock.ts";
import { operationOf } from "../core/interface.ts";
import { BudgetSpent, Inconclusive } from "../core/outcomes.ts";
import type { Reason } from "../core/reason.ts";
import { calledBy, type RequestSpec, requestKey } from "../core/requestSpec.ts";
import type { Check } from "../model/check.ts";
import type { Outage } from "../model/outage.ts";
import { costOf } from "../targets/budget.ts";
import type { Target } from "../targets/target.ts";
import { describeOutcome, isLastingRefusal, isServed, rpcErrorOf, suspicion } from "../transport/answers.ts";
import type { Exchange } from "../transport/exchange.ts";
import { fateOf, returnedBy } from "../transport/fates.ts";
import { foreignnessOf } from "../transport/foreign.ts";
import type { Transport } from "../transport/transport.ts";
import { Failures, isInOpenForm, isRefusal } from "./failures.ts";
import { Outages } from "./outages.ts";
import { patientSender, type Report } from "./patience.ts";
import { SoundRequests } from "./soundRequests.ts";

/** The longest wait for an answer that is only observed. */
const look_ms = 5_000;

interface Options {
  readonly target: Target;
  readonly transport: Transport;
  readonly clock: Clock;
  /** Called with each exchange; `counts`: whether laws may judge it. */
  readonly onExchange: (exchange: Exchange, counts: boolean, causedBy: Check | null) => void;
  /** Called with a failure that didn't occur again. */
  readonly onIntermittent: (exchange: Exchange, cause: string) => void;
  /** A request that a healthy platform serves, fresh each time; null where none is known. */
  readonly healthCheck: (beside: RequestSpec) => RequestSpec | null;
  /** Makes a request one that wasn't sent before. */
  readonly fresh: (requestSpec: RequestSpec) => RequestSpec;
  /** Called where sound requests get nothing better any more, with the numbers of the exchanges that met it. */
  readonly onOutage: (outage: Outage, numbers: readonly number[]) => void;
  /** How often the plan pays for sending again what may have had an effect, where it is refused for its rate. */
  readonly mostResends: number;
}

interface Sending extends Options {
  readonly sound: SoundRequests;
}

/** Calls of this price aren't repeated for an answer in a foreign form. */
const dear_credits = 100;

/** A request without an answer may have had an effect, and a price; so may a refused one. */
export function mayRepeat(
  { isReference, interface: tables }: Pick<Target, "isReference" | "interface">,
  requestSpec: RequestSpec,
): boolean {
  const { irreversible, isOnce = false } = operationOf(tables, calledBy(requestSpec, tables)) ?? {};
  return isReference || (irreversible === undefined && !isOnce);
}

/** Why an answer proves nothing by itself; null where it can be judged. */
const doubtOf = (exchange: Exchange): string | null =>
  suspicion(exchange) ?? (isLastingRefusal(exchange) ? returnedBy(exchange) : null);

/** Repeats a failure until it is confirmed. */
function confirmer(options: Sending, send: ReturnType<typeof patientSender>, failures: Failures) {
  /** Whether the platform serves another request, or answers it in the same form, which then is its own. */
  const isHealthy = async (failure: Exchange, report: Report): Promise<boolean> => {
    const { requestSpec: asked } = failure;
    const known = isLastingRefusal(failure) ? options.sound.beside(asked) : null;
    const requestSpec = known ?? options.healthCheck(asked);
    if (!requestSpec) return false;
    const exchange = await send(requestSpec, report);
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
      if (!(await isHealthy(failure, report))) throw new Inconclusive({ kind: "doubtful", outcome: first });
      const exchange = await send(failure.requestSpec, report);
      const now = doubtOf(exchange);
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
        const then = now ?? `an answer (${describeOutcome(exchange)})`;
        throw new Inconclusive({ kind: "notReproducible", first, then });
      }
      if (isEnough) throw new Inconclusive({ kind: "doubtful", outcome: first });
    }
  };
}

/** What sends and what remembers, made once per run. */
function partsOf(given: Options) {
  const { target, transport, clock, fresh, onExchange, onOutage } = given;
  const sound = new SoundRequests(target, fresh);
  const look = async (requestSpec: RequestSpec): Promise<Exchange> => {
    const exchange = await transport.send(requestSpec, { deadline_ms: look_ms });
    onExchange(exchange, isServed(exchange) && suspicion(exchange) === null, null);
    return exchange;
  };
  const outages = new Outages({ target, clock, sound, look, onOutage });
  const send = patientSender({ ...given, sound });
  const failures = new Failures();
  const confirm = confirmer({ ...given, sound }, send, failures);
  const confirmWithin: typeof confirm = (failure, first, report) =>
    confirm(failure, first, report).catch((error: unknown) => {
      if (!(error instanceof BudgetSpent)) throw error;
      throw new Inconclusive({ kind: "notRepeated", first, by: error.reason });
    });
  /** Says why an outage keeps a request from being judged, where that is so. */
  const explained = <Result>(requestSpec: RequestSpec, answering: Promise<Result>, isLikely = false): Promise<Result> =>
    answering.catch(async (error: unknown) => {
      if (!(error instanceof Inconclusive)) throw error;
      await outages.settled(requestSpec, isLikely);
      const outage = outages.doubtOn(requestSpec);
      throw outage === null ? error : new Inconclusive(outage);
    });
  return { target, sound, outages, send, failures, confirmWithin, explained };
}

type Parts = ReturnType<typeof partsOf>;

/** @param onFinal called where a request failed that is never to be sent again */
const attempter = (parts: Parts, mostResends: number, onFinal: (requestSpec: RequestSpec) => void) => {
  const { target, send, failures, confirmWithin, outages } = parts;
  /** What was answered in a foreign form, and is too dear to be asked again at once. */
  const dearly = new Set<string>();
  let resendsLeft = mostResends;
  return async (requestSpec: RequestSpec, report: Report): Promise<Exchange> => {
    const isRepeatable = mayRepeat(target, requestSpec);
    const takeResend = (): boolean => {
      if (isRepeatable) return true;
      onFinal(requestSpec);
      resendsLeft -= 1;
      return resendsLeft >= 0;
    };
    await outages.settled(requestSpec);
    const exchange = await send(requestSpec, report, takeResend);
    const first = doubtOf(exchange);
    const foreign = foreignnessOf(exchange);
    const cost = costOf(target, requestSpec);
    const isDear = cost !== null && cost >= dear_credits;
    const isUsual = failures.note(exchange) && (isDear || foreign?.isJson === true);
    const isAccepted = first === null || isUsual;
    // Its code and its words are the platform's, whatever they are about.
    const isOwn = foreign?.isOwn === true || (suspicion(exchange) === null && rpcErrorOf(exchange) !== null);
    report(exchange, isAccepted || isOwn);
    if (isAccepted) return exchange;
    if (isRepeatable && !(foreign && isDear)) return confirmWithin(exchange, first, report);
    // One odd answer is asked again at the end, when what gave it may be over; a second one is final.
    const name = requestKey(requestSpec);
    if (!isRepeatable || dearly.has(name)) onFinal(requestSpec);
    dearly.add(name);
    throw new Inconclusive({ kind: "notRepeated", first, by: isRepeatable ? "price" : "effect" });
  };
};

/** @throws Inconclusive where a sound request is refused, too, so that a refusal shows nothing of what was asked */
async function compareWithSound({ sound, send }: Parts, refused: Exchange, report: Report): Promise<void> {
  const isPlain = refused.answer !== null && !isServed(refused) && doubtOf(refused) === null;
  // A project that was made is refused what it was served before, once control changes it.
  const requestSpec = isPlain && !refused.asker?.isMade ? sound.alike(refused.requestSpec) : null;
  if (!requestSpec) return;
  const exchange = await send(requestSpec, report);
  report(exchange, doubtOf(exchange) === null);
  if (!isServed(exchange)) throw new Inconclusive({ kind: "soundRefused", fate: fateOf(exchange) });
}

/** Whether an edge may have given it. No edge knows a project that was made; control may have changed it since. */
const mayBeForeign = (exchange: Exchange): boolean => isInOpenForm(exchange) && !exchange.asker?.isMade;

function whatIsIn(exchange: Exchange): string {
  if (isRefusal(exchange)) return "a refusal";
  if (!isServed(exchange)) return "an answer";
  return exchange.answer?.json ? "a success" : "no JSON";
}

export type Retry = ReturnType<typeof createRetry>;

export function createRetry(options: Options) {
  const { target, onExchange, mostResends } = options;
  const parts = partsOf(options);
  const { sound, outages, confirmWithin, explained } = parts;
  const asked = new Map<string, Promise<Exchange>>();
  const failed = new Set<string>();
  /** Failed, and never to be retried. */
  const final = new Set<string>();
  const confirmed = new Map<string, Promise<unknown>>();
  const attempt = attempter(parts, mostResends, (requestSpec) => void final.add(requestKey(requestSpec)));
  const confirmAnswer = async (exchange: Exchange, report: Report): Promise<void> => {
    const { requestSpec } = exchange;
    const name = requestKey(requestSpec);
    if (!mayRepeat(target, requestSpec) || (await asked.get(name)) !== exchange) return;
    const confirming = async (): Promise<unknown> =>
      isRefusal(exchange) || mayBeForeign(exchange)
        ? confirmWithin(exchange, `${whatIsIn(exchange)} (${describeOutcome(exchange)})`, report)
        : explained(requestSpec, compareWithSound(parts, exchange, report), true);
    const confirmation = confirmed.get(name) ?? confirming();
    confirmed.set(name, confirmation);
    confirmation.catch(() => failed.add(name));
    await confirmation;
  };

  const forgetFailures = (): void => {
    for (const name of failed) for (const known of [asked, confirmed]) known.delete(name);
    failed.clear();
  };

  return {
    /** @param by the check that asks first, to which the exchange is attributed */
    ask: (requestSpec: RequestSpec, by: Check | null = null): Promise<Exchange> => {
      const name = requestKey(requestSpec);
      const known = asked.get(name);
      if (known) return known;
      const report: Report = (exchange, counts) => onExchange(exchange, counts, by);
      const answer = explained(requestSpec, attempt(requestSpec, report));
      asked.set(name, answer);
      answer.catch(() => final.has(name) || failed.add(name));
      return answer;
    },
    /**
     * Asks again for what proves a breach, where it may be an edge's or damaged: a refusal of access, and each answer
     * whose form the interface leaves open. Beside another refusal, asks whether a sound request is served.
     * @param others what the check was answered besides
     * @throws Inconclusive where it isn't given again, or nothing is served beside it
     */
    confirmBreach: async (exchange: Exchange, by: Check, others: readonly Exchange[] = []): Promise<void> => {
      const report: Report = (one, counts) => onExchange(one, counts, by);
      for (const one of new Set([exchange, ...others.filter(mayBeForeign)])) await confirmAnswer(one, report);
    },
    /** Says why an outage keeps what was sent otherwise from being judged, where that is so. */
    explained,
    /** Learns from any exchange. @param counts whether it shows the platform */
    note: (exchange: Exchange, counts: boolean): void => {
      if (counts) sound.note(exchange);
      outages.note(exchange);
    },
    /** Why a request is of no use as long as an outage lasts; null where none does. */
    doubtOn: (requestSpec: RequestSpec): Reason | null => outages.doubtOn(requestSpec),
    /** Has the exchange of a request spec, so that it isn't sent again. */
    remember: (exchange: Exchange): void => void asked.set(requestKey(exchange.requestSpec), Promise.resolve(exchange)),
    forgetFailures,
    /** Forgets what failed, so that they can be retried. Gives whether an outage isn't over. */
    startAnew: (): Promise<boolean> => {
      forgetFailures();
      return outages.lookAgain();
    },
  };
}
