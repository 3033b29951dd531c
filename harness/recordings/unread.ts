// Why parts of a recording can't be read: each kind once, with the place and value where it came first.
import { isObject, type Json } from "../core/json.ts";
import type { Recorded, RecordedEntry } from "./recorded.ts";

/** Why an entry can't be read, and what shows it there. */
export interface Unread {
  readonly unread: string;
  readonly example?: string;
}

export class UnreadKinds {
  readonly #unit: "line" | "entry";
  readonly #texts = new Map<string, string>();

  constructor(unit: "line" | "entry") {
    this.#unit = unit;
  }

  /** @param number from 1 */
  placed(entry: Recorded | Unread, number: number): RecordedEntry {
    if (!("unread" in entry)) return entry;
    const { unread, example } = entry;
    const known = this.#texts.get(unread);
    const text = known ?? `${unread} (${this.#unit} ${number}${example === undefined ? "" : `: ${example}`})`;
    this.#texts.set(unread, text);
    return { unread: text };
  }
}

const longestShown = 40;
const mostNames = 8;
/** As keys look: letters mixed with digits, or a long word. */
const keyLike = /\b(?=\w*\d)(?=\w*[a-z])\w{12,}|[a-z\d_-]{24,}/i;
const credential = /key|token|secret|auth|passw|cookie|session|sig/i;
/** Dates and hexadecimal names of files mix them, too. */
const harmless = /^(\d{8}T\d{6}\S*|\d{4}-\d\d-\d\d.*|[\da-f]{40}\.\w+)$/;

/** A text as it may be shown: no key, no query. */
function shownText(text: string): string {
  const shown = text.replace(/\?.*/s, "?…");
  if (keyLike.test(shown) && !harmless.test(shown)) return `a text of ${text.length} characters`;
  return JSON.stringify(shown.length > longestShown ? `${shown.slice(0, longestShown)}…` : shown);
}

function shownValue(value: Json | undefined): string {
  if (typeof value === "string") return shownText(value);
  if (Array.isArray(value)) return "a list";
  return isObject(value) ? "an object" : JSON.stringify(value ?? null);
}

/** What stands at a pointer in place of what is asked for. */
export function shownAt(pointer: string, value: Json | undefined, line: Json): string {
  if (credential.test(pointer)) return `${pointer} can't be shown`;
  if (value !== undefined) return `${pointer} is ${shownValue(value)}`;
  const names = isObject(line) ? Object.keys(line).filter((name) => !keyLike.test(name)) : [];
  const others = names.slice(0, mostNames).join(", ");
  return `${pointer} is missing${others === "" ? "" : `, there are ${others}${names.length > mostNames ? " …" : ""}`}`;
}

export const shownFile = (name: string): string => shownText(name);
