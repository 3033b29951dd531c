// What a panel asked in place of its own questions: whose work it is, in which shares, and what of it wasn't asked.
import { sum } from "simple-statistics";
import type { PanelReport } from "../../panel/panelReport.ts";
import { type Block, foreign, paragraph, quoting, type Sentence } from "../document/document.ts";
import { counted } from "../numbers.ts";
import { mixText } from "./mix.ts";

/** Nothing where it asked questions of its own. */
export function workloadBlocks(panel: PanelReport): readonly Block[] {
  const { workload, questions } = panel;
  if (!workload) return [];
  const { name, is, why, left } = workload;
  const polls = counted(sum(questions.map((question) => question.polls)), "poll");
  return [
    paragraph(`Asked: the ${is} `, foreign(name), " (", foreign(mixText(panel)), `), ${polls}.`),
    ...(why === null ? [] : [paragraph(quoting(why))]),
    {
      is: "list",
      label: "Not asked",
      items: left.map(
        ({ what, calls, why: reason }): Sentence => [
          foreign(what),
          calls > 0 ? `, ${counted(calls, "call")}: ` : ": ",
          foreign(reason),
        ],
      ),
    },
  ];
}
