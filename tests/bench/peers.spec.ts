// Tests of the comparison with other tools: what is subtracted, counted and shown; `npm run bench:peers` measures
import { expect, test } from "@playwright/test";
import { type Result, tallyOfResults } from "../../bench/peers/counting.ts";
import type { Findings, Outcome } from "../../bench/peers/outcome.ts";
import { peersPage } from "../../bench/peers/page.ts";

const judged = (findings: Findings): Outcome => ({ findings, requests: 100, seconds: 60, processorSeconds: 12.3 });

const result = (name: string, kind: Result["platform"]["kind"], outcome: Outcome): Result => ({
  platform: { name, kind, area: kind === "mutant" ? name.slice(0, 3) : null, isDescribed: name.startsWith("USG") },
  outcome,
});

const honest = [
  result("honest, first", "baseline", judged({ "GET /a: no 405": 1 })),
  result("honest, second", "baseline", judged({ "GET /b: slow": 2 })),
];

const results: readonly Result[] = [
  ...honest,
  result("honest", "right", judged({ "GET /b: slow": 9 })),
  result("a lawful one", "right", judged({ "GET /a: no 405": 1, "GET /c: a | in it": 3 })),
  result("a lawful crash", "right", { unable: "exit code 9" }),
  result("USG-FLD-01.absent", "mutant", judged({ "GET /a: no 405": 1, "GET /a: absent": 4, "GET /a: late": 8 })),
  result("USG-FLD-02.absent", "mutant", judged({ "GET /a: no 405": 1 })),
  result("TAC-ARR-01.items", "mutant", judged({})),
  result("TAC-ARR-02.items", "mutant", { unable: "it took more than 9 s" }),
];

test("what the honest platform shows in either run is subtracted everywhere", () => {
  const tally = tallyOfResults(results);
  expect(tally?.found.map(({ name }) => name)).toEqual(["USG-FLD-01.absent"]);
  expect(tally?.missed.map(({ name }) => name)).toEqual(["USG-FLD-02.absent", "TAC-ARR-01.items"]);
  expect(tally?.accused).toEqual([{ name: "a lawful one", findings: ["GET /c: a | in it"] }]);
  expect(tally?.firstFinding_s).toBe(4);
});

test("what a tool couldn't judge counts neither as missed nor as right", () => {
  const tally = tallyOfResults(results);
  expect(tally?.unable.map(({ name }) => name)).toEqual(["a lawful crash", "TAC-ARR-02.items"]);
  expect(tally?.right).toBe(2);
});

test("without a judged honest platform nothing is counted", () => {
  const broken = honest.map(({ platform }): Result => ({ platform, outcome: { unable: "no network" } }));
  expect(tallyOfResults([...broken, ...results.slice(2)])).toBeNull();
});

test("the page has a row for each tool, also for one that judged nothing, and names what others found alone", () => {
  const own = results.map(({ platform, outcome }): Result => {
    return { platform, outcome: platform.kind === "mutant" ? judged({}) : outcome };
  });
  const prism = honest.map(({ platform }): Result => ({ platform, outcome: { unable: "Prism has ended" } }));
  const page = peersPage({
    isWhole: true,
    day: "2026-11-29",
    seed: 7,
    atOnce: 2,
    minutes: 12.4,
    versions: { assay: "0.1.0", drift: "2.77.0", prism: "5.16.0" },
    results: { assay: own, drift: results, prism },
    coverage: { operations: { covered: 7, total: 8 } },
  });
  for (const line of [
    "| Assay 0.1.0 | 0 of 4 | 0 of 2 | 1 of 2 | 1 | 100 | – | 60 | 12 |",
    "| Redocly CLI `drift` 2.77.0 | 1 of 3 | 1 of 2 | 1 of 2 | 2 | 100 | 4 | 60 | 12 |",
    "| Prism as a proxy 5.16.0 | not measured | not measured | – | – | – | – | – | – |",
    "| TAC | 0 of 2 | 0 of 1 |",
    "| Redocly CLI `drift` | a lawful one | GET /c: a \\| in it | 1 |",
    "| Redocly CLI `drift` | `USG-FLD-01.absent` | GET /a: absent |",
    "- Redocly CLI `drift` could not judge TAC-ARR-02.items: it took more than 9 s",
    "- Prism as a proxy was not measured: Prism has ended",
    "Redocly CLI `drift` found `USG-FLD-01.absent`, which Assay missed.",
  ])
    expect(page.split("\n")).toContain(line);
  expect(page).not.toContain("{{");
});
