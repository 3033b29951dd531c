// What a run says in a terminal: what is broken, as it falls and at the end, and the summary.
import { describeReason } from "../../harness/core/reason.ts";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { auditLine, expectedText } from "../audit.ts";
import { breachText, byCause } from "../breach.ts";
import { type Block, type Document, foreign, type List, paragraph, quoting } from "../document/document.ts";
import { type Paint, sentenceLine } from "../document/terminal.ts";
import { fewOf } from "../lists.ts";
import { loadAlone, loadSentences } from "../load.ts";
import { countsOf } from "../numbers.ts";
import {
  byReason,
  nextSteps,
  noticesOf,
  observedLine,
  type Reasoned,
  reasonsWorthALine,
  samplesLines,
  spentText,
} from "../sentences.ts";
import { capped, oneLine } from "../text.ts";
import { countedKind, countOfKind, type Kind, kindOf, presentIn, words } from "../words.ts";
import { exchangesByNumber, findingSection, findingTitle } from "./finding.ts";
import { runHead } from "./head.ts";
import { loadTexts } from "./load.ts";

/** Of a line that is told while a run goes on. */
const longestLive_chars = 160;
const mostReasons = 6;

type Fallen = Parameters<typeof findingTitle>[0] & Pick<JudgedRequirement, "breaches" | "reasons">;

/** A breach as it falls: the sentence, the first place that shows it, and how it differs from a known one. */
export function liveLines(
  judged: Fallen,
  exchange: { readonly title: string; readonly outcome: string } | undefined,
  paint: Paint,
): readonly string[] {
  const short = (text: string): string => capped(oneLine(text), longestLive_chars);
  const { breaches, reasons = [] } = judged;
  const [first] = breaches;
  const asked = exchange ? `${short(exchange.title)} → ${short(exchange.outcome)} · ` : "";
  return [
    sentenceLine(findingTitle(judged), paint),
    ...(first ? [`  ${asked}${breachText(first, short)}`] : []),
    ...reasons.map((reason) => `  ${short(describeReason(reason))}`),
  ];
}

/** @param folder of the run's report; null where it couldn't be written */
export const runDocument = (run: Run, folder: string | null): Document => ({
  ...runHead(run),
  sections: [...noticesOf(run).map((notice) => paragraph(quoting(notice), ".")), ...findingsIn(run)],
  first: [
    ...(run.preflight?.ended ? [] : summaryOf(run)),
    ...(folder === null ? [] : [paragraph("report ", quoting(`${folder}/index.html`))]),
  ],
});

/** What is broken, the worst first; what one answer shows at one place stands together. */
function findingsIn(run: Run): readonly Block[] {
  const ofKind = (kind: Kind) => run.requirements.filter((one) => kindOf(one) === kind && one.verdict === "broken");
  const exchanges = exchangesByNumber(run);
  const groups = (["broken", "warned"] as const).flatMap((kind) => byCause(run, ofKind(kind)));
  const noted = ofKind("noted").map((one) => {
    const outside = one.unselected ? [": outside --only, for information"] : [];
    return paragraph(...findingTitle(one), ...outside);
  });
  return [...groups.map((group) => findingSection(exchanges, group)), ...noted, ...knownLines(run)];
}

/** Known issues with why they are accepted and until when, and entries whose issue is fixed. */
const knownLines = ({ requirements }: Run): readonly Block[] =>
  (["deviates", "fixed"] as const).flatMap((kind) =>
    requirements
      .filter((one) => kindOf(one) === kind)
      .map((one) => paragraph(...findingTitle(one), ": ", quoting(one.reason ?? ""))),
  );

/** Counts, reasons of what was not tested, cost, and what to add. */
function summaryOf(run: Run): readonly Block[] {
  const { totals, unchecked, observations, unjudged, load, samples, remarks = [] } = run;
  const alone = loadAlone(run);
  const counts = presentIn(totals).map((kind) => ({ text: countedKind(countOfKind(totals, kind), kind), tone: kind }));
  return [
    paragraph(...counts.flatMap((count, nth) => (nth > 0 ? [" · ", count] : [count]))),
    ...(alone ? loadTexts(run, alone) : (load ? loadSentences(load) : []).map((text) => paragraph(quoting(text)))),
    { is: "list", items: reasonsWorthALine.flatMap((kind) => reasonItems(run, kind)) },
    paragraph(spentText(run)),
    ...auditBlocks(run),
    ...samplesLines(samples).map((text) => paragraph(quoting(text))),
    ...remarks.map((remark) => paragraph(quoting(remark))),
    ...(observations.length > 0 ? [paragraph(observedLine(observations, unjudged))] : []),
    ...countsOf([unchecked.length, "requirement of the register is", "requirements of the register are"]).map((some) =>
      paragraph(`${some} not yet checked by this version`),
    ),
    { is: "list", label: "What to add next", items: nextSteps(run).map((step) => [quoting(step)]) },
  ];
}

function auditBlocks(run: Run): readonly Block[] {
  const audit = auditLine(run);
  const differing = run.audit?.entries.filter(({ result }) => result === "differs") ?? [];
  return [
    ...(audit === null ? [] : [paragraph(quoting(audit))]),
    {
      is: "list",
      items: differing.map((entry) => [
        foreign(entry.project),
        ` ${entry.at}: expected ${expectedText(entry)} more, got ${entry.charged}`,
      ]),
    },
  ];
}

/** Counts stand one below another. */
const countColumn = (count: number): string => String(count).padStart(4);

function reasonItems(run: Run, kind: Reasoned): List["items"] {
  const groups = byReason(run, kind);
  const { shown, rest } = fewOf(groups, mostReasons);
  const items = shown.map(({ reason, requirements }) => [
    `${countColumn(requirements.length)} ${words[kind].one}: `,
    foreign(reason),
  ]);
  const count = groups.slice(shown.length).reduce((total, { requirements }) => total + requirements.length, 0);
  return rest === 0 ? items : [...items, [`${countColumn(count)} ${words[kind].one} for ${rest} other reasons`]];
}
