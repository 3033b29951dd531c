// Outages in a run: noticed when nothing is served any more, and confirmed before more is sent.
import type { Clock } from "../core/clock.ts";
import type { Protocol } from "../core/interface.ts";
import type { Reason } from "../core/reason.ts";
import type { RequestSpec } from "../core/requestSpec.ts";
import { type Outage, reasonOfOutage } from "../model/outage.ts";
import type { Target } from "../targets/target.ts";
import { hindranceOf, isRateRefusal, isServed, rpcErrorOf, suspicion } from "../transport/answers.ts";
import type { Exchange } from "../transport/exchange.ts";
import { returnedBy } from "../transport/fates.ts";
import { knownAsker } from "../transport/recording.ts";
import { causeOf } from "./failures.ts";
import type { SoundRequests } from "./soundRequests.ts";

/** Pause before each look: a restart, or a limit, may be over by then. */
const looks_ms = [1_000, 2_000, 4_000];
/** Before a last look at the end, for what is inconclusive until then. */
const lastLook_ms = 5_000;
/** A row of failures of this total weight triggers a look. */
const enough = 4;
/** Weights: an answer that names an outage, a failure, and a refusal that may concern the request alone. */
const weights = { hindrance: 2, failure: 1, refusal: 0.5 };

/** Consecutive answers to one caller on one API that served nothing. */
interface Streak {
  readonly from: Exchange;
  readonly last: Exchange;
  readonly numbers: readonly number[];
  readonly weight: number;
}

interface Options {
  readonly target: Target;
  readonly clock: Clock;
  readonly sound: SoundRequests;
  /** Sends a request once, and has its exchange noted. */
  readonly look: (requestSpec: RequestSpec) => Promise<Exchange>;
  /** @param numbers of the exchanges that met it and may have been judged */
  readonly onOutage: (outage: Outage, numbers: readonly number[]) => void;
}

const documented = ({ blamingCodes, rateCodes, serverCodes }: Protocol): readonly number[] => [
  ...blamingCodes,
  ...(rateCodes ?? []),
  ...(serverCodes ?? []),
];

/** How much an answer suggests an outage; 0 where it shows that the platform answers requests. */
function weightOf(exchange: Exchange, before: Streak | undefined): number {
  if (suspicion(exchange) !== null) return weights.failure;
  if (hindranceOf(exchange) !== null) return weights.hindrance;
  const { protocol, answer } = exchange;
  const error = rpcErrorOf(exchange);
  const mayBe = error
    ? error.code !== undefined && !documented(protocol).includes(error.code)
    : protocol.kind === "json-rpc" && answer !== null && answer.status >= 400;
  return mayBe && (!before || causeOf(before.last) === causeOf(exchange)) ? weights.refusal : 0;
}

function kindOf(exchange: Exchange): Outage["by"] {
  const hindrance = hindranceOf(exchange);
  if (hindrance !== null && hindrance !== "rate") return hindrance;
  if (!exchange.answer) return "silence";
  return suspicion(exchange) === null ? "refusal" : "failure";
}

const outcomeIn = (exchange: Exchange): string => exchange.fault?.detail ?? suspicion(exchange) ?? returnedBy(exchange);

export class Outages {
  readonly #options: Options;
  readonly #streaks = new Map<string, Streak>();
  readonly #ended = new Map<string, Outage & Pick<Streak, "last">>();
  readonly #looking = new Map<string, Promise<void>>();
  readonly #lagging = new Set<string>();

  constructor(options: Options) {
    this.#options = options;
  }

