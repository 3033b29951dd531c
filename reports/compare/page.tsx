/** @jsxImportSource hono/jsx */
// What did runs find otherwise, on one page that needs nothing else? A view of a comparison: it computes nothing.
import { createHash } from "node:crypto";
import { Head } from "../html/head.tsx";
import { style as common } from "../html/style.ts";
import { capped, shown } from "../text.ts";
import { costOf, words } from "../words.ts";
import type { Comparison, Measured, Pair, State } from "./comparison.ts";
import { headlineOf, headlineOfAll, type Piece, sectionsOf, shiftText, tellingRows, whenText } from "./sections.ts";

/** Hashed into the page's policy as it stands; contains no `</`. */
const style = `${common}
.changes { padding: 0; } .changes li { display: grid; grid-template-columns: 1.1rem minmax(0, 1fr); padding: .25rem 0; border-bottom: 1px solid var(--line); }
.changes li > span:first-child { color: var(--tone); }
.matrix { border-collapse: collapse; margin-top: .6rem; width: 100%; } .matrix th, .matrix td { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid var(--line); }
.matrix th, .matrix td { overflow-wrap: normal; } section > details { margin-top: .4rem; } .matrix tbody th { font-weight: 400; overflow-wrap: anywhere; min-width: 10rem; }
.matrix td[class] { white-space: nowrap; }
.matrix thead th, .matrix caption { color: var(--soft); font-size: .87rem; } .matrix caption { text-align: left; } .matrix td { color: var(--tone, inherit); } .matrix .figure { text-align: right; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; }
`;

