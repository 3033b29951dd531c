// A further command of this machine that uses a vendor's projects.
import { besideOthers } from "../../cli/otherCommands.ts";
import { targetForm } from "../../contracts/targets.ts";
import { readTarget } from "../../harness/targets/targetFile.ts";

/** @param file of the target. @returns what it hears of others, and how it ends */
export function otherCommandOn(file: string, environment: { readonly [name: string]: string }) {
  const { target, end } = besideOthers(readTarget(targetForm, file, environment), environment, true);
  return { heard: target.others, end };
}
