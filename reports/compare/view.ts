// What a comparison says, in the words of wording.ts.
import {
  type Block,
  code,
  comparedMoods,
  type Document,
  foreign,
  isEmpty,
  linkTargetsIn,
  note,
  paragraph,
  type Section,
  type Sentence,
  sectionOf,
  sentenceOf,
  type TextSpan,
  verdictSpan,
} from "../document/document.ts";
import { counted, countsOf, numberText, whenText } from "../numbers.ts";
import { vendorScorecardBlocks } from "../scorecard/view.ts";
import { creditsText } from "../sentences.ts";
import { shown } from "../text.ts";
import { countOfKind, signOf } from "../words.ts";
import type { Comparison, Pair } from "./comparison.ts";
import { wereTogether } from "./freshness.ts";
import { comparisonHeadline, pairHeadline, reportedOf } from "./headline.ts";
import {
  brokenItem,
  chargeItem,
  driftItem,
  freshnessItem,
  knownItem,
  latencyItems,
  limitItem,
  mutedItem,
  shapeItem,
  stateItem,
} from "./items.ts";
import { differentLoads, exceededIn, exceededItem, loadSections } from "./loadView.ts";
import { measuredTables, quietItems } from "./measuredView.ts";
import { differenceLines, scoreHeadline } from "./scoreView.ts";
import { matrixAnchor, pairAnchor, runScorecard } from "./vendorRows.ts";
import { type ChangesTitle, isOfVendors, letterOf, type Wording, wordingOf } from "./wording.ts";

export function comparisonDocument(found: Comparison): Document {
  const comparison = shown(found);
  const { pairs, exitCode, version } = comparison;
  const areVendors = isOfVendors(comparison);
  const changes = pairs.flatMap((pair) => pairSections(comparison, pair));
  const matrix = matrixSection(comparison);
  const [only] = pairs.length === 1 ? pairs : [];
  const scores = only ? scoreBlocks(comparison, only) : [];
  const sections = areVendors ? [...matrix, ...changes] : [...changes, ...matrix];
  return {
    kind: `Assay ${version}, comparison`,
    headline: comparisonHeadline(comparison),
    mood: scores.length > 0 ? "none" : comparedMoods[exitCode],
    icon: "comparison",
    first: [...vendorsIn(comparison, linkTargetsIn(sections)), ...scores, ...runsIn(comparison)],
    sections,
    foot: [
      areVendors ? "Every vendor is compared with A." : "Every run is compared with the first.",
      " Keys are redacted. The same for programs is in ",
      code("compare.json"),
      ".",
    ],
    more: "The HTML and JSON of this comparison have more.",
  };
}

/** All vendors in one table; none where runs are of one. */
function vendorsIn(comparison: Comparison, anchors: ReadonlySet<string>): Document["first"] {
  const { runs, pairs, vendors } = comparison;
  if (!vendors) return [];
  const scorecard = runScorecard(
    comparison,
    runs.map(({ name }) => name),
  );
  const [base] = runs;
  const isApart =
    pairs.every(({ load }) => !load) && runs.some((run) => base !== undefined && !wereTogether(base, run));
  const isTimed = vendors.some(({ latency }) => latency !== null);
  const remarks: readonly Sentence[] = [
    ...(isApart && isTimed ? [["The runs didn't overlap in time, so latency may differ for that, too."]] : []),
    [code("assay panel"), " finds who is wrong, stale or goes back, and what a mix of calls costs."],
  ];
  return vendorScorecardBlocks(scorecard, anchors, { heads: runNamesOf(comparison), remarks });
}

