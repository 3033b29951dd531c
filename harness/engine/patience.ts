// Patience: a request is sent again until no limit refuses it, or its refusal turns out not to be for a rate.
import type { Clock } from "../core/clock.ts";
import { Inconclusive } from "../core/outcomes.ts";
import type { RequestSpec } from "../core/requestSpec.ts";
import { describeOutcome, isRateRefusal, isServed, suspicion } from "../transport/answers.ts";
import type { Exchange } from "../transport/exchange.ts";
import { returnedBy } from "../transport/fates.ts";
import { retryAfter_ms } from "../transport/rateHeaders.ts";
import type { Transport } from "../transport/transport.ts";
import type { SoundRequests } from "./soundRequests.ts";

const rateRefusalsWaitedOut = 4;
/** A request refused this often, while valid ones are served after shorter waits, isn't refused for its rate. */
const enoughBeside = 3;
/** The longest wait that an answer can ask for. */
const longestWait_ms = 60_000;

/** Called with each exchange on the way; `counts`: whether laws may judge it. */
export type Report = (exchange: Exchange, counts: boolean) => void;

interface Options {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly sound: SoundRequests;
  /** A request that a healthy platform serves; null where none is known. */
  readonly healthCheck: (beside: RequestSpec) => RequestSpec | null;
}

/** Sends a request until it isn't refused for its rate, or is so refused that another request wouldn't be. */
export function patientSender({ transport, clock, sound, healthCheck }: Options) {
  /** Refusals that ended after a wait: these were for the rate, whatever they said. */
  const ended = new Set<string>();
  /** Refusals that were another request's own answer before. */
  const answers = new Set<string>();
  /** A limit counts both; one that nobody else uses has a limit of its own. */
  const besideRefused = ({ requestSpec, asker }: Exchange): RequestSpec | null =>
    sound.alike(requestSpec) ?? (asker?.isMade ? healthCheck(requestSpec) : null);
  const isServedBeside = async (refused: Exchange, report: Report): Promise<boolean> => {
    const requestSpec = ended.has(describeOutcome(refused)) ? null : besideRefused(refused);
    if (!requestSpec) return false;
    const exchange = await transport.send(requestSpec);
    const isSound = isServed(exchange) && suspicion(exchange) === null;
    report(exchange, isSound);
    return isSound;
  };
  /** @param takeResend takes one of the repeats that a refused request may have; false where none is left */
  return async (requestSpec: RequestSpec, report: Report, takeResend = () => true): Promise<Exchange> => {
    let last: Exchange | null = null;
    for (let wait_ms = 1100, tries = 0, beside = 0; ; wait_ms *= 2, tries += 1) {
      const exchange = await transport.send(requestSpec);
      const isRefused = exchange.answer !== null && isRateRefusal(exchange);
      if (!isRefused && last) ended.add(describeOutcome(last));
      if (!exchange.answer || !isRefused) return exchange;
      // The wait before it was longer than the one before the sound request that is served.
      beside = tries > 0 && (await isServedBeside(exchange, report)) ? beside + 1 : 0;
      const kind = `${requestSpec.operation} ${describeOutcome(exchange)}`;
      if (beside === enoughBeside || (beside > 0 && answers.has(kind))) {
        answers.add(kind);
        return exchange;
      }
      last = exchange;
      report(exchange, suspicion(exchange) === null);
      if (tries === rateRefusalsWaitedOut)
        throw new Inconclusive({ kind: "rateRefused", returned: returnedBy(exchange), waits: tries });
      if (!takeResend()) throw new Inconclusive({ kind: "notRepeated", first: returnedBy(exchange), by: "effect" });
      const asked_ms = retryAfter_ms(exchange.answer, clock.now_ms());
      const pause_ms = Math.max(wait_ms, Math.min(longestWait_ms, asked_ms));
      transport.pause(requestSpec, pause_ms);
      await clock.sleep(pause_ms);
    }
  };
}
