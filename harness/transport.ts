// The one way out: keys are opened here and nowhere else, pace and budget kept, answers redacted before anybody sees them.
import type { Surface } from "../specs/generated/operations.ts";
import type { Clock } from "./clock.ts";
import type { Answer, Exchange, Fault, HeaderList, KnownAsker } from "./exchange.ts";
import { parseJson } from "./json.ts";
import { render } from "./rendering.ts";
import { keyHolder, type Stimulus } from "./stimulus.ts";
import { keyOf, type Target } from "./target.ts";
import { type Wire, type WireAnswer, WireFault } from "./wire.ts";

/** An answer that takes longer is a fault. */
const deadline_ms = 15_000;

/** The reference names its mutant here; no law may see it. */
export const mutantHeader = "x-assay-mutant";

/** Thrown where the next request would exceed what the target allows us to spend. */
export class BudgetSpent extends Error {}

export interface Transport {
  send(stimulus: Stimulus, options?: { readonly atOnce?: boolean }): Promise<Exchange>;
  /** Requests sent so far. */
  readonly sent: number;
  /** Leaves the surface alone for a while, so that our own traffic is no longer counted. */
  rest(surface: Surface, duration_ms: number): void;
}

export function transportTo(target: Target, wire: Wire, clock: Clock): Transport {
  let sent = 0;
  const began_ms = clock.now_ms();
  const nextFree_ms = new Map<Surface, number>();
  const interval_ms = 1000 / target.perSecond;

  const turn = async (surface: Surface): Promise<void> => {
    const now = clock.now_ms();
    const free = Math.max(now, nextFree_ms.get(surface) ?? 0);
    nextFree_ms.set(surface, free + interval_ms);
    if (free > now) await clock.sleep(free - now);
  };

  const spend = (): void => {
    const { requests, seconds } = target.budget;
    if (requests !== undefined && sent >= requests) throw new BudgetSpent(`the budget of ${requests} requests is spent`);
    if (seconds !== undefined && clock.now_ms() - began_ms > seconds * 1000) throw new BudgetSpent(`the budget of ${seconds} seconds is spent`);
    sent += 1;
  };

  return {
    get sent() {
      return sent;
    },
    rest: (surface, duration_ms) => {
      nextFree_ms.set(surface, Math.max(nextFree_ms.get(surface) ?? 0, clock.now_ms() + duration_ms));
    },
    send: async (stimulus, { atOnce = false } = {}) => {
      if (!atOnce) await turn(stimulus.surface);
      spend();
      const number = sent;
      const request = render(target, stimulus);
      const sentAt_ms = clock.now_ms();
      const started = performance.now();
      const { answer, fault } = await attempt(wire, request, target);
      const { body } = request;
      const asker = knownAsker(target, stimulus);
      return {
        number,
        stimulus,
        asker,
        isOwn:
          asker !== null && stimulus.path.every((part) => typeof part === "string" || ("projectOf" in part && keyOf(target, part.projectOf)?.projectName === asker.projectName)),
        sent: {
          method: request.method,
          url: target.redact(request.url),
          headers: redactHeaders(target, request.headers),
          ...(body === undefined ? {} : { body: target.redact(body) }),
        },
        answer,
        fault,
        sentAt_ms,
        latency_ms: Math.round((performance.now() - started) * 1000) / 1000,
      };
    },
  };
}

async function attempt(wire: Wire, request: Parameters<Wire>[0], target: Target): Promise<{ answer: Answer | null; fault: Fault | null }> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  // Raced as well as aborted: an in-process platform doesn't hear the signal.
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      controller.abort();
      reject(new WireFault("timeout", `no whole answer within ${deadline_ms / 1000} s`));
    }, deadline_ms);
  });
  try {
    const raw = await Promise.race([wire(request, controller.signal), late]);
    return { answer: answerOf(raw, target), fault: null };
  } catch (error) {
    if (!(error instanceof WireFault)) throw error;
    return { answer: null, fault: { kind: error.kind, detail: target.redact(error.message) } };
  } finally {
    clearTimeout(timer);
  }
}

function answerOf(raw: WireAnswer, target: Target): Answer {
  const headers = redactHeaders(target, raw.headers).filter(([name]) => name !== mutantHeader);
  const { text, hasBom, invalidUtf8 } = decode(raw.body);
  const redacted = target.redact(text);
  return { status: raw.status, headers, text: redacted, json: parseJson(redacted), hasBom, invalidUtf8 };
}

function decode(bytes: Uint8Array): { text: string; hasBom: boolean; invalidUtf8: boolean } {
  const hasBom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), hasBom, invalidUtf8: false };
  } catch {
    return { text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), hasBom, invalidUtf8: true };
  }
}

const redactHeaders = (target: Target, headers: HeaderList): HeaderList => headers.map(([name, value]) => [target.redact(name), target.redact(value)]);

function knownAsker(target: Target, stimulus: Stimulus): KnownAsker | null {
  const holder = keyHolder(stimulus);
  const key = holder ? keyOf(target, holder) : undefined;
  return key ? { role: key.role, projectName: key.projectName, project: key.project } : null;
}
