// Worker processes of mutation, which are stopped and replaced where edited code doesn't let them go on
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Covered, JudgeName, Task, Tried } from "./worker.ts";

/** Modules that are loaded anew leave something behind. */
const mostTasks = 400;

export class WorkerProcess {
  #child: ChildProcess | null = null;
  #tasks = 0;
  readonly #args: readonly string[];

  /** @param bundleFile what the worker loads @param edits how many edits it has */
  constructor(bundleFile: string, edits: number) {
    this.#args = [bundleFile, String(edits)];
  }

  /** Its result; null where none came in time. */
  async #resultOf(task: Task, limit_ms: number): Promise<unknown> {
    this.#tasks += 1;
    if (this.#tasks % mostTasks === 0) this.stop();
    this.#child ??= fork(new URL("./worker.ts", import.meta.url), this.#args, {
      execArgv: ["--import", import.meta.resolve("tsx"), "--max-old-space-size=1500"],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const child = this.#child;
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => controller.abort(), limit_ms);
    const answer = once(child, "message", { signal }).then(([result]: unknown[]) => result);
    const end = once(child, "exit", { signal }).then(() => null);
    child.send(task);
    try {
      const result = await Promise.race([answer, end]);
      if (result === null) this.stop();
      return result;
    } catch {
      this.stop();
      return null;
    } finally {
      clearTimeout(timer);
      controller.abort();
      await Promise.allSettled([answer, end]);
    }
  }

  async list(file: string): Promise<readonly string[]> {
    const names = (await this.#resultOf({ list: file }, 60_000)) as readonly string[] | null;
    if (!names) throw new Error(`${file} can't be loaded`);
    return names;
  }

  async cover(judge: JudgeName): Promise<Covered> {
    const covered = (await this.#resultOf({ cover: judge }, 60_000)) as Covered | null;
    return covered ?? { duration_ms: 60_000, asked: 0, loading: [], reached: [], unfit: "no result in time" };
  }

  async try(task: Extract<Task, { edit: number }>, limit_ms: number): Promise<Tried> {
    const tried = (await this.#resultOf(task, limit_ms)) as Tried | null;
    if (tried?.isTainted) this.stop();
    const how = "the process never answers";
    return tried ?? { killedBy: "time", how, unfit: [], durations_ms: {}, isTainted: true };
  }

  stop(): void {
    this.#child?.kill("SIGKILL");
    this.#child = null;
  }
}
