// The file of accepted deviations: what `accept` writes, and which files are refused.
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import { accept } from "../../harness/record/accepting.ts";
import type { JudgedRequirement } from "../../harness/record/run.ts";
import { expectCommandLineError } from "../support/assay.ts";
import { breach, judged } from "../support/formats.ts";
import { mutantVendor } from "../support/mutantVendor.ts";

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
const acceptance = { reason: "still theirs", until: "2099-01-01" };
const entriesAfter = (findings: readonly JudgedRequirement[], text?: string): unknown =>
  parse(accept(text, findings, acceptance, "Known.").text);

test("comments, order and members of a file stay as they are", () => {
  const { text, renewed } = accept(existing, [changed], acceptance, "Known.");
  expect(renewed).toEqual(["USG-FLD-02"]);
  expect(text).toBe(
    existing.replace("2020-01-01 # over soon", "2099-01-01 # over soon").replace("'theirs'", "'still theirs'"),
  );
});

test("a file with only a comment keeps it, and a new file begins with one", () => {
  expect(accept("# Ours.\n", [changed], acceptance, "Known.").text).toMatch(
    /^# Ours\.\n\n?- requirement: USG-FLD-02\n/,
  );
  expect(accept(undefined, [changed], acceptance, "Known.").text).toMatch(/^# Known\.\n\n?- requirement: USG-FLD-02\n/);
});

test("what differs from run to run isn't expected: indices, amounts, texts", () => {
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
  expect(entriesAfter([judged({ id: "TA-ARR-01", verdict: "broken", breaches })])).toMatchObject([
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

test("a breach in another requirement's exchange names that requirement", () => {
  const shown = (exchanges: readonly number[]) =>
    judged({ verdict: "broken", breaches: [{ ...breach, exchange: 1, causedBy: ["CYC-PRES-01"] }], exchanges });
  expect(entriesAfter([shown([2])])).toMatchObject([{ shownBy: ["CYC-PRES-01"] }]);
  expect(entriesAfter([shown([1, 2])])).not.toMatchObject([{ shownBy: ["CYC-PRES-01"] }]);
});

test("a place with a hostile name is read back as it was", () => {
  const at = "/credits/a: b # c\u001b[31m\n- requirement: x\u2028";
  expect(entriesAfter([judged({ verdict: "broken", breaches: [{ ...breach, at }] })])).toMatchObject([
    { requirement: "USG-FLD-01", expect: { at } },
  ]);
});

const entry = "- { requirement: USG-FLD-01, expect: { at: /x, is: absent }, reason: r, until: 2099-01-01 }";

test("deviations are listed in the target or beside it, never both", async () => {
  const acme = await mutantVendor("USG-FLD-01.absent", `deviations: [${entry.slice(2)}]\n`);
  await acme.judge("run", ...only);
  await expectCommandLineError(["accept", join(acme.folder, "run"), ...terms], "lists deviations itself");
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
  mkdirSync(join(acme.folder, "acme.deviations.yaml.new"));
  await expectCommandLineError(["accept", join(acme.folder, "run"), ...terms], "can't be written (EISDIR)");
  await acme.close();
  expect(readdirSync(acme.folder)).not.toContain("acme.deviations.yaml");
});
