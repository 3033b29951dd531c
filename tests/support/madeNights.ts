// Nights made by hand, years of nights under noise, and what `assay history` says of them
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";
import { randomFrom } from "../../proof/limiter/simulatedPlatform.ts";
import type { Night } from "../../reports/history/night.ts";
import { assay, type Ended, emptyFolder } from "./assay.ts";
import { type Comparison, type JudgedRequirement, judged, made, type Run, runFiles } from "./madeRuns.ts";

export type { Night };

const day_ms = 24 * 3_600_000;
const first_ms = Date.parse("2025-11-26T03:17:00.000Z");

/** When the night of that number began. */
export const atNight = (nth: number): string => new Date(first_ms + nth * day_ms).toISOString();

/** What a night packs: values of a behaviour by case, or types of a kind of answers by place. */
export type Found = readonly [what: string, where: { readonly [place: string]: readonly unknown[] }];

export const pack = (found: readonly Found[]): string =>
  deflateSync(found.map((one) => JSON.stringify(one)).join("\n")).toString("base64");

export const unpacked = ({ packed }: Pick<Night, "packed">): readonly Found[] =>
  inflateSync(Buffer.from(packed, "base64"))
    .toString()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Found);

interface Judging {
  readonly name?: string;
  readonly requirements?: readonly JudgedRequirement[];
}

/** A night of a run that found nothing but verdicts. */
export function madeNight(
  nth: number,
  { name = "acme", requirements = [judged("USG-HTTP-01", "holds")] }: Judging = {},
  rest: Partial<Night> = {},
): Night {
  const { version, interface: of, exitCode, spent } = made(0);
  return {
    ...{ format: 1, id: `night ${nth}`, at: atNight(nth), target: name, vantage: null, kind: "run", assay: version },
    ...{ interface: of, seed: null, seconds: 60, exitCode, left: null },
    requirements: Object.fromEntries(requirements.map(({ id, verdict }) => [id, verdict])),
    ...{ spent, limits: {}, latencies: [], packed: pack([]) },
    ...rest,
  };
}

export const writeNights = (file: string, nights: readonly Night[]): void =>
  writeFileSync(file, nights.map((night) => `${JSON.stringify(night)}\n`).join(""));

/** Writes a history; gives its file. */
export function historyFile(nights: readonly Night[]): string {
  const file = join(emptyFolder(), "made.jsonl");
  writeNights(file, nights);
  return file;
}

/** What a command prints; it has nothing to complain of. */
async function printedBy(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await assay(args);
  if (code !== 0 || stderr !== "") throw new Error(`exit code ${code}: ${stderr}`);
  return stdout;
}

/** The lines that `assay history import` makes of runs. */
export async function importedNights(runs: readonly Run[], vantage?: string): Promise<readonly Night[]> {
  const history = join(emptyFolder(), "imported.jsonl");
  const flags = vantage === undefined ? [] : ["--vantage", vantage];
  await printedBy(["history", "import", ...runFiles(runs), "--history", history, ...flags]);
  const lines = readFileSync(history, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Night);
}

export async function importedNight(run: Run, vantage?: string): Promise<Night> {
  const [night] = await importedNights([run], vantage);
  if (!night) throw new Error("there is no night");
  return night;
}

interface NightChange {
  readonly what: string;
  readonly where: string;
  readonly night: number;
  readonly was: readonly unknown[];
  readonly is: readonly unknown[];
  readonly back: number | null;
}

/** What `assay history --json` prints of one target's nights. */
export interface HistoryDocument extends Pick<Night, "target" | "vantage" | "kind"> {
  readonly nights: readonly Omit<Night, "packed">[];
  readonly left: readonly { readonly id: string; readonly at: string; readonly reason: string }[];
  readonly strips: readonly {
    readonly id: string;
    readonly sentence: string;
    readonly kinds: readonly string[];
    readonly trend: { readonly is: string };
  }[];
  readonly changes: { readonly behaviours: readonly NightChange[]; readonly shapes: readonly NightChange[] };
  readonly changePoints: readonly object[];
}

/** The histories of these nights as `assay history` has them, in each form. */
export async function historyOf(nights: readonly Night[], ...flags: readonly string[]) {
  const file = historyFile(nights);
  const ctrf = `${file}.ctrf.json`;
  const json = await printedBy(["history", file, "--json", "--ctrf", ctrf, ...flags]);
  return {
    json,
    histories: (JSON.parse(json) as { readonly histories: readonly HistoryDocument[] }).histories,
    ctrf: JSON.parse(readFileSync(ctrf, "utf8")) as unknown,
    page: readFileSync(file.replace(/jsonl$/, "html"), "utf8"),
  };
}

