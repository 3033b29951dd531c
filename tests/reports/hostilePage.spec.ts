// The HTML report of hostile answers: no script runs, nothing is sent, nothing hides.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, type Page, test } from "@playwright/test";
import { assayRun } from "../support/assay.ts";
import { hostileDocument, hostileTexts, poisoned } from "../support/hostilePage.ts";
import { brokenRun, overflow, pageOf, phone, unfold, watched } from "../support/reports.ts";
import { smallEnvironment, smallTarget, targetFile, vendor, vendorKey } from "../support/vendor.ts";

/** The elements of our own page. */
const ours =
  "html head meta title link style body a header p h1 h2 h3 h4 ul li span b i dl dt dd time code main nav section " +
  "search label input div button output details summary mark pre table caption thead tbody tr th td footer script " +
  "svg g path line text rect";

/** Nothing ran, nothing was requested, and the page has no elements but ours. */
async function isHarmless(page: Page, url: string): Promise<void> {
  const { errors, requests } = watched(page);
  await page.goto(url);
  await unfold(page);
  await page.getByLabel("Find").fill("usage");
  await page.getByLabel("Find").fill("");
  await page.evaluate(
    "for (const one of document.querySelectorAll('*')) one.dispatchEvent(new MouseEvent('mouseover'))",
  );
  expect(errors).toEqual([]);
  expect(requests).toEqual([url]);
  expect(await page.evaluate("typeof hacked")).toBe("undefined");
  const namesOf = (selector: string): Promise<string[]> =>
    page.evaluate(`[...document.querySelectorAll("${selector}")].map((one) => one.localName)`);
  const once = await namesOf("h1, script, style, base, title:not(svg title), meta[http-equiv=refresh]");
  expect(once.sort()).toEqual(["h1", "script", "style", "title"]);
  expect((await namesOf("*")).filter((name) => !ours.split(" ").includes(name))).toEqual([]);
  const attributes = await page.evaluate<string[]>(
    "[...document.querySelectorAll('*')].flatMap((one) => one.getAttributeNames().map((name) => name === 'href' ? " +
      "`href ${one.getAttribute(name).slice(0, 5)}` : name))",
  );
  expect(attributes.filter((name) => /^(on|style|src)|^href (?!#|data:)/.test(name))).toEqual([]);
  expect(await overflow(page)).toBe(0);
}

const invisible = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069\ufffe\uffff]/;

test("a vendor whose every string is markup, script or control characters breaks nothing", async ({ page }) => {
  const { base, close } = await vendor((request, response) => {
    const isOwner = request.headers["x-api-key"] === vendorKey;
    response.setHeader("x-note", hostileTexts.slice(0, 8).join(" "));
    response.writeHead(isOwner ? 200 : 401, "<b>OK</b>", { "content-type": "application/json; x=<script>" });
    response.end(JSON.stringify({ ...hostileDocument, ...(isOwner ? {} : { statusCode: 401 }) }));
  });
  const { code, stdout, folder } = await assayRun(["run", "--target", targetFile(smallTarget(base))], smallEnvironment);
  await close();
  expect(code).toBe(1);
  expect(stdout).not.toMatch(invisible);
  expect(readdirSync(folder)).toContain("index.html");
  expect(readFileSync(join(folder, "index.html"), "utf8")).not.toMatch(invisible);
  await isHarmless(page, pathToFileURL(join(folder, "index.html")).href);
  await expect(page.locator(".requirement.broken").first()).toBeVisible();
  await expect(page.locator(".exchange .answer pre").first()).toContainText("<script>hacked = 1</script>");
});

test("a run whose every text was tampered with breaks nothing either", { tag: "@slow" }, async ({ page }) => {
  const run = await brokenRun("CYC-PRES-01,AUTH-ADM-MISS-01");
  const written = ["id", "startedAt", "endedAt", "basis", "level"];
  const kept = [...written, "causedBy", "sentAt", "verdict", "enforced", "outcome", "is", "says", "state"];
  const tampered = poisoned(run, (name) => kept.includes(name));
  const kills = poisoned(
    {
      honest: ["CYC-PRES-01"],
      results: [{ id: "CYC-PRES-01.x", result: "killed", broken: ["CYC-PRES-01"] }],
      pending: [""],
    } as const,
    (name) => name === "result",
  );
  await page.setViewportSize(phone);
  await isHarmless(page, await pageOf(tampered, { kills }));
  await expect(page.locator(".requirement")).toHaveCount(run.requirements.length);
});
