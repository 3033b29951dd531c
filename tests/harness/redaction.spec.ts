// Secrets: keys in any spelling, of a spelling too, are hidden, and nothing else is.
import { inspect } from "node:util";
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { redactorOf, Secret, withoutKeys } from "../../harness/core/secret.ts";
import { nearTo } from "../../harness/transport/rendering.ts";
import { bringsBack, formsOf, inAnyCase, isNear, lawfulKey, spelling } from "../support/spellings.ts";
import { vendorKey } from "../support/vendor.ts";

const placed = fc.tuple(
  fc.constantFrom("", "key ", '{"a":"', "x-echo: ", "Bearer "),
  fc.constantFrom("", " was used", '","b":1}', "\r\n", ", and more"),
);

for (const [numRuns, details] of [
  [250, {}],
  [1_000, { tag: "@slow" }],
] as const)
  test(
    `no key is brought back from ${numRuns} texts that the redactor gives, however it was spelled, and spelled again`,
    details,
    () => {
      const written = fc.tuple(lawfulKey, inAnyCase, fc.array(spelling, { maxLength: 2 }), placed, fc.boolean());
      fc.assert(
        fc.property(written, ([key, cased, spellings, [before, after], isInJson]) => {
          const spelled = spellings.reduce((text, [, spell]) => spell(text), cased(key));
          const text = before + spelled + after;
          expect(bringsBack(text, key), "the readers of this test read the spelling").toBe(true);
          const hidden = redactorOf([new Secret("paid", key)])(isInJson ? JSON.stringify(text) : text);
          expect(hidden, spellings.map(([name]) => name).join(" of ")).toContain("<key:paid");
          expect(bringsBack(hidden, key, isInJson ? 4 : 3), hidden).toBe(false);
        }),
        { numRuns, seed: 1 },
      );
    },
  );

const redact = redactorOf([new Secret("paid", vendorKey)]);

test("what stands around a key stays, to the letter", () => {
  for (const spelled of [
    vendorKey,
    vendorKey.replaceAll("-", "%2d"),
    vendorKey.replaceAll("a", "\\u0061"),
    [...vendorKey].map((letter) => `&#${letter.charCodeAt(0)};`).join(""),
    Buffer.from(vendorKey).toString("hex"),
    Buffer.from(vendorKey).toString("base64"),
  ])
    expect(redact(`a %20 &amp; \\n "${spelled}" &lt; b`)).toBe('a %20 &amp; \\n "<key:paid>" &lt; b');
});

test("texts without a key stay as they are", () => {
  const text = fc.oneof(fc.string(), fc.base64String(), fc.json(), fc.webUrl(), fc.string({ unit: "binary" }));
  fc.assert(fc.property(text, (some) => expect(redact(some)).toBe(some)));
});

const numbers = Array.from({ length: 64 }, (_, nth) => (nth * 37 + 11) % 256);
const payer = JSON.stringify(numbers);

test("a private key given as a list of numbers is hidden, however its commas are spaced", () => {
  for (const given of [payer, numbers.join(", "), JSON.stringify(numbers, null, 2)]) {
    const hide = redactorOf([new Secret("payer", `[${given.replace(/^\[|\]$/g, "")}]`)]);
    for (const list of [payer, `[${numbers.join(", ")}]`, JSON.stringify(numbers, null, 2), numbers.join("%2C+")])
      for (const text of [list, JSON.stringify(list), encodeURIComponent(list), Buffer.from(list).toString("base64")])
        expect(hide(`before ${text} after`), text).toMatch(/^before .{0,12}<key:payer>.{0,12} after$/s);
  }
});

test("a key with which a text ends is hidden though it is cut", () => {
  for (const length of [8, 20, vendorKey.length - 2])
    for (const form of [
      vendorKey.slice(0, length),
      `\\u00${vendorKey.charCodeAt(0).toString(16)}${vendorKey.slice(1, length)}`,
    ])
      expect(redact(`it came: ${form}`)).toBe("it came: <key:paid>");
});

