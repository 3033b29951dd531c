// Operations of a target with generated requests: methods from baseline requests, others by hand
import { createHash } from "node:crypto";
import fc from "fast-check";
import {
  type Encoding,
  encodedTransaction,
  mayNotSend,
  sendBundleRequest,
  signedWith,
} from "../../contracts/bundles/requests.ts";
import { baselineRequests } from "../../contracts/jsonrpc/baselineRequests.ts";
import {
  balance,
  compressed,
  mint,
  owner,
  ownerWithEmptyAccounts,
  tokenAccounts,
} from "../../contracts/shared/jsonRpcRequests.ts";
import { jsonRpcRequest, usageRequest } from "../../contracts/shared/requestSpecs.ts";
import { batch, unknownAddresses, type WalletBaseline, walletBaselines } from "../../contracts/wallet/requests.ts";
import { type Json, valueAt } from "../../harness/core/json.ts";
import type { Asker, RequestSpec } from "../../harness/core/requestSpec.ts";
import { isGiven, type Template } from "../../harness/core/template.ts";
import { keyOf, type Target } from "../../harness/targets/target.ts";
import { type Feature, type OperationId, operations } from "../../specs/generated/operations.ts";
import { type RequestShape, requests } from "../../specs/generated/requests.ts";
import * as validators from "../../specs/generated/requestValidators.js";
import type { More } from "./breakings.ts";
import {
  canFill,
  moreOf,
  type NearMiss,
  nearMissesOf,
  type ValidRequest,
  validOf,
  variationsOf,
  type WantedRequests,
} from "./requests.ts";
import type { Request } from "./schemas.ts";
import { knownDomains, knownWallets, walletBatch } from "./wallets.ts";

/** One operation of one target: requests that it serves, those that it refuses, and how they are sent. */
export interface ArbitrarySource {
  readonly operation: OperationId;
  readonly feature: Feature;
  readonly valid: fc.Arbitrary<ValidRequest>;
  /** Null where no requirement has its params refused. */
  readonly nearMisses: (wanted?: WantedRequests) => fc.Arbitrary<NearMiss> | null;
  /** The request with these params; by the owner by default. @param blockhash of the transactions in it */
  readonly ask: (params: Json, as?: Asker, blockhash?: Uint8Array) => RequestSpec;
}

const validatorOf = validators as { readonly [operation: string]: validators.Validator };

export const requestShapes: ReadonlyMap<string, Request & RequestShape> = new Map(
  requests.flatMap((shape) => {
    const validate = validatorOf[shape.operation];
    return validate ? [[shape.operation, { ...shape, validate }] as const] : [];
  }),
);

function shapeOf(operation: OperationId): Request {
  const shape = requestShapes.get(operation);
  if (!shape) throw new Error(`no schema of the params of ${operation}`);
  return shape;
}

/** Valid params, with further elements for their lists. */
type Way = readonly [params: fc.Arbitrary<Json>, more: More];

function sourceOf(
  operation: OperationId,
  ways: readonly Way[],
  ask: ArbitrarySource["ask"],
): readonly ArbitrarySource[] {
  if (ways.length === 0) return [];
  const request = shapeOf(operation);
  const nearMisses = (wanted?: WantedRequests): fc.Arbitrary<NearMiss> | null => {
    const all = ways.flatMap(([params, more]) => nearMissesOf(params, request, more, wanted) ?? []);
    return all.length > 0 ? fc.oneof(...all) : null;
  };
  return [
    {
      operation,
      feature: operations.find(({ id }) => id === operation)?.feature ?? "usage",
      valid: validOf(fc.oneof(...ways.map(([params]) => params)), request),
      nearMisses,
      ask,
    },
  ];
}

const paramsIn = ({ json }: RequestSpec): Template | undefined => valueAt(json, "/params");

/** Further requests that are served, besides the baseline requests. */
const further: readonly RequestSpec[] = [
  tokenAccounts({ mint, limit: 2 }),
  tokenAccounts({ owner, mint, limit: 2 }),
  tokenAccounts({ owner: ownerWithEmptyAccounts, limit: 2, options: { "$name:emptyAccountsFlag": true } }),
  balance({ hash: compressed(0, "hash") }),
];

const methodSources = (target: Target): readonly ArbitrarySource[] =>
  baselineRequests.flatMap(({ method, ask }) => {
    const templates = [ask(), ...further.filter(({ operation }) => operation === method)]
      .map(paramsIn)
      .filter((params) => params !== undefined);
    const ways = templates
      .filter((template) => canFill(template, target))
      .map((template): Way => [variationsOf(template, shapeOf(method), target), moreOf(template, target)]);
    return sourceOf(method, ways, (params) => jsonRpcRequest(method)(params));
  });

const mostTransactions = 5;
/** With the transactions that near misses add. */
export const longestBundle = 3 * mostTransactions + 1;
/** Makes bundles different, as sending one again is unspecified (OBS-BND-RESEND). */
const bundleNumber = fc.noShrink(fc.noBias(fc.integer({ min: 0, max: 2 ** 30 })));

