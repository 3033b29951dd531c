// Which file a name starts, and what Windows makes of the command line of a batch file.
import { win32 } from "node:path";
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { type ProgramSystem, programsOnPath, spawnedAs } from "../../harness/core/programs.ts";

const node = "C:\\Program Files\\nodejs";
const shims = "D:\\client\\node_modules\\.bin";
const files = [`${node}\\node.exe`, `${node}\\npm`, `${node}\\npm.cmd`, `${shims}\\jest`, `${shims}\\jest.cmd`];
const windows: ProgramSystem = {
  platform: "win32",
  canRun: (path) => files.some((file) => file.toLowerCase() === win32.normalize(path).toLowerCase()),
};
const environment = { Path: `C:\\Windows;;${node};${shims}`, PATHEXT: ".COM;.EXE;.BAT;.CMD", ComSpec: "C:\\cmd.exe" };

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

test("elsewhere a name is that of its file, and a program is started as it is", () => {
  const linux: ProgramSystem = { platform: "linux", canRun: (path) => path.startsWith("/opt") };
  expect(programsOnPath("k6", { PATH: "/usr/bin::/opt/a:/opt/b", PATHEXT: ".EXE" }, linux)).toEqual([
    "/opt/a/k6",
    "/opt/b/k6",
  ]);
  expect(spawnedAs("npm", ["a b"], environment, linux)).toEqual({ command: "npm", args: ["a b"], isVerbatim: false });
});

test("on Windows only a batch file is left to cmd.exe; what isn't there is left to the error of starting it", () => {
  const started = (program: string) => spawnedAs(program, ["test"], environment, windows);
  expect(started("node")).toEqual({ command: `${node}\\node.exe`, args: ["test"], isVerbatim: false });
  expect(started("nothing")).toEqual({ command: "nothing", args: ["test"], isVerbatim: false });
  const npm = {
    command: "C:\\cmd.exe",
    args: ["/d", "/s", "/c", '"C:\\Program^ Files\\nodejs\\npm.cmd ^"test^""'],
    isVerbatim: true,
  };
  expect(started("npm")).toEqual(npm);
  expect(started("C:/Program Files/nodejs/npm")).toEqual(npm);
});

/** One reading of a line by cmd.exe: a caret makes a letter plain. @throws Error where one steers it that isn't so */
function readByCmd(line: string): string {
  const plain = line.replaceAll(/\^(.)/gs, (_, letter: string) => String.fromCodePoint(0xe000 + letter.charCodeAt(0)));
  if (/[()%!"<>&|]/.test(plain)) throw new Error(`cmd.exe reads more than words in ${line}`);
  return plain.replaceAll(/[\ue000-\ue0ff]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) - 0xe000));
}

/** By Microsoft's rules for the arguments of a C program. */
function argumentsIn(line: string): readonly string[] {
  const words: string[] = [];
  let [word, isQuoted] = ["", false];
  for (const [, slashes = "", quote = "", letter = ""] of line.matchAll(/(\\*)(?:(")|([^\\]|$))/g)) {
    word += quote ? "\\".repeat(slashes.length / 2) : slashes;
    if (quote && slashes.length % 2 === 1) word += quote;
    else if (quote) isQuoted = !isQuoted;
    else if (letter === " " && !isQuoted) {
      words.push(word);
      word = "";
    } else word += letter;
  }
  return [...words, word];
}

test("the words that a batch file passes on are those that were typed", () => {
  const letters = fc.constantFrom(...'ab \\"%!^&|<>()[];,*?`-=/');
  const typed = fc.array(fc.string({ unit: letters }), { minLength: 1 });
  for (const [program, readings] of [
    ["npm", 1],
    ["jest", 2],
  ] as const)
    fc.assert(
      fc.property(typed, (words) => {
        const { args } = spawnedAs(program, words, environment, windows);
        let line =
          args
            .at(-1)
            ?.slice(1, -1)
            .replace(/^.*?\.cmd /, "") ?? "";
        for (let reading = 0; reading < readings; reading += 1) line = readByCmd(line);
        expect(argumentsIn(line)).toEqual(words);
      }),
      { numRuns: 100 },
    );
});
