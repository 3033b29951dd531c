// Areas in reports: in words, with their codes where these can be typed
import { expect, test } from "@playwright/test";
import { described } from "../../cli/project.ts";
import { areaTitle } from "../../reports/described.ts";
import { assay } from "../support/assay.ts";
import { made, observed } from "../support/madeRuns.ts";
import { idsIn } from "../support/register.ts";
import { reported } from "../support/reports.ts";

const codeOf = (id: string): string => id.replace(/^OBS-/, "").split("-")[0] ?? "";
/** With one id of each. */
const areas = new Map([...idsIn("requirements"), ...idsIn("observations")].map((id) => [codeOf(id), id]));
const codes = [...areas.keys()];

test("every area of the interface has words of its own", () => {
  expect(codes).toEqual(expect.arrayContaining(["AUTH", "CTX", "EVT", "HTTP", "PREC"]));
  const titles = codes.map((code) => areaTitle(described, code));
  expect(titles.filter((title) => codes.includes(title) || !/[a-z]/.test(title))).toEqual([]);
  expect(new Set(titles).size).toBe(areas.size);
});

test("a page names what it observed in words, area by area", async () => {
  const all = [...areas].filter(([, id]) => id.startsWith("OBS-"));
  const observations = all.map(([, id]) => observed(id, { seen: "yes" }));
  const page = (await reported(made(0, { observations }))).text("index.html");
  const section = page.slice(page.indexOf('id="observations"'));
  const titles = [...section.matchAll(/<summary>(.*?) · \d+ unspecified/g)].map(([, title]) => title);
  expect(new Set(titles)).toEqual(new Set(all.map(([code]) => areaTitle(described, code))));
});

test("JUnit, CTRF and the list of requirements name areas in words beside their codes", async () => {
  const { text } = await reported(made(0));
  const { results } = JSON.parse(text("ctrf.json")) as { results: { tests: readonly { suite: readonly string[] }[] } };
  const suites = [...text("junit.xml").matchAll(/<testsuite name="([^"]*)"/g)].map(([, name]) => name ?? "");
  const { stdout } = await assay(["requirements"]);
  const listed = [...stdout.matchAll(/^([A-Z]+\b.*?) {2,}\d/gm)].map(([, name]) => name ?? "");
  for (const names of [suites, results.tests.flatMap(({ suite }) => suite), listed]) {
    expect(names).not.toEqual([]);
    for (const name of names) expect(name).toMatch(/^([A-Z]+ · [A-Za-z].*[a-z]|run)$/);
  }
});
