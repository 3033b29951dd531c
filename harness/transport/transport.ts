// The transport: every request leaves here, within pace and budget; answers are redacted before anything reads them.

import type { Clock } from "../core/clock.ts";
import { type Protocol, protocolOf } from "../core/interface.ts";
import { parseJson } from "../core/json.ts";
import { calledBy, keyHolder, type Stimulus } from "../core/stimulus.ts";
import { budgetOf, type Spent } from "../target/budget.ts";
import { type Consent, keyOf, type Target } from "../target/target.ts";
import type { Answer, Exchange, Fault, HeaderList, KnownAsker, Sent } from "./exchange.ts";
import { render } from "./rendering.ts";
import type { Generator, TimedAnswer, TimedRequest, TimedResult } from "./timedRequests.ts";
import type { Wire, WireAnswer, WireRequest } from "./wire.ts";
import { WireFault } from "./wireFault.ts";

/** A rest after a burst, so that it isn't counted against what follows. */
export const afterBurst_ms = 3_000;

/** An answer that takes longer is a fault. */
const deadline_ms = 15_000;

/** A wire over sockets tells after the deadline how far it came; a platform in this process may hear nothing. */
const lastWord_ms = 50;

/** The reference names its mutant here; no law may see it. */
export const mutantHeader = "x-assay-mutant";

export interface Transport {
  /**
   * One exchange; where no answer came, its `fault` says why. Waits for its turn unless it is sent at once.
   * @throws BudgetSpent where the target's budget doesn't cover it; nothing is sent then
   */
  send(stimulus: Stimulus, options?: { readonly atOnce?: boolean }): Promise<Exchange>;
  /** A command to whoever gives us power over the platform: no part of the interface, so neither paced nor paid. */
  order(request: WireRequest): Promise<{ readonly answer: Answer | null; readonly fault: Fault | null }>;
  /**
   * All of them at set times by whoever generates load; afterwards the lanes that they took rest.
   * @throws BudgetSpent where the budget doesn't cover all of them: nothing is sent then
   * @throws Inconclusive where the generator couldn't send as it was told
   */
  sendSchedule(timedRequests: readonly TimedRequest[], generator: Generator): Promise<readonly TimedResult[]>;
  readonly spent: Spent;
  /** Leaves those alone for a while who are counted with it, so that our own traffic is no longer counted. */
  rest(after: Stimulus, duration_ms: number): void;
}

export interface TransportOptions {
  /** From sending to the last byte; 15 s where nothing else is said. */
  readonly deadline_ms?: number;
}

/** Of a limit that the target tells of a project we use so much. */
const shareOfLimit = 0.8;

/** The limit that the interface states for one operation; undefined where it states none. */
const ownLimitOf = (target: Target, stimulus: Stimulus): number | undefined => {
  const operation = calledBy(stimulus, target.interface);
  return target.interface.limits.find((one) => "operation" in one && one.operation === operation)?.perSecond;
};

/**
 * Requests per second for a stimulus: under every limit that is known, and no faster than the target's pace where more
 * may not be known.
 */
export function paceOf(target: Target, stimulus: Stimulus): number {
  const ofApi = target.apiPerSecond[stimulus.api];
  if (ofApi !== undefined) return Math.min(target.perSecond, ofApi);
  const own = ownLimitOf(target, stimulus);
  // One less than are served, so that a window's edge never refuses us.
  if (own !== undefined) return Math.min(target.perSecond, own - 1);
  const { generalPerSecond = Number.POSITIVE_INFINITY, ownPerSecond = target.perSecond } =
    knownAsker(target, stimulus)?.project ?? {};
  return Math.min(ownPerSecond, generalPerSecond * shareOfLimit);
}

/** What can't be undone costs real money: a check that forgot to ask for consent ends here, whatever it declares. */
function guardIrreversible({ isReference, allow, interface: tables }: Target, { body = "" }: WireRequest): void {
  if (isReference) return;
  for (const { id, irreversible } of tables.operations)
    if (irreversible !== undefined && !allow.includes(id as Consent) && new RegExp(irreversible).test(body))
      throw new Error(`a request of ${id} that can't be undone would have been sent without the target's consent`);
}

