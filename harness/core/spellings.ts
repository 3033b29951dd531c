// Spellings of texts: escapes, hexadecimal and base64 read back, with the place of each character.
import { countUpTo } from "./sorted.ts";

/** A text that was read out of another one. */
export interface Decoded {
  readonly text: string;
  /** Where its characters from `start` to before `end` stand in the other. */
  place(start: number, end: number): readonly [start: number, end: number];
}

const escape = new RegExp(
  [
    // Of JSON and JavaScript.
    String.raw`\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\(["'\\/bfnrt])`,
    // Of HTML.
    "&#x([0-9a-f]{1,8});?|&#([0-9]{1,8});?|&([a-z]{2,16});",
    // Of URLs.
    "%([0-9a-f]{2})",
  ].join("|"),
  "gi",
);

const afterBackslash: { readonly [letter: string]: string } = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** HTML's names of ASCII characters. */
const entities = new Map(
  (
    'Tab:\t NewLine:\n excl:! quot:" QUOT:" num:# dollar:$ percnt:% amp:& AMP:& apos:\' lpar:( rpar:) ast:* midast:* ' +
    "plus:+ comma:, period:. sol:/ colon:: semi:; lt:< LT:< equals:= gt:> GT:> quest:? commat:@ lsqb:[ lbrack:[ " +
    "bsol:\\ rsqb:] rbrack:] Hat:^ lowbar:_ UnderBar:_ grave:` lcub:{ lbrace:{ verbar:| vert:| VerticalLine:| rcub:} " +
    "rbrace:}"
  )
    .split(" ")
    .map((entry) => [entry.slice(0, entry.indexOf(":")), entry.slice(entry.indexOf(":") + 1)] as const),
);

/** One character, or undefined where it is none that a key can have. */
function characterOf(
  [whole = "", u, x, letter, hex, decimal, name, percent]: readonly (string | undefined)[],
  isLenient: boolean,
): string | undefined {
  // Keys are searched for in any case, and a spelling may be in another case, too.
  if (letter !== undefined) return afterBackslash[letter.toLowerCase()] ?? letter;
  if (name !== undefined) return entities.get(name);
  const digits = u ?? x ?? hex ?? percent;
  const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
  if (!isLenient && whole.startsWith("&") && !whole.endsWith(";")) return undefined;
  return code <= 0xffff ? String.fromCharCode(code) : undefined;
}

/** Numbers of HTML whose semicolon is missing, or is spelled itself. */
export const unended = /&#x?[0-9a-f]+(?![0-9a-f;])/i;

/**
 * The text with each escape read once; null where it has none.
 * @param isLenient whether a number of HTML needs no semicolon
 */
export function unescaped(text: string, isLenient = false): Decoded | null {
  // Where the characters that were escaped stand here, where there, and how long they are there.
  const [here, there, lengths]: [number[], number[], number[]] = [[], [], []];
  let [read, next, length] = ["", 0, 0];
  for (const match of text.matchAll(escape)) {
    const character = characterOf(match, isLenient);
    if (character === undefined) continue;
    read += text.slice(next, match.index) + character;
    length += match.index - next + 1;
    next = match.index + match[0].length;
    here.push(length - 1);
    there.push(match.index);
    lengths.push(match[0].length);
  }
  if (here.length === 0) return null;
  const placeOf = (at: number): readonly [start: number, end: number] => {
    const nth = countUpTo(here, at) - 1;
    if (nth < 0) return [at, at + 1];
    const [its, start, length] = [here[nth] ?? 0, there[nth] ?? 0, lengths[nth] ?? 0];
    if (its === at) return [start, start + length];
    const behind = start + length + at - its - 1;
    return [behind, behind + 1];
  };
  return { text: read + text.slice(next), place: (start, end) => [placeOf(start)[0], placeOf(end - 1)[1]] };
}

