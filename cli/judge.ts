// assay judge: judges recorded exchanges by all laws, and sends nothing.
import { Command } from "commander";
import type { Invocation } from "./invocation.ts";
import { callersOf, type JudgedFlags, judgesOthers, openJudging } from "./judged.ts";
import { endOnSignals, finishRun, readersOf } from "./readers.ts";
import { readMapping, sourceAt, sourceName } from "./recordings.ts";
import { callOf } from "./replayLine.ts";
import { configLines } from "./target.ts";

interface JudgeFlags extends JudgedFlags {
  readonly mapping?: string;
}

export const judgeCommand = (invocation: Invocation): Command =>
  judgesOthers(
    new Command("judge")
      .description("Judge recorded exchanges by all laws; nothing is sent.")
      .argument("<file...>", "HAR files, JSON lines (with --mapping), folders of runs, or - for the standard input")
      .option("--target <file>", "target file; its keys need not be set")
      .option("--base <url>", "the platform's address in the recording")
      .option("--mapping <form>", "how to read JSON lines: a form's name, or a file (harness/recordings/README.md)"),
  )
    .addHelpText(
      "after",
      "\nExit codes: 0 something was judged and nothing broken, 1 a requirement is broken, 2 invalid flags or files, " +
        "3 nothing could be judged.\n\nExample:\n  npx assay judge traffic.har --target acme.yaml",
    )
    .action((paths: readonly string[], flags: JudgeFlags) => judgeFiles(invocation, paths, flags));

async function judgeFiles(invocation: Invocation, paths: readonly string[], flags: JudgeFlags): Promise<void> {
  const reading = readMapping(flags.mapping);
  const sources = await Promise.all(paths.map((path) => sourceAt(path, reading, invocation.stdin)));
  const callers = callersOf(invocation, flags, sources.find(({ start }) => start)?.start);
  const readers = await readersOf(invocation, flags, callers.target);
  const { judge, folder, end } = openJudging(invocation, callers, {
    ...flags,
    call: callOf(invocation.program, ["judge", ...paths], flags),
  });
  if (flags.json !== true) for (const line of configLines(invocation)) invocation.print(line);
  const ignoreSignals = endOnSignals(invocation, folder, readers);
  const cuts: string[] = [];
  // A signal's reports are made while this goes on: what is judged after it would be in none of them.
  const isCutShort = (): boolean => folder.journal.has("cutShort");
  try {
    for (const { entries } of sources)
      for await (const entry of entries((what) => cuts.push(what))) {
        if (isCutShort()) break;
        await judge.add("unread" in entry ? { unread: callers.target.redact(entry.unread) } : entry);
      }
    if (isCutShort()) {
      await invocation.ended;
      return;
    }
    end(paths.map(sourceName), cuts[0]);
  } finally {
    ignoreSignals();
  }
  invocation.exitCode = await finishRun(invocation, folder, readers);
}
