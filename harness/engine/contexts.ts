// Contexts: what a check or a probe may do in one run.
import type { Clock, Wait } from "../core/clock.ts";
import type { Generation } from "../core/generation.ts";
import type { RequestSpec } from "../core/requestSpec.ts";
import type { Check, CheckContext, Needs } from "../model/check.ts";
import type { Target } from "../targets/target.ts";
import type { Exchange } from "../transport/exchange.ts";
import { durationOf_ms, type TimedRequest } from "../transport/timedRequests.ts";
import type { Ledger } from "./ledger.ts";
import type { Isolate, projectsOf } from "./projects.ts";
import type { Retry } from "./retry.ts";
import type { RunCache } from "./runCache.ts";
import type { TimedSending } from "./timedSending.ts";

interface Parts extends Pick<CheckContext, "isRunnable" | "elsewhere" | "mostSends"> {
  readonly clock: Clock;
  onWait(wait: Wait): void;
  readonly target: Target;
  readonly generation: Generation;
  readonly runCache: RunCache;
  readonly ledger: Ledger;
  readonly projects: ReturnType<typeof projectsOf>;
  readonly retry: Retry;
  readonly timed: TimedSending;
  /** For generated cases; null where they aren't isolated. */
  readonly isolate: Isolate | null;
  /** The request spec with its carrier decided. */
  carried(requestSpec: RequestSpec): RequestSpec;
}

/** @param check that sends it; none where it is null */
export function contextFor(check: Check | null, { settles }: Partial<Needs>, parts: Parts): CheckContext {
  const { runCache, ledger, projects, retry, timed, isolate, carried, clock, onWait, ...given } = parts;
  const isolated: Isolate = (check?.needs.generates && isolate) || ((requestSpec) => Promise.resolve(requestSpec));
  const note = (exchange: Exchange): Exchange => {
    if (check) ledger.note(check, exchange);
    return exchange;
  };
  return {
    ...runCache,
    ...given,
    exchanges: () => ledger.exchanges,
    now_ms: () => clock.now_ms(),
    project: (wish = {}) => projects.make(wish),
    ask: async (requestSpec) => note(await retry.ask(carried(await isolated(requestSpec)), check)),
    wait: (duration_ms, on = settles && "charges") => {
      if (on) onWait({ on, from_ms: clock.now_ms(), duration_ms });
      return clock.sleep(duration_ms);
    },
    sendSchedule: async (name, timedRequests) => {
      let first: RequestSpec | undefined;
      const announced = async (): Promise<readonly TimedRequest[]> => {
        const all = await timedRequests();
        first = all[0]?.requestSpec;
        onWait({ on: "schedule", from_ms: clock.now_ms(), duration_ms: durationOf_ms(all) });
        return all;
      };
      const sending = timed.timedResults(name, announced, check);
      await sending.catch(() => first && retry.explained(first, sending));
      const timedResults = await sending;
      for (const { exchange } of timedResults) note(exchange);
      return timedResults;
    },
    atOnce: async (requestSpecs) => timed.atOnce(await Promise.all(requestSpecs.map(isolated)), check, note),
  };
}
