// The command line as one bundle, built once for all tests: it starts in a third of the time of the sources.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

const root = resolve(fileURLToPath(new URL("../..", import.meta.url)));

/** Names the bundle to the workers. */
const variable = "ASSAY_TEST_CLI";

/** Each file keeps its own address, by which it finds schemas and scripts beside it. */
const ownAddresses: Plugin = {
  name: "own addresses",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.tsx?$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href)),
      loader: path.endsWith("x") ? "tsx" : "ts",
    })),
};

/** Builds it where packages are found; what it returns removes it. */
export async function bundleCli(): Promise<() => void> {
  const results = join(root, "test-results");
  mkdirSync(results, { recursive: true });
  const outdir = mkdtempSync(join(results, "cli-"));
  await build({
    entryPoints: [join(root, "cli/main.ts")],
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    // Where a package has both, the other form of its modules can't always be bundled.
    mainFields: ["module", "main"],
    // They look for files of their own beside their modules.
    external: ["@playwright/test", "esbuild", "tsx", "typescript"],
    // Packages in the older form of modules ask for those of Node.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    jsx: "automatic",
    jsxImportSource: "hono/jsx",
    outdir,
    plugins: [ownAddresses],
  });
  process.env[variable] = join(outdir, "main.js");
  return () => rmSync(outdir, { recursive: true, force: true, maxRetries: 5 });
}

/** What starts the command line: the bundle in a test run, else the launcher that users start. */
export const cliPath = (): string => process.env[variable] ?? join(root, "cli/assay.js");
