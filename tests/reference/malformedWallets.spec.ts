// Is whatever else comes to the wallet endpoints refused in one form, free of charge, without harm? (§4.2)
import { expect, test } from "@playwright/test";
import { addressOf } from "../../reference/platform/chain.ts";
import { type Asked, get, platform, refusedIn } from "../support/wallets.ts";

const ada = addressOf("wallet 0");
const json = { "content-type": "application/json" };
const batch = (body: string, headers: NonNullable<Asked["headers"]> = json): Asked => ({
  path: "/v1/wallet/batch-identity",
  method: "POST",
  headers,
  body,
});
const list = (entries: unknown): Asked => batch(JSON.stringify({ addresses: entries }));
const at = (query: string): Asked => ({ path: get(ada, `balance-at${query}`) });
const wallet = (text: string): Asked => ({ path: get(text, "balances") });
const two = JSON.stringify({ addresses: [ada, "ada.sol"] });
const everyByte = Array.from({ length: 256 }, (_, byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

const refused: readonly (readonly [title: string, asked: Asked, status: number, code: string])[] = [
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
  ["an inherited member", batch(JSON.stringify({ __proto__: { addresses: [ada] } })), 400, "INVALID_BODY"],
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
  ["GET where POST is served", { path: "/v1/wallet/batch-identity" }, 405, "METHOD_NOT_ALLOWED"],
  [
    "POST where GET is served",
    { path: get(ada, "balances"), method: "POST", headers: json, body: "{}" },
    405,
    "METHOD_NOT_ALLOWED",
  ],
  ["DELETE", { path: get(ada, "history"), method: "DELETE" }, 405, "METHOD_NOT_ALLOWED"],
];

test.describe("refused in the platform's own form, for nothing", () => {
  for (const [title, asked, status, code] of refused) {
    test(`${asked.path.slice(0, 60)}: ${title}`, async () => {
      const { send, spent, ask } = platform();
      expect(refusedIn(await send(asked))).toEqual([status, code]);
      expect(spent()).toEqual({ credits: 0, requests: 0 });
      expect((await ask(get(ada, "balances"))).status).toBe(200);
    });
  }
});

const served: readonly (readonly [title: string, asked: Asked])[] = [
  ["a charset", batch(two, { "content-type": "application/json; charset=utf-8" })],
  ["the type in capitals", batch(two, { "content-type": "Application/JSON" })],
  ["a member that nobody knows", batch(JSON.stringify({ addresses: [ada], showNfts: true }))],
  ["the same entry twice, and by its domain", list([ada, ada, "ada.sol"])],
  [
    "an address that is percent-encoded",
    wallet([...ada].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("")),
  ],
  ["a query parameter that nobody knows", { path: get(ada, "balances?limit=5") }],
  ["a moment before the first transaction", at("?time=0")],
  ["a zone other than UTC", at(`?datetime=${encodeURIComponent("2024-03-01T02:00:00+02:00")}`)],
];

for (const [title, asked] of served) {
  test(`served and charged once: ${title}`, async () => {
    const { send, spent } = platform();
    expect((await send(asked)).status).toBe(200);
    expect(spent()).toEqual({ credits: 100, requests: 1 });
  });
}

test("no wallet path leads elsewhere: what isn't served is not found, whatever the key", async () => {
  const { send, spent } = platform();
  for (const path of [
    "/v1/wallet",
    "/v1/wallet/",
    "/v1/wallet//balances",
    `/v1/wallet/${ada}`,
    `/v1/wallet/${ada}/nothing`,
    `/v1/wallet/${ada}/balances/more`,
    `/v2/wallet/${ada}/balances`,
  ])
    expect([path, (await send({ path })).status]).toEqual([path, 404]);
  expect(spent().requests).toBe(0);
});

test("nothing that was sent comes back in a refusal", async () => {
  const { send } = platform();
  const said = JSON.stringify((await send(wallet(encodeURIComponent("<script>alert(1)</script>")))).body);
  expect(said).not.toContain("script");
});
