// A breach in words, the same in every report: where, what was expected, and what came.
import { describeGot } from "../harness/core/finding.ts";
import { canonical, type Json, listOf, valueAt } from "../harness/core/json.ts";
import type { Breach } from "../harness/model/verdict.ts";
import type { JudgedRequirement, Run } from "../harness/record/run.ts";
import { groupedBy } from "./lists.ts";
import { shown } from "./text.ts";

/** The requirement as a title: `CYC-PRES-01 creditCycle is present on every plan (§2.1)`. */
export const titleOf = ({ id, sentence, clause }: Pick<JudgedRequirement, "id" | "sentence" | "clause">): string =>
  `${id} ${sentence} (${clause})`;

/** The name of a place in an answer; the empty JSON pointer is the body. */
export const placeName = (at: string): string => at || "the whole body";

/** Those that break at one place of one kind of answer, together: they have one cause. */
export function byCause(
  { exchanges }: Pick<Run, "exchanges">,
  requirements: readonly JudgedRequirement[],
): readonly (readonly [JudgedRequirement, ...JudgedRequirement[]])[] {
  const titles = new Map(exchanges.map(({ number, title }) => [number, title]));
  const causeOf = ({ id, breaches: [first] }: JudgedRequirement): string =>
    first ? `${titles.get(first.exchange)} ${first.at} ${describeGot(first.got)}` : id;
  return [...groupedBy(requirements, causeOf).values()];
}

/** What came, safe to look at. `shown` first: it may be nested deeper than a stack. */
export const gotText = ({ got }: Pick<Breach, "got">): string => describeGot(shown(got));

/** As `gotText`, for places where quotes and line breaks need no escape. */
export const unescaped = (breach: Pick<Breach, "got">): string => {
  const { got } = breach;
  return "value" in got && typeof got.value === "string" ? `"${got.value}"` : gotText(breach);
};

export const isMissing = ({ got }: Pick<Breach, "got">): boolean => "is" in got;

/** @param safe escapes a text from the platform for the format */
export function breachText(breach: Pick<Breach, "at" | "expected" | "got">, safe: (text: string) => string): string {
  const [place, expected] = [safe(placeName(breach.at)), safe(breach.expected)];
  if (isMissing(breach)) return `at ${place}: missing, expected ${expected}`;
  return `at ${place}: expected ${expected}, got ${safe(gotText(breach))}`;
}

/** What came of a request: a status, or why there is no answer. */
export const answeredText = ({ answer, fault }: Pick<Run["exchanges"][number], "answer" | "fault">): string =>
  answer ? String(answer.status) : `no answer (${fault ?? "no reason"})`;

/**
 * Of the generated case that shows a breach, how far it is reduced, and the steps of a stateful test, e.g. `read main
 * header`. Its request is shown as it was sent.
 */
export function describeCase({ isMinimal, values }: NonNullable<Breach["counterexample"]>): string {
  const reduced = isMinimal ? "reduced to the smallest that fails" : "not fully reduced: the budget was spent";
  const steps = listOf(valueAt(values, "/commands")).map((command) =>
    Object.values(command ?? {})
      .map(stepWord)
      .join(" "),
  );
  return [`generated case, ${reduced}`, ...(steps.length > 0 ? [`steps: ${steps.join(", ")}`] : [])].join("; ");
}

const stepWord = (value: Json): string => (typeof value === "string" ? value : canonical(value));
