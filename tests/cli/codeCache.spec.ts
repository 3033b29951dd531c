// Where Node keeps compiled code: in the user's cache, and nowhere that another user or a proposed change can write to.
import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { keepCode } from "../../cli/codeCache.ts";
import { version } from "../../cli/version.ts";
import { emptyFolder, notOnWindows, root } from "../support/assay.ts";

/** What Node was given, of a home. */
function kept(environment: { readonly [name: string]: string }): string | null {
  const given: string[] = [];
  const folder = keepCode(environment, { enableCompileCache: (one) => given.push(one) });
  expect(given).toEqual(folder === null ? [] : [folder]);
  return folder;
}

test("compiled code is kept in the user's cache by version, for nobody else", () => {
  notOnWindows("modes of folders");
  const home = emptyFolder();
  const code = join(home, ".cache/assay/code");
  for (const [name, days] of [
    ["0.0.1", 31],
    ["0.0.2", 1],
    [version, 31],
  ] as const) {
    mkdirSync(join(code, name), { recursive: true, mode: 0o700 });
    utimesSync(join(code, name), new Date(), new Date(Date.now() - days * 86_400_000));
  }
  expect(kept({ HOME: home })).toBe(join(code, version));
  const { mode, mtimeMs } = statSync(join(code, version));
  expect([mode & 0o077, Date.now() - mtimeMs < 86_400_000]).toEqual([0, true]);
  const fresh = emptyFolder();
  expect(statSync(kept({ HOME: fresh }) ?? fresh).mode & 0o077).toBe(0);
  expect(statSync(join(fresh, ".cache/assay")).mode & 0o077).toBe(0);
  expect(["0.0.1", "0.0.2"].map((name) => existsSync(join(code, name)))).toEqual([false, true]);
});

test("no code is kept where another could put some, nor where the user or an older Node has none kept", () => {
  notOnWindows("modes of folders");
  /** A home whose folder others may write to: all of those above have to be closed, too. */
  const open = (path: string): string => {
    const home = emptyFolder();
    mkdirSync(join(home, path), { recursive: true });
    chmodSync(join(home, path), 0o777);
    return home;
  };
  const linked = emptyFolder();
  symlinkSync(open(".cache/assay"), join(linked, "open"));
  symlinkSync(join(linked, "open/.cache"), join(linked, ".cache"));
  const homes = [open(".cache/assay/code"), open(".cache"), linked, join(root, "package.json"), "/proc/none"];
  for (const HOME of homes) expect([HOME, kept({ HOME })]).toEqual([HOME, null]);
  // What is in a folder such as that for temporary files only its owner moves.
  for (const [path, isKept] of [
    [".cache", true],
    [`.cache/assay/code/${version}`, false],
  ] as const) {
    const sticky = open(path);
    chmodSync(join(sticky, path), 0o1777);
    expect([path, kept({ HOME: sticky }) !== null]).toEqual([path, isKept]);
  }
  const HOME = emptyFolder();
  expect(kept({ HOME, XDG_CACHE_HOME: join(root, "runs") })).toBeNull();
  for (const name of ["NODE_COMPILE_CACHE", "NODE_DISABLE_COMPILE_CACHE"])
    expect(kept({ HOME, [name]: "1" })).toBeNull();
  expect(keepCode({ HOME }, {})).toBeNull();
  expect(existsSync(join(HOME, ".cache"))).toBe(false);
});
