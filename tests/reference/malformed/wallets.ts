// Malformed wallet requests (§4.2): each is refused in one form, and free of charge
import { addressOf } from "../../../reference/platform/chain.ts";
import { isObject, type Requested, type Row, received, short, type Tables } from "./rows.ts";

const ada = addressOf("wallet 0");
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

const refusals: readonly (readonly [title: string, sent: Requested, status: number, code: string])[] = [
  ["a word", wallet("abc"), 400, "INVALID_WALLET"],
  ["45 characters", wallet("1".repeat(45)), 400, "INVALID_WALLET"],
  ["31 bytes", wallet("1".repeat(31)), 400, "INVALID_WALLET"],
  ["a space", wallet("%20"), 400, "INVALID_WALLET"],
  ["an address with a space", wallet(`${ada}%20`), 400, "INVALID_WALLET"],
  ["a zero byte", wallet(`${ada}%00`), 400, "INVALID_WALLET"],
  ["half a percent-encoding", wallet("%E0%A4%A"), 400, "INVALID_WALLET"],
  ["no percent-encoding", wallet("%zz"), 400, "INVALID_WALLET"],
  ["every byte", wallet(everyByte), 400, "INVALID_WALLET"],
  ["another alphabet", wallet(encodeURIComponent("кошелёк.sol")), 400, "INVALID_WALLET"],
  ["a letter that base58 leaves out", wallet(`0${ada.slice(1)}`), 400, "INVALID_WALLET"],
  ["10,000 characters", wallet("A".repeat(10_000)), 400, "INVALID_WALLET"],
  ["a megabyte", wallet("2".repeat(1_000_000)), 400, "INVALID_WALLET"],
  ["a domain of 100,000 labels", wallet("a.".repeat(100_000)), 400, "INVALID_WALLET"],
  ["a label of 64 characters", wallet(`${"a".repeat(64)}.sol`), 400, "INVALID_WALLET"],
  ["two dots", wallet("ada..sol"), 400, "INVALID_WALLET"],
  ["SQL", wallet(encodeURIComponent("' OR 1=1; DROP TABLE wallets; --")), 400, "INVALID_WALLET"],
  ["HTML", wallet(encodeURIComponent("<script>alert(1)</script>")), 400, "INVALID_WALLET"],
  ["another folder", wallet("..%2F..%2Fetc%2Fpasswd"), 400, "INVALID_WALLET"],
  ["a member of every object", wallet("__proto__"), 400, "INVALID_WALLET"],

  ["no moment", at(""), 400, "INVALID_MOMENT"],
  ["two moments", at("?time=1709251200&slot=330000000"), 400, "INVALID_MOMENT"],
  ["the same moment twice", at("?time=1709251200&time=1709251200"), 400, "INVALID_MOMENT"],
  ["a negative time", at("?time=-1"), 400, "INVALID_MOMENT"],
  ["a fractional time", at("?time=1.5"), 400, "INVALID_MOMENT"],
  ["a time of no end", at(`?time=${"9".repeat(400)}`), 400, "INVALID_MOMENT"],
  ["a time in milliseconds", at("?time=1709251200000"), 400, "INVALID_MOMENT"],
  ["an empty time", at("?time="), 400, "INVALID_MOMENT"],
  ["a day alone", at("?datetime=2024-03-01"), 400, "INVALID_MOMENT"],
  ["a time of no zone", at("?datetime=2024-03-01T00:00:00"), 400, "INVALID_MOMENT"],
  ["a month that there isn't", at("?datetime=2024-13-01T00:00:00Z"), 400, "INVALID_MOMENT"],
  ["words", at("?datetime=yesterday"), 400, "INVALID_MOMENT"],
  ["a slot that is no number", at("?slot=latest"), 400, "INVALID_MOMENT"],
  ["a slot to come", at("?slot=999999999999"), 400, "INVALID_MOMENT"],
  ["a moment to come", at("?time=4102444800"), 400, "INVALID_MOMENT"],
  ["a mint that is none", at("?time=1709251200&mint=abc"), 400, "INVALID_QUERY"],

  ["no body", batch(""), 400, "INVALID_BODY"],
  ["no JSON", batch("{"), 400, "INVALID_BODY"],
  ["two texts", batch(`${two}${two}`), 400, "INVALID_BODY"],
  ["null", batch("null"), 400, "INVALID_BODY"],
  ["a list", batch(JSON.stringify([ada])), 400, "INVALID_BODY"],
  ["an empty object", batch("{}"), 400, "INVALID_BODY"],
  ["another member", batch(JSON.stringify({ wallets: [ada] })), 400, "INVALID_BODY"],
  ["an inherited member", batch(`{"__proto__":${JSON.stringify({ addresses: [ada] })}}`), 400, "INVALID_BODY"],
  ["null for the list", list(null), 400, "INVALID_BODY"],
  ["a text for the list", list(ada), 400, "INVALID_BODY"],
  ["an object for the list", list({ 0: ada, length: 1 }), 400, "INVALID_BODY"],
  ["an empty list", list([]), 400, "INVALID_BODY"],
  ["numbers", list([1, 2]), 400, "INVALID_BODY"],
  ["nulls", list([ada, null]), 400, "INVALID_BODY"],
  ["lists in the list", list([[ada]]), 400, "INVALID_BODY"],
  ["one bad entry", list([ada, "abc"]), 400, "INVALID_BODY"],
  ["a list 100,000 deep", batch(`{"addresses":${"[".repeat(100_000)}${"]".repeat(100_000)}}`), 400, "INVALID_BODY"],
  ["100,000 entries", list(Array.from({ length: 100_000 }, () => "a.sol")), 400, "TOO_MANY_ENTRIES"],
  ["100,000 addresses", list(Array.from({ length: 100_000 }, () => ada)), 413, "BODY_TOO_LARGE"],
  ["10 MB", batch(JSON.stringify({ addresses: ["a".repeat(10_000_000)] })), 413, "BODY_TOO_LARGE"],
  ["10 MB of blanks", batch(`${" ".repeat(10_000_000)}${two}`), 413, "BODY_TOO_LARGE"],
  ["plain text", batch(two, { "content-type": "text/plain" }), 415, "UNSUPPORTED_MEDIA_TYPE"],
  [
    "a form",
    batch(`addresses=${ada}`, { "content-type": "application/x-www-form-urlencoded" }),
    415,
    "UNSUPPORTED_MEDIA_TYPE",
  ],
  ["XML", batch("<addresses/>", { "content-type": "application/xml" }), 415, "UNSUPPORTED_MEDIA_TYPE"],
  ["no type", batch(two, {}), 415, "UNSUPPORTED_MEDIA_TYPE"],
  ["GET where POST is served", get("/v1/wallet/batch-identity"), 405, "METHOD_NOT_ALLOWED"],
  [
    "POST where GET is served",
    { ...get(balances), verb: "POST", headers: json, body: "{}" },
    405,
    "METHOD_NOT_ALLOWED",
  ],
  ["DELETE", { ...get(`/v1/wallet/${ada}/history`), verb: "DELETE" }, 405, "METHOD_NOT_ALLOWED"],
];

