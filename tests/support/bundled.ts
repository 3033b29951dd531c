// A module of the product bundled for a process that is started without TypeScript, which takes half a second to load.
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "./assay.ts";

const made = new Map<string, Promise<string>>();

/** The path of the bundled module; a worker makes it once. */
export function bundled(module: string): Promise<string> {
  const path = made.get(module) ?? bundle(module);
  made.set(module, path);
  return path;
}

/** Within the tree, where it finds its packages. */
async function bundle(module: string): Promise<string> {
  const outfile = join(root, `node_modules/.cache/tests/${process.pid}/${module.replace(/\W/g, "-")}.js`);
  await build({
    ...{ entryPoints: [join(root, module)], outfile, bundle: true },
    ...{ format: "esm", platform: "node", packages: "external", logLevel: "error" },
  });
  return outfile;
}
