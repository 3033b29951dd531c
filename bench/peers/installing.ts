// The other tools, installed once into the user's cache, in the versions that tools/peers/ pins
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolders } from "../../harness/core/children.ts";
import { CommandLineError } from "../../harness/core/commandLineError.ts";
import { type Ended, lastWords, runToEnd } from "./children.ts";

export interface Tool {
  readonly program: string;
  readonly version: string;
}

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const [caches = tmpdir()] = cacheFolders(process.env);
const folder = join(caches, "peers");
const longest_s = 600;

const run = (command: readonly string[]): Promise<Ended> =>
  runToEnd(command, { cwd: folder, within_s: longest_s }).catch((error: unknown) => {
    return { code: 127, stdout: "", stderr: String(error), startedAt_ms: 0, seconds: 0, processorSeconds: 0 };
  });

interface PackageFile {
  readonly version: string;
  readonly bin: { readonly [name: string]: string };
}

/** A package's program; null where it isn't installed in that version. */
function installed(name: string, program: string, wanted: string): Tool | null {
  const own = join(folder, "node_modules", name);
  if (!existsSync(join(own, "package.json"))) return null;
  const { version, bin } = JSON.parse(readFileSync(join(own, "package.json"), "utf8")) as PackageFile;
  return version === wanted ? { program: join(own, bin[program] ?? ""), version } : null;
}

/** Redocly CLI and Prism. @throws CommandLineError where npm can't install them */
export async function packagesInstalled(): Promise<{ readonly redocly: Tool; readonly prism: Tool }> {
  mkdirSync(folder, { recursive: true });
  const { dependencies } = JSON.parse(readFileSync(file("../../tools/peers/package.json"), "utf8")) as {
    readonly dependencies: { readonly [name: string]: string };
  };
  const both = () => {
    const redocly = installed("@redocly/cli", "redocly", dependencies["@redocly/cli"] ?? "");
    const prism = installed("@stoplight/prism-cli", "prism", dependencies["@stoplight/prism-cli"] ?? "");
    return redocly && prism && { redocly, prism };
  };
  const already = both();
  if (already) return already;
  for (const name of ["package.json", "package-lock.json"])
    copyFileSync(file(`../../tools/peers/${name}`), join(folder, name));
  const ended = await run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"]);
  const now = both();
  if (now) return now;
  throw new CommandLineError(
    `npm can't install Redocly CLI and Prism into ${folder}. They come from npm's registry, so the first ` +
      `\`npm run bench:peers\` needs a network. npm says: ${ended.stderr.split("\n").slice(0, 2).join(", ")}`,
  );
}

/** @throws CommandLineError where there is no Python, or pip can't install it */
export async function schemathesisInstalled(): Promise<Tool> {
  mkdirSync(folder, { recursive: true });
  const requirements = file("../../tools/peers/requirements.txt");
  const [, wanted = ""] = /^schemathesis==(\S+)$/m.exec(readFileSync(requirements, "utf8")) ?? [];
  const program = join(folder, "python", "bin", "st");
  const isThere = async (): Promise<boolean> =>
    (await run([program, "--version"])).stdout.trim().endsWith(` ${wanted}`);
  if (existsSync(program) && (await isThere())) return { program, version: wanted };
  const made = await run(["python3", "-m", "venv", "--clear", "python"]);
  if (made.code !== 0)
    throw new CommandLineError(
      "Schemathesis needs Python 3.10 or later with venv, and `python3 -m venv` fails. Install it, or measure the " +
        `others with \`--only assay --only drift --only prism\`. It says: ${lastWords(made)}`,
    );
  const ended = await run([join("python", "bin", "pip"), "install", "--quiet", "--requirement", requirements]);
  if (existsSync(program) && (await isThere())) return { program, version: wanted };
  throw new CommandLineError(
    `pip can't install Schemathesis ${wanted} into ${folder}. It comes from PyPI, so the first ` +
      `\`npm run bench:peers\` needs a network. pip says: ${lastWords(ended)}`,
  );
}
