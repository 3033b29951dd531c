// Is everything right? Types, style, dead code, self-tests; closes with `N passed, N failed`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { constants, setPriority } from "node:os";
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

/** Takes what others leave of the processor: they wait for answers now and then. */
const humble = constants.priority.PRIORITY_LOW;

/** Beside the self-tests; what it says is shown once it is done. */
async function checked([name, [script = "", ...args]]: (typeof steps)[number]): Promise<void> {
  const started = performance.now();
  const child = spawn(process.execPath, [join(root, "node_modules", script), ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (child.pid !== undefined) setPriority(child.pid, humble);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
  }
  const [code] = (await once(child, "close")) as [number | null];
  if (said.trim() !== "") console.log(said.trimEnd());
  console.log(`${code === 0 ? "passed" : "FAILED"}  ${name}  ${seconds(started)}`);
  if (code === 0) passed += 1;
  else failed += 1;
}

/** Self-tests of load are skipped without it. */
async function built(): Promise<void> {
  try {
    const { path, version } = await ensureK6({ tell: (line) => console.log(`        ${line}`) });
    console.log(`passed  k6 ${version} (${path})`);
    passed += 1;
  } catch (error) {
    if (!(error instanceof NoK6)) throw error;
    console.log(`skipped k6: ${error.message} What needs it is skipped.`);
  }
}

const code = Promise.all(steps.map(checked));
await built();

rmSync(results, { force: true });
const started = performance.now();
const tests = spawn(process.execPath, [join(root, "node_modules/@playwright/test/cli.js"), "test", "-c", "tests"], {
  cwd: root,
  stdio: ["ignore", "inherit", "inherit"],
});
const [status] = (await once(tests, "close")) as [number | null];
const lasted = seconds(started);
await code;
const { stats } = JSON.parse(readFileSync(results, "utf8")) as {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
};
console.log(
  `${status === 0 ? "passed" : "FAILED"}  self-tests  ${stats.expected} passed, ${stats.unexpected} failed, ${stats.skipped} skipped  ${lasted}`,
);
passed += stats.expected;
failed += stats.unexpected + stats.flaky;
if (status !== 0 && stats.unexpected + stats.flaky === 0) failed += 1;

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
