// The report for a vendor: what is broken, how to repeat it, and nothing of ours.
import type { IncomingHttpHeaders } from "node:http";
import { expect, test } from "@playwright/test";
import axe from "axe-core";
import { start } from "../support/assay.ts";
import { hostileTexts, poisoned } from "../support/hostilePage.ts";
import { breach, exchanged, instant, judged, made } from "../support/madeRuns.ts";
import { forVendor, overflow, phone, reader, watched } from "../support/reports.ts";
import { vendor } from "../support/vendor.ts";

const sentTo = (base: string) => ({
  method: "GET",
  url: `${base}/usage?api-key=<key:made-2>&v=1`,
  headers: [["X-Api-Key", "<key:ipBlocked>"]] as const,
});
const ids = [
  ["X-Request-Id", "req-7"],
  ["cf-ray", "8f2-ZRH"],
  ["date", "Sun, 01 Mar 2026 12:00:02 GMT"],
  ["content-type", "application/json"],
] as const;

const run = made(0, {
  requirements: [
    judged("CYC-PRES-01", "broken", {
      breaches: [3, 2, 4, 5].map((exchange) => ({
        ...breach,
        exchange,
        counterexample: { property: "P", seed: 7, path: "0:1", isMinimal: true, values: {} } as never,
      })),
    }),
    judged("CYC-BILL-01", "broken", { enforced: "warn" }),
    judged("USG-FLD-02", "broken", { breaches: [], reason: "the deviation no longer occurs" }),
    judged("USG-FLD-01", "withheld", { reason: "not tested" }),
  ],
  exchanges: [2, 3, 4, 5].map((number) =>
    exchanged({
      number,
      sent: sentTo(`https://acme.example/${number}`),
      sentAt: instant(number),
      headers: ids,
      body: { plan: "free" },
    }),
  ),
});

let views: Awaited<ReturnType<typeof forVendor>>;
test.beforeAll(async () => {
  views = await forVendor(run);
});

test("it shows sentence, clause, request, answer, the vendor's own ids, and when it was first seen", () => {
  for (const view of [views.page, views.markdown]) {
    const text = view
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'")
      .replaceAll(/<[^>]*>/g, "");
    for (const shown of [
      "1 requirement of the interface is broken",
      "creditCycle is present on every plan, free plans included",
      "Clause §2.1",
      "must be there",
      "HTTP 200",
      '"plan"',
      "req-7",
      "8f2-ZRH",
      "Sun, 01 Mar 2026 12:00:02 GMT",
      "first seen 2026-03-01 12:00:02 UTC",
      "The same came in 1 further answer.",
      "Set KEY_IP_BLOCKED, KEY_MADE to keys first.",
      "https://admin.acme.example",
    ])
      expect(text).toContain(shown);
  }
});

test("it shows nothing of ours, and no other requirement", () => {
  const ours =
    /npx|--only|replay|counterexample|seed|CYC-BILL-01|USG-FLD-02|USG-FLD-01|withheld|mutant|2026-03-01T12:00:00-acme/i;
  for (const view of [views.page, views.markdown]) expect(view.replace(/<head>[\s\S]*<\/head>/, "")).not.toMatch(ours);
});

test("its shell lines send the reader's keys, a burst as often as it was sent", async () => {
  const requests: { readonly url: string; readonly headers: IncomingHttpHeaders }[] = [];
  const { base, close } = await vendor(({ url = "", headers }, response) => {
    requests.push({ url, headers });
    response.end("{}");
  });
  const sent = sentTo(base);
  const burst = made(0, {
    requirements: [judged("CYC-PRES-01", "broken", { breaches: [{ ...breach, exchange: 1 }] })],
    exchanges: [0, 0.3, 0.6, 5].map((at, index) => exchanged({ number: index + 1, sent, sentAt: instant(at) })),
  });
  const { markdown } = await forVendor(burst);
  const [, shown = ""] = /^```sh\n(.*)\n```$/m.exec(markdown) ?? [];
  expect(markdown).toContain("Request, sent 3 times within a second");
  const keys = { KEY_IP_BLOCKED: "a key's $HOME", KEY_MADE: "another" };
  const { code, stderr } = await start("sh", ["-c", shown], keys).ended;
  await close();
  expect(code, stderr).toBe(0);
  expect(requests).toHaveLength(3);
  for (const { url, headers } of requests) {
    expect(url).toBe("/usage?api-key=another&v=1");
    expect(headers["x-api-key"]).toBe("a key's $HOME");
  }
});

test("a run without a breach gives no praise", async () => {
  const { page, markdown } = await forVendor(made(0));
  for (const view of [page, markdown]) {
    expect(view).toContain("No requirement was found broken");
    expect(view).toContain("it says nothing about the others");
  }
});

/** Markdown without code, whose fences are longer than any run of backticks in it. */
const bare = (text: string): string =>
  text.replace(/^(`{3,})\w+\n[\s\S]*?\n\1$/gm, "□").replace(/(`+)(?!`).*?[^`]\1(?!`)/g, "□");

test("hostile texts stay text, in Markdown and in a browser", async ({ page }) => {
  const kept = ["id", "verdict", "enforced", "outcome", "is", "sentAt", "startedAt", "endedAt"];
  const tampered = poisoned(run, (name) => kept.includes(name));
  for (const text of hostileTexts) {
    const answer = exchanged({ number: 2, body: `${text}\n\`\`\`\n<b>`, headers: [["x-request-id", text]] });
    const own = { ...run, exchanges: [answer] };
    for (const line of bare((await forVendor(own)).markdown).split("\n"))
      expect(line).not.toMatch(/<b>|<script|<img|javascript:|\u001b/);
  }
  const { url } = await forVendor(tampered);
  const { errors, requests } = watched(page);
  for (const viewport of [phone, reader]) {
    await page.setViewportSize(viewport);
    await page.goto(url);
    expect(await overflow(page)).toBe(0);
  }
  expect(errors).toEqual([]);
  expect(new Set(requests)).toEqual(new Set([url]));
  expect(await page.evaluate("typeof hacked")).toBe("undefined");
  expect(await page.evaluate("document.querySelectorAll('script, img, base').length")).toBe(0);
});

test("axe-core finds nothing serious, light and dark", async ({ page }) => {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(views.url);
    await page.evaluate(axe.source);
    const found = await page.evaluate<readonly { readonly id: string; readonly impact: string }[]>(
      "axe.run(document).then(({ violations }) => violations)",
    );
    expect(found.filter(({ impact }) => impact === "serious" || impact === "critical")).toEqual([]);
  }
});
