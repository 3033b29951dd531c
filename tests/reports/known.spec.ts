// Known issues and fixed ones in every report: named, with reason and last day, and what no run of a target can show
import { expect, test } from "@playwright/test";
import { historyMarkdown, importedNights } from "../support/madeNights.ts";
import { breach, exchanged, judged, made, type Run, sayCompared } from "../support/madeRuns.ts";
import { forVendor, reported } from "../support/reports.ts";

const entry = { file: "acme.deviations.yaml", line: 7 };
const terms = { accepted: "their ticket 123", owner: "Ada", until: "2027-03-31", entry };
const reason = "their ticket 123; Ada, until 2027-03-31, acme.deviations.yaml:7";

const runWith = (nth: number, ...requirements: Run["requirements"]): Run =>
  made(nth, { requirements: [judged("USG-HTTP-01", "holds"), ...requirements], exchanges: [exchanged({ number: 1 })] });

const known = runWith(
  0,
  judged("USG-FLD-01", "deviates", {
    ...{ breaches: [breach], entry, reason },
    reasons: [{ kind: "deviation", state: "expected", ...terms }],
  }),
);
const gone = { entry, reason: "remove acme.deviations.yaml:7 (their ticket 123)", enforced: "note" } as const;
const fixed = runWith(100, judged("USG-FLD-01", "holds", gone));

const plain = (text: string): string => text.replaceAll(/<[^>]*>/g, "").replaceAll("&#39;", "'");

test("each report names a known issue with its reason and last day, and has passed", async () => {
  const { stdout, text } = await reported(known);
  const history = await historyMarkdown(await importedNights([known]));
  const { stdout: comparison } = await sayCompared([made(0, { requirements: known.requirements }), known]);
  for (const shown of [stdout, text("summary.md"), plain(text("index.html")), history, comparison]) {
    expect(shown).toContain("USG-FLD-01");
    expect(shown).toContain(reason);
  }
  for (const shown of [stdout, text("summary.md"), plain(text("index.html"))])
    expect(shown).toContain("Passed: 1 known issue; all 2 requirements judged");
});

test("the vendor's report has known issues with their evidence, without who accepted them and where", async () => {
  const { page, markdown } = await forVendor(known);
  for (const shown of [plain(page), markdown]) {
    expect(shown).toContain("1 requirement of the interface is broken, as is known");
    expect(shown).toContain("Known issue, accepted until 2027-03-31: their ticket 123");
    expect(shown).toContain("USG-FLD-01");
    expect(shown).not.toMatch(/Ada|deviations\.yaml/);
  }
});

test("each report names what is fixed with the line to remove, and has passed", async () => {
  const { stdout, text } = await reported(fixed);
  const history = await historyMarkdown(await importedNights([known, fixed]));
  const comparison = await sayCompared([known, fixed]);
  expect(comparison.code).toBe(0);
  for (const shown of [stdout, text("summary.md"), plain(text("index.html")), history, comparison.stdout])
    expect(shown).toContain(gone.reason);
  expect(stdout).toContain("Passed: 1 known issue is fixed; all 2 requirements judged");
  expect(text("junit.xml")).toContain(`<system-out>fixed: ${gone.reason}</system-out>`);
});

test("with --fixed=fail no format shows it as green", async () => {
  const failing = { ...runWith(0, judged("USG-FLD-01", "holds", { ...gone, enforced: "fail" })), exitCode: 1 };
  const { stdout, text } = await reported(failing);
  expect(stdout).toContain("Failed: 1 known issue is fixed, which --fixed=fail doesn't accept; ");
  expect(text("junit.xml")).toContain(`<failure message="${gone.reason}"`);
  expect(text("summary.md")).toMatch(/^## ❌ `?Failed: /m);
});

test("what no run of a target can show isn't in its denominators", async () => {
  type Row = Run["requirements"][number];
  const withheld = (id: Row["id"], ...reasons: NonNullable<Row["reasons"]>): Row =>
    judged(id, "withheld", { reason: "not tested", reasons });
  const { stdout } = await reported(
    runWith(
      0,
      withheld("CYC-PRES-01", { kind: "noKey", role: "free", remedy: [] }),
      withheld("IH-OK-01", { kind: "aboutAssay", test: "tests/a.spec.ts" }),
      withheld(
        "AUTH-ADM-MISS-01",
        { kind: "noControl", of: "a test project" },
        { kind: "noKey", role: "a", remedy: [] },
      ),
    ),
  );
  expect(stdout).toContain("Passed: nothing is broken; 1 of 3 requirements judged");
  expect(stdout).toContain("1 passed · 2 not tested · 1 not testable here");
});
