// The report on a period: its figures are those that plain arithmetic over the lines of the history gives.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "@playwright/test";
import { assay, emptyFolder } from "../support/assay.ts";
import { historyFile, madeNight, type Night } from "../support/madeNights.ts";
import { madePeriod, summer } from "../support/madePeriod.ts";
import { edition } from "../support/madeRuns.ts";
import {
  answersIn,
  isHeldOn,
  isInSummer,
  isJudgedOn,
  judgedIn,
  percentileOf,
  shareOn,
  tenths,
  verdictOn,
  wilson,
} from "../support/periodArithmetic.ts";
import { overflow, phone } from "../support/reports.ts";

const { nights, samples } = madePeriod(1);

/** What the command prints. */
async function reportOf(all: readonly Night[], ...flags: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await assay(["history", "report", historyFile(all), ...flags]);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

/** Markdown from a heading to the next one of its level. */
function below(markdown: string, heading: string): string {
  const [, rest = ""] = markdown.split(`\n${heading}\n`);
  const [own = ""] = rest.split(`\n${heading.split(" ")[0]} `);
  return own;
}

const rowsIn = (markdown: string): readonly (readonly string[])[] =>
  markdown
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| ---"))
    .slice(1)
    .map((line) => line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "")));

const runs = nights.filter(({ kind }) => kind === "run");
const judgedRuns = judgedIn(runs);

