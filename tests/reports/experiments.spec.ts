// Tests of experiments in reports: burst by burst, as text and as a picture
import { expect, test } from "@playwright/test";
import type { ExperimentRequest } from "../../harness/model/probe.ts";
import { burstsOf, experimentsIn, stripOf } from "../../reports/experiments.ts";
import { pageOf } from "../support/reports.ts";
import { ranInProcess } from "../support/runs.ts";

const request = (sent_ms: number, burst: number, outcome: ExperimentRequest["outcome"]): ExperimentRequest => ({
  sent_ms,
  answered_ms: sent_ms + 10,
  burst,
  outcome,
});

test("each burst has a sign for each answer", () => {
  const requests = [
    ...(["served", "refused", "undocumented", "failed"] as const).map((outcome, nth) =>
      request(3_000 + nth, 0, outcome),
    ),
    request(3_050, 1, "served"),
  ];
  expect(burstsOf({ name: "one", requests }).map((burst) => [burst.from_s, stripOf(burst)])).toEqual([
    [3, "●○◌?"],
    [3.1, "●"],
  ]);
});

test("the page shows which requests of the experiments on limits were served", async ({ page }) => {
  const run = await ranInProcess({ only: ["RATE-ADM-02"], hasSchedules: true, observe: ["OBS-RATE-ALGO"] });
  expect(experimentsIn(run).map(({ requests }) => requests.length)).toEqual([37, 180]);
  await page.goto(await pageOf(run));
  const picture = page.getByRole("img", { name: "Requests of the experiments on limits over time: served or refused" });
  await expect(picture).toBeVisible();
  const table = page.getByRole("table", { includeHidden: true }).filter({ hasText: "three bursts, and one request" });
  await expect(table.locator("tr").filter({ hasText: "5 of 12●●●●●○○○○○○○" })).toHaveCount(7);
});
