// Vendors that refuse, or fall silent, whatever they are asked: the reference plays them, and counts what it refuses
import type { WireAnswer, WireRequest } from "../../harness/transport/wire.ts";
import { WireFault } from "../../harness/transport/wireFault.ts";
import { asVendor, type Between, outcomeOf } from "./probeSpecs.ts";
import { answered, enveloped } from "./vendorsInProcess.ts";

/** What a request meets. */
export interface Met {
  readonly request: WireRequest;
  /** 1 for the first. */
  readonly nth: number;
  readonly now_ms: number;
  readonly method: string;
  readonly params: string;
}

/** Answers instead of the platform, or takes the connection away; null where the platform answers. */
export type Habit = (met: Met) => WireAnswer | "silence" | null;

/** Token accounts and compression of a vendor with a habit, as it is judged; implied requirements fail. */
export async function judgedWith(habit: Habit, only: readonly string[] = ["CB", "TA"]) {
  let [nth, refused] = [0, 0];
  const between: Between = (wire, clock) => (request, signal) => {
    nth += 1;
    const { method = "", params = null } = JSON.parse(request.body ?? "{}") as { method?: string; params?: unknown };
    const answer = habit({ request, nth, now_ms: clock.now_ms(), method, params: JSON.stringify(params) });
    if (answer === null) return wire(request, signal);
    refused += 1;
    if (answer === "silence") return Promise.reject(new WireFault("refused", "ECONNREFUSED: nothing listens"));
    return Promise.resolve(answer);
  };
  const outcome = await outcomeOf({
    only: null,
    checks: ({ ids, shows }) => [...ids, ...shows].some((id) => only.some((one) => id.startsWith(one))),
    between,
    // What was sent earlier is answered earlier, as by real servers: no time passes while an answer is read.
    clockFrom: "stepped",
    target: asVendor({ offers: ["compression", "tokenAccounts"], perSecond: 2 }),
    observe: [],
    impliedFails: true,
  });
  const reasons = new Set(outcome.verdicts.flatMap((one) => (one.verdict === "inconclusive" ? [one.reason] : [])));
  return { ...outcome, reasons: [...reasons], sent: nth, refused };
}

/** Refuses with an envelope. */
export const refusal = ({ request }: Met, code: number, message: string): WireAnswer =>
  enveloped(request, { error: { code, message } });

/** Refuses as an edge does. */
export const bare = (status: number, message: string): WireAnswer => answered(status, { error: "Refused", message });

/** One request a second. */
export function limited(code: number, message: string): Habit {
  let last_ms = Number.NEGATIVE_INFINITY;
  return (met) => {
    if (met.now_ms - last_ms < 900) return refusal(met, code, message);
    last_ms = met.now_ms;
    return null;
  };
}