const refused = ([title, sent, status, code]: (typeof refusals)[number]): Row => ({
  title: `${short(sent.target)}: ${title}`,
  sent: { ...sent, headers: { "x-api-key": "{paidKey}", ...sent.headers } },
  faultOf: (answer) => {
    if (!answer) return "no answer";
    const refusal = JSON.parse(answer.body) as unknown;
    const isRefusal =
      answer.status === status &&
      answer.contentType.startsWith("application/json") &&
      isObject(refusal) &&
      Object.keys(refusal).sort().join() === "code,message" &&
      refusal["code"] === code &&
      typeof refusal["message"] === "string" &&
      !refusal["message"].includes("script");
    return isRefusal ? null : `${received(answer)} instead of ${status} ${code}`;
  },
});

const unserved = [
  "/v1/wallet",
  "/v1/wallet/",
  "/v1/wallet//balances",
  `/v1/wallet/${ada}`,
  `/v1/wallet/${ada}/nothing`,
  `/v1/wallet/${ada}/balances/more`,
  `/v2/wallet/${ada}/balances`,
].map(
  (target): Row => ({
    title: target,
    sent: { ...get(target), headers: { "x-api-key": "{paidKey}" } },
    faultOf: (answer) => (answer?.status === 404 ? null : `${answer ? received(answer) : "no answer"} instead of 404`),
  }),
);

export const walletTables: Tables = {
  "wallets, moments and batches": refusals.map(refused),
  "wallet paths that aren't served": unserved,
};

export const oddWallets: readonly (readonly [title: string, sent: Requested])[] = [
  ["a charset", batch(two, { "content-type": "application/json; charset=utf-8" })],
  ["the type in capitals", batch(two, { "content-type": "Application/JSON" })],
  ["a member that nobody knows", batch(JSON.stringify({ addresses: [ada], showNfts: true }))],
  ["the same entry twice, and by its domain", list([ada, ada, "ada.sol"])],
  [
    "an address that is percent-encoded",
    wallet([...ada].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("")),
  ],
  ["a query parameter that nobody knows", get(`${balances}?limit=5`)],
  ["a moment before the first transaction", at("?time=0")],
  ["a zone other than UTC", at(`?datetime=${encodeURIComponent("2024-03-01T02:00:00+02:00")}`)],
];
