// assay serve: runs the reference platform for any HTTP client.
import { Command } from "commander";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { DemoRole } from "../reference/demo.ts";
import { type Embedded, startEmbedded, variantNamed } from "./embedded.ts";
import { type JudgingFlags, mutantOption } from "./flags.ts";

interface ServeFlags extends Pick<JudgingFlags, "json" | "mutant"> {
  readonly port?: string;
}

export const serveCommand = (): Command =>
  new Command("serve")
    .description("Run the reference platform on loopback and print demo keys.")
    .option("--port <number>", "port of 127.0.0.1 (default: a free one)")
    .option("--json", "print one line of JSON instead of text")
    .option(...mutantOption)
    .addHelpText("after", "\nExample:\n  npx assay serve --port 8787")
    .action(async (flags: ServeFlags) => {
      const embedded = await startEmbedded(portOf(flags.port), variantNamed(flags.mutant));
      console.log(
        flags.json === true
          ? JSON.stringify({ base: embedded.base, environment: embedded.environment })
          : lines(embedded).join("\n"),
      );
    });

function portOf(text: string | undefined): number {
  if (text === undefined) return 0;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new CommandLineError(`--port is "${text}", which is no port. Name a whole number from 0 to 65535.`);
}

function lines({ base, keys, ids, world, environment }: Embedded): string[] {
  const describe = (role: DemoRole): string => {
    const project = world.project(ids[role]);
    const notes = [
      project?.plan.name,
      ...(project?.admin === "disabled" ? ["admin interface off"] : []),
      ...(project?.billingData === "missing" ? ["billing data missing"] : []),
      ...(role === "ipBlocked" ? ["other IP addresses only"] : []),
    ];
    return `  ${role.padEnd(10)} ${keys[role]}  project ${ids[role]}  ${notes.join(", ")}`;
  };
  return [
    `The reference platform listens on ${base} (Ctrl-C stops it).`,
    "",
    "Demo keys, new with each start:",
    ...(Object.keys(keys) as DemoRole[]).map(describe),
    "",
    "Try it:",
    `  curl -sS -H 'X-Api-Key: ${keys.paid}' '${base}/v0/admin/projects/${ids.paid}/usage'`,
    "",
    "To judge it as a vendor from another terminal, copy targets/reference.yaml, put",
    `  bases: { admin: ${base} }`,
    "in place of its line `platform: embedded`, and set the keys:",
    ...Object.entries(environment).map(([name, value]) => `  export ${name}=${value}`),
  ];
}
