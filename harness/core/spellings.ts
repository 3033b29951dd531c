// Spellings of texts: what escapes, hexadecimal and base64 stand for, and where each character was read.

/** A text that was read out of another one. */
export interface DecodedText {
  readonly text: string;
  /** Where in the other text that begins, and ends, which stands for a character. */
  startOf(character: number): number;
  endOf(character: number): number;
}

/** Escapes of JSON and JavaScript, of URLs, and of HTML, whose numbers end with a semicolon that some leave out. */
const escapesWith = (semicolon: ";" | ";?"): RegExp =>
  new RegExp(
    String.raw`\\u([0-9a-f]{4})|(?:\\x|%)([0-9a-f]{2})|\\(["'\\/bfnrt])` +
      `|&#x([0-9a-f]{1,8})${semicolon}|&#([0-9]{1,8})${semicolon}|&([a-z]{2,16});`,
    "gi",
  );
const strictEscapes = escapesWith(";");
const lenientEscapes = escapesWith(";?");

/** Numbers of HTML whose semicolon is missing, or is spelled itself. */
export const unendedNumber = /&#x?[0-9a-f]+(?![0-9a-f;])/i;

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
function escapedCharacter([, u, byte, letter, hex, decimal, name]: readonly (string | undefined)[]) {
  // Keys are searched for in any case, and a spelling may be in another case, too.
  if (letter !== undefined) return afterBackslash[letter.toLowerCase()] ?? letter;
  if (name !== undefined) return entities.get(name);
  const digits = u ?? byte ?? hex;
  const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
  return code <= 0xffff ? String.fromCharCode(code) : undefined;
}

/** The text with a character, or nothing, in the place of each match; null where there is none. */
function replacing(
  text: string,
  spelled: RegExp,
  characterOf: (match: readonly (string | undefined)[]) => string | undefined,
): DecodedText | null {
  const starts = new Int32Array(text.length + 1);
  const ends = new Int32Array(text.length + 1);
  let read = "";
  let next = 0;
  const readUpTo = (end: number): void => {
    for (let at = next, length = read.length; at < end; at += 1, length += 1) {
      starts[length] = at;
      ends[length] = at + 1;
    }
    read += text.slice(next, end);
  };
  for (const match of text.matchAll(spelled)) {
    const character = characterOf(match);
    if (character === undefined) continue;
    readUpTo(match.index);
    next = match.index + match[0].length;
    starts[read.length] = match.index;
    ends[read.length] = next;
    read += character;
  }
  if (next === 0) return null;
  readUpTo(text.length);
  return { text: read, startOf: (at) => starts[at] ?? 0, endOf: (at) => ends[at] ?? 0 };
}

/**
 * The text with each escape read once; null where it has none.
 * @param isLenient whether a number of HTML needs no semicolon
 */
export const readEscapes = (text: string, isLenient = false): DecodedText | null =>
  replacing(text, isLenient ? lenientEscapes : strictEscapes, escapedCharacter);

/** A list without the white space around its commas, or what stands for it in URLs; null where there is none. */
export const readWithoutSpaces = (text: string): DecodedText | null =>
  /[\s+],|,[\s+]/.test(text) ? replacing(text, /[\s+]/g, () => "") : null;

/** Digits that stand for bits. */
interface Coding {
  readonly bits: number;
  /** How many digits make whole bytes. */
  readonly group: number;
  /** By the character code of a digit; -1 of all else. */
  readonly values: Int8Array;
  /** So many digits that stand for six characters; fewer in a row come about by chance. */
  readonly fewest: number;
  readonly beginning: RegExp;
  /** A further group of them. */
  readonly next: RegExp;
}

/**
 * @param digits those of each value
 * @param readable a group that may stand for characters that are there to be read
 */
function codingOf(bits: number, group: number, digits: readonly string[], readable: string): Coding {
  const values = new Int8Array(128).fill(-1);
  for (const [value, alike] of digits.entries()) for (const digit of alike) values[digit.charCodeAt(0)] = value;
  const fewest = 48 / bits;
  const beginning = new RegExp(`(?:${readable}){${fewest / group}}`, "g");
  return { bits, group, values, fewest, beginning, next: new RegExp(readable, "y") };
}

const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "+-", "/_"];
const codings = [
  codingOf(4, 2, [..."0123456789", "aA", "bB", "cC", "dD", "eE", "fF"], "[2-7][0-9A-Fa-f]|0[9A-Da-d]"),
  // Three characters of ASCII, whose high bits the first three letters hold, so that few of those are possible.
  codingOf(6, 4, letters, "[CDI-Za-f][AC-HQS-Xgi-nwyz0-3][ABEFIJMNQRUVYZcdghklopstwx014589][\\w+/-]"),
];

/** What digits stand for, up to what is none; without Node's buffers, which k6 hasn't. */
function bytesOf({ bits, values }: Coding, text: string, begin: number, end: number): DecodedText {
  let read = "";
  let held = 0;
  let count = 0;
  for (let at = begin; at < end; at += 1) {
    const value = values[text.charCodeAt(at)] ?? -1;
    if (value < 0) break;
    held = ((held << bits) | value) & 0xffff;
    count += bits;
    if (count < 8) continue;
    count -= 8;
    read += String.fromCharCode((held >> count) & 255);
  }
  return {
    text: read,
    startOf: (at) => begin + Math.floor((at * 8) / bits),
    endOf: (at) => begin + Math.ceil(((at + 1) * 8) / bits),
  };
}

/** What stands in hexadecimal and in base64, also url-safe: any digit of a longer text may be the first of a group. */
export function readDigits(text: string): readonly DecodedText[] {
  const decoded: DecodedText[] = [];
  for (const coding of codings) {
    const { group, values, fewest, beginning, next } = coding;
    /** Where the last stretch ended that began so many digits after whole groups. */
    const ends = new Int32Array(group);
    while (beginning.test(text)) {
      let end = beginning.lastIndex;
      const begin = end - fewest;
      beginning.lastIndex = begin + 1;
      if (begin < (ends[begin % group] ?? 0)) continue;
      for (next.lastIndex = end; next.test(text); ) end = next.lastIndex;
      ends[begin % group] = end;
      // The groups around them may hold some of a key, too.
      const before = [...text.slice(Math.max(0, begin - group), begin)];
      const isJoined = before.length === group && before.every((digit) => (values[digit.charCodeAt(0)] ?? -1) >= 0);
      decoded.push(bytesOf(coding, text, isJoined ? begin - group : begin, end + group));
    }
  }
  return decoded;
}
