// Can the HTML report be read: from a file, light and dark, on a phone, by keyboard, without script, printed?
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, type Page } from "@playwright/test";
import axe from "axe-core";
import { described } from "../../cli/described.ts";
import type { LoadReport } from "../../harness/record/load.ts";
import { type Run, totalsOf } from "../../harness/record/run.ts";
import { areaTitle } from "../../reports/described.ts";
import { requirements } from "../../specs/generated/requirements.ts";
import { test } from "../support/browser.ts";
import { brokenRun, pageOf, repeated, unfold, watched } from "../support/reports.ts";

// One run and one browser for all of them.
test.describe.configure({ mode: "default" });

const phone = { width: 390, height: 844 };
const reader = { width: 1280, height: 800 };

let run: Run;
let url: string;
/** With charts: enough calls, and a kill matrix. */
let full: string;

test.beforeAll(async () => {
  run = await brokenRun("CYC-PRES-01,USG-FLD-01,CYC-BILL-01,AUTH-ADM-MISS-01");
  url = await pageOf(run);
  const results = [
    { id: "CYC-PRES-01.omit-on-free", result: "killed", broken: ["CYC-PRES-01", "USG-FLD-05"] },
    { id: "AUTH-ADM-MISS-01.serves", result: "survived", broken: [] },
  ] as const;
  full = await pageOf(
    { ...repeated(run, 200), requirements: run.requirements },
    {
      kills: { honest: [], results, pending: ["RATE-ADM-01.none"] },
    },
  );
});

const visibleIds = (page: Page): Promise<string[]> => page.locator(".requirement:visible .id").allTextContents();
const overflow = (page: Page): Promise<unknown> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

for (const [name, viewport] of Object.entries({ reader, phone })) {
  test(`the first screen of a ${name} says verdict, target, when, counts, cost and what is broken`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    await page.goto(url);
    const first = page.getByRole("banner");
    await expect(page.getByRole("heading", { level: 1, name: "2 promises are broken" })).toBeInViewport();
    for (const text of ["reference (our own reference platform)", "calls of unknown price", "2 broken", "UTC"])
      await expect(first.getByText(text).first(), text).toBeInViewport();
    await expect(
      first.getByRole("link", { name: "creditCycle is present on every plan, free plans included" }),
    ).toBeInViewport();
    await expect(first.getByText("/creditCycle · expected to be present · got nothing there").first()).toBeInViewport();
    expect(await overflow(page)).toBe(0);
  });
}

test("it opens from a file with no error, no request of its own and no style or handler outside the policy", async ({
  page,
}) => {
  const { errors, requests } = watched(page);
  await page.goto(full);
  await unfold(page);
  await page.getByLabel("Find").fill("cycle");
  expect(errors).toEqual([]);
  expect(requests).toEqual([full]);
  expect(await page.locator("[style], script[src], link[rel=stylesheet], img, iframe").count()).toBe(0);
});

test("the policy stops what isn't ours", async ({ page }) => {
  await page.goto(url);
  const { errors } = watched(page);
  await page.evaluate(
    'document.body.insertAdjacentHTML(\'beforeend\', \'<img src="http://127.0.0.1:9/x" onerror="hacked = 1"><p style="color:red">\')',
  );
  await page.evaluate("document.body.append(Object.assign(document.createElement('script'), { text: 'hacked = 2' }))");
  await expect
    .poll(() => errors.filter((text) => text.includes("Content Security Policy")).length)
    .toBeGreaterThanOrEqual(3);
  expect(await page.evaluate("typeof hacked")).toBe("undefined");
});

test("verdicts filter, words search, both together, and the count is said", async ({ page }) => {
  await page.goto(url);
  const all = await visibleIds(page);
  expect(all).toEqual(run.requirements.map(({ id }) => id));
  await page.getByRole("button", { name: "broken 2" }).click();
  expect(await visibleIds(page)).toEqual(["USG-FLD-05", "CYC-PRES-01"].sort((a, b) => all.indexOf(a) - all.indexOf(b)));
  await expect(page.locator("#shown")).toHaveText(`2 of ${all.length} shown`);
  await page.getByLabel("Find").fill("FREE plans");
  expect(await visibleIds(page)).toEqual(["CYC-PRES-01"]);
  await expect(page.locator(".area:visible")).toHaveCount(1);
  await page.getByLabel("Find").fill("");
  await page.getByRole("button", { name: `all ${all.length}` }).click();
  expect(await visibleIds(page)).toEqual(all);
  await page.getByLabel("Find").fill("§5.5");
  expect(await visibleIds(page)).toEqual(
    run.requirements.filter(({ clause }) => clause.includes("§5.5")).map(({ id }) => id),
  );
});

