// Three vendors in one table: who is best and worst of them, and what isn't known of one.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { emptyFolder } from "../support/assay.ts";
import { exchanged, judged, made, observed, type Run, sayCompared } from "../support/madeRuns.ts";
import { danglingLinks } from "../support/reports.ts";

type Made = NonNullable<Parameters<typeof made>[1]>;

const [first, second, third] = ["USG-HTTP-01", "USG-FLD-01", "USG-FLD-02"] as const;
const broken = (...ids: readonly string[]): Run["requirements"] =>
  [first, second, third].map((id) => judged(id, ids.includes(id) ? "broken" : "holds"));
const answering = (latency_ms: number): Run["exchanges"] =>
  Array.from({ length: 40 }, (_, nth) => exchanged({ stimulus: "one", latency_ms: latency_ms + nth / 40 }));

/** Lines of a comparison of three that name each of them, and the page's links. */
async function together(...all: readonly [Made, Made, Made]) {
  const runs = all.map((one, nth) => made(0, { ...one, name: ["acme", "beta", "cyd"][nth] ?? "" }));
  const file = join(emptyFolder(), "page.html");
  const { stdout } = await sayCompared(runs, "--html", file);
  const page = readFileSync(file, "utf8");
  return { sentences: stdout.match(/^ {2}(nothing sets|acme is|beta is|cyd is) .*$/gm), stdout, page };
}

const measuring = (...limits: readonly string[]): Run["observations"] => [
  observed("OBS-RATE-ALGO", ...limits.map((limit) => ({ burst: limit }))),
];

test("three vendors stand in one table, and only who is apart from both others is best or worst", async () => {
  const { sentences, stdout, page } = await together(
    { requirements: broken(first, second), exchanges: answering(100), observations: measuring("5 in 1 s") },
    { requirements: broken(first), exchanges: answering(140), observations: measuring("10 in 1 s") },
    { requirements: broken(first), exchanges: answering(141), observations: measuring("9 in 1 s", "11 in 1 s") },
  );
  expect(sentences).toEqual([
    "  acme is best in p50, worst in conformance and limits",
    "  nothing sets beta apart",
    "  nothing sets cyd apart",
  ]);
  expect(
    stdout.match(/^ {2}(conformance|p50|limits) +[▼✓m\d].*$/gm)?.map((line) => line.trim().split(/ {2,}/)),
  ).toEqual([
    ["conformance", "▼ 2 of 3 broken", "1 of 3 broken", "1 of 3 broken"],
    ["p50", "✓ 100 ms", "141 ms", "142 ms"],
    ["limits", "▼ measured 5 in 1 s", "measured 10 in 1 s", "measured 9 in 1 s or 11 in 1 s"],
  ]);
  expect(page).toContain('href="#requirement-matrix"');
  expect(danglingLinks(page)).toEqual([]);
});

test("what isn't known of one of three is said of it, and best is best of those that are known", async () => {
  const { sentences, stdout } = await together(
    { observations: measuring("5 in 1 s") },
    {
      exchanges: [
        exchanged({
          headers: [
            ["x-ratelimit-limit", "50"],
            ["ratelimit-policy", "50;w=1"],
          ],
        }),
      ],
    },
    { observations: measuring("10 in 1 s"), requirements: [judged(first, "holds"), judged(second, "withheld")] },
  );
  // What is stated is no measure of what is measured.
  expect(sentences).toEqual(["  nothing sets acme apart", "  nothing sets beta apart", "  nothing sets cyd apart"]);
  expect(stdout).toMatch(/\n {2}limits +measured 5 in 1 s +stated 50 in 1 s +measured 10 in 1 s\n/);
  const { sentences: others, stdout: text } = await together(
    { observations: measuring("5 in 1 s") },
    {},
    { observations: measuring("10 in 1 s") },
  );
  expect(others?.slice(0, 2)).toEqual(["  acme is worst in limits (of 2)", "  nothing sets beta apart"]);
  expect(text).toContain("\n  beta: limits: neither measured nor stated\n");
  expect(text.split("\n")[0]).toBe("Passed: of 3 vendors none breaks what A doesn't.");
  expect(text).toContain("assay panel finds who is wrong, stale or goes back");
});
