// The k6 to use: named by K6_BIN, on the PATH, built before, or built with Go now
import { type ExecFileException, execFile, spawnSync } from "node:child_process";
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { cacheFolders, childEnvironment, projectBy } from "../../harness/core/children.ts";
import { CommandLineError } from "../../harness/core/commandLineError.ts";
import { isInFolder, makeFolder } from "../../harness/core/paths.ts";
import { programsOnPath } from "../../harness/core/programs.ts";
import type { Environment } from "../../harness/transport/route.ts";

export interface K6 {
  readonly path: string;
  /** `2.2.0` */
  readonly version: string;
}

/** There is no k6 here, and none can be built. The message is a whole paragraph for the user. */
export class NoK6 extends Error {
  /** The message without what to do, where that is to get a k6. */
  readonly lack: string | null;

  constructor(message: string, lack: string | null = null) {
    super(message);
    this.lack = lack;
  }
}

interface Options {
  readonly environment?: Environment;
  /** The current folder. */
  readonly cwd?: string;
  /** Where `tools/k6/go.mod` and `.tools/` are. */
  readonly root?: string;
  readonly onProgress?: (line: string) => void;
}

/** Scripts are written for this major version. */
const leastMajor = 2;
/** The Go that k6 2.2.0 needs. */
const leastGo = { major: 1, minor: 25 };
/** `1.25 or later` */
export const goWanted = `${leastGo.major}.${leastGo.minor} or later`;
const ownRoot = fileURLToPath(new URL("../..", import.meta.url));

/** Windows runs no file without that ending. */
const builtName = process.platform === "win32" ? "k6.exe" : "k6";

/** A binary that takes longer to print its version isn't used. */
const answersWithin_ms = 20_000;
const between_ms = 10_000;

/**
 * K6_BIN, a k6 of version 2 or later on the PATH, the one that was built, else one that is built now. Of these only
 * K6_BIN may be in the project: a change that somebody proposes could put a program there.
 * @throws CommandLineError where K6_BIN names no such k6
 * @throws NoK6 where there is none and no Go to build it, or the build failed
 */
export async function ensureK6(options: Options = {}): Promise<K6> {
  const refused: string[] = [];
  return foundK6(options, refused) ?? (await builtWith(goOn(options, refused), options));
}

/**
 * The k6 that is here already; null where there is none.
 * @param refused collects the binaries that were passed over, and why
 * @throws CommandLineError where K6_BIN names no such k6
 */
export function foundK6(options: Options = {}, refused: string[] = []): K6 | null {
  const { environment = process.env } = options;
  const named = environment["K6_BIN"];
  if (named) return k6Named(named);
  for (const path of candidates(options, refused)) {
    const version = versionOf(path);
    if (version !== null && majorOf(version) >= leastMajor) return { path, version };
    refused.push(`${path} ${version === null ? "prints no version" : `is ${version}`}`);
  }
  return null;
}

/**
 * Why no k6 can be had here, without a full stop; null where there is one, or a Go that may build it.
 * @throws CommandLineError where K6_BIN names no such k6
 */
export function lackOfK6(options: Options = {}): string | null {
  const refused: string[] = [];
  if (foundK6(options, refused)) return null;
  try {
    goOn(options, refused);
    buildingFolder(options);
    return null;
  } catch (error) {
    if (!(error instanceof NoK6)) throw error;
    return error.message.replace(/\.$/, "");
  }
}

export const pinnedVersion = (root = ownRoot): string =>
  /go\.k6\.io\/k6\/v2 v([\d.]+)/.exec(readFileSync(join(root, "tools/k6/go.mod"), "utf8"))?.[1] ?? "";

const majorOf = (version: string): number => Number(version.split(".")[0]);

function k6Named(path: string): K6 {
  const version = versionOf(path);
  const wanted = "Name a k6 of version 2 or later, or unset K6_BIN.";
  if (version === null)
    throw new CommandLineError(`K6_BIN is ${path}, which isn't k6: it prints no version. ${wanted}`);
  if (majorOf(version) < leastMajor)
    throw new CommandLineError(`K6_BIN is ${path}, which is k6 ${version}: too old. ${wanted}`);
  return { path, version };
}

/** The version in `k6 v2.2.0 (go1.26.8, linux/amd64)`; null for any other output. */
function versionOf(path: string): string | null {
  const env = { K6_NO_USAGE_REPORT: "true" };
  const { status, stdout } = spawnSync(path, ["version"], { env, encoding: "utf8", timeout: answersWithin_ms });
  return status === 0 ? (/^k6(?:\.exe)? v(\d+\.\d+\.\d+)/m.exec(stdout)?.[1] ?? null) : null;
}

/** A package has no sources. */
const isClone = (root: string): boolean => existsSync(join(root, "cli/process.ts"));

/**
 * Where a k6 may be that was built; one is built in the first that isn't the project's. A package is replaced as a
 * whole, and may not be written to: there it is kept with the user's caches.
 */
const toolFolders = ({ environment = process.env, root = ownRoot }: Options): readonly string[] =>
  isClone(root) ? [join(root, ".tools")] : cacheFolders(environment);

