// Programs on the PATH, which on Windows have endings.
import { accessSync, constants } from "node:fs";
import { posix, win32 } from "node:path";

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
