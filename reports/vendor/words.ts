// The report for a vendor in words: what HTML and Markdown share.
import type { Run } from "../../harness/record/run.ts";
import { groupedBy } from "../lists.ts";
import { counted, whenText } from "../numbers.ts";
import { type BreakingAnswer, type VendorFinding, variablesIn } from "./findings.ts";

/** Without full stop. */
export const vendorHeadline = (findings: readonly VendorFinding[]): string =>
  findings.length === 0
    ? "No requirement was found broken"
    : `${counted(findings.length, "requirement")} of the interface ${findings.length === 1 ? "is" : "are"} broken`;

/** What it is about, as terms and texts. */
export const vendorFacts = ({ target, interface: { name, version }, startedAt, endedAt }: Run) =>
  [
    ["Platform", target.name],
    ["Addresses", [...groupedBy(Object.values(target.bases), (base) => base).keys()].join(", ") || "its own process"],
    ["Interface", `${name} ${version}`],
    ["Tested", endedAt === null ? `from ${whenText(startedAt)}` : `${whenText(startedAt)} to ${whenText(endedAt)}`],
  ] as const;

export function howToRead(findings: readonly VendorFinding[]): string {
  if (findings.length === 0) return "This report lists broken requirements only; it says nothing about the others.";
  const variables = variablesIn(findings);
  const keys =
    variables.length === 0 ? "" : ` Set ${variables.join(", ")} to ${variables.length === 1 ? "a key" : "keys"} first.`;
  return (
    "Each finding has the sentence of the interface, what came instead, and a line that repeats the request." +
    `${keys} Keys in answers are masked.`
  );
}

/** Above its shell line. */
export const requestLabel = ({ times }: BreakingAnswer): string =>
  times > 1 ? `Request, sent ${times} times within a second` : "Request";

export const seenText = ({ firstSeen }: VendorFinding): string =>
  firstSeen === null ? "" : `first seen ${whenText(firstSeen)}`;
