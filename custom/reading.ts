// An answer as a user's laws and checks read it.
import { inspect } from "node:util";
import type { Finding } from "../harness/core/finding.ts";
import { Inconclusive } from "../harness/core/outcomes.ts";
import { type LawReading, NotThere, type PointerTo, readingOf } from "../harness/model/law.ts";
import { type Exchange, headerOf } from "../harness/transport/exchange.ts";

/** An answer, read by type. What isn't there, or is of another type, isn't judged by the clause: schemas judge that. */
export interface AnswerReading<Body = unknown> extends Pick<LawReading<Body>, "number" | "text" | "names" | "any"> {
  /** The HTTP status. */
  readonly status: number;
  /** Null where there is no such header. */
  header(name: string): string | null;
  /** JSON pointers to the items of a list. */
  items<At extends PointerTo<Body, readonly unknown[]>>(at: At): readonly `${At}/${number}`[];
}

export const answerReading = <Body>(lawReading: LawReading<Body>): AnswerReading<Body> => {
  const { answer, number, text, names, any } = lawReading;
  return {
    number,
    text,
    names,
    any,
    status: answer.status,
    items: (at) => {
      const list = any(at);
      if (!Array.isArray(list)) throw new NotThere(at);
      return list.map((_, nth) => `${at}/${nth}` as const);
    },
    header: (name) => headerOf(answer, name.toLowerCase()) ?? null,
  };
};

/** @throws Inconclusive where the platform doesn't know the key that was sent, so that nothing is proved */
export function readingIn(exchange: Exchange): AnswerReading {
  const { answer, requestSpec, asker } = exchange;
  if (!answer || (answer.status === 401 && requestSpec.carriers.length > 0))
    throw new Inconclusive({
      kind: "excused",
      detail: `the platform doesn't know the key \`${asker?.role}\` (HTTP 401)`,
    });
  return answerReading(readingOf<unknown>(exchange, answer));
}

/** @throws Error for anything else than a finding: it must not count as held */
export function findingIn(value: Finding): Finding {
  const known = { outcome: "", at: "", expected: "", untried: "", ...(value as object | undefined) };
  const areTexts = [known.at, known.expected, known.untried].every((text) => typeof text === "string");
  if (!["held", "broken"].includes(known.outcome) || !areTexts)
    throw new Error(`${inspect(value)} isn't a finding: return held, or the result of must, equals or broken`);
  return value;
}
