// Where Node keeps compiled code: in the user's cache, and nowhere that another user or a proposed change can write to.
import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { keepCode } from "../../cli/codeCache.ts";
import { version } from "../../cli/version.ts";
import { emptyFolder, root } from "../support/assay.ts";

/** What Node was given, of a home. */
function kept(environment: { readonly [name: string]: string }): string | null {
  const given: string[] = [];
  const folder = keepCode(environment, { enableCompileCache: (one) => given.push(one) });
  expect(given).toEqual(folder === null ? [] : [folder]);
  return folder;
}

test("compiled code is kept in the user's cache by version, for nobody else", () => {
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
  expect(["0.0.1", "0.0.2"].map((name) => existsSync(join(code, name)))).toEqual([false, true]);
});

test("no code is kept where another could put some, nor where the user or an older Node has none kept", () => {
  const open = emptyFolder();
  mkdirSync(join(open, ".cache/assay/code"), { recursive: true });
  chmodSync(join(open, ".cache/assay/code"), 0o777);
  const linked = emptyFolder();
  mkdirSync(join(linked, ".cache"));
  symlinkSync(emptyFolder(), join(linked, ".cache/assay"));
  const file = join(root, "package.json");
  for (const HOME of [open, linked, file]) expect([HOME, kept({ HOME })]).toEqual([HOME, null]);
  const HOME = emptyFolder();
  expect(kept({ HOME, XDG_CACHE_HOME: join(root, "runs") })).toBeNull();
  for (const name of ["NODE_COMPILE_CACHE", "NODE_DISABLE_COMPILE_CACHE"])
    expect(kept({ HOME, [name]: "1" })).toBeNull();
  expect(keepCode({ HOME }, {})).toBeNull();
  expect(existsSync(join(HOME, ".cache"))).toBe(false);
});
