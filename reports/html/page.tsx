/** @jsxImportSource hono/jsx */
// A run as one HTML page that needs nothing else; it computes nothing.
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { areaTitle, type Described } from "../described.ts";
import { groupedBy } from "../lists.ts";
import { headlineOf } from "../sentences.ts";
import { capped, shown } from "../text.ts";
import { type Call, callsOf, latenciesOf } from "../traffic.ts";
import { countedKind, kindOf, kinds, words } from "../words.ts";
import { Charges } from "./charges.tsx";
import { type Charts, chartsOf } from "./charts.ts";
import { chosenOf } from "./choice.ts";
import { Coverage } from "./coverage.tsx";
import { documentOf } from "./document.tsx";
import { AllExchanges, longestListed_chars } from "./exchange.tsx";
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

/** One HTML document: it sends no request, and is complete without its script. */
export async function htmlOf(found: Run, described: Described, options: Options = {}): Promise<string> {
  const run = shown(found);
  const kills = options.kills ? shown(options.kills) : null;
  const calls = callsOf(run);
  const charts = await chartsOf(calls, kills);
  return documentOf(
    { title: `${headlineOf(run)} · ${capped(run.target.name, 100)} · Assay`, icon: moodOf(run), style, script },
    <>
      <a class="skip" href="#requirements">
        Skip to the requirements
      </a>
      <Summary run={run} />
      <main>
        <Contents run={run} calls={calls} hasKills={kills !== null} />
        <Body run={run} described={described} calls={calls} kills={kills} charts={charts} />
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

interface BodyProps {
  readonly run: Run;
  readonly described: Described;
  readonly calls: readonly Call[];
  readonly kills: KillMatrix | null;
  readonly charts: Charts;
}

function Body({ run, described, calls, kills, charts }: BodyProps) {
  const chosen = chosenOf(run, longestListed_chars);
  const exchanges = new Map(run.exchanges.map((exchange) => [exchange.number, exchange]));
  return (
    <>
      <Requirements
        run={run}
        described={described}
        material={{ clauses: described.clauses, exchanges, chosen, mutants: kills ? killedBy(kills) : new Map() }}
      />
      <Coverage run={run} described={described} />
      <Charges run={run} />
      <Observations run={run} />
      <Limits calls={calls} svg={charts.timeline} />
      <Latencies calls={calls} svg={charts.latency} />
      <Load run={run} />
      <Kills kills={kills} described={described} svg={charts.kills} />
      <AllExchanges exchanges={run.exchanges} chosen={chosen} />
    </>
  );
}

/** Links to the sections that the page has. */
function Contents({
  run: { audit, observations, load },
  calls,
  hasKills,
}: Pick<BodyProps, "run" | "calls"> & { readonly hasKills: boolean }) {
  const sections: readonly (readonly [id: string, name: string, isThere: boolean])[] = [
    ["requirements", "Requirements", true],
    ["coverage", "Coverage", true],
    ["charges", "Charge audit", audit !== null],
    ["observations", "Unspecified behaviour", observations.length > 0],
    ["limits", "Requests over time", calls.length > 0],
    ["latency", "Latency", latenciesOf(calls).length > 0],
    ["load", "Under load", load !== undefined],
    ["kills", "Mutants", hasKills],
    ["exchanges", "Exchanges", calls.length > 0],
  ];
  return (
    <nav aria-label="Contents">
      <ul class="contents">
        {sections.map(([id, name, isThere]) =>
          isThere ? (
            <li>
              <a href={`#${id}`}>{name}</a>
            </li>
          ) : null,
        )}
      </ul>
    </nav>
  );
}

interface RequirementsProps extends Pick<BodyProps, "run" | "described"> {
  readonly material: Material;
}

function Requirements({ run, described, material }: RequirementsProps) {
  const areas = groupedBy(run.requirements, ({ area }) => area);
  return (
    <section aria-labelledby="requirements">
      <h2 id="requirements">Requirements by area</h2>
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
    </section>
  );
}

const tallyOf = (members: readonly JudgedRequirement[]): string =>
  kinds
    .map((kind) => [kind, members.filter((one) => kindOf(one) === kind).length] as const)
    .flatMap(([kind, count]) => (count > 0 ? [countedKind(count, kind)] : []))
    .join(" · ");

/** Hidden until its script runs. */
function Filter({ run: { totals, requirements } }: { readonly run: Run }) {
  const present = kinds.filter((kind) => totals[kind] > 0);
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
            <span aria-hidden="true">{words[kind].sign}</span> {words[kind].one} {totals[kind]}
          </button>
        ))}
      </div>
      <output id="shown" for="wanted"></output>
    </search>
  );
}
