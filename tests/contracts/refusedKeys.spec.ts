// A key that a vendor refuses where it is documented: the vendor's breach once it is known there, else a question
import { expect, test } from "@playwright/test";
import { rpc } from "../support/choices.ts";
import {
  asVendor,
  type Between,
  type Choice,
  changeIn,
  keysOf,
  keysWith,
  outcomeOf,
  type TargetChange,
} from "../support/probeSpecs.ts";
import { answered, answering, enveloped } from "../support/vendorsInProcess.ts";

interface Habit {
  readonly change: TargetChange;
  readonly choice?: Choice;
  readonly between?: Between;
}

const paidFor =
  (...offers: readonly ("usage" | "compression" | "tokenAccounts" | "bundles" | "wallet")[]): TargetChange =>
  (given) => ({ offers, keys: keysOf(given, "paid") });
/** Of that form, and of nobody. */
const mistyped =
  (change: TargetChange): TargetChange =>
  (given) => {
    const changed = changeIn(given, change);
    return { ...changed, keys: keysWith({ ...given, ...changed }, "paid", "0b6f1d52-9f41-4d0e-8e0c-5f1a6c9d7e34") };
  };

const keys = ["AUTH-RPC-QRY-01", "AUTH-WAL-HDR-01", "AUTH-WAL-QRY-01", "RPC-ENV-01"];

/** What becomes of requirements about keys, those that hold left out. */
async function openIn({ change, choice, between }: Habit) {
  const target = asVendor((given) => ({ perSecond: 1_000, allow: [], ...changeIn(given, change) }));
  const { verdicts } = await outcomeOf({
    only: [...keys, "USG-HTTP-01", "WAL-BAL-01"],
    observe: [],
    target,
    choice,
    between,
  });
  const those = verdicts.filter(({ id, verdict }) => keys.includes(id) && verdict !== "holds");
  return Object.fromEntries(those.map(({ id, verdict }) => [id, verdict]));
}

const inHeaderOnly = rpc({ keyIn: "header" });
const unauthorized = { error: { code: -32001, message: "Unauthorized" } };
const isOf = ({ body = "" }: { readonly body?: string | undefined }, method: string): boolean =>
  body.includes(`"${method}"`);
const hasHeader = ({ headers }: { readonly headers: readonly (readonly [string, string])[] }): boolean =>
  headers.some(([name]) => name.toLowerCase() === "x-api-key");

const broken = { "AUTH-RPC-QRY-01": "broken", "RPC-ENV-01": "withheld" };
const unknown = { "AUTH-RPC-QRY-01": "inconclusive", "RPC-ENV-01": "inconclusive" };

let refusals = 0;
const rows: readonly (readonly [habit: string, habit: Habit, open: { readonly [id: string]: string }])[] = [
  ["JSON-RPC takes it in the header only", { change: paidFor("compression"), choice: inHeaderOnly }, broken],
  [
    "JSON-RPC takes it in the header only, and usage knows it",
    { change: paidFor("usage", "tokenAccounts"), choice: inHeaderOnly },
    broken,
  ],
  [
    "JSON-RPC refuses it wherever it is, and usage knows it",
    { change: paidFor("usage", "compression"), choice: { rules: { keyClass: "not for JSON-RPC" } } },
    broken,
  ],
  [
    "JSON-RPC refuses it wherever it is, and wallets, which cost credits, know it",
    { change: paidFor("wallet", "compression"), choice: { rules: { keyClass: "not for JSON-RPC" } } },
    broken,
  ],
  [
    "one method refuses it that others know",
    {
      change: paidFor("bundles", "tokenAccounts"),
      between: answering((request) => (isOf(request, "getBundleStatuses") ? enveloped(request, unauthorized) : null)),
    },
    { "AUTH-RPC-QRY-01": "broken" },
  ],
  [
    "wallets refuse it wherever it is, and usage knows it",
    {
      change: paidFor("usage", "wallet"),
      between: answering(({ url }) => (url.includes("/v1/wallet/") ? answered(401, { message: "no such key" }) : null)),
    },
    { "AUTH-WAL-HDR-01": "broken", "AUTH-WAL-QRY-01": "broken" },
  ],
  ["nobody knows it", { change: mistyped(paidFor("usage", "compression")) }, unknown],
  [
    "nobody knows it, and the header is taken whatever it holds",
    {
      change: mistyped(paidFor("compression")),
      between: answering((request) => (hasHeader(request) ? enveloped(request, { result: "ok" }) : null)),
    },
    { "AUTH-RPC-QRY-01": "inconclusive", "RPC-ENV-01": "withheld" },
  ],
  [
    "nobody knows it, and other methods serve everybody",
    {
      change: mistyped(paidFor("compression", "tokenAccounts")),
      choice: rpc({ openMethods: ["getIndexerHealth", "getCompressedBalance", "getMultipleNewAddressProofs"] }),
    },
    { "AUTH-RPC-QRY-01": "inconclusive", "RPC-ENV-01": "withheld" },
  ],
  [
    "one machine hasn't heard of it yet",
    {
      change: paidFor("usage", "compression"),
      between: answering((request) => {
        const isLate = isOf(request, "getMultipleNewAddressProofs") && !hasHeader(request) && refusals < 1;
        refusals += Number(isLate);
        return isLate ? enveloped(request, unauthorized) : null;
      }),
    },
    { "AUTH-RPC-QRY-01": "inconclusive" },
  ],
];

for (const [title, habit, open] of rows)
  test(`where ${title}, only what that shows is broken`, async () => {
    expect(await openIn(habit)).toEqual(open);
  });
