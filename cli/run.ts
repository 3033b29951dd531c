// assay run: judges one target and leaves a report.
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { citedBy } from "../harness/check.ts";
import { realClock } from "../harness/clock.ts";
import { Engine } from "../harness/engine.ts";
import { type Generation, usualGeneration, usualSeed } from "../harness/generation.ts";
import { handshakeBy } from "../harness/handshake.ts";
import { Misuse, suggestion } from "../harness/misuse.ts";
import type { Target } from "../harness/target.ts";
import { isEmbedded, readTarget } from "../harness/targetFile.ts";
import { networkWire } from "../harness/wire.ts";
import { suite } from "../property/suite.ts";
import { type RequirementId, requirements } from "../specs/generated/requirements.ts";
import { type Embedded, lieNamed, startEmbedded } from "./embedded.ts";
import { caseNamed, folderToKeepIn, keepAll, seedNamed } from "./generated.ts";
import { planLines } from "./plan.ts";
import { progressOn } from "./progress.ts";
import { finishRun, openRun } from "./runFolder.ts";

const referenceFile = fileURLToPath(new URL("../targets/reference.yaml", import.meta.url));

interface RunFlags {
  readonly target?: string;
  readonly only?: string;
  readonly out?: string;
  readonly plan?: boolean;
  readonly json?: boolean;
  readonly implied?: string;
  readonly lie?: string;
  readonly seed?: string;
  readonly path?: string;
  readonly save?: string | true;
}

export const runCommand = (): Command =>
  new Command("run")
    .description("Judge a target: the platform that a target file names, or the embedded reference platform.")
    .option("--target <file>", "target file (default: the embedded reference platform)")
    .option("--only <ids>", "only these requirements, by id, separated by commas")
    .option("--out <folder>", "folder of this run (default: runs/<time>-<target>)")
    .option("--plan", "print what would be tried and what it costs, send nothing")
    .option("--json", "print run.json instead of lines for people")
    .option("--implied <fail|warn>", "whether implied requirements fail on a vendor", "warn")
    .option("--seed <number>", "draw other generated cases", String(usualSeed))
    .option("--path <case>", "replay one generated case, as a finding names it")
    .option("--save [folder]", "keep the generated cases that fail, to be tried first from then on")
    .option("--lie <mutant>", "let the embedded reference lie in one named way")
    .addHelpText("after", "\nExample:\n  npx assay run --target targets/example.yaml --only USG-HTTP-01,CYC-PRES-01")
    .action(run);

async function run(flags: RunFlags): Promise<void> {
  const file = flags.target ?? referenceFile;
  const only = idsOf(flags.only);
  if (flags.implied !== "fail" && flags.implied !== "warn") throw new Misuse(`--implied is "${flags.implied}". Write --implied=fail or --implied=warn.`);
  const lie = lieNamed(flags.lie);
  const drawing = { seed: seedNamed(flags.seed), ...(flags.path === undefined ? {} : { replay: caseNamed(flags.path, suite) }) };
  const embedded = isEmbedded(file) ? await startEmbedded(0, lie) : null;
  if (lie && !embedded) throw new Misuse("--lie works on the embedded reference platform only. Leave out --target, or leave out --lie.");
  try {
    const target = targetOf(file, embedded);
    await judge(target, only, flags, { ...usualGeneration(target), ...drawing });
  } finally {
    await embedded?.close();
  }
}

function targetOf(file: string, embedded: Embedded | null): Target {
  if (!embedded) return readTarget(file, process.env);
  const { base, environment } = embedded;
  return { ...readTarget(file, environment, { admin: base, api: base, rpc: base }), control: embedded.control };
}

async function judge(target: Target, only: readonly RequirementId[] | null, flags: RunFlags, generation: Generation): Promise<void> {
  const keepsIn = folderToKeepIn(flags.save);
  const { wire, close } = networkWire();
  const progress = progressOn(process.stdout, { isQuiet: flags.json === true });
  const engine: Engine = new Engine({
    suite,
    target,
    wire,
    clock: realClock,
    handshake: handshakeBy(),
    only,
    generation,
    impliedFails: flags.implied === "fail",
    onEvent: (event) => {
      folder.journal.note(event);
      progress.note(event, engine.spent.requests);
    },
  });
  if (flags.plan === true) {
    console.log(planLines(target, engine.plan, engine.probes, generation).join("\n"));
    return close();
  }
  const folder = openRun(target, engine, { command: commandOf(flags), ...(flags.out === undefined ? {} : { out: flags.out }) });
  const stop = (): void => {
    void finishRun(folder, flags.json === true).then((code) => process.exit(code));
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  try {
    progress.begin(planLines(target, engine.plan, engine.probes, generation).slice(0, 1), engine.ids.length);
    const verdicts = await engine.run();
    progress.end();
    folder.end(verdicts, engine.spent);
    if (keepsIn !== null) keepAll(verdicts, keepsIn);
    process.exitCode = await finishRun(folder, flags.json === true);
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
    await close();
  }
}

/** The command that judges the same target in the same way, for replay lines. */
function commandOf({ target, lie, implied, seed }: RunFlags): string {
  const quoted = target && /[^\w./-]/.test(target) ? `'${target}'` : target;
  return [
    "npx assay run",
    ...(quoted ? [`--target ${quoted}`] : []),
    ...(lie ? [`--lie ${lie}`] : []),
    ...(implied === "fail" ? ["--implied fail"] : []),
    ...(seedNamed(seed) === usualSeed ? [] : [`--seed ${seedNamed(seed)}`]),
  ].join(" ");
}

function idsOf(text: string | undefined): readonly RequirementId[] | null {
  if (text === undefined) return null;
  const known: readonly string[] = requirements.map(({ id }) => id);
  const checked: ReadonlySet<string> = new Set(suite.checks.flatMap(citedBy));
  const ids = text.split(",").map((id) => id.trim());
  for (const id of ids) {
    if (!known.includes(id))
      throw new Misuse(`--only names ${id || "nothing"}${suggestion(id, known)}, which is no requirement. Ids look like CYC-PRES-01; specs/requirements/ lists them all.`);
    if (!checked.has(id)) throw new Misuse(`--only names ${id}, which no check of this version speaks of. Leave it out.`);
  }
  return ids as RequirementId[];
}
