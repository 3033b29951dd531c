// Tests of experiments in reports: burst by burst, as text and as a picture
import { expect, test } from "@playwright/test";
import { exchanged, made, observed } from "../support/madeRuns.ts";
import { pageOf, reported, rowsOf } from "../support/reports.ts";
import { ranInProcess } from "../support/runs.ts";

const request = (sent_ms: number, burst: number, outcome: "served" | "refused" | "undocumented" | "failed") => ({
  sent_ms,
  answered_ms: sent_ms + 10,
  burst,
  outcome,
});

test("each burst has a sign for each answer", async () => {
  const requests = [
    ...(["served", "refused", "undocumented", "failed"] as const).map((outcome, nth) =>
      request(3_000 + nth, 0, outcome),
    ),
    request(3_050, 1, "served"),
  ];
  const seen = observed("OBS-RATE-ALGO");
  const values = [{ summary: {}, fingerprints: [], experiments: [{ name: "one", requests }] }];
  const run = made(0, { observations: [{ ...seen, values }], exchanges: [exchanged()] });
  expect(rowsOf((await reported(run)).text("index.html"), "Experiments on limits")).toEqual([
    ["one", "3", "1 of 4", "●○◌?"],
    ["one", "3.1", "1 of 1", "●"],
  ]);
});

test("the page shows which requests of the experiments on limits were served", async ({ page }) => {
  const run = await ranInProcess({ only: ["RATE-ADM-02"], hasSchedules: true, observe: ["OBS-RATE-ALGO"] });
  const experiments = run.observations.flatMap(({ values: [first] }) => first?.experiments ?? []);
  expect(experiments.map(({ requests }) => requests.length)).toEqual([37, 180]);
  await page.goto(await pageOf(run));
  const picture = page.getByRole("img", { name: "Requests of the experiments on limits over time: served or refused" });
  await expect(picture).toBeVisible();
  await expect(picture).toHaveAccessibleName(/limits: admin 5 a second, stated and measured/);
  // A line in each experiment, with its name on it, and what is below that.
  await expect(picture.locator("text", { hasText: "5 a second, stated and measured" })).toHaveCount(4);
  const table = page.getByRole("table", { includeHidden: true }).filter({ hasText: "three bursts, and one request" });
  await expect(table.locator("tr").filter({ hasText: "5 of 12●●●●●○○○○○○○" })).toHaveCount(7);
});
