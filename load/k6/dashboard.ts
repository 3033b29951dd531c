// k6's report, secrets removed: its page and figures, taken apart and put together again
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Redactor } from "../../harness/core/secret.ts";
import type { Environment } from "../../harness/transport/route.ts";
import { sourceBegins } from "./bundle.ts";

/** The figures in the page: lines of JSON, compressed, in base64. */
const holder = /(<script id="data" type="application\/json; charset=utf-8; gzip; base64">)([^<]*)(<\/script>)/;

/** Allows the page's own two scripts, which then can fetch nothing. */
const policy = [
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:",
  "base-uri 'none'; form-action 'none'",
].join("; ");

/** More than a load of a day needs (k6 takes at most 2,880 snapshots). */
const longestFigures_bytes = 64_000_000;

const folders = new Set<string>();
const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });
// A signal ends the process within the work.
process.once("exit", () => folders.forEach(remove));

/** Runs `work` with settings by which k6 writes its report into a temporary folder. No port is opened. */
export async function withDashboard<Result>(work: (settings: Environment) => Promise<Result>) {
  const folder = mkdtempSync(join(tmpdir(), "assay-k6-"));
  const file = join(folder, "report.html");
  folders.add(folder);
  try {
    const result = await work({
      K6_WEB_DASHBOARD: "true",
      K6_WEB_DASHBOARD_EXPORT: file,
      K6_WEB_DASHBOARD_PORT: "-1",
      K6_WEB_DASHBOARD_PERIOD: "1s",
    });
    // k6 writes none after less than two snapshots.
    return { result, page: existsSync(file) ? readFileSync(file, "utf8") : null };
  } finally {
    remove(folder);
    folders.delete(folder);
  }
}

/** k6's page with its figures but without its orders; null where these can't be separated. */
export function cleaned(page: string, redact: Redactor): string | null {
  const [whole, before = "", figures = "", after = ""] = holder.exec(page) ?? [];
  if (whole === undefined) return null;
  const [head = "", tail = ""] = page.split(whole);
  const lines = figuresOf(figures)?.map((line) => redact(line)) ?? null;
  if (lines === null || [head, tail, ...lines].some((text) => text.includes(sourceBegins))) return null;
  // The page of k6 itself contains no key: one that does isn't k6's.
  if (redact(head) !== head || redact(tail) !== tail || !head.includes("<head>")) return null;
  const packed = gzipSync(`${lines.join("\n")}\n`).toString("base64");
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}" />`;
  return `${head.replace("<head>", `<head>\n    ${meta}`)}${before}${packed}${after}${tail}`;
}

interface Event {
  readonly event: string;
  readonly data: unknown;
}

function figuresOf(packed: string): readonly string[] | null {
  try {
    const zipped = Buffer.from(packed.trim(), "base64");
    const events = gunzipSync(zipped, { maxOutputLength: longestFigures_bytes })
      .toString("utf8")
      .split("\n")
      .flatMap((line) => (line === "" || line === "null" ? [] : [JSON.parse(line) as Event]));
    return events.flatMap(({ event, data }) => {
      const known = pickFrom[event]?.(data);
      return known === undefined ? [] : [JSON.stringify({ event, data: known })];
    });
  } catch {
    return null;
  }
}

/** What is taken from each event; other events are dropped. @throws Error for data of another shape */
const pickFrom: { readonly [event: string]: (data: unknown) => unknown } = {
  config: (data) => data,
  param: (data) => picked(data, ["aggregates", "endOffset", "period", "scenarios"]),
  metric: (data) =>
    Object.fromEntries(
      Object.entries(data as object).map(([name, kind]) => [name, picked(kind, ["type", "contains", "custom"])]),
    ),
  start: numbersIn,
  snapshot: numbersIn,
  cumulative: numbersIn,
  stop: numbersIn,
};

const picked = (data: unknown, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(data as object).filter(([name]) => names.includes(name)));

function numbersIn(data: unknown): unknown {
  const isFigure = (value: unknown): boolean =>
    value === null || typeof value === "number" || (Array.isArray(value) && value.every(isFigure));
  if (!isFigure(data)) throw new Error("not a figure");
  return data;
}
