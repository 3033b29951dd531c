// The HTML report of a run: first screen, filter, links, evidence, charts, size.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import type { Run } from "../support/assay.ts";
import { madeLoad } from "../support/madeLoads.ts";
import { judged, narrowed } from "../support/madeRuns.ts";
import {
  brokenRun,
  configOf,
  fullPageOf,
  overflow,
  pageOf,
  phone,
  reader,
  repeated,
  unfold,
  visibleIds,
  watched,
} from "../support/reports.ts";

let run: Run;
let url: string;
let full: string;

test.beforeAll(async () => {
  run = await brokenRun("CYC-PRES-01,USG-FLD-05,USG-FLD-01,CYC-BILL-01,AUTH-ADM-MISS-01");
  [url, full] = [await pageOf(run), await fullPageOf(run)];
});

for (const [name, viewport] of Object.entries({ reader, phone })) {
  test(`the first screen of a ${name} has verdict, target, time, counts, cost and what is broken`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await page.goto(url);
    const first = page.getByRole("banner");
    await expect(page.getByRole("heading", { level: 1, name: "2 requirements are broken" })).toBeInViewport();
    for (const text of ["reference (embedded platform)", "price not published", "2 broken", "UTC"])
      await expect(first.getByText(text).first(), text).toBeInViewport();
    const broken = first.getByRole("link", { name: "creditCycle is present on every plan, free plans included" });
    await expect(broken).toBeInViewport();
    await expect(
      first.getByText("at /creditCycle: missing, expected creditCycle to be present").first(),
    ).toBeInViewport();
    expect(await overflow(page)).toBe(0);
  });
}

test("what is verified in part is counted, listed by what is lacking, and can be filtered", async ({ page }) => {
  const [first, ...others] = run.requirements.filter(({ verdict }) => verdict === "holds");
  if (!first) throw new Error("nothing holds");
  const inPart = { ...first, ...narrowed("getBundle") };
  const requirements = [inPart, ...others];
  await page.goto(await pageOf({ ...run, requirements }));
  await expect(page.getByRole("banner").getByText("1 verified in part").first()).toBeVisible();
  await expect(page.getByText("not tried: getBundle: no sample")).toHaveCount(1);
  await page.getByRole("button", { name: "verified in part" }).click();
  expect(await visibleIds(page)).toEqual([first.id]);
  // The longest verdict ends before the id.
  const overflows = "(one) => one.scrollWidth > one.clientWidth";
  expect(await page.evaluate(`[...document.querySelectorAll(".verdict")].some(${overflows})`)).toBe(false);
});

test("it opens from a file without errors, requests, or styles and handlers outside the policy", async ({ page }) => {
  const { errors, requests } = watched(page);
  await page.goto(full);
  await unfold(page);
  await page.getByLabel("Find").fill("cycle");
  expect(errors).toEqual([]);
  expect(requests).toEqual([full]);
  expect(await page.evaluate(deadLinks)).toBe(0);
  await expect(page.locator("[style], script[src], link[rel=stylesheet], img, iframe")).toHaveCount(0);
});

const deadLinks =
  "[...document.querySelectorAll('a')].filter(({ hash }) => !document.getElementById(hash.slice(1))).length";

test("the policy blocks what isn't ours", async ({ page }) => {
  await page.goto(url);
  const { errors } = watched(page);
  await page.evaluate(
    'document.body.insertAdjacentHTML(\'beforeend\', \'<img src="http://127.0.0.1:9/x" onerror="hacked = 1"><p ' +
      'style="color:red">\')',
  );
  await page.evaluate("document.body.append(Object.assign(document.createElement('script'), { text: 'hacked = 2' }))");
  const refusals = (): number => errors.filter((text) => text.includes("Content Security Policy")).length;
  await expect.poll(refusals).toBeGreaterThanOrEqual(3);
  expect(await page.evaluate("typeof hacked")).toBe("undefined");
});

