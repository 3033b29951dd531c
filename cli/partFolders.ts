// The folder of a part of a load, and the log of a k6 that ran elsewhere: written and read.
import { createReadStream, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { jsonOrNull } from "../harness/core/json.ts";
import { textOfMember } from "../harness/core/memberFile.ts";
import { makeFolder } from "../harness/core/paths.ts";
import { validatorOf } from "../harness/core/schema.ts";
import { nothingSpent, type Spent } from "../harness/targets/budget.ts";
import { deviationsFileOf } from "../harness/targets/deviations.ts";
import type { Target } from "../harness/targets/target.ts";
import { digestOfScript, scriptDigest } from "../load/k6/bundle.ts";
import type { TrafficLog } from "../load/k6/orders.ts";
import { K6Output, type Segment } from "../load/k6/process.ts";
import type { LoadSuite } from "../load/traffic/mix.ts";
import { endOf, type LoadPart, PartReader } from "../load/traffic/parts.ts";
import type { LoadPlan } from "../load/traffic/plan.ts";
import { readSchema } from "./readSchema.ts";
import { version } from "./version.ts";
import { noRoomIn, writeText } from "./writeText.ts";

/** A part as it is kept, whole or not. */
export interface KeptPart {
  /** The file or folder that it was read from. */
  readonly path: string;
  readonly identity: LoadIdentity;
  /** E.g. `k6 2.2.0`. */
  readonly generator: string;
  /** On its preflight. */
  readonly before: Spent;
  readonly part: LoadPart;
}

export const partFile = "part.json";
export const targetFile = "target.yaml";

const copyAgain = "Copy the folder again from the machine that sent it.";

/** The texts of a target file and of the file of its known deviations, by the names of their copies. */
export type TargetTexts = ReadonlyMap<string, string>;

/** @throws CommandLineError where the target is the embedded platform, which only this machine reaches */
export function targetTexts(flag: "--k8s" | "--part", target: Target, file: string | undefined): TargetTexts {
  if (target.isReference || file === undefined)
    throw new CommandLineError(
      `${flag} is for loads from other machines, which don't reach the embedded reference platform. ` +
        "Name the target file of another with --target.",
    );
  const beside = deviationsFileOf(file);
  return new Map([
    [targetFile, readFileSync(file, "utf8")],
    ...(existsSync(beside) ? [[deviationsFileOf(targetFile), readFileSync(beside, "utf8")] as const] : []),
  ]);
}

/** What all parts of one load have in common. @param sent how, e.g. `in 3 parts at 2026-11-26T10:00:00.000Z` */
export async function partIdentity(script: LoadSuite["script"], plan: LoadPlan, sent: string, texts: TargetTexts) {
  return {
    /** Parts of another id are of another load. */
    id: `${plan.shape.name} ${sent}`,
    version,
    /** SHA-256. */
    script: await digestOfScript(script),
    /** SHA-256 of its file. */
    target: scriptDigest(texts.get(targetFile) ?? ""),
    plan,
  };
}

export type LoadIdentity = Awaited<ReturnType<typeof partIdentity>>;

/** Reserves a folder for a part, before it is sent. @throws CommandLineError where it is in use */
export function takeFolder(path: string): void {
  try {
    makeFolder(path, 0o700);
    writeFileSync(join(path, partFile), "", { flag: "wx" });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "EEXIST" ? "already contains a part" : `can't be made or written to (${code})`;
    throw noRoomIn(error) ?? new CommandLineError(`The folder ${path} ${why}. Name another with --out.`);
  }
}

/** Its digest comes first, so that half a part, or a changed one, is never read as one. */
export function keepPart(part: KeptPart): KeptPart {
  const { path, ...kept } = part;
  const text = JSON.stringify(kept);
  writeText(join(path, partFile), `${scriptDigest(text)}\n${text}\n`);
  return part;
}

/**
 * The part in a folder, or in the log of a k6 that ran elsewhere.
 * @throws CommandLineError where there is none, or it was cut or changed
 */
export async function partAt(path: string): Promise<KeptPart> {
  const there = statSync(path, { throwIfNoEntry: false });
  if (!there) throw new CommandLineError(`There is no ${path}. Name folders written by \`assay load --part\`.`);
  if (!there.isDirectory()) return partInLog(path);
  const file = join(path, partFile);
  const kept = textOfMember(path, partFile);
  if (kept === null)
    throw new CommandLineError(`The folder ${path} isn't a part of a load: ${partFile} is missing. ${copyAgain}`);
  const [digest = "", text = ""] = kept.split("\n");
  if (scriptDigest(text) !== digest)
    throw new CommandLineError(`${file} was cut off or changed: its digest differs. ${copyAgain}`);
  const sent: unknown = jsonOrNull(text);
  if (!isPart(sent)) throw notOurs(path);
  // Its page is somebody's code, which stays where it is.
  return { generator: "k6", before: nothingSpent, ...sent, path, part: { ...sent.part, page: null } };
}

const notOurs = (path: string): CommandLineError =>
  new CommandLineError(`${path} isn't a part of a load as Assay writes one. ${copyAgain}`);

/** What of a part names files, or is counted by; everything else is text and figures that reports show as such. */
const isPart = validatorOf<Pick<KeptPart, "identity" | "part">>(readSchema("reports/part.schema.json"));
const isIdentity = validatorOf<LoadIdentity>(readSchema("reports/part.schema.json"), "/$defs/identity");

/** @throws CommandLineError where it isn't the log of one of our loads */
async function partInLog(path: string): Promise<KeptPart> {
  let begun: { readonly identity: LoadIdentity; readonly reader: PartReader } | undefined;
  const output = new K6Output({
    redact: (text) => text,
    onRecord: (record) => {
      const logged = record as TrafficLog;
      if ("kept" in logged && logged.kept) {
        if (!isIdentity(logged.kept)) throw notOurs(path);
        begun ??= beginningOf(logged.segment, logged.kept);
      }
      begun?.reader.add(logged);
    },
  });
  for await (const chunk of createReadStream(path)) output.add(chunk as Buffer);
  if (!begun)
    throw new CommandLineError(
      `${path} isn't the log of a part: its beginning is missing. Name folders written by \`assay load --part\`, or ` +
        "logs of runners set up by `assay load --k8s`.",
    );
  const how = { startAt_ms: null, stopped: null, page: null, ...(await endOf(() => output.summaryAfter(0))) };
  const { identity, reader } = begun;
  return { path, identity, generator: "k6", before: nothingSpent, part: reader.part(how) };
}

function beginningOf(segment: string | null, identity: LoadIdentity) {
  const { mix, phases } = identity.plan;
  const operations = mix.shares.map(({ operation }) => operation);
  return { identity, reader: new PartReader(segmentIn(segment ?? "0:1"), operations, phases) };
}

/** `1/3:2/3` is the second of three, and `1/4:1/2` of four. */
function segmentIn(text: string): Segment {
  const [start = 0, end = 1] = text.split(":").map((bound) => {
    const [numerator = 0, denominator = 1] = bound.split("/").map(Number);
    return numerator / denominator;
  });
  const of = Math.round(1 / (end - start));
  return { nth: Math.round(start * of) + 1, of };
}
