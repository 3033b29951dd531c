// The HTML report for every reader: keyboard, axe-core, phone, paper, without script.
import { expect, test } from "@playwright/test";
import axe from "axe-core";
import type { Run } from "../support/assay.ts";
import { madeLoad } from "../support/madeLoads.ts";
import { brokenRun, fullPageOf, overflow, pageOf, phone, reader, unfold, visibleIds } from "../support/reports.ts";

let run: Run;
let url: string;
let full: string;

test.beforeAll(async () => {
  run = await brokenRun("CYC-PRES-01,USG-FLD-01,CYC-BILL-01,AUTH-ADM-MISS-01");
  [url, full] = [await pageOf(run), await fullPageOf(run)];
});

test("everything is reached by keyboard alone, with a visible focus", async ({ page }) => {
  await page.goto(url);
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to the requirements" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("Find")).toBeFocused();
  await page.keyboard.type("missing");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("usage endpoint without a key");
  expect(await visibleIds(page)).toEqual(["AUTH-ADM-MISS-01"]);
  const isFocused = "document.activeElement.matches('.requirement > summary')";
  for (let tabs = 0; tabs < 10 && !(await page.evaluate(isFocused)); tabs += 1) await page.keyboard.press("Tab");
  expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
  await page.keyboard.press("Enter");
  const replay = "npx assay run --mutant CYC-PRES-01.omit-on-free --seed 1 --only AUTH-ADM-MISS-01";
  await expect(page.locator(".requirement:visible").getByText(replay)).toBeVisible();
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });
  test("it is complete, and shows no control that does nothing", async ({ page }) => {
    await page.goto(url);
    await expect(page.locator(".requirement summary")).toHaveCount(run.requirements.length);
    await expect(page.getByLabel("Find")).toBeHidden();
    await page.locator(".kind.holds > summary").click();
    await page.locator(".requirement.holds summary").first().click();
    await expect(page.locator(".requirement.holds .command").first()).toBeVisible();
  });
});

interface AxeFinding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

for (const colorScheme of ["light", "dark"] as const)
  for (const [name, viewport] of Object.entries({ reader, phone }))
    test(`axe-core finds nothing serious, ${colorScheme}, on a ${name}`, {
      // Two of the four have each colour scheme and each size once.
      tag: (colorScheme === "light") === (name === "reader") ? [] : "@slow",
    }, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      await page.goto(full);
      await unfold(page);
      expect(await overflow(page)).toBe(0);
      await page.evaluate(axe.source);
      const found = await page.evaluate<readonly AxeFinding[]>(
        "axe.run(document).then(({ violations }) => violations)",
      );
      const grave = found.filter(({ impact }) => impact === "serious" || impact === "critical");
      expect(grave.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)).toEqual([]);
    });

test("printed, it shows the evidence of what is broken, and no controls", async ({ page }) => {
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 700, height: 1000 });
  await page.goto(full);
  await expect(page.locator("#filter, nav, .exchanges").filter({ visible: true })).toHaveCount(0);
  await expect(page.locator("#CYC-PRES-01 .answer").first()).toBeVisible();
  expect(await overflow(page)).toBe(0);
  const cut =
    "[...document.querySelectorAll('#CYC-PRES-01 pre')].filter((box) => box.scrollHeight > box.clientHeight + 1 || " +
    "box.scrollWidth > box.clientWidth + 1).length";
  expect(await page.evaluate(cut)).toBe(0);
});

test("printed from a dark screen, it is dark on light", async ({ page }) => {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.goto(url);
  const colours =
    "[getComputedStyle(document.documentElement).colorScheme, getComputedStyle(document.documentElement).color]";
  expect(await page.evaluate(colours)).toEqual(["light", "rgb(27, 29, 32)"]);
});

const load = madeLoad({
  // Beside a run, which has tables of its own.
  after: 10_000,
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
});

test("on a phone each figure keeps the head of its column, and no word is broken", async ({ page }) => {
  await page.setViewportSize(phone);
  await page.goto(await pageOf({ ...run, load }));
  await unfold(page);
  const section = page.locator("section", { has: page.locator("#load") });
  const row = section.getByRole("row", { name: "getMultipleNewAddressProofs 93 – – – – 93 0 0" });
  await expect(row).toBeVisible();
  expect(await page.locator("table.figures").count()).toBeGreaterThan(3);
  const stylesOf = (selector: string, property: string): Promise<string[]> =>
    page.evaluate(`[...document.querySelectorAll("${selector}")].map((one) => getComputedStyle(one).${property})`);
  expect(await stylesOf("table.figures thead", "display")).not.toContain("none");
  expect(new Set(await stylesOf(".figures th, .figures td", "overflowWrap"))).toEqual(new Set(["normal"]));
  expect(await overflow(page)).toBe(0);
});
