// Tests of what each check and each law alone finds, and that each deletion is noticed
import { expect, test } from "@playwright/test";
import { aloneBy, countsOf, idle } from "../../proof/alone/counts.ts";
import { deletionsListed, idleListed, namesListed, namesNow } from "../../proof/alone/deletionList.ts";
import { isNoticed } from "../../proof/alone/deletions.ts";
import { detectors, suiteWithout } from "../../proof/alone/detectors.ts";
import { areas, document, script } from "../../proof/alone/table.ts";
import { restOn, type TracedBreach } from "../../proof/alone/traced.ts";
import { allMutants, type Row, tried } from "../../proof/alone/tried.ts";

test.describe.configure({ mode: "parallel" });

test("names of detectors are unique", () => {
  const names = detectors.map(({ name }) => name);
  expect(names.filter((name, nth) => name === "" || names.indexOf(name) < nth)).toEqual([]);
});

test("every check and property is listed under its requirement with what its deletion would miss", () => {
  expect(namesListed().toSorted(), "run: node --import tsx proof/alone/table.ts --new").toEqual(namesNow.toSorted());
});

test("mutants of the list are the reference's", () => {
  const known = new Set(allMutants);
  expect(deletionsListed().filter(({ mutant }) => !known.has(mutant))).toEqual([]);
});

const breach = (change: Partial<TracedBreach>): TracedBreach => ({
  id: "TA-TOT-01",
  checks: [],
  laws: [],
  users: null,
  ...change,
});

test("breaches rest on a detector without which none of them would be found", () => {
  const [own, byLaw] = [breach({ checks: ["a"] }), breach({ laws: ["law"], users: ["a", "b"] })];
  expect(restOn([own], "a")).toBe(true);
  expect(restOn([own, breach({ checks: ["a", "b"] })], "a")).toBe(false);
  expect([restOn([byLaw], "law"), restOn([byLaw], "a")]).toEqual([true, false]);
  expect(restOn([breach({ laws: ["law"], users: ["a"] })], "a")).toBe(true);
  // What the engine asks for itself is asked for without the check, too.
  expect(restOn([breach({ laws: ["law"] })], "a")).toBe(false);
  // The charge audit is no detector.
  expect(restOn([breach({})], "a")).toBe(false);
  expect(restOn([], "a")).toBe(false);
});

test("a mutant that one law finds on the answers to several checks is found by the law alone", async () => {
  const [row] = await tried("TA-TOT-01.zero", "control");
  expect(row?.found).toContain("TA-TOT-01 by getTokenAccounts as owner (query)");
  expect(row?.alone).toEqual(["TA-TOT-01 in getTokenAccounts, 2"]);
  expect(row?.needed["TA-TOT-01"]).toEqual(row?.alone);
});

test("without control laws alone find in recorded traffic what they find in the run", async () => {
  const [run, traffic] = await tried("USG-FLD-01.absent", "without control");
  expect([run?.on, traffic?.on]).toEqual(["without control", "traffic"]);
  expect(traffic?.found.length).toBeGreaterThan(0);
  expect(traffic?.found.filter((name) => !run?.found.includes(name))).toEqual([]);
});

test("a suite without a detector lacks that one only", () => {
  const lawIds = (name: string): number => suiteWithout(name).laws.flatMap(({ ids }) => ids).length;
  const [laws, checks] = [lawIds("none"), suiteWithout("none").checks.length];
  expect([lawIds("TA-TOT-01 in getTokenAccounts"), lawIds("TA-TOT-01 by getTokenAccounts as owner (query)")]).toEqual([
    laws - 1,
    laws,
  ]);
  expect(suiteWithout("TA-TOT-01 by getTokenAccounts as owner (query)").checks.length).toBe(checks - 1);
});

test("counts have who finds and who alone finds by target, and those that find nothing", () => {
  const checks = detectors.filter(({ kind }) => kind === "check");
  const [a = "", b = ""] = checks.map(({ name }) => name);
  const row = (change: Partial<Row>): Row => ({
    mutant: "M",
    on: "control",
    broken: [],
    found: [],
    alone: [],
    needed: {},
    ...change,
  });
  const rows = [
    row({ found: [a, b] }),
    row({ found: [a], alone: [a] }),
    row({ on: "one key", found: [b], alone: [b] }),
  ];
  expect(countsOf(checks, rows, ["control", "one key"])).toEqual([
    { found: 2, alone: 1 },
    { found: 1, alone: 1 },
  ]);
  expect(idle("check", rows)).toHaveLength(checks.length - 2);
  expect([...aloneBy(rows)]).toEqual([
    [a, ["M (control)"]],
    [b, ["M (one key)"]],
  ]);
});

test("docs/proof.md has a row for each area, with today's numbers of checks and laws", () => {
  const table = document.tableBy(script);
  expect(areas.filter((area) => !table.includes(`\n| ${area} | `))).toEqual([]);
  const numberOf = (wanted: string): number => detectors.filter(({ kind }) => kind === wanted).length;
  const [, all = ""] = table.split("\n| all | ");
  const cells = all.split(" | ");
  expect([cells[0], cells[3]].map(Number)).toEqual(["check", "law"].map(numberOf));
});

/** They say that a sample shows something, and are withheld where it doesn't. */
const onlyHold = ["BND-HASH-03", "BST-ALIGN-01"].map((id) => `${id} by getBundleStatuses as owner (query)`);

test("every check but those that only hold finds a mutant", () => {
  expect(idleListed().toSorted()).toEqual(onlyHold);
  const named = /Checks that find no mutant: (.*?)\. Laws/.exec(document.tableBy(script))?.[1];
  expect(named?.split("; ").toSorted()).toEqual(onlyHold);
});

/** Today's number, so that no check becomes redundant unnoticed. */
const mostRedundant = 92;

test(`the deletion of at most ${mostRedundant} checks would miss nothing`, () => {
  expect(deletionsListed().filter(({ by }) => by === "others").length).toBeLessThanOrEqual(mostRedundant);
});

const deletions = deletionsListed();

async function areNoticed(some: typeof deletions): Promise<void> {
  const unnoticed = [];
  for (const one of some) if (!(await isNoticed(one))) unnoticed.push(one);
  expect(unnoticed).toEqual([]);
  expect(some.length).toBeGreaterThan(0);
}

/** Some of all subjects, without those of rates, which take long. */
const sample = deletions.filter(({ check }, nth) => nth % 97 === 0 && !check.startsWith("RATE-"));
test("what the deletion of some checks would miss is found with them only", () => areNoticed(sample));

const atOnce = 20;
for (let from = 0; from < deletions.length; from += atOnce)
  test(`what the deletion of each check from ${from + 1} on would miss is found with it only`, { tag: "@slow" }, () =>
    areNoticed(deletions.slice(from, from + atOnce)),
  );
