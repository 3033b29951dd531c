// Variables: commands say which go to which hosts, and --env keeps a target file from naming others.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { assay, assayRun, emptyFolder, expectCommandLineError, playwright } from "../support/assay.ts";
import { harEntry, harOf } from "../support/recordings.ts";
import { always, smallEnvironment, smallTarget, targetFile, vendor, vendorProject } from "../support/vendor.ts";

/** In which somebody has put the name of another secret of the job. */
const changed = (base: string): string => smallTarget(base).replace("SMALL_KEY", "CLOUD_SECRET");
const environment = { ...smallEnvironment, CLOUD_SECRET: "c10ud-5ecret-0f-s0mebody" };

/** The requests that a platform gets while `use` runs. */
async function requestsTo(use: (base: string) => Promise<void>): Promise<number> {
  let requests = 0;
  const { base, close } = await vendor((request, response) => {
    requests += 1;
    always(401, "application/json", "{}")(request, response);
  });
  await use(base);
  await close();
  return requests;
}

for (const args of [["run"], ["run", "--plan"], ["load", "smoke"], ["load", "limits"], ["doctor"]])
  test(`${args.join(" ")} --env refuses a target file that names another variable, and sends nothing`, async () => {
    const requests = await requestsTo(async (base) => {
      const file = targetFile(changed(base));
      const says = [file, "keys.paid.env names the environment variable CLOUD_SECRET, but --env allows only SMALL_KEY"];
      await expectCommandLineError([...args, "--target", file, "--env", "SMALL_KEY"], says, environment);
    });
    expect(requests).toBe(0);
  });

test("ASSAY_ENV of the Playwright adapter refuses it, too", { tag: "@slow" }, async () => {
  const requests = await requestsTo(async (base) => {
    const variables = { ...environment, ASSAY_TARGET: targetFile(changed(base)), ASSAY_ENV: "SMALL_KEY" };
    const { code, stdout, stderr } = await playwright(["--grep", "@CYC-PRES-01"], variables);
    expect(code).toBe(1);
    expect(stdout + stderr).toContain("names the environment variable CLOUD_SECRET, but --env allows only SMALL_KEY");
  });
  expect(requests).toBe(0);
});

test("compare --env refuses a target file that names another variable, and judges neither", async () => {
  const out = join(emptyFolder(), "compared");
  const requests = await requestsTo(async (base) => {
    const [known, other] = [targetFile(smallTarget(base)), targetFile(changed(base))];
    const args = ["compare", known, other, "--out", out, "--env", "SMALL_KEY"];
    await expectCommandLineError(
      args,
      `${other}: keys.paid.env names the environment variable CLOUD_SECRET`,
      environment,
    );
  });
  expect([requests, existsSync(out)]).toEqual([0, false]);
});

test("a target file that names no other variable than --env does is judged", async () => {
  const requests = await requestsTo(async (base) => {
    const args = [
      "run",
      "--target",
      targetFile(smallTarget(base)),
      "--env",
      "OTHER,SMALL_KEY",
      "--only",
      "USG-HTTP-01",
    ];
    const { code } = await assay([...args, "--out", join(emptyFolder(), "run")], environment);
    expect(code).not.toBe(2);
  });
  expect(requests).toBeGreaterThan(0);
});

test("the first lines of run, doctor and init say which variable goes to which host", async () => {
  await requestsTo(async (base) => {
    const { host } = new URL(base);
    const line = `\n  sends SMALL_KEY to ${host}\n`;
    const file = targetFile(smallTarget(base));
    const out = join(emptyFolder(), "run");
    const init = ["init", "--out", join(emptyFolder(), "made.yaml"), "--admin", base, "--key", "SMALL_KEY"];
    for (const args of [
      ["run", "--target", file, "--only", "USG-HTTP-01", "--out", out],
      ["run", "--target", file, "--plan"],
      ["load", "smoke", "--target", file, "--plan"],
      ["doctor", "--target", file],
      [...init, "--project", vendorProject],
    ]) {
      const { stdout, stderr } = await assay(args, environment);
      expect(`\n${stdout}`, args.join(" ") + stderr).toContain(line);
      if (args[0] !== "run" || !args.includes("--plan")) continue;
      // Keys of the reference are made for each run, and go nowhere.
      expect((await assay(["run", "--plan"])).stdout).not.toContain("sends ");
    }
  });
});

test("what stands for keys that aren't set is taken for a payer's, too, and hides no known address", async () => {
  const tip = "8iU3ju5vZRPQDQ4JjQHJz17fnB14rjvYwjAtCXDpi5s8";
  const paying = `allow: [sendBundle]\nbundles: { tipAccount: ${tip}, payer: { env: NONE } }\n`;
  const placeholder = "EgFeFv5xfJRzLENQNQ11NmvjAw56C57qaRk7ELFiGwog";
  const exchange = {
    ...{ method: "GET", url: `https://vendor.example/v0/admin/projects/${vendorProject}/usage`, headers: [], at_ms: 0 },
    ...{ status: 200, answerHeaders: [], text: `["${"1".repeat(32)}","${placeholder}"]` },
  };
  const har = join(emptyFolder(), "traffic.har");
  writeFileSync(har, harOf([harEntry(exchange)]));
  const target = targetFile(`${smallTarget("https://vendor.example")}${paying}`);
  const { run } = await assayRun(["judge", har, "--target", target]);
  expect(run.exchanges.map(({ answer }) => answer?.body)).toEqual([`["${"1".repeat(32)}","<key:paid>"]`]);
});

test("a plan says which variables of the target file aren't set, however the file is named", async () => {
  const file = targetFile(changed("https://vendor.example"));
  const notSet = /^not set: (.*)$/m;
  for (const args of [[file], ["--target", file]]) {
    const { code, stdout } = await assay(["run", ...args, "--plan", "--only", "USG-HTTP-01"], {});
    expect([code, notSet.exec(stdout)?.[1]]).toEqual([0, "CLOUD_SECRET; a run needs it"]);
  }
  const { stdout } = await assay(["run", file, "--plan", "--only", "USG-HTTP-01"], environment);
  expect(stdout).not.toMatch(notSet);
});
