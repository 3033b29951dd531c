// What does GitHub's job page say beside the lines of a file? Workflow commands, with the escapes of GitHub's own toolkit.
import type { Run } from "../harness/record/run.ts";
import { type Cited, citedBy, operationsIn } from "./cited.ts";
import type { Described } from "./described.ts";
import { brokenLines } from "./terminal.ts";
import { visible } from "./text.ts";
import { counted, flawOf, type Kind, kindOf } from "./words.ts";

const inMessage = (text: string): string =>
  visible(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const inProperty = (text: string): string => inMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

type Command = "error" | "warning" | "notice";

const commands: { readonly [kind in Kind]?: Command } = { broken: "error", warned: "warning", inconclusive: "warning" };

/** GitHub shows no more of one kind for one step. */
const most = 10;

function lineOf(command: Command, title: string, message: string, cited?: Cited): string {
  const properties = { ...(cited ? { file: cited.file, line: String(cited.line) } : {}), title };
  const told = Object.entries(properties).map(([name, value]) => `${name}=${inProperty(value)}`);
  return `::${command} ${told.join(",")}::${inMessage(message)}`;
}

/** Lines for the standard output of a step: at most ten of a kind, the rest counted. */
export function annotationsOf(run: Run, { lines: specLines }: Pick<Described, "lines">): readonly string[] {
  const operationOf = operationsIn(run);
  const flaw = flawOf(run);
  const ofRun = flaw === null ? [] : [lineOf("error", "Assay", flaw)];
  const lines = (["error", "warning"] as const).flatMap((command) => {
    const all = run.requirements.filter((requirement) => commands[kindOf(requirement)] === command);
    const told = all.slice(0, command === "error" ? most - ofRun.length : most).map((requirement) => {
      const [cited] = citedBy(requirement, operationOf, specLines);
      const isSeen = kindOf(requirement) !== "inconclusive";
      const text = isSeen
        ? brokenLines(run, requirement)
            .slice(1)
            .map((line) => line.trim())
        : [`inconclusive: ${requirement.reason ?? "no reason given"}`];
      return lineOf(
        command,
        `${requirement.id} ${requirement.sentence} (${requirement.clause})`,
        text.join("\n"),
        cited,
      );
    });
    const untold = all.length - told.length;
    return untold === 0
      ? told
      : [
          ...told,
          lineOf("notice", "Assay", `${counted(untold, "more", "more")} of this kind: see the summary or the report`),
        ];
  });
  return [...ofRun, ...lines];
}

/**
 * Lines that a stranger's text may stand in: between these two no workflow command is obeyed.
 * @param token nobody can guess it
 */
export const unheeded = (lines: readonly string[], token: string): readonly string[] => [
  `::stop-commands::${token}`,
  ...lines,
  `::${token}::`,
];