test("everything is reached by keyboard alone, and where one stands is seen", async ({ page }) => {
  await page.goto(url);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the requirements" })).toBeFocused();
  await expect(page.getByRole("link", { name: "Skip to the requirements" })).toBeInViewport();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("Find")).toBeFocused();
  await page.keyboard.type("missing");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("no key answers");
  expect(await visibleIds(page)).toEqual(["AUTH-ADM-MISS-01"]);
  for (
    let tabs = 0;
    tabs < 10 && !(await page.evaluate("document.activeElement.matches('.requirement > summary')"));
    tabs += 1
  )
    await page.keyboard.press("Tab");
  expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
  await page.keyboard.press("Enter");
  await expect(
    page
      .locator(".requirement:visible")
      .getByText("npx assay run --mutant CYC-PRES-01.omit-on-free --only AUTH-ADM-MISS-01"),
  ).toBeVisible();
});

test("a link opens what it leads to, also where the filter hides it", async ({ page }) => {
  await page.goto(url);
  await page.getByLabel("Find").fill("no such thing");
  expect(await visibleIds(page)).toEqual([]);
  await page.getByRole("banner").getByRole("link", { name: "creditCycle is present on every plan" }).click();
  const evidence = page.locator("#CYC-PRES-01");
  await expect(evidence).toBeInViewport();
  await page.getByRole("button", { name: /^all/ }).click();
  await unfold(page);
  const link = page.locator(".looked a").first();
  const target = (await link.getAttribute("href")) ?? "";
  await page.evaluate(`document.querySelector("${target}").closest("details").open = false`);
  await link.click();
  await expect(page.locator(target)).toBeInViewport();
});

test("a breach shows clause, checks, request, answer, what differs, curl and replay", async ({ page }) => {
  await page.goto(url);
  const breach = page.locator(".requirement", { has: page.locator("#CYC-PRES-01") });
  await expect(breach).toHaveAttribute("open");
  await expect(breach.locator("summary")).toContainText("§2.1");
  await expect(breach.locator(".checks")).toContainText(
    "broken: GET /v0/admin/projects/{id}/usage as free (header or query)",
  );
  // Laws find it in further exchanges, too.
  const first = breach.locator(".breach").first();
  await expect(first).toContainText("to be present");
  await expect(first.locator("mark").first()).toHaveText("nothing there");
  await expect(breach.locator(".answer mark").first()).toHaveText("creditCycle is not here");
  await expect(breach.locator(".command").nth(0)).toHaveText(/^curl -sS -i -H 'X-Api-Key: <key:free>'/);
  await expect(breach.locator(".command").nth(1)).toHaveText(
    /^npx assay run --mutant CYC-PRES-01\.omit-on-free --only CYC-PRES-01/,
  );
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });
  test("it reads whole, and no control stands there that does nothing", async ({ page }) => {
    await page.goto(url);
    await expect(page.locator(".requirement summary")).toHaveCount(run.requirements.length);
    await expect(page.getByLabel("Find")).toBeHidden();
    await page.locator(".requirement.holds summary").first().click();
    await expect(page.locator(".requirement.holds .command").first()).toBeVisible();
  });
});

test("charts are images with a name, and say the same in a table", async ({ page }) => {
  await page.goto(full);
  await unfold(page);
  const names = ["Requests accepted and refused", "Latency of accepted requests by operation", "Lies by their area"];
  for (const name of names) await expect(page.getByRole("img", { name })).toBeVisible();
  expect(await page.locator("svg > title").count()).toBe(names.length);
  const cells = await page
    .getByRole("table", { name: /^Requests by surface/ })
    .locator("td:not(:nth-child(2))")
    .allTextContents();
  expect(cells.reduce((sum, cell) => sum + Number(cell), 0)).toBe(200);
  await expect(
    page.getByRole("table", { name: /^Latency/ }).getByRole("row", { name: /^getProjectUsage/ }),
  ).toContainText(/\d/);
  await expect(page.locator("section", { has: page.locator("#kills") })).toContainText(
    "The mutant AUTH-ADM-MISS-01.serves is found by nothing.",
  );
});

test("coverage names a reason for everything withheld and every row that isn't checked", async ({ page }) => {
  const reason = "no control over the platform";
  const some = run.requirements.map((one) =>
    one.id === "CYC-BILL-01" ? { ...one, verdict: "withheld" as const, reason, breaches: [] } : one,
  );
  await page.goto(
    await pageOf({ ...run, requirements: some, totals: { ...run.totals, holds: run.totals.holds - 1, withheld: 1 } }),
  );
  await unfold(page);
  const coverage = page.locator("section", { has: page.locator("#coverage") });
  await expect(coverage).toContainText(reason);
  await expect(coverage.getByRole("link", { name: "CYC-BILL-01" })).toBeVisible();
  for (const id of run.unchecked) await expect(coverage.getByText(id, { exact: true })).toBeVisible();
});

interface AxeFinding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

