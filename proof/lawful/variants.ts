// Lawful variants: the ways in which a platform may differ from the reference where the interface is silent
import { type BundleChange, bundleChoices } from "../../reference/platform/bundleRules.ts";
import type { ChoiceTable } from "../../reference/platform/change.ts";
import type { MeteringChange } from "../../reference/platform/meteringRules.ts";
import type { Variant } from "../../reference/platform/mutant.ts";
import { envelopeChoices, methodChoices } from "../../reference/platform/rpcChoices.ts";
import type { RpcChange } from "../../reference/platform/rpcRules.ts";
import { httpChoices, type Refusal, type RefusalStep, type RuleChange } from "../../reference/platform/rules.ts";
import { honestRefusals, type WalletCause, walletChoices } from "../../reference/platform/walletRules.ts";
import { answerChoices } from "./answers.ts";
import type { PlatformChoices } from "./choices.ts";

export interface LawfulVariant extends Variant {
  /** What is chosen: of the variants of one choice a platform has at most one. */
  readonly choice: string;
}

/** The change that puts a value at a path of the rules, e.g. `rpc envelope servedStatus`. */
const ruleAt = (path: readonly string[], value: unknown): RuleChange =>
  path.toReversed().reduce<unknown>((inner, name) => ({ [name]: inner }), value) as RuleChange;

/** Every alternative to the reference's own choices. */
const alternativesIn = (table: ChoiceTable, ...path: readonly string[]): readonly LawfulVariant[] =>
  Object.entries(table).flatMap(([name, some]) => {
    const place = [...path, name];
    if (!Array.isArray(some)) return alternativesIn(some as ChoiceTable, ...place);
    const choice = place.join(" ");
    return some.slice(1).map((value) => ({ choice, id: `${choice}: ${value}`, rules: ruleAt(place, value) }));
  });

const variantsOf = (choices: PlatformChoices): readonly LawfulVariant[] =>
  Object.entries(choices).flatMap(([choice, ways]) =>
    Object.entries(ways).map(([id, change]) => ({ choice, id, ...change })),
  );

const metering = (change: MeteringChange) => ({ rules: { metering: change } });
const rpc = (change: RpcChange) => ({ rules: { rpc: change } });
const bundles = (change: BundleChange) => rpc({ bundles: change });
const refused = (cause: "blockedAddress" | "notUuid" | "revokedKey" | "exhausted", refusal: Refusal) => ({
  rules: { refusals: { [cause]: refusal } },
});
const walletRefused = (cause: WalletCause, status: number, message = honestRefusals[cause].message) => ({
  rules: { wallet: { refusals: { [cause]: { ...honestRefusals[cause], status, message } } } },
});
const examinedAs = (...order: readonly RefusalStep[]) => ({ rules: { order } });
const bundleRefused = (code: number, message: string) => rpc({ refusals: { bundles: { params: { code, message } } } });

/** Of charges, which §2.1, §4.2 and §8 date no moment to, and of what calls other than a wallet's cost. */
const charges: PlatformChoices = {
  "when charges show": {
    "charges show after 3 s": metering({ lag_ms: 3_000 }),
    "charges show after 8 s": metering({ lag_ms: 8_000 }),
    "charges show every 10 s": metering({ together_ms: 10_000 }),
    "usage is cached for 5 s": metering({ cached_ms: 5_000 }),
    "usage is cached for 20 s": metering({ cached_ms: 20_000 }),
    "every other read is of a replica 3 s behind": metering({ replica_ms: 3_000 }),
  },
  "refused calls": {
    "refused calls are counted": metering({ refused: "counted" }),
    "refused calls are charged": metering({ refused: "charged" }),
  },
  pools: { "prepaid credits are spent first": metering({ pools: "prepaid ones first" }) },
  prices: {
    "every JSON-RPC call is free": metering({ prices: { tokenAccounts: "0", compression: "0", bundles: "0" } }),
    "compression calls cost a quarter of a credit": metering({ prices: { compression: "0.25" } }),
  },
  products: {
    "token accounts and bundles count under rpc": metering({ products: { tokenAccounts: "rpc", bundles: "rpc" } }),
    "bundles count under other": metering({ products: { bundles: "other" } }),
  },
  batches: { "a batch counts once": metering({ rpcBatch: "once" }) },
};

/** Of usage documents and their refusals (§2.1, §7.1). */
const usage: PlatformChoices = {
  "billing cycle": {
    "an invoicing year": { rules: { billingCycle: "annual" } },
    "invoicing begins a day later": { rules: { billingCycle: "shifted by a day" } },
  },
  rounding: {
    "fractional totals": { rules: { rounding: { totals: "exact" } } },
    "ties rounded to even": { rules: { rounding: { last: "half even" } } },
  },
  "order of refusals": {
    "the admin switch is judged before the project": examinedAs(
      "key",
      "address",
      "limit",
      "admin",
      "project",
      "billing",
    ),
    "the limit is judged last": examinedAs("key", "address", "project", "admin", "billing", "limit"),
    "the limit is judged before the key": examinedAs("limitBeforeKey", "key", "address", "project", "admin", "billing"),
  },
  "blocked addresses": {
    "a blocked address is reported as a bad key": refused("blockedAddress", {
      status: 401,
      message: "Missing or invalid API key",
      error: "Unauthorized",
    }),
  },
  "malformed ids": {
    "an id that is no uuid has its own message": refused("notUuid", {
      status: 400,
      message: "Validation failed (uuid is expected)",
      error: "Bad Request",
    }),
  },
  "Retry-After": {
    "no Retry-After": { rules: { retryAfter: null } },
    "Retry-After as a date": { rules: { retryAfter: "Wed, 05 Mar 2025 12:00:01 GMT" } },
  },
  "case of ids": { "the case of project ids counts": { rules: { idCase: "exact" } } },
};