function runsIn(comparison: Comparison): Document["first"] {
  const { runs } = comparison;
  const marks = marksOf(comparison).map((mark) => (mark ? `${mark}: ` : ""));
  return [
    { is: "list", only: "text", fewest: 3, items: runs.map((run, index) => [marks[index] ?? "", ...runLine(run)]) },
    {
      is: "table",
      only: "page",
      caption: "Runs",
      kind: "few",
      heads: ["Run", "When", "Passed", "Broken", "Not tested", "Requests", "Spent"],
      rows: runs.map((run, index) => [
        [marks[index] ?? "", foreign(run.name), " ", { text: run.id, as: "aside" }],
        `${whenText(run.startedAt)}${run.complete ? "" : ", cut short"}`,
        run.totals.holds,
        run.totals.broken,
        countOfKind(run.totals, "withheld"),
        numberText(run.spent.requests),
        creditsText(run.spent),
      ]),
    },
  ];
}

/** What one pair shows: the changes, what was measured, and what couldn't be compared. */
export function pairSections(comparison: Comparison, pair: Pair): readonly Block[] {
  const { runs, pairs } = comparison;
  const wording = wordingOf(runs, pair);
  const blocks = [
    ...(pairs.length > 1 ? scoreBlocks(comparison, pair) : []),
    ...differentLoads(pair, wording),
    ...pairChanges(comparison, pair),
    ...loadSections(pair, wording),
    ...measuredTables(wording, pair),
  ];
  const items = [...quietItems(wording, pair), ...pair.notes.map((text) => [foreign(text)])];
  const notes = sectionOf(["Notes"], { is: "list", items });
  if (pairs.length > 1) {
    const headline = pair.scorecard ? foreign(scoreHeadline(runs, pair, pair.scorecard)) : pairHeadline(runs, pair);
    const title = [foreign(runNamesOf(comparison)[pair.head] ?? ""), ": ", headline];
    return [{ ...sectionOf(title, ...blocks, notes), id: pairAnchor(pair.head) }];
  }
  return [...blocks, notes];
}

/** Who is better in what, and what the exit code says; none but of two vendors. */
function scoreBlocks({ runs }: Pick<Comparison, "runs">, pair: Pair): readonly Block[] {
  const { scorecard } = pair;
  if (!scorecard) return [];
  const verdict = paragraph(`${pairHeadline(runs, pair)}.`);
  // In Markdown, which is short, the headline says it.
  const lines = (["page", "terminal"] as const).map((only) => ({ ...differenceLines(runs, pair, scorecard), only }));
  return [...lines, verdict];
}

/** What differs between runs, the worst first; none where nothing does. */
export function matrixSection(comparison: Comparison): readonly Section[] {
  const rows = reportedRows(comparison);
  const areVendors = isOfVendors(comparison);
  const caption = `Requirement by ${areVendors ? "vendor" : "run"}`;
  if (rows.length === 0) return [];
  const left = comparison.matrix.length - rows.length;
  return [
    {
      is: "section",
      title: [`${caption}, worst first`],
      id: matrixAnchor,
      // Of two runs, the changes say it.
      ...(areVendors || comparison.pairs.length > 1 ? {} : { only: "page" }),
      blocks: [
        {
          is: "table",
          caption,
          // Of vendors, it says most.
          fewest: areVendors ? 12 : 0,
          kind: "matrix",
          heads: ["Requirement", ...runNamesOf(comparison)],
          rows: rows.map(({ id, sentence, clause, kinds }) => [
            [code(id), " ", foreign(sentence), " ", { text: clause, as: "aside" }],
            ...kinds.map((kind) => [verdictSpan(kind)]),
          ]),
        },
        ...countsOf([left, "requirement is", "requirements are"]).map((some) =>
          note(`${some} left out: passed everywhere, or tested nowhere.`),
        ),
      ],
    },
  ];
}

/** One kind of change, item by item. */
export function changesSection<One>(
  [tone, title]: ChangesTitle,
  all: readonly One[],
  itemOf: (one: One) => Sentence,
): Section {
  const sign = tone === "noted" ? "≠" : signOf(tone);
  return { ...sectionOf([title], { is: "list", sign, items: all.map(itemOf) }), tone };
}

