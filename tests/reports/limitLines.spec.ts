// Limits in reports: stated and measured, as lines of charts, in words, and for those who don't see the lines
import { expect, test } from "@playwright/test";
import { described } from "../../cli/project.ts";
import type { LimitTraffic } from "../../harness/record/load.ts";
import { type KnownLimit, limitLinesOf, limitList, limitsOfLoad, limitsOfRun } from "../../reports/run/limitLines.ts";
import { madeLoad } from "../support/madeLoads.ts";
import { made, observed, type Summary } from "../support/madeRuns.ts";
import { pageOf } from "../support/reports.ts";

const { tables } = described;
const none = { served: 0, limited: 0, failed: 0, p50_ms: null, p95_ms: null, p99_ms: null };
const overTime = Array.from({ length: 8 }, (_, nth) => ({ from_s: nth, seconds: 1, due: 20, requests: 0, ...none }));

/** Twenty requests in each second. @param refused how many of them */
const traffic = (name: string, refused: readonly number[], failed = 0): LimitTraffic => ({
  name,
  requests: overTime.map(() => 20),
  limited: refused,
  failed: overTime.map((_, nth) => (nth === 3 ? failed : 0)),
});
const ofLoad = (limit: LimitTraffic) => limitsOfLoad(madeLoad({ overTime, byLimit: [limit] }), tables);
const ofRun = (name: string, ...passes: readonly Summary[]) =>
  limitsOfRun({ observations: [observed("OBS-RATE-ALGO", ...passes)] }, tables, [name]);
const measured = (limit: string): Summary => ({ "the limit": limit, "served at once after a rest": 5 });

const over = (seconds: number): string => `over ${seconds} s in which others were rate-limited`;

type Shown = readonly [
  title: string,
  limitsOf: () => readonly KnownLimit[],
  words: string | null,
  lines: readonly string[],
];
const shown: readonly Shown[] = [
  [
    "a load that meets the stated limit",
    () => ofLoad(traffic("admin", [0, 9, 15, 15, 16, 14, 15, 9])),
    `admin: limited to 5 requests a second, as stated (§8); measured 4.5 to 5.5 ${over(5)}.`,
    ["5 a second, stated and measured"],
  ],
  [
    "a load that meets a limit that isn't stated",
    () => ofLoad(traffic("rpc", [0, 9, 10, 10, 10, 10, 10, 9])),
    `rpc: limited to 10 requests a second; measured 10 ${over(5)}; the interface states no limit.`,
    ["10 a second, measured"],
  ],
  [
    "a load that meets another limit than the stated one",
    () => ofLoad(traffic("admin", [0, 9, 10, 10, 10, 10, 10, 9])),
    `admin: 5 requests a second are stated (§8); measured 10 ${over(5)}.`,
    ["5 a second, stated", "10 a second, measured"],
  ],
  [
    "a load that is refused at no steady rate",
    () => ofLoad(traffic("rpc", [0, 9, 2, 18, 10, 4, 15, 9])),
    `rpc: no steady limit measured: served 6 to 18 requests a second ${over(5)}; the interface states no limit.`,
    [],
  ],
  [
    "a load that is refused for a moment",
    () => ofLoad(traffic("rpc", [0, 0, 0, 10, 10, 10, 0, 0])),
    "rpc: not measured: rate-limited too briefly; the interface states no limit.",
    [],
  ],
  [
    "seconds in which requests fail",
    () => ofLoad(traffic("rpc", [0, 9, 10, 1, 10, 10, 10, 9], 19)),
    `rpc: limited to 10 requests a second; measured 10 ${over(4)}; the interface states no limit.`,
    ["10 a second, measured"],
  ],
  [
    "a load that isn't refused where a limit is stated",
    () => ofLoad(traffic("admin", [0, 0, 0, 0, 0, 0, 0, 0])),
    "admin: 5 requests a second are stated (§8); not measured: nothing was rate-limited.",
    ["5 a second, stated"],
  ],
  ["a load that isn't refused where none is stated", () => ofLoad(traffic("rpc", [0, 0, 0, 0, 0, 0, 0, 0])), null, []],
  [
    "a run that measures the stated limit",
    () => ofRun("admin", measured("5 in 1 s")),
    "admin: limited to 5 requests a second, as stated (§8); measured 5 in 1 s.",
    ["5 a second, stated and measured"],
  ],
  [
    "a run that measures as many in two seconds",
    () => ofRun("admin", measured("5 in 2 s")),
    "admin: 5 requests a second are stated (§8); measured 5 in 2 s.",
    ["5 a second, stated", "2.5 a second, measured"],
  ],
  [
    "a run whose two passes differ",
    () => ofRun("admin", measured("5 in 1 s"), measured("6 in 1 s")),
    "admin: 5 requests a second are stated (§8); measured 5 in 1 s or 6 in 1 s.",
    ["5 a second, stated and measured", "6 a second, measured"],
  ],
  [
    "a run that can't tell",
    () => ofRun("admin", measured("can't be told")),
    "admin: 5 requests a second are stated (§8); not measured.",
    ["5 a second, stated"],
  ],
  [
    "a run that measures another limit",
    () => ofRun("sendBundle", measured("5 in 1 s")),
    "sendBundle: 5 requests a second are stated (§8); not measured.",
    ["5 a second, stated"],
  ],
  ["a run, of what has no limit", () => ofRun("rpc", measured("5 in 1 s")), null, []],
];
for (const [title, limitsOf, words, lines] of shown) {
  test(`limits in words and as lines: ${title}`, () => {
    const limits = limitsOf();
    const [item] = limitList(limits).items;
    expect(item?.map((span) => (typeof span === "string" ? span : span.text)).join("") ?? null).toBe(words);
    expect(limits.flatMap(limitLinesOf).map(({ label }) => label)).toEqual(lines);
  });
}

test("the page of a load has a limit on its line, beneath the chart, and in its name", async ({ page }) => {
  const load = madeLoad({ overTime, byLimit: [traffic("rpc", [0, 9, 10, 10, 10, 10, 10, 9]), traffic("api", [])] });
  await page.goto(await pageOf(made(0, { load })));
  const chart = page.getByRole("img", { name: "latencies, over time; limits: rpc 10 a second, measured" });
  await expect(chart.locator("text", { hasText: "10 a second, measured" }).last()).toBeVisible();
  await expect(page.getByText("rpc: limited to 10 requests a second; measured 10 over")).toBeVisible();
});
