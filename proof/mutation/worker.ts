// A worker process that tries edits one after another, and says which edits a judge reaches
import { readFileSync } from "node:fs";
import type { Bundle } from "./bundle.ts";
import { type Judge, loader } from "./instance.ts";

/** A judge's name, and where it comes from. */
export interface JudgeName {
  readonly file: string;
  readonly name: string;
}

interface Limited extends JudgeName {
  readonly limit_ms: number;
  /** How often its run without edits asked the switch. */
  readonly asked: number;
}

export type Task =
  | { readonly list: string }
  | { readonly cover: JudgeName }
  | { readonly edit: number; readonly judges: readonly Limited[] };

export interface Covered {
  readonly duration_ms: number;
  readonly asked: number;
  /** The edits that are reached while modules load. */
  readonly loading: readonly number[];
  readonly reached: readonly number[];
  /** Why it can't judge: it fails without edits, here at least. */
  readonly unfit: string | null;
}

export interface Tried {
  readonly killedBy: string | null;
  readonly how: string;
  /** Judges that fail without an edit, too, now and then. */
  readonly unfit: readonly string[];
  readonly durations_ms: { readonly [judge: string]: number };
  /** Something still runs that knows the edit, so that this process is of no more use. */
  readonly isTainted: boolean;
}

const [bundleFile = "", edits = "0"] = process.argv.slice(2);
const { load, counted, allow, isSpent } = await loader(
  JSON.parse(readFileSync(bundleFile, "utf8")) as Bundle,
  Number(edits),
);

let onUnhandled = (_: unknown): void => {};
process.on("unhandledRejection", (error) => onUnhandled(error));
process.on("uncaughtException", (error) => onUnhandled(error));

const slowestCover_ms = 12_000;

class TooLate extends Error {}

const messageOf = (error: unknown): string => String(error instanceof Error ? error.message : error).slice(0, 200);

/** What is wrong, as far as the judge sees; null for nothing. */
async function complaintOf(judge: Pick<Judge, "run">, limit_ms: number): Promise<Error | null> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      onUnhandled = reject;
      timer = setTimeout(() => reject(new TooLate(`no result within ${limit_ms} ms`)), limit_ms);
      judge.run().then(resolve, reject);
    });
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(messageOf(error));
  } finally {
    clearTimeout(timer);
  }
}

async function coveredBy({ file, name }: JudgeName): Promise<Covered> {
  allow(Infinity);
  counted();
  const instance = load(-1);
  const judge = instance.judgesOf(file).find((one) => one.name === name);
  const { reached: loading } = counted();
  const started_ms = performance.now();
  const complaint = judge ? await complaintOf(judge, slowestCover_ms) : new Error("no such judge");
  const duration_ms = Math.round(performance.now() - started_ms);
  await instance.finish();
  return { duration_ms, loading, ...counted(), unfit: complaint && messageOf(complaint) };
}

/** Several times as much as without edits. */
const patience = 30;
const leastAsked = 20_000_000;

const known = new Set<string>();

/** Whether the judge has nothing to complain of without edits; asked once in this process. */
async function isFit({ file, name, limit_ms }: Limited): Promise<boolean> {
  if (known.has(name)) return true;
  allow(Infinity);
  const instance = load(-1);
  const judge = instance.judgesOf(file).find((one) => one.name === name);
  const complaint = judge ? await complaintOf(judge, limit_ms) : null;
  await instance.finish();
  if (!complaint) known.add(name);
  return complaint === null;
}

async function tried(edit: number, judges: readonly Limited[]): Promise<Tried> {
  const durations_ms: { [judge: string]: number } = {};
  const unfit: string[] = [];
  allow(Infinity);
  let instance = load(edit);
  const loaded = new Map<string, readonly Judge[]>();
  for (const one of judges) {
    const started_ms = performance.now();
    allow(leastAsked + patience * one.asked);
    const complaint = await complaintOf(
      {
        run: async () => {
          const found = loaded.get(one.file) ?? instance.judgesOf(one.file);
          loaded.set(one.file, found);
          await found.find(({ name }) => name === one.name)?.run();
        },
      },
      one.limit_ms,
    );
    durations_ms[one.name] = Math.round(performance.now() - started_ms);
    const spent = isSpent();
    const isLate = complaint instanceof TooLate;
    if (complaint === null && !spent) continue;
    const how = spent ? "it never ends" : isLate ? "no result in time" : messageOf(complaint);
    const done = { killedBy: one.name, how, unfit, durations_ms, isTainted: spent || isLate };
    if (done.isTainted) return done;
    await instance.finish();
    if (await isFit(one)) return done;
    unfit.push(one.name);
    allow(Infinity);
    instance = load(edit);
    loaded.clear();
  }
  await instance.finish();
  return { killedBy: null, how: "", unfit, durations_ms, isTainted: false };
}

async function resultOf(task: Task): Promise<Covered | Tried | readonly string[]> {
  if ("list" in task)
    return load(-1)
      .judgesOf(task.list)
      .map(({ name }) => name);
  return "cover" in task ? coveredBy(task.cover) : tried(task.edit, task.judges);
}

process.on("message", (task) => {
  resultOf(task as Task).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
