// Malformed wallet requests (§4.2): each is refused in one form, and free of charge
import { expect } from "@playwright/test";
import { chainAddressOf } from "../../../reference/platform/chain.ts";
import { named, type Requested, type Row, row, short, type Tables } from "./rows.ts";

const ada = chainAddressOf("wallet 0");
const balances = `/v1/wallet/${ada}/balances`;
const json = { "content-type": "application/json" };
const get = (target: string): Requested => ({ target, verb: "GET", headers: {}, body: "" });
const batch = (body: string, headers: Requested["headers"] = json): Requested => ({
  target: "/v1/wallet/batch-identity",
  verb: "POST",
  headers,
  body,
});
const list = (entries: unknown): Requested => batch(JSON.stringify({ addresses: entries }));
const at = (query: string): Requested => get(`/v1/wallet/${ada}/balance-at${query}`);
const wallet = (text: string): Requested => get(`/v1/wallet/${text}/balances`);
const two = JSON.stringify({ addresses: [ada, "ada.sol"] });
const everyByte = Array.from({ length: 256 }, (_, byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

type Titled = { readonly [title: string]: Requested };
const each = (texts: { readonly [title: string]: string }, request: (text: string) => Requested): Titled =>
  Object.fromEntries(Object.entries(texts).map(([title, text]) => [title, request(text)]));

const wallets = named`
  a word: abc, 45 characters: "${"1".repeat(45)}", 31 bytes: "${"1".repeat(31)}", a space: "%20",
  an address with a space: "${ada}%20", a zero byte: "${ada}%00", half a percent-encoding: "%E0%A4%A",
  no percent-encoding: "%zz", every byte: "${everyByte}", another alphabet: "${encodeURIComponent("кошелёк.sol")}",
  a letter that base58 leaves out: "0${ada.slice(1)}", "10,000 characters": ${"A".repeat(10_000)},
  a label of 64 characters: ${"a".repeat(64)}.sol, two dots: ada..sol, another folder: ..%2F..%2Fetc%2Fpasswd,
  SQL: "${encodeURIComponent("' OR 1=1; DROP TABLE wallets; --")}", a member of every object: __proto__,
  HTML: "${encodeURIComponent("<script>alert(1)</script>")}"`;
const moments = named`
  no moment: "", two moments: "?time=1709251200&slot=330000000", a negative time: "?time=-1",
  the same moment twice: "?time=1709251200&time=1709251200", a fractional time: "?time=1.5",
  a time of no end: "?time=${"9".repeat(400)}", a time in milliseconds: "?time=1709251200000",
  an empty time: "?time=", a day alone: "?datetime=2024-03-01", a time of no zone: "?datetime=2024-03-01T00:00:00",
  a month that there isn't: "?datetime=2024-13-01T00:00:00Z", words: "?datetime=yesterday",
  a slot that is no number: "?slot=latest", a slot to come: "?slot=999999999999", a moment to come: "?time=4102444800"`;

const refusals: { readonly [statusAndCode: string]: Titled } = {
  "400 INVALID_WALLET": {
    ...each(wallets, wallet),
    "a megabyte": wallet("2".repeat(1_000_000)),
    "a domain of 100,000 labels": wallet("a.".repeat(100_000)),
  },
  "400 INVALID_MOMENT": each(moments, at),
  "400 INVALID_QUERY": { "a mint that is none": at("?time=1709251200&mint=abc") },
  "400 INVALID_BODY": {
    "no body": batch(""),
    "no JSON": batch("{"),
    "two texts": batch(`${two}${two}`),
    null: batch("null"),
    "a list": batch(JSON.stringify([ada])),
    "an empty object": batch("{}"),
    "another member": batch(JSON.stringify({ wallets: [ada] })),
    "an inherited member": batch(`{"__proto__":${JSON.stringify({ addresses: [ada] })}}`),
    "null for the list": list(null),
    "a text for the list": list(ada),
    "an object for the list": list({ 0: ada, length: 1 }),
    "an empty list": list([]),
    numbers: list([1, 2]),
    nulls: list([ada, null]),
    "lists in the list": list([[ada]]),
    "one bad entry": list([ada, "abc"]),
    "a list 100,000 deep": batch(`{"addresses":${"[".repeat(100_000)}${"]".repeat(100_000)}}`),
  },
  "400 TOO_MANY_ENTRIES": { "100,000 entries": list(Array.from({ length: 100_000 }, () => "a.sol")) },
  "413 BODY_TOO_LARGE": {
    "100,000 addresses": list(Array.from({ length: 100_000 }, () => ada)),
    "10 MB": batch(JSON.stringify({ addresses: ["a".repeat(10_000_000)] })),
    "10 MB of blanks": batch(`${" ".repeat(10_000_000)}${two}`),
  },
  "415 UNSUPPORTED_MEDIA_TYPE": {
    "plain text": batch(two, { "content-type": "text/plain" }),
    "a form": batch(`addresses=${ada}`, { "content-type": "application/x-www-form-urlencoded" }),
    XML: batch("<addresses/>", { "content-type": "application/xml" }),
    "no type": batch(two, {}),
  },
  "405 METHOD_NOT_ALLOWED": {
    "GET where POST is served": get("/v1/wallet/batch-identity"),
    "POST where GET is served": { ...get(balances), verb: "POST", headers: json, body: "{}" },
    DELETE: { ...get(`/v1/wallet/${ada}/history`), verb: "DELETE" },
  },
};

export const withKey = (sent: Requested): Requested => ({
  ...sent,
  headers: { "x-api-key": "{paidKey}", ...sent.headers },
});
const refused = Object.entries(refusals).flatMap(([statusAndCode, all]) => {
  const [status, code] = statusAndCode.split(" ");
  // What was sent isn't repeated.
  const body = { code, message: expect.stringMatching(/^((?!script).)+$/) as unknown };
  return Object.entries(all).map(
    ([title, sent]): Row => ({
      title: `${short(sent.target)}: ${title}`,
      sent: withKey(sent),
      expected: { status, type: "application/json", body },
    }),
  );
});

const unserved = ["", "/", "//balances", `/${ada}`, `/${ada}/nothing`, `/${ada}/balances/more`]
  .map((path) => `/v1/wallet${path}`)
  .concat(`/v2/wallet/${ada}/balances`);

export const walletTables: Tables = {
  "wallets, moments and batches": refused,
  "wallet paths that aren't served": unserved.map((target) => row(target, 404, withKey(get(target)))),
};

export const oddWallets: Titled = {
  "a charset": batch(two, { "content-type": "application/json; charset=utf-8" }),
  "the type in capitals": batch(two, { "content-type": "Application/JSON" }),
  "a member that nobody knows": batch(JSON.stringify({ addresses: [ada], showNfts: true })),
  "the same entry twice, and by its domain": list([ada, ada, "ada.sol"]),
  "an address that is percent-encoded": wallet(
    [...ada].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join(""),
  ),
  "a query parameter that nobody knows": get(`${balances}?limit=5`),
  "a moment before the first transaction": at("?time=0"),
  "a zone other than UTC": at(`?datetime=${encodeURIComponent("2024-03-01T02:00:00+02:00")}`),
};
