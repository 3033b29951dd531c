// `npm run test:slow`: the nightly tier, or the parts of it that are named.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { partArguments } from "./support/parts.ts";

const root = resolve(fileURLToPath(new URL("..", import.meta.url)));

/** Gives the exit code. */
function runParts(words: readonly string[]): number {
  const files = readdirSync(join(root, "tests"), { recursive: true, encoding: "utf8" });
  const specFiles = files.filter((file) => file.endsWith(".spec.ts"));
  const playwright = [join(root, "node_modules/@playwright/test/cli.js"), "test", "-c", "tests"];
  const { status } = spawnSync(process.execPath, [...playwright, ...partArguments(words, specFiles)], {
    cwd: root,
    env: { ...process.env, ASSAY_SLOW: "1" },
    stdio: "inherit",
  });
  return status ?? 1;
}

try {
  process.exitCode = runParts(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof CommandLineError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
