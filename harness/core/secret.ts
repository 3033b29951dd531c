// Secrets: keys that print as their role, and the redactor that removes them from texts.
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

/** Replaces secrets in a text, in every form that a key is likely to take. */
export type Redactor = (text: string) => string;

const base64 = (value: string): string[] => {
  // A key inside a longer text shifts by up to two bytes, so its inner part is searched for at all three offsets.
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((shift) => {
    const padded = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const inner = padded.slice(Math.ceil((shift * 8) / 6), Math.floor(((bytes.length + shift) * 8) / 6));
    return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")];
  });
};

const formsOf = (value: string): string[] => {
  const hex = Buffer.from(value).toString("hex");
  const everyByte = hex.replace(/../g, "%$&");
  const unicode = Buffer.from(value, "utf16le").swap16().toString("hex").replace(/.{4}/g, "\\u$&");
  return [
    value,
    encodeURIComponent(value),
    encodeURIComponent(encodeURIComponent(value)),
    everyByte,
    JSON.stringify(value).slice(1, -1),
    unicode,
    // Within a JSON string.
    unicode.replaceAll("\\", "\\\\"),
    hex,
    ...base64(value),
  ];
};

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

interface HiddenForm {
  /** In lower case. */
  readonly text: string;
  /** What is shown in its place. */
  readonly mask: string;
}

/** Hides secrets in every form, also with a changed end; secrets can be added at any time. */
export class KeyHider {
  /** Forms by their first four characters. */
  readonly #forms = new Map<number, HiddenForm[]>();
  /** A 16-bit hash of each beginning, which rules out nearly every position of a text. */
  readonly #begins = new Uint8Array(1 << 16);

  add(secret: Secret): void {
    this.#add(secret.open(), secret.toString());
    // With only its end changed a key would still give the rest away.
    this.#add(stemOf(secret.open()), mask(`${secret.role} but for its end`));
  }

  #add(value: string, shown: string): void {
    // Several forms of a key are often the same text.
    for (const text of new Set(formsOf(value).map((form) => form.toLowerCase()))) {
      if (text.length < shortestForm) continue;
      const beginning = fourAt(text, 0);
      this.#begins[folded(beginning)] = 1;
      this.#forms.set(beginning, [...(this.#forms.get(beginning) ?? []), { text, mask: shown }]);
    }
  }

  hide(text: string): string {
    const lower = text.toLowerCase();
    const found = [...this.#suspectsIn(lower)]
      .filter((form) => lower.includes(form.text))
      .sort((a, b) => b.text.length - a.text.length);
    return found.reduce(
      (hidden, { text: form, mask: shown }) => hidden.replace(new RegExp(escapeRegExp(form), "gi"), shown),
      text,
    );
  }

  /** Most texts hold no key, and a search for each of hundreds of forms is slow. */
  #suspectsIn(text: string): ReadonlySet<HiddenForm> {
    const suspects = new Set<HiddenForm>();
    for (
      let at = 0, four = fourAt(text, 0);
      at + 3 < text.length;
      at += 1, four = (four << 8) | (text.charCodeAt(at + 3) & 255)
    ) {
      if (this.#begins[folded(four)] === 1) for (const form of this.#forms.get(four) ?? []) suspects.add(form);
    }
    return suspects;
  }
}

/** A shorter form would hide ordinary text. */
const shortestForm = 6;

const folded = (four: number): number => (four ^ (four >>> 16)) & 0xffff;

/** Four characters from a position on, as one number. */
const fourAt = (text: string, at: number): number =>
  ((text.charCodeAt(at) & 255) << 24) |
  ((text.charCodeAt(at + 1) & 255) << 16) |
  ((text.charCodeAt(at + 2) & 255) << 8) |
  (text.charCodeAt(at + 3) & 255);

export function redactorOf(secrets: readonly Secret[]): Redactor {
  const hider = new KeyHider();
  for (const secret of secrets) hider.add(secret);
  return (text) => hider.hide(text);
}