/** A list without the white space around its commas, or what stands for it in URLs; null where there is none. */
export function unspaced(text: string): Decoded | null {
  if (!/[\s+],|,[\s+]/.test(text)) return null;
  const places: number[] = [];
  let [read, next] = ["", 0];
  // One greedy match of a word of ten million letters would exceed the stack.
  for (const piece of text.split(/[\s+]/)) {
    read += piece;
    for (let at = 0; at < piece.length; at += 1) places.push(next + at);
    next += piece.length + 1;
  }
  return { text: read, place: (start, end) => [places[start] ?? 0, (places[end - 1] ?? 0) + 1] };
}

/** Bytes of which hardly any text consists that isn't meant to be read. */
const isPlain = (byte: number): boolean => (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d);
const plain = new Uint8Array(256).map((_, byte) => (isPlain(byte) ? 1 : 0));

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const sextets = new Int8Array(256).fill(-1);
for (const [value, letters] of [...alphabet, "+-", "/_"].entries())
  for (const letter of letters) sextets[letter.charCodeAt(0)] = value;
const nibbles = new Int8Array(256).map((_, code) => Number.parseInt(String.fromCharCode(code), 16));

/** A stretch of digits of so many bits each, read from its first one; without Node's buffers, which k6 hasn't. */
function stretch(text: string, begins: number, ends: number, digits: "hex" | "base64"): Decoded {
  const [bits, values] = digits === "hex" ? [4, nibbles] : [6, sextets];
  let [read, held, count] = ["", 0, 0];
  for (let at = begins; at < ends; at += 1) {
    held = ((held << bits) | (values[text.charCodeAt(at)] ?? 0)) & 0xffff;
    count += bits;
    if (count < 8) continue;
    count -= 8;
    read += String.fromCharCode((held >> count) & 255);
  }
  return {
    text: read,
    place: (start, end) => [
      begins + Math.floor((start * 8) / bits),
      Math.min(ends, begins + Math.ceil((end * 8) / bits)),
    ],
  };
}

const plainText = /[\t-\r\x20-\x7e]{6}/;

/** What stands in hexadecimal, from both the first and the second digit. */
export function hexadecimalIn(text: string): readonly Decoded[] {
  const [twelve, digit] = [/[0-9a-f]{12}/gi, /[0-9a-f]/i];
  const found: Decoded[] = [];
  // Digit by digit: one greedy match of ten million would exceed the stack.
  for (let match = twelve.exec(text); match; match = twelve.exec(text)) {
    let end = twelve.lastIndex;
    while (digit.test(text.charAt(end))) end += 1;
    const shifted = [0, 1].map((shift) => stretch(text, match.index + shift, end, "hex"));
    found.push(...shifted.filter((decoded) => plainText.test(decoded.text)));
    twelve.lastIndex = end;
  }
  return found;
}

/** What stands in base64, also url-safe, and within longer texts: any of four letters may be the first of a group. */
export function base64In(text: string): readonly Decoded[] {
  const found: Decoded[] = [];
  /** The first letter of the plain groups that end here, by the place of groups; -1 where there are none. */
  const begins = new Int32Array(4).fill(-1);
  let [runs, group] = [0, 0];
  const close = (place: number, end: number, more = 0): void => {
    const begin = begins[place] ?? -1;
    begins[place] = -1;
    // A key of eight letters fills two groups; the groups around them may hold some of it, too.
    if (begin >= 0 && end - begin >= 8)
      found.push(stretch(text, begin - 4 >= runs ? begin - 4 : begin, end + more, "base64"));
  };
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    const sextet = code < 256 ? (sextets[code] ?? -1) : -1;
    if (sextet < 0) {
      for (let place = 0; place < 4; place += 1) close(place, at);
      runs = at + 1;
      continue;
    }
    group = ((group << 6) | sextet) & 0xffffff;
    if (at - runs < 3) continue;
    const isText = plain[group >> 16] === 1 && plain[(group >> 8) & 255] === 1 && plain[group & 255] === 1;
    const place = at & 3;
    if (!isText) close(place, at - 3, 4);
    else if (begins[place] === -1) begins[place] = at - 3;
  }
  return found;
}