  note(exchange: Exchange): void {
    const { requestSpec } = exchange;
    const caller = this.#callerOf(requestSpec);
    const hindrance = hindranceOf(exchange);
    if (hindrance === "lag") this.#noteLag(exchange);
    // Both end by themselves, and concern only a part of an API.
    if (hindrance === "lag" || hindrance === "rate") return;
    const before = this.#streaks.get(caller);
    const weight = weightOf(exchange, before);
    if (weight === 0) this.#streaks.delete(caller);
    else
      this.#streaks.set(caller, {
        from: before?.from ?? exchange,
        last: exchange,
        numbers: [...(before?.numbers ?? []), exchange.number],
        weight: (before?.weight ?? 0) + weight,
      });
  }

  /** Why nothing more is sent for this caller there; null where it is. */
  doubtOn(requestSpec: RequestSpec): Reason | null {
    const ended = this.#ended.get(this.#callerOf(requestSpec));
    return ended ? reasonOfOutage(ended) : null;
  }

  /**
   * Checks whether valid requests are served, once enough suggests an outage.
   * @param isLikely where one was refused just now
   */
  async settled(requestSpec: RequestSpec, isLikely = false): Promise<void> {
    const caller = this.#callerOf(requestSpec);
    const weight = this.#ended.has(caller) ? 0 : (this.#streaks.get(caller)?.weight ?? 0);
    if (!this.#looking.has(caller) && weight < (isLikely ? weights.refusal : enough)) return;
    const looking = this.#looking.get(caller) ?? this.#settle(caller);
    this.#looking.set(caller, looking);
    await looking.finally(() => this.#looking.delete(caller));
  }

  /** Looks once more at what has ended. */
  async lookAgain(): Promise<void> {
    const ended = [...this.#ended];
    if (ended.length > 0) await this.#options.clock.sleep(lastLook_ms);
    for (const [caller, outage] of ended) {
      this.#ended.delete(caller);
      const { last, ...before } = outage;
      if ((await this.#look(caller, [0])) === "served") {
        this.#streaks.delete(caller);
        this.#options.onOutage({ ...before, until: last.number }, []);
      } else this.#ended.set(caller, outage);
    }
  }

  async #settle(caller: string): Promise<void> {
    const seen = await this.#look(caller, looks_ms);
    const streak = this.#streaks.get(caller);
    if (seen === "served") this.#streaks.delete(caller);
    else if (streak && seen === "refused") this.#end(caller, streak);
    else if (streak) this.#streaks.set(caller, { ...streak, weight: 0 });
  }

  /** How valid requests were answered; null where none is known, or a limit refuses it. */
  async #look(caller: string, waits_ms: readonly number[]): Promise<"served" | "refused" | null> {
    const { clock, sound, look } = this.#options;
    let seen: "refused" | null = null;
    for (const wait_ms of waits_ms) {
      const streak = this.#streaks.get(caller);
      const requestSpec = streak && sound.onApi(streak.last.requestSpec);
      if (!requestSpec) return null;
      // Of callers without a key, who are as good as what others get.
      if (this.doubtOn(requestSpec) !== null) return "refused";
      await clock.sleep(wait_ms);
      if (!this.#streaks.has(caller)) return "served";
      const exchange = await look(requestSpec);
      if (isServed(exchange)) return "served";
      seen = isRateRefusal(exchange) ? null : "refused";
    }
    return seen;
  }

  #end(caller: string, { from, last, numbers }: Streak): void {
    const { requestSpec, asker } = last;
    const by = kindOf(last);
    const { api } = requestSpec;
    // What several callers meet is one outage.
    const known = [...this.#ended.values()].find((one) => one.api === api && one.by === by);
    const began = { from: known?.from ?? from.number, outcome: known?.outcome ?? outcomeIn(last) };
    const outage = { by, api, role: asker?.role ?? null, ...began };
    this.#ended.set(caller, { ...outage, last });
    this.#options.onOutage(outage, numbers);
  }

  #noteLag(exchange: Exchange): void {
    const { api } = exchange.requestSpec;
    if (this.#lagging.has(api)) return;
    this.#lagging.add(api);
    const role = exchange.asker?.role ?? null;
    this.#options.onOutage({ by: "lag", api, role, from: exchange.number, outcome: returnedBy(exchange) }, []);
  }

  #callerOf(requestSpec: RequestSpec): string {
    return `${requestSpec.api} ${knownAsker(this.#options.target, requestSpec)?.role ?? ""}`;
  }
}
