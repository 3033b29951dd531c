// Options of Node without which Assay can't work: each is named before anything is done.
import { expect, test } from "@playwright/test";
import { emptyFolder, root, start } from "../support/assay.ts";

const launcher = `${root}/cli/assay.js`;
const isOld = process.versions.node.startsWith("20.");
const isNewest = !isOld && !process.versions.node.startsWith("22.");

for (const [option, lack] of [
  ["--disallow-code-generation-from-strings", "code that is made while it runs"],
  ["--jitless", "WebAssembly"],
  ["--frozen-intrinsics", "built-in objects that aren't frozen"],
  ["--secure-heap=1024", "at least 65536 bytes of secure heap where there is one"],
  ["--max-old-space-size=20", "a heap of at least 64 MB"],
  // Later versions can't leave them out.
  ...(isNewest ? [] : ([["--noexpose_wasm", "WebAssembly"]] as const)),
  ...(isOld ? ([["--no-experimental-fetch", "fetch"]] as const) : []),
  ...(isOld ? ([["--no-experimental-global-webcrypto", "the global crypto"]] as const) : []),
] as const)
  test(`Node's option ${option} is named as the reason`, async () => {
    const { code, stdout, stderr } = await start(process.execPath, [option, launcher, "--version"]).ended;
    const shown = option.replaceAll("_", "-");
    const says = `Assay needs ${lack}, which Node's option ${shown} denies it. Leave that option out.`;
    expect([code, stdout, stderr.split("\n").filter((line) => !/Warning|--trace-warnings/.test(line))]).toEqual([
      ...[2, ""],
      [says, ""],
    ]);
  });

test("an option of Node that comes from a variable is named with it, and the last of two counts", async () => {
  const environment = { NODE_OPTIONS: "--max-old-space-size=20" };
  const { code, stderr } = await start(process.execPath, [launcher, "--version"], environment).ended;
  expect([code, stderr]).toEqual([2, expect.stringContaining("--max-old-space-size=20 of NODE_OPTIONS denies it.")]);
  const args = ["--max-old-space-size=300", launcher, "--version"];
  expect(await start(process.execPath, args, environment).ended).toMatchObject({ code: 0, stderr: "" });
});

test("what Node's permission model denies ends in what is denied, and the option", { tag: "@slow" }, async () => {
  const permission = isOld ? "--experimental-permission" : "--permission";
  const deny = async (allowed: readonly string[], ...words: readonly string[]) => {
    const args = [permission, "--allow-fs-read=*", ...allowed, launcher, ...words];
    const { code, stderr } = await start(process.execPath, args).ended;
    return [code, stderr.split("\n").filter((line) => !/Warning|--trace-warnings/.test(line))];
  };
  const option = "Node's option --permission may be the reason. Leave it out, or let it allow what is denied.";
  const file = `${emptyFolder()}/comparison.html`;
  expect(await deny([], "compare", "tests/cases/shared/run", "tests/cases/shared/run", "--html", file)).toEqual([
    2,
    [expect.stringContaining("ERR_ACCESS_DENIED"), option, ""],
  ]);
  expect(await deny(["--allow-fs-write=*"], "doctor")).toEqual([2, ["Node denies Assay ChildProcess.", option, ""]]);
});
