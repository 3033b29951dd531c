// What `assay judge` reads: HAR files, JSON lines by a mapping, and journals of runs, entry by entry.

import { createReadStream, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { KnownProject } from "../harness/core/interface.ts";
import type { Role } from "../harness/core/requestSpec.ts";
import { formed } from "../harness/core/schema.ts";
import { beginningOf, readYamlFile } from "../harness/core/yamlFile.ts";
import { type ExchangeRecord, journalName, type RunStart, readJournal } from "../harness/record/journal.ts";
import type { GivenKeys } from "../harness/recordings/callers.ts";
import { entriesOfHar } from "../harness/recordings/har.ts";
import { entryOfLine, type Mapping } from "../harness/recordings/mapping.ts";
import type { RecordedEntry } from "../harness/recordings/recorded.ts";
import { parseableUrl } from "../harness/targets/bases.ts";
import type { Target } from "../harness/targets/target.ts";
import { unmatched } from "../harness/transport/matching.ts";
import { readSchema } from "./readSchema.ts";

/** One file or folder, read once. */
export interface RecordingSource {
  /** Of a run's journal. */
  readonly start?: RunStart;
  /** @param onCut called with what is wrong where it ends too early */
  readonly entries: (onCut: (what: string) => void) => AsyncIterable<RecordedEntry> | Iterable<RecordedEntry>;
}

const formFiles = {
  mapping: "harness/recordings/forms.schema.json",
  keys: "targets/recordedKeys.schema.json",
} as const;

/** @throws CommandLineError where it isn't of that form */
const readForm = (file: string, part: keyof typeof formFiles): unknown =>
  formed(readYamlFile(file), readSchema(formFiles[part]), formFiles[part], part);

export const readMapping = (file: string): Mapping => readForm(file, "mapping") as Mapping;

interface WrittenKeys {
  readonly [hash: string]: Role | ({ readonly role: Role } & KnownProject);
}

/** @throws CommandLineError where a role isn't in the target file and its project isn't described */
export function readKeys(file: string | undefined, { keys }: Target): GivenKeys {
  if (file === undefined) return new Map();
  const written = Object.entries(readForm(file, "keys") as WrittenKeys);
  return new Map(
    written.map(([hash, keyRole]) => {
      const { role, ...project } = typeof keyRole === "string" ? { role: keyRole } : keyRole;
      if (!("plan" in project) && !keys.has(role))
        throw new CommandLineError(
          `${file}: the role ${role} isn't in the target file. Say which plan it has: { role: ${role}, plan: paid }.`,
        );
      return [hash.toLowerCase(), { role, ...("plan" in project && { project }) }];
    }),
  );
}

/** @throws CommandLineError for a path that can't be judged */
export function sourceAt(path: string, mapping: Mapping | null): RecordingSource {
  if (!existsSync(path))
    throw new CommandLineError(`There is no ${path}. Name HAR files, JSON lines with --mapping, or folders of runs.`);
  const folder = path.endsWith(journalName) ? join(path, "..") : path;
  if (statSync(folder).isDirectory()) return journalIn(folder);
  if (mapping) return { entries: () => linesOf(path, mapping) };
  if (!/^\uFEFF?\s*\{\s*"log"\s*:/.test(beginningOf(path, 1_000).toString()))
    throw new CommandLineError(
      `${path} isn't a HAR, which begins with {"log":. Unpack it if it is compressed; for JSON lines of a gateway or ` +
        "k6, describe them with --mapping.",
    );
  return { entries: (onCut) => harAt(path, onCut) };
}

async function* harAt(path: string, onCut: (what: string) => void): AsyncGenerator<RecordedEntry> {
  const end = { isHar: false, isWhole: false };
  yield* entriesOfHar(createReadStream(path, { highWaterMark: 1024 * 1024 }), end);
  if (!end.isWhole) onCut(end.isHar ? `${path} ends within its entries` : `${path} has no entries`);
}

async function* linesOf(path: string, mapping: Mapping): AsyncGenerator<RecordedEntry> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const entry = line.trim() === "" ? null : entryOfLine(line, mapping);
    if (entry) yield entry;
  }
}

function journalIn(path: string): RecordingSource {
  const lines = readJournal(path);
  const start = lines.find((line) => line.record === "start");
  if (!start) throw new CommandLineError(`The folder ${path} isn't a run. Name a folder written by \`assay run\`.`);
  const breaking = new Set(
    lines.flatMap((line) => (line.record === "verdict" ? line.verdict.breaches.map(({ exchange }) => exchange) : [])),
  );
  const exchanges = lines.flatMap((line) =>
    line.record === "exchange" ? [recordedIn(line.exchange, breaking.has(line.exchange.number))] : [],
  );
  return { start, entries: () => exchanges };
}

/** Checks also send what the interface doesn't describe, and what looks as if it did. */
function recordedIn(exchangeRecord: ExchangeRecord, isConfirmed: boolean): RecordedEntry {
  const { operation, sent, answer, sentAt, ...rest } = exchangeRecord;
  if (operation === null) return { unread: unmatched.form };
  return {
    ...sent,
    url: parseableUrl(sent.url),
    body: sent.body ?? null,
    headers: sent.headers.map(([name, value]) => [name.toLowerCase(), value]),
    answer: answer
      ? {
          ...answer,
          body: answer.cutAt_chars === null ? answer.body : null,
          lacksHeaders: answer.headers.some(([name]) => name === "…"),
        }
      : { fault: rest.fault ?? "none was recorded" },
    sentAt_ms: Date.parse(sentAt),
    latency_ms: rest.latency_ms,
    isConfirmed,
  };
}
