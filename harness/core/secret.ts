// Secrets: keys that print as their role, and the redactor that removes them from texts.
import { isObject, type Json } from "./json.ts";
import { type DecodedText, readDigits, readEscapes, readWithoutSpaces, unendedNumber } from "./spellings.ts";
import { withoutTrailing } from "./trailing.ts";

const alphabets: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["a uuid", /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i],
  ["digits", /^\d+$/],
  ["hexadecimal", /^[0-9a-f]+$/i],
  ["base58", /^[1-9A-HJ-NP-Za-km-z]+$/],
  ["letters and digits", /^[0-9A-Za-z]+$/],
  ["letters, digits, hyphens and underscores", /^[\w-]+$/],
  ["base64", /^[\w+/=.~-]+$/],
];

/** A key; wherever it is printed, its role appears instead. */
export class Secret {
  readonly #value: string;
  readonly role: string;

  constructor(role: string, value: string) {
    this.role = role;
    this.#value = value;
  }

  /** The key in clear: for requests, signatures and the redactor only. */
  open(): string {
    return this.#value;
  }

  /** What may be shown of it: its approximate length and its alphabet. */
  get shape(): string {
    const upTo = [15, 31, 47, 63].find((longest) => this.#value.length <= longest);
    const letters = alphabets.find(([, pattern]) => pattern.test(this.#value))?.[0] ?? "other letters";
    return `${upTo === undefined ? "64 or more" : `${upTo - 15} to ${upTo}`} characters, ${letters}`;
  }

  toString(): string {
    return mask(this.role);
  }

  toJSON(): string {
    return mask(this.role);
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return mask(this.role);
  }
}

const masked = "<key:";
const mask = (role: string): string => `${masked}${role}>`;

/** Whether a text is shown without a key that it had. */
export const isMasked = (text: string): boolean => text.includes(masked);

/** A key or an id without its last letter or digit and what follows. */
export const withoutEnd = (value: string): string => value.replace(/[0-9A-Za-z][^0-9A-Za-z]*$|.$/, "");

const shortestRandom = 16;

/** A part of words, such as `solana`, `v2` or `web3`. */
const isPlain = (part: string): boolean => /^(v?\d{1,4}|[A-Za-z]*\d{0,2})$/.test(part);

/** Whether a word may be a key: at least 16 letters and digits that aren't names and small numbers. */
export const looksLikeKey = (word: string): boolean =>
  word.length >= shortestRandom && /^[\w.~+=-]*$/.test(word) && !word.split(/[-_.~+=]/).every(isPlain);

/** A text without words that may be keys. */
export const withoutKeys = (text: string): string =>
  text.replaceAll(/[\w~+=-]+/g, (word) => (looksLikeKey(word) ? mask("undeclared") : word));

/** Replaces secrets in a text, however a key is spelled. */
export type Redactor = (text: string) => string;

/** A private key as programs keep it in a file, or its beginning. */
const isList = (value: string): boolean => /^\[[\d\s,]*\]?$/.test(value);
const compact = (value: string): string => value.replace(/[\s[\]]+/g, "");

/** In lower case and in one alphabet of base64, each character in its place. */
function folded(text: string): string {
  const lower = text.toLowerCase();
  const sameLength = lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return sameLength.replaceAll("-", "+").replaceAll("_", "/");
}

/** What is searched for in a text and in all that is read out of it: a key with its padding or without. */
function formsOf(value: string): ReadonlySet<string> {
  const values = new Set<string>();
  // What looks like an escape in a key is read as one beside others.
  for (let text: string | undefined = value; text !== undefined && !values.has(text); text = readEscapes(text)?.text)
    values.add(text);
  const forms = [...values].map((text) => folded(isList(text) ? compact(text) : text));
  return new Set([...forms, ...forms.map((form) => withoutTrailing("=", form))]);
}

interface HiddenForm {
  readonly text: string;
  /** What is shown in its place. */
  readonly mask: string;
}

/** A part of a text that gives a secret away. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly mask: string;
}

/** How often what was read is read again: a spelling of a spelling, in a JSON string, in a text. */
interface Depth {
  readonly escapes: number;
  readonly isLenient?: boolean;
  readonly digits: number;
}

/** Hides secrets however they are spelled, also with a changed end; secrets can be added at any time. */
export class KeyHider {
  /** What is searched for, by its first letters. */
  readonly #forms = new Map<string, HiddenForm[]>();
  /** Ends of forms, by their first letters. */
  readonly #ends = new Map<string, HiddenForm[]>();
  /** The first two letters of all forms; made anew where others were added. */
  readonly #pairs = new Set<string>();
  #beginning = /$^/g;
  #hasLists = false;
  /** What was made of short texts: addresses and headers come again and again. */
  readonly #known = new Map<string, string>();

  add(secret: Secret): void {
    this.#add(secret.open(), secret.toString());
    // With only its end changed a key would still give the rest away.
    this.#add(withoutEnd(secret.open()), mask(`${secret.role} but for its end`));
  }

  #add(value: string, shown: string): void {
    this.#known.clear();
    this.#hasLists ||= isList(value);
    for (const text of formsOf(value)) {
      if (text.length < shortestForm) continue;
      keep(this.#forms, text.slice(0, firstLetters), { text, mask: shown });
      if (!this.#pairs.has(text.slice(0, 2))) this.#beginning = beginningWith(this.#pairs.add(text.slice(0, 2)));
      for (let at = 1; at + shortestCut <= text.length; at += 1)
        keep(this.#ends, text.slice(at, at + shortestCut), { text: text.slice(at), mask: shown });
    }
  }

  hide(text: string): string {
    if (this.#forms.size === 0) return text;
    if (text.length > longestKnown) return this.#hidden(text);
    const hidden = this.#known.get(text) ?? this.#hidden(text);
    if (this.#known.size < mostKnown) this.#known.set(text, hidden);
    return hidden;
  }

  #hidden(text: string): string {
    let hidden = "";
    let next = 0;
    const spans = this.#spansIn(text, { escapes: 4, digits: 2 });
    for (const { start, end, mask: shown } of spans.sort((a, b) => a.start - b.start || b.end - a.end)) {
      if (start >= next) hidden += text.slice(next, start) + shown;
      next = Math.max(next, end);
    }
    return hidden + text.slice(next);
  }

  #spansIn(text: string, { escapes, digits, isLenient = false }: Depth): Span[] {
    if (text.length < shortestForm) return [];
    const spans = this.#plainIn(text);
    const search = (decoded: DecodedText | null, depth: Depth): void => {
      if (decoded === null) return;
      for (const { start, end, mask: shown } of this.#spansIn(decoded.text, depth))
        spans.push({ start: decoded.startOf(start), end: decoded.endOf(end - 1), mask: shown });
    };
    if (escapes > 0 && /[\\&%]/.test(text)) {
      search(readEscapes(text, isLenient), { escapes: escapes - 1, digits, isLenient });
      if (!isLenient && unendedNumber.test(text))
        search(readEscapes(text, true), { escapes: escapes - 1, digits, isLenient: true });
    }
    if (this.#hasLists) search(readWithoutSpaces(text), { escapes: 0, digits: 0 });
    if (digits > 0) for (const decoded of readDigits(text)) search(decoded, { escapes, digits: digits - 1, isLenient });
    return spans;
  }

  /** Whole keys, a key's beginning with which a text ends that was cut, and a key's end with which one begins. */
  #plainIn(text: string): Span[] {
    const letters = folded(text);
    const spans: Span[] = [];
    for (let match = this.#beginning.exec(letters); match; match = this.#beginning.exec(letters)) {
      const start = match.index;
      this.#beginning.lastIndex = start + 1;
      for (const form of this.#forms.get(letters.slice(start, start + firstLetters)) ?? []) {
        const isCut = start + form.text.length > letters.length && start + shortestCut <= letters.length;
        if (isCut ? form.text.startsWith(letters.slice(start)) : letters.startsWith(form.text, start))
          spans.push({ start, end: Math.min(letters.length, start + form.text.length), mask: form.mask });
      }
    }
    for (const { text: end, mask: shown } of this.#ends.get(letters.slice(0, shortestCut)) ?? [])
      if (letters.startsWith(end)) spans.push({ start: 0, end: end.length, mask: shown });
    return spans;
  }
}

function keep(forms: Map<string, HiddenForm[]>, letters: string, form: HiddenForm): void {
  const alike = forms.get(letters);
  if (alike) alike.push(form);
  else forms.set(letters, [form]);
}

/** One expression of all pairs: faster than a look-up at each place, and small however many keys there are. */
function beginningWith(pairs: ReadonlySet<string>): RegExp {
  const seconds = new Map<string, string>();
  for (const pair of pairs) {
    const first = literally(pair.charAt(0));
    seconds.set(first, `${seconds.get(first) ?? ""}${literally(pair.charAt(1))}`);
  }
  return new RegExp([...seconds].map(([first, all]) => `${first}[${all}]`).join("|"), "g");
}

const literally = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}-]/g, "\\$&");

/** Bounds of what is remembered. */
const longestKnown = 500;
const mostKnown = 1_000;

/** By so many letters forms are kept. */
const firstLetters = 4;

/** A shorter form would hide ordinary text. */
const shortestForm = 6;

/** Less of a key gives hardly anything away, and may be an ordinary word. */
const shortestCut = 8;

/** A value with keys replaced in all its texts, numbers and names of members. */
export function redactedIn<Value>(value: Value, redact: Redactor): Value {
  const shown = (one: Json): Json => {
    if (Array.isArray(one)) return one.map((item: Json) => shown(item));
    if (isObject(one)) return Object.fromEntries(Object.entries(one).map(([name, own]) => [redact(name), shown(own)]));
    if (typeof one === "string") return redact(one);
    return typeof one === "number" && redact(String(one)) !== String(one) ? redact(String(one)) : one;
  };
  return shown(value as Json) as Value;
}

export function redactorOf(secrets: readonly Secret[]): Redactor {
  const hider = new KeyHider();
  for (const secret of secrets) hider.add(secret);
  return (text) => hider.hide(text);
}
