// How a command ends other than by itself: a defect of ours, or a reader who has read enough.
import { expect, test } from "@playwright/test";
import { assay, assayProcess, cliPath, emptyFolder, start, startAssay } from "../support/assay.ts";
import { planted, throwing } from "../support/crashes.ts";

test("a crash exits with 3 and one sentence that says what to report, without keys", async () => {
  const secret = "s3cret-value-of-a-key";
  const thrown = "new TypeError('no pipe for ' + process.env.ACME_KEY)";
  const planting = planted(throwing("rowsOf", thrown));
  const { code, stdout, stderr } = await assayProcess(["requirements"], { ACME_KEY: secret, ...planting });
  expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  expect(stderr).toMatch(/^Assay \d+\.\d+\.\d+ crashed, .*"no pipe for <key:ACME_KEY>" at .*report it.*\.\n$/);
  expect(stderr).not.toContain(secret);
});

test("a reader who stops reading ends the command quietly", async () => {
  const { stdout, stderr } = await start("sh", ["-c", `"${process.execPath}" "${cliPath}" requirements | head -1`])
    .ended;
  expect({ lines: stdout.trim().split("\n").length, stderr }).toEqual({ lines: 1, stderr: "" });
});

test("a command in another folder is refused while one runs: a process has one folder", async () => {
  const serving = startAssay(["serve", "--json"]);
  await serving.says("}");
  await expect(assay(["--version"], {}, emptyFolder())).rejects.toThrow("a process has one working directory");
  serving.kill("SIGINT");
  expect((await serving.ended).code).toBe(0);
  expect((await assay(["--version"], {}, emptyFolder())).code).toBe(0);
});
