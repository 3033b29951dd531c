// One run of k6 with one script, in which no failure passes unnoticed
import { spawn } from "node:child_process";
import { StringDecoder } from "node:string_decoder";
import { Inconclusive } from "../../harness/core/outcomes.ts";
import type { Redactor } from "../../harness/core/secret.ts";
import type { Environment } from "../../harness/transport/route.ts";
import { orderedTo, type Script } from "./bundle.ts";
import type { K6 } from "./ensure.ts";
import type { Summary } from "./orders.ts";

export interface Job {
  readonly script: Script;
  readonly orders: object;
  /** k6 is stopped after that. */
  readonly within_ms: number;
  readonly redact: Redactor;
  /** Receives each record as the script prints it, not redacted. */
  readonly onRecord: (record: unknown) => void;
  readonly settings?: Environment;
}

/** A line of k6's log; output of scripts has the source `console`. */
interface LogLine {
  readonly level?: string;
  readonly msg?: string;
  readonly source?: string;
  readonly summary?: Summary;
}

/** The only variables of ours that k6 gets: routes to the platform and trusted certificates. None is a key. */
const proxies = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"];
const inherited = ["PATH", ...proxies, ...proxies.map((name) => name.toLowerCase()), "SSL_CERT_FILE", "SSL_CERT_DIR"];

function environmentOf(settings: Environment): NodeJS.ProcessEnv {
  const ours = Object.entries(process.env).filter(([name]) => inherited.includes(name));
  return {
    ...Object.fromEntries(ours),
    K6_NO_USAGE_REPORT: "true",
    K6_AUTO_EXTENSION_RESOLUTION: "false",
    // The interface is judged over HTTP/1.1 everywhere: over HTTP/2 all requests would share one connection.
    GODEBUG: "http2client=0",
    ...settings,
  };
}

/** Stops running processes when this one exits. */
const running = new Set<() => void>();
process.once("exit", () => {
  for (const stop of running) stop();
});

/**
 * Runs a script to its end.
 * @throws Inconclusive where k6 didn't start, crashed or was too slow, or its script failed, after which k6 may exit 0
 */
export async function runK6(k6: K6, job: Job): Promise<Summary> {
  const source = await orderedTo(job.script, job.orders);
  const output = new Output(job);
  const child = spawn(
    k6.path,
    ["run", "--quiet", "--no-color", "--log-format=json", "--log-output=stdout", "--no-thresholds", "-"],
    { env: environmentOf(job.settings ?? {}) },
  );
  const stop = (): void => void child.kill("SIGKILL");
  running.add(stop);
  const late = new AbortController();
  late.signal.addEventListener("abort", stop);
  const timer = setTimeout(() => late.abort(), job.within_ms);
  try {
    child.stdout.on("data", (chunk: Buffer) => output.add(chunk));
    child.stderr.on("data", (chunk: Buffer) => output.addErrors(chunk.toString()));
    // A process that never started doesn't read its orders.
    child.stdin.on("error", () => {}).end(source);
    const code = await new Promise<number | null>((done, failed) => {
      child.once("error", (error) => failed(new Inconclusive(`k6 couldn't be started: ${error.message}`)));
      child.once("close", done);
    });
    if (late.signal.aborted) throw new Inconclusive(`k6 was stopped: it took longer than ${job.within_ms / 1000} s`);
    return output.summaryAfter(code);
  } finally {
    clearTimeout(timer);
    running.delete(stop);
  }
}

/** k6's error messages are cut at this length. */
const longestError_chars = 2_000;

class Output {
  readonly #job: Job;
  readonly #decoder = new StringDecoder("utf8");
  #pieces: string[] = [];
  #logged = "";
  #stderr = "";
  #summary: Summary | null = null;

  constructor(job: Job) {
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
  summaryAfter(code: number | null): Summary {
    const message = this.#job.redact((this.#logged || this.#stderr).replace(/\s+/g, " ").trim());
    const about = message ? `: ${message.slice(0, 400)}` : "";
    if (code !== 0) throw new Inconclusive(`k6 ended with ${code === null ? "a signal" : `exit code ${code}`}${about}`);
    if (this.#logged) throw new Inconclusive(`k6's script failed${about}`);
    if (!this.#summary) throw new Inconclusive(`k6 ended without a summary${about}`);
    return this.#summary;
  }

  #line(text: string): void {
    if (text === "") return;
    const line = parsed(text);
    if (line?.summary) this.#summary = line.summary;
    else if (line?.source === "console" && line.msg !== undefined) this.#record(line.msg);
    // Warnings are about single requests, whose records say the same.
    else if (!line?.level || line.level === "error" || line.level === "fatal") this.#logError(line?.msg ?? text);
  }

  #record(text: string): void {
    try {
      this.#job.onRecord(JSON.parse(text));
    } catch (error) {
      this.#logError((error as Error).message);
    }
  }

  #logError(text: string): void {
    if (this.#logged.length < longestError_chars) this.#logged += `${text} `;
  }
}

function parsed(text: string): LogLine | null {
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    return null;
  }
}
