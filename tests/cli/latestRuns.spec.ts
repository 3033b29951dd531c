// The latest runs that stand beside a panel: found by how they began, whatever their folders are called.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { assay, emptyFolder } from "../support/assay.ts";
import { instant, made } from "../support/madeRuns.ts";
import { type Embedded, servedReference, vendorNamed } from "../support/servedReference.ts";
import { targetFile } from "../support/vendor.ts";

interface Folder {
  readonly target: string;
  readonly second: number;
  /** Of how it began. */
  readonly start?: object;
  readonly hasEnded?: boolean;
}

/** Runs in folders that are named the wrong way round. */
function runsIn(kept: readonly Folder[]): string {
  const folder = emptyFolder();
  for (const [nth, { target, second, start, hasEnded = true }] of kept.entries()) {
    const at = join(folder, `night-${kept.length - nth}`);
    mkdirSync(at);
    const run = made(second, { name: target });
    const begun = { format: run.format, target, startedAt: instant(second), planned: ["USG-HTTP-01"] };
    const line = { record: "start", ...begun, plan: { requests: 3, credits: 0, unpriced: 3 }, ...start };
    writeFileSync(join(at, "journal.jsonl"), `${JSON.stringify(line)}\n`);
    if (hasEnded) writeFileSync(join(at, "run.json"), JSON.stringify(run));
  }
  return folder;
}

const platforms: Embedded[] = [];
test.beforeAll(async () => {
  platforms.push(await servedReference(), await servedReference());
});
test.afterAll(async () => {
  for (const { close } of platforms) await close();
});

/** The runs beside a panel of two vendors. */
async function besidePanel(names: readonly [string, string], runs: string): Promise<readonly string[] | null> {
  const environment: { [name: string]: string } = {};
  const files = names.map((name, nth) => {
    for (const [variable, key] of Object.entries(platforms[nth]?.environment ?? {}))
      environment[variable.replace("ASSAY_REFERENCE", name.toUpperCase())] = key;
    const text = vendorNamed(name, platforms[nth]?.base ?? "");
    return targetFile(text.replaceAll("ASSAY_REFERENCE", name.toUpperCase()));
  });
  const args = ["--runs", runs, "--rounds", "1", "--json", "--out", join(emptyFolder(), "panel")];
  const { stdout } = await assay(["panel", ...files, ...args], environment);
  const panel = JSON.parse(stdout) as { readonly conformance: { readonly runs: readonly { id: string }[] } | null };
  return panel.conformance && panel.conformance.runs.map(({ id }) => id);
}

const [ada, bea] = [
  { target: "ada", second: 10 },
  { target: "bea", second: 5 },
] as const;
const both = [`${instant(10).slice(0, 19)}-ada`, `${instant(5).slice(0, 19)}-bea`];

for (const [title, other] of [
  ["an older one", { second: 1 }],
  ["a load alone", { start: { planned: [] } }],
  ["a recording, for which nothing was sent", { start: { plan: { requests: 0, credits: 0, unpriced: 0 } } }],
  ["one that goes on, or was killed", { hasEnded: false }],
  ["one of an older format", { start: { format: 1 } }],
] as const)
  test(`${title} doesn't count`, async () => {
    const runs = runsIn([ada, { target: "ada", second: 20, ...other }, bea]);
    expect(await besidePanel(["ada", "bea"], runs)).toEqual(both);
  });

test("a single one, and a folder that isn't there, have nothing to compare", async () => {
  expect(await besidePanel(["ada", "cyd"], runsIn([ada, bea]))).toBeNull();
  expect(await besidePanel(["ada", "bea"], join(emptyFolder(), "none"))).toBeNull();
});