/** Nothing is run, and nothing but our own constant is applied, whatever a platform puts into its answers. */
const policy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; img-src data:; base-uri 'none'; form-action 'none'`;

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M3 6h10M3 10h10M11 2L5 14' stroke='%23888' stroke-width='2'/%3E%3C/svg%3E";

const longest_chars = 600;
const text = (some: string): string => capped(some, longest_chars);

/** One HTML document: no request leaves it, and it has no script. */
export function pageOf(found: Comparison): string {
  const comparison = shown(found);
  const headline = headlineOfAll(comparison);
  const page = (
    <html lang="en-GB">
      <Head title={`${headline} · Assay`} policy={policy} icon={icon} style={style} />
      <body>
        <header>
          <p class="assay">Assay {comparison.version}, comparison</p>
          <h1 class={moods[comparison.exitCode]}>{headline}</h1>
          <Runs comparison={comparison} />
        </header>
        <main>
          {comparison.pairs.map((pair) => (
            <PairSection comparison={comparison} pair={pair} />
          ))}
          <Matrix comparison={comparison} />
        </main>
        <footer>
          <p>
            Every run is compared with the first. Keys are redacted. The same for programs is in{" "}
            <code>compare.json</code>.
          </p>
        </footer>
      </body>
    </html>
  );
  if (page instanceof Promise) throw new Error("a part of the page is asynchronous");
  return `<!doctype html>\n${page.toString()}\n`;
}

const moods = { 0: "holds", 1: "broken", 3: "inconclusive" } as const;

const Pieces = ({ pieces }: { readonly pieces: readonly Piece[] }) => (
  <>
    {pieces.map((piece) =>
      typeof piece === "string" ? piece : piece.isValue ? <code>{text(piece.text)}</code> : text(piece.text),
    )}
  </>
);

function Runs({ comparison: { runs } }: { readonly comparison: Comparison }) {
  return (
    <div class="wide">
      <table class="matrix">
        <thead>
          <tr>
            {["Run", "When", "Hold", "Broken", "Withheld", "Requests", "Spent"].map((name) => (
              <th scope="col">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {runs.map(({ name, id, startedAt, totals, spent, complete }, index) => (
            <tr>
              <th scope="row">
                {index === 0 ? "base: " : ""}
                {text(name)} <span class="fine">{text(id)}</span>
              </th>
              <td>
                {whenText(startedAt)}
                {complete ? "" : ", cut short"}
              </td>
              <td>{totals.holds}</td>
              <td>{totals.broken}</td>
              <td>{totals.withheld}</td>
              <td>{spent.requests.toLocaleString("en-GB")}</td>
              <td>{costOf(spent)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function PairSection({ comparison, pair }: { readonly comparison: Comparison; readonly pair: Pair }) {
  const { runs, pairs } = comparison;
  const tone = {
    broken: "broken",
    elsewhere: "broken",
    unjudged: "withheld",
    mended: "holds",
    verified: "holds",
  } as const;
  return (
    <section>
      {pairs.length > 1 ? (
        <h2>
          {text(runs[pair.head]?.name ?? "")}: {headlineOf(pair)}
        </h2>
      ) : null}
      {sectionsOf(comparison, pair).map(({ name, title, sign, items }) => (
        <section class={name in tone ? tone[name as keyof typeof tone] : "noted"}>
          <h3>{title}</h3>
          <ul class="changes">
            {items.map(({ pieces }) => (
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
      <MeasuredTable
        caption="Latency of served answers to the same questions, in ms"
        unit="ms"
        rows={pair.latency.map((one) => ({ ...one, name: one.operation }))}
      />
      <MeasuredTable
        caption="Slots behind the newest seen"
        unit="slots"
        rows={pair.freshness.map((one) => ({ ...one, name: `${one.figure} of ${one.operation}` }))}
      />
      <Limits pair={pair} />
      <Charges pair={pair} />
      {pair.notes.map((note) => (
        <p class="fine">{text(note)}</p>
      ))}
    </section>
  );
}

interface MeasuredTableProps {
  readonly caption: string;
  readonly unit: string;
  readonly rows: readonly (Measured & { readonly name: string })[];
}

function MeasuredTable({ caption, unit, rows }: MeasuredTableProps) {
  if (rows.length === 0) return null;
  return (
    <details>
      <summary>{caption}</summary>
      <div class="wide">
        <table class="matrix">
          <thead>
            <tr>
              {[
                "What",
                "Answers",
                "Median before",
                "Median now",
                "95th percentile before",
                "95th percentile now",
                "Shift, all intervals together 99 %",
                "",
              ].map((name) => (
                <th scope="col">{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((one) => (
              <tr>
                <th scope="row">{text(one.name)}</th>
                {[one.is.count, one.was.median, one.is.median, one.was.p95, one.is.p95].map((value) => (
                  <td class="figure">{value}</td>
                ))}
                <td class="figure">{shiftText(one, unit)}</td>
                <td>{one.isReported ? "moved" : ""}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function Limits({ pair: { limits } }: { readonly pair: Pair }) {
  if (limits.length === 0) return null;
  return (
    <details>
      <summary>Limits as they were met</summary>
      <div class="wide">
        <table class="matrix">
          <thead>
            <tr>
              {[
                "Operation",
                "Most served in a second before",
                "Now",
                "Refused for our rate before",
                "Now",
                "States",
              ].map((name) => (
                <th scope="col">{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {limits.map(({ operation, wasMet, isMet, stated }) => (
              <tr>
                <th scope="row">{text(operation)}</th>
                {[wasMet.mostServed, isMet.mostServed, wasMet.throttled, isMet.throttled].map((value) => (
                  <td class="figure">{value}</td>
                ))}
                <td>{text(stated.is.join(", "))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function Charges({ pair: { charges } }: { readonly pair: Pair }) {
  if (charges.length === 0) return null;
  return (
    <details>
      <summary>What was charged for what was spent</summary>
      <div class="wide">
        <table class="matrix">
          <thead>
            <tr>
              {["Project", "Figure", "Charged before", "Spent before", "Charged now", "Spent now", ""].map((name) => (
                <th scope="col">{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {charges.map(({ project, at, was, is, isReported }) => (
              <tr>
                {[
                  project,
                  at,
                  was.charged ?? "–",
                  was.spent,
                  is.charged ?? "–",
                  is.spent,
                  isReported ? "moved" : "",
                ].map((value) => (
                  <td>{text(value)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function Matrix({ comparison }: { readonly comparison: Comparison }) {
  const rows = tellingRows(comparison);
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="matrix">
      <h2 id="matrix">Requirement by run, worst first</h2>
      <p class="fine">What holds everywhere, or is withheld everywhere, is left out.</p>
      <div class="wide">
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">Requirement</th>
              {comparison.runs.map(({ name }) => (
                <th scope="col">{text(name)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, sentence, clause, kinds }) => (
              <tr>
                <th scope="row">
                  <code>{text(id)}</code> {text(sentence)} <span class="fine">{text(clause)}</span>
                </th>
                {kinds.map((kind) => (
                  <Cell kind={kind} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const Cell = ({ kind }: Pick<State, "kind">) =>
  kind === "absent" ? (
    <td class="none">not planned</td>
  ) : (
    <td class={kind}>
      <span aria-hidden="true">{words[kind].sign}</span> {words[kind].one}
    </td>
  );
