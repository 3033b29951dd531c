// Pages of panels and of places: what a reader came for is in sight, on a phone, too.
import { expect, test } from "@playwright/test";
import { graveIn, overflow, phone, reader, unfold } from "../support/reports.ts";
import { fiveVendors, madeFive } from "./made.ts";
import { pageOfPanel, pageOfPlaces, withFirst, withRuns } from "./madePages.ts";

for (const [name, viewport, colorScheme] of [
  ["a phone", phone, "light"],
  ["a phone in the dark", phone, "dark"],
  ["a reader", reader, "dark"],
] as const)
  test(`the red cell of a wrong vendor is on the first screen of ${name}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await page.setContent(pageOfPanel(withRuns));
    const red = page.locator("table .broken").first();
    await expect(red).toHaveText("✗ 24 of 240");
    const box = await red.boundingBox();
    if (!box) throw new Error("it isn't shown");
    expect([box.x >= 0, box.x + box.width <= viewport.width, box.y + box.height <= viewport.height]).toEqual([
      true,
      true,
      true,
    ]);
    await unfold(page);
    expect(await overflow(page)).toBe(0);
    expect(await graveIn(page)).toEqual([]);
  });

test("on a phone no table of vendors is wider than it", async ({ page }) => {
  await page.setViewportSize(phone);
  await page.setContent(pageOfPanel(madeFive(120, fiveVendors)));
  const tables = await page.locator(".chips").all();
  expect(tables.length).toBeGreaterThan(2);
  const widths = await Promise.all(
    tables.map((table) => table.evaluate((one) => (one as { scrollWidth: number }).scrollWidth)),
  );
  expect(Math.max(...widths)).toBeLessThanOrEqual(phone.width);
});

test("what is said of a wrong vendor stays in its column", async ({ page }) => {
  await page.setViewportSize(reader);
  const counts = { wrong: 1_000, unsettled: 2_000, stale: 3_000 };
  await page.setContent(pageOfPanel(madeFive(9_000, withFirst({ counts }))));
  const red = page.locator(".chips td", { has: page.locator("span.broken", { hasText: "unsettled" }) }).first();
  const [cell, text] = await Promise.all([red.boundingBox(), red.locator("span.broken").boundingBox()]);
  if (!cell || !text) throw new Error("it isn't shown");
  expect(text.x + text.width).toBeLessThanOrEqual(cell.x + cell.width);
});

for (const [name, viewport, colorScheme] of [
  ["a phone", phone, "dark"],
  ["a reader", reader, "light"],
] as const)
  test(`no cell is out of sight, and the fastest and the wrong are told by word and colour, on ${name}`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await page.setContent(pageOfPlaces());
    await expect(page.getByRole("link", { name: "fra" })).toHaveAttribute("href", "a.html");
    await expect(page.locator("td .holds", { hasText: "fastest" })).toHaveCount(3);
    await expect(page.locator("td .broken")).toHaveText(/wrong in 4 of 10/);
    await unfold(page);
    expect(await overflow(page)).toBe(0);
    expect(await graveIn(page)).toEqual([]);
    for (const cell of await page.locator("td .broken, td .holds").all()) {
      const { x = 0, width = 0 } = (await cell.boundingBox()) ?? {};
      expect(x + width).toBeLessThanOrEqual(viewport.width);
    }
  });
