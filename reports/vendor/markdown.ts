// The report for a vendor in Markdown, to be pasted into a ticket.
import type { Run } from "../../harness/record/run.ts";
import { gotText, placeName } from "../breach.ts";
import { code, fenced, plain } from "../markdownText.ts";
import { counted, whenText } from "../numbers.ts";
import { capped, shown } from "../text.ts";
import { type BreakingAnswer, type VendorFinding, vendorFindings } from "./findings.ts";
import { howToRead, requestLabel, seenText, vendorFacts, vendorHeadline } from "./words.ts";

const mostPlaces = 8;
const longest_chars = 300;
const longestBody_chars = 4_000;

/** A document whose texts from elsewhere are in code: nothing in them is markup. */
export function vendorMarkdownOf(found: Run): string {
  const run = shown(found);
  const findings = vendorFindings(run);
  const blocks = [
    `# ${vendorHeadline(findings)}`,
    vendorFacts(run)
      .map(([term, text]) => `- ${term}: ${code(text, longest_chars)}`)
      .join("\n"),
    howToRead(findings),
    ...findings.flatMap(blocksOf),
    `Found by Assay ${plain(run.version)}, which tests whether a platform keeps its published interface.`,
  ];
  return `${blocks.join("\n\n")}\n`;
}

function blocksOf(finding: VendorFinding, index: number): readonly string[] {
  const { id, sentence, clause, answers, more } = finding;
  const seen = seenText(finding);
  return [
    `## ${index + 1}. ${plain(sentence)}`,
    `Clause ${plain(clause)}; our reference ${code(id, longest_chars)}${seen && `; ${seen}`}`,
    ...answers.flatMap(answerBlocks),
    ...(more > 0 ? [`The same came in ${counted(more, "further answer")}.`] : []),
  ];
}

function answerBlocks(breaking: BreakingAnswer): readonly string[] {
  const { breaches, exchange, curl, traces } = breaking;
  const value = (text: string): string => code(text, longest_chars);
  const places = breaches
    .slice(0, mostPlaces)
    .map(
      (breach) =>
        `- at ${value(placeName(breach.at))}: expected ${value(breach.expected)}, got ${value(gotText(breach))}`,
    );
  const rest = breaches.length - mostPlaces;
  const list = [...places, ...(rest > 0 ? [`- and at ${counted(rest, "more place")} of this answer`] : [])].join("\n");
  if (exchange === null) return [list];
  const { answer, fault, sentAt } = exchange;
  const text = answer
    ? [`HTTP ${answer.status}`, ...answer.headers.map(([name, one]) => `${name}: ${one}`), "", answer.body].join("\n")
    : `no answer (${fault ?? "no reason"})`;
  return [
    list,
    `${requestLabel(breaking)}, ${whenText(sentAt)}:`,
    fenced("sh", curl),
    ...(traces.length > 0
      ? [`In your logs:\n\n${traces.map(([name, one]) => `- ${value(name)} ${value(one)}`).join("\n")}`]
      : []),
    "Answer:",
    fenced("http", capped(text, longestBody_chars)),
  ];
}
