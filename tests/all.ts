// Is everything right? Types, style, dead code, self-tests; closes with `N passed, N failed`.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureK6, NoK6 } from "../load/k6/ensure.ts";

const root = resolve(fileURLToPath(new URL("..", import.meta.url)));
const results = join(root, "test-results", "tests.json");

const steps: readonly [name: string, command: readonly string[]][] = [
  ["types", ["typescript/bin/tsc", "-p", "."]],
  ["format", ["@biomejs/biome/bin/biome", "ci", "."]],
  ["lint", ["eslint/bin/eslint.js", "."]],
  // What is generated is ignored by git, and imports what nothing else does.
  ["dead code", ["knip/bin/knip.js", "--no-gitignore"]],
];

let [passed, failed] = [0, 0];
const seconds = (from: number): string => `${((performance.now() - from) / 1000).toFixed(1)} s`;

const node = (args: readonly string[]): number | null => spawnSync(process.execPath, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] }).status;

for (const [name, [script = "", ...args]] of steps) {
  const started = performance.now();
  const isGood = node([join(root, "node_modules", script), ...args]) === 0;
  console.log(`${isGood ? "passed" : "FAILED"}  ${name}  ${seconds(started)}`);
  if (isGood) passed += 1;
  else failed += 1;
}

// Self-tests of load are skipped without it.
try {
  const { path, version } = await ensureK6({ tell: (line) => console.log(`        ${line}`) });
  console.log(`passed  k6 ${version} (${path})`);
  passed += 1;
} catch (error) {
  if (!(error instanceof NoK6)) throw error;
  console.log(`skipped k6: ${error.message} What needs it is skipped.`);
}

rmSync(results, { force: true });
const started = performance.now();
const status = node([join(root, "node_modules/@playwright/test/cli.js"), "test", "-c", "tests"]);
const { stats } = JSON.parse(readFileSync(results, "utf8")) as { stats: { expected: number; unexpected: number; flaky: number; skipped: number } };
console.log(`${status === 0 ? "passed" : "FAILED"}  self-tests  ${stats.expected} passed, ${stats.unexpected} failed, ${stats.skipped} skipped  ${seconds(started)}`);
passed += stats.expected;
failed += stats.unexpected + stats.flaky;
if (status !== 0 && stats.unexpected + stats.flaky === 0) failed += 1;

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
