// A command with the proxy around it: it gets the proxy's addresses, and its end ends the proxy.
import { once } from "node:events";
import { constants } from "node:os";
import { isatty } from "node:tty";
import spawn from "cross-spawn";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { programsOnPath } from "../harness/core/programs.ts";
import type { Environment } from "../harness/transport/route.ts";
import { listedTogether } from "../reports/lists.ts";
import type { Signal } from "./signals.ts";

/** Where clients find an API of a platform. */
export interface ClientAddress {
  readonly api: string;
  /** The API's, numbered from the second platform on: `rpc`, `rpc_2`. */
  readonly name: string;
  /** With the path of the platform's base. */
  readonly url: string;
  readonly base: string;
}

const variableOf = ({ name }: ClientAddress): string => `ASSAY_${name.toUpperCase().replaceAll(/\W/g, "_")}`;

/** One press of Ctrl-C comes twice where npm passes it on, too. */
const samePress_ms = 500;

/** As shells tell it. */
const codeAfter = (code: number | null, signal: NodeJS.Signals | null): number =>
  code ?? 128 + (signal === null ? 0 : constants.signals[signal]);

interface ChildOptions {
  readonly env: Environment;
  readonly addresses: readonly ClientAddress[];
  /** Whether Assay's own output alone is for a program; the command's then goes where Assay's messages go. */
  readonly isJson: boolean;
}

const noSuchProgram = (program: string, why: string): CommandLineError =>
  new CommandLineError(
    `${program} can't be started: ${why}. After --, name one as in: npx assay proxy --target acme.yaml -- npm test`,
  );

/** Its shell would start nevertheless, and end with 1, which is for findings. It looks in the current folder first. */
const isUnknownToWindows = (program: string, env: Environment): boolean =>
  process.platform === "win32" &&
  !/[\\/]/.test(program) &&
  [env, { PATH: ".", PATHEXT: env["PATHEXT"] }].every((searched) => programsOnPath(program, searched).length === 0);

/**
 * Starts it with this process's own input and output.
 * @param words a program and its arguments, where `{rpc}` stands for the address of that API
 * @throws CommandLineError where there is no such program
 */
export async function startChild(words: readonly string[], { env, addresses, isJson }: ChildOptions) {
  const [program = "", ...args] = words.map((word) =>
    addresses.reduce((text, { name, url }) => text.replaceAll(`{${name}}`, url), word),
  );
  const variables = Object.fromEntries(addresses.map((address) => [variableOf(address), address.url]));
  if (isUnknownToWindows(program, env)) throw noSuchProgram(program, "there is no such program");
  // Windows leaves batch files such as npm and npx to a shell, for which words are to be escaped.
  const child = spawn(program, args, {
    env: { ...env, ...variables },
    stdio: ["inherit", isJson ? 2 : "inherit", "inherit"],
  });
  const end = (): void => void child.kill();
  // Also where this process crashes.
  process.once("exit", end);
  const ended = new Promise<number>((resolve) => {
    child.once("exit", (code, signal) => {
      process.off("exit", end);
      resolve(codeAfter(code, signal));
    });
  });
  try {
    await once(child, "spawn");
  } catch (error) {
    process.off("exit", end);
    const { code, message } = error as NodeJS.ErrnoException;
    throw noSuchProgram(program, code === "ENOENT" ? "there is no such program" : message);
  }
  let passed_ms: number | undefined;
  return {
    program,
    variables: Object.keys(variables),
    /** Its exit code. */
    ended,
    /** Passes the first signal on; a second kills. */
    pass: (signal: Signal = "SIGTERM"): void => {
      if (passed_ms !== undefined) {
        if (performance.now() - passed_ms > samePress_ms) child.kill("SIGKILL");
        return;
      }
      passed_ms = performance.now();
      // A terminal has sent it to both.
      if (signal !== "SIGINT" || ![0, 1, 2].some((stream) => isatty(stream))) child.kill(signal);
    },
  };
}

export type StartedChild = Awaited<ReturnType<typeof startChild>>;

/** Nothing is judged where clients don't know of the proxy. */
export const nothingSent = ({ program, variables }: StartedChild): string =>
  `${program} sent nothing through the proxy, so nothing was judged. ` +
  `The addresses for it are in ${listedTogether(variables.map((name) => `$${name}`))}.`;
