// The README: what it gives to copy works as it stands. Its commands are in readmeCommands.spec.ts.
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { assayRun, read, root, start, startAssay } from "../support/assay.ts";
import { guides } from "../support/guides.ts";
import { mutantVendor } from "../support/mutantVendor.ts";
import { idsIn } from "../support/register.ts";
import { targetFile } from "../support/vendor.ts";

const readme = read("README.md");

test("the README's target file gates a vendor, once address, project and key are filled in", {
  tag: "@slow",
}, async () => {
  // At the default pace.
  const yaml = guides.match(/```yaml\n(name: [\s\S]*?)```/)?.[1] ?? "";
  expect(yaml.trim().split("\n").length).toBeLessThanOrEqual(10);
  const serving = startAssay(["serve", "--json"]);
  const { base, environment } = JSON.parse(await serving.says("\n")) as {
    base: string;
    environment: { [name: string]: string };
  };
  const own = yaml
    .replace("https://admin.acme.example", base)
    .replace("7f9c24e5-1f0b-4c55-9a5c-6f4d1f3b8a10", "5f0d5c1e-7f5b-4a57-9a0c-1d2e3f405162");
  const { code, run } = await assayRun(["run", "--target", targetFile(own)], {
    ACME_KEY: environment["ASSAY_REFERENCE_PAID"] ?? "",
  });
  serving.kill("SIGTERM");
  expect(code).toBe(0);
  expect(run.totals).toMatchObject({ broken: 0, warned: 0, inconclusive: 0 });
  expect(run.totals.holds).toBeGreaterThan(50);
  const reasons = run.requirements.filter(({ verdict }) => verdict === "withheld").map(({ reason }) => reason);
  expect(reasons.length).toBeGreaterThan(10);
  expect(reasons.filter((reason) => !reason)).toEqual([]);
});

test("the README's `accept` makes a failing vendor pass, once run and day are filled in", async () => {
  const acme = await mutantVendor("USG-FLD-01.absent");
  const first = await acme.judge("first", "--only", "USG-FLD-01,USG-FLD-02");
  const [, command = ""] = guides.match(/^ {4}(npx assay accept .*)$/m) ?? [];
  const typed = command
    .replace("npx assay", `node ${join(root, "cli/assay.js")}`)
    .replace("runs/<id>", "first")
    .replace(/\d{4}-\d{2}-\d{2}/, "2099-03-31");
  const accepted = await start("bash", ["-c", typed], {}, acme.folder).ended;
  const next = await acme.judge("next", "--only", "USG-FLD-01,USG-FLD-02");
  await acme.close();
  expect([first.code, accepted.code, next.code]).toEqual([1, 0, 0]);
});

test("the README has both commands on its first screen, and true counts of the register", () => {
  const firstScreen = readme.split("\n").slice(0, 24).join("\n");
  expect(firstScreen).toContain("npm ci && npm start");
  expect(firstScreen).toContain("npm cit");
  const [, checked, observed] =
    readme
      .replace(/\s+/g, " ")
      .match(
        /requirements \(more than (\d+)\) has a check, and each of its unspecified behaviours \(more than (\d+)\)/,
      ) ?? [];
  expect(idsIn("requirements").length).toBeGreaterThan(Number(checked));
  expect(idsIn("observations").length).toBeGreaterThan(Number(observed));
});
