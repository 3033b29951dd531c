// assay replay: what became of each breach of a run, by the requests that showed it
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { assay, emptyFolder, root } from "../support/assay.ts";
import { configFile, smallestConfig } from "../support/customChecks.ts";
import { always, smallEnvironment, smallTarget, targetFile, vendor, vendorKey } from "../support/vendor.ts";

const honest = join(root, "targets/reference.yaml");
const spentText = /(\d+) fixed, (\d+) broken, (\d+) can't tell · (\d+) requests?, (\d+) credits?/;

/** What a platform says that gives a text in place of a number, and no products. */
const usage = {
  creditsRemaining: 1,
  creditsUsed: "7",
  prepaidCreditsRemaining: 0,
  prepaidCreditsUsed: 0,
  creditCycle: { start: "2026-11-01", end: "2026-11-30" },
  subscriptionDetails: { billingCycle: null, creditsLimit: 10, plan: "business" },
  credits: {},
  requests: {},
  dataTransfer: {},
};

/** A run of the embedded platform with a defect. */
async function broken(mutant: string): Promise<string> {
  const out = join(emptyFolder(), "run");
  const [id = ""] = mutant.split(".");
  expect((await assay(["run", "--mutant", mutant, "--only", id, "--out", out])).code).toBe(1);
  return out;
}

const counted = (stdout: string): readonly number[] => (spentText.exec(stdout) ?? []).slice(1).map(Number);

for (const [what, mutant] of [
  ["a breach of a check", "CYC-PRES-01.omit-on-free"],
  ["a counterexample of a property", "ERR-CMP-32602.detail"],
] as const) {
  test(`${what} is broken as long as it is there, and fixed once it isn't`, async () => {
    const out = await broken(mutant);
    const [id = ""] = mutant.split(".");
    const again = await assay(["replay", out]);
    expect([again.code, again.stderr]).toEqual([1, ""]);
    expect(again.stdout).toMatch(new RegExp(`^broken +${id} .*\n +at .*: (missing, )?expected `, "m"));
    const [, , , requests] = counted(again.stdout);
    expect(requests).toBeLessThanOrEqual(3);
    const fixed = await assay(["replay", out, id.toLowerCase(), "--target", honest]);
    expect([fixed.code, fixed.stderr]).toEqual([0, ""]);
    expect(fixed.stdout).toMatch(new RegExp(`^fixed +${id} `, "m"));
  });
}

test("what can't be judged can't be told: no answer is neither fixed nor broken", async () => {
  const { base, close } = await vendor((request, response) => {
    const isKnown = JSON.stringify([request.url, request.rawHeaders]).includes(vendorKey);
    const body = isKnown ? usage : { statusCode: 401, message: "Missing or invalid API key", error: "Unauthorized" };
    always(isKnown ? 200 : 401, "application/json", JSON.stringify(body))(request, response);
  });
  const [file, out] = [targetFile(smallTarget(base)), join(emptyFolder(), "run")];
  await assay(["run", file, "--only", "USG", "--no-observe", "--out", out], smallEnvironment);
  const named = ["--target", file];
  const there = await assay(["replay", out, ...named], smallEnvironment);
  expect(there.code).toBe(1);
  expect(there.stdout).toContain("sends SMALL_KEY to 127.0.0.1");
  await close();
  const gone = await assay(["replay", out, ...named], smallEnvironment);
  expect(gone.code).toBe(3);
  expect(gone.stdout).toMatch(/^can't tell {2}\S+ .*\n.*`.*run .*--only .*` judges it again/m);
  const unset = await assay(["replay", out, ...named], {});
  expect([unset.code, unset.stderr]).toEqual([2, expect.stringContaining("SMALL_KEY, which isn't set")]);
});

test("a run that names a file gets no variable of the user's, unless the user names that file", async () => {
  const requests: string[] = [];
  const { base, close } = await vendor((request, response) => {
    requests.push(JSON.stringify([request.url, request.rawHeaders]));
    always(200, "application/json", JSON.stringify(usage))(request, response);
  });
  const [file, out, folder] = ["acme.yaml", "runs/x", emptyFolder()];
  writeFileSync(join(folder, file), smallTarget(base));
  const config = configFile(smallestConfig);
  const typed = (...words: readonly string[]) => assay(words, smallEnvironment, folder);
  await typed("run", file, "--only", "USG", "--no-observe", "--env", "SMALL_KEY", "--out", out);
  requests.length = 0;
  const { code, stderr } = await typed("replay", out);
  expect([code, requests]).toEqual([2, []]);
  expect(stderr).toContain(`names the target file ${file}, which sends SMALL_KEY to 127.0.0.1`);
  const named = await typed("replay", out, "--config", config);
  expect([named.code, requests, named.stderr]).toEqual([
    2,
    [],
    expect.stringContaining(`replay ${out} --config ${config} --target ${file}\n`),
  ]);
  const [, line = ""] = /if that is meant: .+ (replay .*)\n$/.exec(stderr) ?? [];
  expect(line).toBe(`replay ${out} --target ${file}`);
  expect((await typed(...line.split(" "))).stdout).toContain("sends SMALL_KEY to 127.0.0.1");
  expect(requests.length).toBeGreaterThan(0);
  const other = await typed("replay", out, "--env", "OTHER_KEY");
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("--env allows only OTHER_KEY")]);
  await close();
});

test("a requirement that isn't broken in the run is refused, and nothing is sent", async () => {
  const out = await broken("CYC-PRES-01.omit-on-free");
  const { code, stderr } = await assay(["replay", out, "CYC-PRES-10"]);
  expect(code).toBe(2);
  expect(stderr).toContain('CYC-PRES-10 isn\'t broken in this run (did you mean "CYC-PRES-01"?). Broken are: CYC-PRES');
});
