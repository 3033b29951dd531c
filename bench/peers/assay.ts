// Assay itself, as it judges a vendor: by a target file with keys, samples and consents, without control
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import bs58 from "bs58";
import type { Run } from "../../harness/record/run.ts";
import { lastWords, runToEnd } from "./children.ts";
import { referenceForm } from "./document.ts";
import { firstTimes, type Outcome, type Place } from "./outcome.ts";

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const payer = bs58.encode(new Uint8Array(32).fill(1));

/** On a busy machine requests come closer together than they were sent, and the usage limit is 5 in any second. */
const pace = { perSecond: 25, usagePerSecond: 4 };

/** The reference's own, at an address; a key that pays takes the place of what control gives. */
function targetText(base: string): string {
  const { platform: _, bundles, ...form } = referenceForm;
  const paying = { ...bundles, payer: { env: "PEERS_PAYER" } };
  return JSON.stringify({ ...form, bases: { admin: base, api: base, rpc: base }, pace, bundles: paying });
}

/** A run takes some 5 minutes, most of which it waits. */
const longest_s = 720;

export async function judgedByAssay({ served, folder, seed }: Place): Promise<Outcome> {
  const target = join(folder, "target.yaml");
  const out = join(folder, "run");
  writeFileSync(target, targetText(served.base));
  const command = [process.execPath, file("../../cli/assay.js"), "run", "--target", target, "--out", out];
  const ended = await runToEnd([...command, "--seed", String(seed)], {
    cwd: folder,
    within_s: longest_s,
    environment: { ...served.environment, PEERS_PAYER: payer },
  });
  const record = join(out, "run.json");
  if (ended.code === null) return { unable: `it took more than ${longest_s} s` };
  if (ended.code === 2 || !existsSync(record)) return { unable: `exit code ${ended.code}: ${lastWords(ended)}` };
  const run = JSON.parse(readFileSync(record, "utf8")) as Run;
  return {
    findings: firstTimes(findingsOf(run, ended)),
    requests: run.spent.requests,
    seconds: ended.seconds,
    processorSeconds: ended.processorSeconds,
  };
}

/** Whatever is broken, also what only warns, and failures that didn't occur again. */
function* findingsOf(
  { requirements, exchanges, intermittent = [] }: Run,
  { startedAt_ms, seconds }: { readonly startedAt_ms: number; readonly seconds: number },
): Generator<readonly [string, number]> {
  const answered = new Map(
    exchanges.map(({ number, sentAt, latency_ms }) => [
      number,
      (Date.parse(sentAt) + latency_ms - startedAt_ms) / 1000,
    ]),
  );
  const first = (numbers: readonly number[]): number =>
    Math.min(seconds, ...numbers.map((number) => answered.get(number) ?? seconds));
  for (const { id, verdict, enforced, breaches } of requirements)
    if (verdict === "broken") yield [`${id} broken (${enforced})`, first(breaches.map(({ exchange }) => exchange))];
  for (const { cause, exchanges: numbers } of intermittent) yield [`intermittent: ${cause}`, first(numbers)];
}
