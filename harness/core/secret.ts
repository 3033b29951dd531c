// Secrets: keys that print as their role, and the redactor that removes them from texts.
import { isObject, type Json } from "./json.ts";
import { base64In, type Decoded, hexadecimalIn, unended, unescaped, unspaced } from "./spellings.ts";

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

const mask = (role: string): string => `<key:${role}>`;

/** A key or an id without its last letter or digit and what follows. */
export const stemOf = (value: string): string => value.replace(/[0-9A-Za-z][^0-9A-Za-z]*$|.$/, "");

/** Replaces secrets in a text, however a key is spelled. */
export type Redactor = (text: string) => string;

/** Of base64: url-safe or not, with padding or without. Of all else: itself, and a few texts that nothing contains. */
const inBothAlphabets = (value: string): readonly string[] =>
  [value, value.replace(/=+$/, "")].flatMap((one) => [
    one,
    one.replaceAll("+", "-").replaceAll("/", "_"),
    one.replaceAll("-", "+").replaceAll("_", "/"),
  ]);

/** What is searched for in a text and in all that it decodes to. */
function formsOf(value: string): ReadonlySet<string> {
  const forms = new Set(inBothAlphabets(isList(value) ? compact(value) : value));
  // What looks like an escape in a key is read as one beside others.
  for (let read = unescaped(value); read; read = forms.has(read.text) ? null : unescaped(read.text))
    forms.add(read.text);
  return new Set([...forms].map(lowered).filter(({ length }) => length >= shortestForm));
}

/** A private key as programs keep it in a file, or its beginning. */
const isList = (value: string): boolean => /^\[[\d\s,]*\]?$/.test(value);
const compact = (value: string): string => value.replace(/[\s[\]]+/g, "");

