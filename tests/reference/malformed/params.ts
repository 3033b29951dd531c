// Malformed params of JSON-RPC methods (§4.3)
import { envelope, type Known, type MalformedCall, methods, text, unknownAddress } from "./call.ts";
import { type Json, list, nested, short, texts as words } from "./rows.ts";

const million = 1_000_000;
const refused = (method: string, params: Json | undefined): MalformedCall =>
  text(envelope(method, params), -32602, {
    title: `${method} ${params === undefined ? "without params" : short(JSON.stringify(params))}`,
    id: 7,
    method,
  });

/** Truncated, too long, in other alphabets, around one that is good. */
const addresses = (owner: string): readonly string[] => [
  ...words`"", " ", "0", "1", O, x, "null", undefined, "[]", 💩💩💩💩💩💩💩💩, 5f0d5c1e-7f5b-4a57-9a0c-1d2e3f405162`,
  ...[
    `${owner}1`,
    `1${owner}`,
    owner + owner,
    owner.slice(0, 22),
    owner.slice(0, 31),
    `${owner} `,
    ` ${owner}`,
    `${owner}\n`,
    `${owner}\0`,
    `"${owner}"`,
  ],
  ...["0", "O", "I", "l", "+", "/", "-", "Ⅴ", "\u200b", "é"].map(
    (letter) => owner.slice(0, 20) + letter + owner.slice(21),
  ),
  ...[
    "1".repeat(31),
    "1".repeat(33),
    "１".repeat(32),
    "z".repeat(44),
    "1".repeat(10_000),
    "z".repeat(100_000),
    "z".repeat(10 * million),
  ],
  ...(["hex", "base64", "base64url"] as const).map((coding) => Buffer.alloc(32, 255).toString(coding)),
];
const noTexts = list`0, 1, true, false, [], [x], {}, {address: x}`;
const counts = list`0, -1, -100, 0.5, 1.5, -0.1, 1e-300, "", "1", "10", "NaN", 1e3x, true, false, [], [1], {},
    {$gt: 0}`;
const cursorOf = (position: string): string => Buffer.from(position).toString("base64url");

const tokenAccounts = ({ owner, mint }: Known): readonly MalformedCall[] => {
  const cursors = [
    ...list`"", x, "0", "null", "=", "%00", 💩, 0, 1, true, [], {}`,
    ...[owner, cursorOf(owner), cursorOf("after"), `${cursorOf(`after ${owner}`)}=`, "A".repeat(million)],
  ];
  return [
    ...[
      undefined,
      null,
      [],
      [{ owner }],
      [owner],
      {},
      { Owner: owner },
      { ownerAddress: owner },
      { owner: null },
      { mint: null, owner: null },
      { limit: 1 },
      { owner: { owner } },
    ],
    ...[...addresses(owner), ...noTexts].flatMap((value) => [
      { owner: value },
      { mint: value },
      { owner, mint: value },
      { mint, owner: value },
    ]),
    ...[...counts, 1001, 1e9, 2 ** 53, 1e300].map((limit) => ({ owner, limit })),
    ...counts.map((page) => ({ owner, page })),
    ...cursors.flatMap((value) => ["cursor", "before", "after"].map((name) => ({ owner, [name]: value }))),
    ...list`"", x, 0, 1, true, false, [], [{}]`.map((options) => ({ owner, options })),
  ].map((params) => refused("getTokenAccounts", params));
};

/** Beyond what JSON's own writer writes. */
const numbers = ({ owner }: Known): readonly MalformedCall[] =>
  [
    "1e400",
    "-1e400",
    "1e999999999",
    "-0",
    "-0.0",
    "0e0",
    "1e-400",
    "0.99999999999999999e0",
    `1${"0".repeat(400)}`,
  ].flatMap((number) =>
    ["limit", "page"]
      .filter((name) => name === "limit" || !number.startsWith("0.9"))
      .map((name) =>
        text(
          envelope("getTokenAccounts", { owner, [name]: "?" }).replace('"?"', number),
          number.startsWith("0.9") ? "result" : -32602,
          { id: 7 },
        ),
      ),
  );

const balances = ({ owner, account, hashOfAnother }: Known): readonly MalformedCall[] =>
  [
    ...[
      undefined,
      null,
      [],
      [account],
      [account, null],
      [{ address: account }],
      {},
      { address: null },
      { hash: null },
      { address: null, hash: null },
      { Address: account },
      { account },
    ],
    ...[...addresses(owner), ...noTexts].flatMap((value) => [
      { address: value },
      { hash: value },
      { address: account, hash: value },
    ]),
    { address: account, hash: hashOfAnother },
  ].map((params) => refused("getCompressedBalance", params));

const proofs = ({ owner }: Known): readonly MalformedCall[] =>
  [
    ...[
      undefined,
      null,
      {},
      { addresses: [unknownAddress] },
      [],
      [[unknownAddress]],
      [null],
      [unknownAddress, null],
      [{ address: unknownAddress }],
      ["1".repeat(32)],
    ],
    ...[...addresses(owner), ...noTexts].flatMap((value) => [[value], [unknownAddress, value]]),
    ...[51, 1_000, 100_000].map((length) => Array.from({ length }, () => unknownAddress)),
  ].map((params) => refused("getMultipleNewAddressProofs", params));

const healths = [
  ...list`[1], [null], [[]], [{}], [ok], {a: 1}, {"": 0}, {params: []}`,
  Array.from({ length: 100_000 }, () => null),
].map((params) => refused("getIndexerHealth", params));

const deep = methods.flatMap((method) =>
  [
    nested("[", "", "]", 10_000),
    nested('{"a":', "1", "}", 10_000),
    nested('[{"a":', "1", "}]", 10_000),
    nested("[", "", "]", 200_000),
  ].map((params) => text(envelope(method, "?").replace('"?"', params), -32602, { id: 7, method })),
);

export const paramTables = (known: Known): { readonly [table: string]: readonly MalformedCall[] } => ({
  "params of getTokenAccounts": tokenAccounts(known),
  "numbers beyond doubles": numbers(known),
  "params of getCompressedBalance": balances(known),
  "params of getMultipleNewAddressProofs": proofs(known),
  "params of getIndexerHealth": healths,
  "params nested without end": deep,
});
