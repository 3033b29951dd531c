// Shapes of a night: members and headers of answers, by operation, status and outcome
import { type Json, stepsOf } from "../../harness/core/json.ts";
import { headerNames } from "../../harness/model/fingerprint.ts";
import type { Run } from "../../harness/record/run.ts";
import { type AnsweredRecord, plainAnswers } from "../compare/questions.ts";
import { Shapes } from "../compare/shapes.ts";
import { groupedBy } from "../lists.ts";

/** An unspecified behaviour's id, or `<operation> <status> <outcome>`, with values by case, or types by place. */
export type Found = readonly [what: string, cases: { readonly [where: string]: readonly Json[] }];

/** Answers that have a shape together. */
export interface ShapedAnswers extends Pick<AnsweredRecord, "operation"> {
  readonly status: number;
  readonly outcome: "served" | "refused";
}

const shapedName = ({ operation, status, outcome }: ShapedAnswers): string => `${operation} ${status} ${outcome}`;

/** Reads what `shapedName` writes; null for an unspecified behaviour's id, which has no blank. */
export function shapedNamed(what: string): ShapedAnswers | null {
  const [operation = "", status, outcome] = what.split(" ");
  if (status === undefined) return null;
  return { operation, status: Number(status), outcome: outcome === "served" ? outcome : "refused" };
}

/** What a place holds over several answers; no types where none has it. */
export interface TypesAtPlace {
  readonly types: readonly string[];
  /** Whether some lack it. */
  readonly isOptional: boolean;
}

/** Of a place that answers could have and don't. */
export const absentValue = "";

const writtenTypes = ({ types, isOptional }: TypesAtPlace): string => `${types.join("|")}${isOptional ? "?" : ""}`;

/** Reads what `writtenTypes` writes. @param values of a place of a shape, which has one */
export function typesWritten([text]: readonly Json[]): TypesAtPlace {
  if (typeof text !== "string" || text === absentValue) return { types: [], isOptional: false };
  const isOptional = text.endsWith("?");
  return { types: text.slice(0, isOptional ? -1 : undefined).split("|"), isOptional };
}

/** Headers lie beside the body, which every answer has, and whose places are JSON pointers. */
const headerPlace = (name: string): string => `header: ${name}`;
const bodyPlace = "";
export const placeAround = (at: string): string => (at.startsWith("/") ? at.slice(0, at.lastIndexOf("/")) : bodyPlace);

/** Fewer answers say nothing of a shape: members are optional. */
const fewestAnswers = 3;

/** `null|string`, with `?` where some lack it; a header is `there`. */
function placesIn(answers: readonly AnsweredRecord[]): Found[1] {
  const shapes = new Shapes();
  // Equal bodies show nothing more.
  for (const one of new Map(answers.map((answer) => [answer.answer.body, answer])).values()) shapes.add(one);
  const members = [...shapes.places.keys()].map((at) => {
    const path = stepsOf(at);
    const { haveAtAll, ofAtAll } = shapes.has(path);
    const isAlways = path.length === 0 || path.at(-1) === "*" || haveAtAll === ofAtAll;
    return [at, [writtenTypes({ types: shapes.typesAt(path), isOptional: !isAlways })]] as const;
  });
  const headers = groupedBy(
    answers.flatMap(({ answer }) => headerNames(answer)),
    headerPlace,
  );
  const named = [...headers].map(([at, some]) => {
    return [at, [writtenTypes({ types: ["there"], isOptional: some.length < answers.length })]] as const;
  });
  return Object.fromEntries([...members, ...named]);
}

export function shapesIn(run: Run): readonly Found[] {
  const groups = groupedBy(
    plainAnswers(run).flatMap((record) => {
      const { operation, answer, outcome } = record;
      const isShaped = outcome === "served" || outcome === "refused";
      return isShaped ? [{ record, name: shapedName({ operation, status: answer.status, outcome }) }] : [];
    }),
    ({ name }) => name,
  );
  return [...groups].flatMap(([name, some]) =>
    some.length < fewestAnswers ? [] : [[name, placesIn(some.map(({ record }) => record))] as const],
  );
}
