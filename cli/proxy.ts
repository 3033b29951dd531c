// assay proxy: forwards a client's requests to platforms, and judges what passes.
import { join } from "node:path";
import { Command } from "commander";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { Callers } from "../harness/recordings/callers.ts";
import { startProxy } from "../proxy/forwarding.ts";
import { harFile } from "../proxy/harFile.ts";
import { type LiveState, startLivePage } from "../proxy/livePage.ts";
import { described } from "./described.ts";
import { portNamed, secondsNamed } from "./flags.ts";
import { callersOf, judgesOthers } from "./judged.ts";
import { endings, finishRun, readersOf } from "./runFolder.ts";
import { version } from "./version.ts";
import { type ProxyFlags, Watch } from "./watch.ts";
import { refuseUnwritable } from "./writeText.ts";

export const proxyCommand = (): Command =>
  judgesOthers(
    new Command("proxy")
      .description("Forward a client's requests to a platform, and judge what passes.")
      .option("--target <file>", "target file of the platform; its keys need not be set")
      .option("--upstream <urls...>", "addresses of platforms, instead of a target file")
      .option("--port <number>", "for clients; further hosts take the next", "8080")
      .option("--host <address>", "where it listens", "127.0.0.1")
      .option("--page <port>", "of the page that shows findings as they come", "0")
      .option("--record <file>", "write what passes as HAR, without keys")
      .option("--every <time>", "a run for each time, such as 1h, not one at the end")
      .option("--fail-on-broken", "exit code 1 where a requirement is broken"),
  )
    .addHelpText("after", "\nCtrl-C ends it.\n\nExample:\n  npx assay proxy --target acme.yaml --port 8080")
    .action(proxy);

/** One of these for each upstream, or one by the target file. @throws CommandLineError where nothing names one */
function platformsOf(flags: ProxyFlags): readonly Callers[] {
  const { target, upstream = [] } = flags;
  if (target !== undefined && upstream.length > 1)
    throw new CommandLineError("--target describes one platform. Name one --upstream with it, or leave --target out.");
  if (upstream.length === 0) return [callersOf(flags)];
  return upstream.map((base) => callersOf({ ...flags, base }));
}

async function proxy(flags: ProxyFlags): Promise<void> {
  // From the first line that is printed a signal ends the run rather than the process.
  const ending = new Promise<string>((done) => {
    for (const one of endings) process.once(one, done);
  });
  const port = portNamed("--port", flags.port);
  const every_s = flags.every === undefined ? null : secondsNamed("--every", flags.every);
  if (flags.record !== undefined) refuseUnwritable("--record", flags.record);
  const callers = platformsOf(flags);
  const redact = (text: string): string => callers.reduce((shown, { target }) => target.redact(shown), text);
  const har = flags.record === undefined ? null : harFile(flags.record, redact, version);
  const platforms = callers.map((one) => {
    const folder = flags.out !== undefined && callers.length > 1 ? join(flags.out, one.target.name) : flags.out;
    return { watch: new Watch(one, flags, folder, har), readers: readersOf(flags, one.target) };
  });
  const watches = platforms.map(({ watch }) => watch);
  const page = await startLivePage(portNamed("--page", flags.page));
  const closeAll = () => Promise.all(watches.flatMap(({ proxies }) => proxies.map((one) => one.close())));
  try {
    await listen(watches, port, flags.host);
    for (const watch of watches) watch.begin();
  } catch (error) {
    await Promise.all([closeAll(), page.close()]);
    throw error;
  }
  if (flags.json !== true) console.log([...watches.flatMap(linesOf), `Findings as they come: ${page.url}`].join("\n"));
  const show = (notice = ""): void => page.publish(stateOf(watches, har?.failure() ?? notice));
  const timers = [setInterval(show, 500)];
  if (every_s !== null) timers.push(setInterval(() => watches.forEach((watch) => watch.renew()), every_s * 1_000));
  const signal = await ending;
  for (const timer of timers) clearInterval(timer);
  await closeAll();
  for (const { queue } of watches) await queue.drain();
  har?.close();
  if (har?.failure())
    console.error(`${flags.record} isn't whole: ${har.failure()}. What was judged counts all the same.`);
  show(`ended by ${signal}`);
  const codes: number[] = [];
  for (const { watch, readers } of platforms) codes.push(await finishRun(watch.end(), readers, described));
  await page.close();
  const isInconclusive = codes.includes(3);
  process.exitCode = flags.failOnBroken && watches.some(({ hasBroken }) => hasBroken) ? 1 : isInconclusive ? 3 : 0;
}

/** A port for each host of each platform, one after the other. */
async function listen(watches: readonly Watch[], first: number, host: string): Promise<void> {
  let port = first;
  for (const { callers, queue, proxies } of watches)
    for (const origin of originsOf(callers)) {
      const upstream = new URL(origin);
      const { env: environment } = process;
      proxies.push(await startProxy({ upstream, port, host, environment, onExchange: queue.add }));
      if (first > 0) port += 1;
    }
}

const originsOf = ({ target }: Callers): readonly string[] => [
  ...new Set(Object.values<string>(target.bases).map((base) => new URL(base).origin)),
];

/** Where a client finds each API. */
function linesOf({ callers, proxies }: Watch): readonly string[] {
  const origins = originsOf(callers);
  return Object.entries<string>(callers.target.bases).map(([api, base]) => {
    const { origin, pathname } = new URL(base);
    return `${api}: ${proxies[origins.indexOf(origin)]?.url}${pathname.replace(/\/$/, "")} → ${base}`;
  });
}

function stateOf(watches: readonly Watch[], notice: string): LiveState {
  const reports = watches.map(({ judging }) => judging.judge.report);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
  return {
    target: watches.map(({ callers }) => callers.target.name).join(", "),
    proxy: watches.flatMap(({ proxies }) => proxies.map(({ url }) => url)).join(", "),
    forwarded: sum(watches.flatMap(({ queue }) => Object.values(queue.counts()))),
    judged: sum(reports.map(({ judged }) => judged)),
    unjudged: sum(reports.map(({ exchanges, judged }) => exchanges - judged)),
    operations: reports.flatMap(({ operations }) => operations),
    findings: watches.flatMap(({ findings }) => findings),
    notice,
  };
}
