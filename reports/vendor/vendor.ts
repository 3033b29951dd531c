// The report of a run for its vendor, to be sent as a page or pasted into a ticket.
import type { Run } from "../../harness/record/run.ts";
import {
  code,
  type Document,
  foreign,
  note,
  paragraph,
  type Section,
  type Sentence,
  sectionOf,
} from "../document/document.ts";
import { groupedBy } from "../lists.ts";
import { counted, numberText, whenText } from "../numbers.ts";
import { capped, shown } from "../text.ts";
import { type VendorFinding, variablesIn, vendorFindings } from "./findings.ts";

/** Without full stop. */
export function vendorHeadline(findings: readonly VendorFinding[]): string {
  if (findings.length === 0) return "No requirement was found broken";
  const known = findings.filter((finding) => finding.known !== null).length;
  const of = known === 0 ? "" : known === findings.length ? ", as is known" : `, ${numberText(known)} of them known`;
  const some = counted(findings.length, "requirement of the interface is", "requirements of the interface are");
  return `${some} broken${of}`;
}

/** @param manifest the SHA-256 of its manifest; null where it has none */
export function vendorDocument(run: Run, manifest: string | null): Document {
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
          ...(manifest === null
            ? []
            : [["Evidence", ["the folder of the run, whose manifest.json has the SHA-256 ", code(manifest)]] as const]),
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

const linkIn = ({ link }: { readonly link?: string }): Sentence => (link === undefined ? [] : [", ", foreign(link)]);

function sectionOn(vendorFinding: VendorFinding, index: number): Section {
  const { id, sentence, clause, firstSeen, answers, more, known } = vendorFinding;
  const seen = firstSeen === null ? "" : `; first seen ${whenText(firstSeen)}`;
  return sectionOf(
    [`${index + 1}. `, foreign(sentence)],
    note("Clause ", foreign(clause), "; our reference ", foreign(id), seen),
    ...(known === null
      ? []
      : [note("Known issue, accepted until ", known.until, ": ", foreign(known.accepted), ...linkIn(known))]),
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
