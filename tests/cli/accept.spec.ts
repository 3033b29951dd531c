// Can a gate be switched on against a vendor as it is today, and does it tell from then on what is new, other, gone or over?
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import { accept } from "../../harness/record/accepting.ts";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { assay, type Ended, emptyFolder } from "../support/assay.ts";
import { breach, judged } from "../support/formats.ts";
import { type MutantVendor, mutantVendor } from "../support/mutantVendor.ts";

const only = ["--only", "USG-FLD-01,USG-FLD-02"];
const terms = ["--reason", "their ticket 123", "--until", "2099-03-31"];

/** Judged once and accepted: the folder `first`, and the deviations beside the target. */
async function acceptedVendor(): Promise<MutantVendor & { readonly accepted: Ended; readonly deviations: string }> {
  const acme = await mutantVendor("USG-FLD-01.absent");
  expect((await acme.judge("first", ...only)).code).toBe(1);
  const accepted = await assay(["accept", join(acme.folder, "first"), ...terms, "--owner", "platform"]);
  return { ...acme, accepted, deviations: join(acme.folder, "acme.deviations.yaml") };
}

test("what is broken today is accepted, and the next run is green", async () => {
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
  const run = JSON.parse(readFileSync(join(acme.folder, "next/run.json"), "utf8")) as Run;
  expect(run.requirements.find(({ id }) => id === "USG-FLD-01")).toMatchObject({
    verdict: "deviates",
    entry: { file: acme.deviations, line: 3 },
  });
});

test("what is gone, other, new or over turns the run red and says which line to edit", async () => {
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
  // What isn't asked says nothing of it.
  acme.become(null);
  const unasked = await acme.judge("unasked", "--only", "AUTH-ADM-MISS-01");
  await acme.close();
  expect([gone.code, changed.code, elsewhere.code, over.code, unasked.code]).toEqual([1, 1, 1, 1, 0]);
  expect(gone.stdout).toContain(
    `the known deviation is gone (their ticket 123): take out its entry, ${acme.deviations}:3`,
  );
  expect(changed.stdout).toContain(
    `fails in another way than the known deviation (their ticket 123): mend it, or renew its entry, ${acme.deviations}:3`,
  );
  expect(elsewhere.stdout).toContain("BROKEN  USG-FLD-02");
  expect(over.stdout).toContain(
    `the known deviation expired on 2020-03-31 (their ticket 123): renew its entry or take it out, ${acme.deviations}:5`,
  );
});

