// Which file a name starts.
import { win32 } from "node:path";
import { expect, test } from "@playwright/test";
import { type ProgramSystem, programsOnPath } from "../../harness/core/programs.ts";

const node = "C:\\Program Files\\nodejs";
const files = [`${node}\\node.exe`, `${node}\\npm`, `${node}\\npm.cmd`];
const windows: ProgramSystem = {
  platform: "win32",
  canRun: (path) => files.some((file) => file.toLowerCase() === win32.normalize(path).toLowerCase()),
};
const environment = { Path: `C:\\Windows;;${node}`, PATHEXT: ".COM;.EXE;.BAT;.CMD" };

test("on Windows a program is found by its ending, however the PATH is spelled", () => {
  const found = (name: string) => programsOnPath(name, environment, windows);
  expect(found("node")).toEqual([`${node}\\node.exe`]);
  expect(found("node.EXE")).toEqual([`${node}\\node.EXE`]);
  // Its neighbour without an ending is a script for other shells.
  expect(found("npm")).toEqual([`${node}\\npm.cmd`]);
  expect(found("go")).toEqual([]);
  const { PATHEXT: _, ...without } = environment;
  expect(programsOnPath("npm", without, windows)).toEqual([`${node}\\npm.cmd`]);
});

test("elsewhere a name is that of its file", () => {
  const linux: ProgramSystem = { platform: "linux", canRun: (path) => path.startsWith("/opt") };
  expect(programsOnPath("k6", { PATH: "/usr/bin::/opt/a:/opt/b", PATHEXT: ".EXE" }, linux)).toEqual([
    "/opt/a/k6",
    "/opt/b/k6",
  ]);
});
