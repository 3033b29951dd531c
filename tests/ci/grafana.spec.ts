// Tests of the Grafana dashboard: its form, and by a real Prometheus that each of its queries gives figures
import { createServer } from "node:http";
import { expect, test } from "@playwright/test";
import { assayRun, read } from "../support/assay.ts";
import { faulty } from "../support/faultyPlatform.ts";
import { keyForms } from "../support/k6.ts";
import { importedNights, metricsOf, type Night } from "../support/madeNights.ts";
import { exchanged, judged, made, observed } from "../support/madeRuns.ts";
import { openMetricsIn, type ReadSample } from "../support/openMetrics.ts";
import { prometheus } from "../support/prometheus.ts";
import { remoteWrites } from "../support/remoteWrite.ts";
import { portOf, smallEnvironment, smallTarget, targetFile, vendorProject } from "../support/vendor.ts";

interface Target {
  readonly expr: string;
  readonly legendFormat?: string;
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly datasource: { readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly Target[];
}

interface Variable {
  readonly name: string;
  readonly type: string;
  readonly query: string | { readonly query: string };
}

const dashboard = JSON.parse(read("ci/grafana/assay.json")) as {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly Variable[] };
};
const { panels } = dashboard;
const variables = dashboard.templating.list;

test("no two panels overlap, and read from the data source that is chosen", () => {
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, nth) => `${x + (nth % w)} ${y + Math.floor(nth / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect([...new Set(panels.map(({ datasource }) => datasource.uid))]).toEqual([`\${datasource}`]);
  const known = new Set([...variables.map(({ name }) => name), "__rate_interval"]);
  for (const { expr } of panels.flatMap(({ targets }) => targets))
    for (const [, name = ""] of expr.matchAll(/\$(\w+)/g)) expect(known, expr).toContain(name);
});

const day_s = 86_400;

/** Runs of one target on ten days: one requirement flaky, another broken on the last. */
const runs = [..."x.x.x.x.x."].map((sign, day, all) =>
  made(day * day_s, {
    exitCode: 1,
    requirements: [
      judged("USG-HTTP-01", sign === "x" ? "broken" : "holds"),
      judged("CYC-PRES-01", day === all.length - 1 ? "broken" : "holds"),
    ],
    observations: [observed("OBS-RATE-ALGO", { "the limit": "5 in 1 s" })],
    exchanges: [...Array(200).keys()].map((nth) => exchanged({ latency_ms: 20 + nth })),
    spent: { requests: 400, credits: 1_200, unpriced: 0 },
  }),
);

/** Serves a text in both formats. */
async function served(text: string) {
  const types: { readonly [path: string]: string } = {
    "/openmetrics": "application/openmetrics-text; version=1.0.0; charset=utf-8",
    "/text": "text/plain; version=0.0.4; charset=utf-8",
  };
  const server = createServer(({ url = "" }, response) => {
    response.writeHead(200, { "content-type": types[url] ?? "text/plain" }).end(text);
  });
  const port = await portOf(server);
  const scrape = Object.keys(types).map(
    (path) => `
  - job_name: ${path.slice(1)}
    metrics_path: ${path}
    scrape_interval: 1s
    static_configs: [{ targets: ["127.0.0.1:${port}"] }]`,
  );
  return { config: `scrape_configs:${scrape.join("")}\n`, close: () => server.close() };
}

/** A load whose metrics go to a Prometheus, by a server that keeps them. */
async function loadedOnto(base: string) {
  const { port, close } = await faulty({});
  const remote = await remoteWrites(() => 204, `${base}/api/v1/write`);
  const target = targetFile(smallTarget(`http://127.0.0.1:${port}`));
  const load = await assayRun(["load", "smoke", "--duration", "8s", "--target", target], {
    ...smallEnvironment,
    K6_PROMETHEUS_RW_SERVER_URL: remote.address,
    K6_PROMETHEUS_RW_PUSH_INTERVAL: "1s",
  });
  await Promise.all([close(), remote.close()]);
  return { ...load, arrived: remote.arrived.join("\n"), port };
}

/** A sample on one line; an empty label is none, and how a bound is written is left to Prometheus. */
function shown({ name, labels, value }: ReadSample): string {
  const given = Object.entries(labels).filter(([, text]) => text !== "");
  const alike = given.map(([label, text]) => [label, label === "le" ? Number(text.replace("+Inf", "Infinity")) : text]);
  return `${name} ${JSON.stringify(alike.sort(([a], [b]) => String(a).localeCompare(String(b))))} ${value}`;
}

