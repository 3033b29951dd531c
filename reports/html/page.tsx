/** @jsxImportSource hono/jsx */
// What did a run find, on one page that needs nothing else? A view of a run: it computes nothing.
import { createHash } from "node:crypto";
import { raw } from "hono/html";
import type { JudgedRequirement, Run } from "../../harness/run.ts";
import { capped, shown } from "../text.ts";
import { counted, headlineOf, kindOf, kinds, withheldByReason, words } from "../words.ts";
import { Charges } from "./charges.tsx";
import { AllExchanges } from "./exchange.tsx";
import { Load } from "./load.tsx";
import { Observations } from "./observations.tsx";
import { type Exchanges, Requirement } from "./requirement.tsx";
import { script } from "./script.ts";
import { style } from "./style.ts";
import { moodOf, Summary } from "./summary.tsx";

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Nothing but our own two constants is run or applied, whatever a platform puts into its answers. */
const policy = `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; img-src data:; base-uri 'none'; form-action 'none'`;

/** Browsers ask the server for an icon unless the page names one. */
const icons = {
  broken: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M3 3l10 10M13 3L3 13' stroke='%23c0392b' stroke-width='3'/%3E%3C/svg%3E",
  holds:
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M2 8l4 5 8-10' fill='none' stroke='%23258a4e' stroke-width='3'/%3E%3C/svg%3E",
  inconclusive: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M3 8h10' stroke='%23888' stroke-width='3'/%3E%3C/svg%3E",
} as const;

/** One HTML document: no request leaves it, and it reads whole without script. */
export function htmlOf(found: Run): string {
  const run = shown(found);
  const page = (
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>{`${headlineOf(run)} · ${capped(run.target.name, 100)} · Assay`}</title>
        <link rel="icon" href={icons[moodOf(run)]} />
        <style>{raw(style)}</style>
      </head>
      <body>
        <a class="skip" href="#requirements">
          Skip to the requirements
        </a>
        <Summary run={run} />
        <main>
          <Load run={run} />
          <Requirements run={run} />
          <Withheld run={run} />
          <Unchecked run={run} />
          <Charges run={run} />
          <Observations run={run} />
          <AllExchanges exchanges={run.exchanges} />
        </main>
        <footer>
          <p>
            Run <code>{capped(run.id, 200)}</code>. Keys are redacted: each is shown as the role that holds it. The same findings for programs are in <code>run.json</code>.
          </p>
        </footer>
        <script>{raw(script)}</script>
      </body>
    </html>
  );
  if (page instanceof Promise) throw new Error("a part of the page is asynchronous");
  return `<!doctype html>\n${page.toString()}\n`;
}

function Requirements({ run }: { readonly run: Run }) {
  const exchanges: Exchanges = new Map(run.exchanges.map((exchange) => [exchange.number, exchange]));
  const areas = new Map<string, JudgedRequirement[]>();
  for (const requirement of run.requirements) areas.set(requirement.area, [...(areas.get(requirement.area) ?? []), requirement]);
  return (
    <section aria-labelledby="requirements">
      <h2 id="requirements">Requirements by area</h2>
      <Filter run={run} />
      {[...areas].map(([area, members]) => (
        <section class="area" aria-labelledby={`area-${area}`}>
          <h3 id={`area-${area}`}>
            {area} <span class="fine">{tallyOf(members)}</span>
          </h3>
          {members.map((requirement) => (
            <Requirement requirement={requirement} exchanges={exchanges} />
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

function Withheld({ run }: { readonly run: Run }) {
  const groups = withheldByReason(run);
  if (groups.length === 0) return null;
  return (
    <section aria-labelledby="withheld">
      <h2 id="withheld">Withheld, by reason</h2>
      <p>Withheld is not verified: nothing is known of these {run.totals.withheld.toLocaleString("en-GB")}.</p>
      {groups.map(({ reason, requirements }) => (
        <div class="group">
          <p>
            <b>{requirements.length.toLocaleString("en-GB")}</b> {capped(reason, 500)}
          </p>
          <ul class="ids">
            {requirements.map(({ id, says }) => (
              <li>
                <a href={`#${id}`} title={says}>
                  {id}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

function Unchecked({ run: { unchecked } }: { readonly run: Run }) {
  if (unchecked.length === 0) return null;
  return (
    <section aria-labelledby="unchecked">
      <h2 id="unchecked">Not yet checked by this version</h2>
      <details>
        <summary>{counted(unchecked.length, "requirement")} of the register</summary>
        <ul class="ids">
          {unchecked.map((id) => (
            <li>
              <code>{id}</code>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}
