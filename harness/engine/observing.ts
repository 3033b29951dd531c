// Observing: runs one probe in two repeats; a failure only means that nothing was observed.
import type { Feature } from "../core/interface.ts";
import { BudgetSpent, defectOf, Inconclusive, notSeen, Withheld } from "../core/outcomes.ts";
import type { Reason } from "../core/reason.ts";
import { asSecondRepeat, questionOf, type RequestSpec, requestKey, withCarrier } from "../core/requestSpec.ts";
import type { CheckContext } from "../model/check.ts";
import { type AnsweredExchange, isAnswered } from "../model/fingerprint.ts";
import { inBothRepeats, type Observed, type Probe, type ProbeContext } from "../model/probe.ts";
import { suspicion } from "../transport/answers.ts";
import type { Exchange } from "../transport/exchange.ts";
import type { Handshake } from "../transport/handshake.ts";
import { offeredOf } from "./plan.ts";
import type { Isolate } from "./projects.ts";
import { unmetNeedToObserve } from "./unmetNeeds.ts";

export interface ProbeHost extends CheckContext {
  /** Why nothing of a feature can be observed; null where it can. */
  doubtOn(feature: Feature): Promise<Reason | null>;
  readonly handshake: Handshake | undefined;
  /** Makes projects for one probe alone; left out where none can be made, or limits may count several together. */
  readonly isolated?: () => Isolate;
}

/** One and a half windows of a limit per second. */
const recovery_ms = 1_500;

/** A server error, a gateway page or a fault shows nothing of the platform's behaviour. */
const isReadable = (exchange: Exchange): exchange is AnsweredExchange =>
  isAnswered(exchange) && suspicion(exchange) === null;

/** Scenarios put test projects into special states. */
const isSampled = (exchange: Exchange): exchange is AnsweredExchange => isReadable(exchange) && !exchange.asker?.isMade;

/** Runs both repeats of a probe; never throws. */
export async function observe(
  { probe, unmetNeed }: { readonly probe: Probe; readonly unmetNeed: Reason | null },
  sharedHost: ProbeHost,
): Promise<Observed> {
  const { id } = probe;
  const host = probe.when === "isolated" ? isolatedHost(sharedHost) : sharedHost;
  const features = offeredOf(probe, host.target);
  const withheld = (reason: Reason): Observed => ({ id, features, state: "withheld", values: [], reasons: [reason] });
  if (unmetNeed !== null) return withheld(unmetNeed);
  try {
    const doubts = new Map<Feature, Reason>();
    for (const feature of features) {
      const doubt = await host.doubtOn(feature);
      if (doubt !== null) doubts.set(feature, doubt);
    }
    const [doubt] = doubts.values();
    if (doubt !== undefined && doubts.size === features.length) return withheld(doubt);
    const doubted = [...doubts.keys()];
    const repeats = [contextOf(probe, host, 0, doubted), contextOf(probe, host, 1, doubted)] as const;
    if (probe.when === "after") {
      const possible = probe.needs.requests.filter(
        (one) => repeats[0].canAsk(one) && !isAsked(one, repeats[1].ownAnswers),
      );
      // A request without an answer still leaves those of the others.
      for (const requestSpec of possible) for (const { ask } of repeats) await ask(requestSpec).catch(() => undefined);
    }
    const first = await probe.observe(repeats[0]);
    const second = await probe.observe(repeats[1]);
    return { id, features, ...inBothRepeats(first, second) };
  } catch (error) {
    const { redact } = host.target;
    if (error instanceof Withheld || error instanceof Inconclusive || error instanceof BudgetSpent)
      return withheld(error.reason);
    const defect = defectOf(error, redact);
    return { ...withheld({ kind: "checkFailed", of: "probe", message: defect.message }), defect };
  }
}

/** Whether some answers are to this request. */
function isAsked(requestSpec: RequestSpec, answers: readonly AnsweredExchange[]): boolean {
  const questions = (["header", "query"] as const).map((carrier) => questionOf(withCarrier(requestSpec, carrier)));
  return answers.some((one) => questions.includes(questionOf(one.requestSpec)));
}

/** Sends from isolated projects; exchanges show the request spec as the probe gave it. */
function isolatedHost(host: ProbeHost): ProbeHost {
  const isolate = host.isolated?.();
  if (!isolate) return host;
  const original = new Map<string, RequestSpec>();
  const substituted = async (requestSpec: RequestSpec): Promise<RequestSpec> => {
    const asked = await isolate(requestSpec);
    original.set(requestKey(asked), requestSpec);
    return asked;
  };
  return {
    ...host,
    ask: async (requestSpec) => host.ask(await substituted(requestSpec)),
    atOnce: async (requestSpecs) => host.atOnce(await Promise.all(requestSpecs.map(substituted))),
    exchanges: () =>
      host.exchanges().map((exchange) => {
        const requestSpec = original.get(requestKey(exchange.requestSpec));
        return requestSpec ? { ...exchange, requestSpec } : exchange;
      }),
  };
}

function contextOf(probe: Probe, host: ProbeHost, repeat: 0 | 1, doubted: readonly Feature[]): ProbeContext {
  const inRepeat = (requestSpec: RequestSpec): RequestSpec =>
    repeat === 0 || probe.asksOnce ? requestSpec : asSecondRepeat(requestSpec);
  return {
    ...host,
    canAsk: (requestSpec) => unmetNeedToObserve(requestSpec, host.target, doubted) === null,
    ask: async (requestSpec) => {
      const exchange = await host.ask(inRepeat(requestSpec));
      if (!isAnswered(exchange)) throw notSeen(`no answer that can be read (${suspicion(exchange)})`);
      return exchange;
    },
    atOnce: async (requestSpecs) => (await host.atOnce(requestSpecs.map(inRepeat))).filter(isReadable),
    inRepeat,
    rest: () => host.wait(recovery_ms),
    repeat,
    get ownAnswers() {
      return host.once(`answers by repeat of ${host.exchanges().length}`, () => answersByRepeat(host.exchanges()))[
        repeat
      ];
    },
    get all() {
      return host.exchanges();
    },
  };
}

/** Answers to one request alternate between the repeats, so that both cover the same requests; others drop out. */
function answersByRepeat(exchanges: readonly Exchange[]) {
  const groups = new Map<string, AnsweredExchange[]>();
  for (const exchange of exchanges.filter(isSampled)) {
    const name = `${exchange.answer.status} ${questionOf(exchange.requestSpec)}`;
    groups.set(name, [...(groups.get(name) ?? []), exchange]);
  }
  const repeated = [...groups.values()].filter(({ length }) => length > 1);
  const answersOf = (repeat: 0 | 1): readonly AnsweredExchange[] =>
    repeated.flatMap((group) => group.filter((_, nth) => nth % 2 === repeat));
  return [answersOf(0), answersOf(1)] as const;
}
