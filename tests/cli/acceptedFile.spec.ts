// The file of accepted deviations: what `accept` writes, and which files are refused.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import { assay, emptyFolder, expectCommandLineError } from "../support/assay.ts";
import { breach, judged } from "../support/formats.ts";
import { made } from "../support/madeRuns.ts";
import { mutantVendor } from "../support/mutantVendor.ts";
import { smallTarget, targetFile } from "../support/vendor.ts";

const only = ["--only", "USG-FLD-01,USG-FLD-02"];
const terms = ["--reason", "their ticket 123", "--until", "2099-03-31"];

const existing = `# Who reads this: the platform team.

# Asked for in March.
- requirement: USG-FLD-02 # see the ticket
  until: 2020-01-01 # over soon
  reason: 'theirs'
  expect: { at: /creditsUsed, is: string }
  owner: us

- { requirement: CYC-PRES-01, expect: { at: /creditCycle, is: absent }, reason: "old", until: "2027-01-01" }
`;
const changed = judged({
  id: "USG-FLD-02",
  verdict: "broken",
  breaches: [{ ...breach, at: "/creditsUsed", causedBy: ["USG-FLD-02"] }],
});

/** What is accepted of a finding, and the list beside the target afterwards. @param before the list until then */
async function accepted(finding: ReturnType<typeof judged>, before?: string) {
  const target = targetFile(smallTarget("https://vendor.example"));
  const [list, run] = [target.replace(".yaml", ".deviations.yaml"), join(emptyFolder(), "run.json")];
  if (before !== undefined) writeFileSync(list, before);
  writeFileSync(run, JSON.stringify(made(0, { name: "small", requirements: [finding] })));
  const args = ["accept", run, "--target", target, "--reason", "still theirs", "--until", "2099-01-01", "--json"];
  const { renewed } = JSON.parse((await assay(args)).stdout) as { readonly renewed: unknown };
  return { renewed, text: readFileSync(list, "utf8") };
}
const entriesAfter = async (finding: ReturnType<typeof judged>): Promise<unknown> =>
  parse((await accepted(finding)).text);

test("comments, order and members of a file stay as they are", async () => {
  const { text, renewed } = await accepted(changed, existing);
  expect(renewed).toEqual(["USG-FLD-02"]);
  expect(text).toBe(
    existing.replace("2020-01-01 # over soon", "2099-01-01 # over soon").replace("'theirs'", "'still theirs'"),
  );
});

test("a file with only a comment keeps it, and a new file begins with one", async () => {
  const heading = "# Known deviations of small, each accepted until its day. `npx assay accept` writes here.";
  expect((await accepted(changed, "# Ours.\n")).text).toMatch(/^# Ours\.\n\n?- requirement: USG-FLD-02\n/);
  expect((await accepted(changed)).text.split(/\n+/, 2)).toEqual([heading, "- requirement: USG-FLD-02"]);
});

test("what differs from run to run isn't expected: indices, amounts, texts", async () => {
  const shown = (at: string, value: string | number | null) =>
    ({ ...breach, at, got: { value }, causedBy: ["TA-ARR-01"] }) as const;
  const breaches = [
    shown("/result/items/3/amount", "7"),
    shown("/result/items/9/amount", "8"),
    shown("/error/message", "no\u001b[31m `x`"),
    shown("/error/code", -32000),
    shown("status", 500),
    shown("/result", null),
  ];
  expect(await entriesAfter(judged({ id: "TA-ARR-01", verdict: "broken", breaches }))).toMatchObject([
    {
      expect: [
        { at: "/result/items/*/amount", is: "string" },
        { at: "/error/message", is: "string" },
        { at: "/error/code", value: -32000 },
        { at: "status", value: 500 },
        { at: "/result", is: "null" },
      ],
    },
  ]);
});

test("a breach in another requirement's exchange names that requirement", async () => {
  const shown = (exchanges: readonly number[]) =>
    judged({ verdict: "broken", breaches: [{ ...breach, exchange: 1, causedBy: ["CYC-PRES-01"] }], exchanges });
  expect(await entriesAfter(shown([2]))).toMatchObject([{ shownBy: ["CYC-PRES-01"] }]);
  expect(await entriesAfter(shown([1, 2]))).not.toMatchObject([{ shownBy: ["CYC-PRES-01"] }]);
});

test("a place with a hostile name is read back as it was", async () => {
  const at = "/credits/a: b # c\u001b[31m\n- requirement: x\u2028";
  expect(await entriesAfter(judged({ verdict: "broken", breaches: [{ ...breach, at }] }))).toMatchObject([
    { requirement: "USG-FLD-01", expect: { at } },
  ]);
});

const entry = "- { requirement: USG-FLD-01, expect: { at: /x, is: absent }, reason: r, until: 2099-01-01 }";

test("deviations are listed in the target or beside it, never both", async () => {
  const acme = await mutantVendor("USG-FLD-01.absent", `deviations: [${entry.slice(2)}]\n`);
  await acme.judge("run", ...only);
  const flags = [...terms, "--target", acme.file];
  await expectCommandLineError(["accept", join(acme.folder, "run"), ...flags], "lists deviations itself");
  expect(readdirSync(acme.folder)).not.toContain("acme.deviations.yaml");
  writeFileSync(join(acme.folder, "acme.deviations.yaml"), entry);
  const both = await acme.judge("both", ...only);
  await acme.close();
  expect(both.code).toBe(2);
  expect(both.stderr).toContain("Keep them in one place");
});

test("a list that can't be written is left as it was", async () => {
  const acme = await mutantVendor("USG-FLD-01.absent");
  await acme.judge("run", ...only);
  const [file, before] = [join(acme.folder, `${"a".repeat(250)}.yaml`), ["acme.yaml", "run"]];
  writeFileSync(file, readFileSync(acme.file));
  const flags = [...terms, "--target", file];
  await expectCommandLineError(["accept", join(acme.folder, "run"), ...flags], "can't be written (ENAMETOOLONG)");
  await acme.close();
  expect(readdirSync(acme.folder).toSorted()).toEqual([basename(file), ...before]);
});
