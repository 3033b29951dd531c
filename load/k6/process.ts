// Did k6 do as it was told? One run of one script, whose every way to fail quietly is said aloud.
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
  /** Told each record as the script says it. Not redacted. */
  readonly onRecord: (record: unknown) => void;
  /** More for k6's environment. */
  readonly settings?: Environment;
  /** Aborts the run. */
  readonly signal?: AbortSignal;
}

/** A line of k6's log; what scripts say comes from `console`. */
interface LogLine {
  readonly level?: string;
  readonly msg?: string;
  readonly error?: string;
  readonly source?: string;
  readonly summary?: Summary;
}

/** Of our own environment k6 is given only this: how to reach the platform and whom to believe. No key is among it. */
const passedOn = [
  "PATH",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
];

function environmentOf(settings: Environment): NodeJS.ProcessEnv {
  const ours = passedOn.flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]] as const],
  );
  return {
    ...Object.fromEntries(ours),
    K6_NO_USAGE_REPORT: "true",
    K6_AUTO_EXTENSION_RESOLUTION: "false",
    // The interface is judged over HTTP/1.1 everywhere: over HTTP/2 all requests would share one connection.
    GODEBUG: "http2client=0",
    ...settings,
  };
}

/** What ends those that run, when we end. */
const running = new Set<() => void>();
process.once("exit", () => {
  for (const stop of running) stop();
});

/**
 * Runs a script to its end.
 * @throws Inconclusive where k6 didn't start, crashed, was too slow, or its script failed: k6 exits 0 on uncaught errors
 */
export async function runK6(k6: K6, job: Job): Promise<Summary> {
  const source = await orderedTo(job.script, job.orders);
  const heard = new Hearing(job);
  const child = spawn(
    k6.path,
    ["run", "--quiet", "--no-color", "--log-format=json", "--log-output=stdout", "--no-thresholds", "-"],
    { env: environmentOf(job.settings ?? {}) },
  );
  const stop = (): void => void child.kill("SIGKILL");
  running.add(stop);
  job.signal?.addEventListener("abort", stop);
  const late = new AbortController();
  late.signal.addEventListener("abort", stop);
  const timer = setTimeout(() => late.abort(), job.within_ms);
  try {
    child.stdout.on("data", (chunk: Buffer) => heard.take(chunk));
    child.stderr.on("data", (chunk: Buffer) => heard.takeAside(chunk.toString()));
    // One that never started doesn't read its orders.
    child.stdin.on("error", () => {}).end(source);
    const code = await new Promise<number | null>((done, failed) => {
      child.once("error", (error) => failed(new Inconclusive(`k6 couldn't be started: ${error.message}`)));
      child.once("close", done);
    });
    if (late.signal.aborted) throw new Inconclusive(`k6 was stopped: it took longer than ${job.within_ms / 1000} s`);
    if (job.signal?.aborted) throw new Inconclusive("k6 was stopped");
    return heard.summaryAfter(code);
  } finally {
    clearTimeout(timer);
    running.delete(stop);
    job.signal?.removeEventListener("abort", stop);
  }
}

/** More of what k6 says of its failures isn't kept. */
const longestComplaint_chars = 2_000;

/** All that k6 says, line by line. */
class Hearing {
  readonly #job: Job;
  readonly #decoder = new StringDecoder("utf8");
  #pieces: string[] = [];
  #complaint = "";
  #aside = "";
  #summary: Summary | null = null;

  constructor(job: Job) {
    this.#job = job;
  }

  take(chunk: Buffer): void {
    const [first = "", ...others] = this.#decoder.write(chunk).split("\n");
    this.#pieces.push(first);
    for (const next of others) {
      this.#line(this.#pieces.join(""));
      this.#pieces = [next];
    }
  }

  takeAside(text: string): void {
    this.#aside = (this.#aside + text).slice(0, longestComplaint_chars);
  }

  /** @throws Inconclusive where anything speaks against it */
  summaryAfter(code: number | null): Summary {
    const said = this.#job.redact((this.#complaint || this.#aside).replace(/\s+/g, " ").trim());
    const about = said ? `: ${said.slice(0, 400)}` : "";
    if (code !== 0) throw new Inconclusive(`k6 ended with ${code === null ? "a signal" : `exit code ${code}`}${about}`);
    if (this.#complaint) throw new Inconclusive(`k6's script failed${about}`);
    if (!this.#summary) throw new Inconclusive(`k6 ended without a summary${about}`);
    return this.#summary;
  }

  #line(text: string): void {
    if (text === "") return;
    const line = parsed(text);
    if (line?.summary) this.#summary = line.summary;
    else if (line?.source === "console" && line.msg !== undefined) this.#record(line.msg);
    // Warnings are about single requests, which tell of themselves.
    else if (!line?.level || line.level === "error" || line.level === "fatal") this.#complain(line?.msg ?? text);
  }

  #record(text: string): void {
    try {
      this.#job.onRecord(JSON.parse(text));
    } catch (error) {
      this.#complain((error as Error).message);
    }
  }

  #complain(text: string): void {
    if (this.#complaint.length < longestComplaint_chars) this.#complaint += `${text} `;
  }
}

function parsed(text: string): LogLine | null {
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    return null;
  }
}
