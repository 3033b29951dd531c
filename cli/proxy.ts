// assay proxy: forwards a client's requests to platforms, and judges what passes.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { Command } from "commander";
import { sum } from "simple-statistics";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { RequirementId } from "../harness/core/interface.ts";
import type { RecordedCallers } from "../harness/recordings/callers.ts";
import { type JudgedCall, unjudgedCall } from "../harness/recordings/judge.ts";
import type { Recorded } from "../harness/recordings/recorded.ts";
import { startProxy } from "../proxy/forwarding.ts";
import { harFile } from "../proxy/harFile.ts";
import { type LiveState, startLivePage } from "../proxy/livePage.ts";
import { queueBefore } from "../proxy/queue.ts";
import { kindOf } from "../reports/words.ts";
import { type ClientAddress, nothingSent, type StartedChild, startChild } from "./childCommand.ts";
import { portNamed, secondsNamed } from "./flags.ts";
import type { Invocation } from "./invocation.ts";
import { callersOf, type JudgedFlags, judgesOthers, type OpenJudging, openJudging } from "./judged.ts";
import { LiveExchanges, liveNamesOf } from "./liveExchanges.ts";
import { fallenLines } from "./progress.ts";
import { finishRun, type Readers, readersOf } from "./readers.ts";
import { callOf } from "./replayLine.ts";
import type { Signal } from "./signals.ts";
import { version } from "./version.ts";
import { refuseUnwritable } from "./writeText.ts";

const betweenEvents_ms = 300;

export const proxyCommand = (invocation: Invocation): Command =>
  judgesOthers(
    new Command("proxy")
      .description("Forward a client's requests to a platform, and judge what passes.")
      .argument("[command...]", "after --: a command to run meanwhile, such as npm test")
      .option("--target <file>", "target file of the platform; its keys need not be set")
      .option("--upstream <urls...>", "addresses of platforms, instead of a target file")
      .option("--port <number>", "port for clients; further hosts take the next ones (default: 8080, or free ones)")
      .option("--host <address>", "address to listen on", "127.0.0.1")
      .option("--page <port>", "port of the live page", "0")
      .option("--record <file>", "write what passes as HAR, without keys")
      .option("--every <time>", "write a run at this interval, such as 1h")
      .option("--fail-on-broken", "exit code 1 where a requirement is broken"),
  )
    .addHelpText(
      "after",
      "\nCtrl-C or the end of the command ends it.\n\nExamples:\n  npx assay proxy --target acme.yaml --port 8080\n" +
        "  npx assay proxy --target acme.yaml -- npm test",
    )
    .action((command: readonly string[], flags: GivenFlags) => proxyAround(invocation, command, flags));

interface ProxyFlags extends JudgedFlags {
  readonly upstream?: readonly string[];
  readonly port: string;
  readonly host: string;
  readonly page: string;
  readonly record?: string;
  readonly every?: string;
  readonly failOnBroken?: boolean;
}

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
  const { watches, har, page, live, close } = await openProxies(invocation, flags);
  let child: StartedChild | null = null;
  try {
    const addresses = watches.flatMap((watch) => watch.addresses);
    if (command.length > 0)
      child = await startChild(command, { env: invocation.env, addresses, isJson: flags.json === true });
    for (const watch of watches) watch.begin();
  } catch (error) {
    await Promise.all([close(), page.close()]);
    throw error;
  }
  if (flags.json !== true)
    invocation.print([...watches.flatMap(({ lines }) => lines), `Findings as they come: ${page.url}`].join("\n"));
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

