// Outages in a run: noticed when nothing is served any more, and confirmed before more is sent.
import type { Clock } from "../core/clock.ts";
import type { Api, Protocol } from "../core/interface.ts";
import type { Reason } from "../core/reason.ts";
import type { RequestSpec } from "../core/requestSpec.ts";
import { type Outage, reasonOfOutage } from "../model/outage.ts";
import { baseOf } from "../targets/bases.ts";
import type { Target } from "../targets/target.ts";
import { hindranceOf, isRateRefusal, isServed, rpcErrorOf, suspicion } from "../transport/answers.ts";
import type { Exchange } from "../transport/exchange.ts";
import { returnedBy } from "../transport/fates.ts";
import { knownAsker } from "../transport/recording.ts";
import { faultTexts } from "../transport/wireFault.ts";
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
/** Of a connection that is not made; two in a row are enough, of all callers together. */
const weightUnreached = 2;

/** Consecutive answers to one caller on one API that served nothing, or connections to one host that weren't made. */
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

/** Why nobody reaches the host, whatever is asked; undefined where somebody may. */
const unreachedBy = ({ fault }: Exchange): string | undefined =>
  fault?.kind === "refused" || fault?.kind === "dns" ? faultTexts[fault.kind] : undefined;

export class Outages {
  readonly #options: Options;
  readonly #streaks = new Map<string, Streak>();
  readonly #ended = new Map<string, Outage & Pick<Streak, "last">>();
  readonly #looking = new Map<string, Promise<void>>();
  readonly #lagging = new Set<string>();
  readonly #began_ms: number;

  constructor(options: Options) {
    this.#options = options;
    this.#began_ms = options.clock.now_ms();
  }

