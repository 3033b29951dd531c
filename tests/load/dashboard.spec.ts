// Tests that k6's report is kept with its secrets removed
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { described } from "../../cli/project.ts";
import { orderedTo } from "../../load/k6/bundle.ts";
import { cleaned, withDashboard } from "../../load/k6/dashboard.ts";
import { loadSuite } from "../../load/suite.ts";
import { htmlOf } from "../../reports/run/page.tsx";
import { assayRun, root } from "../support/assay.ts";
import { faulty } from "../support/faultyPlatform.ts";
import { k6, redact } from "../support/k6.ts";
import { watched } from "../support/reports.ts";
import { smallEnvironment, smallTarget, targetFile, vendorKey } from "../support/vendor.ts";

// The page needs the browser's language, and a browser packed for servers has none.
test.use({ locale: "en-GB" });

const tag = '<script id="data" type="application/json; charset=utf-8; gzip; base64">';

const packed = (lines: readonly object[]): string =>
  gzipSync(lines.map((line) => JSON.stringify(line)).join("\n")).toString("base64");
const page = (lines: readonly object[], head = "<head>"): string =>
  `<!doctype html><html>${head}</head><body>${tag}${packed(lines)}</script></body></html>`;

const figuresIn = (html: string): string =>
  gunzipSync(Buffer.from(html.split(tag)[1]?.split("<")[0] ?? "", "base64")).toString();

const snapshot = { event: "snapshot", data: [[1, 2.5], [null]] };

test("figures are preserved; orders, paths and unknown events are dropped, and keys become roles", async () => {
  const source = await orderedTo(loadSuite.script, { key: vendorKey });
  const html = cleaned(
    page([
      { event: "config", data: { title: `by ${vendorKey}` } },
      {
        event: "param",
        data: { period: 1000, scenarios: ["traffic"], scriptPath: `file://${root}/script.js`, source },
      },
      { event: "metric", data: { [`http_reqs{key:${vendorKey}}`]: { type: "counter", help: source } } },
      { event: "source", data: source },
      snapshot,
    ]),
    redact,
  );
  expect(figuresIn(html ?? "").split("\n")).toEqual([
    '{"event":"config","data":{"title":"by <key:paid>"}}',
    '{"event":"param","data":{"period":1000,"scenarios":["traffic"]}}',
    '{"event":"metric","data":{"http_reqs{key:<key:paid>}":{"type":"counter"}}}',
    JSON.stringify(snapshot),
    "",
  ]);
});

test("a page that can't be cleaned is dropped", async () => {
  const source = await orderedTo(loadSuite.script, { key: "none" });
  const refused = {
    "a page without figures": "<!doctype html><html><head></head></html>",
    "figures that aren't compressed": `<head>${tag}${Buffer.from("{}").toString("base64")}</script>`,
    "figures that are no JSON": `<head>${tag}${gzipSync("hello").toString("base64")}</script>`,
    "a snapshot with words in it": page([{ event: "snapshot", data: [["hello"]] }]),
    "the script in a text": page([{ event: "config", data: { title: source } }]),
    "the script in the page": page([snapshot], `<head><!-- ${source} -->`),
    "a key in the page": page([snapshot], `<head><title>${vendorKey}</title>`),
  };
  for (const [name, html] of Object.entries(refused)) expect(cleaned(html, redact), name).toBeNull();
  expect(cleaned(page([snapshot]), redact)).not.toBeNull();
});

test("k6's file is read once and deleted, also where k6 failed", async () => {
  let file = "";
  const written = (settings: NodeJS.ProcessEnv): number => {
    file = settings["K6_WEB_DASHBOARD_EXPORT"] ?? "";
    writeFileSync(file, "page");
    return 7;
  };
  const made = await withDashboard((settings) => Promise.resolve(written(settings)));
  expect([made, existsSync(file)]).toEqual([{ result: 7, page: "page" }, false]);
  expect((await withDashboard(() => Promise.resolve(7))).page).toBeNull();
  const failing = withDashboard((settings) => Promise.reject(new Error(`k6 failed after ${written(settings)}`)));
  await expect(failing).rejects.toThrow("k6 failed");
  expect(existsSync(file)).toBe(false);
});

test("a load's report links to k6's, which holds no key, script or path and opens without errors or requests", {
  tag: "@slow",
}, async ({ page: tab }) => {
  k6();
  const { port, close } = await faulty({});
  const target = targetFile(smallTarget(`http://127.0.0.1:${port}`));
  const { folder, run } = await assayRun(["load", "smoke", "--duration", "5s", "--target", target], smallEnvironment);
  await close();
  expect(run.load?.dashboard).toBe("k6-smoke.html");
  const html = readFileSync(join(folder, "k6-smoke.html"), "utf8");
  const figures = figuresIn(html);
  expect(figures.match(/"event":"snapshot"/g)?.length).toBeGreaterThanOrEqual(3);
  const encoded = Buffer.from(vendorKey).toString("base64").slice(0, -4);
  for (const secret of [vendorKey, encoded, "const orders", "mulberry", "scriptPath", root, tmpdir(), `:${port}`])
    for (const text of [html, figures]) expect(text.includes(secret), secret).toBe(false);
  const { errors, requests } = watched(tab);
  await tab.goto(pathToFileURL(join(folder, "index.html")).href);
  await tab.getByRole("link", { name: "k6-smoke.html" }).click();
  await expect(tab.getByText("HTTP Performance overview").first()).toBeVisible();
  expect(errors).toEqual([]);
  expect(requests.map((url) => url.split("/").at(-1))).toEqual(["index.html", "k6-smoke.html"]);
  // Only a page beside the report is linked to, whatever the record names.
  for (const dashboard of ["javascript:alert(1)", "../k6-smoke.html", "https://elsewhere.example/k6-smoke.html"]) {
    const { load = run.load } = run;
    expect(load && (await htmlOf({ ...run, load: { ...load, dashboard } }, described))).not.toContain(
      "secrets removed",
    );
  }
});