/** @throws CommandLineError where a port is in use, or a file can't be read or written */
async function openProxies(invocation: Invocation, flags: ProxyFlags) {
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
      const readers = await readersOf(invocation, own, callers.target);
      return new Watch(invocation, { flags: own, nth, callers, readers, live }, record);
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

function stateOf(watches: readonly Watch[]): Pick<LiveState, "target" | "proxy" | "forwarded" | "waiting"> {
  const counts = watches.map(({ queue }) => queue.counts());
  return {
    target: watches.map(({ callers }) => callers.target.name).join(", "),
    proxy: watches.flatMap(({ proxies }) => proxies.map(({ url }) => url)).join(", "),
    forwarded: sum(counts.flatMap((one) => Object.values(one))),
    waiting: sum(counts.map(({ waiting }) => waiting)),
  };
}

/** A platform, who calls it, and who reads what is found. */
interface Watched {
  readonly flags: ProxyFlags;
  /** Which of several platforms it is, from 0 on. */
  readonly nth: number;
  readonly callers: RecordedCallers;
  readonly readers: Readers;
  readonly live: LiveExchanges;
}

/** Its proxies and their queue, and the run that judges what passes; a run for each time where `--every` says so. */
class Watch {
  readonly callers: RecordedCallers;
  /** Where clients connect. */
  readonly proxies: Awaited<ReturnType<typeof startProxy>>[] = [];
  readonly queue: ReturnType<typeof queueBefore>;
  readonly #flags: ProxyFlags;
  readonly #nth: number;
  readonly #invocation: Invocation;
  readonly #readers: Readers;
  /** Set once it has begun. */
  judging!: OpenJudging;
  /** In all runs that have ended. */
  #judged = 0;
  #hasFailed = false;

  constructor(
    invocation: Invocation,
    { flags, nth, callers, readers, live }: Watched,
    record: (recorded: Recorded, callers: RecordedCallers) => Promise<void>,
  ) {
    this.callers = callers;
    this.#flags = flags;
    this.#nth = nth;
    this.#invocation = invocation;
    this.#readers = readers;
    const unread = "more at once than could be judged";
    const platform = (flags.upstream?.length ?? 0) > 1 ? callers.target.name : "";
    this.queue = queueBefore({
      judge: async (recorded) => {
        let { judge } = this.judging;
        const kindOn = (id: RequirementId) => kindOf(judge.verdictOn(id));
        const add = (calls: readonly JudgedCall[]) => live.add({ recorded, calls, callers, platform, kindOn });
        try {
          await record(recorded, callers);
          // Another run may have begun meanwhile.
          ({ judge } = this.judging);
          add(await judge.add(recorded));
        } catch (error) {
          add([unjudgedCall(`Assay's judge failed (${(error as Error).message})`)]);
          throw error;
        }
      },
      onFull: () => {
        void this.judging.judge.add({ unread });
        live.leaveOut(unread);
      },
      running: () => sum(this.proxies.map((one) => one.running())),
    });
  }

  /** A port for each host, one after the other; gives the next. @throws CommandLineError where one is in use */
  async listen(first: number): Promise<number> {
    let port = first;
    const { host } = this.#flags;
    const { env: environment } = this.#invocation;
    for (const base of Object.values<string>(this.callers.target.bases)) {
      const upstream = new URL(base);
      if (this.proxies.some(({ origin }) => origin === upstream.origin)) continue;
      this.proxies.push(await startProxy({ upstream, port, host, environment, onExchange: this.queue.add }));
      if (first > 0) port += 1;
    }
    return port;
  }

  /** Where a client finds each API. */
  get addresses(): readonly ClientAddress[] {
    return Object.entries<string>(this.callers.target.bases).map(([api, base]) => {
      const { origin, pathname } = new URL(base);
      const proxy = this.proxies.find((one) => one.origin === origin)?.url ?? "";
      const name = this.#nth === 0 ? api : `${api}_${this.#nth + 1}`;
      return { api, name, url: `${proxy}${pathname.replace(/\/$/, "")}`, base };
    });
  }

  get lines(): readonly string[] {
    return this.addresses.map(({ api, url, base }) => `${api}: ${url} → ${base}`);
  }

  /** @throws CommandLineError where its folder can't be made */
  begin(): void {
    const { base, upstream = [], every, out: folder, json, failOnBroken } = this.#flags;
    const invocation = this.#invocation;
    // Each platform has a run of its own, and each run the command for its platform.
    const ofPlatform = { ...this.#flags, base: undefined, upstream: base };
    const call = callOf(invocation.program, ["proxy"], ofPlatform);
    const began = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
    const below = [upstream.length > 1 ? this.callers.target.name : "", every === undefined ? "" : began];
    const out = folder === undefined ? {} : { out: join(folder, ...below) };
    this.judging = openJudging(invocation, this.callers, { ...this.#flags, ...out, call }, (verdict, exchange) => {
      if (failOnBroken && kindOf(verdict) === "broken") invocation.exitCode = 1;
      if (verdict.breaches.length === 1 && json !== true)
        invocation.print(fallenLines(invocation, verdict, exchange).join("\n"));
    });
  }

  #end(): void {
    const failure = this.queue.failure();
    const sources = this.proxies.map(({ url }) => `the proxy at ${url}`);
    this.judging.end(sources, failure ? `Assay's judge failed (${(failure as Error).message})` : undefined);
    this.#judged += this.judging.judge.report.judged;
    this.#hasFailed ||= failure !== null;
  }

  /** Whether nothing was judged in any run, or the judge failed in one; a run without traffic isn't news. */
  get isInconclusive(): boolean {
    return this.#hasFailed || this.#judged === 0;
  }

  /** Ends the run and begins another; the reports are made in processes of their own, so that no client waits. */
  renew(): void {
    const { history } = this.#readers;
    const { path } = this.judging.folder;
    const { launcher, env } = this.#invocation;
    const run = (...args: readonly string[]) =>
      spawn(process.execPath, [launcher, ...args], { env, stdio: ["ignore", "ignore", 2] });
    try {
      this.#end();
      this.begin();
      run("report", path);
      const from = history?.vantage == null ? [] : ["--vantage", history.vantage];
      if (history) run("history", "import", path, "--history", history.file, ...from);
    } catch (error) {
      // Clients are served even if our disk is full.
      this.#invocation.warn(`No new run could be started (${(error as Error).message}); the previous one continues.`);
    }
  }

  /** No more is forwarded, and what was is judged. */
  async close(): Promise<void> {
    await Promise.all(this.proxies.map((one) => one.close()));
    await this.queue.drain();
  }

  async finish(): Promise<void> {
    this.#end();
    await finishRun(this.#invocation, this.judging.folder, this.#readers);
  }
}
