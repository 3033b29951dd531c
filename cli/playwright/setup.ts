// The Playwright adapter's global setup: one engine for all workers, reached over loopback.

import type { FullConfig } from "@playwright/test";
import { realClock } from "../../harness/core/clock.ts";
import type { EngineOptions } from "../../harness/engine/options.ts";
import { planRun } from "../../harness/engine/sharding.ts";
import { isEmbedded } from "../../harness/target/targetFile.ts";
import { networkWire } from "../../harness/transport/wire.ts";
import { targetForm } from "../custom.ts";
import { described } from "../described.ts";
import { startEmbedded, variantNamed } from "../embedded.ts";
import { shareNamed, variablesNamed } from "../flags.ts";
import { generatorByK6 } from "../generator.ts";
import { openRun, writeReports } from "../runFolder.ts";
import { checkedIds, suite, uncheckedIds } from "../suite.ts";
import { referenceFile, targetOf, vendorIn } from "../target.ts";
import { openVerdictServer } from "./verdictServer.ts";

/**
 * `ASSAY_TARGET` names the target file, `ASSAY_ENV` the only variables that it may name, `ASSAY_MUTANT` a mutant of the
 * embedded reference.
 */
export default async function setup({ shard: sharded }: FullConfig): Promise<() => Promise<void>> {
  const share = sharded ? shareNamed("--shard", `${sharded.current}/${sharded.total}`) : null;
  const { ASSAY_TARGET: file = referenceFile, ASSAY_ENV: env, ASSAY_MUTANT: mutant } = process.env;
  const embedded = isEmbedded(targetForm, file) ? await startEmbedded(0, variantNamed(mutant || undefined)) : null;
  const target = embedded ? targetOf(file, embedded) : vendorIn(file, { allowedVariables: variablesNamed(env) });
  const { wire, close } = networkWire();
  const options: EngineOptions = {
    suite,
    target,
    wire,
    clock: realClock,
    generator: generatorByK6(target.redact),
    observe: [],
    onEvent: (event) => folder.journal.note(event),
  };
  const { engine, shard } = await planRun(options, share);
  const isOwn = file === referenceFile;
  const planned = { ids: engine.ids, uncheckedIds, plan: engine.plan };
  const folder = openRun(target, planned, {
    command: `npx assay run${isOwn ? "" : ` --target ${file}`}`,
    shard,
    ...(isOwn ? {} : { targetFile: file }),
    planned: [],
  });
  const held = new Set<string>(shard ? engine.ids : checkedIds);
  const server = await openVerdictServer(engine, held);
  process.env["ASSAY_HELD"] = [...held].join();
  process.env["ASSAY_VERDICTS"] = server.base;
  process.env["ASSAY_RUN_FOLDER"] = folder.path;

  return async () => {
    const verdicts = engine.judgedIds.map((id) => engine.verdict(id));
    for (const verdict of verdicts) folder.journal.note({ event: "verdict", verdict, spent: engine.spent });
    folder.end(verdicts, engine.spent);
    await writeReports(folder.path, described);
    await Promise.all([server.close(), close(), embedded?.close()]);
  };
}
