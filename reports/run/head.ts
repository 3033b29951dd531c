// The head of a run's document, the same on the page, in the terminal and in Markdown.
import type { Run } from "../../harness/record/run.ts";
import { exceededBounds } from "../bounds.ts";
import type { Document } from "../document/document.ts";
import { loadAlone } from "../load.ts";
import { headlineOf } from "../sentences.ts";

const signs = { broken: "❌", holds: "✅", inconclusive: "❔" } as const;

export function runHead(run: Run): Pick<Document, "kind" | "headline" | "mood" | "of" | "sign"> {
  const { totals, exitCode, target, version } = run;
  const load = loadAlone(run);
  const isBroken = totals.broken > 0 || exceededBounds(run.load).length > 0;
  const mood = isBroken ? "broken" : exitCode === 0 ? "holds" : "inconclusive";
  return {
    kind: `Assay ${version}, ${load ? `load ${load.shape}` : "conformance run"}`,
    headline: headlineOf(run),
    mood,
    of: `${target.name} · Assay`,
    sign: exitCode === 1 ? signs.broken : signs[mood],
  };
}
