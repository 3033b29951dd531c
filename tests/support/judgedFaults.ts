// Runs of the engine against a platform that fails on chosen requests, over real sockets.

import { contractSuite } from "../../contracts/suite.ts";
import { targetForm } from "../../contracts/targets.ts";
import { realClock } from "../../harness/core/clock.ts";
import { openEngine } from "../../harness/engine/engine.ts";
import type { EngineOptions } from "../../harness/engine/options.ts";
import { shownVerdict } from "../../harness/model/shown.ts";
import { exitCodeOf, type Verdict } from "../../harness/model/verdict.ts";
import type { Target } from "../../harness/targets/target.ts";
import { readTarget } from "../../harness/targets/targetFile.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { networkWire, type Wire, type WireRequest } from "../../harness/transport/wire.ts";
import { type Faulty, faulty, type Heard, type Misbehaviour } from "./faultyPlatform.ts";
import { smallBound_bytes } from "./misbehaviours.ts";
import { smallEnvironment, smallTarget, targetFile } from "./vendor.ts";

/** The smallest target on a base. @param lines further ones of its file */
export const smallTargetAt = (base: string, lines = ""): Target =>
  readTarget(targetForm, targetFile(smallTarget(base) + lines), smallEnvironment);

/** The cause of a fault: a server that misbehaves, or another wire for the request. */
export type Failing = { readonly how: Misbehaviour } | { readonly instead: Instead };

export interface Instead {
  readonly wire: Wire;
  close(): Promise<void>;
}

export type Judged = Awaited<ReturnType<typeof judged>>;

export interface JudgingOptions extends Pick<EngineOptions, "deadline_ms" | "only"> {
  /** Nothing by default. */
  readonly failing?: Failing;
  readonly when?: (heard: Heard) => boolean;
  /** The target file for a base; the smallest one by default. */
  readonly target?: (base: string) => string;
  readonly environment?: Readonly<Record<string, string>>;
}

export async function judged({
  failing = { how: () => undefined },
  when = () => false,
  target = smallTarget,
  environment = smallEnvironment,
  ...options
}: JudgingOptions) {
  const server = await faulty("how" in failing ? { when, how: failing.how } : {});
  const network = networkWire({ environment: {}, largestBody_bytes: smallBound_bytes });
  const exchanges: Exchange[] = [];
  const engine = openEngine({
    suite: contractSuite,
    target: readTarget(targetForm, targetFile(target(`http://127.0.0.1:${server.port}`)), environment),
    wire: "how" in failing ? network.wire : diverted(network.wire, failing.instead.wire, when),
    clock: realClock,
    ...options,
  });
  engine.events.on((event) => {
    if (event.event === "exchange") exchanges.push(event.exchange);
  });
  const verdicts = (await engine.run()).map(shownVerdict);
  await Promise.all([network.close(), server.close()]);
  const named = (name: Verdict["verdict"]): string[] =>
    verdicts.filter(({ verdict }) => verdict === name).map(({ id }) => id);
  return { verdicts, exchanges, exitCode: exitCodeOf(verdicts, true), holds: named("holds"), broken: named("broken") };
}

/** Sends chosen requests through another wire. */
function diverted(usual: Wire, instead: Wire, when: (heard: Heard) => boolean): Wire {
  let nth = 0;
  return (request, signal) => {
    nth += 1;
    return (when(heardOf(request, nth)) ? instead : usual)(request, signal);
  };
}

function heardOf({ method, url, headers }: WireRequest, nth: number): Heard {
  const { pathname, search, searchParams } = new URL(url);
  const key = headers.find(([name]) => name.toLowerCase() === "x-api-key")?.[1] ?? searchParams.get("api-key");
  return { method, path: pathname + search, key, nth };
}

/** The same request, sent to another origin. */
export function at(origin: string, environment: Readonly<Record<string, string>> = {}, server?: Faulty): Instead {
  const { wire, close } = networkWire({ environment });
  return {
    wire: (request, signal) => wire({ ...request, url: request.url.replace(/^http:\/\/[^/]+/, origin) }, signal),
    close: async () => {
      await Promise.all([close(), server?.close()]);
    },
  };
}
