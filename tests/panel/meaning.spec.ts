// What answers mean: what the interface leaves open makes no difference, and all else does.
import { expect, test } from "@playwright/test";
import { type Asked, differencesFor, hasMeaning, votesFor } from "./votes.ts";

/** Whether two answers to one ask are the same vote. */
async function areAlike(what: Asked, one: string, other: string): Promise<boolean> {
  const votes = await votesFor(what, one, other);
  if (votes.length < 2) throw new Error("an answer has no meaning");
  return votes[0]?.value === votes[1]?.value;
}

const account = (address: string, members = '"amount":5,"frozen":false'): string =>
  `{"address":"${address}","mint":"m","owner":"o",${members}}`;
const list = (...accounts: readonly string[]): string =>
  `{"total":${accounts.length},"limit":100,"last_indexed_slot":7,"token_accounts":[${accounts.join()}]}`;
/** One that is followed by more. */
const page = (...accounts: readonly string[]): string => list(...accounts).replace("{", '{"cursor":"c",');
const many = (count: number, from = 0): readonly string[] =>
  Array.from({ length: count }, (_, nth) => account(`a${nth + from}`));

for (const [title, one, other] of [
  ["order", list(account("a"), account("b")), list(account("b"), account("a"))],
  [
    "cursor and total",
    list(account("a")),
    '{"last_indexed_slot":7,"total":9,"cursor":"x","token_accounts":[' + account("a") + "]}",
  ],
  ["further members", list(account("a")), list(account("a", '"amount":5,"frozen":false,"program":"p"'))],
  [
    "`burnt` and `delegated_amount`",
    list(account("a")),
    list(account("a", '"amount":5,"delegated_amount":3,"burnt":true')),
  ],
  ["`frozen` that is false or left out", list(account("a")), list(account("a", '"amount":5'))],
  ["spelling of numbers", list(account("a")), list(account("a", '"amount":5.0,"frozen":false'))],
  ["digits as a text", list(account("a")), list(account("a", '"amount":"5","frozen":false'))],
  [
    "digits beyond 2^53",
    list(account("a", '"amount":9007199254740993')),
    list(account("a", '"amount":9007199254740992')),
  ],
  ["empty accounts", list(account("a")), list(account("a"), account("z", '"amount":0,"frozen":false'))],
  ["slots", list(account("a")), list(account("a")).replace(":7", ":8")],
  ["how long a page is", page(...many(100)), page(...many(50))],
] as const)
  test(`accounts: no difference by ${title}`, async () => {
    expect(await areAlike("accounts", one, other)).toBe(true);
  });

for (const [title, one, other] of [
  ["an amount", list(account("a")), list(account("a", '"amount":6,"frozen":false'))],
  ["an amount that is no number", list(account("a")), list(account("a", '"amount":null,"frozen":false'))],
  ["`frozen`", list(account("a")), list(account("a", '"amount":5,"frozen":true'))],
  ["a mint", list(account("a")), list(account("a").replace('"m"', '"n"'))],
  ["an owner", list(account("a")), list(account("a").replace('"o"', '"p"'))],
  ["an address", list(account("a")), list(account("b"))],
  ["a missing account", list(account("a"), account("b")), list(account("a"))],
  ["no account", list(account("a")), list()],
  ["an account within long pages", page(...many(100)), page(...many(99), account("a99", '"amount":6'))],
  ["an account within a part", page(...many(100)), page(...many(49), account("a49", '"amount":6'))],
  ["the last account of a long list", list(...many(60)), list(...many(59))],
] as const)
  test(`accounts: ${title} makes a difference`, async () => {
    expect(await areAlike("accounts", one, other)).toBe(false);
  });

test("a part that shares nothing with others has no vote, and doesn't silence them", async () => {
  expect(await votesFor("accounts", page(...many(100)), page(...many(100, 100)))).toEqual([]);
  const votes = await votesFor("accounts", page(...many(100)), page(...many(50)), page(...many(100, 500)));
  expect(votes.map(({ vendor }) => vendor)).toEqual([0, 1]);
  expect(new Set(votes.map((vote) => vote.value)).size).toBe(1);
});

test("parts that share no account with all others aren't compared", async () => {
  const [first, second, third] = [many(60), many(60, 30), [...many(30, 60), ...many(30)]];
  expect(await votesFor("accounts", page(...first), page(...second), page(...third))).toEqual([]);
});

test("one answer alone is no vote", async () => {
  expect(await votesFor("balance", value("5"), "null")).toEqual([]);
});

test("a list with fewer accounts than its total is a part", async () => {
  const [one, other] = [list(...many(60)).replace('"total":60', '"total":130'), list(...many(59))];
  expect(await areAlike("accounts", one, list(...many(59)).replace('"total":59', '"total":130'))).toBe(true);
  expect(await areAlike("accounts", list(...many(60)), other)).toBe(false);
});

const value = (number: string): string => `{"context":{"slot":7},"value":${number}}`;
test("balances are exact", async () => {
  expect(await areAlike("balance", value("5"), value("5.0"))).toBe(true);
  expect(await areAlike("balance", value("5"), value("6"))).toBe(false);
  expect(await areAlike("balance", value("0"), value("9007199254740993"))).toBe(false);
});

const proof = (members: string): string =>
  `{"context":{"slot":7},"value":[{"address":"a","root":"r","rootSeq":5,"nextIndex":9,"proof":["x","y"],${members}}]}`;
