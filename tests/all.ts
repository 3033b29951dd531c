// `npm test`: types, format, lint, dead code and self-tests, or only the self-tests that are named.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { selectionOf } from "./support/selection.ts";
import { filesBelow } from "./support/sources.ts";

const root = resolve(fileURLToPath(new URL("..", import.meta.url)));
const results = join(root, "test-results", "tests.json");

const steps: readonly [name: string, command: readonly string[]][] = [
  ["types", ["typescript-7/bin/tsc", "-p", "."]],
  ["format", ["@biomejs/biome/bin/biome", "ci", "."]],
  ["lint", ["oxlint/bin/oxlint", "."]],
  // Generated files are ignored by git, and import what nothing else does.
  ["dead code", ["knip/bin/knip.js", "--no-gitignore"]],
];

let [passed, failed] = [0, 0];
const seconds = (from: number): string => `${((performance.now() - from) / 1000).toFixed(1)} s`;

const node = (script: string, args: readonly string[], output: "pipe" | "inherit") =>
  spawn(process.execPath, [join(root, "node_modules", script), ...args], {
    cwd: root,
    stdio: ["ignore", output, output],
  });
const codeOf = async (child: ChildProcess): Promise<number> =>
  ((await once(child, "close")) as [number | null])[0] ?? 1;

/** Runs beside the self-tests, at low priority; its output is shown at the end. */
async function checked([name, [script = "", ...args]]: (typeof steps)[number]): Promise<void> {
  const started = performance.now();
  const child = node(script, args, "pipe");
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  const code = await codeOf(child);
  if (output.trim() !== "") console.log(output.trimEnd());
  console.log(`${code === 0 ? "passed" : "FAILED"}  ${name}  ${seconds(started)}`);
  if (code === 0) passed += 1;
  else failed += 1;
}

/** Self-tests of load are skipped without k6. */
async function buildK6(): Promise<void> {
  const { ensureK6, NoK6 } = await import("../load/k6/ensure.ts");
  try {
    const { path, version } = await ensureK6({ onProgress: (line) => console.log(`        ${line}`) });
    console.log(`passed  k6 ${version} (${path})`);
    passed += 1;
  } catch (error) {
    if (!(error instanceof NoK6)) throw error;
    console.log(`skipped k6: ${error.message} Self-tests that need it are skipped.`);
  }
}

/** Gives Playwright's exit code. */
const selfTests = (args: readonly string[]): Promise<number> =>
  codeOf(node("@playwright/test/cli.js", ["test", "-c", "tests", ...args], "inherit"));

async function everything(): Promise<void> {
  const checks = Promise.all(steps.map(checked));
  await buildK6();
  rmSync(results, { force: true });
  const started = performance.now();
  const status = await selfTests([]);
  const took = seconds(started);
  await checks;
  const { stats } = JSON.parse(readFileSync(results, "utf8")) as {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  };
  const { expected, unexpected, flaky, skipped } = stats;
  const counts = `${expected} passed, ${unexpected} failed, ${skipped} skipped`;
  console.log(`${status === 0 ? "passed" : "FAILED"}  self-tests  ${counts}  ${took}`);
  passed += expected;
  failed += unexpected + flaky;
  if (status !== 0 && unexpected + flaky === 0) failed += 1;
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}

/** What Playwright ran, as its JSON reporter has it. */
interface Ran {
  readonly errors: readonly { readonly location?: object }[];
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number };
}

const noTest = (words: readonly string[]): string =>
  `No self-test has ${words.map((word) => `"${word}"`).join(" or ")} in its file's path or its title, so none was ` +
  "run. `npm test -- --list` lists those of a push; `npm run test:slow` runs the others.";

/** Gives the exit code: 2 where nothing is selected, and what is wrong is one paragraph. */
async function named(words: readonly string[]): Promise<number> {
  const textOf = (path: string): string => readFileSync(join(root, path), "utf8");
  const files = filesBelow("tests", /\.spec\.ts$/).map((path) => ({ path, text: textOf(path) }));
  let all: string | undefined;
  const isSomewhere = (part: string): boolean => {
    all ??= filesBelow(".", /\.(?:tsx?|ya?ml|json|txt)$/)
      .map(textOf)
      .join("\n")
      .toLowerCase();
    return all.includes(part.toLowerCase());
  };
  const selection = selectionOf(words, files, isSomewhere);
  if ("unmatched" in selection) {
    console.error(noTest(selection.unmatched));
    return 2;
  }
  rmSync(results, { force: true });
  process.env["PLAYWRIGHT_JSON_OUTPUT_NAME"] = results;
  const code = await selfTests(["--reporter=list,json", ...selection.args]);
  if (code === 0 || !existsSync(results)) return code;
  const { errors, stats } = JSON.parse(readFileSync(results, "utf8")) as Ran;
  // An error in a file that was loaded has a place.
  const isNone = stats.expected + stats.unexpected + stats.flaky === 0 && errors.every(({ location }) => !location);
  if (isNone) console.error(noTest([words.join(" ")]));
  return isNone ? 2 : code;
}

const words = process.argv.slice(2);
if (words.length === 0) await everything();
else process.exitCode = await named(words);
