// `npm run bench:peers`: Assay beside other tools on the same platforms; a whole measurement writes docs/peers.md
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { version } from "../../cli/version.ts";
import { CommandLineError } from "../../harness/core/commandLineError.ts";
import { endChildrenWithThis } from "./children.ts";
import { type ToolName, toolNames } from "./counting.ts";
import { packagesInstalled, schemathesisInstalled, type Tool } from "./installing.ts";
import { measured } from "./measuring.ts";
import { type PeerMeasurement, peersPage } from "./page.ts";
import { chosenPlatforms } from "./platforms.ts";

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const page = file("../../docs/peers.md");
const results = file("../../test-results/peers/results.json");
const trial = file("../../test-results/peers/trial.json");

const usual = { seed: "1", mutants: "60", lawful: "20", "at-once": "12" };

/** @throws Error of Node's for a flag that there isn't */
function flagsIn(words: readonly string[]) {
  const { values } = parseArgs({
    args: [...words],
    options: {
      seed: { type: "string", default: usual.seed },
      mutants: { type: "string", default: usual.mutants },
      lawful: { type: "string", default: usual.lawful },
      "at-once": { type: "string", default: usual["at-once"] },
      only: { type: "string", multiple: true, default: [...toolNames] },
      page: { type: "boolean", default: false },
    },
  });
  for (const name of ["seed", "mutants", "lawful", "at-once"] as const)
    if (!/^\d{1,6}$/.test(values[name])) throw new CommandLineError(`--${name} is "${values[name]}". Name a number.`);
  const unknown = values.only.find((name) => !toolNames.some((tool) => tool === name));
  if (unknown !== undefined)
    throw new CommandLineError(`There is no tool ${unknown}. Name some of ${toolNames.join(", ")}, or none for all.`);
  const isWhole =
    values.mutants === usual.mutants && values.lawful === usual.lawful && values.only.length === toolNames.length;
  return { ...values, only: values.only as ToolName[], isWhole };
}

/** Only what is asked for is installed. */
async function toolsFor(only: readonly ToolName[]): Promise<{ readonly [tool in ToolName]?: Tool }> {
  const packages = only.some((tool) => tool === "drift" || tool === "prism") ? await packagesInstalled() : null;
  return {
    ...(only.includes("assay") && { assay: { program: "", version } }),
    ...(only.includes("schemathesis") && { schemathesis: await schemathesisInstalled() }),
    ...(only.includes("drift") && packages && { drift: packages.redocly }),
    ...(only.includes("prism") && packages && { prism: packages.prism }),
  };
}

const earlier = (): PeerMeasurement | null =>
  existsSync(results) ? (JSON.parse(readFileSync(results, "utf8")) as PeerMeasurement) : null;

/** Tools that weren't measured now stay as they were, where that was on the same platforms. */
function mergedWith(before: PeerMeasurement | null, now: PeerMeasurement): PeerMeasurement {
  const judged = ({ results: all }: PeerMeasurement): string | undefined =>
    Object.values(all)[0]
      ?.map(({ platform }) => platform.name)
      .sort()
      .join();
  if (before === null || judged(before) !== judged(now)) return now;
  return {
    ...now,
    minutes: now.minutes + (now.isWhole ? 0 : before.minutes),
    isWhole: now.isWhole || before.isWhole,
    versions: { ...before.versions, ...now.versions },
    results: { ...before.results, ...now.results },
    coverage: now.coverage ?? before.coverage,
  };
}

async function measure(flags: ReturnType<typeof flagsIn>): Promise<PeerMeasurement> {
  const { seed, mutants, lawful, "at-once": atOnce, only, isWhole } = flags;
  const tools = await toolsFor(only);
  const platforms = chosenPlatforms({ seed: Number(seed), mutants: Number(mutants), lawful: Number(lawful) });
  const folder = mkdtempSync(join(tmpdir(), "assay-peers-"));
  const startedAt_ms = Date.now();
  const minute = (): number => (Date.now() - startedAt_ms) / 60_000;
  const onResult = (line: string): void => console.log(`${minute().toFixed(1)} min  ${line}`);
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return {
    isWhole,
    day: new Date().toISOString().slice(0, "YYYY-MM-DD".length),
    seed: Number(seed),
    atOnce: Number(atOnce),
    versions: Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, tool.version])),
    ...(await measured({ tools, platforms, atOnce: Number(atOnce), seed: Number(seed), folder, onResult })),
    minutes: minute(),
  };
}

endChildrenWithThis();
try {
  const flags = flagsIn(process.argv.slice(2));
  const now = flags.page ? null : await measure(flags);
  const before = earlier();
  const measurement = now ? mergedWith(before, now) : before;
  if (!measurement) throw new CommandLineError("Nothing has been measured here yet. Leave --page out.");
  mkdirSync(join(results, ".."), { recursive: true });
  const kept = measurement.isWhole ? results : trial;
  writeFileSync(kept, JSON.stringify(measurement, null, 1));
  if (measurement.isWhole) writeFileSync(page, peersPage(measurement));
  console.log(measurement.isWhole ? `${page} is written.` : peersPage(measurement));
  console.log(`All findings: ${kept}`);
} catch (error) {
  const isUsers =
    error instanceof CommandLineError || (error as NodeJS.ErrnoException).code?.startsWith("ERR_PARSE_ARGS");
  if (!isUsers) throw error;
  console.error((error as Error).message);
  process.exitCode = 2;
}
