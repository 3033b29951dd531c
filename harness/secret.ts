// How does a key stay out of everything that is written? It prints as its role, and texts pass one redactor.

/** A key value that only the transport opens. */
export class Secret {
  readonly #value: string;
  readonly role: string;

  constructor(role: string, value: string) {
    this.role = role;
    this.#value = value;
  }

  /** For the transport and the redactor only. */
  open(): string {
    return this.#value;
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

/** A text that hides secrets, in every form that a key is likely to take. */
export type Redactor = (text: string) => string;

const base64 = (value: string): string[] => {
  // A key inside a longer text shifts by up to two bytes, so its inner part is looked for at all three offsets.
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
  const everyByte = [...Buffer.from(value)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  const unicode = [...value].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
  const hex = Buffer.from(value).toString("hex");
  return [value, encodeURIComponent(value), encodeURIComponent(encodeURIComponent(value)), everyByte, JSON.stringify(value).slice(1, -1), unicode, hex, ...base64(value)];
};

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

export function redactorOf(secrets: readonly Secret[]): Redactor {
  const roleOf = new Map<string, string>();
  for (const secret of secrets) {
    for (const form of formsOf(secret.open())) if (form.length >= 6) roleOf.set(form.toLowerCase(), secret.role);
  }
  if (roleOf.size === 0) return (text) => text;
  const longestFirst = [...roleOf.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst.map(escapeRegExp).join("|"), "gi");
  return (text) => text.replace(pattern, (found) => mask(roleOf.get(found.toLowerCase()) ?? "unknown"));
}
