// Generation where files are missing, or older than what they are made from.
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { isFresh } from "./stamp.js";

const specsDir = resolve(import.meta.dirname, "..");

export function ensureGenerated() {
  if (isFresh(specsDir)) return;
  const { status } = spawnSync(process.execPath, ["--import", "tsx", join(specsDir, "build", "generate.ts")], {
    cwd: join(specsDir, ".."),
    // Its messages must not run into the JSON that a command prints.
    stdio: ["ignore", 2, "inherit"],
  });
  if (status !== 0) process.exit(status ?? 2);
}