/** Who can write in a clone of Assay can change Assay itself. */
function projectAround(options: Options): (path: string) => boolean {
  const { environment = process.env, cwd, root = ownRoot } = options;
  const isOfProject = projectBy(environment, cwd);
  const own = join(root, ".tools");
  return (path) => isOfProject(path) && !(isClone(root) && isInFolder(path, own));
}

/** Existing binaries: on the PATH, and built before. @param refused collects those of the project */
function candidates(options: Options, refused: string[]): readonly string[] {
  const isOfProject = projectAround(options);
  const built = toolFolders(options)
    .map((folder) => join(folder, builtName))
    .filter((path) => existsSync(path));
  const onPath = executables("k6", options);
  for (const path of [...onPath, ...built].filter(isOfProject))
    refused.push(`${path} is in the project, where a proposed change could put one`);
  const usable = (paths: readonly string[]): readonly string[] => paths.filter((path) => !isOfProject(path));
  return [...usable(onPath).slice(0, 1), ...usable(built)];
}

const executables = (name: string, { environment = process.env }: Options): readonly string[] =>
  programsOnPath(name, environment);

/** @throws NoK6 where there is no Go that builds k6 */
function goOn(options: Options, refused: readonly string[]): string {
  const seen = refused.length > 0 ? ` (${refused.join("; ")})` : "";
  const lacking = (why: string): NoK6 => {
    const lack = `There is no k6 of version ${leastMajor} here${seen}, and ${why}.`;
    return new NoK6(`${lack} docs/install.md names three ways to one.`, lack);
  };
  const isOfProject = projectAround(options);
  const go = executables("go", options).find((path) => !isOfProject(path));
  if (!go) throw lacking("no Go to build it with");
  // Not in the current folder, whose go.mod can name a program as the Go to use.
  const cwd = parse(go).root;
  const asked = { cwd, env: goEnvironment(options), encoding: "utf8", timeout: answersWithin_ms } as const;
  const { status, stdout } = spawnSync(go, ["env", "GOVERSION"], asked);
  const printed = status === 0 ? stdout.trim() : "";
  const [, major, minor] = /^go(\d+)\.(\d+)/.exec(printed) ?? [];
  const isEnough = Number(major) > leastGo.major || (Number(major) === leastGo.major && Number(minor) >= leastGo.minor);
  if (!isEnough) throw lacking(`${go} is too old to build it (${printed || "it prints no version"})`);
  return go;
}

/** A go.work above the package, flags and C compilers could all change what is built. */
const goEnvironment = ({ environment = process.env, cwd }: Options): NodeJS.ProcessEnv => ({
  ...childEnvironment("go", environment, cwd),
  GOWORK: "off",
  GOFLAGS: "-mod=readonly -buildvcs=false",
  CGO_ENABLED: "0",
});

/** @throws NoK6 where there is no place for one, as for a user without a home, or each is the project's */
function buildingFolder(options: Options): string {
  const isOfProject = projectAround(options);
  const folders = toolFolders(options);
  const folder = folders.find((path) => !isOfProject(path));
  if (folder !== undefined) return folder;
  const lack =
    folders.length === 0
      ? "there is no home to keep a built one in. Name a folder"
      : "one that is built would be kept in the project, where a proposed change could put another. Name one elsewhere";
  const what = "with XDG_CACHE_HOME, or put k6 on the PATH.";
  throw new NoK6(`There is no k6 of version ${leastMajor} here, and ${lack} ${what}`);
}

/** Takes some 100 s on two cores, with a line of progress now and then. */
async function builtWith(go: string, options: Options): Promise<K6> {
  const { root = ownRoot, onProgress = () => {} } = options;
  const tools = buildingFolder(options);
  const version = pinnedVersion(root);
  const began = performance.now();
  const soFar = (): string => `${Math.round((performance.now() - began) / 1000)} s`;
  onProgress(`building k6 ${version} with Go, once; this takes about 100 s`);
  const timer = setInterval(() => onProgress(`building k6 ${version}: ${soFar()} so far`), between_ms);
  // A folder per process, so that two builds can't collide and an aborted one leaves no half binary in its place. The
  // file must be called k6, as its version begins with its name.
  const folder = join(tools, `building-${process.pid}`);
  const made = join(folder, builtName);
  makeFolder(folder);
  try {
    const flags = ["-trimpath", "-ldflags", "-s -w", "-o", made];
    const command = ["build", "-C", join(root, "tools/k6"), ...flags, "go.k6.io/k6/v2"];
    const env = goEnvironment(options);
    const failure = await promisify(execFile)(go, command, { cwd: parse(go).root, env }).then(() => null, lastErrorOf);
    const built = failure === null ? versionOf(made) : null;
    if (built === null) {
      const why = failure ?? "it prints no version";
      throw new NoK6(`k6 ${version} couldn't be built with ${go} (${why}). Name a built one with K6_BIN, or fix that.`);
    }
    const path = join(tools, builtName);
    renameSync(made, path);
    onProgress(`k6 ${built} is built, after ${soFar()}`);
    return { path, version: built };
  } finally {
    clearInterval(timer);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The last line that a command wrote on its errors, else why it failed. */
const lastErrorOf = ({ stderr, code, message }: ExecFileException & { readonly stderr: string }): string =>
  stderr.trim().split("\n").at(-1) || (typeof code === "number" ? `exit code ${code}` : message);
