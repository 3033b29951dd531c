// Malformed params of JSON-RPC methods (§4.3)
import {
  account,
  badParams,
  type CallRow,
  hashOfAnother,
  methods,
  mint,
  owner,
  text,
  unknownAddress,
  written,
} from "./call.ts";
import { type Json, list, nested, short, split, texts } from "./rows.ts";

const million = 1_000_000;
const refused = (method: string, params?: Json): CallRow => {
  const json = JSON.stringify(params) as string | undefined;
  return badParams(method, json, `${method} ${json === undefined ? "without params" : short(json)}`);
};

/** Truncated, too long, in other alphabets, around one that is good. */
const addresses = [
  ...texts`"", " ", "0", "1", O, x, "null", undefined, "[]", 💩💩💩💩💩💩💩💩, 5f0d5c1e-7f5b-4a57-9a0c-1d2e3f405162,
    ${owner}1, 1${owner}, ${owner}${owner}, ${owner.slice(0, 22)}, ${owner.slice(0, 31)}, "${owner} ", " ${owner}",
    "${owner}\n", "${owner}\0", '"${owner}"'`,
  ...[..."0OIl+/-Ⅴ\u200bé"].map((letter) => owner.slice(0, 20) + letter + owner.slice(21)),
  ...["1".repeat(31), "1".repeat(33), "１".repeat(32), "z".repeat(44)],
  ...["1".repeat(10_000), "z".repeat(100_000), "z".repeat(10 * million)],
  ...(["hex", "base64", "base64url"] as const).map((coding) => Buffer.alloc(32, 255).toString(coding)),
];
const misfits = [...addresses, ...list`0, 1, true, false, [], [x], {}, {address: x}`];
const counts = list`0, -1, -100, 0.5, 1.5, -0.1, 1e-300, "", "1", "10", "NaN", 1e3x, true, false, [], [1], {},
    {$gt: 0}`;
const cursorOf = (position: string): string => Buffer.from(position).toString("base64url");
const cursors = [
  ...list`"", x, "0", "null", "=", "%00", 💩, 0, 1, true, [], {}, ${owner}, ${cursorOf(owner)}, ${cursorOf("after")},
    ${cursorOf(`after ${owner}`)}=`,
  "A".repeat(million),
];

const tokenAccounts = [
  undefined,
  ...list`null, [], [{owner: ${owner}}], [${owner}], {}, {Owner: ${owner}}, {ownerAddress: ${owner}}, {owner: null},
    {mint: null, owner: null}, {limit: 1}, {owner: {owner: ${owner}}}`,
  ...misfits.flatMap((value) => [{ owner: value }, { mint: value }, { owner, mint: value }, { mint, owner: value }]),
  ...[...counts, 1001, 1e9, 2 ** 53, 1e300].map((limit) => ({ owner, limit })),
  ...counts.map((page) => ({ owner, page })),
  ...cursors.flatMap((value) => ["cursor", "before", "after"].map((name) => ({ owner, [name]: value }))),
  ...list`"", x, 0, 1, true, false, [], [{}]`.map((options) => ({ owner, options })),
];

/** Beyond what JSON's own writer writes. */
const withNumber = (name: string, number: string): string => `{"owner":"${owner}","${name}":${number}}`;
const numbers = [
  ...split(`1e400 -1e400 1e999999999 -0 -0.0 0e0 1e-400 1${"0".repeat(400)}`).flatMap((number) =>
    ["limit", "page"].map((name) => badParams("getTokenAccounts", withNumber(name, number))),
  ),
  text(written("getTokenAccounts", withNumber("limit", "0.99999999999999999e0")), "result"),
];

const balances = [
  undefined,
  ...list`null, [], [${account}], [${account}, null], [{address: ${account}}], {}, {address: null}, {hash: null},
    {address: null, hash: null}, {Address: ${account}}, {account: ${account}}`,
  ...misfits.flatMap((value) => [{ address: value }, { hash: value }, { address: account, hash: value }]),
  { address: account, hash: hashOfAnother },
];

const proofs = [
  undefined,
  ...list`null, {}, {addresses: [${unknownAddress}]}, [], [[${unknownAddress}]], [null], [${unknownAddress}, null],
    [{address: ${unknownAddress}}], ["${"1".repeat(32)}"]`,
  ...misfits.flatMap((value) => [[value], [unknownAddress, value]]),
  ...[51, 1_000, 100_000].map((length) => Array.from({ length }, () => unknownAddress)),
];

const healths = [
  ...list`[1], [null], [[]], [{}], [ok], {a: 1}, {"": 0}, {params: []}`,
  Array.from({ length: 100_000 }, () => null),
];

const deep = methods.flatMap((method) =>
  [
    nested("[", "", "]", 10_000),
    nested('{"a":', "1", "}", 10_000),
    nested('[{"a":', "1", "}]", 10_000),
    nested("[", "", "]", 200_000),
  ].map((params) => badParams(method, params)),
);

export const paramTables = {
  "params of getTokenAccounts": tokenAccounts.map((params) => refused("getTokenAccounts", params)),
  "numbers beyond doubles": numbers,
  "params of getCompressedBalance": balances.map((params) => refused("getCompressedBalance", params)),
  "params of getMultipleNewAddressProofs": proofs.map((params) => refused("getMultipleNewAddressProofs", params)),
  "params of getIndexerHealth": healths.map((params) => refused("getIndexerHealth", params)),
  "params nested without end": deep,
};
