// assay proxy: forwards a client's requests to platforms, and judges what passes.
import { Command } from "commander";
import { sum } from "simple-statistics";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { RecordedCallers } from "../harness/recordings/callers.ts";
import type { Recorded } from "../harness/recordings/recorded.ts";
import { variablesInBases } from "../harness/targets/bases.ts";
import type { Target } from "../harness/targets/target.ts";
import { harFile } from "../proxy/harFile.ts";
import { type LiveState, startLivePage } from "../proxy/livePage.ts";
import { nothingSent, type StartedChild, startChild } from "./childCommand.ts";
import { portNamed, secondsNamed } from "./flags.ts";
import type { Invocation } from "./invocation.ts";
import { callersOf, judgesOthers } from "./judged.ts";
import { LiveExchanges, liveNamesOf } from "./liveExchanges.ts";
import { readersOf } from "./readers.ts";
import type { Signal } from "./signals.ts";
import { configLines, placeholder } from "./target.ts";
import { version } from "./version.ts";
import { type ProxyFlags, WatchedPlatform } from "./watchedPlatform.ts";
import { refuseUnwritable } from "./writeText.ts";

const betweenEvents_ms = 300;

export const proxyCommand = (invocation: Invocation): Command =>
  judgesOthers(
    new Command("proxy")
      .description("Forward a client's requests to a platform, and judge what passes.")
      .argument("[command...]", "after --: a command to run meanwhile, such as npm test")
      .option("--target <file>", "target file of the platform; its keys need not be set")
      .option("--upstream <urls...>", "addresses of platforms, instead of a target file")
      .option("--port <number>", "first port for clients (default: 8080, or free ones)")
      .option("--host <address>", "address to listen on", "127.0.0.1")
      .option("--page <port>", "port of the live page", "0")
      .option("--record <file>", "write what passes as HAR, without keys")
      .option("--every <time>", "write a run at this interval, such as 1h")
      .option("--fail-on-broken", "exit code 1 where a requirement is broken"),
  )
    .addHelpText(
      "after",
      "\nCtrl-C or the end of the command ends it.\n\nExample:\n  npx assay proxy --target acme.yaml -- npm test",
    )
    .action((command: readonly string[], flags: GivenFlags) => proxyAround(invocation, command, flags));

type GivenFlags = Omit<ProxyFlags, "port"> & Partial<Pick<ProxyFlags, "port">>;

/** Those of each platform. @throws CommandLineError where they say two things of one */
function flagsOfEach(flags: ProxyFlags): readonly ProxyFlags[] {
  const { target, upstream = [] } = flags;
  if (target !== undefined && upstream.length > 1)
    throw new CommandLineError("--target describes one platform. Name one --upstream with it, or leave --target out.");
  return upstream.length === 0 ? [flags] : upstream.map((base) => ({ ...flags, base }));
}

/** Around a command ports are free ones, so that two jobs don't meet, and a breach fails it. */
async function proxyAround(invocation: Invocation, command: readonly string[], given: GivenFlags): Promise<void> {
  if (command.length === 0) return proxy(invocation, command, { port: "8080", ...given });
  const flags = { port: "0", failOnBroken: true, ...given };
  if (flags.json === true) return proxy(invocation, command, flags);
  // Standard output is the command's own.
  const own = { ...invocation, print: invocation.warn, stdout: invocation.stderr };
  await proxy(own, command, flags);
  invocation.exitCode = own.exitCode;
}

