// The report of a run for its vendor, to be sent as a page or pasted into a ticket.
import type { Run } from "../../harness/record/run.ts";
import { type Document, foreign, note, paragraph, type Section, sectionOf } from "../document/document.ts";
import { groupedBy } from "../lists.ts";
import { counted, whenText } from "../numbers.ts";
import { capped, shown } from "../text.ts";
import { type VendorFinding, variablesIn, vendorFindings } from "./findings.ts";

/** Without full stop. */
export const vendorHeadline = (findings: readonly VendorFinding[]): string =>
  findings.length === 0
    ? "No requirement was found broken"
    : `${counted(findings.length, "requirement")} of the interface ${findings.length === 1 ? "is" : "are"} broken`;

export function vendorDocument(run: Run): Document {
  const { target, interface: edition, startedAt, endedAt, version } = shown(run);
  const findings = vendorFindings(shown(run));
  const bases = [...groupedBy(Object.values(target.bases), (base) => base).keys()].join(", ");
  const until = endedAt === null ? `from ${whenText(startedAt)}` : `${whenText(startedAt)} to ${whenText(endedAt)}`;
  return {
    kind: `A report for ${capped(target.name, 100)}`,
    headline: vendorHeadline(findings),
    mood: findings.length > 0 ? "broken" : "inconclusive",
    of: target.name,
    first: [
      {
        is: "terms",
        entries: [
          ["Platform", [foreign(target.name)]],
          ["Addresses", [bases ? foreign(bases) : "its own process"]],
          ["Interface", [foreign(`${edition.name} ${edition.version}`)]],
          ["Tested", [until]],
        ],
      },
      paragraph(howToRead(findings)),
    ],
    sections: findings.map(sectionOn),
    foot: ["Found by Assay ", foreign(version), ", which tests whether a platform keeps its published interface."],
  };
}

function howToRead(findings: readonly VendorFinding[]): string {
  if (findings.length === 0) return "This report lists broken requirements only; it says nothing about the others.";
  const variables = variablesIn(findings);
  const keys =
    variables.length === 0 ? "" : ` Set ${variables.join(", ")} to ${variables.length === 1 ? "a key" : "keys"} first.`;
  return (
    "Each finding has the sentence of the interface, what came instead, and a line that repeats the request." +
    `${keys} Keys in answers are masked.`
  );
}

function sectionOn(vendorFinding: VendorFinding, index: number): Section {
  const { id, sentence, clause, firstSeen, answers, more } = vendorFinding;
  const seen = firstSeen === null ? "" : `; first seen ${whenText(firstSeen)}`;
  return sectionOf(
    [`${index + 1}. `, foreign(sentence)],
    note("Clause ", foreign(clause), "; our reference ", foreign(id), seen),
    ...answers.map((answer) => {
      const { breaches, exchange, traces } = answer;
      const label = answer.times > 1 ? `Request, sent ${answer.times} times within a second` : "Request";
      return {
        is: "evidence",
        breaches,
        request: { is: "command", label, text: answer.curl },
        traces,
        exchange,
      } as const;
    }),
    ...(more > 0 ? [note(`The same came in ${counted(more, "further answer")}.`)] : []),
  );
}
