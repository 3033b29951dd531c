// A load while it is sent: recorded as it comes, and ended by a signal or a full disk with what it has found.
import { nothingSpent } from "../harness/targets/budget.ts";
import type { LoadListener } from "../load/traffic/live.ts";
import type { Invocation } from "./invocation.ts";
import { endOnSignals, type Readers } from "./readers.ts";
import type { RunFolder } from "./runFolder.ts";
import type { Signal } from "./signals.ts";
import { noRoomIn } from "./writeText.ts";

/** What a load needs to be recorded and ended. */
export interface LiveLoad {
  readonly listener: LoadListener;
  /** Aborted where the load has to end; its reason says who ended it. */
  readonly ending: AbortSignal;
}

export function liveLoadIn(invocation: Invocation, folder: RunFolder, readers: Readers) {
  const { journal } = folder;
  const ender = new AbortController();
  let spentSoFar = nothingSpent;
  let failure: Error | null = null;
  /** What can't be recorded must not be sent. */
  const recorded = (write: () => void): void => {
    if (failure) return;
    try {
      write();
    } catch (error) {
      failure = error as Error;
      ender.abort(noRoomIn(error) ? "a full disk" : "a file that can't be written");
    }
  };
  let ignoreSignals: () => void = () => {};
  const end = (signal?: Signal): void => {
    ignoreSignals();
    // A second one ends it at once, with what is recorded.
    ignoreSignals = endOnSignals(invocation, folder, readers);
    ender.abort(signal ?? "its closed output");
  };
  ignoreSignals = invocation.onEnding(end);
  const listener: LoadListener = {
    exchange: (exchange) => recorded(() => journal.note({ event: "exchange", exchange })),
    broken: (verdict) => recorded(() => journal.note({ event: "verdict", verdict, spent: spentSoFar })),
    report: (load, spent) => {
      spentSoFar = spent;
      recorded(() => journal.write({ record: "load", load, spent }));
    },
  };
  return {
    live: { listener, ending: ender.signal } satisfies LiveLoad,
    ignoreSignals: () => ignoreSignals(),
    /** What couldn't be recorded; null where all was. */
    failure: () => failure,
  };
}
