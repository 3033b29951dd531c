// How does a script become the one file that k6 runs, with its orders in it?
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export const scripts = ["volley", "traffic"] as const;
export type Script = (typeof scripts)[number];

const bundled = new Map<Script, Promise<string>>();

/** JavaScript without imports but k6's own. */
export function bundleOf(script: Script): Promise<string> {
  const known = bundled.get(script);
  if (known) return known;
  const made = build({
    entryPoints: [fileURLToPath(new URL(`${script}.ts`, import.meta.url))],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    mainFields: ["module", "main"],
    external: ["k6", "k6/*"],
  }).then(({ outputFiles }) => outputFiles[0]?.text ?? "");
  bundled.set(script, made);
  return made;
}

/** The script with what it is told: it travels through k6's standard input, so that no key is ever in a file. */
export const orderedTo = async (script: Script, orders: object): Promise<string> =>
  `const orders = JSON.parse(${JSON.stringify(JSON.stringify(orders))});\n${await bundleOf(script)}`;
