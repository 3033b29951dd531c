/** @jsxImportSource hono/jsx */
// One requirement: verdict and sentence on one line, the evidence below it.
import type { Breach, TriedCheck } from "../../harness/model/verdict.ts";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { anchorOf, linkOf } from "../clauses.ts";
import type { Described } from "../described.ts";
import { AnswerBlock, Command, ExchangeLink, Places } from "../document/exchange.tsx";
import { counted, numberText } from "../numbers.ts";
import { capped } from "../text.ts";
import { kindOf, words } from "../words.ts";
import { exchangesOf, mostLinks } from "./choice.ts";

/** Where requirements find their evidence. */
export interface Material {
  readonly clauses: Described["clauses"];
  readonly exchanges: ReadonlyMap<number, Run["exchanges"][number]>;
  /** Numbers of the exchanges on the page. */
  readonly chosen: ReadonlySet<number>;
  /** By requirement, the mutants that it finds. */
  readonly mutants: ReadonlyMap<string, readonly string[]>;
}

/** Answers shown beside their breaches; the page links to the others. */
const mostShown = 3;
const mostMutants = 8;
const mostChecks = 4;
const longestRequests_chars = 240;
const longestBody_chars = 12_000;
const longestText_chars = 1_000;

interface RequirementProps {
  readonly requirement: JudgedRequirement;
  readonly material: Material;
}

export function RequirementBlock({ requirement, material, isOpen }: RequirementProps & { readonly isOpen: boolean }) {
  const { id, sentence, clause } = requirement;
  const kind = kindOf(requirement);
  return (
    <details class={`row requirement ${kind}`} data-kind={kind} open={isOpen}>
      <summary>
        <span class="verdict">
          <span aria-hidden="true">{words[kind].sign}</span> {words[kind].one}
        </span>
        <code class="id">{id}</code>
        <span class="sentence">{sentence}</span>
        <span class="clause">{clause}</span>
      </summary>
      <div class="evidence" id={id}>
        <Evidence requirement={requirement} material={material} />
      </div>
    </details>
  );
}

const basisWords = {
  explicit: "stated in the interface",
  entailed: "entailed by the interface: to deny it contradicts its words",
  implied: "implied by the interface",
  external: "required by another standard",
} as const;

function Evidence({ requirement, material }: RequirementProps) {
  const { id, clause, reason, breaches, level, basis, replay } = requirement;
  const { exchanges } = material;
  const numbers = [...new Set(breaches.map(({ exchange }) => exchange))];
  const others = exchangesOf(requirement).filter((number) => !numbers.slice(0, mostShown).includes(number));
  return (
    <>
      {reason === null ? null : <p class="reason">{capped(reason, longestText_chars)}</p>}
      {numbers.slice(0, mostShown).map((number, index) => (
        <Shown
          breaches={breaches.filter(({ exchange }) => exchange === number)}
          exchange={exchanges.get(number)}
          replay={index === 0 ? replay : null}
        />
      ))}
      <Checks checks={requirement.checks ?? []} />
      {others.length === 0 ? null : (
        <OtherExchanges numbers={others} most={mostLinks(requirement)} material={material} />
      )}
      {numbers.length === 0 ? <Replay command={replay} /> : null}
      <p class="fine basis">
        {level}, {basisWords[basis]}: <Clause clause={clause} clauses={material.clauses} />
      </p>
      <Mutants names={material.mutants.get(id) ?? []} />
    </>
  );
}

/** With the place of its text: a link once Assay has an address, until then the file and anchor in its repository. */
function Clause({ clause, clauses }: Pick<JudgedRequirement, "clause"> & Pick<Material, "clauses">) {
  const anchor = anchorOf(clauses, clause);
  const link = linkOf(clauses, clause);
  if (link !== null) return <a href={link}>{clause}</a>;
  return <>{anchor === null ? clause : `${clause} (${anchor})`}</>;
}

const Replay = ({ command }: { readonly command: string }) => (
  <>
    <p class="label">Replay</p>
    <Command text={command} />
  </>
);

interface ShownProps {
  readonly breaches: readonly Breach[];
  readonly exchange: Run["exchanges"][number] | undefined;
  /** Shown with the first answer only. */
  readonly replay: string | null;
}

/** One answer that breaks the requirement, beside its request and what was expected. */
function Shown({ breaches, exchange, replay }: ShownProps) {
  return (
    <div class="shown">
      <div>
        <Places breaches={breaches} />
        {exchange ? (
          <>
            <p class="label">
              Request {exchange.number}: {capped(exchange.title, longestText_chars)}
            </p>
            <Command text={exchange.curl} />
          </>
        ) : (
          <p class="fine">The exchange is not in the journal.</p>
        )}
        {replay === null ? null : <Replay command={replay} />}
      </div>
      {exchange ? (
        <AnswerBlock exchange={exchange} places={breaches.map(({ at }) => at)} longestBody_chars={longestBody_chars} />
      ) : null}
    </div>
  );
}

/** The checks of the requirement, worst first. */
function Checks({ checks }: { readonly checks: NonNullable<JudgedRequirement["checks"]> }) {
  if (checks.length === 0) return null;
  const rest = checks.length - mostChecks;
  return (
    <>
      <p class="label">{checks.length === 1 ? "Check" : "Checks"}</p>
      <ul class="list checks">
        {[...checks]
          .sort(worstFirst)
          .slice(0, mostChecks)
          .map(({ requests, is }) => (
            <li>
              {is}: {capped(requests.join(", then "), longestRequests_chars) || "several steps"}
            </li>
          ))}
        {rest > 0 ? <li class="fine">and {numberText(rest)} more</li> : null}
      </ul>
    </>
  );
}

const severity = ["broken", "inconclusive", "withheld", "held"] as const;

const worstFirst = (a: TriedCheck, b: TriedCheck): number => severity.indexOf(a.is) - severity.indexOf(b.is);

interface OtherProps {
  readonly numbers: readonly number[];
  readonly most: number;
  readonly material: Material;
}

const mostNumbers = 5;

/** Links to exchanges on the page, and the numbers of others. */
function OtherExchanges({ numbers, most, material: { exchanges, chosen } }: OtherProps) {
  const linked = numbers.flatMap((number) => (chosen.has(number) ? (exchanges.get(number) ?? []) : [])).slice(0, most);
  const others = numbers.filter((number) => exchanges.has(number) && !linked.some((one) => one.number === number));
  const lost = numbers.filter((number) => !exchanges.has(number));
  return (
    <>
      <p class="label">Exchanges</p>
      <ul class="list">
        {linked.map((exchange) => (
          <li>
            <ExchangeLink exchange={exchange} />
          </li>
        ))}
        {others.length ? (
          <li class="fine">
            {linked.length ? `${numberText(others.length)} more` : counted(others.length, "exchange")} in run.json:{" "}
            {others.slice(0, mostNumbers).join(", ")}
            {others.length > mostNumbers ? ", …" : ""}
          </li>
        ) : null}
        {lost.length ? <li class="fine">{counted(lost.length, "exchange")} not in the journal</li> : null}
      </ul>
    </>
  );
}

/** Which mutants show that it can fail. */
function Mutants({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  const rest = names.length - mostMutants;
  return (
    <p class="fine">
      Broken by {counted(names.length, "mutant")} of the reference: {names.slice(0, mostMutants).join(", ")}
      {rest > 0 ? ` and ${rest} more` : ""}
    </p>
  );
}