/** The sections of one pair that hold something, worst first. */
export function pairChanges({ runs }: Pick<Comparison, "runs">, pair: Pair): readonly Section[] {
  const { broken, brokenElsewhere, fixed, known = [], unjudged, ...rest } = pair.requirements;
  const { verified, narrower, wider, muted = [] } = rest;
  const wording = wordingOf(runs, pair);
  const { titles } = wording;
  const withWording =
    <One>(itemOf: (one: One, wording: Wording) => Sentence) =>
    (one: One): Sentence =>
      itemOf(one, wording);
  const state = withWording(stateItem);
  return [
    changesSection(titles.broken, broken, withWording(brokenItem)),
    changesSection(["narrowed", "Broken, but flaky"], muted, mutedItem),
    changesSection(titles.elsewhere, brokenElsewhere, withWording(brokenItem)),
    changesSection(["broken", "Beyond the bound"], exceededIn(pair), (ratio) =>
      exceededItem(ratio, wording, pair.bound?.times ?? 1),
    ),
    changesSection(titles.unjudged, unjudged, state),
    changesSection(titles.narrower, narrower, state),
    changesSection(titles.fixed, fixed, state),
    changesSection(titles.known, known, knownItem),
    changesSection(titles.verified, verified, state),
    changesSection(titles.wider, wider, state),
    changesSection(titles.drifts, pair.observations, (drift) =>
      driftItem(drift, wording, wording.isOfVendors ? null : (runs[drift.firstSeen.run]?.name ?? "")),
    ),
    changesSection(titles.shapes, pair.shapes, withWording(shapeItem)),
    changesSection(
      ["noted", "Latency"],
      latencyItems(reportedOf(pair.latency), pair.latency.length, wording),
      (item) => item,
    ),
    changesSection(["noted", "Stated rate limits"], reportedOf(pair.limits), withWording(limitItem)),
    changesSection(["noted", "Charges"], reportedOf(pair.charges), withWording(chargeItem)),
    changesSection(["noted", "Freshness"], reportedOf(pair.freshness), withWording(freshnessItem)),
  ].filter((section) => !isEmpty(section));
}

const inPart = ({ narrowed }: Comparison["runs"][number]["totals"]): string =>
  narrowed > 0 ? ` (${numberText(narrowed)} in part)` : "";

/** What stands before each run in the list of them: `base`, or the letters of vendors. */
export const marksOf = ({ runs, pairs }: Pick<Comparison, "runs" | "pairs">): readonly string[] =>
  runs.map((_, index) => (isOfVendors({ runs, pairs }) ? letterOf(index) : index === 0 ? "base" : ""));

/** Each run by its name; a vendor by its letter as well. */
export const runNamesOf = ({ runs, pairs }: Pick<Comparison, "runs" | "pairs">): readonly string[] =>
  runs.map(({ name }, index) => (isOfVendors({ runs, pairs }) ? `${letterOf(index)} ${name}` : name));

/** One of the runs. */
export const runLine = (run: Comparison["runs"][number]): readonly TextSpan[] => {
  const { name, startedAt, totals, spent, complete } = run;
  return [
    ...sentenceOf`${foreign(name)}, ${foreign(whenText(startedAt))}`,
    `: ${numberText(totals.holds)} passed${inPart(totals)}, ${totals.broken} broken, `,
    `${countOfKind(totals, "withheld")} not tested; `,
    `${counted(spent.requests, "request")}, ${creditsText(spent)}${complete ? "" : "; cut short"}`,
  ];
};

/** Rows of the matrix, without those that passed in every run, in part or whole, or were tested in none. */
export const reportedRows = ({ matrix }: Pick<Comparison, "matrix">): Comparison["matrix"] =>
  matrix.filter(
    ({ kinds }) =>
      new Set(kinds).size > 1 ||
      !["holds", "narrowed", "withheld", "untestable", "absent"].includes(kinds[0] ?? "holds"),
  );