for (const colorScheme of ["light", "dark"] as const)
  for (const [name, viewport] of Object.entries({ reader, phone }))
    test(`axe-core finds nothing serious, ${colorScheme}, on a ${name}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      await page.goto(full);
      await unfold(page);
      expect(await overflow(page)).toBe(0);
      // What is laid out only when it is seen would not be looked at.
      await page.evaluate(axe.source);
      const found = await page.evaluate<readonly AxeFinding[]>(
        "axe.run(document).then(({ violations }) => violations)",
      );
      const grave = found.filter(({ impact }) => impact === "serious" || impact === "critical");
      expect(grave.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)).toEqual([]);
    });

test("printed, it shows the evidence of what is broken and no controls", async ({ page }) => {
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 700, height: 1000 });
  await page.goto(full);
  await expect(page.locator("#filter, nav, .exchanges").filter({ visible: true })).toHaveCount(0);
  await expect(page.locator("#CYC-PRES-01 .answer").first()).toBeVisible();
  expect(await overflow(page)).toBe(0);
  const cut =
    "[...document.querySelectorAll('#CYC-PRES-01 pre')].filter((box) => box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1).length";
  expect(await page.evaluate(cut)).toBe(0);
});

test("printed from a dark screen it is dark on light", async ({ page }) => {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.goto(url);
  // What is behind the page, and what is written on it.
  const colours =
    "[getComputedStyle(document.documentElement).colorScheme, getComputedStyle(document.documentElement).color]";
  expect(await page.evaluate(colours)).toEqual(["light", "rgb(27, 29, 32)"]);
});

const load: LoadReport = {
  shape: "smoke",
  generator: "k6 2.2.0",
  seed: 1,
  phases: [
    {
      name: "steady",
      seconds: 20,
      perSecond: 54,
      requests: 1_011,
      served: 1_004,
      limited: 7,
      failed: 0,
      p95_ms: 799.231,
    },
  ],
  dropped: 68,
  judged: 1_011,
  broken: [],
  latencies: [
    {
      operation: "getMultipleNewAddressProofs",
      outcome: "limited",
      count: 93,
      p50_ms: 123.903,
      p95_ms: 693.759,
      p99_ms: 951.542,
      max_ms: 951.542,
      histogram: "",
    },
  ],
  bounds: [],
  knee: null,
  doubt: "the generator was saturated",
  withheld: null,
  left: [],
};

test("on a phone each figure keeps the head of its column, and no word is torn apart", async ({ page }) => {
  await page.setViewportSize(phone);
  await page.goto(await pageOf({ ...run, load }));
  await unfold(page);
  const section = page.locator("section", { has: page.locator("#load") });
  await expect(
    section.getByRole("row", { name: "getMultipleNewAddressProofs, refused for its rate 93 124 694 952 952" }),
  ).toBeVisible();
  expect(await page.locator("table.figures").count()).toBeGreaterThan(3);
  expect(
    await page.evaluate(
      "[...document.querySelectorAll('table.figures thead')].filter((head) => getComputedStyle(head).display === 'none').length",
    ),
  ).toBe(0);
  const torn =
    "[...document.querySelectorAll('.figures th, .figures td')].filter((cell) => getComputedStyle(cell).overflowWrap !== 'normal').length";
  expect(await page.evaluate(torn)).toBe(0);
  expect(await overflow(page)).toBe(0);
});

test("the first screen says why a load, or a requirement, couldn't be judged", async ({ page }) => {
  const reason = "no answer within 30 s";
  const some = run.requirements.map((one) =>
    one.verdict === "holds"
      ? { ...one, verdict: "inconclusive" as const, reason }
      : { ...one, verdict: "withheld" as const, breaches: [] },
  );
  await page.goto(await pageOf({ ...run, load, exitCode: 3, requirements: some, totals: totalsOf(some) }));
  const first = page.getByRole("banner");
  await expect(first.getByText("inconclusive: the generator was saturated")).toBeInViewport();
  await expect(first.getByText(reason).first()).toBeInViewport();
});

test("a run of 5,000 results stays under 5 MB, and every link on its page leads somewhere", async ({ page }) => {
  const big = await pageOf(repeated(run, 5_000));
  expect(readFileSync(fileURLToPath(big)).byteLength).toBeLessThan(5_000_000);
  await page.goto(big);
  await expect(page.locator(".requirement")).toHaveCount(5_000);
  expect(
    await page.evaluate(
      "[...document.querySelectorAll('a')].filter(({ hash }) => !document.getElementById(hash.slice(1))).length",
    ),
  ).toBe(0);
});

test("a run of 5,000 results opens in under 2 s", { tag: "@slow" }, async ({ page }) => {
  const big = await pageOf(repeated(run, 5_000));
  const took_ms: number[] = [];
  for (let times = 0; times < 3; times += 1) {
    const started = performance.now();
    await page.goto(big);
    await page.getByLabel("Find").fill("creditCycle");
    took_ms.push(performance.now() - started);
  }
  expect(Math.min(...took_ms)).toBeLessThan(2_000);
});

test("every area of the register has a title", () => {
  const areas = [...new Set(requirements.map(({ id }) => id.slice(0, id.indexOf("-"))))];
  expect(areas.filter((area) => areaTitle(described, area) === area)).toEqual([]);
});
