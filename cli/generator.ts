// The k6 that sends timed requests: looked for at once, built when first needed.
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { Withheld } from "../harness/core/outcomes.ts";
import type { Redactor } from "../harness/core/secret.ts";
import type { Generator, NoGenerator } from "../harness/transport/timedRequests.ts";
import { ensureK6, foundK6, type K6, lackOfK6, NoK6 } from "../load/k6/ensure.ts";
import { k6Generator } from "../load/k6/generator.ts";

/** The progress of a build goes to standard error, apart from output for programs. */
const report = (line: string): void => console.error(line);

let ensured: Promise<K6> | null = null;

/**
 * One per command.
 * @throws CommandLineError where K6_BIN names no usable one; NoK6 where there is none and none can be built
 */
export const k6Here = (): Promise<K6> => (ensured ??= ensureK6({ onProgress: report }));

/** @throws CommandLineError where there is none and none can be built */
export async function k6OrCommandLineError(): Promise<K6> {
  try {
    return await k6Here();
  } catch (error) {
    throw error instanceof NoK6 ? new CommandLineError(error.message) : error;
  }
}

const here = { found: foundK6, make: k6Here, lacks: lackOfK6 };

/**
 * Where there is no k6 and none can be built, what needs one is withheld: at once where known, else when needed.
 * @throws CommandLineError where K6_BIN names no usable one
 */
export function generatorByK6(redact: Redactor, { found, make, lacks } = here): Generator | NoGenerator {
  const known = found();
  const lack = known ? null : lacks();
  if (lack !== null) return { lacks: lack };
  let made: Promise<Generator> | null = known ? Promise.resolve(k6Generator(known, { redact })) : null;
  return {
    name: known ? `k6 ${known.version}` : "k6",
    fire: async (timedRequests) => {
      made ??= make().then((k6) => k6Generator(k6, { redact }));
      try {
        return await (await made).fire(timedRequests);
      } catch (error) {
        throw error instanceof NoK6 ? new Withheld(error.message) : error;
      }
    },
  };
}