test.describe("92 nights with planted incidents", () => {
  let markdown: string;
  let ofRuns: string;
  test.beforeAll(async () => {
    markdown = await reportOf(nights, ...summer, "--markdown");
    ofRuns = below(markdown, "### Runs from Frankfurt");
    expect(runs.filter(isInSummer)).toHaveLength(92);
  });

  test("the first sentence says what was kept, when not, and on how much that rests", () => {
    const ids = [...new Set(nights.flatMap(({ requirements }) => Object.keys(requirements)))];
    const judgedOn = (id: string) => judgedIn(nights).filter((night) => isJudgedOn(night, id));
    const judged = ids.filter((id) => judgedOn(id).length > 0);
    const kept = judged.filter((id) => judgedOn(id).every((night) => isHeldOn(night, id)));
    const within = nights.filter(isInSummer);
    const counts = `${judgedIn(nights).length} of ${within.length} nights`;
    expect(markdown.split("\n")[0]).toBe(
      `## acme kept ${kept.length} of ${judged.length} requirements on every judged night from 2026-07-01 to ` +
        `2026-09-30; 15 incidents; judged on ${counts}`,
    );
  });

  test("shares and intervals are of judged nights only, the worst first; what always held is one sentence", () => {
    const rows = rowsIn(below(ofRuns, "#### Requirements"));
    const ids = rows.map(([name = ""]) => name.split("`")[1] ?? "");
    expect(rows.map((row) => row.slice(1, 4))).toEqual(ids.map((id) => shareOn(runs, id)));
    expect(new Set(ids)).toEqual(
      new Set(["IH-OK-01", "RPC-ENV-01", "CYC-PRES-01", "USG-FLD-01", "USG-FLD-02", "TA-RES-01", "USG-HTTP-01"]),
    );
    const percents = rows.map(([, , share = ""]) => Number.parseFloat(share));
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    const [count, share, interval] = shareOn(runs, "WAL-BAL-01");
    expect(count).toBe("87 of 87");
    expect(ofRuns).toContain(
      `3 requirements held on each of the 87 nights on which they were judged: ${share} (${interval})`,
    );
    expect(ofRuns).toContain("2 requirements were never judged: BND-ATOM-01, BND-SEQ-01.");
  });

  test("a night that our side ended isn't the platform's; days without a night are named", () => {
    const days = new Set(runs.filter(isInSummer).map(({ at }) => at.slice(0, 10)));
    const unserved = 2;
    const neither = runs.filter(isInSummer).length - judgedRuns.length - unserved;
    const [all, share] = [
      judgedRuns.length + unserved,
      tenths((100 * judgedRuns.length) / (judgedRuns.length + unserved)),
    ];
    expect(ofRuns).toContain(
      `92 nights on ${days.size} of 92 days: ${judgedRuns.length} available, ${unserved} unavailable, ` +
        `${neither} counted as neither. No night on 1 day: 2026-09-09.`,
    );
    const interval = wilson(judgedRuns.length, all);
    expect(ofRuns).toContain(`Available on ${judgedRuns.length} of ${all} nights, ${share} % (${interval}).`);
    expect(ofRuns).toContain(
      "Counted as neither: SIGTERM ended it (2026-08-10); the budget of 500 requests is spent (2026-08-11); " +
        "nothing was judged (2026-08-30).",
    );
  });

  test("percentiles are those of the pooled answers, each month by itself, within 1 %", () => {
    const months = ["2026-07", "2026-08", "2026-09"];
    const expectPooled = (section: string, all: readonly Night[], of: readonly string[], operation: string) => {
      const row = rowsIn(section).find(([name]) => name === operation) ?? [];
      for (const [nth, month] of of.entries()) {
        const answers = answersIn(all, samples, { operation, month });
        const figures = row.slice(1 + 4 * nth, 5 + 4 * nth);
        expect(figures[3]).toBe(answers.length.toLocaleString("en-GB"));
        for (const [at, share] of [0.5, 0.95, 0.99].entries()) {
          const exact = percentileOf(answers, share);
          if (answers.length * (1 - share) < 1 - 1e-9) expect(figures[at]).toBe("–");
          else expect(Math.abs(Number(figures[at]) - exact)).toBeLessThan(0.5 + exact / 100);
        }
      }
    };
    const section = below(ofRuns, "#### Latency of n served answers in ms, 2026-07 to 2026-09");
    for (const operation of ["getProjectUsage", "getTokenAccounts"]) expectPooled(section, runs, months, operation);
    expect(section).toContain(
      "2026-07: the figures of all operations lack 10 of 29 nights, whose histograms were pruned.",
    );
    // Loads at other rates aren't added up, and neither are loads and runs.
    const ofLoads = below(markdown, "### Load nightly from Frankfurt");
    for (const [perSecond, of] of [
      [5, months],
      [50, ["2026-09"]],
    ] as const) {
      const loads = nights.filter(({ load }) => load?.phases[0]?.perSecond === perSecond);
      const when = perSecond === 5 ? "2026-07 to 2026-09" : "2026-09";
      const title = `#### Latency of n served answers in ms, ${when}, load nightly at up to ${perSecond}/s`;
      expectPooled(below(ofLoads, title), loads, of, "getProjectUsage");
    }
  });

  test("incidents have first and last night, and what was seen; nights that say nothing don't end them", () => {
    const broken = judgedRuns.filter((night) => verdictOn(night, "CYC-PRES-01") === "broken");
    const items = below(markdown, "### Incidents")
      .split("\n")
      .filter((line) => line.startsWith("- "))
      .map((line) => line.replace(/`CYC.*included|`(USG-HTTP-01|TA-RES-01|USG-FLD-03)` .*(?=: broken)/, "$1"));
    const of = "- ✗ Runs from Frankfurt, ";
    const earlier = "it began on 2026-06-29, before this period";
    const unserved = "nothing was served on 2 nights (13 requests failed, 2 timed out)";
    const together = "2 requirements: USG-FLD-01, USG-FLD-02: broken on 2 judged nights";
    const days = broken.map(({ at }) => at.slice(0, 10));
    // No two of these nights stand side by side.
    expect(items).toEqual([
      `${of}${days[0]} to ${days.at(-1)}: : ${days.length} incidents, ${days.length} nights in all: ${days.join(", ")}`,
      `${of}2026-07-01 to 2026-07-02: USG-HTTP-01: broken on 2 judged nights; ${earlier}`,
      `${of}2026-07-13 to 2026-07-14: the platform was unavailable: ${unserved}`,
      `${of}2026-07-31: the platform was unavailable: for a part of 1 night, valid requests failed`,
      `${of}2026-07-21 to 2026-07-23: ${together}; 1 night in between says nothing of it`,
      `${of}2026-09-29 to 2026-09-30: TA-RES-01: broken on 2 judged nights; no later night shows its end`,
      "- ✗ Load nightly from Frankfurt, 2026-07-29: USG-FLD-03: broken on 1 judged night",
    ]);
  });

  test("limits, what was sent by month, and changes of behaviour are those of the period", () => {
    expect(rowsIn(below(ofRuns, "#### Rate limits measured"))).toEqual([
      ["the limit", "4 in 1 s", "2026-08-20"],
      ["the limit", "5 in 1 s", "2026-06-28"],
    ]);
    const sent = ["2026-07", "2026-08", "2026-09"].map((month) => {
      const some = runs.filter(({ at }) => at.startsWith(month));
      const total = (of: "requests" | "credits" | "unpriced"): number =>
        some.reduce((all, { spent }) => all + spent[of], 0);
      return [
        month,
        ...[some.length, total("requests"), total("credits"), total("unpriced")].map((n) => n.toLocaleString("en-GB")),
      ];
    });
    expect(rowsIn(below(ofRuns, "#### Requests and credits"))).toEqual(sent);
    expect(rowsIn(below(ofRuns, "#### Changes of unspecified behaviours and of response shapes"))).toEqual([
      ["2026-08-25", expect.stringMatching(/^OBS-HTTP-SLASH \w+/), "with a slash", "404", "308", ""],
    ]);
  });
});

test("the terminal has the first sentence, what was measured, incidents, and the page's place", async () => {
  const text = await reportOf(nights, ...summer);
  expect(text).toMatch(/^acme kept .*\n {2}Platform: acme\n/);
  expect(text).toContain("\nRuns from Frankfurt\n  92 nights on 91 of 92 days");
  expect(text).not.toContain("Latency");
  const file = text.trimEnd().split("\n").at(-1) ?? "";
  expect(file).toMatch(/\/acme-2026-07-01-2026-09-30\.html$/);
  expect(readFileSync(file, "utf8")).toContain("How this is counted");
  expect(readFileSync(file, "utf8")).toContain("if a load was otherwise inconclusive");
});

test("a vendor's report leaves out what was spent, warnings, known issues, and why nights were left out", async () => {
  const file = join(emptyFolder(), "vendor.md");
  expect(await reportOf(nights, ...summer, "--for-vendor", file)).toBe(
    `${file}: acme broke 6 requirements from 2026-07-01 to 2026-09-30; 15 incidents; judged on 100 of 105 nights. ` +
      "Read it before you send it.\n",
  );
  const text = readFileSync(file, "utf8");
  expect(
    text.match(/Requests and credits|IH-OK-01|RPC-ENV-01|known issue on|SIGTERM|500 requests|never judged/g),
  ).toBeNull();
  expect(rowsIn(below(below(text, "### Runs from Frankfurt"), "#### Requirements broken"))).toContainEqual([
    "`CYC-PRES-01` creditCycle is present on every plan, free plans included",
    ...["9 of 87", "10.3 %", wilson(9, 87)],
  ]);
  expect(text).toContain("How this is counted");
});

const oneNight = (rest: Partial<Night> = {}): Night => madeNight(0, {}, { interface: edition, ...rest });
const autumn = ["--from", "2025-11-01", "--to", "2025-11-30", "--markdown"] as const;

test("of one night it says how little that shows, and which days had none", async () => {
  const text = await reportOf([oneNight()], ...autumn);
  expect(text).toMatch(
    /^## acme kept 1 of 1 requirement on every judged night .*; no incident; judged on 1 of 1 night\n/,
  );
  expect(text).toContain("1 night on 1 of 30 days: 1 available. No night on 29 days.");
  expect(text).toContain("1 requirement held on the one night on which it was judged: 100 % (20.7 to 100 %).");
});

test("nothing judged is never green, and says nothing of availability where our side ended it", async () => {
  const text = await reportOf([oneNight({ left: "SIGTERM ended it" })], ...autumn);
  expect(text).toMatch(/^## `?acme couldn't be judged on the one night from/);
  expect(text).toContain("Whether it was available can't be told.");
});

test("a damaged histogram counts as a pruned one; a requirement of another version is left out by name", async () => {
  const [line] = nights.find(({ latencies }) => latencies[0]?.histogram)?.latencies ?? [];
  const damaged = line ? [{ ...line, histogram: "AAAA" }] : [];
  const text = await reportOf([oneNight({ latencies: damaged, requirements: { "OLD-01": "holds" } })], ...autumn);
  expect(text).toContain("2025-11: the figures of all operations lack 1 of 1 night, whose histograms were pruned.");
  expect(text).toContain("Left out, as this version doesn't know them: OLD-01.");
});

test("hostile text stays text", async () => {
  const hostile = "<img src=x onerror=alert(1)> `| \u001b[31m";
  const left = oneNight({ vantage: hostile, target: hostile, left: hostile });
  const file = historyFile([left, oneNight({ ...left, id: "other", left: null, limits: { [hostile]: hostile } })]);
  const { code, stdout } = await assay(["history", "report", file, ...autumn]);
  expect(code).toBe(0);
  expect(stdout).not.toContain("\u001b");
  expect(stdout).not.toMatch(/(?<!`.*)<img/);
  const page = readdirSync(dirname(file)).find((name) => name.endsWith(".html")) ?? "";
  expect(readFileSync(join(dirname(file), page), "utf8")).not.toMatch(/<img|\u001b/);
});

test("where nothing can be reported, nothing is written", async () => {
  const file = historyFile(nights);
  for (const [flags, says] of [
    [
      ["--from", "2026-01-01", "--to", "2026-03-31"],
      /has no night from 2026-01-01 to 2026-03-31: its nights are from 2026-06-28 to 2026-10-02/,
    ],
    [
      ["--from", "2026-02-30", "--to", "2026-03-31"],
      /--from is "2026-02-30", which isn't a day\. Write it as in --from 2026-09-01\./,
    ],
    [["--from", "2026-09-30", "--to", "2026-07-01"], /--from 2026-09-30 is after --to 2026-07-01\. Swap them\./],
    [
      [...summer, "--for-vendor", "x.pdf"],
      /--for-vendor is x\.pdf, whose format isn't known\. End it with \.html or \.md\./,
    ],
    [[...summer, "--for-vendor", "x.md", "--markdown"], /--for-vendor writes only one file\. Leave --markdown out\./],
  ] as const) {
    const { code, stdout, stderr } = await assay(["history", "report", file, ...flags]);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(says)]);
  }
  const other = historyFile([oneNight(), oneNight({ target: "other" })]);
  const both = await assay(["history", "report", other, ...autumn]);
  expect([both.code, both.stderr]).toEqual([
    2,
    expect.stringContaining("has nights of acme, other, and a report is about one"),
  ]);
  const none = join(emptyFolder(), "none.jsonl");
  writeFileSync(none, "{}\n");
  const { code, stderr } = await assay(["history", "report", none, ...autumn]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("isn't a history: no line fits")]);
  for (const folder of [file, other, none].map(dirname)) expect(readdirSync(folder)).toHaveLength(1);
  expect(existsSync("x.md")).toBe(false);
});

test("its page fits a phone and paper", async ({ page }) => {
  const file = historyFile(nights);
  await assay(["history", "report", file, ...summer, "--html", `${file}.html`]);
  await page.goto(`file://${file}.html`);
  for (const [media, viewport] of [
    ["screen", phone],
    ["print", { width: 680, height: 1_000 }],
  ] as const) {
    await page.emulateMedia({ media });
    await page.setViewportSize(viewport);
    expect(await overflow(page)).toBe(0);
  }
  await expect(page.locator("details[open]")).toHaveCount(0);
});
