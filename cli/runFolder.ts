// The folder of a run: opened before the first request, with the journal of all that happens.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { RequirementId } from "../harness/core/interface.ts";
import { sha256Of } from "../harness/core/memberFile.ts";
import { makeFolder } from "../harness/core/paths.ts";
import { redactedIn } from "../harness/core/secret.ts";
import type { Remedy } from "../harness/engine/remedies.ts";
import type { EngineEvent } from "../harness/model/event.ts";
import { exitCodeOf, type Verdict } from "../harness/model/verdict.ts";
import { type CommandCall, type FileDigest, Journal, journalName, type RunStart } from "../harness/record/journal.ts";
import { ownRequirementsIn } from "../harness/record/ownRequirements.ts";
import { runFormat } from "../harness/record/run.ts";
import { removeHalf, writeWhole } from "../harness/record/wholeFile.ts";
import type { Spent } from "../harness/targets/budget.ts";
import { deviationsFileOf } from "../harness/targets/deviations.ts";
import type { Target } from "../harness/targets/target.ts";
import type { Invocation } from "./invocation.ts";
import { holdsRun } from "./readRuns.ts";
import { commandLine } from "./replayLine.ts";
import { version } from "./version.ts";
import { noRoomIn, triedWrite } from "./writeText.ts";

export interface RunFolder {
  readonly path: string;
  readonly journal: Journal;
  /** Records an event; where it can't be written, that ends the process. */
  note(event: EngineEvent): void;
  /** @param codeUnderLoad the exit code of a load beside it */
  end(verdicts: readonly Verdict[], spent: Spent, codeUnderLoad?: number): void;
}

export interface RunFolderOptions {
  readonly call: CommandCall;
  readonly targetFile?: string | undefined;
  readonly out?: string | undefined;
  /** What must be judged for the run to be complete; by default all that is planned. */
  readonly planned?: readonly RequirementId[];
  /** By default as the target has it. */
  readonly isStrict?: boolean;
  /** Whether failures that didn't occur again fail the run. */
  readonly intermittentFails?: boolean;
  /** When what is judged was sent, in Unix time; left out where that is now. */
  readonly at?: { readonly began_ms: number; readonly ended_ms: number };
}

/** What is planned for a run, by an engine or a load. */
export interface PlannedRun {
  readonly ids: readonly RequirementId[];
  readonly uncheckedIds: readonly RequirementId[];
  readonly plan: Spent;
  readonly unlocks?: readonly Remedy[];
  readonly samplesToAdd?: NonNullable<RunStart["samplesToAdd"]>;
}

/** @throws CommandLineError where the folder can't be made, or has a run already; Unfinished where there is no room */
export function openRun(target: Target, engine: PlannedRun, options: RunFolderOptions): RunFolder {
  const { call, targetFile, planned = engine.ids, at, out } = options;
  const { isStrict = target.strict, intermittentFails = false } = options;
  const startedAt = new Date(at?.began_ms ?? Date.now()).toISOString();
  const { requests, credits, unpriced } = engine.plan;
  target.others?.publish({ requests, credits });
  const own = ownRequirementsIn(target.interface);
  const start = redactedIn<RunStart>(
    {
      record: "start",
      version,
      interface: target.interface.edition,
      id: `${startedAt.slice(0, 19).replaceAll(":", "-")}Z-${target.name}`,
      format: runFormat,
      target: target.name,
      ...(targetFile === undefined ? {} : { targetFile, ...(target.lines && { targetLines: target.lines }) }),
      // Without a file the keys of the embedded reference are made for the run.
      ...(targetFile === undefined
        ? {}
        : { keyVariables: keyVariablesOf(target), targetDigests: digestsOf(targetFile) }),
      isReference: target.isReference,
      bases: basesOf(target),
      command: commandLine(call),
      call,
      startedAt,
      planned,
      unchecked: engine.uncheckedIds,
      ...(own.length > 0 && { ownRequirements: own }),
      plan: { requests, credits, unpriced },
      unlocks: engine.unlocks ?? [],
      ...(engine.samplesToAdd && { samplesToAdd: engine.samplesToAdd }),
    },
    target.redact,
  );
  const path = out ?? freePath(join("runs", start.id));
  if (holdsRun(path))
    throw new CommandLineError(`The folder ${path} already contains a run. Name another with --out, or remove it.`);
  const journal = new Journal(path, target.interface);
  begin(path, journal, start);
  return {
    path,
    journal,
    note: (event) => {
      try {
        journal.note(event);
      } catch (error) {
        // Thrown outside of the check that caused it, which would take it for its own failure.
        process.nextTick(() => {
          throw error;
        });
      }
    },
    end: (verdicts, spent, codeUnderLoad = 0) => {
      const codes = [exitCodeOf(verdicts, !journal.has("cutShort"), isStrict), codeUnderLoad];
      const fails = intermittentFails && journal.has("intermittent");
      const exitCode = fails || codes.includes(1) ? 1 : Math.max(...codes);
      journal.write({ record: "end", endedAt: new Date(at?.ended_ms ?? Date.now()).toISOString(), spent, exitCode });
    },
  };
}

const keyVariablesOf = ({ variables }: Target): { readonly [role: string]: string } =>
  Object.fromEntries(
    variables.flatMap(({ name, at: [list, role = ""] }) =>
      list === "keys" ? [[role, name]] : list === "bases" ? [[name, name]] : [],
    ),
  );

/** What decides how a run judges. */
const digestsOf = (targetFile: string): readonly FileDigest[] =>
  [targetFile, deviationsFileOf(targetFile)]
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
    .map((name) => ({ name, sha256: sha256Of(readFileSync(name)) }));

const basesOf = ({ bases }: Target): { readonly [api: string]: string } =>
  Object.fromEntries(
    Object.entries<string | undefined>(bases).flatMap(([api, base]) => (base === undefined ? [] : [[api, base]])),
  );

/** Two runs that begin in the same second get a folder each. */
function freePath(path: string): string {
  for (let again = 2, free = path; ; again += 1) {
    if (!existsSync(free)) return free;
    free = `${path}-${again}`;
  }
}

function begin(path: string, journal: Journal, start: RunStart): void {
  try {
    // Bodies are the vendor's data, and perhaps of those who use it.
    makeFolder(path, 0o700);
    journal.write(start);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A folder with half of a first line would be neither a run nor free for one.
    if (code !== "EEXIST") removeHalf(join(path, journalName));
    // No room can be made on a file system that is read-only.
    throw (
      (code === "EROFS" ? null : noRoomIn(error, undefined, `The folder ${path}`)) ??
      new CommandLineError(`The folder ${path} can't be made or written to (${code}). Name another with --out.`)
    );
  }
}

/** Writes a file beside the journal; gives whether that succeeded. */
export function attached(
  invocation: Invocation,
  { path }: Pick<RunFolder, "path">,
  name: string,
  text: string,
): boolean {
  const file = join(path, name);
  return triedWrite(
    invocation,
    () => writeWhole(file, text),
    ({ code }) => `The file ${file} can't be written (${code}); the run continues without it.`,
  );
}
