// The HTML report of a whole run at first sight: what stands first, what is open, and how long it is.
import { expect, test } from "@playwright/test";
import type { Run } from "../support/assay.ts";
import { exchanged, instant, judged, made, narrowed, observed } from "../support/madeRuns.ts";
import { idsIn } from "../support/register.ts";
import { pageOf, phone, reader } from "../support/reports.ts";

const unlocks = ["keys.free", "wallets.owner", "allow: [throttle]", "keys.other", "bundles", "keys.slow"].map(
  (add, index) => ({ add, requirements: 20 - index }),
);

const [requirements, observations] = [idsIn("requirements"), idsIn("observations")];

/** All requirements and behaviours of the register, as a vendor with one key leaves them. */
const whole = ((): Run => {
  const judgedAll = requirements.map((id, index) => {
    const rest = { exchanges: [index + 1] };
    if (index % 20 === 0) return judged(id, "broken", { ...rest, ...(index % 40 ? { enforced: "warn" } : {}) });
    if (index % 3 === 0) return judged(id, "withheld", { ...rest, reason: `needs member ${index % 99}` });
    return judged(id, "holds", { ...rest, ...(index % 5 === 0 ? narrowed(`operation ${index % 9}`) : {}) });
  });
  return made(0, {
    exitCode: 1,
    endedAt: instant(200),
    requirements: judgedAll,
    observations: observations.map((id) => observed(id, { answer: "a value that takes its place" })),
    exchanges: requirements.map((_, index) => exchanged({ number: index + 1, sentAt: instant(index) })),
    unlocks,
  });
})();

let url: string;
test.beforeAll(async () => {
  url = await pageOf(whole);
});

for (const [viewport, longest_px] of [
  [reader, 12_000],
  [phone, 20_000],
] as const)
  test(`a whole run is at most ${longest_px} px long at a width of ${viewport.width}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await page.goto(url);
    const length = await page.evaluate<number>("document.documentElement.scrollHeight");
    expect(length).toBeGreaterThan(viewport.height);
    expect(length).toBeLessThanOrEqual(longest_px);
  });

test("verdict, bar, what is broken, facts and what to add next stand in this order", async ({ page }) => {
  await page.goto(url);
  const first = page.getByRole("banner");
  const places = [
    first.getByRole("heading", { level: 1 }),
    first.locator(".bar"),
    first.locator("#found-broken"),
    first.getByText("Exit code", { exact: true }),
    first.getByRole("heading", { name: "What to add next" }),
  ];
  const tops = await Promise.all(places.map(async (place) => (await place.boundingBox())?.y ?? Number.NaN));
  expect(tops).toEqual([...tops].sort((a, b) => a - b));
  await expect(first.getByText("3 min 20 s")).toBeVisible();
  await expect(first.getByText("20 more requirements: keys.free")).toBeVisible();
  await expect(first.getByText("keys.slow")).toHaveCount(0);
});

test("one answer is one headline, with all that it breaks", async ({ page }) => {
  await page.goto(url);
  const broken = whole.requirements.filter(({ verdict, enforced }) => verdict === "broken" && enforced === "fail");
  expect(broken.length).toBeGreaterThan(3);
  const headlines = page.locator("section.broken .changes > li");
  await expect(headlines).toHaveCount(1);
  for (const { id } of broken.slice(1)) await expect(headlines.getByRole("link", { name: id })).toBeVisible();
});

test("what needs a reader is open, the rest closed, and a filter finds what is closed", async ({ page }) => {
  await page.goto(url);
  const open = await page.evaluate("[...document.querySelectorAll('.kind[open]')].map((one) => one.className)");
  expect(open).toEqual(["kind broken", "kind warned", "kind withheld", "kind narrowed"]);
  expect(whole.totals.broken).toBeGreaterThan(5);
  await expect(page.locator(".requirement.broken[open]")).toHaveCount(5);
  // Twelve reasons, and the others in one.
  await expect(page.locator(".kind.withheld > .group")).toHaveCount(13);
  const behaviour = page.locator("[id^=OBS-WAL]").first();
  await expect(behaviour).toBeHidden();
  const id = (await behaviour.getAttribute("id")) ?? "";
  await page.getByLabel("Filter").fill(id);
  await expect(behaviour).toBeVisible();
  await expect(page.locator("output[for=observed]")).toHaveText(`1 of ${observations.length} shown`);
  await page.getByLabel("Filter").fill("");
  await expect(behaviour).toBeHidden();
});

test("the contents stay in sight, and areas stand with the worst first", async ({ page }) => {
  await page.goto(url);
  await page.getByRole("navigation").getByRole("link", { name: "Coverage" }).click();
  await expect(page.getByRole("navigation")).toBeInViewport();
  await expect(page.getByRole("heading", { name: "Coverage by area" })).toBeInViewport();
  const areas = page.getByRole("table", { name: /^Requirements by area/ });
  const place = (await areas.locator("thead th").allTextContents()).indexOf("broken") + 1;
  const names = await areas.locator("tbody th").allTextContents();
  expect(names.filter((name) => !/^([A-Z]+) · (?!\1$)\S/.test(name))).toEqual([]);
  const broken = (await areas.locator(`tbody tr > :nth-child(${place})`).allTextContents()).map(Number);
  expect(broken.length).toBeGreaterThan(15);
  expect(broken).toEqual([...broken].sort((a, b) => b - a));
  expect(broken[0]).toBeGreaterThan(0);
});

test("a value is shown without escapes, as code", async ({ page }) => {
  const got = { value: 'say "no"\nplease' };
  const breach = { outcome: "broken", at: "/message", expected: "a reason", got, exchange: 1, causedBy: [] } as const;
  await page.goto(
    await pageOf(
      made(0, { requirements: [judged("USG-HTTP-01", "broken", { breaches: [breach] })], exchanges: [exchanged()] }),
    ),
  );
  await expect(page.locator(".breach code mark")).toHaveText('"say "no"\nplease"');
});