test("verdicts and words filter, alone and together, and the count is shown", async ({ page }) => {
  await page.goto(url);
  const all: readonly string[] = run.requirements.map(({ id }) => id);
  const found = await visibleIds(page);
  expect(found).toEqual(["USG-FLD-05", "CYC-PRES-01"].sort((a, b) => all.indexOf(a) - all.indexOf(b)));
  await page.getByRole("button", { name: "broken 2" }).click();
  expect(await visibleIds(page)).toEqual(found);
  await expect(page.locator("output[for=wanted]")).toHaveText(`2 of ${all.length} shown`);
  await page.getByLabel("Find").fill("FREE plans");
  expect(await visibleIds(page)).toEqual(["CYC-PRES-01"]);
  await expect(page.locator(".kind:has(.requirement):visible")).toHaveCount(1);
  await page.getByRole("button", { name: `all ${all.length}` }).click();
  await page.getByLabel("Find").fill("-0");
  expect((await visibleIds(page)).sort()).toEqual([...all].sort());
  await page.getByLabel("Find").fill("");
  expect(await visibleIds(page)).toEqual(found);
  await page.getByLabel("Find").fill("§5.5");
  const ofClause = run.requirements.filter(({ clause }) => clause.includes("§5.5"));
  expect(await visibleIds(page)).toEqual(ofClause.map(({ id }) => id));
});

test("a link opens what it leads to, even where the filter hides it", async ({ page }) => {
  await page.goto(url);
  await page.getByLabel("Find").fill("no such thing");
  expect(await visibleIds(page)).toEqual([]);
  await page.getByRole("banner").getByRole("link", { name: "creditCycle is present on every plan" }).click();
  const evidence = page.locator("#CYC-PRES-01");
  await expect(evidence).toBeInViewport();
  await page.getByRole("button", { name: /^all/ }).click();
  await unfold(page);
  const link = page.locator(".list a").first();
  const target = (await link.getAttribute("href")) ?? "";
  await page.evaluate(`document.querySelector("${target}").closest("details").open = false`);
  await link.click();
  await expect(page.locator(target)).toBeInViewport();
});

test("a breach shows clause, checks, request, answer, difference, curl and replay", async ({ page }) => {
  await page.goto(url);
  const breach = page.locator(".requirement", { has: page.locator("#CYC-PRES-01") });
  await expect(breach).toHaveAttribute("open");
  await expect(breach.locator("summary")).toContainText("§2.1");
  const asked = "broken: GET /v0/admin/projects/{id}/usage as free (header or query)";
  await expect(breach.locator(".list").first()).toContainText(asked);
  // Laws find it in further exchanges.
  const first = breach.locator(".breach").first();
  await expect(first).toContainText("to be present");
  await expect(first.locator("mark").first()).toHaveText("nothing");
  await expect(breach.locator(".answer mark").first()).toHaveText("creditCycle is missing here");
  await expect(breach.locator(".command").nth(0)).toHaveText(/^curl -sS -i -H 'X-Api-Key: <key:free>'/);
  const replay = /^npx assay run --mutant CYC-PRES-01\.omit-on-free --seed 1 --only CYC-PRES-01/;
  await expect(breach.locator(".command").nth(1)).toHaveText(replay);
});

test("a command is copied by keyboard from a page opened as a file", async ({ page }) => {
  await page.goto(url);
  const evidence = page.locator("#CYC-PRES-01");
  const copy = evidence.locator(".copy").first();
  await copy.focus();
  await page.keyboard.press("Enter");
  await expect(copy).toHaveText("Copied");
  const find = page.getByLabel("Find");
  await find.focus();
  await page.keyboard.press("ControlOrMeta+V");
  await expect(find).toHaveValue((await evidence.locator(".command").first().textContent()) ?? "");
});

test("charts are images with a name, and have a table with the same figures", async ({ page }) => {
  await page.goto(full);
  await unfold(page);
  const names = [
    "Requests over the run, by feature",
    "Timeline of the run, by operation",
    "Requests accepted and refused",
    "Latency of accepted requests by operation",
    "Mutants by area",
  ];
  for (const name of names) await expect(page.getByRole("img", { name })).toBeVisible();
  await expect(page.locator("svg > title")).toHaveCount(names.length);
  const cells = await page
    .getByRole("table", { name: /^Requests by limit/ })
    .locator("td:not(:nth-child(2))")
    .allTextContents();
  expect(cells.reduce((sum, cell) => sum + Number(cell), 0)).toBe(200);
  const latencies = page.getByRole("table", { name: /^Latency/ });
  await expect(latencies.getByRole("row", { name: /^getProjectUsage/ })).toContainText(/\d/);
  const kills = page.locator("section", { has: page.locator("#kills") });
  await expect(kills).toContainText("The mutant AUTH-ADM-MISS-01.serves survived.");
});

