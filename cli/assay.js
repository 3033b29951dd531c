#!/usr/bin/env node
// The launcher, in plain JavaScript: it must be able to say that Node is too old.
import { fileURLToPath } from "node:url";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Assay needs Node 20.19 or newer; this is Node ${process.versions.node}. Install a newer Node and run again.`,
  );
  process.exit(2);
}
const { ensureGenerated } = await import("../specs/build/ensure.js");
ensureGenerated();
// Wherever it is called from, the sources are read by this project's own settings.
process.env["TSX_TSCONFIG_PATH"] = fileURLToPath(new URL("../tsconfig.json", import.meta.url));
const { register } = await import("tsx/esm/api");
register();
await import("./main.ts");