test("accepting again takes out what is gone and renews what is over or other; what else stands there stays", {
  tag: "@slow",
}, async () => {
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

test("a whole run is accepted as it is, and is green from then on", { tag: "@slow" }, async () => {
  test.setTimeout(300_000);
  const acme = await mutantVendor("USG-HTTP-03.uses-404");
  const first = await acme.judge("first");
  const accepted = await assay(["accept", join(acme.folder, "first"), ...terms]);
  const next = await acme.judge("next");
  await acme.close();
  expect([first.code, accepted.code, next.code], `${accepted.stdout}${next.stdout}`).toEqual([1, 0, 0]);
});

const existing = `# Who reads this: the platform team.

# Asked for in March.
- requirement: USG-FLD-02 # see the ticket
  until: 2020-01-01 # over soon
  reason: 'theirs'
  expect: { at: /creditsUsed, is: string }
  owner: us

- { requirement: CYC-PRES-01, expect: { at: /creditCycle, is: absent }, reason: "old", until: "2027-01-01" }
`;
const found = judged({
  id: "USG-FLD-02",
  verdict: "broken",
  breaches: [{ ...breach, at: "/creditsUsed", causedBy: ["USG-FLD-02"] }],
});
const acceptance = { reason: "still theirs", until: "2099-01-01" };
const entriesAfter = (findings: readonly JudgedRequirement[], text?: string): unknown =>
  parse(accept(text, findings, acceptance, "Known.").text);

test("comments, order and members of a file stay as they are", () => {
  const { text, renewed } = accept(existing, [found], acceptance, "Known.");
  expect(renewed).toEqual(["USG-FLD-02"]);
  expect(text).toBe(
    existing.replace("2020-01-01 # over soon", "2099-01-01 # over soon").replace("'theirs'", "'still theirs'"),
  );
});

test("a file with nothing but a comment keeps it, and a new one says what it is", () => {
  expect(accept("# Ours.\n", [found], acceptance, "Known.").text).toMatch(/^# Ours\.\n\n?- requirement: USG-FLD-02\n/);
  expect(accept(undefined, [found], acceptance, "Known.").text).toMatch(/^# Known\.\n\n?- requirement: USG-FLD-02\n/);
});

test("what differs from run to run is no part of what is expected: indices, amounts, texts", () => {
  const shown = (at: string, value: unknown) => ({
    ...breach,
    at,
    got: { value: value as number },
    causedBy: ["TA-ARR-01" as const],
  });
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

test("what shows in answers to others' questions says in whose", () => {
  const shown = (exchanges: readonly number[]) =>
    judged({ verdict: "broken", breaches: [{ ...breach, exchange: 1, causedBy: ["CYC-PRES-01"] }], exchanges });
  expect(entriesAfter([shown([2])])).toMatchObject([{ shownBy: ["CYC-PRES-01"] }]);
  expect(entriesAfter([shown([1, 2])])).not.toMatchObject([{ shownBy: ["CYC-PRES-01"] }]);
});

test("a place with a nasty name is written so that it reads back", () => {
  const at = "/credits/a: b # c\u001b[31m\n- requirement: x\u2028";
  expect(entriesAfter([judged({ verdict: "broken", breaches: [{ ...breach, at }] })])).toMatchObject([
    { requirement: "USG-FLD-01", expect: { at } },
  ]);
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
  const cases: readonly (readonly [title: string, args: () => readonly string[], says: string])[] = [
    ["no such run", () => ["nowhere", ...terms], "There is no nowhere. Name the folder of a run"],
    ["a folder without a run", () => [emptyFolder(), ...terms], "holds no run"],
    [
      "a run.json that is cut short",
      () => [copy((text) => text.slice(0, 900)), ...terms],
      "is no whole JSON document: it was cut off or damaged",
    ],
    [
      "a run of a newer version",
      () => [copy((text) => text.replace('"format": 1', '"format": 2')), ...terms],
      "was written by a newer Assay: its format is 2",
    ],
    ["a JSON that is no run", () => [copy(() => "{}"), ...terms], "is no run as reports/run.schema.json has it"],
    [
      "a requirement that isn't there",
      () => [run, "USG-FLD-1", ...terms],
      'There is no requirement USG-FLD-1 (did you mean "USG-FLD-01"?)',
    ],
    ["a requirement that holds", () => [run, "USG-FLD-02", ...terms], "USG-FLD-02 holds in this run"],
    ["no reason", () => [run, "--until", "2099-01-01"], "--reason is missing"],
    ["an empty reason", () => [run, "--reason", " ", "--until", "2099-01-01"], "--reason is missing"],
    ["no day", () => [run, "--reason", "r"], "--until is missing"],
    [
      "a day that is none",
      () => [run, "--reason", "r", "--until", "2099-02-30"],
      '--until is "2099-02-30", which is no day',
    ],
    [
      "a day that is over",
      () => [run, "--reason", "r", "--until", "2020-01-01"],
      "--until is 2020-01-01, which is over",
    ],
    [
      "another target",
      () => [run, ...terms, "--target", "targets/reference.yaml"],
      "targets/reference.yaml is the target reference, and the run judged acme",
    ],
    [
      "a target that is gone",
      () => [run, ...terms, "--target", "nowhere.yaml"],
      "There is no target file nowhere.yaml",
    ],
  ];
  for (const [title, args, says] of cases) {
    test(title, async () => {
      const { code, stdout, stderr } = await assay(["accept", ...args()]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(says);
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(readdirSync(acme.folder).sort()).toEqual(["acme.yaml", "run"]);
    });
  }
});

const entry = "- { requirement: USG-FLD-01, expect: { at: /x, is: absent }, reason: r, until: 2099-01-01 }";
const lists: readonly (readonly [title: string, beside: string, says: string])[] = [
  [
    "an entry that names nothing",
    `# ours\n${entry.replace("USG-FLD-01", "USG-FLD-99")}`,
    ".deviations.yaml:2: deviations names USG-FLD-99 (did you mean",
  ],
  [
    "a day that is none",
    `\n\n${entry.replace("2099-01-01", "2099-02-30")}`,
    '.deviations.yaml:3: until is "2099-02-30"',
  ],
  [
    "two entries of one requirement",
    `${entry}\n\n${entry}`,
    "acme.deviations.yaml:3: USG-FLD-01 has an entry already, ",
  ],
  ["an unknown field", `${entry}\n${entry.replace("reason", "raeson")}`, ".deviations.yaml:2: "],
  ["a kind that there isn't", entry.replace("is: absent", "is: missing"), ".deviations.yaml:1: "],
  ["a kind and a value", entry.replace("is: absent", "is: number, value: 1"), ".deviations.yaml:1: "],
  ["no YAML", "- [", ".deviations.yaml line 1: this is no YAML"],
];
for (const [title, beside, says] of lists) {
  test(`a list of deviations with ${title}`, async () => {
    const folder = emptyFolder();
    writeFileSync(
      join(folder, "acme.yaml"),
      'name: acme\nbases: { admin: "https://vendor.example" }\noffers: [usage]\nprojects: { main: { plan: paid } }\nkeys: { paid: { project: main, env: ACME_KEY } }\n',
    );
    writeFileSync(join(folder, "acme.deviations.yaml"), beside);
    const { code, stderr } = await assay(["run", "--target", join(folder, "acme.yaml"), "--out", join(folder, "run")], {
      ACME_KEY: "0123456789abcdef",
    });
    expect(code).toBe(2);
    expect(stderr).toContain(says);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(existsSync(join(folder, "run"))).toBe(false);
  });
}

test("deviations stand in one place: in the target, or beside it", async () => {
  const acme = await mutantVendor("USG-FLD-01.absent", `deviations: [${entry.slice(2)}]\n`);
  await acme.judge("run", ...only);
  const own = await assay(["accept", join(acme.folder, "run"), ...terms]);
  expect(own.code).toBe(2);
  expect(own.stderr).toContain("lists deviations itself");
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
  const { code, stderr } = await assay(["accept", join(acme.folder, "run"), ...terms]);
  await acme.close();
  expect(code).toBe(2);
  expect(stderr).toContain("can't be written (EISDIR)");
  expect(readdirSync(acme.folder)).not.toContain("acme.deviations.yaml");
});