/** In lower case, each character in its place. */
function lowered(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

interface HiddenForm {
  /** In lower case. */
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

/** How often what was decoded is decoded again: a spelling of a spelling, in a JSON string, in a text. */
interface Depth {
  readonly escapes: number;
  readonly isLenient?: boolean;
  readonly digits: number;
}

/** Hides secrets however they are spelled, also with a changed end; secrets can be added at any time. */
export class KeyHider {
  /** Forms by their first four characters, longest first. */
  readonly #forms = new Map<number, readonly HiddenForm[]>();
  /** A 16-bit hash of each beginning, which rules out nearly every position of a text. */
  readonly #begins = new Uint8Array(1 << 16);
  /** Ends of forms by their first four characters, longest first. */
  readonly #ends = new Map<number, HiddenForm[]>();
  #longest = 0;
  #hasLists = false;
  /** What was made of short texts: addresses and headers come again and again. */
  readonly #known = new Map<string, string>();

  add(secret: Secret): void {
    this.#add(secret.open(), secret.toString());
    // With only its end changed a key would still give the rest away.
    this.#add(stemOf(secret.open()), mask(`${secret.role} but for its end`));
  }

  #add(value: string, shown: string): void {
    this.#known.clear();
    this.#hasLists ||= isList(value);
    for (const text of formsOf(value)) {
      const beginning = fourAt(text, 0);
      this.#begins[folded(beginning)] = 1;
      const alike = [...(this.#forms.get(beginning) ?? []), { text, mask: shown }];
      this.#forms.set(
        beginning,
        alike.sort((a, b) => b.text.length - a.text.length),
      );
      this.#longest = Math.max(this.#longest, text.length);
      for (let at = 1; at + shortestCut <= text.length; at += 1) this.#addEnd({ text: text.slice(at), mask: shown });
    }
  }

  #addEnd(end: HiddenForm): void {
    const beginning = fourAt(end.text, 0);
    const alike = this.#ends.get(beginning) ?? [];
    this.#ends.set(beginning, alike);
    const longer = alike.findIndex(({ text }) => text.length < end.text.length);
    alike.splice(longer < 0 ? alike.length : longer, 0, end);
  }

  hide(text: string): string {
    if (this.#forms.size === 0) return text;
    if (text.length > longestKnown) return this.#hidden(text);
    const hidden = this.#known.get(text) ?? this.#hidden(text);
    if (this.#known.size < mostKnown) this.#known.set(text, hidden);
    return hidden;
  }

  #hidden(text: string): string {
    const spans = this.#spansIn(text, { escapes: 4, digits: 2 });
    if (spans.length === 0) return text;
    let [hidden, next] = ["", 0];
    for (const { start, end, mask: shown } of spans.sort((a, b) => a.start - b.start || b.end - a.end)) {
      if (start >= next) hidden += text.slice(next, start) + shown;
      next = Math.max(next, end);
    }
    return hidden + text.slice(next);
  }

  #spansIn(text: string, { escapes, digits, isLenient = false }: Depth): Span[] {
    if (text.length < shortestForm) return [];
    const lower = lowered(text);
    const spans = [...this.#plainIn(lower), ...this.#cutIn(lower), ...this.#beheadedIn(lower)];
    const within = (decoded: Decoded | null, depth: Depth): void => {
      if (decoded === null) return;
      for (const { start, end, mask: shown } of this.#spansIn(decoded.text, depth)) {
        const [from, to] = decoded.place(start, end);
        spans.push({ start: from, end: to, mask: shown });
      }
    };
    if (escapes > 0 && /[\\&%]/.test(text)) {
      const less = { escapes: escapes - 1, digits };
      within(unescaped(text, isLenient), { ...less, isLenient });
      if (!isLenient && unended.test(text)) within(unescaped(text, true), { ...less, isLenient: true });
    }
    if (this.#hasLists) for (const span of this.#listsIn(text)) spans.push(span);
    if (digits > 0)
      for (const decoded of [...hexadecimalIn(text), ...base64In(text)])
        within(decoded, { escapes, digits: digits - 1, isLenient });
    return spans;
  }

  #plainIn(lower: string): Span[] {
    const spans: Span[] = [];
    for (
      let at = 0, four = fourAt(lower, 0);
      at + 3 < lower.length;
      at += 1, four = (four << 8) | (lower.charCodeAt(at + 3) & 255)
    ) {
      if (this.#begins[folded(four)] !== 1) continue;
      const form = this.#forms.get(four)?.find(({ text }) => lower.startsWith(text, at));
      if (!form) continue;
      spans.push({ start: at, end: at + form.text.length, mask: form.mask });
    }
    return spans;
  }

  /** The beginning of a key with which a text ends that was cut. */
  #cutIn(lower: string): readonly Span[] {
    for (let at = Math.max(0, lower.length - this.#longest); at + shortestCut <= lower.length; at += 1) {
      const four = fourAt(lower, at);
      if (this.#begins[folded(four)] !== 1) continue;
      const rest = lower.slice(at);
      const form = this.#forms.get(four)?.find(({ text }) => text.startsWith(rest));
      if (form) return [{ start: at, end: lower.length, mask: form.mask }];
    }
    return [];
  }

  /** The end of a key with which a text begins that was cut. */
  #beheadedIn(lower: string): readonly Span[] {
    const end = this.#ends.get(fourAt(lower, 0))?.find(({ text }) => lower.startsWith(text));
    return end ? [{ start: 0, end: end.text.length, mask: end.mask }] : [];
  }

  #listsIn(text: string): readonly Span[] {
    const decoded = unspaced(text);
    if (decoded === null) return [];
    return this.#plainIn(decoded.text).map(({ start, end, mask: shown }) => {
      const [from, to] = decoded.place(start, end);
      return { start: from, end: to, mask: shown };
    });
  }
}

/** Bounds of what is remembered. */
const [longestKnown, mostKnown] = [500, 1_000];

/** A shorter form would hide ordinary text. */
const shortestForm = 6;

/** Less of a key gives hardly anything away, and may be an ordinary word. */
const shortestCut = 8;

const folded = (four: number): number => (four ^ (four >>> 16)) & 0xffff;

/** Four characters from a position on, as one number. */
const fourAt = (text: string, at: number): number =>
  ((text.charCodeAt(at) & 255) << 24) |
  ((text.charCodeAt(at + 1) & 255) << 16) |
  ((text.charCodeAt(at + 2) & 255) << 8) |
  (text.charCodeAt(at + 3) & 255);

/** A value with keys replaced in all its texts, numbers and names of members. */
export function redactedIn(value: Json, redact: Redactor): Json {
  if (Array.isArray(value)) return value.map((one: Json) => redactedIn(one, redact));
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [redact(name), redactedIn(one, redact)]));
  if (typeof value === "string") return redact(value);
  return typeof value === "number" && redact(String(value)) !== String(value) ? redact(String(value)) : value;
}

export function redactorOf(secrets: readonly Secret[]): Redactor {
  const hider = new KeyHider();
  for (const secret of secrets) hider.add(secret);
  return (text) => hider.hide(text);
}