test("proofs of another tree aren't compared", async () => {
  const one = proof('"merkleTree":"t"');
  expect(await votesFor("proofs", one, one.replace('"t"', '"u"').replace('"r"', '"s"'))).toEqual([]);
});

test("of proofs, hashes are left out, and root and indices are exact", async () => {
  const one = proof('"lowElementLeafIndex":1');
  expect(await areAlike("proofs", one, one.replace('["x","y"]', '["x"]'))).toBe(true);
  for (const [from, to] of [
    ['"r"', '"q"'],
    [":5", ":6"],
    [":9", ":8"],
    ['Index":1', 'Index":2'],
  ] as const)
    expect(await areAlike("proofs", one, one.replace(from, to)), to).toBe(false);
});

for (const [title, what, result] of [
  ["without a slot", "accounts", '{"token_accounts":[]}'],
  ["whose slot is below zero", "accounts", '{"last_indexed_slot":-7,"token_accounts":[]}'],
  ["that lists more than anybody needs", "accounts", list(...many(10_001))],
  ["whose slot is no number", "accounts", '{"last_indexed_slot":"soon","token_accounts":[]}'],
  ["whose slot is beyond all", "accounts", '{"last_indexed_slot":1e308,"token_accounts":[]}'],
  ["whose list is none", "accounts", '{"last_indexed_slot":7,"token_accounts":{}}'],
  ["whose result is null", "balance", "null"],
  ["whose value is a word", "balance", '{"context":{"slot":7},"value":"much"}'],
] as const)
  test(`an answer ${title} has no meaning`, async () => {
    expect(await hasMeaning(what, result)).toBe(false);
  });

type Given = readonly (readonly [value: string | null, ...vendors: number[]])[];
const valuesOf = async (what: Asked, ...texts: readonly string[]) => {
  const { differences } = await differencesFor(what, ...texts);
  return differences.map(({ of, member, is, values }) => {
    const given: Given = values.map(({ value: text, vendors }) => [text, ...vendors]);
    return [of, member, is, given] as const;
  });
};
const amounted = (amount: string): string => list(account("a", `"amount":${amount}`));

for (const [title, what, texts, expected] of [
  [
    "numbers are exact beyond 2^53, whether digits or a text, and the most given is first",
    "balance",
    ["18446744073709551614", '"18446744073709551615"', "18446744073709551615", "1.5e1"].map((one) => value(one)),
    [
      [
        null,
        "value",
        "number",
        [
          ["18446744073709551615", 1, 2],
          ["18446744073709551614", 0],
          ["15", 3],
        ],
      ],
    ],
  ],
  [
    "a number of many digits stays as it is written",
    "balance",
    [value("5"), value("1e999999")],
    [
      [
        null,
        "value",
        "text",
        [
          ["5", 0],
          ["1e999999", 1],
        ],
      ],
    ],
  ],
  [
    "an account that an answer lacks is missing, and an empty one has its zero",
    "accounts",
    [list(account("a"), account("b")), list(account("a")), list(account("a"), account("b", '"amount":0'))],
    [
      [
        "b",
        "amount",
        "number",
        [
          ["5", 0],
          [null, 1],
          ["0", 2],
        ],
      ],
    ],
  ],
  [
    "what is no number is a text, and what is left out is missing",
    "accounts",
    [amounted("5"), amounted("null"), list(account("a", '"frozen":true'))],
    [
      [
        "a",
        "amount",
        "text",
        [
          ["5", 0],
          ["null", 1],
          [null, 2],
        ],
      ],
      [
        "a",
        "frozen",
        "text",
        [
          [null, 0, 1],
          ["true", 2],
        ],
      ],
    ],
  ],
  [
    "a text of digits where none is due keeps its quotes, as an empty one does, and is no number",
    "accounts",
    [list(account("a").replace('"o"', '"12"')), list(account("a").replace('"o"', '""'))],
    [
      [
        "a",
        "owner",
        "text",
        [
          ['"12"', 0],
          ['""', 1],
        ],
      ],
    ],
  ],
  [
    "a key is told by its role",
    "accounts",
    [list(account("a")), list(account("a").replace('"o"', '"KEY"'))],
    [
      [
        "a",
        "owner",
        "text",
        [
          ["o", 0],
          ["<key:paid>", 1],
        ],
      ],
    ],
  ],
  [
    "of proofs, roots and indices",
    "proofs",
    [proof('"merkleTree":"t"'), proof('"merkleTree":"t"').replace('"r"', '"s"').replace(":9", ":8")],
    [
      [
        "a",
        "nextIndex",
        "number",
        [
          ["9", 0],
          ["8", 1],
        ],
      ],
      [
        "a",
        "root",
        "text",
        [
          ["r", 0],
          ["s", 1],
        ],
      ],
    ],
  ],
  [
    "only of accounts that all parts have",
    "accounts",
    [page(...many(60)), page(...many(49), account("a49", '"amount":6'), ...many(9, 100))],
    [
      [
        "a49",
        "amount",
        "number",
        [
          ["5", 0],
          ["6", 1],
        ],
      ],
    ],
  ],
] as const)
  test(`what differs: ${title}`, async () => {
    expect(await valuesOf(what, ...texts)).toEqual(expected);
  });

test("what differs: no more than 20 values of a poll, and how many there are", async () => {
  const { differences, differing } = await differencesFor("accounts", list(...many(30)), list());
  expect([differences.length, differing]).toEqual([20, 30]);
});
