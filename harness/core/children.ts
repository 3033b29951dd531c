// What a process that Assay starts by itself gets: the variables that it needs, and no program or cache of the project.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join, resolve, sep } from "node:path";
import { foldersAbove, isInFolder, realOf } from "./paths.ts";

type Variables = { readonly [name: string]: string | undefined };

const proxies = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"];
const network = [...proxies, ...proxies.map((name) => name.toLowerCase()), "SSL_CERT_FILE", "SSL_CERT_DIR"];
const windows = ["SystemRoot", "SystemDrive", "windir", "ComSpec", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA"];
const system = ["HOME", "TMPDIR", "TEMP", "TMP", "TZ", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES"];
const folders = ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "GOROOT", "GOPATH", "GOCACHE", "GOMODCACHE", "GOENV", "GOTMPDIR"];

/** Not GOFLAGS, which can name a program (`-toolexec`). */
const ofGo = ["GOPROXY", "GOSUMDB", "GONOSUMDB", "GONOPROXY", "GOPRIVATE", "GOINSECURE", "GOTOOLCHAIN"];

const ofNode = ["NODE_OPTIONS", "NODE_EXTRA_CA_CERTS", "TSX_TSCONFIG_PATH", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"];

const everywhere = ["PATH", ...network, ...windows];

/** Node is Assay itself. k6 gets no home: settings there would change what it sends. */
const inherited = {
  k6: everywhere,
  go: [...everywhere, ...system, ...folders, ...ofGo],
  node: [...everywhere, ...system, ...folders, ...ofNode],
};

/** Windows has its variables in any case. */
const isAmong = (names: readonly string[], name: string): boolean =>
  process.platform === "win32"
    ? names.some((known) => known.toUpperCase() === name.toUpperCase())
    : names.includes(name);

/** The environment of a child, by what it runs: no variable that isn't named here. */
export function childEnvironment(
  kind: keyof typeof inherited,
  environment: Variables = process.env,
  cwd: string = process.cwd(),
): Variables {
  const isOfProject = projectBy(environment, cwd);
  const valueFor = (name: string, value: string): string | undefined => {
    if (isAmong(["PATH"], name))
      return value
        .split(delimiter)
        .filter((folder) => !isOfProject(folder))
        .join(delimiter);
    return isAmong(folders, name) && isOfProject(value) ? undefined : value;
  };
  const kept = Object.entries(environment)
    .filter(([name]) => isAmong(inherited[kind], name))
    .map(([name, value]) => [name, value === undefined ? undefined : valueFor(name, value)] as const);
  return Object.fromEntries(kept);
}

/**
 * Tells the project's paths from those of the machine: a change that somebody proposes can put a program there. The
 * project is the repository around the current folder, else the nearest folder with a package.json, else that folder;
 * and what GitLab and GitHub call so. Relative paths are the project's, as are programs of packages. A home is none.
 */
export function projectBy(environment: Variables, cwd: string = process.cwd()): (path: string) => boolean {
  const home = homeIn(environment);
  const upward = foldersAbove(realOf(cwd)).filter((folder) => home === null || !isInFolder(realOf(home), folder));
  const holding = (mark: string): readonly string[] => upward.filter((folder) => existsSync(join(folder, mark)));
  const project = holding(".git").at(-1) ?? holding("package.json")[0] ?? upward[0];
  const named = [environment["CI_PROJECT_DIR"], environment["GITHUB_WORKSPACE"]].filter((folder) => !!folder);
  const roots = [project, ...named].flatMap((folder) =>
    folder === undefined ? [] : [resolve(folder), realOf(folder)],
  );
  return (path) =>
    !isAbsolute(path) ||
    resolve(path).split(sep).includes("node_modules") ||
    [resolve(path), realOf(path)].some((spelled) => roots.some((root) => isInFolder(spelled, root)));
}

/** Null for a user whom the machine doesn't know, as a container may be started with any number. */
function homeIn(environment: Variables): string | null {
  try {
    return environment["HOME"] || homedir();
  } catch {
    return null;
  }
}

/** Where the user's caches keep what is Assay's, the preferred folder first. XDG has relative paths ignored. */
export const cacheFolders = (environment: Variables): readonly string[] =>
  [environment["XDG_CACHE_HOME"] ?? "", join(homeIn(environment) ?? "", ".cache")]
    .filter(isAbsolute)
    .map((caches) => join(caches, "assay"));