  note(exchange: Exchange): void {
    const { requestSpec } = exchange;
    const host = this.#hostOf(requestSpec);
    if (unreachedBy(exchange) !== undefined) {
      this.#prolong(host, exchange, weightUnreached);
      return;
    }
    if (exchange.answer) this.#streaks.delete(host);
    const caller = this.#callerOf(requestSpec);
    const hindrance = hindranceOf(exchange);
    if (hindrance === "lag") this.#noteLag(exchange);
    // Both end by themselves, and concern only a part of an API.
    if (hindrance === "lag" || hindrance === "rate") return;
    const weight = weightOf(exchange, this.#streaks.get(caller));
    if (weight === 0) this.#streaks.delete(caller);
    else this.#prolong(caller, exchange, weight);
  }

  #prolong(whose: string, exchange: Exchange, weight: number): void {
    const before = this.#streaks.get(whose);
    this.#streaks.set(whose, {
      from: before?.from ?? exchange,
      last: exchange,
      numbers: [...(before?.numbers ?? []), exchange.number],
      weight: (before?.weight ?? 0) + weight,
    });
  }

  /** Why nothing more is sent for this caller there, or for any; null where it is. */
  doubtOn(requestSpec: RequestSpec): Reason | null {
    const ended = this.#ended.get(this.#hostOf(requestSpec)) ?? this.#ended.get(this.#callerOf(requestSpec));
    return ended ? reasonOfOutage(ended) : null;
  }

  /**
   * Checks whether valid requests are served, once enough suggests an outage. All callers share the looks at a host
   * that isn't reached.
   * @param isLikely where one was refused just now
   */
  async settled(requestSpec: RequestSpec, isLikely = false): Promise<void> {
    const host = this.#hostOf(requestSpec);
    await this.#settledFor(host, enough);
    if (!this.#ended.has(host))
      await this.#settledFor(this.#callerOf(requestSpec), isLikely ? weights.refusal : enough);
  }

  async #settledFor(whose: string, most: number): Promise<void> {
    const weight = this.#ended.has(whose) ? 0 : (this.#streaks.get(whose)?.weight ?? 0);
    if (!this.#looking.has(whose) && weight < most) return;
    const looking = this.#looking.get(whose) ?? this.#settle(whose);
    this.#looking.set(whose, looking);
    await looking.finally(() => this.#looking.delete(whose));
  }

  /** Looks once more at what has ended. Gives whether anything still has. */
  async lookAgain(): Promise<boolean> {
    // A schedule may have met an outage that nobody has asked about since.
    for (const { last } of [...this.#streaks.values()])
      if (unreachedBy(last) !== undefined) await this.settled(last.requestSpec);
    const ended = [...this.#ended];
    if (ended.length > 0) await this.#options.clock.sleep(lastLook_ms);
    for (const [whose, outage] of ended) {
      this.#ended.delete(whose);
      const { last, ...before } = outage;
      if ((await this.#look(whose, [0])) === "served") {
        this.#streaks.delete(whose);
        this.#options.onOutage({ ...before, until: last.number }, []);
      } else this.#ended.set(whose, outage);
    }
    return this.#ended.size > 0;
  }

  async #settle(whose: string): Promise<void> {
    const seen = await this.#look(whose, looks_ms);
    const streak = this.#streaks.get(whose);
    if (seen === "served") this.#streaks.delete(whose);
    // Meanwhile its host may have ended for all callers.
    else if (streak && seen === "refused" && this.doubtOn(streak.last.requestSpec) === null) this.#end(whose, streak);
    else if (streak) this.#streaks.set(whose, { ...streak, weight: 0 });
  }

  /** How valid requests were answered; null where none is known, or a limit refuses it. */
  async #look(whose: string, waits_ms: readonly number[]): Promise<"served" | "refused" | null> {
    const { clock, sound, look } = this.#options;
    let seen: "refused" | null = null;
    for (const wait_ms of waits_ms) {
      const streak = this.#streaks.get(whose);
      const requestSpec = streak && sound.onApi(streak.last.requestSpec);
      if (!requestSpec) return null;
      // Of callers without a key, who are as good as what others get.
      if (this.doubtOn(requestSpec) !== null) return "refused";
      await clock.sleep(wait_ms);
      if (!this.#streaks.has(whose)) return "served";
      const exchange = await look(requestSpec);
      if (isServed(exchange)) return "served";
      seen = isRateRefusal(exchange) ? null : "refused";
    }
    return seen;
  }

  #end(whose: string, streak: Streak): void {
    const { last, numbers } = streak;
    const outage = unreachedBy(last) === undefined ? this.#outageOf(streak) : this.#outageOfHost(whose, streak);
    this.#ended.set(whose, { ...outage, last });
    this.#options.onOutage(outage, numbers);
  }

  #outageOf({ from, last }: Streak): Outage {
    const { requestSpec, asker } = last;
    const by = kindOf(last);
    const { api } = requestSpec;
    // What several callers meet is one outage.
    const known = [...this.#ended.values()].find((one) => one.api === api && one.by === by);
    const began = { from: known?.from ?? from.number, outcome: known?.outcome ?? outcomeIn(last) };
    return { by, api, role: asker?.role ?? null, ...began };
  }

  #outageOfHost(host: string, { from, last }: Streak): Outage {
    const { target } = this.#options;
    const { api } = last.requestSpec;
    // Else a caller's outage would keep the host from being looked at again.
    for (const [caller, { last: met }] of this.#ended)
      if (this.#hostOf(met.requestSpec) === host) this.#ended.delete(caller);
    const apis = Object.keys(target.bases) as Api[];
    const name = apis.every((one) => this.#hostOf({ api: one }) === host) ? target.name : `${target.name}'s ${api} API`;
    const after_s = Math.max(0, Math.floor((from.sentAt_ms - this.#began_ms) / 1000));
    const outcome = unreachedBy(last) ?? outcomeIn(last);
    return { by: "silence", api, role: null, from: from.number, outcome, stopped: { name, after_s } };
  }

  #noteLag(exchange: Exchange): void {
    const { api } = exchange.requestSpec;
    if (this.#lagging.has(api)) return;
    this.#lagging.add(api);
    const role = exchange.asker?.role ?? null;
    this.#options.onOutage({ by: "lag", api, role, from: exchange.number, outcome: returnedBy(exchange) }, []);
  }

  #hostOf({ api }: Pick<RequestSpec, "api">): string {
    const base = baseOf(this.#options.target, api) ?? "";
    return `at ${URL.canParse(base) ? new URL(base).origin : api}`;
  }

  #callerOf(requestSpec: RequestSpec): string {
    return `${requestSpec.api} ${knownAsker(this.#options.target, requestSpec)?.role ?? ""}`;
  }
}
