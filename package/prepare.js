// Makes what npm packs, in plain JavaScript: a fresh clone has no packages, nor has that of an install from git.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const { npm_execpath: npm, npm_lifecycle_event: event, npm_command: command, npm_package_resolved } = process.env;

/**
 * npm starts `prepare` in each clone that it installs packages in, too, where it would cost seconds for nothing: only
 * where npm packs, it names what. And `npm pack` starts `prepack` before.
 */
const isToDo = event !== "prepare" || (npm_package_resolved && !["pack", "publish"].includes(command));

/** @param {readonly string[]} words of Node; what they print isn't for who reads `npm pack --json` */
function start(...words) {
  const { status } = spawnSync(process.execPath, words, { cwd: root, stdio: ["ignore", 2, "inherit"] });
  if (status !== 0) process.exit(status || 1);
}

if (isToDo) {
  if (!npm) throw new Error("npm starts this: npm pack");
  const { dependencies, devDependencies } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));
  const names = Object.keys({ ...dependencies, ...devDependencies });
  // By options, as npm hands on what it was called with: `npm pack --dry-run` would install nothing.
  if (!names.every((name) => existsSync(`${root}/node_modules/${name}`)))
    start(npm, "ci", "--ignore-scripts", "--include=dev", "--dry-run=false", "--json=false", "--no-audit", "--no-fund");
  (await import("../specs/build/ensure.js")).ensureGenerated();
  start("--import", "tsx", "package/build.ts");
  start(npm, "run", "--silent", "surface");
}