async function proxy(invocation: Invocation, command: readonly string[], flags: ProxyFlags): Promise<void> {
  // From the first line that is printed a signal ends the run rather than the process.
  const ending = invocation.ending();
  const every_s = flags.every === undefined ? null : secondsNamed("--every", flags.every);
  const { watches, har, page, live, close } = await openProxies(invocation, flags, command.length > 0);
  let child: StartedChild | null = null;
  try {
    for (const watch of watches) watch.begin();
    const addresses = watches.flatMap((watch) => watch.addresses);
    if (command.length > 0)
      child = await startChild(command, { env: invocation.env, addresses, isJson: flags.json === true });
  } catch (error) {
    for (const watch of watches) watch.discard();
    await Promise.all([close(), page.close()]);
    throw error;
  }
  if (flags.json !== true)
    invocation.print(
      [...configLines(invocation), ...watches.flatMap(({ lines }) => lines), `Findings as they come: ${page.url}`].join(
        "\n",
      ),
    );
  const show = (notice = ""): void =>
    page.publish({ ...stateOf(watches), ...live.state, notice: har?.failure() ?? notice }, live.fresh());
  const timers = [setInterval(show, betweenEvents_ms)];
  if (every_s !== null) timers.push(setInterval(() => watches.forEach((watch) => watch.renew()), every_s * 1_000));
  const reason = child ? await endOfChild(invocation, ending, child) : `The proxy was ended by ${await ending}`;
  for (const timer of timers) clearInterval(timer);
  await close();
  har?.close();
  if (har?.failure())
    invocation.warn(`${flags.record} isn't complete: ${har.failure()}. What was judged still counts.`);
  show(`${reason}. This is all it forwarded.`);
  for (const watch of watches) {
    await watch.finish();
    if (watch.isInconclusive) invocation.exitCode ??= 3;
  }
  if (child) {
    if (stateOf(watches).forwarded === 0) invocation.warn(nothingSent(child));
    // What the command itself found comes first.
    invocation.exitCode = (await child.ended) || invocation.exitCode;
  }
  await page.close();
}

/** Waits for it, and passes signals on; says how it ended. */
async function endOfChild(invocation: Invocation, ending: Promise<Signal>, child: StartedChild): Promise<string> {
  let ignore = (): void => {};
  void ending.then((first) => {
    child.pass(first);
    ignore = invocation.onEnding(child.pass);
  });
  const code = await child.ended;
  ignore();
  return `${child.program} ended with exit code ${code}, and the proxy with it`;
}

/**
 * Clients know the keys in their addresses, so that the proxy needs only the platform's host.
 * @param hasCommand whether a command is given addresses
 * @throws CommandLineError where a variable in a base isn't set that is needed here
 */
function refuseUnknown({ bases, baseKeys }: Target, hasCommand: boolean): void {
  for (const { name, at } of variablesInBases(hasCommand ? bases : hostsOf(bases)))
    if (baseKeys.get(name)?.open() === placeholder)
      throw new CommandLineError(
        `${at.join(".")} takes its key from the environment variable ${name}, which isn't set, so that ` +
          `${hasCommand ? "the command's address" : "the platform's host"} isn't known. Set it (export ${name}=…).`,
      );
}

const hostsOf = (bases: Target["bases"]): Target["bases"] =>
  Object.fromEntries(Object.entries<string>(bases).map(([api, base]) => [api, base.split("/", 3).join("/")]));

/** @throws CommandLineError where a port is in use, or a file can't be read or written */
async function openProxies(invocation: Invocation, flags: ProxyFlags, hasCommand: boolean) {
  const first = portNamed("--port", flags.port);
  const pagePort = portNamed("--page", flags.page);
  if (flags.record !== undefined) refuseUnwritable("--record", flags.record);
  const record = async (recorded: Recorded, callers: RecordedCallers): Promise<void> => {
    if (!har) return;
    // Its keys must be known before it is shown.
    callers.note(recorded);
    await har.add(callers.hidden(recorded));
  };
  const live = new LiveExchanges();
  const watches = await Promise.all(
    flagsOfEach(flags).map(async (own, nth) => {
      const callers = callersOf(invocation, own);
      refuseUnknown(callers.target, hasCommand);
      const readers = await readersOf(invocation, own, callers.target);
      return new WatchedPlatform(invocation, { flags: own, nth, callers, readers, live }, record);
    }),
  );
  const redact = (text: string): string => watches.reduce((shown, { callers }) => callers.target.redact(shown), text);
  const har = flags.record === undefined ? null : harFile(flags.record, redact, version);
  const page = await startLivePage(pagePort, liveNamesOf(invocation.project.described.tables));
  const close = () => Promise.all(watches.map((watch) => watch.close()));
  try {
    let port = first;
    for (const watch of watches) port = await watch.listen(port);
  } catch (error) {
    await Promise.all([close(), page.close()]);
    throw error;
  }
  return { watches, har, page, live, close };
}

function stateOf(watches: readonly WatchedPlatform[]): Pick<LiveState, "target" | "proxy" | "forwarded" | "waiting"> {
  const counts = watches.map(({ queue }) => queue.counts());
  return {
    target: watches.map(({ callers }) => callers.target.name).join(", "),
    proxy: watches.flatMap(({ proxies }) => proxies.map(({ url }) => url)).join(", "),
    forwarded: sum(counts.flatMap((one) => Object.values(one))),
    waiting: sum(counts.map(({ waiting }) => waiting)),
  };
}
