// One run of k6 with one script, in which no failure passes unnoticed
import { spawn } from "node:child_process";
import { StringDecoder } from "node:string_decoder";
import { childEnvironment } from "../../harness/core/children.ts";
import { jsonOrNull } from "../../harness/core/json.ts";
import { generatorFailed } from "../../harness/core/outcomes.ts";
import type { Redactor } from "../../harness/core/secret.ts";
import type { LoadPartReport } from "../../harness/record/load.ts";
import type { Environment } from "../../harness/transport/route.ts";
import { orderedTo, type Script } from "./bundle.ts";
import type { K6 } from "./ensure.ts";
import type { K6Summary } from "./orders.ts";

export interface K6Job {
  readonly script: Script;
  readonly orders: object;
  /** k6 is stopped after that. */
  readonly within_ms: number;
  /** Sends only its part of the iterations; all by default. */
  readonly segment?: Segment;
  /** Ends k6 within a tenth of a second: it starts no further request, gives up those in flight, counts the rest. */
  readonly stop?: AbortSignal;
  readonly redact: Redactor;
  /** Receives each record as the script prints it, not redacted, and the second of that in Unix time. */
  readonly onRecord: (record: unknown, at_s: number) => void;
  readonly settings?: Environment;
  /** Receives why metrics didn't reach a remote, which says nothing of the requests; not redacted. */
  readonly onLoss?: (why: string) => void;
}

/** One of several equal parts of a load, by k6's execution segments. */
export type Segment = Pick<LoadPartReport, "nth" | "of">;

export const segmentsOf = (of: number): readonly Segment[] =>
  Array.from({ length: of }, (_, at) => ({ nth: at + 1, of }));

export function segmentArguments({ nth, of }: Segment): readonly string[] {
  const ends = Array.from({ length: of + 1 }, (_, end) => (end === 0 ? "0" : end === of ? "1" : `${end}/${of}`));
  return [`--execution-segment=${ends[nth - 1]}:${ends[nth]}`, `--execution-segment-sequence=${ends.join(",")}`];
}

/** A line of k6's log; output of scripts has the source `console`. */
type LogLine = { readonly [name in "level" | "msg" | "source" | "output" | "error" | "time"]?: string };

/** Of k6 wherever it runs: it talks to the platform only. */
export const ownSettings = {
  K6_NO_USAGE_REPORT: "true",
  K6_AUTO_EXTENSION_RESOLUTION: "false",
  // The interface is judged over HTTP/1.1 everywhere: over HTTP/2 all requests would share one connection.
  GODEBUG: "http2client=0",
};

/** Verdicts come of all parts together, and outputs are read by programs. */
export const ownFlags = ["--no-color", "--no-thresholds", "--log-format=json"];

/** Stops running processes when this one exits. */
const running = new Set<() => void>();
process.once("exit", () => {
  for (const stop of running) stop();
});

/**
 * Runs a script to its end.
 * @throws Inconclusive where k6 didn't start, crashed or was too slow, or its script failed, after which k6 may exit 0
 */
