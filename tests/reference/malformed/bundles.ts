// What is no bundle, and params of every type for the methods of bundles (§4.3)
import { payerNamed } from "../../../contracts/bundles/transactions.ts";
import { in58, in64, made, own, payer, some, tip } from "../../support/bundles.ts";
import { badParams, type CallRow, envelope, text } from "./call.ts";
import { type Json, list } from "./rows.ts";

const [one] = some(1);
const bytes = one?.bytes ?? new Uint8Array();
const base64 = (changed: Uint8Array): readonly unknown[] => [
  [Buffer.from(changed).toString("base64")],
  { encoding: "base64" },
];
const flipped = (at: number): Uint8Array => bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));
const another = payerNamed("nobody");

const noBundles: { readonly [title: string]: unknown } = {
  "6 transactions": in64(some(6)),
  "12 transactions": in64(some(12)),
  "no transaction": [[], { encoding: "base64" }],
  "no params": undefined,
  "a bare text": [in58(some(1))[0]],
  numbers: [[1, 2]],
  objects: [[{ transaction: in58(some(1))[0] }]],
  "an object for params": { transactions: in58(some(1)) },
  "a number for params": 5,
  "no tip": in64([made(1, [own])]),
  "a tip to an account that isn't designated": in64([
    made(1, [{ from: payer, to: another.publicKey, lamports: 1000n }]),
  ]),
  "an unsigned transaction": in64([made(1, [tip], { unsigned: [payer] })]),
  "a transaction that one of two signed": in64([made(1, [tip], { unsigned: [another] })]),
  "a signature of something else": base64(flipped(5)),
  "a message that was changed after signing": base64(flipped(bytes.length - 20)),
  "bytes missing at the end": base64(bytes.slice(0, -1)),
  "bytes too many at the end": base64(Uint8Array.from([...bytes, 0])),
  "half a transaction": base64(bytes.slice(0, 80)),
  "nothing but zeros": base64(new Uint8Array(200)),
  "1 MB of text": [["A".repeat(1_000_000)], { encoding: "base64" }],
  "1 MB of base58": [["2".repeat(1_000_000)]],
  "base64 read as base58": [in64(some(1))[0]],
  "an encoding that doesn't exist": [in58(some(1)), { encoding: "base32" }],
  "a number for the encoding": [in58(some(1)), { encoding: 64 }],
  "a text for the options": [in58(some(1)), "base58"],
};

/** What is no container at all is refused by JSON-RPC's own rules (its §4.2). */
const refused = (method: string, params: unknown, title?: string): CallRow =>
  params === undefined || typeof params === "object"
    ? badParams(method, JSON.stringify(params), title)
    : text(envelope(method, params as Json), -32600, title === undefined ? {} : { title });

const ofEveryType = list`null, true, 0, -1, 1.5, "", x, [], [[]], {}, {0: []}, [null], [true], [1], [x], [{}],
  [[null]], [[1]], [[{}]], [[[]]], [[], 5], [[AQID], []], [[AQID], {encoding: null}]`;
/** Ids of unknown bundles are well-formed. */
const areIds = (params: Json): boolean =>
  Array.isArray(params) && Array.isArray(params[0]) && params[0].every((id) => typeof id === "string");

export const bundleTables = {
  "what is no bundle": [
    ...Object.entries(noBundles).map(([title, params]) => refused("sendBundle", params, title)),
    text(envelope("sendBundle", in64(some(1)) as Json), -32602, {
      title: "a region that doesn't exist",
      method: "sendBundle",
      headers: { "engine-region": "mars" },
    }),
  ],
  ...Object.fromEntries(
    ["sendBundle", "getBundleStatuses", "simulateBundle"].map((method) => [
      `params of every type for ${method}`,
      ofEveryType.map((params) =>
        method === "getBundleStatuses" && areIds(params)
          ? text(envelope(method, params), "result")
          : refused(method, params),
      ),
    ]),
  ),
};

const twice = some(1);

/** Unspecified: taken or refused, in an envelope. */
export const oddBundles: readonly (readonly [params: unknown, target?: string])[] = [
  [in64([...twice, ...twice])],
  [in64([made(5)]), "/?api-key={key}&mev-protect=maybe"],
];