export const historyMarkdown = (nights: readonly Night[], ...flags: readonly string[]): Promise<string> =>
  printedBy(["history", historyFile(nights), "--markdown", ...flags]);

/** The last night compared with earlier ones of the same history. @param against last, baseline or median:14 */
export function sayAgainst(nights: readonly Night[], against: string): Promise<Ended> {
  const { id, at, target: name } = nights.at(-1) ?? madeNight(0);
  const [run = ""] = runFiles([made(0, { name, id, startedAt: at })]);
  return assay(["compare", run, "--against", against, "--history", historyFile(nights), "--json"]);
}

export async function comparedAgainst(nights: readonly Night[], against: string): Promise<Comparison> {
  const { code, stdout, stderr } = await sayAgainst(nights, against);
  const comparison = stderr === "" ? (JSON.parse(stdout) as Comparison) : null;
  if (comparison?.exitCode !== code) throw new Error(`exit code ${code}: ${stderr}`);
  return comparison;
}

export const metricsOf = (nights: readonly Night[]): Promise<string> => printedBy(["metrics", historyFile(nights)]);

export type Drift = "in a month" | "in two months" | "in a year" | "at random";

/** Factors by which latencies drift within ±10 %, night by night. */
function driftOf(drift: Drift, random: () => number): (nth: number) => number {
  const phase = random() * 2 * Math.PI;
  const nights = { "in a month": 30, "in two months": 60, "in a year": 365, "at random": 0 }[drift];
  let walk = 0;
  const walked = Array.from({ length: 400 }, () => {
    walk = Math.max(-0.1, Math.min(0.1, walk + (random() - 0.5) * 0.06));
    return 1 + walk;
  });
  return (nth) => (nights === 0 ? (walked[nth] ?? 1) : 1 + 0.1 * Math.sin((nth / nights) * 2 * Math.PI + phase));
}

interface Noise {
  readonly seed: number;
  readonly drift: Drift;
  /** One night in ten: of all operations, or of each by itself. */
  readonly busy: "together" | "alone";
}

/** Factors of one series: drift, a busy night in ten (+30 to +130 %), and ±3 % of its own. */
export function factorsOf({ seed, drift, busy }: Noise): (series: number) => (nth: number) => number {
  const random = randomFrom(seed);
  const drifting = driftOf(drift, random);
  const busyOf = (): readonly number[] => Array.from({ length: 400 }, () => (random() < 0.1 ? 1.3 + random() : 1));
  const together = busyOf();
  return () => {
    const own = busy === "together" ? together : busyOf();
    const noise = Array.from({ length: 400 }, () => 0.97 + 0.06 * random());
    return (nth) => drifting(nth) * (own[nth] ?? 1) * (noise[nth] ?? 1);
  };
}

/** p50 and p95 of 15 operations over nights. */
export function latencyYear(noise: Noise, nights = 365) {
  const factors = factorsOf(noise);
  return Array.from({ length: 15 }, (_, nth) => nth).flatMap((nth) =>
    (["p50", "p95"] as const).map((percentile) => {
      const [base, factor] = [(20 + nth * 10) * (percentile === "p95" ? 3 : 1), factors(nth)];
      const figures = Array.from({ length: nights }, (_, night) => base * factor(night));
      return { operation: `operation ${nth}`, percentile, figures };
    }),
  );
}

/** Honest nights like one of a real run: its latencies under noise, everything else as it was. */
export function yearOf(night: Night, noise: Noise, nights = 365): readonly Night[] {
  const factors = factorsOf(noise);
  const lines = night.latencies.map((line, nth) => ({ line, factor: factors(nth) }));
  const scaled = ({ line, factor }: (typeof lines)[number], nth: number): Night["latencies"][number] => {
    const by = (50 + 10 * lines.findIndex((one) => one.line === line)) * factor(nth);
    return { ...line, count: 100, p50_ms: by, p95_ms: 2 * by, p99_ms: 3 * by };
  };
  return Array.from({ length: nights }, (_, nth) => ({
    ...night,
    id: `night ${nth}`,
    at: atNight(nth),
    latencies: lines.map((one) => scaled(one, nth)),
  }));
}
