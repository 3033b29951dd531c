// Contexts: what a check or a probe may do in one run.
import type { Generation } from "../core/generation.ts";
import type { Stimulus } from "../core/stimulus.ts";
import type { Check, CheckContext } from "../model/check.ts";
import type { Target } from "../target/target.ts";
import type { Exchange } from "../transport/exchange.ts";
import type { Inquiry } from "./inquiry.ts";
import type { Ledger } from "./ledger.ts";
import type { Memory } from "./memory.ts";
import type { Isolate, projectsOf } from "./projects.ts";
import type { TimedSending } from "./timedSending.ts";

interface Parts extends Pick<CheckContext, "isRunnable" | "wait"> {
  readonly target: Target;
  readonly generation: Generation;
  readonly memory: Memory;
  readonly ledger: Ledger;
  readonly projects: ReturnType<typeof projectsOf>;
  readonly inquiry: Inquiry;
  readonly timed: TimedSending;
  /** For generated cases; null where they aren't isolated. */
  readonly isolate: Isolate | null;
  /** The stimulus with its carrier decided. */
  carried(stimulus: Stimulus): Stimulus;
}

/** @param check which what is sent is noted as; none where it is null */
export function contextFor(check: Check | null, parts: Parts): CheckContext {
  const { memory, ledger, projects, inquiry, timed, isolate, carried, ...given } = parts;
  const isolated: Isolate = (check?.needs.generates && isolate) || ((stimulus) => Promise.resolve(stimulus));
  const note = (exchange: Exchange): Exchange => {
    if (check) ledger.note(check, exchange);
    return exchange;
  };
  return {
    ...memory,
    ...given,
    exchanges: () => ledger.exchanges,
    project: (wish = {}) => projects.make(wish),
    ask: async (stimulus) => note(await inquiry.ask(carried(await isolated(stimulus)), check)),
    sendSchedule: async (name, timedRequests) => {
      const timedResults = await timed.timedResults(name, timedRequests, check);
      for (const { exchange } of timedResults) note(exchange);
      return timedResults;
    },
    atOnce: async (stimuli) => timed.atOnce(await Promise.all(stimuli.map(isolated)), check, note),
  };
}
