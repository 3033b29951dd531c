// A scorecard as one table, with a sentence for each vendor.
import {
  type Block,
  foreign,
  type List,
  note,
  type Sentence,
  type Text,
  type TextTable,
} from "../document/document.ts";
import { listedTogether } from "../lists.ts";
import { capped } from "../text.ts";
import type { Criterion, VendorCell, VendorScorecard } from "./scorecard.ts";

/** What a vendor is best or worst in. */
const inWords: { readonly [criterion in Criterion]: string } = {
  wrong: "wrong answers",
  stale: "freshness",
  backwards: "going back",
  p50: "p50",
  p95: "p95",
  refusals: "refusals",
  conformance: "conformance",
  limits: "limits",
  price: "price",
  charges: "credits",
};

/** As long as a column and a sentence can bear. */
const longestName_chars = 60;

/** `acme is best in price and p50, worst in p95`; best of a few where the criterion isn't known of all. */
function standoutSentence({ names, rows }: VendorScorecard, vendor: number): Sentence {
  const name: Text = { text: capped(names[vendor] ?? "", longestName_chars), as: "strong" };
  const parts = (["best", "worst"] as const).flatMap((rank) => {
    const those = rows.flatMap(({ criterion, cells }) => {
      const known = cells.filter((cell) => cell?.isCompared).length;
      if (cells[vendor]?.rank !== rank) return [];
      return known < cells.length ? `${inWords[criterion]} (of ${known})` : inWords[criterion];
    });
    return those.length > 0 ? [`${rank} in ${listedTogether(those)}`] : [];
  });
  return parts.length > 0 ? [name, ` is ${parts.join(", ")}`] : ["nothing sets ", name, " apart"];
}

const marks = { best: { sign: "✓", tone: "holds" }, worst: { sign: "▼", tone: "warned" } } as const;

function cellText({ text, tone, rank, evidence }: VendorCell, anchors: ReadonlySet<string>): Text {
  const anchor = evidence.find((one) => anchors.has(one));
  const mark = tone === "broken" ? { sign: "✗", tone } : rank === null ? {} : marks[rank];
  return { text, ...mark, ...(anchor === undefined ? {} : { to: `#${anchor}` }) };
}

/** Each is cut by itself. */
const joined = (texts: readonly string[]): Sentence =>
  texts.flatMap((text, nth) => [...(nth === 0 ? [] : ["; "]), foreign(text)]);

/** Where cells are chips, it isn't shown. */
export const nothingKnown: Text = { text: "–", tone: "none" };

interface Beside {
  /** Names as the rest of the view has them. */
  readonly heads?: readonly string[];
  /** What else must be known of the figures. */
  readonly remarks?: readonly Sentence[];
}

/**
 * The table with what isn't known in its last row, which the terminal, being narrow, has below it.
 * @param anchors what evidence can lead to
 */
export function vendorScorecardBlocks(
  scorecard: VendorScorecard,
  anchors: ReadonlySet<string>,
  { heads = scorecard.names, remarks = [] }: Beside,
): readonly Block[] {
  const { names, rows, unknown } = scorecard;
  const cellOf = (cell: VendorCell | null): Sentence => [cell === null ? nothingKnown : cellText(cell, anchors)];
  const table: TextTable = {
    is: "table",
    caption: "Scorecard",
    kind: "chips",
    fewest: 12,
    heads: ["", ...heads.map((head) => capped(head, longestName_chars))],
    rows: rows.map(({ label, cells }) => [label, ...cells.map(cellOf)]),
  };
  const [first = [], ...others] = unknown;
  const ofAll = first.filter((text) => others.every((texts) => texts.includes(text)));
  const own = unknown.map((texts) => texts.filter((text) => !ofAll.includes(text)));
  const last = own.every(({ length }) => length === 0) ? [] : [["not known", ...own.map(joined)]];
  const missing: List = {
    is: "list",
    only: "terminal",
    label: "Not known",
    items: own.flatMap((texts, vendor) =>
      texts.length === 0 ? [] : [[foreign(names[vendor] ?? ""), ": ", ...joined(texts)]],
    ),
  };
  const isRanked = rows.some(({ cells }) => cells.some((cell) => cell !== null && cell.rank !== null));
  const sentences: readonly Sentence[] = [
    ...(isRanked ? [["✓ best and ▼ worst, where the figures tell a vendor apart from every other."]] : []),
    ...(ofAll.length > 0 ? [["Not known of any: ", ...joined(ofAll), "."]] : []),
    ...remarks,
  ];
  return [
    ...(["page", "markdown"] as const).map((only) => ({ ...table, only, rows: [...table.rows, ...last] })),
    { ...table, only: "terminal" },
    missing,
    { is: "list", fewest: names.length, items: names.map((_, vendor) => standoutSentence(scorecard, vendor)) },
    ...(sentences.length > 0 ? [note(...sentences.flatMap((one, nth) => (nth === 0 ? one : [" ", ...one])))] : []),
  ];
}