/** A name for a signed transaction in that encoding, made when it is sent: cases stay short and reproducible. */
const nameOf = (encoding: Encoding, whose: string): string => `${encoding} transaction ${whose}`;
const named = /^(base58|base64) transaction ./;

/** Every transaction tips, so that one more or less changes only their number. */
function textOf(target: Target, blockhash: Uint8Array, name: string): string {
  const nonce = createHash("sha256").update(name).digest().readUIntBE(0, 5);
  const [tipping] = signedWith(target, blockhash, { tip: "all", nonce });
  if (!tipping) throw new Error("no transaction was made");
  return encodedTransaction(tipping, name.startsWith("base64") ? "base64" : "base58");
}

/** The params with transactions in place of their names. */
const withTransactions = (target: Target, blockhash: Uint8Array, params: Json): Json =>
  JSON.parse(JSON.stringify(params), (_, value: Json) =>
    typeof value === "string" && named.test(value) ? textOf(target, blockhash, value) : value,
  ) as Json;

const encodingIn = (params: Json): Encoding => (valueAt(params, "/1/encoding") === "base64" ? "base64" : "base58");

/** Bundles cost money, so that they need consent. */
function bundleSource(target: Target): readonly ArbitrarySource[] {
  if (mayNotSend(target) !== null) return [];
  const valid = fc
    .record({
      count: fc.integer({ min: 1, max: mostTransactions }),
      number: bundleNumber,
      options: fc.constantFrom(undefined, {}, { encoding: "base58" }, { encoding: "base64" }),
    })
    .map(({ count, number, options }): Json => {
      const encoding = encodingIn([[], options ?? {}]);
      const others = options ? [options] : [];
      return [
        Array.from({ length: count }, (_, nth) =>
          nameOf(encoding, `${nth + 1} of ${count} in bundle ${number}${JSON.stringify(others)}`),
        ),
        ...others,
      ];
    });
  const more: More = (_, count, params) =>
    Array.from({ length: count }, (__, nth) =>
      nameOf(encodingIn(params), `${nth + 1} beside ${JSON.stringify(valueAt(params, "/0/0"))}`),
    );
  return sourceOf("sendBundle", [[valid, more]], (params, as = "owner", blockhash = new Uint8Array(32)) =>
    sendBundleRequest(withTransactions(target, blockhash, params), { as }),
  );
}

/** @throws Error for anything but a text, since no arbitrary breaks types within a path */
function textAt(params: Json, pointer: string): string {
  const text = valueAt(params, pointer);
  if (typeof text !== "string") throw new Error(`${pointer} isn't a string`);
  return text;
}

/** The baseline request with the wallet of the params. */
const askWallet =
  ({ ask }: WalletBaseline): ArbitrarySource["ask"] =>
  (params) => {
    const requestSpec = ask();
    return {
      ...requestSpec,
      path: requestSpec.path.map((step) =>
        typeof step === "object" && isGiven(step as Template) ? textAt(params, "/wallet") : step,
      ),
    };
  };

/** Unknown wallets, and domains except on identity, are unspecified (OBS-WAL-UNKNOWN, OBS-WAL-DOMAIN). */
const walletSources = (target: Target): readonly ArbitrarySource[] =>
  walletBaselines.flatMap((baseline) => {
    if (baseline.operation === "batchWalletIdentity") return [];
    const known = [
      ...knownWallets(target),
      ...(baseline.operation === "getWalletIdentity" ? knownDomains(target) : []),
    ];
    const canAsk =
      known.length > 0 &&
      (baseline.ask().query ?? []).flat().every((text) => typeof text === "string" || canFill(text, target));
    return canAsk
      ? sourceOf(
          baseline.operation,
          [[fc.constantFrom(...known).map((wallet) => ({ wallet })), () => []]],
          askWallet(baseline),
        )
      : [];
  });

function batchSource(target: Target): readonly ArbitrarySource[] {
  if (target.names["batchIdentity"] === undefined) return [];
  const valid = walletBatch(target).map((entries): Json => ({ entries }));
  return sourceOf("batchWalletIdentity", [[valid, (_, count) => unknownAddresses(count)]], (params) =>
    batch((valueAt(params, "/entries") ?? []) as readonly Template[]),
  );
}

function usageSource(target: Target): readonly ArbitrarySource[] {
  const id = keyOf(target, "owner")?.project.id;
  const way: Way[] = id === undefined ? [] : [[fc.constant({ id }), () => []]];
  return sourceOf("getProjectUsage", way, (params) => usageRequest({ as: "owner", of: { id: textAt(params, "/id") } }));
}

/** A run may find further samples. */
const known = new WeakMap<
  Target,
  { readonly samples: Target["samples"]; readonly sources: readonly ArbitrarySource[] }
>();

/** All operations of a target that its sample data allows to generate requests for, by the features that it offers. */
export function sourcesFor(target: Target): readonly ArbitrarySource[] {
  const before = known.get(target);
  const sources =
    before?.samples === target.samples
      ? before.sources
      : [
          ...usageSource(target),
          ...walletSources(target),
          ...batchSource(target),
          ...methodSources(target),
          ...bundleSource(target),
        ];
  known.set(target, { samples: target.samples, sources });
  return sources.filter(({ feature }) => target.offers.includes(feature));
}
