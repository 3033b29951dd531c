// Programs on the PATH, and how one is started: Windows has endings for them, and scripts that only its shell runs.
import { accessSync, constants } from "node:fs";
import { posix, win32 } from "node:path";
import { withoutTrailing } from "./trailing.ts";

type Variables = { readonly [name: string]: string | undefined };

/** The machine, or one that a test makes up. */
export interface ProgramSystem {
  readonly platform: NodeJS.Platform;
  readonly canRun: (path: string) => boolean;
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const thisSystem: ProgramSystem = { platform: process.platform, canRun };

/** Copies of a process's variables have their names as Windows spells them: `Path`. */
const valueOf = (environment: Variables, name: string): string =>
  Object.entries(environment).find(([spelled]) => spelled.toUpperCase() === name)?.[1] ?? "";

/** Names of its file. What npm puts beside its `npm.cmd`, called `npm`, is a script for other shells. */
function fileNames(name: string, environment: Variables, { platform }: ProgramSystem): readonly string[] {
  if (platform !== "win32") return [name];
  const endings = (valueOf(environment, "PATHEXT") || ".COM;.EXE;.BAT;.CMD").toLowerCase().split(";").filter(Boolean);
  const isWhole = endings.includes(win32.extname(name).toLowerCase());
  return isWhole ? [name] : endings.map((ending) => `${name}${ending}`);
}

/** Files that run under that name, in the order of the PATH. */
export function programsOnPath(name: string, environment: Variables, system = thisSystem): readonly string[] {
  const isWindows = system.platform === "win32";
  const { delimiter, join } = isWindows ? win32 : posix;
  const path = isWindows ? valueOf(environment, "PATH") : (environment["PATH"] ?? "");
  const names = fileNames(name, environment, system);
  return path
    .split(delimiter)
    .filter((folder) => folder !== "")
    .flatMap((folder) => names.map((file) => join(folder, file)))
    .filter(system.canRun);
}

const steersCmd = /[()[\]%!^"`<>&|;, *?]/g;

/** As programs for Windows take their command line apart, and so that cmd.exe changes nothing of it. */
function wordForCmd(word: string, times: number): string {
  const pieces = word.split('"').map((piece) => {
    const before = withoutTrailing("\\", piece);
    return `${piece}${"\\".repeat(piece.length - before.length)}`;
  });
  let text = `"${pieces.join('\\"')}"`;
  for (let time = 0; time < times; time += 1) text = text.replace(steersCmd, "^$&");
  return text;
}

/**
 * What `spawn` is given to start a program. Windows runs no batch file by itself (Node refuses it: CVE-2024-27980), and
 * npm and npx are some; escaped as by cross-spawn, which also does so twice for what npm installs.
 */
export function spawnedAs(program: string, args: readonly string[], environment: Variables, system = thisSystem) {
  const asIs = { command: program, args, isVerbatim: false };
  if (system.platform !== "win32") return asIs;
  const [file = program] = /[\\/]/.test(program)
    ? fileNames(program, environment, system).filter(system.canRun)
    : programsOnPath(program, environment, system);
  if (!/\.(?:bat|cmd)$/i.test(file)) return { ...asIs, command: file };
  const times = /node_modules[\\/]\.bin[\\/][^\\/]+$/i.test(file) ? 2 : 1;
  const line = [win32.normalize(file).replace(steersCmd, "^$&"), ...args.map((word) => wordForCmd(word, times))];
  const shell = valueOf(environment, "COMSPEC") || "cmd.exe";
  return { command: shell, args: ["/d", "/s", "/c", `"${line.join(" ")}"`], isVerbatim: true };
}
