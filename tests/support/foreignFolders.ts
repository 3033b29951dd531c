// Folders as anybody may have made them: of runs, and of parts of loads.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { keepPart } from "../../cli/partFolders.ts";
import { version } from "../../cli/version.ts";
import { nothingSpent } from "../../harness/targets/budget.ts";
import { scriptDigest } from "../../load/k6/bundle.ts";
import { edition } from "../../specs/generated/edition.ts";
import { emptyFolder } from "./assay.ts";
import { honest, plan, splitUp } from "./madeParts.ts";

/** Values by the places where they are put, e.g. `start.id`. */
export interface Changes {
  readonly [place: string]: unknown;
}

function change(whole: object, changes: Changes): void {
  for (const [place, value] of Object.entries(changes)) {
    const steps = place.split(".");
    const last = steps.pop() ?? "";
    const owner = steps.reduce<unknown>((at, step) => (at as { readonly [name: string]: unknown })[step], whole);
    if (value === undefined) Reflect.deleteProperty(owner as object, last);
    else Object.defineProperty(owner, last, { value, enumerable: true, configurable: true, writable: true });
  }
}

const at = "2026-01-15T10:00:00.000Z";
const spent = { requests: 1, credits: 0, unpriced: 1 };
const url = "https://admin.acme.example/usage";

const records = () => ({
  start: {
    record: "start",
    ...{ version: "0.1.0", interface: edition, id: "2026-01-15T10-00-00Z-acme", format: 2, target: "acme" },
    ...{ isReference: false, bases: { admin: "https://admin.acme.example" }, command: "npx assay run" },
    call: { program: "npx assay", words: ["run"], flags: { target: "acme.yaml" } },
    ...{ startedAt: at, planned: ["USG-FLD-01"], unchecked: [], plan: { requests: 1, credits: 0, unpriced: 1 } },
  } as { [member: string]: unknown },
  exchange: {
    record: "exchange",
    exchange: {
      ...{ number: 1, title: "GET usage as owner", operation: "getProjectUsage", api: "admin", stimulus: "1d0a518d" },
      ...{ asker: "paid", outcome: "served", curl: `curl '${url}'`, sent: { method: "GET", url, headers: [] } },
      answer: { status: 200, headers: [["content-type", "application/json"]], body: "{}", cutAt_chars: null },
      ...{ fault: null, sentAt: at, latency_ms: 5 },
    },
  },
  verdict: {
    record: "verdict",
    verdict: {
      ...{ id: "USG-FLD-01", enforced: "fail", verdict: "broken", reasons: [], checks: [], reason: null },
      breaches: [
        { outcome: "broken", at: "/x", expected: "x", got: { is: "absent" }, exchange: 1, causedBy: [] } as object,
      ],
      exchanges: [1],
    },
    spent,
  },
  end: { record: "end", endedAt: at, spent, exitCode: 1 },
});

/** The folder of a run with one breach. @param more lines of its journal */
export function foreignRun(changes: Changes = {}, more: readonly unknown[] = [], folder = emptyFolder()): string {
  const lines = records();
  change(lines, changes);
  const { end, ...before } = lines;
  mkdirSync(folder, { recursive: true });
  const all = [...Object.values(before), ...more, end].map((line) => `${JSON.stringify(line)}\n`);
  writeFileSync(join(folder, "journal.jsonl"), all.join(""));
  return folder;
}

/** A folder with these files and links. @param files by their paths */
export function laidOut(files: { readonly [path: string]: string | { readonly leadsTo: string } }): string {
  const folder = emptyFolder();
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    if (typeof content === "string") writeFileSync(file, content);
    else symlinkSync(content.leadsTo, file);
  }
  return folder;
}

/** The variable that the copy of the target file in a part names. */
export const namedByPart = "SECRET_OF_THE_READER";

const copiedTarget = `name: small
bases: { admin: "http://127.0.0.1:9" }
offers: [usage]
projects: { main: { id: 7f9c24e5-1f0b-4c55-9a5c-6f4d1f3b8a10, plan: paid } }
keys: { paid: { project: main, env: ${namedByPart} } }
`;

/** The folder of a whole load's only part, with its copy of the target file. @returns the folder around it */
export function foreignPart(changes: Changes = {}): string {
  const around = emptyFolder();
  const path = join(around, "in/part");
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "target.yaml"), copiedTarget);
  const [part] = splitUp(honest, 1);
  if (!part) throw new Error("the load has no part");
  const identity = {
    id: "smoke",
    version,
    script: "x",
    target: scriptDigest(copiedTarget),
    plan: JSON.parse(JSON.stringify(plan)) as typeof plan,
  };
  const kept = { path, identity, generator: "k6 2.2.0", before: nothingSpent, part };
  change(kept, changes);
  keepPart(kept);
  return around;
}
