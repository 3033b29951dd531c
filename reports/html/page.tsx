/** @jsxImportSource hono/jsx */
// A run as one HTML page that needs nothing else; it computes nothing.
import type { Child } from "hono/jsx";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { areaTitle, type Described } from "../described.ts";
import { groupedBy } from "../lists.ts";
import { headlineOf } from "../sentences.ts";
import { capped, shown } from "../text.ts";
import { callsOf, latenciesOf } from "../traffic.ts";
import { countedKind, countIn, kindOf, kinds, words } from "../words.ts";
import { Charges } from "./charges.tsx";
import { chartsOf } from "./charts.ts";
import { chosenOf } from "./choice.ts";
import { Coverage } from "./coverage.tsx";
import { documentOf } from "./document.tsx";
import { AllExchanges, longestListed_chars } from "./exchange.tsx";
import { Section } from "./figures.tsx";
import { type KillMatrix, killedBy } from "./killedBy.ts";
import { Kills } from "./kills.tsx";
import { Latencies } from "./latency.tsx";
import { Limits } from "./limits.tsx";
import { Load } from "./load.tsx";
import { Observations } from "./observations.tsx";
import { type Material, Requirement } from "./requirement.tsx";
import { script } from "./script.ts";
import { style } from "./style.ts";
import { moodOf, Summary } from "./summary.tsx";

interface Options {
  /** Shown beside the run. */
  readonly kills?: KillMatrix;
}

/** A section of the page, with its name in the table of contents; no content where the run has none of this. */
type PageSection = readonly [id: string, name: string, content: Child, title?: string];

/** One HTML document: it sends no request, and is complete without its script. */
export async function htmlOf(found: Run, described: Described, options: Options = {}): Promise<string> {
  const run = shown(found);
  const sections = await sectionsOf(run, described, options.kills ? shown(options.kills) : null);
  return documentOf(
    { title: `${headlineOf(run)} · ${capped(run.target.name, 100)} · Assay`, icon: moodOf(run), style, script },
    <>
      <a class="skip" href="#requirements">
        Skip to the requirements
      </a>
      <Summary run={run} />
      <main>
        <nav aria-label="Contents">
          <ul class="contents">
            {sections.map(([id, name]) => (
              <li>
                <a href={`#${id}`}>{name}</a>
              </li>
            ))}
          </ul>
        </nav>
        {sections.map(([id, name, content, title = name]) => (
          <Section id={id} title={title} tone={id === "exchanges" ? id : undefined}>
            {content}
          </Section>
        ))}
      </main>
      <footer>
        <p>
          Run <code>{capped(run.id, 200)}</code>. Keys are redacted: each is shown as its role. The same findings for
          programs are in <code>run.json</code>; clauses (§) are in Assay's {described.clauses.file}.
        </p>
      </footer>
    </>,
  );
}

async function sectionsOf(run: Run, described: Described, kills: KillMatrix | null): Promise<readonly PageSection[]> {
  const { audit, observations, load, exchanges } = run;
  const calls = callsOf(run);
  const latencies = latenciesOf(calls);
  const charts = await chartsOf(calls, kills);
  const chosen = chosenOf(run, longestListed_chars);
  const material = {
    clauses: described.clauses,
    exchanges: new Map(exchanges.map((exchange) => [exchange.number, exchange])),
    chosen,
    mutants: kills ? killedBy(kills) : new Map<string, readonly string[]>(),
  };
  const coverage = "Coverage: what was verified, and why the rest wasn't";
  const mutants = "Mutants of the reference platform: can each check fail?";
  const requirements = <Requirements run={run} described={described} material={material} />;
  const sections: readonly PageSection[] = [
    ["requirements", "Requirements", requirements, "Requirements by area"],
    ["coverage", "Coverage", <Coverage run={run} described={described} />, coverage],
    ["charges", "Charge audit", audit && <Charges audit={audit} />],
    ["observations", "Unspecified behaviour", observations.length > 0 && <Observations observations={observations} />],
    ["limits", "Requests over time", calls.length > 0 && <Limits calls={calls} svg={charts.timeline} />],
    ["latency", "Latency", latencies.length > 0 && <Latencies latencies={latencies} svg={charts.latency} />],
    ["load", "Under load", load && <Load load={load} />],
    ["kills", "Mutants", kills && <Kills kills={kills} described={described} svg={charts.kills} />, mutants],
    ["exchanges", "Exchanges", chosen.size > 0 && <AllExchanges exchanges={exchanges} chosen={chosen} />],
  ];
  return sections.filter(([, , content]) => Boolean(content));
}

interface RequirementsProps {
  readonly run: Run;
  readonly described: Described;
  readonly material: Material;
}

function Requirements({ run, described, material }: RequirementsProps) {
  const areas = groupedBy(run.requirements, ({ area }) => area);
  return (
    <>
      <Filter run={run} />
      {[...areas].map(([area, members]) => (
        <section class="area" aria-labelledby={`area-${area}`}>
          <h3 id={`area-${area}`}>
            {areaTitle(described, area)}{" "}
            <span class="fine">
              {area}: {tallyOf(members)}
            </span>
          </h3>
          {members.map((requirement) => (
            <Requirement requirement={requirement} material={material} />
          ))}
        </section>
      ))}
    </>
  );
}

const tallyOf = (members: readonly JudgedRequirement[]): string =>
  kinds
    .map((kind) => [kind, members.filter((one) => kindOf(one) === kind).length] as const)
    .flatMap(([kind, count]) => (count > 0 ? [countedKind(count, kind)] : []))
    .join(" · ");

/** Hidden until its script runs. */
function Filter({ run: { totals, requirements } }: { readonly run: Run }) {
  const present = kinds.filter((kind) => countIn(totals, kind) > 0);
  return (
    <search id="filter" hidden>
      <label for="wanted">Find</label>
      <input id="wanted" type="search" placeholder="id, word or clause" autocomplete="off" spellcheck={false} />
      <div role="group" aria-label="Verdict">
        <button type="button" data-kind="" aria-pressed="true">
          all {requirements.length}
        </button>
        {present.map((kind) => (
          <button type="button" data-kind={kind} aria-pressed="false">
            <span aria-hidden="true">{words[kind].sign}</span> {words[kind].one} {countIn(totals, kind)}
          </button>
        ))}
      </div>
      <output id="shown" for="wanted"></output>
    </search>
  );
}
