// Where Node keeps the package's code compiled: a seventh of a short run is compiling. What is read back there is run.
import { existsSync, lstatSync, readdirSync, rmSync, utimesSync } from "node:fs";
import nodeModule from "node:module";
import { join } from "node:path";
import { cacheFolders, projectBy } from "../harness/core/children.ts";
import { foldersAbove, makeFolder, realOf } from "../harness/core/paths.ts";
import { version } from "./version.ts";

type Variables = Parameters<typeof cacheFolders>[0];

/** Node 22.8 and newer have it; the types are those of an older one. */
interface CodeKeeping {
  /** Says by its return what it couldn't do. */
  readonly enableCompileCache?: (folder: string) => unknown;
}

/** What no start has asked for in so long is removed: a folder is by version, and Node never empties it. */
const kept_ms = 30 * 24 * 3_600_000;

/**
 * Whether another user could put something else in its place or into it; root can anyhow. Windows has no such bits:
 * there a home's folders are the user's.
 */
function isOpen(folder: string, kept: string): boolean {
  const { mode, uid } = lstatSync(folder);
  if (process.platform === "win32") return false;
  const isOthers = uid !== process.getuid?.() && uid !== 0;
  // What is in a sticky folder, such as that for temporary files, only its owner moves; but anybody adds to it.
  return isOthers || ((mode & 0o022) !== 0 && ((mode & 0o1000) === 0 || folder === kept));
}

/**
 * Lets Node keep compiled code in the user's cache: not in its own default, the folder for temporary files, nor in a
 * project, where others could put code. NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE count as ever.
 * @returns the folder; null where nothing is kept
 */
export function keepCode(environment: Variables, node = nodeModule as CodeKeeping): string | null {
  const { enableCompileCache } = node;
  if (!enableCompileCache || environment["NODE_DISABLE_COMPILE_CACHE"] || environment["NODE_COMPILE_CACHE"])
    return null;
  const [caches] = cacheFolders(environment);
  if (caches === undefined) return null;
  const kept = realOf(join(caches, "code"));
  const folder = join(kept, version);
  try {
    const isClosed = (): boolean => !foldersAbove(folder).some((path) => existsSync(path) && isOpen(path, folder));
    // Nothing is made in another user's home, and nothing used that somebody made meanwhile.
    if (projectBy(environment)(kept) || !isClosed()) return null;
    makeFolder(folder, 0o700);
    if (!isClosed()) return null;
    // Node writes only below it.
    utimesSync(folder, new Date(), new Date());
    for (const old of readdirSync(kept).map((name) => join(kept, name)))
      if (Date.now() - lstatSync(old).mtimeMs > kept_ms) rmSync(old, { recursive: true, force: true });
  } catch {
    // A home that can't be written to costs the time only.
    return null;
  }
  enableCompileCache(folder);
  return folder;
}
