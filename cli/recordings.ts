// What `assay judge` reads: HAR files, JSON by a mapping, and journals of runs, entry by entry.

import { createReadStream, existsSync, readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { CommandLineError, suggestion } from "../harness/core/commandLineError.ts";
import type { KnownProject } from "../harness/core/interface.ts";
import { type Json, listOf, valueAt } from "../harness/core/json.ts";
import type { Role } from "../harness/core/requestSpec.ts";
import { formed, validatorOf } from "../harness/core/schema.ts";
import { beginningOf, readYamlFile } from "../harness/core/yamlFile.ts";
import { type ExchangeRecord, journalName, type RunStart, readJournal } from "../harness/record/journal.ts";
import type { GivenKeys } from "../harness/recordings/callers.ts";
import type { ElementsEnd } from "../harness/recordings/elements.ts";
import { type AttachedBody, entriesOfHar } from "../harness/recordings/har.ts";
import { entriesOfLog, peeked } from "../harness/recordings/lines.ts";
import type { Mapping } from "../harness/recordings/mapping.ts";
import type { RecordedEntry } from "../harness/recordings/recorded.ts";
import { parseableUrl } from "../harness/targets/bases.ts";
import type { Target } from "../harness/targets/target.ts";
import { unmatched } from "../harness/transport/unmatched.ts";
import { readSchema } from "./readSchema.ts";
import { bodiesBeside } from "./recordingBodies.ts";
import { CutFile, utf8Beginning, utf8Of } from "./recordingBytes.ts";
import { recordingKind, zipKind } from "./recordingKinds.ts";
import { besideIn, type OpenZip, openZip } from "./recordingZip.ts";

type OnCut = (what: string) => void;

/** One file or folder, read once. */
export interface RecordingSource {
  /** Of a run's journal. */
  readonly start?: RunStart;
  /** @param onCut called with what is wrong where it ends too early */
  readonly entries: (onCut: OnCut) => AsyncIterable<RecordedEntry> | Iterable<RecordedEntry>;
}

const formFiles = {
  mapping: "harness/recordings/forms.schema.json",
  keys: "targets/recordedKeys.schema.json",
} as const;

/** @throws CommandLineError where it isn't of that form */
const readForm = (file: string, part: keyof typeof formFiles): unknown =>
  formed(readYamlFile(file), readSchema(formFiles[part]), formFiles[part], part);

/** Mappings of recorders, by their names. */
const formsFolder = fileURLToPath(new URL("../harness/recordings/forms", import.meta.url));
const formNames = (): readonly string[] =>
  readdirSync(formsFolder)
    .map((file) => file.replace(/\.yaml$/, ""))
    .sort();
const formNamed = (name: string): Mapping => readForm(join(formsFolder, `${name}.yaml`), "mapping") as Mapping;

/** How recordings are read that don't say it themselves. */
export type Reading = Mapping | "har" | null;

/** @throws CommandLineError where it names neither a form nor a file that holds a mapping */
export function readMapping(named: string | undefined): Reading {
  if (named === undefined || named === "har") return named ?? null;
  const names = formNames();
  if (names.includes(named)) return formNamed(named);
  if (!/[./\\]/.test(named) && !existsSync(named))
    throw new CommandLineError(
      `There is no form ${named}${suggestion(named, [...names, "har"])}. The forms are ${names.join(", ")} and har; ` +
        "for other logs, write a mapping as harness/recordings/README.md shows, and name its file.",
    );
  return readForm(named, "mapping") as Mapping;
}

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

/** What a recording is called where it was read. @param path `-` stands for the standard input */
export const sourceName = (path: string): string => (path === "-" ? "the standard input" : path);

/** @throws CommandLineError for a path that can't be judged */
export async function sourceAt(
  path: string,
  reading: Reading,
  standard: () => AsyncIterable<Buffer>,
): Promise<RecordingSource> {
  if (path === "-") return pipedSource(sourceName(path), reading, standard);
  if (!existsSync(path))
    throw new CommandLineError(`There is no ${path}. Name HAR files, JSON lines with --mapping, or folders of runs.`);
  const folder = path.endsWith(journalName) ? join(path, "..") : path;
  const found: Stats = statSync(folder);
  if (found.isDirectory()) return journalIn(folder);
  const chunks = (): AsyncIterable<Buffer> => createReadStream(path, { highWaterMark: 1024 * 1024 });
  // What can be read only once isn't looked at before.
  if (!found.isFile()) return pipedSource(path, reading, chunks);
  const bytes = beginningOf(path, 64 * 1024);
  if (/^PK(\x03\x04|\x05\x06)/.test(bytes.toString("latin1", 0, 4))) return zipAt(path, reading);
  const beginning = utf8Beginning(bytes);
  const isNamed = reading !== null && reading !== "har";
  const kind = recordingKind(path, beginning);
  if (kind) throw new CommandLineError(kind);
  if (isHar(beginning, isNamed)) return { entries: (onCut) => harIn(path, chunks(), onCut, bodiesBeside(path)) };
  if (isNamed) return { entries: (onCut) => logIn(path, chunks(), reading, onCut) };
  throw new CommandLineError(await unnamedOf(path, beginning));
}

/** With a mapping, lines may have a member of that name, too. */
const isHar = (beginning: Buffer, isStrict: boolean): boolean =>
  (isStrict
    ? /^\s*\{\s*"log"\s*:\s*\{\s*"(version|creator|browser|pages|entries|comment)"/
    : /^\s*\{\s*"log"\s*:/
  ).test(beginning.toString("utf8", 0, 1_000));

/** What can be done with a file that isn't a HAR, where no mapping is named. */
async function unnamedOf(path: string, beginning: Buffer): Promise<string> {
  for (const name of formNames())
    for await (const entry of entriesOfLog(Readable.from([beginning]), formNamed(name)))
      if (!("unread" in entry)) return `${path} looks like a log of the form ${name}. Read it with --mapping ${name}.`;
  return (
    `${path} isn't a HAR, which begins with {"log":. For JSON lines of a gateway or k6, name their form or a file ` +
    `that describes them with --mapping (forms: ${formNames().join(", ")}).`
  );
}

function pipedSource(name: string, reading: Reading, chunks: () => AsyncIterable<Buffer>): RecordingSource {
  if (reading === null)
    throw new CommandLineError(
      `Name what ${name} holds, which can be read only once: --mapping har, a form (${formNames().join(", ")}), or a ` +
        "file that describes JSON lines.",
    );
  return {
    entries: (onCut) => (reading === "har" ? harIn(name, chunks(), onCut) : logIn(name, chunks(), reading, onCut)),
  };
}

/** @throws CommandLineError where it holds no recording */
async function zipAt(path: string, reading: Reading): Promise<RecordingSource> {
  const zip = await openZip(path);
  const names = [...zip.members.keys()].filter((name) => !name.startsWith("__MACOSX/"));
  const hars = names.filter((name) => name.endsWith(".har"));
  const logs = names.length === 1 ? names : names.filter((name) => /\.(jsonl?|ndjson|log|chlsj)$/.test(name));
  if (hars.length > 0) return { entries: (onCut) => harsOf(path, zip, hars, onCut) };
  if (reading === null || reading === "har" || logs.length === 0) {
    zip.close();
    throw new CommandLineError(zipKind(path, names));
  }
  return { entries: (onCut) => logsOf(path, zip, logs, reading, onCut) };
}

async function* harsOf(path: string, zip: OpenZip, names: readonly string[], onCut: OnCut) {
  for (const name of names)
    yield* harIn(`${path} (${name})`, zip.stream(name), onCut, (file) => zip.body(besideIn(name, file)));
  zip.close();
}

async function* logsOf(path: string, zip: OpenZip, names: readonly string[], mapping: Mapping, onCut: OnCut) {
  for (const name of names) yield* logIn(`${path} (${name})`, zip.stream(name), mapping, onCut);
  zip.close();
}

const harIn = (name: string, chunks: AsyncIterable<Buffer>, onCut: OnCut, attached?: AttachedBody) =>
  readIn(name, chunks, (bytes, end) => entriesOfHar(bytes, end, attached), onCut);

const logIn = (name: string, chunks: AsyncIterable<Buffer>, mapping: Mapping, onCut: OnCut) =>
  readIn(name, chunks, (bytes, end) => entriesOfLog(bytes, mapping, end), onCut);

/** What could be read of a file, which may be damaged later, or be no recording. */
async function* readIn(
  name: string,
  chunks: AsyncIterable<Buffer>,
  entriesOf: (bytes: AsyncIterable<Buffer>, end: ElementsEnd) => AsyncIterable<RecordedEntry>,
  onCut: OnCut,
): AsyncGenerator<RecordedEntry> {
  const end = { hasList: false, isWhole: false };
  try {
    const { beginning, all } = await peeked(utf8Of(chunks));
    const kind = recordingKind(name, beginning);
    if (kind === null) yield* entriesOf(all, end);
    if (kind !== null) onCut(kind.replace(/\.$/, ""));
    else if (!end.isWhole) onCut(end.hasList ? `${name} ends within its entries` : `${name} has no entries`);
  } catch (error) {
    if (!(error instanceof CutFile)) throw error;
    onCut(`${name} ${error.message}`);
  }
}

function journalIn(path: string): RecordingSource {
  const lines = readJournal(path);
  const start = lines.find((line) => line.record === "start");
  if (!start) throw new CommandLineError(`The folder ${path} isn't a run. Name a folder written by \`assay run\`.`);
  const breaches = lines.flatMap((line) =>
    line.record === "verdict" ? listOf(valueAt(line as unknown as Json, "/verdict/breaches")) : [],
  );
  const breaking = new Set(breaches.map((breach) => valueAt(breach, "/exchange")));
  const exchanges = lines.flatMap((line) => (line.record === "exchange" ? [line.exchange] : []));
  if (!exchanges.every((exchange) => isExchange(exchange)))
    throw new CommandLineError(`The journal in ${path} has an exchange that Assay didn't write. Copy it again.`);
  return { start, entries: () => exchanges.map((exchange) => recordedIn(exchange, breaking.has(exchange.number))) };
}

const isExchange = validatorOf<ExchangeRecord>(readSchema("reports/run.schema.json"), "/$defs/exchange");

/** Of a journal. Checks also send what the interface doesn't describe, and what looks as if it did. */
export function recordedIn(exchangeRecord: ExchangeRecord, isConfirmed: boolean): RecordedEntry {
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
