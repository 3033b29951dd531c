// What a run is given: the suite, the target, the way out, and which part of it is wanted.
import type { Clock } from "../core/clock.ts";
import { defaultGeneration, type Generation } from "../core/generation.ts";
import type { ObservationId, RequirementId } from "../core/interface.ts";
import { KeyHider } from "../core/secret.ts";
import type { Suite } from "../model/suite.ts";
import type { Target } from "../targets/target.ts";
import type { Handshake } from "../transport/handshake.ts";
import type { Generator, NoGenerator } from "../transport/timedRequests.ts";
import type { TransportOptions } from "../transport/transport.ts";
import type { Wire } from "../transport/wire.ts";

export interface EngineOptions extends Pick<TransportOptions, "deadline_ms"> {
  readonly suite: Suite;
  readonly target: Target;
  readonly wire: Wire;
  readonly clock: Clock;
  readonly only?: readonly RequirementId[] | null;
  /** What answers break besides `only` counts, too. */
  readonly allFindings?: boolean;
  /** The first breach that fails ends the run. */
  readonly failFast?: boolean;
  /** Nothing is tried after so many seconds. */
  readonly most_s?: number;
  /** Implied requirements fail on vendors too. */
  readonly impliedFails?: boolean;
  /** What the target renames fails, too. */
  readonly renamedFails?: boolean;
  /** A known deviation that is gone fails, too. */
  readonly fixedFails?: boolean;
  /** Only these are observed; all probes where this and `only` are left out. */
  readonly observe?: readonly ObservationId[];
  /** Of generated cases; by default what is usual for the target. */
  readonly generation?: Generation;
  /** Makes bare TLS handshakes; without it no probe observes protocols. */
  readonly handshake?: Handshake;
  /** What sends schedules, or why nothing does. */
  readonly generator?: Generator | NoGenerator;
}

export type OwnOptions = EngineOptions & Required<Pick<EngineOptions, "generation">>;

/** The options of one run: its target is a copy, to which keys of test projects and samples are added. */
export function ownOptions(options: EngineOptions) {
  const keys = new Map(options.target.keys);
  const hider = new KeyHider();
  const redact = (text: string): string => hider.hide(options.target.redact(text));
  const target = { ...options.target, keys, redact };
  return { ...options, target, generation: options.generation ?? defaultGeneration(target), keys, hider };
}
