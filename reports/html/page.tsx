/** @jsxImportSource hono/jsx */
// A run as one HTML page that needs nothing else; it computes nothing.
import type { Child } from "hono/jsx";
import type { Run } from "../../harness/record/run.ts";
import type { Described } from "../described.ts";
import { SectionElement } from "../document/elements.tsx";
import { AllExchanges, longestListed_chars } from "../document/exchange.tsx";
import { documentOf } from "../document/frame.tsx";
import { style } from "../document/style.ts";
import { experimentsIn } from "../experiments.ts";
import { headlineOf } from "../sentences.ts";
import { capped, shown } from "../text.ts";
import { callsOf, latenciesOf, timelinesOf } from "../traffic.ts";
import { Charges } from "./charges.tsx";
import { chartsOf } from "./charts.ts";
import { chosenOf } from "./choice.ts";
import { Coverage } from "./coverage.tsx";
import { type KillMatrix, killedBy } from "./killedBy.ts";
import { Kills } from "./kills.tsx";
import { Latencies } from "./latency.tsx";
import { Limits } from "./limits.tsx";
import { Load } from "./load.tsx";
import { Observations } from "./observations.tsx";
import { Requirements } from "./requirements.tsx";
import { script } from "./script.ts";
import { moodOf, Summary } from "./summary.tsx";
import { Timeline } from "./timeline.tsx";

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
          <SectionElement id={id} title={title} tone={id === "exchanges" ? id : undefined}>
            {content}
          </SectionElement>
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
  const timelines = timelinesOf(calls, described.tables);
  const experiments = experimentsIn(run);
  const charts = await chartsOf(calls, timelines, kills, experiments);
  const chosen = chosenOf(run, longestListed_chars);
  const material = {
    clauses: described.clauses,
    exchanges: new Map(exchanges.map((exchange) => [exchange.number, exchange])),
    chosen,
    mutants: kills ? killedBy(kills) : new Map<string, readonly string[]>(),
  };
  const mutants = "Mutants of the reference platform: can each check fail?";
  const requirements = <Requirements run={run} described={described} material={material} />;
  const sections: readonly PageSection[] = [
    ["requirements", "Requirements", requirements, "Requirements, worst first"],
    ["coverage", "Coverage", <Coverage run={run} described={described} />, "Coverage by area"],
    ["charges", "Charge audit", audit && <Charges audit={audit} />],
    [
      "timeline",
      "Timeline",
      charts.features && <Timeline timelines={timelines} charts={charts} />,
      "Requests over the run",
    ],
    [
      "limits",
      "Limits",
      calls.length > 0 && (
        <Limits
          calls={calls}
          tables={described.tables}
          timeline={timelines.byLimit}
          svg={charts.limits}
          experiments={experiments}
          experimentsSvg={charts.experiments}
        />
      ),
      "Accepted and refused at each limit",
    ],
    ["latency", "Latency", latencies.length > 0 && <Latencies latencies={latencies} svg={charts.latency} />],
    ["load", "Under load", load && <Load load={load} />],
    [
      "observations",
      "Unspecified behaviour",
      observations.length > 0 && (
        <Observations observations={observations} unjudged={run.unjudged} described={described} />
      ),
    ],
    ["kills", "Mutants", kills && <Kills kills={kills} described={described} svg={charts.kills} />, mutants],
    ["exchanges", "Exchanges", chosen.size > 0 && <AllExchanges exchanges={exchanges} chosen={chosen} />],
  ];
  return sections.filter(([, , content]) => Boolean(content));
}
