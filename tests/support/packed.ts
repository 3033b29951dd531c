// The package as `npm pack` packs it: once in all tests of a run, and nobody else writes dist/ meanwhile.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { type Ended, root, start } from "./assay.ts";
import { sharedFolder } from "./folders.ts";

export const npm = (args: readonly string[], where: string): Promise<Ended> =>
  start("npm", [...args, "--no-audit", "--no-fund", "--prefer-offline"], {}, where).ended;

/** Whether this worker is the first that asks: who makes a folder is one. */
function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}

/** Path of the tarball, whose surface is the one that is written down. */
export async function tarball(): Promise<string> {
  const folder = join(sharedFolder(), "packed");
  const ended = join(folder, "ended.json");
  if (isFirst(folder)) {
    const packed = await npm(["pack", "--pack-destination", folder], root);
    writeFileSync(ended, JSON.stringify(packed));
  }
  await expect.poll(() => existsSync(ended), { timeout: 300_000 }).toBe(true);
  const { code, stdout, stderr } = JSON.parse(readFileSync(ended, "utf8")) as Ended;
  expect(code, stdout + stderr).toBe(0);
  return join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "");
}
