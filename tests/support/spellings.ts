// Spellings of keys as platforms may echo them, and readers of their own that bring the keys back
import fc from "fast-check";

/** One way to write a text. */
type Spelling = (text: string) => string;

/** For each character one of several forms, by numbers that are drawn. */
const perCharacter =
  (picks: readonly number[], formsOf: (character: string, code: number) => readonly string[]): Spelling =>
  (text) =>
    [...text]
      .map((character, nth) => {
        const forms = formsOf(character, character.charCodeAt(0));
        return forms[(picks[nth % picks.length] ?? 0) % forms.length] ?? character;
      })
      .join("");

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0");
const named: { readonly [character: string]: string } = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "'": "apos",
  "/": "sol",
  "+": "plus",
  "=": "equals",
  _: "lowbar",
  ".": "period",
};

const inJson = (picks: readonly number[]): Spelling =>
  perCharacter(picks, (character, code) => [
    ...('"\\'.includes(character) ? [`\\${character}`] : [character]),
    `\\u${hex(code, 4)}`,
    `\\u${hex(code, 4).toUpperCase()}`,
    ...(character === "/" ? ["\\/"] : []),
  ]);
const inHtml = (picks: readonly number[]): Spelling =>
  perCharacter(picks, (character, code) => [
    ...(character === "&" ? ["&amp;"] : [character]),
    `&#${code};`,
    `&#x${hex(code, 2)};`,
    `&#X${hex(code, 2).toUpperCase()};`,
    ...(named[character] ? [`&${named[character]};`] : []),
  ]);
const inUrl = (picks: readonly number[]): Spelling =>
  perCharacter(picks, (character, code) => [
    ...(character === "%" ? ["%25"] : [character]),
    `%${hex(code, 2)}`,
    `%${hex(code, 2).toUpperCase()}`,
  ]);
const all = (nth: number): readonly number[] => [nth];

const picks = fc.array(fc.nat(11), { minLength: 3, maxLength: 9 });
const around = fc.tuple(fc.constantFrom("", "k", "ke", "key:"), fc.constantFrom("", "!", "; a", "\n"));

/** What can be spelled further: a key, in its own or in another case. */
export const inAnyCase: fc.Arbitrary<Spelling> = fc.constantFrom<Spelling>(
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
);

/** Any of the spellings, a mixed one as often as one that spells each character alike. */
export const spelling: fc.Arbitrary<readonly [name: string, spelling: Spelling]> = fc.oneof(
  fc.constant(["URI", encodeURIComponent] as const),
  fc.constantFrom(...[1, 2].map((nth) => [`JSON, all ${nth}`, inJson(all(nth))] as const)),
  fc.constantFrom(...[1, 2, 3].map((nth) => [`HTML, all ${nth}`, inHtml(all(nth))] as const)),
  fc.constantFrom(...[1, 2].map((nth) => [`URL, all ${nth}`, inUrl(all(nth))] as const)),
  picks.map((some) => ["JSON", inJson(some)] as const),
  picks.map((some) => ["HTML", inHtml(some)] as const),
  picks.map((some) => ["URL", inUrl(some)] as const),
  fc.boolean().map(
    (isUpper) =>
      [
        "hex",
        (text: string) => {
          const digits = Buffer.from(text).toString("hex");
          return isUpper ? digits.toUpperCase() : digits;
        },
      ] as const,
  ),
  fc.tuple(around, fc.constantFrom("base64" as const, "base64url" as const), fc.boolean()).map(
    ([[before, after], coding, isPadded]) =>
      [
        coding,
        (text: string) =>
          Buffer.from(before + text + after)
            .toString(coding)
            .replace(isPadded ? /$^/ : /=+$/, ""),
      ] as const,
  ),
);

/** A key as platforms usually write it. */
export const formsOf = (key: string): readonly (readonly [name: string, text: string])[] => [
  ["raw", key],
  ["upper case", key.toUpperCase()],
  ["percent-encoded", [...Buffer.from(key)].map((byte) => `%${byte.toString(16)}`).join("")],
  ["JSON-escaped", [...key].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")],
  ["base64", Buffer.from(key).toString("base64")],
  ["base64url", Buffer.from(key).toString("base64url")],
  ["base64 of a longer text", Buffer.from(`Bearer ${key}!`).toString("base64")],
  ["hex", Buffer.from(key).toString("hex")],
];
/** Differs from the key in the last character only. */
export const isNear = (other: string, key: string): boolean => other !== key && other.slice(0, -1) === key.slice(0, -1);

const visible = Array.from({ length: 0x7f - 0x21 }, (_, nth) => String.fromCharCode(0x21 + nth));
/** Keys of the alphabets that platforms use, and of any characters that a target file takes. */
export const lawfulKey: fc.Arbitrary<string> = fc.oneof(
  fc.uuid(),
  // These hold what looks like a spelling.
  fc.constantFrom("%41%42%43defghijkl", "\\u0041\\u0042cdefgh", "&#65;&#66;&lt;cdefgh", "4a4b4c4d4e4f50515253"),
  fc.uint8Array({ minLength: 9, maxLength: 48 }).map((bytes) => Buffer.from(bytes).toString("base64")),
  fc.uint8Array({ minLength: 9, maxLength: 48 }).map((bytes) => Buffer.from(bytes).toString("base64url")),
  fc.array(fc.constantFrom(...visible), { minLength: 12, maxLength: 64 }).map((letters) => letters.join("")),
);

/** Reads one escape at a time, as readers of JSON, HTML and URLs do. */
const readers: readonly ((text: string) => readonly string[])[] = [
  (text) => [
    text.replace(/\\(?:u([\da-f]{4})|(["\\/]))/gi, (_, code?: string, letter?: string) =>
      code === undefined ? (letter ?? "") : String.fromCharCode(Number.parseInt(code, 16)),
    ),
  ],
  (text) => [
    text.replace(/&(?:#x([\da-f]+)|#(\d+)|([a-z]+));/gi, (whole, hexCode?: string, code?: string, name?: string) => {
      if (name === undefined) return String.fromCharCode(Number.parseInt(hexCode ?? code ?? "", hexCode ? 16 : 10));
      return Object.entries(named).find(([, one]) => one === name)?.[0] ?? whole;
    }),
  ],
  (text) => [text.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))],
  (text) =>
    (text.match(/[\da-f]{16,}/gi) ?? []).flatMap((run) =>
      [run, run.slice(1)].map((digits) => Buffer.from(digits, "hex").toString("latin1")),
    ),
  (text) =>
    (text.match(/[\w+/-]{11,}/g) ?? []).flatMap((run) =>
      [0, 1, 2, 3].map((shift) => Buffer.from(run.slice(shift), "base64").toString("latin1")),
    ),
];

/** Whether a text holds another one in a form that up to `depth` readers, one after the other, bring back. */
export function bringsBack(text: string, key: string, depth = 3): boolean {
  if (text.toLowerCase().includes(key.toLowerCase())) return true;
  if (depth === 0) return false;
  return readers.some((reader) => reader(text).some((read) => read !== text && bringsBack(read, key, depth - 1)));
}
