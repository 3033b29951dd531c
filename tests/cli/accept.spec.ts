// assay accept: the next runs fail on new, changed, fixed or expired deviations only.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import { assay, type Ended, runIn } from "../support/assay.ts";
import { foreignRun, laidOut } from "../support/foreignFolders.ts";
import { type MutantVendor, mutantVendor } from "../support/mutantVendor.ts";
import { smallTarget } from "../support/vendor.ts";

const only = ["--only", "USG-FLD-01,USG-FLD-02"];
const terms = ["--reason", "their ticket 123", "--until", "2099-03-31"];

/** Judged once, into the folder `first`, and accepted beside the target. */
async function acceptedVendor(): Promise<MutantVendor & { readonly accepted: Ended; readonly deviations: string }> {
  const acme = await mutantVendor("USG-FLD-01.absent");
  expect((await acme.judge("first", ...only)).code).toBe(1);
  const accepted = await assay([
    "accept",
    join(acme.folder, "first"),
    ...terms,
    "--target",
    acme.file,
    "--owner",
    "platform",
  ]);
  return { ...acme, accepted, deviations: join(acme.folder, "acme.deviations.yaml") };
}

test("what is broken today is accepted, and the next run succeeds", async () => {
  const acme = await acceptedVendor();
  expect(acme.accepted).toMatchObject({ code: 0, stderr: "" });
  expect(acme.accepted.stdout).toContain(`1 finding accepted until 2099-03-31, in ${acme.deviations}`);
  expect(parse(readFileSync(acme.deviations, "utf8"))).toEqual([
    {
      requirement: "USG-FLD-01",
      expect: { at: "/creditsRemaining", is: "absent" },
      reason: "their ticket 123",
      owner: "platform",
      until: "2099-03-31",
    },
  ]);
  const next = await acme.judge("next", ...only);
  await acme.close();
  expect(next.code).toBe(0);
  expect(runIn(join(acme.folder, "next")).requirements.find(({ id }) => id === "USG-FLD-01")).toMatchObject({
    verdict: "deviates",
    entry: { file: acme.deviations, line: 3 },
  });
});

test("what is fixed, changed, new or expired fails the run and names the line to edit", async () => {
  const acme = await acceptedVendor();
  acme.become(null);
  const gone = await acme.judge("gone", ...only);
  acme.become("USG-FLD-01.string");
  const changed = await acme.judge("changed", ...only);
  acme.become("USG-FLD-02.renamed");
  const elsewhere = await acme.judge("elsewhere", ...only);
  writeFileSync(
    acme.deviations,
    `# ours\n\n${readFileSync(acme.deviations, "utf8").replace("2099-03-31", "2020-03-31")}`,
  );
  acme.become("USG-FLD-01.absent");
  const over = await acme.judge("over", ...only);
  // A run that doesn't judge the requirement doesn't fail.
  acme.become(null);
  const unjudged = await acme.judge("unjudged", "--only", "AUTH-ADM-MISS-01");
  await acme.close();
  expect([gone.code, changed.code, elsewhere.code, over.code, unjudged.code]).toEqual([0, 1, 1, 1, 0]);
  for (const [{ stdout }, text] of [
    [gone, ": remove acme:3 (their ticket 123)"],
    [changed, "fails differently than the known issue (their ticket 123): fix it, or update its entry, acme:3"],
    [elsewhere, "BROKEN  USG-FLD-02"],
    [over, "the known issue was accepted until 2020-03-31 (their ticket 123): renew or remove its entry, acme:5"],
  ] as const)
    expect(stdout.replaceAll(acme.deviations, "acme")).toContain(text);
});

test("what is only removed needs neither a reason nor a day", { tag: "@slow" }, async () => {
  const acme = await acceptedVendor();
  acme.become(null);
  await acme.judge("fixed", ...only);
  await acme.close();
  const { code, stdout } = await assay(["accept", join(acme.folder, "fixed"), "--target", acme.file]);
  expect([code, stdout.replaceAll(acme.deviations, "acme")]).toEqual([
    0,
    expect.stringContaining("1 entry of fixed issues removed, in acme:"),
  ]);
});

test("accepting again removes what is fixed and renews what expired or changed", { tag: "@slow" }, async () => {
  const acme = await acceptedVendor();
  acme.become("USG-FLD-02.renamed");
  await acme.judge("other", ...only);
  const before = readFileSync(acme.deviations, "utf8");
  writeFileSync(acme.deviations, before.replace("- requirement", "# Asked for in March.\n- requirement"));
  const again = await assay(["accept", join(acme.folder, "other"), ...terms, "--target", acme.file, "--json"]);
  expect(JSON.parse(again.stdout)).toMatchObject({
    file: acme.deviations,
    added: ["USG-FLD-02"],
    renewed: [],
    removed: ["USG-FLD-01"],
  });
  const next = await acme.judge("next", ...only);
  await acme.close();
  expect(next.code).toBe(0);
});

test("a whole run is accepted as it is, and the next one succeeds", { tag: "@slow" }, async () => {
  test.setTimeout(300_000);
  const acme = await mutantVendor("USG-HTTP-03.uses-404");
  const first = await acme.judge("first");
  const accepted = await assay(["accept", join(acme.folder, "first"), ...terms, "--target", acme.file]);
  const next = await acme.judge("next");
  await acme.close();
  expect([first.code, accepted.code, next.code], `${accepted.stdout}${next.stdout}`).toEqual([1, 0, 0]);
});

/** That of the run that `foreignRun` makes. */
const acmeTarget = smallTarget("http://127.0.0.1:9").replace("name: small", "name: acme");

test("JSON that is printed keeps its values, also where a name hides or reorders characters", async () => {
  const file = "a\u202e##[x.yaml";
  const folder = laidOut({ [file]: acmeTarget });
  const changes = { "verdict.verdict.verdict": "holds", "verdict.verdict.breaches": [], "end.exitCode": 0 };
  foreignRun(changes, [], join(folder, "run"));
  const because = ["--reason", "x", "--until", "2099-01-01"];
  const { stdout } = await assay(["accept", "run", "--json", "--target", file, ...because], {}, folder);
  expect(stdout).toMatch(/^[ -~\n]+$/);
  const accepted = file.replace(".yaml", ".deviations.yaml");
  expect(JSON.parse(stdout)).toMatchObject({ file: accepted, added: [], renewed: [], removed: [] });
});

test("a target file beside a run that is named by its run.json may have come with it, too", async () => {
  const folder = laidOut({ "acme.yaml": acmeTarget });
  foreignRun({ "start.targetFile": "acme.yaml" }, [], folder);
  await assay(["report", "."], {}, folder);
  const { code, stderr } = await assay(["accept", "run.json", "--reason", "x", "--until", "2099-01-01"], {}, folder);
  expect([code, stderr]).toEqual([2, expect.stringContaining("which may have come with the run")]);
});
