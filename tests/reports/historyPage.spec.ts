// The page of a year of nights in a browser: on a screen, on a phone and on paper.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import axe from "axe-core";
import { emptyFolder } from "../support/assay.ts";
import { historyOf, madeNight } from "../support/madeNights.ts";
import { flaky, fresh, yearsOfNights } from "../support/plantedNights.ts";
import { overflow, phone, reader, unfold, watched } from "../support/reports.ts";

test.describe("the page", () => {
  let file: string;
  test.beforeAll(async () => {
    const { planted } = await yearsOfNights();
    file = join(emptyFolder(), "index.html");
    writeFileSync(file, (await historyOf(planted)).page);
  });

  test("has at most 3 MB", () => {
    expect(readFileSync(file).length).toBeLessThan(3_000_000);
  });

  test("shows changes on its first screen, sends nothing and logs nothing", async ({ page }) => {
    const seen = watched(page);
    await page.setViewportSize(reader);
    await page.goto(`file://${file}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      `Failed: ${fresh} is newly broken; ${flaky} is flaky`,
    );
    for (const name of [/Since the night before/, /Since a week ago/, /Since the baseline/])
      await expect(page.getByRole("heading", { name })).toBeInViewport();
    await expect(page.getByText(fresh).first()).toBeInViewport();
    await expect(page.locator("svg.lines .point").first()).toBeAttached();
    await expect(page.locator(".strip rect.broken").first()).toBeVisible();
    // As wide as the page, with texts that keep their size.
    expect((await page.locator("svg.lines").first().boundingBox())?.width).toBeGreaterThan(1_000);
    expect([seen.errors, seen.requests.filter((url) => !url.startsWith("file:") && !url.startsWith("data:"))]).toEqual([
      [],
      [],
    ]);
  });

  test("has a row for each requirement that moved, each change, limit and level", async ({ page }) => {
    await page.goto(`file://${file}`);
    const rowOf = (table: string, text: string) =>
      page
        .getByRole("group", { name: `${table}, as a table` })
        .getByRole("row")
        .filter({ hasText: text })
        .first();
    await expect(rowOf("Requirements over nights", fresh)).toContainText("✗ broken");
    await expect(rowOf("Requirements over nights", flaky)).toContainText(/flaky: broken on 6 of 30 nights/);
    const changes = "Changes of unspecified behaviours and of response shapes";
    await expect(rowOf(changes, "OBS-RATE-ALGO")).toHaveText(/2026-11-11.*the limit.*5 in 1 s.*4 in 1 s/);
    await expect(rowOf(changes, "header: date")).toHaveText(/2026-11-16.*getProjectUsage 200 served.*there.*–/);
    await expect(rowOf("Rate limits found", "4 in 1 s")).toContainText("2026-11-11");
    // Five operations, and what was spent.
    await expect(page.locator("svg.lines")).toHaveCount(6);
    await page.getByText("The last 14 nights as a table").first().click();
    await expect(page.locator("details[open] tbody tr").first()).toContainText("2026-11-25");
  });

  test("draws nothing for a night on which a requirement wasn't planned", async ({ page }) => {
    const holding = { requirements: { [fresh]: "holds" } } as const;
    const nights = [holding, { requirements: {} }, holding].map((rest, nth) => madeNight(nth, {}, rest));
    await page.setContent((await historyOf(nights)).page);
    await expect(page.locator(".strip rect")).toHaveCount(3);
    await expect(page.locator(".strip rect.absent")).toHaveCSS("fill", "none");
    await expect(page.locator(".strip rect.holds").first()).not.toHaveCSS("fill", "none");
  });

  for (const [name, viewport, colorScheme] of [
    ["a phone", phone, "dark"],
    ["a reader", reader, "light"],
  ] as const)
    test(`on ${name} nothing overflows, and axe-core finds nothing serious`, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      await page.goto(`file://${file}`);
      await unfold(page);
      expect(await overflow(page)).toBe(0);
      await page.evaluate(axe.source);
      const grave = await page.evaluate<readonly string[]>(
        `axe.run(document).then(({ violations }) =>
          violations
            .filter(({ impact }) => impact === "serious" || impact === "critical")
            .map(({ id, nodes }) => id + " " + nodes[0].html),
        )`,
      );
      expect(grave).toEqual([]);
    });

  test("printed, it shows strips and lines", async ({ page }) => {
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width: 700, height: 1000 });
    await page.goto(`file://${file}`);
    await expect(page.locator(".strip rect.broken").first()).toBeVisible();
    await expect(page.locator("svg.lines").first()).toBeVisible();
    expect(await overflow(page)).toBe(0);
  });
});
