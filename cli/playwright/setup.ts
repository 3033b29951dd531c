// The Playwright adapter's global setup: one engine for all workers, reached over loopback.

import { realClock } from "../../harness/core/clock.ts";
import { openEngine } from "../../harness/engine/engine.ts";
import type { EngineOptions } from "../../harness/engine/options.ts";
import { isEmbedded } from "../../harness/targets/targetFile.ts";
import { networkWire } from "../../harness/transport/wire.ts";
import { startEmbedded, variantNamed } from "../embedded.ts";
import { variablesNamed } from "../flags.ts";
import { generatorByK6 } from "../generator.ts";
import { hidingSurroundings, invocationOf, processSurroundings } from "../invocation.ts";
import { ownProject } from "../project.ts";
import { writeReports } from "../readers.ts";
import { callOf } from "../replayLine.ts";
import { openRun } from "../runFolder.ts";
import { judgesOf } from "../suite.ts";
import { referenceFile, targetOf, vendorIn } from "../target.ts";
import { openVerdictServer } from "./verdictServer.ts";

/**
 * `ASSAY_TARGET` names the target file, `ASSAY_ENV` the only variables that it may name, `ASSAY_MUTANT` a mutant of the
 * embedded reference.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const invocation = invocationOf(hidingSurroundings(processSurroundings("assay.js")), ownProject);
  const { suite, uncheckedIds } = judgesOf(ownProject);
  const { ASSAY_TARGET: file = referenceFile, ASSAY_ENV: env, ASSAY_MUTANT: mutant } = process.env;
  const embedded = isEmbedded(ownProject.form, file) ? await startEmbedded(0, variantNamed(mutant || undefined)) : null;
  const target = embedded
    ? targetOf(file, embedded)
    : vendorIn(invocation, file, { allowedVariables: variablesNamed(env) });
  const { wire, close } = networkWire();
  const options: EngineOptions = {
    suite,
    target,
    wire,
    clock: realClock,
    generator: generatorByK6(invocation, target.redact),
    observe: [],
  };
  const engine = openEngine(options);
  const isOwn = file === referenceFile;
  const planned = { ids: engine.ids, uncheckedIds, plan: engine.plan };
  const folder = openRun(target, planned, {
    call: callOf("npx assay", ["run"], isOwn ? {} : { target: file }),
    ...(isOwn ? {} : { targetFile: file }),
    planned: [],
  });
  engine.events.on((event) => folder.journal.note(event));
  const server = await openVerdictServer(engine);
  process.env["ASSAY_VERDICTS"] = server.base;
  process.env["ASSAY_RUN_FOLDER"] = folder.path;

  return async () => {
    const verdicts = engine.judgedIds.map((id) => engine.verdict(id));
    for (const verdict of verdicts) folder.journal.note({ event: "verdict", verdict, spent: engine.spent });
    folder.end(verdicts, engine.spent);
    await writeReports(folder.path, ownProject.described);
    await Promise.all([server.close(), close(), embedded?.close()]);
  };
}
