#!/usr/bin/env node
// The launcher, in plain JavaScript so that an old Node can report that it is too old.
import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Assay needs Node 20.19 or newer; this is Node ${process.versions.node}. Install a newer Node and try again.`,
  );
  process.exit(2);
}
const compiled = async () => (await import("./compiled.js")).ensureCompiled();
const failed = (error) => {
  console.error(`Assay can't start: ${error instanceof Error ? error.message : error}. Run npm ci, and try again.`);
  process.exit(3);
};
// Exit code 1 is for what a platform breaks: no crash may have it.
process.on("uncaughtException", failed);
// Processes that it starts from sources use this project's settings, whatever the current folder.
process.env["TSX_TSCONFIG_PATH"] = fileURLToPath(new URL("../tsconfig.json", import.meta.url));
try {
  // A package has no sources.
  const isPackage = !existsSync(new URL("process.ts", import.meta.url));
  const main = isPackage ? new URL("../dist/process.js", import.meta.url) : pathToFileURL(await compiled());
  await import(main.href);
} catch (error) {
  failed(error);
}