export function transportTo(target: Target, wire: Wire, clock: Clock, options: TransportOptions = {}): Transport {
  const budget = budgetOf(target);
  const nextFree_ms = new Map<string, number>();
  const restsUntil_ms = new Map<string, number>();
  // Whose requests a limit counts together is open, so all of an API are paced as one; the reference is known to count by project.
  const laneOf = (stimulus: Stimulus): string =>
    target.isReference
      ? `${ownLimitOf(target, stimulus) === undefined ? stimulus.api : calledBy(stimulus, target.interface)} ${knownAsker(target, stimulus)?.projectName}`
      : stimulus.api;
  const interval_ms = (stimulus: Stimulus): number => 1000 / paceOf(target, stimulus);

  return {
    get spent() {
      return budget.spent;
    },
    rest: (after, duration_ms) => rest(restsUntil_ms, laneOf(after), clock.now_ms() + duration_ms),
    order: (request) => attempt(wire, request, target, options.deadline_ms ?? deadline_ms),
    send: async (stimulus, { atOnce = false } = {}) => {
      const request = render(target, stimulus);
      guardIrreversible(target, request);
      const now_ms = clock.now_ms();
      const lane = laneOf(stimulus);
      const turn_ms = Math.max(now_ms, restsUntil_ms.get(lane) ?? 0, atOnce ? 0 : (nextFree_ms.get(lane) ?? 0));
      // Before the wait: what the budget doesn't cover takes nobody's turn and no time.
      budget.take(stimulus, turn_ms);
      const number = budget.spent.requests;
      if (!atOnce) nextFree_ms.set(lane, turn_ms + interval_ms(stimulus));
      if (turn_ms > now_ms) await clock.sleep(turn_ms - now_ms);
      const sentAt_ms = clock.now_ms();
      const started = performance.now();
      const outcome = await attempt(wire, request, target, options.deadline_ms ?? deadline_ms);
      return exchangeOf(target, stimulus, request, {
        ...outcome,
        number,
        sentAt_ms,
        latency_ms: performance.now() - started,
      });
    },
    sendSchedule: async (timedRequests, generator) => {
      const rendered = timedRequests.map((timedRequest) => ({
        timedRequest,
        request: render(target, timedRequest.stimulus),
      }));
      for (const { request } of rendered) guardIrreversible(target, request);
      const now_ms = clock.now_ms();
      budget.takeAll(
        timedRequests.map(({ stimulus }) => stimulus),
        now_ms,
      );
      const before = budget.spent.requests - timedRequests.length;
      const timedAnswers = await generator.fire(
        rendered.map(({ timedRequest: { at_ms, connection = 0 }, request }) => ({ at_ms, connection, request })),
      );
      const ended_ms = clock.now_ms();
      for (const { stimulus } of timedRequests) rest(restsUntil_ms, laneOf(stimulus), ended_ms + afterBurst_ms);
      return rendered.map(({ timedRequest: { stimulus }, request }, nth) => {
        const { sent_ms, received_ms, outcome } = timedAnswerAt(timedAnswers, nth);
        const times = {
          number: before + nth + 1,
          sentAt_ms: Math.round(now_ms + sent_ms),
          latency_ms: received_ms - sent_ms,
        };
        return {
          sent_ms,
          received_ms,
          exchange: exchangeOf(target, stimulus, request, { ...outcomeOf(outcome, target), ...times }),
        };
      });
    },
  };
}

const rest = (until: Map<string, number>, what: string, at_ms: number): void =>
  void until.set(what, Math.max(until.get(what) ?? 0, at_ms));

function timedAnswerAt(timedAnswers: readonly TimedAnswer[], nth: number): TimedAnswer {
  const timedAnswer = timedAnswers[nth];
  if (!timedAnswer) throw new Error("a generator tells what came of each request");
  return timedAnswer;
}

const outcomeOf = (outcome: TimedAnswer["outcome"], target: Target): Outcome =>
  outcome instanceof WireFault
    ? faulty(outcome.kind, outcome.message, target)
    : judgeable(() => answerOf(outcome, target), target);

type Outcome = Pick<Exchange, "answer" | "fault">;

const faulty = (kind: Fault["kind"], detail: string, target: Target): Outcome => ({
  answer: null,
  fault: { kind, detail: target.redact(detail) },
});

