// Makes specs/generated/ again where it is missing or older than the specs.
import { spawnSync } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isFresh } from "./stamp.js";

const specsDir = resolve(dirname(fileURLToPath(import.meta.url)), "..");

export function ensureGenerated() {
  if (isFresh(specsDir)) return;
  const { status } = spawnSync(process.execPath, ["--import", "tsx", join(specsDir, "build", "generate.ts")], {
    cwd: join(specsDir, ".."),
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status !== 0) process.exit(status ?? 2);
}