for (const [size, length, details] of [
  ["1 MB", 1_000_000, {}],
  // Longer than what engines of regular expressions keep on their stack.
  ["12 MB", 12_000_000, { tag: "@slow" }],
] as const)
  for (const piece of ["A", "x", "4a", "ab ", "%41", "YWFh"])
    test(`a text of ${size} of ${JSON.stringify(piece)} is read, and a key at its end is hidden`, details, () => {
      const text = `, ${piece.repeat(length / piece.length)} ${vendorKey}`;
      expect(redact(text).slice(-20)).toContain("<key:paid>");
    });

test("a key that holds what looks like an escape is hidden in another case, too", () => {
  const hide = redactorOf([new Secret("paid", "key\\Fs-abcdefgh")]);
  expect(hide("it came: k%65y\\fs-abcdefgh")).toBe("it came: <key:paid>");
});

test("the redactor hides every form, within a JSON string too, and nothing else", () => {
  for (const [name, text] of [
    ...formsOf(vendorKey),
    ...formsOf(vendorKey).map(([name, text]) => [name, JSON.stringify(text)] as const),
  ])
    expect(redact(`before ${text} after`), name).not.toContain(text.slice(12, -12));
  expect(redact("before and after")).toBe("before and after");
});

test("a key with another last character is hidden, too", () => {
  const near = nearTo(vendorKey, []);
  expect(isNear(near, vendorKey)).toBe(true);
  for (const [name, text] of formsOf(near))
    expect(redact(`before ${text} after`), name).not.toContain(text.slice(12, -12));
  expect(redact(`before ${near} after`)).toBe(`before <key:paid but for its end>${near.slice(-1)} after`);
  const sibling = new Secret("second", near);
  expect(redactorOf([new Secret("paid", vendorKey), sibling])(`${vendorKey} ${near}`)).toBe("<key:paid> <key:second>");
});

for (const [alphabet, key] of [
  ["a uuid", vendorKey],
  ["upper-case hexadecimal", "0123456789ABCDEF"],
  ["digits", "4242424242"],
  ["base58", "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM"],
  ["base64", "c2VjcmV0LWtleS1vZi1zb21lYm9keQ=="],
  ["base64url", "kP3Xh0-QwErTy_aSdFgHjK"],
] as const) {
  test(`a key of ${alphabet} gets another last character, and never becomes another key of the target`, () => {
    const taken: string[] = [];
    for (let nth = 0; nth < 5; nth += 1) taken.push(nearTo(key, taken));
    expect(new Set([key, ...taken].map((one) => one.toLowerCase())).size).toBe(6);
    for (const near of taken) {
      expect(near).toHaveLength(key.length);
      expect([...near].filter((char, index) => char !== key[index])).toHaveLength(1);
      // It decodes to another key, though the last letter of base64 may carry unused bits.
      if (alphabet.startsWith("base64"))
        expect(Buffer.from(near, "base64").equals(Buffer.from(key, "base64"))).toBe(false);
    }
  });
}

test("a secret prints as its role, however it is printed", () => {
  const secret = new Secret("paid", vendorKey);
  const inspected = inspect(secret, { depth: 9, showHidden: true });
  for (const text of [String(secret), secret.toString(), JSON.stringify({ secret }), inspected])
    expect(text).not.toContain(vendorKey.slice(2, 12));
});

for (const [word, isHidden] of [
  ["9c41d7e05bb84a6f93e2d01c7a55f0e88d21ab43", true],
  ["Zk3_vQ9x-7LmT2wRb8YcN5sD1eHf", true],
  ["7f9c24e5-1f0b-4c55-9a5c-6f4d1f3b8a10", true],
  ["EgFeFv5xfJRzLENQNQ11NmvjAw56C57qaRk7ELFiGwog", true],
  ["solana-mainnet-beta-v1", false],
  ["getMultipleNewAddressProofs", false],
  ["v0-admin-projects-2026-11-29", false],
  ["ec2-12-34-56-78", false],
] as const)
  test(`${word} ${isHidden ? "may be" : "isn't"} a key`, () =>
    expect(withoutKeys(`/v2/${word}/usage`)).toBe(`/v2/${isHidden ? "<key:undeclared>" : word}/usage`));
