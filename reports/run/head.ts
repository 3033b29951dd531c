// The head of a run's document, the same on the page, in the terminal and in Markdown.
import type { Run } from "../../harness/record/run.ts";
import type { Document } from "../document/document.ts";
import { headlineOf } from "../headline.ts";
import { loadAlone } from "../load.ts";

const signs = { broken: "❌", holds: "✅", inconclusive: "❔" } as const;
/** By exit code. */
const moods: { readonly [code: number]: keyof typeof signs } = { 0: "holds", 1: "broken" };

export function runHead(run: Run): Pick<Document, "kind" | "headline" | "mood" | "of" | "sign"> {
  const { exitCode, target, version } = run;
  const load = loadAlone(run);
  const mood = moods[exitCode] ?? "inconclusive";
  return {
    kind: `Assay ${version}, ${load ? `load ${load.shape}` : "conformance run"}`,
    headline: headlineOf(run),
    mood,
    of: `${target.name} · Assay`,
    sign: signs[mood],
  };
}
