// Annotations for GitHub's job page: workflow commands, escaped as GitHub's own toolkit escapes them.
import type { Run } from "../../harness/record/run.ts";
import { exceededBounds, exceededSentence } from "../bounds.ts";
import { titleOf } from "../breach.ts";
import type { Described } from "../described.ts";
import { flawOf } from "../headline.ts";
import { counted } from "../numbers.ts";
import { visible } from "../text.ts";
import { type Kind, kindOf } from "../words.ts";
import { type Cited, citedIn } from "./cited.ts";
import { brokenLines } from "./finding.ts";

const inMessage = (text: string): string =>
  visible(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const inProperty = (text: string): string => inMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

type Command = "error" | "warning" | "notice";

const commands: { readonly [kind in Kind]?: Command } = {
  broken: "error",
  warned: "warning",
  renamed: "warning",
  fixed: "warning",
  inconclusive: "warning",
};

/** GitHub shows no more of a kind for one step. */
const most = 10;

function lineOf(command: Command, title: string, message: string, cited?: Cited): string {
  const properties = { ...(cited ? { file: cited.file, line: String(cited.line) } : {}), title };
  const pairs = Object.entries(properties).map(([name, value]) => `${name}=${inProperty(value)}`);
  return `::${command} ${pairs.join(",")}::${inMessage(message)}`;
}

/** Lines for the standard output of a step: at most ten of a kind, the rest counted. */
export function annotationsOf(run: Run, described: Pick<Described, "lines" | "tables">): readonly string[] {
  const citedBy = citedIn(run, described);
  const flaw = flawOf(run);
  const ofBounds = exceededBounds(run.load).map((bound) =>
    lineOf("error", `Bound on ${bound.operation}`, exceededSentence(bound)),
  );
  const ofRun = [...(flaw === null ? [] : [lineOf("error", "Assay", flaw)]), ...ofBounds].slice(0, most);
  const lines = (["error", "warning"] as const).flatMap((command) => {
    const all = run.requirements.filter((requirement) => commands[kindOf(requirement)] === command);
    const shown = all.slice(0, command === "error" ? most - ofRun.length : most).map((requirement) => {
      const [cited] = citedBy(requirement);
      const [, ...evidence] = brokenLines(run, requirement).map((line) => line.trim());
      const isInconclusive = kindOf(requirement) === "inconclusive";
      const text = isInconclusive ? `inconclusive: ${requirement.reason ?? "no reason given"}` : evidence.join("\n");
      return lineOf(command, titleOf(requirement), text, cited);
    });
    const rest = all.length - shown.length;
    const more = `${counted(rest, "more", "more")} of this kind: see the summary or the report`;
    return rest === 0 ? shown : [...shown, lineOf("notice", "Assay", more)];
  });
  return [...ofRun, ...lines];
}

/**
 * Lines that may contain text from the platform: between the first and the last, GitHub obeys no workflow command.
 * @param token which the platform can't guess
 */
export const unheeded = (lines: readonly string[], token: string): readonly string[] => [
  `::stop-commands::${token}`,
  ...lines,
  `::${token}::`,
];
