// Where in a config something is: what was thrown, a syntax error, and the check or requirement of an error of form.
import { spawnSync } from "node:child_process";
import { dirname, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { childEnvironment } from "../harness/core/children.ts";
import { realOf } from "../harness/core/paths.ts";

/** Of the parts of a stack, the address, line and column, where it has them. */
const address = /(?<![^\s()])(file:\/\/[^\s()]+?):(\d+)(?::(\d+))?(?=\)?$)/m;

/** The first place of a stack that is in the folder of a config, e.g. `lib/prices.mjs:37:12`; null where none is. */
export function placeInStack(stack: string, config: string): string | null {
  // Node tells where a file really is.
  const folder = realOf(dirname(config));
  for (const line of stack.split("\n")) {
    const [, url, ...numbers] = address.exec(line) ?? [];
    const path = url === undefined ? ".." : relative(folder, fileURLToPath(url.replace(/\?.*/, "")));
    if (!/^\.\.|(^|[\\/])node_modules[\\/]/.test(path)) return [path, ...numbers.filter(Boolean)].join(":");
  }
  return null;
}

/** Node says where a syntax error is only where it ends a process; nothing of such a file is run. */
export function placeOfSyntaxError(config: string): string | null {
  const importing = ["--input-type=module", "--eval", "await import(process.argv[1])", pathToFileURL(config).href];
  const env = childEnvironment("node");
  const { stderr } = spawnSync(process.execPath, importing, { env, encoding: "utf8", timeout: 10_000 });
  const [, , marks = ""] = stderr.split("\n");
  const place = placeInStack(stderr, config);
  return place === null || !marks.includes("^") ? place : `${place}:${marks.indexOf("^") + 1}`;
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split("\n").length;

/** The line of each member of a name, from 1; none where there are more or fewer than so many. */
export function linesOfMember(text: string, member: string, count: number): readonly number[] {
  const lines = [...text.matchAll(new RegExp(`\\b${member}\\s*:`, "g"))].map(({ index }) => lineAt(text, index));
  return lines.length === count ? lines : [];
}

/** The line where a requirement's id is given, or the first. */
export const lineOfId = (text: string, id: string): number =>
  lineAt(text, Math.max(0, text.search(new RegExp(`\\bid:\\s*["']${id}["']`))));
