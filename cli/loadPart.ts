// assay load --part: sends one part of a load, and leaves its folder for a merge.
import { join } from "node:path";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { Inconclusive } from "../harness/core/outcomes.ts";
import { describePartLack, partName } from "../harness/core/partLack.ts";
import { nothingSpent } from "../harness/targets/budget.ts";
import type { Target } from "../harness/targets/target.ts";
import { networkWire } from "../harness/transport/wire.ts";
import type { Segment } from "../load/k6/process.ts";
import { remoteWriteIn } from "../load/k6/remoteWrite.ts";
import { secondsOfPhases } from "../load/shapes/shapes.ts";
import { lackOf } from "../load/traffic/lacks.ts";
import { type Performance, sendParts } from "../load/traffic/load.ts";
import { emptyPart } from "../load/traffic/parts.ts";
import type { LoadPlan } from "../load/traffic/plan.ts";
import { counted } from "../reports/numbers.ts";
import { type LoadFlags, mostParts, refuseUnused } from "./flags.ts";
import { k6Line, k6OrCommandLineError } from "./generator.ts";
import type { Invocation } from "./invocation.ts";
import { type KeptPart, keepPart, partIdentity, type TargetTexts, takeFolder, targetTexts } from "./partFolders.ts";
import { loadProgressOn } from "./progress.ts";
import type { Signal } from "./signals.ts";
import { judgesOf } from "./suite.ts";
import { noteLoss } from "./underLoad.ts";
import { writeText } from "./writeText.ts";

type PartOrder = Segment & { readonly startAt_ms: number };

/** Which part, and when it begins; null for all of the load. */
export function partNamed(flags: LoadFlags): PartOrder | null {
  const { part, parts, start } = flags;
  if (part === undefined) {
    if (start === undefined) return null;
    throw new CommandLineError(
      "--start is when the parts of a load begin. Add --part, such as --part 2/3, or leave it out.",
    );
  }
  const segment = segmentNamed(part);
  if (parts !== undefined)
    throw new CommandLineError("--part sends one part on this machine, --parts all of them. Leave one of them out.");
  refuseUnused(flags, ["history", "vantage", "json"], "with --part, which judges nothing. Give it to the merge.");
  return { ...segment, startAt_ms: startNamed(start) };
}

/** @throws CommandLineError for anything but a part of at most 16 */
function segmentNamed(text: string): Segment {
  const [nth = 0, of = 0] = /^[1-9]\d?\/[1-9]\d?$/.test(text) ? text.split("/").map(Number) : [];
  if (nth >= 1 && nth <= of && of <= mostParts) return { nth, of };
  throw new CommandLineError(
    `--part is "${text}". Write which part of how many, from 1/1 to ${mostParts}/${mostParts}, as in --part 2/3.`,
  );
}

const startForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
const latest_h = 24;

/** Unix time in ms. @throws CommandLineError for anything but a time within the next day */
function startNamed(text = ""): number {
  const now_ms = Date.now();
  const start_ms = startForm.test(text) ? Date.parse(text) : Number.NaN;
  if (start_ms > now_ms && start_ms <= now_ms + latest_h * 3_600_000) return start_ms;
  const soon = `${new Date(now_ms + 180_000).toISOString().slice(0, 19)}Z`;
  const advice = `Name when all parts begin, with its time zone and within ${latest_h} hours, as in --start ${soon}.`;
  if (text === "") throw new CommandLineError(`--part needs the start that all parts have in common. ${advice}`);
  throw new CommandLineError(`--start is "${text}"${start_ms <= now_ms ? ", which has passed" : ""}. ${advice}`);
}

/** How often the folder of a part is renewed while it is sent. */
const betweenKept_ms = 5_000;

/** Sends one part of a load and leaves its folder, in which a part that was killed says so. */
async function partIn(
  path: string,
  texts: TargetTexts,
  performance: Performance,
  { startAt_ms, nth, of }: PartOrder,
): Promise<KeptPart> {
  for (const [name, text] of texts) writeText(join(path, name), text);
  const sent = `in ${counted(of, "part")} at ${new Date(startAt_ms).toISOString()}`;
  const identity = await partIdentity(performance.suite.script, performance.plan, sent, texts);
  const unsent = { path, identity, generator: `k6 ${performance.k6.version}`, before: nothingSpent };
  const failed = (failure: string): KeptPart => keepPart({ ...unsent, part: emptyPart({ nth, of }, failure) });
  failed("it was killed, or is still running");
  let keptAt_ms = Date.now();
  const keepSoFar: Performance["onProgress"] = (soFar) => {
    performance.onProgress?.(soFar);
    const [part] = soFar.parts();
    if (!part || Date.now() - keptAt_ms < betweenKept_ms) return;
    keptAt_ms = Date.now();
    keepPart({ ...unsent, part });
  };
  try {
    // The folder says which load it is of.
    const sending = { segments: [{ nth, of }], startAt_ms, kept: {} };
    const { parts, reporting } = await sendParts({ ...performance, onProgress: keepSoFar }, sending);
    const [part] = parts;
    if (!part) throw new Error("one segment is one part");
    return keepPart({ ...unsent, part, before: reporting.before, identity: { ...identity, plan: reporting.plan } });
  } catch (error) {
    if (error instanceof Inconclusive) return failed(error.message);
    throw error;
  }
}

/** A part has no verdict: its exit code says whether it was sent as planned. */
export async function loadPart(
  invocation: Invocation,
  target: Target,
  plan: LoadPlan,
  { out, target: file, ...order }: PartOrder & Pick<LoadFlags, "out" | "target">,
): Promise<void> {
  const { nth, of, startAt_ms } = order;
  const texts = targetTexts("--part", target, file);
  const k6 = await k6OrCommandLineError(invocation);
  invocation.print(k6Line(k6));
  const at = new Date(startAt_ms).toISOString().slice(0, 19).replaceAll(":", "-");
  const path = out ?? join("runs", `${at}Z-${target.name}-part-${nth}-of-${of}`);
  takeFolder(path);
  const remoteWrite = remoteWriteIn(invocation.env);
  const { wire, close } = networkWire({ environment: invocation.env });
  const seconds = (startAt_ms - Date.now()) / 1000 + secondsOfPhases(plan.phases);
  const { end, ...seen } = loadProgressOn(invocation, { isQuiet: false, seconds });
  const ender = new AbortController();
  const ignoreSignals = invocation.onEnding((signal?: Signal) => ender.abort(signal ?? "its closed output"));
  const { suite } = judgesOf(invocation.project);
  try {
    const sent = { k6, target, plan, suite, wire, impliedFails: false };
    const performance = { ...sent, remoteWrite, ending: ender.signal, ...seen };
    const { part } = await partIn(path, texts, performance, order);
    end();
    noteLoss(invocation, remoteWrite);
    const lack = lackOf(part, plan.phases, plan.shape.isBeyondPace);
    const begun = counted(part.begun.count, "request");
    invocation.print(
      lack === null
        ? `${partName(part)} is whole: ${begun}. \`${invocation.program} load merge\` judges it with others: ${path}`
        : `${describePartLack(lack)}: ${path}`,
    );
    invocation.exitCode = lack === null ? 0 : 3;
  } finally {
    ignoreSignals();
    await close();
  }
}
