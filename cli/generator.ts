// The k6 that sends timed requests: looked for, and built, when first needed.
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { Withheld } from "../harness/core/outcomes.ts";
import type { Redactor } from "../harness/core/secret.ts";
import type { Generator } from "../harness/transport/timedRequests.ts";
import { ensureK6, foundK6, type K6, lackOfK6, NoK6 } from "../load/k6/ensure.ts";
import { k6Generator } from "../load/k6/generator.ts";
import { waysToK6 } from "../load/k6/ways.ts";
import type { Invocation } from "./invocation.ts";
import { imageAddress } from "./version.ts";

const ensured = new WeakMap<Invocation, Promise<K6>>();

/**
 * One per command. The progress of a build goes to standard error, apart from output for programs.
 * @throws CommandLineError where K6_BIN names no usable one; NoK6 where there is none and none can be built
 */
export function k6For(invocation: Invocation): Promise<K6> {
  const made =
    ensured.get(invocation) ?? ensureK6({ environment: invocation.env, onProgress: (line) => invocation.warn(line) });
  ensured.set(invocation, made);
  return made;
}

/** @throws CommandLineError where there is none and none can be built */
export async function k6OrCommandLineError(invocation: Invocation): Promise<K6> {
  try {
    return await k6For(invocation);
  } catch (error) {
    if (!(error instanceof NoK6)) throw error;
    if (error.lack === null) throw new CommandLineError(error.message);
    throw new CommandLineError([`${error.lack} Three ways to one:`, ...waysToK6(imageAddress)].join("\n"));
  }
}

/** As the first lines of a run or load say it. */
export const k6Line = ({ version, path }: K6): string => `  sends by k6 ${version}, ${path}`;

/** How a k6 is found, made, or known to be lacking. */
export interface K6Source {
  readonly found: () => K6 | null;
  readonly make: () => Promise<K6>;
  readonly lacks: () => string | null;
}

const k6In = (invocation: Invocation): K6Source => ({
  found: () => foundK6({ environment: invocation.env }),
  make: () => k6For(invocation),
  lacks: () => lackOfK6({ environment: invocation.env }),
});

/**
 * Where there is no k6 and none can be built, what needs one is withheld: at once where known, else when needed.
 * @throws CommandLineError where K6_BIN names no usable one
 */
export function generatorByK6(invocation: Invocation, redact: Redactor): GeneratorByK6 {
  const source = k6In(invocation);
  if (invocation.env["K6_BIN"]) source.found();
  return generatorFrom(source, redact);
}

interface GeneratorByK6 extends Generator {
  /** The k6 that is here already, if one was looked for. */
  readonly seen: K6 | null;
}

export function generatorFrom({ found, make, lacks }: K6Source, redact: Redactor): GeneratorByK6 {
  let seen: K6 | null = null;
  const lookedFor = once(() => {
    const known = found();
    seen = known;
    return { known, lack: known ? null : lacks() };
  });
  let made: Promise<Generator> | null = null;
  return {
    get seen() {
      return seen;
    },
    get name() {
      const { known } = lookedFor();
      return known ? `k6 ${known.version}` : "k6";
    },
    get lacks() {
      return lookedFor().lack;
    },
    fire: async (timedRequests) => {
      const { known } = lookedFor();
      made ??= (known ? Promise.resolve(known) : make()).then((k6) => k6Generator(k6, { redact }));
      try {
        return await (await made).fire(timedRequests);
      } catch (error) {
        throw error instanceof NoK6 ? new Withheld({ kind: "noGenerator", detail: error.message }) : error;
      }
    },
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
