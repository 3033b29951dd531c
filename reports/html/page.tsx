/** @jsxImportSource hono/jsx */
// What did a run find, on one page that needs nothing else? A view of a run: it computes nothing.
import { createHash } from "node:crypto";
import { raw } from "hono/html";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { areaTitle, type Described } from "../described.ts";
import { capped, shown } from "../text.ts";
import { type Call, callsOf, latenciesOf } from "../traffic.ts";
import { counted, headlineOf, kindOf, kinds, words } from "../words.ts";
import { Charges } from "./charges.tsx";
import { type Charts, chartsOf } from "./charts.ts";
import { chosenOf } from "./choice.ts";
import { Coverage } from "./coverage.tsx";
import { AllExchanges, longestListed_chars } from "./exchange.tsx";
import { Head } from "./head.tsx";
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

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Nothing but our own two constants is run or applied, whatever a platform puts into its answers. */
const policy = `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; img-src data:; base-uri 'none'; form-action 'none'`;

const icons = {
  broken:
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M3 3l10 10M13 3L3 13' stroke='%23c0392b' stroke-width='3'/%3E%3C/svg%3E",
  holds:
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M2 8l4 5 8-10' fill='none' stroke='%23258a4e' stroke-width='3'/%3E%3C/svg%3E",
  inconclusive:
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M3 8h10' stroke='%23888' stroke-width='3'/%3E%3C/svg%3E",
} as const;

interface Options {
  /** What `assay mutants --json` found, to be shown beside the run. */
  readonly kills?: KillMatrix;
}

/** One HTML document: no request leaves it, and it reads whole without script. */
export async function htmlOf(found: Run, described: Described, options: Options = {}): Promise<string> {
  const run = shown(found);
  const kills = options.kills ? shown(options.kills) : null;
  const calls = callsOf(run);
  const charts = await chartsOf(calls, kills);
  const page = (
    <html lang="en-GB">
      <Head
        title={`${headlineOf(run)} · ${capped(run.target.name, 100)} · Assay`}
        policy={policy}
        icon={icons[moodOf(run)]}
        style={style}
      />
      <body>
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
            Run <code>{capped(run.id, 200)}</code>. Keys are redacted: each is shown as the role that holds it. The same
            findings for programs are in <code>run.json</code>.
          </p>
        </footer>
        <script>{raw(script)}</script>
      </body>
    </html>
  );
  if (page instanceof Promise) throw new Error("a part of the page is asynchronous");
  return `<!doctype html>\n${page.toString()}\n`;
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
        material={{ exchanges, chosen, mutants: kills ? killedBy(kills) : new Map() }}
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

/** Where to read on; what isn't on the page isn't named. */
function Contents({
  run: { audit, observations, load },
  calls,
  hasKills,
}: Pick<BodyProps, "run" | "calls"> & { readonly hasKills: boolean }) {
  const sections: readonly (readonly [id: string, name: string, isThere: boolean])[] = [
    ["requirements", "Requirements", true],
    ["coverage", "Coverage", true],
    ["charges", "Charges", audit !== null],
    ["observations", "Open points", observations.length > 0],
    ["limits", "Limits", calls.length > 0],
    ["latency", "Latency", latenciesOf(calls).length > 0],
    ["load", "Under load", load !== undefined],
    ["kills", "Lies found", hasKills],
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
  const areas = new Map<string, JudgedRequirement[]>();
  for (const requirement of run.requirements)
    areas.set(requirement.area, [...(areas.get(requirement.area) ?? []), requirement]);
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
    .flatMap(([kind, count]) => (count > 0 ? [counted(count, words[kind].one, words[kind].many)] : []))
    .join(" · ");

/** Hidden until the script that drives it runs. */
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
