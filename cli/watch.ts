// What passes one proxy: judged, told as it falls, and left as a run.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describeGot } from "../harness/core/finding.ts";
import { requirementOf } from "../harness/core/interface.ts";
import type { Callers } from "../harness/recordings/callers.ts";
import type { startProxy } from "../proxy/forwarding.ts";
import type { harFile } from "../proxy/harFile.ts";
import type { LiveFinding } from "../proxy/livePage.ts";
import { queueBefore } from "../proxy/queue.ts";
import { paintFor } from "../reports/terminal.ts";
import { kindOf } from "../reports/words.ts";
import { program, quoted } from "./flags.ts";
import { type JudgedFlags, type Judging, openJudging } from "./judged.ts";
import { fallenLines } from "./progress.ts";
import type { RunFolder } from "./runFolder.ts";

export interface ProxyFlags extends JudgedFlags {
  readonly upstream?: readonly string[];
  readonly port: string;
  readonly host: string;
  readonly page: string;
  readonly record?: string;
  readonly every?: string;
  readonly failOnBroken?: boolean;
}

const launcher = fileURLToPath(new URL("assay.js", import.meta.url));

/** What passes to one platform: its queue, its findings, and the run that judges it. */
export class Watch {
  readonly callers: Callers;
  /** Where clients connect. */
  readonly proxies: Awaited<ReturnType<typeof startProxy>>[] = [];
  readonly queue: ReturnType<typeof queueBefore>;
  readonly #flags: ProxyFlags;
  readonly #folder: string | undefined;
  /** Set once it has begun. */
  judging!: Judging;
  /** In this run, or one before. */
  hasBroken = false;

  constructor(callers: Callers, flags: ProxyFlags, folder: string | undefined, har: ReturnType<typeof harFile> | null) {
    [this.callers, this.#flags, this.#folder] = [callers, flags, folder];
    this.queue = queueBefore({
      judge: async (recorded) => {
        try {
          await this.judging.judge.add(recorded);
        } finally {
          // Its keys are known by now.
          await har?.add(callers.hidden(recorded));
        }
      },
      onFull: () => void this.judging.judge.add({ unread: "more at once than could be judged" }),
      running: () => this.proxies.reduce((sum, one) => sum + one.running(), 0),
    });
  }

  /** @throws CommandLineError where its folder can't be made */
  begin(): void {
    const { target: file, port, every, json } = this.#flags;
    const command = `${program} proxy${file === undefined ? "" : ` --target ${quoted(file)}`} --port ${port}`;
    const began = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
    const out = this.#folder === undefined ? {} : { out: join(this.#folder, every === undefined ? "" : began) };
    this.judging = openJudging(this.callers, { ...this.#flags, ...out, command }, (verdict, exchange) => {
      this.hasBroken ||= kindOf(verdict) === "broken";
      if (verdict.breaches.length === 1 && json !== true)
        console.log(fallenLines(verdict, exchange, paintFor(process.stdout)).join("\n"));
    });
  }

  /** Ends the run with what was judged so far. */
  end(): RunFolder {
    const { end, folder } = this.judging;
    const failure = this.queue.failure();
    const sources = this.proxies.map(({ url }) => `the proxy at ${url}`);
    end(sources, failure === null ? undefined : `Assay's judge failed by itself (${(failure as Error).message})`);
    return folder;
  }

  /** Ends the run and begins another; the reports are made in a process of their own, so that no client waits. */
  renew(): void {
    try {
      const { path } = this.end();
      this.begin();
      this.#report(path);
    } catch (error) {
      // Clients go on where our disk is full.
      console.error(`No further run could be begun (${(error as Error).message}); the one before goes on.`);
    }
  }

  #report(path: string): void {
    const { history, vantage } = this.#flags;
    const run = (args: readonly string[]) =>
      spawn(process.execPath, [launcher, ...args], { stdio: ["ignore", "ignore", 2] });
    run(["report", path]).once("exit", () => {
      const from = vantage === undefined ? [] : ["--vantage", vantage];
      if (history !== undefined) run(["history", "import", path, "--history", history, ...from]);
    });
  }

  /** What the run has found so far. */
  get findings(): readonly LiveFinding[] {
    const { judge } = this.judging;
    return judge.report.broken.flatMap(({ id, exchanges: times }) => {
      const verdict = judge.verdictOn(id);
      const { sentence, clause } = requirementOf(this.callers.target.interface, id);
      return verdict.breaches.slice(0, 1).map(({ expected, got }) => {
        return { id, kind: kindOf(verdict), sentence, clause, expected, got: describeGot(got), times };
      });
    });
  }
}
