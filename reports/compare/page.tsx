/** @jsxImportSource hono/jsx */
// A comparison as one HTML page that needs nothing else; it computes nothing.
import { documentOf } from "../html/document.tsx";
import { Folded, Section, Table } from "../html/figures.tsx";
import { style as common } from "../html/style.ts";
import { numberText, whenText } from "../numbers.ts";
import { costOf } from "../sentences.ts";
import { capped, shown } from "../text.ts";
import { nameOf, signOf } from "../words.ts";
import type { Comparison, Measured, Pair, State } from "./comparison.ts";
import {
  type Section as Changes,
  headlineOf,
  headlineOfAll,
  marksOf,
  namesOf,
  reportedRows,
  sectionsOf,
  shiftText,
} from "./sections.ts";
import { isOfVendors, type Piece, type Wording, wordingOf } from "./wording.ts";

/** Of comparisons and histories. */
export const style = `${common}
.changes { padding: 0; }
.changes li { display: grid; grid-template-columns: 1.1rem minmax(0, 1fr); padding: .25rem 0; }
.changes li { border-bottom: 1px solid var(--line); }
.changes li > span:first-child { color: var(--tone); }
.matrix { border-collapse: collapse; width: 100%; overflow-wrap: normal; }
.matrix th, .matrix td { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; }
.matrix th, .matrix td { border-bottom: 1px solid var(--line); }
.matrix tbody th { font-weight: 400; overflow-wrap: anywhere; min-width: 10rem; }
.matrix thead th { color: var(--soft); font-size: .87rem; }
.matrix span[class] { color: var(--tone); white-space: nowrap; }
.matrix .fine { white-space: normal; }
section > details { margin-top: .4rem; }
`;

const longest_chars = 600;
const text = (some: string): string => capped(some, longest_chars);

const moods = { 0: "holds", 1: "broken", 3: "inconclusive" } as const;

/** One HTML document: it sends no request and has no script. */
export function pageOf(found: Comparison): string {
  const comparison = shown(found);
  const headline = headlineOfAll(comparison);
  const pairs = comparison.pairs.map((pair) => <PairSection comparison={comparison} pair={pair} />);
  const matrix = <Matrix comparison={comparison} />;
  return documentOf(
    { title: `${headline} · Assay`, icon: "comparison", style, script: null },
    <>
      <header>
        <p class="assay">Assay {comparison.version}, comparison</p>
        <h1 class={moods[comparison.exitCode]}>{headline}</h1>
        <Runs comparison={comparison} />
      </header>
      <main>{isOfVendors(comparison) ? [matrix, pairs] : [pairs, matrix]}</main>
      <footer>
        <p>
          {isOfVendors(comparison) ? "Every vendor is compared with A." : "Every run is compared with the first."} Keys
          are redacted. The same for programs is in <code>compare.json</code>.
        </p>
      </footer>
    </>,
  );
}

const Pieces = ({ pieces }: { readonly pieces: readonly Piece[] }) => (
  <>
    {pieces.map((piece) =>
      typeof piece === "string" ? piece : piece.isValue ? <code>{text(piece.text)}</code> : text(piece.text),
    )}
  </>
);

