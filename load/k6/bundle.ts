// The script of k6 with its orders, bundled into one file
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** One of ours, or the file of one that judges by the laws of an interface. */
export type Script = "schedule" | URL;

const bundled = new Map<string, Promise<string>>();

/** JavaScript whose only imports are k6's own. */
export function bundleOf(file: string): Promise<string> {
  const known = bundled.get(file);
  if (known) return known;
  const made = build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    mainFields: ["module", "main"],
    external: ["k6", "k6/*"],
  }).then(({ outputFiles }) => outputFiles[0]?.text ?? "");
  bundled.set(file, made);
  return made;
}

/** SHA-256, in hexadecimal. */
export const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");

export const digestOfScript = async (script: Script): Promise<string> => digestOf(await bundleOf(fileOf(script)));

const fileOf = (script: Script): string =>
  fileURLToPath(script instanceof URL ? script : new URL(`${script}.ts`, import.meta.url));

export const sourceBegins = "const orders = JSON.parse(";

/** The script with its orders, for k6's standard input, so that no key is ever in a file. */
export const orderedTo = async (script: Script, orders: object): Promise<string> =>
  `${sourceBegins}${JSON.stringify(JSON.stringify(orders))});\n${await bundleOf(fileOf(script))}`;
