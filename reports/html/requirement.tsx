/** @jsxImportSource hono/jsx */
// What was found on one requirement? Verdict and sentence on one line, the evidence below it.
import { saying } from "../../harness/finding.ts";
import { canonical } from "../../harness/json.ts";
import type { JudgedRequirement, Run } from "../../harness/run.ts";
import type { Breach } from "../../harness/verdict.ts";
import { capped } from "../text.ts";
import { counted, kindOf, words } from "../words.ts";
import { differenceOf } from "./difference.ts";
import { Answer, Command, ExchangeLink } from "./exchange.tsx";

export type Exchanges = ReadonlyMap<number, Run["exchanges"][number]>;

/** Answers shown with their breaches; the others are linked to. */
const mostShown = 3;
const mostPlaces = 8;
const mostLinks = 12;
const longestBody_chars = 12_000;
const longestText_chars = 1_000;

export function Requirement({ requirement, exchanges }: { readonly requirement: JudgedRequirement; readonly exchanges: Exchanges }) {
  const { id, says, clause } = requirement;
  const kind = kindOf(requirement);
  return (
    <details class={`requirement ${kind}`} data-kind={kind} open={kind === "broken"}>
      <summary>
        <span class="verdict">
          <span aria-hidden="true">{words[kind].sign}</span> {words[kind].one}
        </span>
        <code class="id">{id}</code>
        <span class="says">{says}</span>
        <span class="clause">{clause}</span>
      </summary>
      <div class="evidence" id={id}>
        <Evidence requirement={requirement} exchanges={exchanges} />
      </div>
    </details>
  );
}

const basisSays = { explicit: "said in the interface", implied: "implied by the interface", external: "asked by a standard outside the interface" } as const;

function Evidence({ requirement, exchanges }: { readonly requirement: JudgedRequirement; readonly exchanges: Exchanges }) {
  const { reason, breaches, level, basis, replay } = requirement;
  const numbers = [...new Set(breaches.map(({ exchange }) => exchange))];
  const others = [...new Set([...numbers.slice(mostShown), ...requirement.exchanges.filter((number) => !numbers.includes(number))])];
  return (
    <>
      {reason === null ? null : <p class="reason">{capped(reason, longestText_chars)}</p>}
      {numbers.slice(0, mostShown).map((number, index) => (
        <Shown breaches={breaches.filter(({ exchange }) => exchange === number)} exchange={exchanges.get(number)} replay={index === 0 ? replay : null} />
      ))}
      {others.length === 0 ? null : <OtherExchanges numbers={others} exchanges={exchanges} />}
      {numbers.length === 0 ? <Replay command={replay} /> : null}
      <p class="fine basis">
        {level}, {basisSays[basis]}
      </p>
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
      {exchange ? <Answer exchange={exchange} places={breaches.map(({ at }) => at)} longestBody_chars={longestBody_chars} /> : null}
    </div>
  );
}

function Place({ breach: { at, expected, got, drawn } }: { readonly breach: Breach }) {
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
      {drawn ? (
        <>
          <dt>Of generated cases</dt>
          <dd>
            <code>{capped(canonical(drawn.values), longestText_chars)}</code>
            {drawn.isMinimal ? ", as small as could be" : "; not fully shrunk: budget"}
          </dd>
        </>
      ) : null}
    </dl>
  );
}

function OtherExchanges({ numbers, exchanges }: { readonly numbers: readonly number[]; readonly exchanges: Exchanges }) {
  return (
    <>
      <p class="label">Looked at</p>
      <ul class="looked">
        {numbers.slice(0, mostLinks).map((number) => (
          <li>
            <ExchangeLink number={number} exchange={exchanges.get(number)} />
          </li>
        ))}
        {numbers.length > mostLinks ? <li class="fine">and {counted(numbers.length - mostLinks, "more exchange")}</li> : null}
      </ul>
    </>
  );
}