test("everything withheld stands below its reason, and coverage has each requirement without a check", async ({
  page,
}) => {
  const reason = "the target doesn't allow throttle";
  const some = run.requirements.map((one) =>
    one.id === "CYC-BILL-01"
      ? { ...one, verdict: "withheld" as const, reason: reason.replace("throttle", "`throttle`"), breaches: [] }
      : one,
  );
  await page.goto(await pageOf({ ...run, requirements: some }));
  await unfold(page);
  const group = page.locator(".kind.withheld .group", { hasText: reason });
  await expect(group.locator("#CYC-BILL-01")).toBeVisible();
  await expect(group.locator("summary code").first()).toHaveText("throttle");
  const coverage = page.locator("section", { has: page.locator("#coverage") });
  for (const id of run.unchecked) await expect(coverage.getByText(id, { exact: true })).toBeVisible();
});

test("the first screen says why a load or a requirement is inconclusive", async ({ page }) => {
  const reason = "no answer within 30 s";
  const some = run.requirements.map((one) =>
    one.verdict === "holds"
      ? { ...one, verdict: "inconclusive" as const, reason }
      : { ...one, verdict: "withheld" as const, breaches: [] },
  );
  const load = madeLoad({ doubt: "the generator was saturated" });
  await page.goto(await pageOf({ ...run, load, exitCode: 3, requirements: some }));
  const first = page.getByRole("banner");
  await expect(first.getByText("Inconclusive: the generator was saturated")).toBeInViewport();
  await expect(first.getByText(reason).first()).toBeInViewport();
});

test("the parts of a load are a table: what each sent, how it ended, and its clock", async ({ page }) => {
  const sent = { of: 4, planned: 1_500, begun: 1_499, dropped: 1, beganAt: "2026-01-15T10:00:00.250Z", failure: null };
  const lost = { begun: 0, dropped: 0, beganAt: null, behind_ms: null, failure: "it was killed" };
  const parts = [
    { ...sent, nth: 1, behind_ms: [-100, 400] },
    { ...sent, nth: 2, behind_ms: [1_600, 3_000], dashboard: "k6-smoke-2.html" },
    { ...sent, nth: 3, behind_ms: [-5_000, -700] },
    { ...sent, nth: 4, ...lost },
  ] as const;
  await page.goto(await pageOf({ ...run, load: madeLoad({ parts }) }));
  const rows = page.locator("table").filter({ hasText: "what each generator sent" }).locator("tbody tr");
  const cells = await Promise.all((await rows.all()).map((row) => row.locator("th, td").allTextContents()));
  expect(cells).toEqual([
    ["1 of 4", "1,500", "1,499", "1", "10:00:00.250", "right"],
    ["2 of 4", "1,500", "1,499", "1", "10:00:00.250", "at least 1.6 s slow"],
    ["3 of 4", "1,500", "1,499", "1", "10:00:00.250", "at least 0.7 s fast"],
    ["4 of 4, cut short: it was killed", "1,500", "0", "0", "–", "unknown"],
  ]);
  await expect(page.locator('a[href*="k6"]')).toHaveText(["k6-smoke-2.html"]);
});

test("the page of 1,000 results stays under 3.2 MB, and each of its links leads somewhere", { tag: "@slow" }, async ({
  page,
}) => {
  const { config, ids } = configOf(1_000);
  const broken = run.requirements.filter(({ verdict }) => verdict === "broken");
  const requirements = ids.map((id, nth) => {
    const { breaches, ...rest } = judged(id, broken[nth] ? "broken" : "holds");
    const exchanges = [1, 7, 13].map((step) => ((nth * step) % ids.length) + 1);
    return {
      ...rest,
      exchanges,
      breaches: broken[nth]?.breaches.map((one) => ({ ...one, exchange: nth + 1 })) ?? breaches,
    };
  });
  const big = await pageOf({ ...run, requirements, exchanges: repeated(run, ids.length) }, { config });
  expect(readFileSync(fileURLToPath(big)).byteLength).toBeLessThan(3_200_000);
  await page.goto(big);
  await expect(page.locator(".requirement")).toHaveCount(1_000);
  expect(await page.evaluate(deadLinks)).toBe(0);
});
