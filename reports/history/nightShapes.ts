// Shapes of a night: members and headers of answers, by operation, status and outcome
import { type Json, stepsOf } from "../../harness/core/json.ts";
import { headerNames } from "../../harness/model/fingerprint.ts";
import type { Run } from "../../harness/record/run.ts";
import { type AnsweredRecord, plainAnswers } from "../compare/questions.ts";
import { Shapes } from "../compare/shapes.ts";
import { groupedBy } from "../lists.ts";

/** An unspecified behaviour's id, or `<operation> <status> <outcome>`, with values by case, or types by place. */
export type Found = readonly [what: string, cases: { readonly [where: string]: readonly Json[] }];

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
    return [at, [`${shapes.typesAt(path).join("|")}${isAlways ? "" : "?"}`]] as const;
  });
  const headers = groupedBy(
    answers.flatMap(({ answer }) => headerNames(answer)),
    (name) => `header: ${name}`,
  );
  const named = [...headers].map(([at, some]) => [at, [some.length === answers.length ? "there" : "there?"]] as const);
  return Object.fromEntries([...members, ...named]);
}

export function shapesIn(run: Run): readonly Found[] {
  const answers = plainAnswers(run).filter(({ outcome }) => outcome === "served" || outcome === "refused");
  const groups = groupedBy(answers, ({ operation, answer, outcome }) => `${operation} ${answer.status} ${outcome}`);
  return [...groups].flatMap(([name, some]) => (some.length < fewestAnswers ? [] : [[name, placesIn(some)] as const]));
}
