// Every command of the command line, as commander knows it.
import type { Command } from "commander";
import { commands } from "../../cli/commands.ts";
import { invocation } from "./assay.ts";

export const commandNames: readonly string[] = Object.keys(commands);

interface CommandAt {
  /** `load merge` */
  readonly path: string;
  readonly options: Command["options"];
}

const below = (command: Command, path: string): readonly CommandAt[] => [
  { path, options: command.options },
  ...command.commands.flatMap((one) => below(one, `${path} ${one.name()}`)),
];

export async function commandTree(): Promise<readonly CommandAt[]> {
  const all = Object.entries(commands).map(async ([name, { load }]) => below((await load())(invocation), name));
  return (await Promise.all(all)).flat();
}
