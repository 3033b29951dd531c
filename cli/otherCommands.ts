// Other commands of this machine that use a target's projects: each leaves a note in the user's cache while it works.
import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { cacheFolders } from "../harness/core/children.ts";
import { isObject, type Json } from "../harness/core/json.ts";
import { makeFolder } from "../harness/core/paths.ts";
import { hostIn } from "../harness/targets/bases.ts";
import type { OtherCommands, Target } from "../harness/targets/target.ts";
import type { Environment } from "../harness/transport/route.ts";
import { listedTogether } from "../reports/lists.ts";
import { counted } from "../reports/numbers.ts";
import { isGone } from "./signals.ts";

/** What a command says of itself; read as data. */
interface Note {
  readonly pid: number;
  readonly host: string;
  readonly startedAt_ms: number;
  /** Null while it works. */
  readonly endedAt_ms: number | null;
  /** Null until it is planned. */
  readonly plan: { readonly requests: number; readonly credits: number } | null;
  /** Digests of the keys and ids of its projects, with the hosts that know them. */
  readonly marks: readonly string[];
}

interface SeenNote extends Note {
  readonly file: string;
  readonly isWorking: boolean;
  /** Unix time in ms. */
  readonly lastSeen_ms: number;
}

const betweenSigns_ms = 10_000;
/** What has given no sign for so long was killed, though another process may have its id now. */
const longestSilence_ms = 60_000;

/** Null for a user without a home: in the folder for temporary files anybody could leave notes. */
function folderIn(environment: Environment): string | null {
  const [caches] = cacheFolders(environment);
  return caches === undefined ? null : join(caches, "working");
}

const markOf = (host: string, value: string): string =>
  createHash("sha256").update(`${host}\n${value}`).digest("hex").slice(0, 24);

/** The names of a target's projects, by their marks. */
function marksOf({ bases, keys }: Target): ReadonlyMap<string, string> {
  const hosts = new Set(Object.values<string>(bases).map(hostIn));
  const known = [...keys.values()].flatMap(({ secret, projectName, project: { id } }) =>
    [secret.open(), ...(id === undefined ? [] : [id])].map((value) => [value, projectName] as const),
  );
  return new Map([...hosts].flatMap((host) => known.map(([value, name]) => [markOf(host, value), name] as const)));
}

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

/** Null where it can't be read, or is no note. */
function noteIn(file: string): SeenNote | null {
  try {
    const read = JSON.parse(readFileSync(file, "utf8")) as Json;
    if (!isObject(read)) return null;
    const { pid, host, startedAt_ms, endedAt_ms, plan, marks } = read;
    if (!isNumber(pid) || !isNumber(startedAt_ms) || typeof host !== "string" || !Array.isArray(marks)) return null;
    const { requests, credits } = isObject(plan) ? plan : {};
    const { mtimeMs } = statSync(file);
    const isHere = host === hostname();
    const isWorking =
      !isNumber(endedAt_ms) && Date.now() - mtimeMs < longestSilence_ms && !(isHere && pid > 0 && isGone(pid));
    return {
      file,
      pid,
      host,
      startedAt_ms,
      endedAt_ms: isNumber(endedAt_ms) ? endedAt_ms : null,
      plan: isNumber(requests) && isNumber(credits) ? { requests, credits } : null,
      marks: marks.map(String),
      isWorking,
      lastSeen_ms: isWorking ? Date.now() : isNumber(endedAt_ms) ? endedAt_ms : mtimeMs,
    };
  } catch {
    return null;
  }
}

function notesIn(folder: string): readonly SeenNote[] {
  try {
    return readdirSync(folder).flatMap((name) => noteIn(join(folder, name)) ?? []);
  } catch {
    return [];
  }
}

/** A folder that can't be written to keeps no command from its work. */
function tried(write: () => void): void {
  try {
    write();
  } catch {
    // Others aren't told then.
  }
}

const sentenceOn = ({ pid, startedAt_ms, plan }: Note, projects: readonly string[]): string => {
  const since = new Date(startedAt_ms).toISOString().slice(0, 19);
  const most = plan ? `, at most ${counted(plan.requests, "request")} and ${counted(plan.credits, "credit")}` : "";
  return (
    `  another command uses ${listedTogether(projects)}, too (process ${pid}, since ${since}Z${most}): ` +
    "what both may have moved there, charges and limits, isn't held against the platform"
  );
};

const noCommands: OtherCommands = { sentences: () => [], projects: () => [], publish: () => {} };

/** The target with what else uses its projects. @param sends whether others are told of this command, too */
export function besideOthers(target: Target, environment: Environment, sends: boolean) {
  const folder = folderIn(environment);
  if (folder === null) return { target: { ...target, others: noCommands }, end: () => {} };
  const file = join(folder, `${randomUUID()}.json`);
  const names = marksOf(target);
  const startedAt_ms = Date.now();
  let note: Note = {
    pid: process.pid,
    host: hostname(),
    startedAt_ms,
    endedAt_ms: null,
    plan: null,
    marks: [...names.keys()],
  };
  const write = (change: Partial<Note>): void => {
    note = { ...note, ...change };
    if (sends) tried(() => writeFileSync(file, JSON.stringify(note), { mode: 0o600 }));
  };
  const others = (): readonly SeenNote[] =>
    notesIn(folder).filter((one) => one.file !== file && one.lastSeen_ms >= startedAt_ms);
  const shared = ({ marks }: Note): readonly string[] => [...new Set(marks.flatMap((mark) => names.get(mark) ?? []))];
  if (sends) tried(() => makeFolder(folder, 0o700));
  write({});
  const signs = setInterval(() => tried(() => utimesSync(file, new Date(), new Date())), betweenSigns_ms).unref();
  const seen: OtherCommands = {
    sentences: () =>
      others().flatMap((one) => {
        const projects = shared(one);
        return one.isWorking && projects.length > 0 ? [sentenceOn(one, projects)] : [];
      }),
    projects: () => [...new Set(others().flatMap(shared))],
    publish: (plan) => write({ plan }),
  };
  const end = (): void => {
    clearInterval(signs);
    write({ endedAt_ms: Date.now() });
    // What has ended is of use to what was working then.
    const all = notesIn(folder);
    const first_ms = Math.min(...all.flatMap((one) => (one.isWorking ? [one.startedAt_ms] : [])));
    for (const one of all) if (!one.isWorking && one.lastSeen_ms < first_ms) tried(() => rmSync(one.file));
  };
  return { target: { ...target, others: seen }, end };
}
