// The reference judged without sockets: its fetch as the wire, in virtual time
import { fileURLToPath } from "node:url";
import { targetForm } from "../contracts/targets.ts";
import { type VirtualClock, virtualClock } from "../harness/core/clock.ts";
import type { Feature } from "../harness/core/interface.ts";
import { openEngine } from "../harness/engine/engine.ts";
import type { EngineOptions } from "../harness/engine/options.ts";
import type { Observed } from "../harness/model/probe.ts";
import type { Suite } from "../harness/model/suite.ts";
import type { Verdict } from "../harness/model/verdict.ts";
import type { Target } from "../harness/targets/target.ts";
import { readTarget } from "../harness/targets/targetFile.ts";
import { powerOver } from "../harness/transport/control.ts";
import { fetchedBy } from "../harness/transport/fetchWire.ts";
import { mutantHeader } from "../harness/transport/recording.ts";
import type { WireRequest } from "../harness/transport/wire.ts";
import { WireFault } from "../harness/transport/wireFault.ts";
import { ConnectionReset } from "../reference/access/limiter.ts";
import type { Bank } from "../reference/bundles/bank.ts";
import { demo, demoRoles } from "../reference/demo.ts";
import type { Variant } from "../reference/platform/mutant.ts";
import { createPlatform, type Platform } from "../reference/platform.ts";
import type { World } from "../reference/world.ts";
import { type Carry, InFlight, Timers, virtualGenerator } from "./virtualGenerator.ts";

const referenceFile = fileURLToPath(new URL("../targets/reference.yaml", import.meta.url));

/** Where virtual time begins, so that runs can be reproduced; Unix time in ms. */
export const virtualStart_ms = Date.parse("2026-01-15T10:00:00Z");

const controlToken = "in this process";

const base = "http://reference.assay.example";

/** A wire to a platform in this process. @throws Error for an answer from another mutant than the given one */
export function wireTo(platform: Platform, variant: Variant | undefined): Carry {
  return (request, _, socket) =>
    fetchedBy(async (asked, rawHeaders) => {
      const response = await platform
        .fetch(asked, { rawHeaders, ...(socket ? { socket } : {}) })
        .catch((error: unknown) => {
          throw error instanceof ConnectionReset ? new WireFault("reset", "the platform reset the connection") : error;
        });
      const mutant = response.headers.get(mutantHeader) ?? undefined;
      if (mutant === variant?.id) return response;
      const [wanted, got] = [variant?.id, mutant].map((id) => id ?? "the honest platform");
      throw new Error(`expected an answer from ${wanted}, got one from ${got}`);
    }, request);
}

export interface InProcessOptions {
  /** Whether there is a generator for timed requests, of which checks send hundreds. */
  readonly hasSchedules?: boolean;
  /** Another than one that each sleep advances at once. */
  readonly clockFrom?: (start_ms: number) => VirtualClock;
  /** Which requests get to the variant, where it is one replica of the platform and the other is honest. */
  readonly balancer?: Balancer;
  /** What bundles run on, instead of the platform's own. */
  readonly bank?: Bank;
}

/** Two replicas of one platform: they share its state. */
export interface Replicas {
  readonly honest: Carry;
  readonly faulty: Carry;
  readonly world: World;
  /** Unix time in ms. */
  readonly now_ms: () => number;
}

export type Balancer = (replicas: Replicas) => Carry;

/** Decides by the request, and by the state at that moment. */
export const balancedBy =
  (isFaulty: (request: WireRequest, replicas: Replicas) => boolean): Balancer =>
  (replicas) =>
  (request, ...rest) =>
    (isFaulty(request, replicas) ? replicas.faulty : replicas.honest)(request, ...rest);

/** A fresh world and its target at a base, with control by that token. */
export function freshWorld(controlToken: string): { readonly world: World; targetAt(base: string): Target } {
  const { world, keys } = demo();
  const environment = Object.fromEntries(
    Object.entries(demoRoles).map(([role, name]) => [name, keys[role as keyof typeof keys]]),
  );
  return {
    world,
    targetAt: (base) => ({
      ...readTarget(targetForm, referenceFile, environment, { embeddedBases: { admin: base, api: base, rpc: base } }),
      control: powerOver(base, controlToken),
    }),
  };
}

/** Options that judge a fresh world in this process; `variant` undefined: the honest platform. */
export function inProcess(
  suite: Suite,
  variant?: Variant,
  { hasSchedules = false, clockFrom = virtualClock, balancer, bank }: InProcessOptions = {},
): EngineOptions {
  const { world, targetAt } = freshWorld(controlToken);
  if (bank) world.book.bank = bank;
  const target = targetAt(base);
  const clock = clockFrom(virtualStart_ms);
  const timers = new Timers(clock);
  const platformOf = (changed: Variant | undefined): Platform =>
    createPlatform({
      world,
      now_ms: clock.now_ms,
      wait: (duration_ms) => timers.wait(duration_ms),
      controlToken,
      ...(changed ? { variant: changed } : {}),
    });
  // A platform that hangs is waited for in real time, unlike all else here.
  const deadline = variant?.rules?.rpc?.hangs ? { deadline_ms: 200 } : {};
  const direct = wireTo(platformOf(variant), variant);
  const faulty = variant?.proxy?.(direct) ?? direct;
  const honest = balancer && wireTo(platformOf(undefined), undefined);
  const wire = honest ? balancer({ honest, faulty, world, now_ms: clock.now_ms }) : faulty;
  const inFlight = new InFlight();
  return {
    suite,
    target,
    wire: inFlight.counting(wire),
    clock,
    ...(hasSchedules ? { generator: virtualGenerator(wire, clock, timers, inFlight) } : {}),
    ...deadline,
  };
}

/** What a run finds. */
export interface RunFindings {
  readonly verdicts: readonly Verdict[];
  readonly observed: readonly Observed[];
}

/** Runs to the end, on these features alone; on all that the target offers where they are null. */
export async function findingsOfRun(
  options: EngineOptions,
  features: readonly Feature[] | null = null,
): Promise<RunFindings> {
  const { target } = options;
  const observed: Observed[] = [];
  const engine = openEngine({ ...options, target: { ...target, offers: features ?? target.offers } });
  engine.events.on((event) => {
    if (event.event === "observation") observed.push(event.observation);
  });
  return { verdicts: await engine.run(), observed };
}