export async function runK6(k6: K6, job: K6Job): Promise<K6Summary> {
  const source = await orderedTo(job.script, job.orders);
  if (job.stop?.aborted) throw generatorFailed("k6 was ended before it began");
  const output = new K6Output(job);
  const segment = job.segment ? segmentArguments(job.segment) : [];
  const args = ["run", "--quiet", ...ownFlags, "--log-output=stdout", ...segment, "-"];
  const env = { ...childEnvironment("k6"), ...ownSettings, ...job.settings };
  // In a group of its own, k6 isn't reached by a terminal's signals: this process ends it, once. On Windows that is a
  // window of its own, too.
  const child = spawn(k6.path, args, { env, detached: true, windowsHide: true });
  const stop = (): void => void child.kill("SIGKILL");
  running.add(stop);
  const late = AbortSignal.timeout(Math.ceil(job.within_ms));
  late.addEventListener("abort", stop);
  job.stop?.addEventListener("abort", () => {
    child.kill("SIGINT");
    setTimeout(stop, 10_000).unref();
  });
  try {
    child.stdout.on("data", (chunk: Buffer) => output.add(chunk));
    child.stderr.on("data", (chunk: Buffer) => output.addErrors(chunk.toString()));
    // A process that never started doesn't read its orders.
    child.stdin.on("error", () => {}).end(source);
    const code = await new Promise<number | null>((done, failed) => {
      child.once("error", (error) => failed(generatorFailed(`k6 couldn't be started: ${error.message}`)));
      child.once("close", done);
    });
    if (late.aborted) throw generatorFailed(`k6 was stopped: it took longer than ${job.within_ms / 1000} s`);
    return output.summaryAfter(code);
  } finally {
    late.removeEventListener("abort", stop);
    running.delete(stop);
  }
}

/** k6's error messages are cut at this length. */
const longestError_chars = 2_000;

/** What k6 logs, line by line. */
export class K6Output {
  readonly #job: Pick<K6Job, "redact" | "onRecord" | "onLoss" | "stop">;
  readonly #decoder = new StringDecoder("utf8");
  #pieces: string[] = [];
  #logged = "";
  #stderr = "";
  #summary: K6Summary | null = null;

  constructor(job: Pick<K6Job, "redact" | "onRecord" | "onLoss" | "stop">) {
    this.#job = job;
  }

  add(chunk: Buffer): void {
    const [first = "", ...others] = this.#decoder.write(chunk).split("\n");
    this.#pieces.push(first);
    for (const next of others) {
      this.#line(this.#pieces.join(""));
      this.#pieces = [next];
    }
  }

  addErrors(text: string): void {
    this.#stderr = (this.#stderr + text).slice(0, longestError_chars);
  }

  /** @throws Inconclusive where k6 failed, logged an error or printed no summary */
  summaryAfter(code: number | null): K6Summary {
    const message = this.#job.redact((this.#logged || this.#stderr).replace(/\s+/g, " ").trim());
    const about = message ? `: ${message.slice(0, 400)}` : "";
    // What ends k6 by SIGINT but isn't we, ends this process as well.
    if (code !== 0 && !(code === 105 && this.#job.stop?.aborted))
      throw generatorFailed(`k6 ended with ${code === null ? "a signal" : `exit code ${code}`}${about}`);
    if (this.#logged) throw generatorFailed(`k6's script failed${about}`);
    if (!this.#summary) throw generatorFailed(`k6 ended without a summary${about}`);
    return this.#summary;
  }

  #line(text: string): void {
    if (text === "") return;
    const line = jsonOrNull(text) as LogLine | null;
    if (line?.source === "console" && line.msg !== undefined) this.#record(line.msg, line.time);
    else if (line?.output === "Prometheus remote write" || line?.error?.startsWith("marking time series as stale"))
      this.#loss(line);
    // An early end is logged as an error. Warnings are about single requests, whose records say the same.
    else if (this.#job.stop?.aborted) return;
    else if (!line?.level || line.level === "error" || line.level === "fatal") this.#logError(line?.msg ?? text);
  }

  #loss({ level, msg = "", error = msg }: LogLine): void {
    // Without the address, which may hold a password.
    if (level === "error") this.#job.onLoss?.(error.replace(/\b\w+ "[^"]*": /g, ""));
  }

  #record(text: string, time = ""): void {
    try {
      const record = JSON.parse(text) as { readonly summary?: K6Summary };
      if (record.summary) this.#summary = record.summary;
      else this.#job.onRecord(record, Math.floor(Date.parse(time) / 1000));
    } catch (error) {
      this.#logError((error as Error).message);
    }
  }

  #logError(text: string): void {
    if (this.#logged.length < longestError_chars) this.#logged += `${text} `;
  }
}
