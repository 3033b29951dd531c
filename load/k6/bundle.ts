// The script of k6 with its orders, bundled into one file
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** A script of Assay, or the file of one that judges by the laws of an interface. */
export type Script = "schedule" | URL;

const own = { schedule: new URL("schedule.ts", import.meta.url) };

const bundled = new Map<string, Promise<string>>();

/** JavaScript whose only imports are k6's own. */
export function bundleOf(file: string): Promise<string> {
  const known = bundled.get(file);
  if (known) return known;
  // A package has them bundled.
  const made = file.endsWith(".js") ? readFile(file, "utf8") : bundleNow(file);
  bundled.set(file, made);
  return made;
}

async function bundleNow(file: string): Promise<string> {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    mainFields: ["module", "main"],
    external: ["k6", "k6/*"],
  });
  return outputFiles[0]?.text ?? "";
}

/** SHA-256, in hexadecimal. */
export const scriptDigest = (text: string): string => createHash("sha256").update(text).digest("hex");

export const digestOfScript = async (script: Script): Promise<string> => scriptDigest(await bundleOf(fileOf(script)));

const fileOf = (script: Script): string => fileURLToPath(script instanceof URL ? script : own[script]);

export const sourceBegins = "const orders = JSON.parse(";

/** The script with its orders, for k6's standard input, so that no key is ever in a file. */
export const orderedTo = async (script: Script, orders: object): Promise<string> =>
  `${sourceBegins}${JSON.stringify(JSON.stringify(orders))});\n${await bundleOf(fileOf(script))}`;
