// What `npm pack` packs: the command line and the library, bundled into dist/ with their maps and types.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { cyclonedxEsbuildPlugin } from "@cyclonedx/cyclonedx-esbuild";
import { bundleScript } from "../cli/compiled.js";
import { bundleOf } from "../load/k6/bundle.ts";
import { mapOfOwnSources } from "./maps.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");

const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { dependencies: object };

/** Sources that start as modules of their own, by their names in dist/. */
const entries: { readonly [name: string]: string } = {
  codeCache: "cli/codeCache.ts",
  process: "cli/process.ts",
  index: "package/index.ts",
  worker: "proof/worker.ts",
};

/** Scripts of k6, by their names in dist/. */
const scripts = new Map<string, string>();

const fromRoot = (path: string): string => relative(root, path).replaceAll("\\", "/");

/** A source that starts as a module is one in dist/; all else stays where it is beside its source. */
function addressed(text: string, path: string): string {
  return text.replaceAll(/new URL\("([^"]+\.ts)", import\.meta\.url\)|import\.meta\.url/g, (_, script?: string) => {
    if (script === undefined) return `new URL("../${fromRoot(path)}", import.meta.url).href`;
    const source = fromRoot(resolve(dirname(path), script));
    const own = Object.entries(entries).find(([, entry]) => entry === source)?.[0];
    const name = own ?? `k6-${source.replaceAll(/\W+/g, "-")}`;
    if (own === undefined) scripts.set(name, source);
    return `new URL("./${name}.js", import.meta.url)`;
  });
}

rmSync(dist, { recursive: true, force: true });
await bundleScript({
  entryPoints: Object.fromEntries(Object.entries(entries).map(([name, source]) => [name, join(root, source)])),
  external: [...Object.keys(dependencies), "esbuild", "openapi-typescript", "tsx"],
  outdir: dist,
  sourcemap: true,
  // Names stay, as crashes tell them.
  minifyWhitespace: true,
  minifySyntax: true,
  addressed,
  plugins: [
    cyclonedxEsbuildPlugin({ outputFile: "bundled.cdx.json", gatherLicenseTexts: true, mcType: "application" }),
  ],
});
for (const name of readdirSync(dist).filter((file) => file.endsWith(".js.map")))
  writeFileSync(join(dist, name), mapOfOwnSources(readFileSync(join(dist, name), "utf8")));
for (const [name, source] of scripts) {
  if (!source.startsWith("load/k6/") || !existsSync(join(root, source)))
    throw new Error(`${source} starts as a module: add it to the entries`);
  writeFileSync(join(dist, `${name}.js`), await bundleOf(join(root, source)));
}