/** An answer, or the fault for which it can't be read. */
function judgeable(read: () => Answer, target: Target): Outcome {
  try {
    return { answer: read(), fault: null };
  } catch (error) {
    if (!(error instanceof WireFault)) throw error;
    return faulty(error.kind, error.message, target);
  }
}

function exchangeOf(
  target: Target,
  stimulus: Stimulus,
  request: WireRequest,
  { latency_ms, ...timed }: Outcome & Pick<Exchange, "number" | "sentAt_ms" | "latency_ms">,
): Exchange {
  const { method, url, headers, body } = request;
  const asker = knownAsker(target, stimulus);
  const protocol = protocolOf(target.interface, stimulus.api, stimulus.operation);
  return {
    ...timed,
    stimulus,
    protocol,
    asker,
    isOwn:
      asker !== null &&
      stimulus.path.every(
        (part) =>
          typeof part === "string" ||
          "§" in part ||
          ("projectOf" in part && keyOf(target, part.projectOf)?.projectName === asker.projectName),
      ),
    sent: {
      method,
      url: target.redact(url),
      headers: redactHeaders(target, headers),
      ...(body === undefined ? {} : sentBody(target.redact(body), protocol.kind)),
    },
    latency_ms: Math.round(latency_ms * 1000) / 1000,
  };
}

/** What is asked of JSON-RPC stands in the body, and laws read it there. */
function sentBody(body: string, protocol: Protocol["kind"]): Pick<Sent, "body" | "json"> {
  const json = protocol === "json-rpc" ? parseJson(body)?.value : undefined;
  return json === undefined ? { body } : { body, json };
}

async function attempt(
  wire: Wire,
  request: WireRequest,
  target: Target,
  within_ms: number,
): Promise<{ answer: Answer | null; fault: Fault | null }> {
  const controller = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  // Raced as well as aborted: an in-process platform doesn't hear the signal.
  const late = new Promise<never>((_, reject) => {
    const giveUp = (): void => reject(new WireFault("timeout", "nothing was heard"));
    const abort = (): void => {
      controller.abort();
      timers.push(setTimeout(giveUp, lastWord_ms));
    };
    timers.push(setTimeout(abort, within_ms));
  });
  try {
    const raw = await Promise.race([wire(request, controller.signal), late]);
    return { answer: answerOf(raw, target), fault: null };
  } catch (error) {
    if (!(error instanceof WireFault)) throw error;
    const detail =
      controller.signal.aborted && error.kind === "timeout"
        ? `no whole answer within ${within_ms / 1000} s: ${error.message}`
        : error.message;
    return { answer: null, fault: { kind: error.kind, detail: target.redact(detail) } };
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

function answerOf(raw: WireAnswer, target: Target): Answer {
  const headers = redactHeaders(target, raw.headers).filter(([name]) => name !== mutantHeader);
  const { text, hasBom, invalidUtf8 } = decode(raw.body);
  const redacted = target.redact(text);
  return { status: raw.status, headers, text: redacted, json: jsonOf(redacted), hasBom, invalidUtf8 };
}

function jsonOf(text: string): Answer["json"] {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new WireFault("oversized", "JSON nested more deeply than we can read");
  }
}

function decode(bytes: Uint8Array): { text: string; hasBom: boolean; invalidUtf8: boolean } {
  const hasBom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  try {
    return {
      text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
      hasBom,
      invalidUtf8: false,
    };
  } catch {
    return { text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), hasBom, invalidUtf8: true };
  }
}

/** Looked through as one text first: hardly any holds a key. */
function redactHeaders(target: Target, headers: HeaderList): HeaderList {
  const all = headers.flat().join("\n");
  return target.redact(all) === all
    ? headers
    : headers.map(([name, value]) => [target.redact(name), target.redact(value)]);
}

function knownAsker(target: Target, stimulus: Stimulus): KnownAsker | null {
  const holder = keyHolder(stimulus);
  const key = holder ? keyOf(target, holder) : undefined;
  return key
    ? {
        role: key.role,
        isMade: key.isMade ?? false,
        projectName: key.projectName,
        project: key.project,
        rounding: target.rounding,
      }
    : null;
}
