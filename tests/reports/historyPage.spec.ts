// The page of a year of nights in a browser: on a screen, on a phone and on paper.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import axe from "axe-core";
import { described } from "../../cli/described.ts";
import { historiesOf } from "../../reports/history/history.ts";
import { historyPageOf } from "../../reports/history/page.tsx";
import { emptyFolder } from "../support/assay.ts";
import { fresh, yearsOfNights } from "../support/plantedNights.ts";
import { overflow, phone, reader, unfold, watched } from "../support/reports.ts";

test.describe("the page", () => {
  let file: string;
  test.beforeAll(async () => {
    const { planted } = await yearsOfNights();
    file = join(emptyFolder(), "index.html");
    writeFileSync(file, historyPageOf(historiesOf(planted, described), { version: "0.1.0", described }));
  });

  test("has at most 3 MB", () => {
    expect(readFileSync(file).length).toBeLessThan(3_000_000);
  });

  test("shows changes on its first screen, sends nothing and logs nothing", async ({ page }) => {
    const seen = watched(page);
    await page.setViewportSize(reader);
    await page.goto(`file://${file}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("1 requirement is newly broken, 1 is flaky");
    for (const name of [/Since the night before/, /Since a week ago/, /Since the baseline/])
      await expect(page.getByRole("heading", { name })).toBeInViewport();
    await expect(page.getByText(fresh).first()).toBeInViewport();
    await expect(page.locator("svg.lines .point").first()).toBeAttached();
    await expect(page.locator(".strip rect.broken").first()).toBeVisible();
    expect([seen.errors, seen.requests.filter((url) => !url.startsWith("file:") && !url.startsWith("data:"))]).toEqual([
      [],
      [],
    ]);
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