/** Of the JSON-RPC address and its methods (§4.3, §7.2, §7.3). */
const methods: PlatformChoices = {
  "status of errors": { "errors come with HTTP statuses of their own": rpc({ errorStatus: "by cause" }) },
  "batches of calls": { "batches are refused": rpc({ batches: "refused" }) },
  "empty notifications": { "notifications are answered": rpc({ notifications: "answered" }) },
  "page size": {
    "at most 100 accounts per page, more refused": rpc({ tokenAccounts: { largestLimit: 100 } }),
    "at most 100 accounts per page, more cut": rpc({
      tokenAccounts: { largestLimit: 100, beyondLargest: "cut to the largest" },
    }),
    "at most 20 accounts per page, more refused": rpc({ tokenAccounts: { largestLimit: 20, defaultLimit: 20 } }),
    "at most 20 accounts per page, more cut": rpc({
      tokenAccounts: { largestLimit: 20, defaultLimit: 20, beyondLargest: "cut to the largest" },
    }),
    "50 accounts per page where no limit is given": rpc({ tokenAccounts: { defaultLimit: 50 } }),
  },
  "first page": { "pages count from 0": rpc({ tokenAccounts: { firstPage: 0 } }) },
  "no filter": { "everything is listed without a filter": rpc({ tokenAccounts: { unfiltered: "everything" } }) },
  "addresses per proof": {
    "proofs for at most 8 addresses": rpc({ proofs: { most: 8 } }),
    "proofs for at most 2 addresses": rpc({ proofs: { most: 2 } }),
  },
  "neither address nor hash": { "no account is worth nothing": rpc({ balance: { neither: "nothing" } }) },
  "params of health": {
    "getIndexerHealth takes no params, empty ones neither": rpc({ health: { params: "none at all" } }),
    "getIndexerHealth takes any params": rpc({ health: { params: "anything" } }),
  },
};

/** Of bundles (§2.5, §3, §4.3). */
const ofBundles: PlatformChoices = {
  "refusals of bundles": {
    "params of bundles are refused as no request": bundleRefused(-32600, "Invalid Request"),
    "params of bundles are refused with the code of server errors": bundleRefused(-32000, "bundle rejected"),
    "params of bundles are refused with the code of internal errors": bundleRefused(-32603, "Internal error"),
    "params of bundles are refused with a code of the platform's own": bundleRefused(-32087, "bundle rejected"),
    "params of bundles are refused with a positive code": bundleRefused(4001, "bundle rejected"),
  },
  "bundles sent again": {
    "a bundle is taken once": bundles({ resent: "refused" }),
    "a bundle that has landed isn't taken again": bundles({ resent: "refused once it has landed" }),
  },
  "least tip": { "one lamport is enough": bundles({ leastTip: 1n }) },
  "form of bundle ids": Object.fromEntries(
    (["HEX", "0x hex", "base58", "base64", "base64url"] as const).map((idForm) => [
      `bundle ids are ${idForm}`,
      bundles({ idForm }),
    ]),
  ),
  "rule of bundle ids": {
    "bundle ids hash signatures run together": bundles({ id: "signatures run together" }),
    "bundle ids hash bytes": bundles({ id: "raw bytes" }),
  },
};

/** Of wallet endpoints, whose refusals but one aren't shown (§4.2, §7.3). */
const wallets: PlatformChoices = {
  "wallet without a key": { "a wallet call without a key is 403": walletRefused("noKey", 403) },
  "wallet with a malformed key": { "a malformed key is 400": walletRefused("malformedKey", 400) },
  "wallet with an unknown key": { "an unknown key is 403": walletRefused("unknownKey", 403) },
  "what is no wallet": { "what is no wallet isn't found": walletRefused("wallet", 404) },
  "too large batches": { "a batch of 101 is too large": walletRefused("tooMany", 413) },
  "bad batches": { "a bad batch can't be processed": walletRefused("body", 422) },
  "refused plans": { "the plan is refused in other words": walletRefused("plan", 403, "Upgrade to go on") },
};

export const lawfulVariants: readonly LawfulVariant[] = [
  ...alternativesIn(httpChoices, "choices"),
  ...alternativesIn(envelopeChoices, "rpc", "envelope"),
  ...alternativesIn(methodChoices, "rpc", "choices"),
  ...alternativesIn(bundleChoices, "rpc", "bundles", "choices"),
  ...alternativesIn(walletChoices, "wallet", "choices"),
  ...[charges, usage, methods, ofBundles, wallets, answerChoices].flatMap(variantsOf),
];
