/** @jsxImportSource hono/jsx */
// What was found on one requirement? Verdict and sentence on one line, the evidence below it.
import { saying } from "../../harness/core/finding.ts";
import { canonical } from "../../harness/core/json.ts";
import type { Breach, Tried } from "../../harness/model/verdict.ts";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { capped } from "../text.ts";
import { counted, kindOf, words } from "../words.ts";
import { exchangesOf, mostLinks } from "./choice.ts";
import { differenceOf } from "./difference.ts";
import { Answer, Command, ExchangeLink } from "./exchange.tsx";

/** What the evidence of all requirements is made of. */
export interface Material {
  readonly exchanges: ReadonlyMap<number, Run["exchanges"][number]>;
  /** Numbers of those that are on the page. */
  readonly chosen: ReadonlySet<number>;
  /** By requirement the mutants of the reference that it finds. */
  readonly mutants: ReadonlyMap<string, readonly string[]>;
}

/** Answers shown with their breaches; the others are linked to. */
const mostShown = 3;
const mostPlaces = 8;
const mostMutants = 8;
const mostChecks = 4;
const longestAsks_chars = 240;
const longestBody_chars = 12_000;
const longestText_chars = 1_000;

interface RequirementProps {
  readonly requirement: JudgedRequirement;
  readonly material: Material;
}

export function Requirement({ requirement, material }: RequirementProps) {
  const { id, sentence, clause } = requirement;
  const kind = kindOf(requirement);
  return (
    <details class={`requirement ${kind}`} data-kind={kind} open={kind === "broken"}>
      <summary>
        <span class="verdict">
          <span aria-hidden="true">{words[kind].sign}</span> {words[kind].one}
        </span>
        <code class="id">{id}</code>
        <span class="says">{sentence}</span>
        <span class="clause">{clause}</span>
      </summary>
      <div class="evidence" id={id}>
        <Evidence requirement={requirement} material={material} />
      </div>
    </details>
  );
}

const basisSays = {
  explicit: "said in the interface",
  implied: "implied by the interface",
  external: "asked by a standard outside the interface",
} as const;

function Evidence({ requirement, material }: RequirementProps) {
  const { id, reason, breaches, level, basis, replay } = requirement;
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
        {level}, {basisSays[basis]}
      </p>
      <Mutants names={material.mutants.get(id) ?? []} />
    </>
  );
}

const Replay = ({ command }: { readonly command: string }) => (
  <>
    <p class="label">Again</p>
    <Command text={command} />
  </>
);

interface ShownProps {
  readonly breaches: readonly Breach[];
  readonly exchange: Run["exchanges"][number] | undefined;
  /** Said beside the first answer. */
  readonly replay: string | null;
}

/** One answer that breaks the promise: what was asked and expected beside what came back. */
function Shown({ breaches, exchange, replay }: ShownProps) {
  const untold = breaches.length - mostPlaces;
  return (
    <div class="shown">
      <div>
        {breaches.slice(0, mostPlaces).map((breach) => (
          <Place breach={breach} />
        ))}
        {untold > 0 ? <p class="fine">and at {counted(untold, "more place")} of this answer</p> : null}
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
        <Answer exchange={exchange} places={breaches.map(({ at }) => at)} longestBody_chars={longestBody_chars} />
      ) : null}
    </div>
  );
}

function Place({ breach: { at, expected, got, counterexample } }: { readonly breach: Breach }) {
  const { before, differs, after } = differenceOf(expected, saying(got));
  return (
    <dl class="breach">
      <dt>At</dt>
      <dd>
        <code>{capped(at, longestText_chars) || "the whole body"}</code>
      </dd>
      <dt>Expected</dt>
      <dd>
        <code>{capped(expected, longestText_chars)}</code>
      </dd>
      <dt>Got</dt>
      <dd>
        <code>
          {before}
          <mark>{differs}</mark>
          {after}
        </code>
      </dd>
      {counterexample ? (
        <>
          <dt>Of generated cases</dt>
          <dd>
            <code>{capped(canonical(counterexample.values), longestText_chars)}</code>
            {counterexample.isMinimal ? ", as small as could be" : "; not fully shrunk: budget"}
          </dd>
        </>
      ) : null}
    </dl>
  );
}

/** Which experiments it rests on, the worst first. */
function Checks({ checks }: { readonly checks: NonNullable<JudgedRequirement["checks"]> }) {
  if (checks.length === 0) return null;
  const untold = checks.length - mostChecks;
  return (
    <>
      <p class="label">{checks.length === 1 ? "Check" : "Checks"}</p>
      <ul class="looked checks">
        {[...checks]
          .sort(worstFirst)
          .slice(0, mostChecks)
          .map(({ requests, is }) => (
            <li>
              {is}: {capped(requests.join(", then "), longestAsks_chars) || "several steps"}
            </li>
          ))}
        {untold > 0 ? <li class="fine">and {untold.toLocaleString("en-GB")} more</li> : null}
      </ul>
    </>
  );
}

const severity = ["broken", "inconclusive", "withheld", "held"] as const;

const worstFirst = (a: Tried, b: Tried): number => severity.indexOf(a.is) - severity.indexOf(b.is);

interface OtherProps {
  readonly numbers: readonly number[];
  readonly most: number;
  readonly material: Material;
}

const mostNumbers = 5;

/** Linked to where they are on the page; of the others the numbers. */
function OtherExchanges({ numbers, most, material: { exchanges, chosen } }: OtherProps) {
  const linked = numbers.flatMap((number) => (chosen.has(number) ? (exchanges.get(number) ?? []) : [])).slice(0, most);
  const others = numbers.filter((number) => exchanges.has(number) && !linked.some((one) => one.number === number));
  const lost = numbers.filter((number) => !exchanges.has(number));
  return (
    <>
      <p class="label">Looked at</p>
      <ul class="looked">
        {linked.map((exchange) => (
          <li>
            <ExchangeLink exchange={exchange} />
          </li>
        ))}
        {others.length ? (
          <li class="fine">
            {linked.length ? `${others.length.toLocaleString("en-GB")} more` : counted(others.length, "exchange")} in
            run.json: {others.slice(0, mostNumbers).join(", ")}
            {others.length > mostNumbers ? ", …" : ""}
          </li>
        ) : null}
        {lost.length ? <li class="fine">{counted(lost.length, "exchange")} not in the journal</li> : null}
      </ul>
    </>
  );
}

/** What shows that it can fail. */
function Mutants({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  const untold = names.length - mostMutants;
  return (
    <p class="fine">
      Broken by {counted(names.length, "lie")} of the reference: {names.slice(0, mostMutants).join(", ")}
      {untold > 0 ? ` and ${untold} more` : ""}
    </p>
  );
}
