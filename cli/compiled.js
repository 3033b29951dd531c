// The command line, compiled where sources changed, in plain JavaScript: the launcher asks before TypeScript can run.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ensureGenerated } from "../specs/build/ensure.js";
import { filesBelow } from "../specs/build/registries.js";
import { hashFiles, targetSchemaBeside } from "../specs/build/stamp.js";

const root = resolve(fileURLToPath(new URL("..", import.meta.url)));
const compiled = join(root, "node_modules", ".cache", "assay");

/** Where the sources are, and what generation reads. */
const rooms = [
  ..."cli contracts custom harness load panel property proof proxy published".split(" "),
  ..."reference reports specs".split(" "),
];

/** A running process may still load a part of what it was started from. */
const kept_ms = 24 * 3_600_000;

const inHex = (hash) => hash.digest("hex").slice(0, 16);

/** All sources, and their packages. */
const sources = () => [
  ...rooms.flatMap((room) => filesBelow(join(root, room), /\.(tsx?|js|json|ya?ml|html)$/)),
  targetSchemaBeside(join(root, "specs")),
  join(root, "package-lock.json"),
];

/** A hash over what sources hold, and over the folder, which compiled files keep as their address. */
function contentStamp() {
  const hash = createHash("sha256").update(root);
  hashFiles(hash, root, sources());
  return inHex(hash);
}

/** The same over their times and sizes, and those of what is generated from them: far faster than reading them. */
function timeStamp() {
  const hash = createHash("sha256").update(root);
  for (const file of [...sources(), join(root, "specs/generated/stamp")]) {
    const { mtimeMs = 0, size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return inHex(hash);
}

/** Charts load nothing: a tenth of all that is bundled would be vega's way to do so, with tables of Unicode. */
const noFetch = {
  name: "no fetch",
  setup: ({ onResolve }) => onResolve({ filter: /^node-fetch$/ }, () => ({ path: join(root, "cli/noFetch.js") })),
};

/**
 * Bundles sources, so that they start fast.
 * @param {(text: string, path: string) => string} addressed a file's text, with an address by which it finds what is
 *   beside it
 */
export async function bundleScript({ addressed, plugins = [], ...options }) {
  const { build } = await import("esbuild");
  const addresses = {
    name: "addresses",
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.tsx?$/ }, ({ path }) => ({
        contents: addressed(readFileSync(path, "utf8"), path),
        loader: path.endsWith("x") ? "tsx" : "ts",
      })),
  };
  const { metafile } = await build({
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    // Where a package has both, the other form of its modules can't always be bundled.
    mainFields: ["module", "main"],
    // Packages in the older form of modules ask for those of Node.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    jsx: "automatic",
    jsxImportSource: "hono/jsx",
    metafile: true,
    plugins: [addresses, noFetch, ...plugins],
    ...options,
  });
  return metafile;
}

const smallUndici = {
  name: "small undici",
  setup: ({ onResolve }) => onResolve({ filter: /^undici$/ }, () => ({ path: join(root, "cli/undici.js") })),
};

/** @param {string} outdir */
async function compile(outdir) {
  const metafile = await bundleScript({
    entryPoints: ["cli/process.ts"],
    // They look for files of their own beside their modules.
    external: ["@playwright/test", "esbuild", "openapi-typescript", "tsx", "typescript"],
    addressed: (text, path) => text.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href)),
    // Less to read at each start. Names stay, as crashes tell them.
    minifyWhitespace: true,
    minifySyntax: true,
    plugins: [smallUndici],
    outdir,
  });
  const unstamped = Object.keys(metafile.inputs).filter(
    (file) => !file.includes("node_modules/") && !rooms.includes(file.split("/")[0]),
  );
  if (unstamped.length > 0) throw new Error(`cli/compiled.js doesn't know the rooms of ${unstamped.join(", ")}`);
}

/**
 * Generates and compiles first where sources have changed.
 * @returns {Promise<string>} the path of the compiled `process.ts`
 */
export async function ensureCompiled() {
  const seen = join(compiled, `${timeStamp()}.seen`);
  const known = existsSync(seen) ? join(compiled, readFileSync(seen, "utf8"), "process.js") : "";
  if (known !== "" && existsSync(known)) return known;
  // Even where this command line is compiled: other processes start from what is generated.
  ensureGenerated();
  const stamp = contentStamp();
  const folder = join(compiled, stamp);
  if (!existsSync(folder)) {
    mkdirSync(compiled, { recursive: true });
    for (const one of readdirSync(compiled).map((name) => join(compiled, name))) {
      // Another process may be renaming its own.
      const made_ms = statSync(one, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
      if (Date.now() - made_ms > kept_ms) rmSync(one, { recursive: true, force: true });
    }
    const unfinished = `${folder}.${process.pid}`;
    await compile(unfinished);
    try {
      renameSync(unfinished, folder);
    } catch (error) {
      rmSync(unfinished, { recursive: true });
      // Another process may have been faster.
      if (!existsSync(folder)) throw error;
    }
  }
  // What is generated has a time of its own now.
  writeFileSync(join(compiled, `${timeStamp()}.seen`), stamp);
  return join(folder, "process.js");
}
