// Judging recorded traffic: its target, and the run that is written.
import { existsSync } from "node:fs";
import type { Command } from "commander";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { withoutKeys } from "../harness/core/secret.ts";
import { exitCodeOf, type Verdict } from "../harness/model/verdict.ts";
import type { RunStart } from "../harness/record/journal.ts";
import { RecordedCallers } from "../harness/recordings/callers.ts";
import { RecordingJudge } from "../harness/recordings/judge.ts";
import { parseableBase } from "../harness/targets/bases.ts";
import { nothingSpent } from "../harness/targets/budget.ts";
import type { TargetForm } from "../harness/targets/form.ts";
import type { Target } from "../harness/targets/target.ts";
import { readTarget } from "../harness/targets/targetFile.ts";
import type { Exchange } from "../harness/transport/exchange.ts";
import {
  envOption,
  impliedFailsBy,
  type JudgingFlags,
  type ReportFlags,
  variablesNamed,
  writesReports,
  writesRun,
} from "./flags.ts";
import type { Invocation } from "./invocation.ts";
import { readKeys } from "./recordings.ts";
import { openRun, type RunFolderOptions } from "./runFolder.ts";
import { judgesOf } from "./suite.ts";
import { placeholder, referenceFile, vendorIn } from "./target.ts";

export interface JudgedFlags extends JudgingFlags, ReportFlags {
  readonly base?: string;
  readonly keys?: string;
}

/** Flags of commands that judge what others sent. */
export const judgesOthers = (command: Command): Command =>
  writesReports(
    writesRun(command.option("--keys <file>", "whose keys were used, by the SHA-256 of each").option(...envOption)),
  ).option("--implied <fail|warn>", "breaches of implied requirements", "warn");

/**
 * The target of recorded requests and who sent them; nothing is sent, so that no key need be set.
 * @param start of the run whose journal is judged
 * @throws CommandLineError where nothing names the platform
 */
export function callersOf(invocation: Invocation, flags: JudgedFlags, start?: RunStart): RecordedCallers {
  const target = targetOf(invocation, flags, start);
  return new RecordedCallers(target, readKeys(flags.keys, target), placeholder);
}

function targetOf(
  invocation: Invocation,
  { target: named, base, env }: JudgedFlags,
  start: RunStart | undefined,
): Target {
  const { form } = invocation.project;
  const bases = base === undefined ? start?.bases : basesAt(form, base);
  const file = named ?? (start?.isReference ? referenceFile : start?.targetFile);
  if (file !== undefined && (named !== undefined || existsSync(file))) {
    const read = vendorIn(invocation, file, { placeholder, allowedVariables: variablesNamed(env) });
    if (read.isReference && !bases)
      throw new CommandLineError(
        `${file} is the embedded platform, whose address differs in each run. Pass that address with --base.`,
      );
    if (!bases) return read;
    const { baseKeys, redact } = targetAt(invocation, bases, read.name);
    return { ...read, bases, baseKeys, redact: (text) => redact(read.redact(text)) };
  }
  if (!bases) throw new CommandLineError("Pass --target with the platform's target file, or --base with its address.");
  return targetAt(invocation, bases, start?.target ?? nameOf(Object.values(bases)[0] ?? ""));
}

/** A target's name begins with a letter or digit, which an IPv6 address doesn't. */
function nameOf(base: string): string {
  const { host } = new URL(parseableBase(base));
  return (
    host
      .replaceAll(/[^\w.-]+/g, "-")
      .replace(/^[\W_]+/, "")
      .slice(0, 60) || "platform"
  );
}

/** A target of which the bases are known, and what hides their keys. */
export function targetAt(
  { project: { form }, env, hide }: Pick<Invocation, "project" | "env" | "hide">,
  bases: Target["bases"],
  name: string,
): Target {
  const project = { projects: { any: { plan: "paid" } }, keys: { paid: { project: "any", env: "NONE" } } };
  const text = JSON.stringify({ name, bases, insecure: true, ...project });
  const target = readTarget(form, "--base", env, { text, placeholder });
  hide(target.redact);
  return { ...target, keys: new Map(), variables: [] };
}

/** One address for all APIs. @throws CommandLineError where it is none */
function basesAt(form: TargetForm, base: string): Target["bases"] {
  const parseable = parseableBase(base);
  const url = URL.canParse(parseable) ? new URL(parseable) : null;
  // The command is recorded, and a key with it.
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.search !== "") {
    const shown = withoutKeys(base.replace(/\/\/[^/@]*@/, "//…@").replace(/\?.*/s, "?…"));
    throw new CommandLineError(`"${shown}" isn't a platform's address. Write it as https://host/prefix.`);
  }
  return Object.fromEntries(Object.keys(form.interface.apis).map((api) => [api, base]));
}

export type OpenJudging = ReturnType<typeof openJudging>;

/** @throws CommandLineError and Unfinished as `openRun` */
export function openJudging(
  invocation: Invocation,
  callers: RecordedCallers,
  flags: JudgedFlags & Pick<RunFolderOptions, "call">,
  onBroken: (verdict: Verdict, exchange: Exchange) => void = () => {},
) {
  const impliedFails = impliedFailsBy(flags);
  const { suite, checkedIds, uncheckedIds } = judgesOf(invocation.project);
  const planned = { ids: [...checkedIds], uncheckedIds, plan: nothingSpent };
  const folder = openRun(callers.target, planned, { ...flags, targetFile: flags.target, isStrict: false });
  const { journal } = folder;
  const write = (verdict: Verdict): void => journal.note({ event: "verdict", verdict, spent: nothingSpent });
  const judge = new RecordingJudge({
    callers,
    laws: suite.laws,
    impliedFails,
    onExchange: (exchange) => journal.note({ event: "exchange", exchange }),
    // At once, for what is killed.
    onBroken: (verdict, exchange) => {
      write(verdict);
      onBroken(verdict, exchange);
    },
  });
  return {
    judge,
    folder,
    /** Ends the run with what was found. @param cut why it isn't whole */
    end: (sources: readonly string[], cut?: string): void => {
      const verdicts = planned.ids.map((id) => judge.verdictOn(id));
      for (const verdict of verdicts) write(verdict);
      const { report } = judge;
      journal.write({ record: "recording", recording: { sources, ...report } });
      if (cut !== undefined) journal.note({ event: "cutShort", reason: cut });
      const codeIfNone = cut === undefined && report.judged > 0 ? 0 : 3;
      const exitCode = exitCodeOf(verdicts, true) === 1 ? 1 : codeIfNone;
      journal.write({ record: "end", endedAt: new Date().toISOString(), spent: nothingSpent, exitCode });
    },
  };
}
