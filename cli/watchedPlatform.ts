// A platform behind `assay proxy`: its proxies, the queue before the judge, and the runs that are written.
import { spawn } from "node:child_process";
import { rmdirSync } from "node:fs";
import { join } from "node:path";
import { sum } from "simple-statistics";
import { childEnvironment } from "../harness/core/children.ts";
import type { Api, RequirementId } from "../harness/core/interface.ts";
import { journalName } from "../harness/record/journal.ts";
import { removeHalf } from "../harness/record/wholeFile.ts";
import type { RecordedCallers } from "../harness/recordings/callers.ts";
import { type JudgedCall, unjudgedCall } from "../harness/recordings/judge.ts";
import type { Recorded } from "../harness/recordings/recorded.ts";
import { baseOf } from "../harness/targets/bases.ts";
import { startProxy } from "../proxy/forwarding.ts";
import { queueBefore } from "../proxy/queue.ts";
import { kindOf } from "../reports/words.ts";
import type { ClientAddress } from "./childCommand.ts";
import type { Invocation } from "./invocation.ts";
import { type JudgedFlags, type OpenJudging, openJudging } from "./judged.ts";
import type { LiveExchanges } from "./liveExchanges.ts";
import { fallenLines } from "./progress.ts";
import { finishRun, type Readers } from "./readers.ts";
import { callOf } from "./replayLine.ts";

export interface ProxyFlags extends JudgedFlags {
  readonly upstream?: readonly string[];
  readonly port: string;
  readonly host: string;
  readonly page: string;
  readonly record?: string;
  readonly every?: string;
  readonly failOnBroken?: boolean;
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
export class WatchedPlatform {
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

  /** Two ports for each host, one for WebSockets; gives the next. @throws CommandLineError where one is in use */
  async listen(first: number): Promise<number> {
    let port = first;
    const { host } = this.#flags;
    const { env: environment } = this.#invocation;
    const { target } = this.callers;
    for (const api of Object.keys(target.bases) as Api[]) {
      const upstream = new URL(baseOf(target, api) ?? "");
      if (this.proxies.some(({ origin }) => origin === upstream.origin)) continue;
      this.proxies.push(
        await startProxy({ upstream, port, host, environment, redact: target.redact, onExchange: this.queue.add }),
      );
      if (first > 0) port += 2;
    }
    return port;
  }

  /** Where a client finds each API. */
  get addresses(): readonly ClientAddress[] {
    const { target } = this.callers;
    return Object.entries<string>(target.bases).map(([api, base]) => {
      const { origin, pathname } = new URL(baseOf(target, api as Api) ?? "");
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

  /** Takes back a run that has just begun, where nothing will pass. */
  discard(): void {
    const { judging } = this as Partial<Pick<WatchedPlatform, "judging">>;
    if (judging === undefined) return;
    removeHalf(join(judging.folder.path, journalName));
    try {
      rmdirSync(judging.folder.path);
    } catch {
      // It was there before, and holds something else.
    }
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
    const { launcher } = this.#invocation;
    const env = childEnvironment("node", this.#invocation.env);
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
