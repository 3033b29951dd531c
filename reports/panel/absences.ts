// What a panel lacks: vendors that gave no answer for a while, and what Assay itself failed on.
import { sum } from "simple-statistics";
import type { Absence, PanelDefect, PanelReport } from "../../panel/panelReport.ts";
import { type Block, foreign, paragraph } from "../document/document.ts";
import { groupedBy } from "../lists.ts";
import { counted, whenText } from "../numbers.ts";
import { capped } from "../text.ts";
import { vendorNameIn } from "./figures.ts";

type Lacking = Pick<PanelReport, "vendors" | "startedAt" | "endedAt" | "complete" | "absences" | "defects">;

const dayOf = (instant: string): string => instant.slice(0, 10);
const mostReason_chars = 200;
const mostDefects = 3;

/** Of one vendor, in one sentence. */
function absenceLine(panel: Lacking, absences: readonly Absence[]): string {
  const { startedAt, endedAt } = panel;
  const at = (instant: string): string =>
    dayOf(startedAt) === dayOf(endedAt) ? instant.slice(11, 19) : whenText(instant);
  const [first, last] = [absences[0], absences.at(-1)];
  if (!first || !last) return "";
  const times = absences.length > 1 ? `, ${absences.length} times` : "";
  const until = last.to === null ? "until the end" : `to ${at(last.to)}`;
  const during = `from ${at(first.from)} ${until}`;
  const name = vendorNameIn(panel, first.vendor);
  const polls = sum(absences.map((absence) => absence.polls));
  if (last.is === "spent")
    return `${name} was left out of ${counted(polls, "poll")} ${during}, as its budget didn't cover them`;
  if (last.is === "limited")
    return (
      `${name} was left out of ${counted(polls, "poll")} ${during}, as it refused requests for their rate, and is ` +
      "asked less often since"
    );
  const reason = `(${times === "" ? "" : "last "}${capped(last.why ?? "", mostReason_chars)})`;
  // Nobody was asked meanwhile: the panel waited for it, or ended.
  if (polls === 0) return `${name} gave no answer ${during}${times} ${reason}`;
  const comma = times === "" ? "" : ",";
  return `${name} was left out of ${counted(polls, "poll")}${times}${comma} ${during}, as it gave no answer ${reason}`;
}

/** Vendors that were left out, a sentence each. */
export const absenceLines = (panel: Lacking): readonly string[] =>
  [...groupedBy(panel.absences ?? [], ({ vendor, is }) => `${vendor} ${is}`).values()].map((own) =>
    absenceLine(panel, own),
  );

/** Whether it ended while fewer than two vendors could be asked. */
function isDeserted({ complete, vendors, absences = [] }: Lacking): boolean {
  const absent = new Set(absences.flatMap(({ vendor, to }) => (to === null ? [vendor] : [])));
  return !complete && absent.size > 0 && vendors.length - absent.size < 2;
}

function defectLine(panel: Lacking, { vendor, message, polls }: PanelDefect): string {
  const what = capped(message, mostReason_chars);
  if (polls === 0) return `Assay itself failed, which ended the panel: ${what}. Please report it.`;
  const on =
    vendor === null
      ? `in ${counted(polls, "poll")}`
      : `on ${counted(polls, "answer")} of ${vendorNameIn(panel, vendor)}`;
  const which = polls === 1 ? "which isn't compared" : "which aren't compared";
  return `Assay itself failed ${on}, ${which}: ${what}. Please report it.`;
}

/** The first failures of Assay itself, a sentence each. */
export const defectLines = (panel: Lacking): readonly string[] =>
  (panel.defects ?? []).slice(0, mostDefects).map((defect) => defectLine(panel, defect));

export const absenceBlocks = (panel: Lacking): readonly Block[] => [
  { is: "list", items: absenceLines(panel).map((line) => [foreign(line)]) },
  ...(isDeserted(panel) ? [paragraph("It ended early, as fewer than two vendors could be asked.")] : []),
  ...defectLines(panel).map((line) => paragraph(foreign(line))),
];