/** An expression as Grafana sends it, all values chosen. */
const substituted = (expr: string): string =>
  expr.replaceAll("$__rate_interval", "1m").replace(/\$(target|vantage|operation)/g, ".*");

test.describe("with a real Prometheus", { tag: "@slow" }, () => {
  test.setTimeout(280_000);
  let nights: readonly Night[];
  let text = "";
  let server: Awaited<ReturnType<typeof prometheus>>;
  let load: Awaited<ReturnType<typeof loadedOnto>>;
  let close = async (): Promise<void> => {};

  test.beforeAll(async () => {
    nights = await importedNights(runs, "home");
    text = await metricsOf(nights);
    const page = await served(text);
    server = await prometheus(page.config);
    close = async () => {
      await server.stop();
      page.close();
    };
    load = await loadedOnto(server.base);
  });
  test.afterAll(() => close());

  test("promtool finds nothing to say of the text", () => {
    expect(server.checkMetrics(text)).toBe("");
    expect(server.checkMetrics(text.replace("# TYPE assay_limit gauge", "# TYPE assay_limit what"))).not.toBe("");
  });

  test("both formats are scraped whole, with the same figures", async () => {
    const samples = openMetricsIn(text).flatMap(({ samples: some }) => some);
    for (const job of ["openmetrics", "text"]) {
      await expect.poll(() => server.query(`up{job="${job}"}`)).toMatchObject([{ value: 1 }]);
      const scraped = await server.query(`{job="${job}",__name__=~"assay_.+"}`);
      const found = scraped.map(({ metric: { __name__: name = "", job: _, instance: __, ...labels }, value }) =>
        shown({ name, labels, value }),
      );
      expect(
        found.sort((a, b) => a.localeCompare(b)),
        job,
      ).toEqual(samples.map(shown).sort((a, b) => a.localeCompare(b)));
    }
  });

  test("quantiles of the buckets, without rate, are those of the night", async () => {
    const [line] = nights.at(-1)?.latencies ?? [];
    for (const [quantile, truth_ms] of [
      [0.5, line?.p50_ms],
      [0.95, line?.p95_ms],
      [0.99, line?.p99_ms],
    ] as const) {
      const [one] = await server.query(`histogram_quantile(${quantile}, assay_latency_seconds_bucket{job="text"})`);
      // A quantile lies on a line between two bounds, which differ by some quarter.
      expect(Math.abs(((one?.value ?? 0) * 1_000) / (truth_ms ?? 0) - 1), `${quantile}`).toBeLessThan(0.28);
    }
  });

  test("k6's counts are those of the report, and its latencies are native histograms", async () => {
    expect([load.code, load.stderr]).toEqual([0, ""]);
    const requests = load.run.load?.phases[0]?.requests;
    expect(requests).toBeGreaterThan(20);
    for (const count of ["k6_http_reqs_total", "histogram_count(k6_http_req_duration_seconds)"])
      expect(await server.query(`sum by (target, name) (${count})`)).toEqual([
        { metric: { target: "small", name: "getProjectUsage" }, value: requests },
      ]);
  });

  test("what arrived holds no key, project and address", async () => {
    const labels = JSON.stringify(await server.data("series", { "match[]": '{__name__=~"k6_.+"}' }));
    expect(labels).toContain("getProjectUsage");
    for (const secret of [...keyForms, vendorProject, `:${load.port}`, "api-key", "/v0/admin"])
      for (const all of [labels, load.arrived]) expect(all.includes(secret), secret).toBe(false);
  });

  test("each variable has values, and each query gives figures", async () => {
    for (const { name, query } of variables.filter(({ type }) => type === "query")) {
      const [, metric = "", label = ""] =
        /^label_values\((.+), (\w+)\)$/.exec(typeof query === "string" ? query : query.query) ?? [];
      const values = await server.data(`label/${label}/values`, { "match[]": substituted(metric) });
      expect(values, name).not.toEqual([]);
    }
    for (const { title, targets } of panels)
      for (const { expr, legendFormat = "" } of targets) {
        const found = await server.query(substituted(expr));
        expect(found.length, `${title}: ${expr}`).toBeGreaterThan(0);
        for (const { metric, value } of found) {
          expect(Number.isFinite(value), `${title}: ${expr}`).toBe(true);
          for (const [, label = ""] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
            if (!["vantage", "load"].includes(label)) expect(metric[label], `${title}: ${label}`).toBeTruthy();
        }
      }
    const [newly] = panels.filter(({ title }) => title === "Newly broken");
    // Both jobs have scraped it.
    expect(await server.query(substituted(newly?.targets[0]?.expr ?? ""))).toMatchObject([{ value: 2 }]);
  });
});