/** Sections, item by item. */
export const Changed = ({ sections }: { readonly sections: readonly Changes[] }) => (
  <>
    {sections.map(({ tone, title, sign, items }) => (
      <section class={tone}>
        <h3>{title}</h3>
        <ul class="changes">
          {items.map((pieces) => (
            <li>
              <span aria-hidden="true">{sign}</span>
              <span>
                <Pieces pieces={pieces} />
              </span>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </>
);

function Runs({ comparison }: { readonly comparison: Comparison }) {
  const marks = marksOf(comparison);
  return (
    <Table
      caption="Runs"
      isCaptionShown={false}
      kind="matrix"
      heads={["Run", "When", "Hold", "Broken", "Withheld", "Requests", "Spent"]}
      rows={comparison.runs.map(({ name, id, startedAt, totals, spent, complete }, index) => [
        <>
          {marks[index] ? `${marks[index]}: ` : ""}
          {text(name)} <span class="fine">{text(id)}</span>
        </>,
        `${whenText(startedAt)}${complete ? "" : ", cut short"}`,
        totals.holds,
        totals.broken,
        totals.withheld,
        numberText(spent.requests),
        costOf(spent),
      ])}
    />
  );
}

export function PairSection({ comparison, pair }: { readonly comparison: Comparison; readonly pair: Pair }) {
  const { runs, pairs } = comparison;
  const wording = wordingOf(runs, pair);
  const measuredHeads = measuredHeadsIn(wording);
  return (
    <section>
      {pairs.length > 1 ? (
        <h2>
          {text(namesOf(comparison)[pair.head] ?? "")}: {headlineOf(runs, pair)}
        </h2>
      ) : null}
      <Changed sections={sectionsOf(comparison, pair)} />
      <Details
        caption="Latency of served answers to the same requests, in ms"
        heads={measuredHeads}
        rows={pair.latency.map((one) => measuredRow(one.operation, one, "ms"))}
      />
      <Details
        caption="Slots behind the newest seen"
        heads={measuredHeads}
        rows={pair.freshness.map((one) => measuredRow(`${one.figure} of ${one.operation}`, one, "slots"))}
      />
      <Details caption="Rate limits as they were met" heads={limitHeads(wording)} rows={pair.limits.map(limitRow)} />
      <Details caption="Charged and expected" heads={chargeHeads(wording)} rows={pair.charges.map(chargeRow)} />
      {pair.notes.map((note) => (
        <p class="fine">{text(note)}</p>
      ))}
    </section>
  );
}

type Row = readonly (string | number)[];

interface DetailsProps {
  readonly caption: string;
  readonly heads: readonly string[];
  readonly rows: readonly Row[];
}

/** What was compared in numbers, changed or not. */
const Details = ({ caption, heads, rows }: DetailsProps) =>
  rows.length === 0 ? null : (
    <Folded summary={caption}>
      <Table
        caption={caption}
        isCaptionShown={false}
        heads={heads}
        rows={rows.map((row) => row.map((cell) => text(String(cell))))}
      />
    </Folded>
  );

const differs = (isReported: boolean): string => (isReported ? "differs" : "");

const shiftHead = "Shift, all intervals together 99 %";
const measuredHeadsIn = ({ heads }: Wording) => ["What", "Answers", ...heads("Median"), ...heads("p95"), shiftHead, ""];
function measuredRow(name: string, one: Measured, unit: string): Row {
  const { was, is, isReported } = one;
  return [name, is.count, was.median, is.median, was.p95, is.p95, shiftText(one, unit), differs(isReported)];
}

const limitHeads = ({ heads, there }: Wording) => [
  "Operation",
  ...heads("Most served in a second"),
  ...heads("Rate-limited"),
  `States${there}`,
];
function limitRow({ operation, wasMet: was, isMet: is, stated }: Pair["limits"][number]): Row {
  return [operation, was.mostServed, is.mostServed, was.throttled, is.throttled, stated.is.join(", ")];
}

const chargeHeads = ({ heads }: Wording) => {
  const [[charged, chargedNow], [expected, expectedNow]] = [heads("Charged"), heads("Expected")];
  return ["Project", "Counter", charged, expected, chargedNow, expectedNow, ""];
};
function chargeRow({ project, at, was, is, isReported }: Pair["charges"][number]): Row {
  return [project, at, was.charged ?? "–", was.spent, is.charged ?? "–", is.spent, differs(isReported)];
}

export function Matrix({ comparison }: { readonly comparison: Comparison }) {
  const rows = reportedRows(comparison);
  if (rows.length === 0) return null;
  const of = isOfVendors(comparison) ? "vendor" : "run";
  return (
    <Section id="matrix" title={`Requirement by ${of}, worst first`}>
      <p class="fine">What holds everywhere, or is withheld everywhere, is left out.</p>
      <Table
        caption={`Requirement by ${of}`}
        isCaptionShown={false}
        kind="matrix"
        heads={["Requirement", ...namesOf(comparison).map(text)]}
        rows={rows.map(({ id, sentence, clause, kinds }) => [
          <>
            <code>{text(id)}</code> {text(sentence)} <span class="fine">{text(clause)}</span>
          </>,
          ...kinds.map((kind) => <KindCell kind={kind} />),
        ])}
      />
    </Section>
  );
}

/** What a requirement is. */
export const KindCell = ({ kind }: Pick<State, "kind">) =>
  kind === "absent" ? (
    <span class="none">{nameOf(kind)}</span>
  ) : (
    <span class={kind}>
      <span aria-hidden="true">{signOf(kind)}</span> {nameOf(kind)}
    </span>
  );
