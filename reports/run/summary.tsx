/** @jsxImportSource hono/jsx */
// The first screen of a run's page: how much of what was found, and every sentence that is broken.
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { byCause, isMissing, unescaped } from "../breach.ts";
import {
  breachSentence,
  detail,
  foreign,
  type List,
  type Section,
  type Sentence,
  sectionOf,
} from "../document/document.ts";
import { Bar } from "../document/elements.tsx";
import { numberText } from "../numbers.ts";
import { byReason } from "../sentences.ts";
import { countOfKind, kindOf, presentIn, words } from "../words.ts";

export function VerdictCounts({ totals }: Pick<Run, "totals">) {
  const counts = presentIn(totals).map((kind) => [kind, countOfKind(totals, kind)] as const);
  const showable = counts.filter(([kind]) => kind !== "untestable");
  return (
    <>
      <Bar counts={showable} of={showable.reduce((sum, [, count]) => sum + count, 0)} />
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
const mostAlso = 12;

/** What a reader came for, sentence by sentence: one for each cause. */
export function foundSection(run: Run, kind: "broken" | "inconclusive" | "deviates" | "fixed", title: string): Section {
  const found = run.requirements.filter((requirement) => kindOf(requirement) === kind);
  const causes = kind === "broken" ? byCause(run, found) : byReason(run, kind).map(({ requirements }) => requirements);
  const listed = (some: typeof causes): List => ({
    is: "list",
    sign: words[kind].sign,
    items: some.map(([requirement, ...others]) => [...foundSentence(requirement), ...alsoSpans(others)]),
  });
  const folded = causes.slice(mostCauses);
  return {
    ...sectionOf(
      [title],
      listed(causes.slice(0, mostCauses)),
      detail(`${numberText(folded.length)} more`, listed(folded)),
    ),
    id: `found-${kind}`,
    tone: kind,
  };
}

function foundSentence(requirement: JudgedRequirement): Sentence {
  const [breach] = kindOf(requirement) === "broken" ? requirement.breaches : [];
  const seen = breach
    ? breachSentence({ ...breach, got: isMissing(breach) ? null : unescaped(breach) })
    : [foreign(requirement.reason ?? "")];
  return [
    { text: requirement.sentence, to: `#${requirement.id}` },
    " ",
    ...seen,
    { text: `${requirement.id} · ${requirement.clause}`, as: "aside" },
  ];
}

/** What else it breaks. */
const alsoSpans = (others: readonly JudgedRequirement[]): Sentence =>
  others.length === 0
    ? []
    : [
        " also ",
        ...others.slice(0, mostAlso).flatMap(({ id }, nth) => [...(nth > 0 ? [", "] : []), { text: id, to: `#${id}` }]),
        others.length > mostAlso ? ` and ${others.length - mostAlso} more` : "",
      ];
