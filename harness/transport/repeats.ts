// Repeated answers: those that an earlier request of the run already got.
import { createHash } from "node:crypto";
import { canonical, type Json, valueAt } from "../core/json.ts";
import { questionOf } from "../core/requestSpec.ts";
import { type Exchange, headerOf } from "./exchange.ts";

/** Answers made in the same second may be alike to the letter; later ones differ at least in their Date. */
const sameSecond_ms = 2_000;
/** The clock runs if more Dates than this were later, and more than this for each that was unchanged. */
const enoughLater = 4;

interface Earlier extends Pick<Exchange, "number" | "sentAt_ms"> {
  readonly question: string;
  readonly date: string | undefined;
}

/** Recognises answers by the ids of other requests, and by a Date and a body that were received long before. */
export class Repeats {
  readonly #hasOneClock: boolean;
  readonly #asked = new Map<string, Earlier>();
  readonly #answers = new Map<string, Earlier>();
  readonly #questions = new Map<string, Earlier>();
  /** How often the Date was another one when a question was repeated, and how often it wasn't. */
  readonly #dates = { later: 0, same: 0 };

  /** @param hasOneClock false where projects have calendars of their own, whose Dates prove nothing */
  constructor(hasOneClock: boolean) {
    this.#hasOneClock = hasOneClock;
  }

  /** The exchange, with the number of the one whose answer it repeats. */
  marked(exchange: Exchange): Exchange {
    const { number, answer, sent, sentAt_ms } = exchange;
    const date = answer ? headerOf(answer, "date") : undefined;
    const now: Earlier = { number, sentAt_ms, question: questionOf(exchange.requestSpec), date };
    const id = idOf(sent.json);
    firstOf(this.#asked, id, now);
    if (!answer || answer.text === "") return exchange;
    const isLate = (before: Earlier): boolean => sentAt_ms - before.sentAt_ms >= sameSecond_ms;
    const same = firstOf(this.#questions, now.question, now);
    const dates = this.#dates;
    if (date !== undefined && isLate(same)) dates[same.date === date ? "same" : "later"] += 1;
    const answered = idOf(answer.json?.value);
    const before = firstOf(this.#answers, `${answer.status} ${date} ${answerDigest(answer.text)}`, now);
    const isRunning = this.#hasOneClock && dates.later > enoughLater * (dates.same + 1);
    // A body that isn't JSON has an id that we don't read.
    const isIdKnown = id !== undefined || exchange.protocol.kind === "http";
    const swapped = isIdKnown && answered !== undefined && answered !== id ? this.#asked.get(answered) : undefined;
    const original = swapped ?? (date !== undefined && isRunning && isLate(before) ? before : undefined);
    return original && original.question !== now.question ? { ...exchange, repeats: original.number } : exchange;
  }
}

/** In place of a body that may be large. */
export const answerDigest = (text: string): string => createHash("sha256").update(text).digest("base64");

/** The first of this name, which is the given one if it has no other. */
function firstOf(earlier: Map<string, Earlier>, name: string | undefined, now: Earlier): Earlier {
  const first = name === undefined ? now : (earlier.get(name) ?? now);
  if (name !== undefined) earlier.set(name, first);
  return first;
}

/** The id of a JSON-RPC request or answer, as JSON; undefined where it has none, or null. */
function idOf(json: Json | undefined): string | undefined {
  const id = valueAt(json, "/jsonrpc") === undefined ? undefined : valueAt(json, "/id");
  return id === undefined || id === null ? undefined : canonical(id);
}
