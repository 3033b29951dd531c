// assay requirements: the register, with verdicts of a run, checks and mutants.
import { expect, test } from "@playwright/test";
import { assay, assayRun, expectCommandLineError } from "../support/assay.ts";
import { idsIn } from "../support/register.ts";

interface Row {
  readonly id: string;
  readonly state: string;
  readonly mutants: number;
  readonly implemented: number;
}

const rowsOf = (stdout: string): ReadonlyMap<string, Row> =>
  new Map((JSON.parse(stdout) as { readonly requirements: readonly Row[] }).requirements.map((row) => [row.id, row]));

test("without a run it lists all rows; each has a check, and all its mutants are implemented", async () => {
  const rows = rowsOf((await assay(["requirements", "--json"])).stdout);
  expect([...rows.keys()]).toEqual(idsIn("requirements"));
  expect([...rows.values()].filter(({ state }) => state === "unchecked")).toEqual([]);
  expect([...rows.values()].filter(({ implemented, mutants }) => implemented < mutants)).toEqual([]);
});

test("with a run it has what holds, what is broken and what wasn't judged", async () => {
  const args = ["run", "--mutant", "CYC-PRES-01.omit-on-free", "--only", "CYC-PRES-01,USG-HTTP-01"];
  const { folder } = await assayRun(args);
  const rows = rowsOf((await assay(["requirements", folder, "--json"])).stdout);
  const states = ["CYC-PRES-01", "USG-HTTP-01", "BND-LIM-01"].map((id) => rows.get(id)?.state);
  expect(states).toEqual(["broken", "holds", "unjudged"]);
  const { stdout } = await assay(["requirements", folder, "--area", "cyc"]);
  expect(stdout).toMatch(/^broken +CYC-PRES-01 /m);
  expect(stdout).not.toContain("USG-HTTP-01");
});

test("an area that isn't there is refused with those that there are", async () => {
  const rows = rowsOf((await assay(["requirements", "--json"])).stdout);
  const areas = [...new Set([...rows.keys()].map((id) => id.slice(0, id.indexOf("-"))))].sort();
  await expectCommandLineError(
    ["requirements", "--area", "BNX"],
    `There is no area BNX (did you mean "BND"?). Name one of ${areas.join(", ")}.`,
  );
});
