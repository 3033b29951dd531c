// assay accept: the next runs fail on new, changed, fixed or expired deviations only.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import { runFormat } from "../../harness/record/run.ts";
import { assay, type Ended, emptyFolder, expectCommandLineError, runIn } from "../support/assay.ts";
import { type MutantVendor, mutantVendor } from "../support/mutantVendor.ts";

const only = ["--only", "USG-FLD-01,USG-FLD-02"];
const terms = ["--reason", "their ticket 123", "--until", "2099-03-31"];

/** Judged once, into the folder `first`, and accepted beside the target. */
async function acceptedVendor(): Promise<MutantVendor & { readonly accepted: Ended; readonly deviations: string }> {
  const acme = await mutantVendor("USG-FLD-01.absent");
  expect((await acme.judge("first", ...only)).code).toBe(1);
  const accepted = await assay(["accept", join(acme.folder, "first"), ...terms, "--owner", "platform"]);
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
  expect([gone.code, changed.code, elsewhere.code, over.code, unjudged.code]).toEqual([1, 1, 1, 1, 0]);
  for (const [{ stdout }, text] of [
    [gone, "the known deviation is gone (their ticket 123): take out its entry, acme:3"],
    [changed, "fails in another way than the known deviation (their ticket 123): fix it, or renew its entry, acme:3"],
    [elsewhere, "BROKEN  USG-FLD-02"],
    [over, "the known deviation expired on 2020-03-31 (their ticket 123): renew its entry or take it out, acme:5"],
  ] as const)
    expect(stdout.replaceAll(acme.deviations, "acme")).toContain(text);
});

test("accepting again removes what is fixed and renews what expired or changed", { tag: "@slow" }, async () => {
  const acme = await acceptedVendor();
  acme.become("USG-FLD-02.renamed");
  await acme.judge("other", ...only);
  const before = readFileSync(acme.deviations, "utf8");
  writeFileSync(acme.deviations, before.replace("- requirement", "# Asked for in March.\n- requirement"));
  const again = await assay(["accept", join(acme.folder, "other"), ...terms, "--json"]);
  expect(JSON.parse(again.stdout)).toEqual({
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
  const accepted = await assay(["accept", join(acme.folder, "first"), ...terms]);
  const next = await acme.judge("next");
  await acme.close();
  expect([first.code, accepted.code, next.code], `${accepted.stdout}${next.stdout}`).toEqual([1, 0, 0]);
});

test.describe("bad input gets one paragraph, and nothing is written", () => {
  let acme: MutantVendor;
  let run: string;
  test.beforeAll(async () => {
    acme = await mutantVendor("USG-FLD-01.absent");
    run = join(acme.folder, "run");
    await acme.judge("run", ...only);
  });
  test.afterAll(() => acme.close());

  const copy = (change: (text: string) => string): string => {
    const file = join(emptyFolder(), "run.json");
    writeFileSync(file, change(readFileSync(join(run, "run.json"), "utf8")));
    return file;
  };
  const ofFormat = (format: number): string =>
    copy((text) => text.replace(`"format": ${runFormat}`, `"format": ${format}`));
  const until = (day: string): readonly string[] => [run, "--reason", "r", "--until", day];
  const cases: readonly (readonly [title: string, args: () => readonly string[], error: string])[] = [
    ["a run that isn't there", () => ["nowhere", ...terms], "There is no nowhere. Name the folder of a run"],
    ["a folder without a run", () => [emptyFolder(), ...terms], "holds no run"],
    [
      "a run.json that is cut short",
      () => [copy((text) => text.slice(0, 900)), ...terms],
      "is not valid JSON: it was cut off or damaged",
    ],
    ["a run of an older format", () => [ofFormat(runFormat - 1), ...terms], "has run format 1, of an older Assay"],
    ["a run of a newer format", () => [ofFormat(runFormat + 1), ...terms], "has run format 3, of a newer Assay"],
    ["a JSON that is no run", () => [copy(() => "{}"), ...terms], "is no run as defined by reports/run.schema.json"],
    [
      "a requirement that isn't there",
      () => [run, "USG-FLD-1", ...terms],
      'There is no requirement USG-FLD-1 (did you mean "USG-FLD-01"?)',
    ],
    ["a requirement that holds", () => [run, "USG-FLD-02", ...terms], "USG-FLD-02 holds in this run"],
    ["no reason", () => [run, "--until", "2099-01-01"], "--reason is missing"],
    ["an empty reason", () => [run, "--reason", " ", "--until", "2099-01-01"], "--reason is missing"],
    ["no day", () => [run, "--reason", "r"], "--until is missing"],
    ["an invalid day", () => until("2099-02-30"), '--until is "2099-02-30", which is no date'],
    ["a day in the past", () => until("2020-01-01"), "--until is 2020-01-01, which is past"],
    [
      "another target",
      () => [run, ...terms, "--target", "targets/reference.yaml"],
      "targets/reference.yaml describes the target reference, but the run judged acme",
    ],
    [
      "a target file that isn't there",
      () => [run, ...terms, "--target", "nowhere.yaml"],
      "There is no target file nowhere.yaml",
    ],
  ];
  for (const [title, args, error] of cases) {
    test(title, async () => {
      await expectCommandLineError(["accept", ...args()], error);
      expect(readdirSync(acme.folder).sort()).toEqual(["acme.yaml", "run"]);
    });
  }
});
