/** @jsxImportSource hono/jsx */
// The first screen of a run's page: how much of what was found, and every sentence that is broken.
import type { Breach } from "../../harness/model/verdict.ts";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { byCause, placeName, unescaped } from "../breach.ts";
import { Bar, Folded, SectionElement, short } from "../document/elements.tsx";
import { numberText } from "../numbers.ts";
import { byReason } from "../sentences.ts";
import { capped } from "../text.ts";
import { countOfKind, type Kind, kindOf, presentIn, words } from "../words.ts";

export function VerdictCounts({ totals }: Pick<Run, "totals">) {
  const counts = presentIn(totals).map((kind) => [kind, countOfKind(totals, kind)] as const);
  return (
    <>
      <Bar counts={counts} of={counts.reduce((sum, [, count]) => sum + count, 0)} />
      <ul class="counts" aria-label="Verdicts">
        {counts.map(([kind, count]) => (
          <li class={kind} title={words[kind].means}>
            <span aria-hidden="true">{words[kind].sign}</span> <b>{numberText(count)}</b>{" "}
            {count === 1 ? words[kind].one : words[kind].many}
          </li>
        ))}
      </ul>
    </>
  );
}

/** More are folded. */
const mostCauses = 8;

interface FoundProps {
  readonly run: Run;
  readonly kind: "broken" | "inconclusive";
  readonly title: string;
}

export function FoundList({ run, kind, title }: FoundProps) {
  const found = run.requirements.filter((requirement) => kindOf(requirement) === kind);
  if (found.length === 0) return null;
  const causes = kind === "broken" ? byCause(run, found) : byReason(run, kind).map(({ requirements }) => requirements);
  const shown = causes.slice(0, mostCauses);
  const folded = causes.slice(mostCauses);
  return (
    <SectionElement id={`found-${kind}`} title={title} tone={kind}>
      <List kind={kind} causes={shown} />
      {folded.length === 0 ? null : (
        <Folded summary={`${numberText(folded.length)} more`}>
          <List kind={kind} causes={folded} />
        </Folded>
      )}
    </SectionElement>
  );
}

interface ListProps {
  readonly kind: Kind;
  readonly causes: readonly (readonly [JudgedRequirement, ...JudgedRequirement[]])[];
}

const mostAlso = 12;

/** One headline for each cause; what else it breaks stands below. */
const List = ({ kind, causes }: ListProps) => (
  <ul class="sentences">
    {causes.map(
      ([
        {
          id,
          sentence,
          clause,
          reason,
          breaches: [breach],
        },
        ...others
      ]) => (
        <li>
          <span aria-hidden="true">{words[kind].sign}</span>
          <a href={`#${id}`}>{sentence}</a>
          {breach || reason !== null ? (
            <span class="seen">{breach ? <SeenAt breach={breach} /> : short(reason ?? "")}</span>
          ) : null}
          <span class="fine">
            {id} · {clause}
          </span>
          {others.length === 0 ? null : (
            <span class="fine">
              also{" "}
              {others.slice(0, mostAlso).map((other, index) => (
                <>
                  {index > 0 ? ", " : ""}
                  <a href={`#${other.id}`}>{other.id}</a>
                </>
              ))}
              {others.length > mostAlso ? ` and ${others.length - mostAlso} more` : ""}
            </span>
          )}
        </li>
      ),
    )}
  </ul>
);

const longestSeen_chars = 120;
const Seen = ({ text }: { readonly text: string }) => <code>{capped(text, longestSeen_chars)}</code>;

const SeenAt = ({ breach }: { readonly breach: Breach }) => (
  <>
    <Seen text={placeName(breach.at)} /> · expected <Seen text={breach.expected} /> · got{" "}
    <Seen text={unescaped(breach)} />
  </>
);
