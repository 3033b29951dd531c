// Tests of loads in parts: sent by several k6 processes, judged as one, and what can't be
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { assay, assayRun, bytesBelow, emptyFolder, expectCommandLineError } from "../support/assay.ts";
import { faulty } from "../support/faultyPlatform.ts";
import { k6, keyForms, redact } from "../support/k6.ts";
import { overflow, phone } from "../support/reports.ts";
import { schemaProblems } from "../support/standards.ts";
import { smallEnvironment, smallTarget, targetFile, vendorKey } from "../support/vendor.ts";

test.describe("on this machine", () => {
  // A machine that gives a process no time for a second makes a load inconclusive, rightly.
  test.describe.configure({ retries: 1 });

  test("two generators on this machine send one load, and the report says which parts there were", async ({ page }) => {
    k6();
    const { code, stdout, folder, run } = await assayRun([
      "load",
      "smoke",
      "--parts",
      "2",
      "--duration",
      "4s",
      "--rate",
      "12",
    ]);
    expect([run.load?.doubt, code]).toEqual([null, 0]);
    expect(schemaProblems("reports/run.schema.json", run)).toEqual([]);
    expect(stdout).toContain("smoke by k6 2.2.0 in 2 parts: ");
    expect(run.load?.parts?.map(({ nth, of, planned, failure }) => [nth, of, planned, failure])).toEqual(
      [1, 2].map((nth) => [nth, 2, 24, null]),
    );
    const sent = run.load?.parts?.reduce((total, { begun }) => total + begun, 0);
    expect([sent, run.load?.dropped]).toEqual([run.load?.phases[0]?.requests, 0]);
    expect(run.command).toContain("--parts 2");
    await page.setViewportSize(phone);
    await page.goto(`file://${join(folder, "index.html")}`);
    const table = page.locator("table").filter({ hasText: "what each generator sent" });
    await expect(table.locator("tbody tr")).toHaveCount(2);
    await expect(page.locator('a[href="k6-smoke-2.html"]')).toHaveCount(1);
    expect(await overflow(page)).toBe(0);
  });
});

test("the folder of a part holds no key, in any form, and what is broken stays so", { tag: "@slow" }, async () => {
  k6();
  const members = ["creditsRemaining", "creditsUsed", "prepaidCreditsUsed", "creditCycle", "credits"];
  const echo = JSON.stringify(Object.fromEntries(members.map((member) => [member, { [vendorKey]: keyForms }])));
  const lines = ["HTTP/1.1 200 OK", "content-type: application/json", `x-echo: ${keyForms.join(" ")}`];
  const answer = [...lines, `content-length: ${echo.length}`, "", echo].join("\r\n");
  const vendor = await faulty({ when: ({ nth }) => nth > 2, how: (socket) => void socket.write(answer) });
  const [folder, start] = [join(emptyFolder(), "part"), new Date(Date.now() + 12_000).toISOString()];
  const target = targetFile(smallTarget(`http://127.0.0.1:${vendor.port}`));
  const sent = await assay(
    ["load", "smoke", "--target", target, "--duration", "3s", ...part("1/1", start), "--out", folder],
    smallEnvironment,
  );
  await vendor.close();
  expect({ ...sent, stdout: redact(sent.stdout) }).toMatchObject({ code: 0, stderr: "", stdout: sent.stdout });
  const kept = bytesBelow(folder);
  expect(kept).toContain('"isRedacted":true');
  expect(redact(kept)).toBe(kept);
  const { code, run } = await assayRun(["load", "merge", folder]);
  expect([code, run.load?.doubt, (run.load?.broken.length ?? 0) > 3]).toEqual([1, null, true]);
});

const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
const part = (share: string, start: string) => ["--part", share, "--start", start];

test("a start without a time zone is refused", () =>
  expectCommandLineError(
    ["load", "smoke", "--target", "targets/reference.yaml", ...part("1/3", inAnHour.slice(0, 19))],
    "with its time zone",
  ));

test("a part of the embedded platform is refused", async () => {
  for (const of of [[], ["--target", "targets/reference.yaml"]])
    await expectCommandLineError(
      ["load", "smoke", ...of, ...part("1/3", inAnHour)],
      "Name the target file of another with --target",
    );
});
