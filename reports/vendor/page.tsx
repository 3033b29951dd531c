/** @jsxImportSource hono/jsx */
// The report for a vendor as one HTML page that needs nothing else.
import type { Run } from "../../harness/record/run.ts";
import { documentOf } from "../html/document.tsx";
import { Answer, Command } from "../html/exchange.tsx";
import { Terms } from "../html/figures.tsx";
import { Places } from "../html/requirement.tsx";
import { style } from "../html/style.ts";
import { counted } from "../numbers.ts";
import { capped, shown } from "../text.ts";
import { type BreakingAnswer, type VendorFinding, vendorFindings } from "./findings.ts";
import { howToRead, requestLabel, seenText, vendorFacts, vendorHeadline } from "./words.ts";

const longest_chars = 300;
const longestBody_chars = 12_000;

/** One HTML document: it sends no request and has no script. */
export function vendorPageOf(found: Run): string {
  const run = shown(found);
  const findings = vendorFindings(run);
  const headline = vendorHeadline(findings);
  const name = capped(run.target.name, 100);
  return documentOf(
    { title: `${headline} · ${name}`, icon: findings.length > 0 ? "broken" : "inconclusive", style, script: null },
    <>
      <header>
        <p class="assay">A report for {name}</p>
        <h1 class={findings.length > 0 ? "broken" : "inconclusive"}>{headline}</h1>
        <Terms
          kind="facts"
          entries={vendorFacts(run).map(([term, text]) => [term, capped(text, longest_chars)] as const)}
        />
        <p class="plain">{howToRead(findings)}</p>
      </header>
      <main>
        {findings.map((finding, index) => (
          <Finding finding={finding} number={index + 1} />
        ))}
      </main>
      <footer>
        <p>Found by Assay {run.version}, which tests whether a platform keeps its published interface.</p>
      </footer>
    </>,
  );
}

function Finding({ finding, number }: { readonly finding: VendorFinding; readonly number: number }) {
  const { id, sentence, clause, answers, more } = finding;
  return (
    <section aria-labelledby={`finding-${number}`}>
      <h2 id={`finding-${number}`}>
        {number}. {sentence}
      </h2>
      <p class="fine">
        Clause {clause}; our reference {id}
        {seenText(finding) && `; ${seenText(finding)}`}
      </p>
      {answers.map((answer) => (
        <Shown answer={answer} />
      ))}
      {more > 0 ? <p class="fine">The same came in {counted(more, "further answer")}.</p> : null}
    </section>
  );
}

function Shown({ answer }: { readonly answer: BreakingAnswer }) {
  const { breaches, exchange, curl, traces } = answer;
  return (
    <div class="shown">
      <div>
        <Places breaches={breaches} />
        {exchange === null ? null : (
          <>
            <p class="label">{requestLabel(answer)}</p>
            <Command text={curl} />
            {traces.length > 0 ? (
              <>
                <p class="label">In your logs</p>
                <Terms
                  kind="breach"
                  entries={traces.map(([name, value]) => [name, <code>{capped(value, longest_chars)}</code>])}
                />
              </>
            ) : null}
          </>
        )}
      </div>
      {exchange === null ? null : (
        <Answer exchange={exchange} places={breaches.map(({ at }) => at)} longestBody_chars={longestBody_chars} />
      )}
    </div>
  );
}
