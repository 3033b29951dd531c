#!/usr/bin/env node
// The launcher, in plain JavaScript so that an old Node can report that it is too old.
import * as ownCrypto from "node:crypto";
import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Assay needs Node 22 or 24 (20.19 or later still works); this is Node ${process.versions.node}. ` +
      "Install a newer Node and try again.",
  );
  process.exit(2);
}

/** Options of Node, of which the last counts; V8 takes its own with underscores, too. */
const inVariable = (process.env["NODE_OPTIONS"] || "").replace(/_/g, "-").split(/\s+/);
const options = [...inVariable, ...process.execArgv.map((word) => word.replace(/_/g, "-"))];
const given = (...names) => options.findLast((word) => names.includes(word.split("=")[0]));
const isAtLeast = (option, least) => Number((given(option) || `=${least}`).split("=")[1]) >= least;
const canMakeCode = () => {
  try {
    return new Function("return true")();
  } catch {
    return false;
  }
};
const isSecureHeapSmall = () => {
  const { total } = ownCrypto.secureHeapUsed();
  return total > 0 && total < 65_536;
};
/** What Assay needs, whether it is there, and which options deny it: what lacks it would end in the middle of a run. */
const needs = [
  ["code that is made while it runs", canMakeCode(), "--disallow-code-generation-from-strings"],
  ["WebAssembly", typeof WebAssembly === "object", "--no-expose-wasm", "--noexpose-wasm", "--jitless"],
  ["fetch", typeof fetch === "function", "--no-experimental-fetch"],
  ["the global crypto", typeof crypto === "object", "--no-experimental-global-webcrypto"],
  ["built-in objects that aren't frozen", !Object.isFrozen(Object), "--frozen-intrinsics"],
  ["at least 65536 bytes of secure heap where there is one", !isSecureHeapSmall(), "--secure-heap"],
  ["a heap of at least 64 MB", isAtLeast("--max-old-space-size", 64), "--max-old-space-size"],
];
const lack = needs.find(([, isThere]) => !isThere);
if (lack) {
  const [what, , ...names] = lack;
  const option = given(...names) || names[0];
  const where = inVariable.includes(option) ? " of NODE_OPTIONS" : "";
  console.error(`Assay needs ${what}, which Node's option ${option}${where} denies it. Leave that option out.`);
  process.exit(2);
}
const compiled = async () => (await import("./compiled.js")).ensureCompiled();
const failed = (error) => {
  if (error && error.code === "ERR_ACCESS_DENIED") {
    console.error(`Assay can't start: Node denies it ${error.permission} by its option --permission. Leave that out.`);
    process.exit(2);
  }
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
  const packed = (name) => new URL(`../dist/${name}.js`, import.meta.url);
  if (isPackage && !existsSync(packed("process"))) {
    console.error(
      "This copy of Assay isn't built: npm builds what it installs from git only where scripts may run. Install it " +
        "without --ignore-scripts, or install a tarball that npm pack made in a clone.",
    );
    process.exit(2);
  }
  if (isPackage) (await import(packed("codeCache").href)).keepCode(process.env);
  const main = isPackage ? packed("process") : pathToFileURL(await compiled());
  await import(main.href);
} catch (error) {
  failed(error);
}
