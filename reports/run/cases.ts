// Test cases for JUnit and CTRF: one per requirement, by the verdict table.
import type { LatencyBound } from "../../harness/record/load.ts";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { boundTitle, exceededSentence } from "../bounds.ts";
import { titleOf } from "../breach.ts";
import { textLines } from "../document/terminal.ts";
import { flawOf, headlineOf } from "../headline.ts";
import { loadAlone } from "../load.ts";
import { capped, visible } from "../text.ts";
import { type Kind, kindOf, words } from "../words.ts";
import { brokenLines } from "./finding.ts";
import { loadTexts } from "./load.ts";

/** Longer texts are cut: CI servers keep these files for every run. */
const message_chars = 300;
const text_chars = 1_500;

export interface Case {
  /** Null for the run itself, and for a bound of the target file. */
  readonly requirement: JudgedRequirement | null;
  readonly area: string;
  readonly name: string;
  readonly outcome: "passed" | "failure" | "error" | "skipped";
  readonly kind: Kind | "run" | "bound";
  /** Of a failure, an error or a skip. */
  readonly message: string;
  /** Details of the outcome; for a passed case, its output. */
  readonly text: string;
}

/** Requirements that are only noted aren't cases: see `notedIn`. */
export const casesOf = (run: Run): readonly Case[] => [
  ...run.requirements
    .filter((requirement) => kindOf(requirement) !== "noted")
    .map((requirement) => caseOf(run, requirement)),
  ...boundCases(run),
  ...casesOfRun(run),
];

/** What is broken but only noted: properties of the run. */
export const notedIn = (run: Run): readonly { readonly requirement: JudgedRequirement; readonly text: string }[] =>
  run.requirements.flatMap((requirement) =>
    kindOf(requirement) === "noted" ? [{ requirement, text: brokenLines(run, requirement).join("\n") }] : [],
  );

function caseOf(run: Run, requirement: JudgedRequirement): Case {
  const { area, reason } = requirement;
  const kind = kindOf(requirement);
  const named = { requirement, area, kind, name: titleOf(requirement) };
  const why = capped(visible(reason ?? "no reason given"), message_chars);
  if (kind === "holds") return { ...named, outcome: "passed", message: "", text: "" };
  if (kind === "renamed") return { ...named, outcome: "passed", message: "", text: why };
  if (kind === "narrowed") return { ...named, outcome: "passed", message: "", text: `${words[kind].one}: ${why}` };
  if (kind === "fixed" && requirement.enforced === "fail")
    return { ...named, outcome: "failure", message: why, text: "" };
  if (kind === "fixed") return { ...named, outcome: "passed", message: "", text: `${words[kind].one}: ${why}` };
  if (kind === "deviates" || kind === "withheld" || kind === "untestable")
    return { ...named, outcome: "skipped", message: `${words[kind].one}: ${why}`, text: "" };
  if (kind === "inconclusive") return { ...named, outcome: "error", message: `inconclusive: ${why}`, text: "" };
  const lines = brokenLines(run, requirement);
  const message = capped(lines.slice(1, 3).join("; ").replace(/ {2,}/g, " ").trim(), message_chars);
  const text = capped(lines.join("\n"), text_chars);
  return { ...named, outcome: kind === "broken" ? "failure" : "passed", message, text };
}

/** Each bound that the target file sets on a load. */
const boundCases = ({ load }: Run): readonly Case[] =>
  (load?.bounds ?? []).map((bound) => ({
    ...{ requirement: null, area: "bounds", name: boundTitle(bound), kind: "bound", text: "" },
    ...outcomeOfBound(bound),
  }));

function outcomeOfBound(bound: LatencyBound): Pick<Case, "outcome" | "message"> {
  if (bound.isKept === null) return { outcome: "skipped", message: "not tested: no latency was measured" };
  return bound.isKept ? { outcome: "passed", message: "" } : { outcome: "failure", message: exceededSentence(bound) };
}

/** A run that was cut short, verified nothing or had an inconclusive load must not look green. */
function casesOfRun(run: Run): readonly Case[] {
  const message = flawOf(run);
  const load = loadAlone(run);
  const named = { requirement: null, area: load ? "load" : "run", name: load ? `load ${load.shape}` : "the run" };
  const text = load ? [headlineOf(run), ...textLines(loadTexts(run, load))].join("\n") : "";
  if (message !== null) return [{ ...named, outcome: "error", kind: "run", message, text }];
  return load ? [{ ...named, outcome: "passed", kind: "run", message: "", text }] : [];
}
