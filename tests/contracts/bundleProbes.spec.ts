// Probes of bundles: each sees the choices of a platform, and no check judges them breaches.
import { expect, test } from "@playwright/test";
import { textOf } from "../../contracts/shared/base58.ts";
import { suite } from "../../contracts/suite.ts";
import { Secret } from "../../harness/core/secret.ts";
import type { Target } from "../../harness/target/target.ts";
import { landedBundles } from "../../reference/bundles/landed.ts";
import { honestBundles } from "../../reference/bundles/rules.ts";
import type { BundleChange, BundleChoice } from "../../reference/platform/bundleRules.ts";
import { changed } from "../../reference/platform/change.ts";
import type { RpcChange } from "../../reference/platform/rpcRules.ts";
import type { ResponseMutation, WireAnswer } from "../../reference/platform/wire.ts";
import {
  asVendor,
  type Choice,
  type Choices,
  idsLike,
  lackingOn,
  type Outcome,
  offering,
  outcomeOf,
  type Subject,
  testChoices,
  testHonest,
  valueOf,
} from "../support/probeSpecs.ts";

const rpc = (change: RpcChange): Choice => ({ rules: { rpc: change } });
const rules = (bundles: BundleChange): Choice => rpc({ bundles });
const sends = (choices: NonNullable<BundleChoice["sends"]>): Choice => rules({ choices: { sends: choices } });
const statuses = (choices: NonNullable<BundleChoice["statuses"]>): Choice => rules({ choices: { statuses: choices } });
const simulation = (choices: NonNullable<BundleChoice["simulation"]>): Choice =>
  rules({ choices: { simulation: choices } });
const refusal = (cause: "params" | "key" | "rate" | "server", code: number, message: string): RpcChange => ({
  refusals: { bundles: { [cause]: { code, message } } },
});
/** Ids by another rule, those of the target's samples too. */
const idsBy = (change: BundleChange): Choice => ({
  ...rules(change),
  ownTarget: (target) => ({
    ...target,
    samples: {
      ...target.samples,
      landedBundles: landedBundles("", changed(honestBundles, change)).map(({ id }) => id),
    },
  }),
});
/** Envelopes of calls of sendBundle whose id is a text. */
const ofTextIds = (change: (body: object, id: string) => object): ResponseMutation => {
  const renamed = (answer: WireAnswer, id: string): WireAnswer => ({
    ...answer,
    body: change(answer.body as object, id) as WireAnswer["body"] & object,
  });
  return (answer, { rpc }) =>
    rpc?.method === "sendBundle" && typeof rpc.id === "string" && !rpc.keyCause ? renamed(answer, rpc.id) : answer;
};
const minute_ms = 60_000;

const choices: Choices = {
  "OBS-BND-CODES": {
    "params are refused with another message": rpc(refusal("params", -32602, "failed to deserialize the bundle")),
    "params are refused as no request": rpc(refusal("params", -32600, "Invalid Request")),
    "params are refused with the code of server errors": rpc(refusal("params", -32000, "bundle rejected")),
    "params are refused with the code of internal errors": rpc(refusal("params", -32603, "Internal error")),
    "params are refused with a code of the platform's own": rpc(refusal("params", -32087, "bundle rejected")),
    "params are refused with a positive code": rpc(refusal("params", 4001, "bundle rejected")),
    "errors come with HTTP statuses of their own": rpc({ errorStatus: "by cause" }),
    "texts that are no transactions is no request": sends({ undecodable: "invalid" }),
    "texts that are no transactions is an internal error": sends({ undecodable: "server" }),
    "texts that are no transactions is a server error": rpc({
      bundles: { choices: { sends: { undecodable: "server" } } },
      ...refusal("server", -32000, "transaction 0 can't be decoded"),
    }),
    "a bad key is reported with another message": rpc(refusal("key", -32001, "Invalid API key")),
  },
  "OBS-BND-B64DEFAULT": {
    "base64 is read where no encoding is named": sends({ unnamedBase64: "read" }),
    "what isn't base58 is refused differently from texts that are no transactions": sends({ misspelled: "invalid" }),
  },
  "OBS-BND-ENCCASE": {
    "encodings are known in any case": sends({ encodingNames: "in any case" }),
    "an empty encoding is none": sends({ emptyEncoding: "as absent" }),
    "null is refused for the encoding and for options": sends({ nulls: "refused" }),
    "unknown options are refused": sends({ unknownOptions: "refused" }),
    "encodings are validated before texts": sends({ undecodable: "invalid" }),
  },
  "OBS-BND-B64URL": {
    "url-safe base64 is read": sends({ base64: "url-safe too" }),
    "unpadded base64 is read": sends({ base64: "unpadded too" }),
    "white space in base64 is passed over": sends({ base64: "with white space too" }),
  },
  "OBS-BND-STRID": {
    "texts for ids are refused": sends({ stringIds: "refused" }),
    "texts for ids are refused, without an echo": {
      ...sends({ stringIds: "refused" }),
      answer: ofTextIds((body) => ({ ...body, id: null })),
    },
    "digits for ids are echoed as numbers": {
      answer: ofTextIds((body, id) => ({ ...body, id: /^\d+$/.test(id) ? Number(id) : id })),
    },
  },
  "OBS-BND-MEVVAL": {
    "1, yes and TRUE are true": sends({ mevTexts: "true" }),
    "1, yes and TRUE are refused": sends({ mevTexts: "refused" }),
    "mev-protect without a text is true": sends({ emptyMev: "true" }),
    "mev-protect without a text is refused": sends({ emptyMev: "refused" }),
    "flags are validated before texts": {
      ...sends({ mevTexts: "refused", routed: "before them", undecodable: "invalid" }),
      base: { rpc: { bundles: { choices: { sends: { mevTexts: "refused", undecodable: "invalid" } } } } },
    },
  },
  "OBS-BND-REGION": {
    "unknown regions are ignored": sends({ unknownRegions: "ignored" }),
    "regions are known in any case": sends({ regionCase: "any" }),
    "an empty region is none": sends({ emptyRegion: "as absent" }),
    "the first of several regions counts": sends({ regionLists: "the first counts" }),
    "regions are validated before texts": {
      ...sends({ routed: "before them", undecodable: "invalid" }),
      base: { rpc: { bundles: { choices: { sends: { undecodable: "invalid" } } } } },
    },
  },
  "OBS-BND-REGOTHER": {
    "flag and region are refused elsewhere": statuses({ others: "refused" }),
    "unknown flags and regions are refused elsewhere": statuses({ others: "unknown values refused" }),
  },
  "OBS-BND-RESEND": {
    "a bundle is taken once": rules({ resent: "refused" }),
    "a bundle that has landed isn't taken again": rules({ resent: "refused once it has landed" }),
  },
  "OBS-BND-DUPTX": { "a transaction may be in a bundle once": sends({ duplicates: "refused" }) },
  "OBS-BND-TIP": {
    "twice as much is needed, and the target knows": {
      ...rules({ leastTip: 2000n }),
      ownTarget: (target) => ({
        ...target,
        ...(target.bundles ? { bundles: { ...target.bundles, tipLamports: 2000 } } : {}),
      }),
    },
    "half as much is enough": rules({ leastTip: 500n }),
    "one lamport is enough": rules({ leastTip: 1n }),
    "no lamport is enough": rules({ leastTip: 0n }),
  },
  "OBS-BND-IDENC": {
    "ids are hex in capitals": idsBy({ idForm: "HEX" }),
    "ids are base58": idsBy({ idForm: "base58" }),
    "ids are base64": idsBy({ idForm: "base64" }),
    "ids are base64 for addresses": idsBy({ idForm: "base64url" }),
    "ids are hex behind 0x": idsBy({ idForm: "0x hex" }),
    ...Object.fromEntries(
      (["HEX", "0x hex", "base58", "base64", "base64url"] as const).map((idForm) => [
        `ids are ${idForm}, and other texts are refused`,
        idsBy({ idForm, choices: { statuses: { malformed: "refused" } } }),
      ]),
    ),
  },
  "OBS-BND-IDRULE": {
    "signatures run together": idsBy({ id: "signatures run together" }),
    "signatures are hashed as bytes": idsBy({ id: "raw bytes" }),
    "signatures are hashed behind their count": idsBy({ id: "raw bytes behind their count" }),
  },
  "OBS-BND-INVALIDRATE": {
    "refused calls don't count": rpc({ envelope: { limitJudged: "last" } }),
    "too many are refused like bad params": rpc(refusal("rate", -32602, "Invalid params")),
  },
  "OBS-RATE-SB-REFUSAL": {
    "too many are refused with another code": {
      ...rpc(refusal("rate", -32429, "rate limited")),
      warned: ["EXT-JR-08"],
    },
    "too many are refused with another message": rpc(
      refusal("rate", -32097, "Network congested. Endpoint is globally rate limited."),
    ),
    "too many are refused with the code of server errors": rpc(refusal("rate", -32000, "slow down")),
    "too many are refused with HTTP 429": rpc({ errorStatus: "by cause" }),
  },
  "OBS-BST-CODES": {
    "params are refused as no request": rpc(refusal("params", -32600, "Invalid Request")),
    "params are refused with the code of server errors": rpc(refusal("params", -32000, "bundle rejected")),
    "a bad key is reported with another message": rpc(refusal("key", -32001, "Invalid API key")),
    "errors come with HTTP statuses of their own": rpc({ errorStatus: "by cause" }),
  },
  "OBS-BST-EMPTY": { "an empty list is refused": statuses({ emptyList: "refused" }) },
  "OBS-BST-DUP": {
    "a repeated id is answered once": statuses({ duplicates: "told once" }),
    "a repeated id is answered once, then with null": statuses({ duplicates: "told once, then null" }),
    "a repeated id is refused": statuses({ duplicates: "refused" }),
  },
  "OBS-BST-BADID": {
    "what is no id is refused": statuses({ malformed: "refused" }),
    "ids are known in any case": statuses({ idCase: "any" }),
    "what is no text is nothing that landed": statuses({ nonTexts: "null" }),
  },
  "OBS-BST-FLAT": { "flat params are taken too": statuses({ flat: "taken too" }) },
  "OBS-BST-ERR": {
    "an error is a text in Err": statuses({ failure: "in Err" }),
    "an error has Ok: false": statuses({ failure: "Ok is false" }),
    "a bundle that failed has no status": statuses({ failure: "not told of" }),
  },
  "OBS-BST-TRANS": {
    "processed bundles have no status": statuses({ stages: "from confirmed on" }),
    "bundles have no status before they are final": statuses({ stages: "finalized alone" }),
    "what was confirmed is processed once more": statuses({ stages: "with a step back" }),
  },
  "OBS-BST-AGE": {
    "statuses are kept for five minutes": statuses({ kept_ms: 5 * minute_ms }),
    "statuses are kept for two hours": statuses({ kept_ms: 120 * minute_ms }),
  },
  "OBS-BST-SIGORDER": { "signatures are listed backwards": statuses({ signatureOrder: "reversed" }) },
  "OBS-BST-EXTRA": { "statuses and errors have further members": statuses({ members: "further ones" }) },
  "OBS-SIM-PARAMS": {
    "an empty bundle can be simulated": simulation({ ofNothing: "succeeds" }),
    "texts that are no transactions is no request": sends({ undecodable: "invalid" }),
    "an object without transactions can be simulated": simulation({ params: "an object", ofNothing: "succeeds" }),
  },
  "OBS-SIM-RESULT": {
    "params are an object": simulation({ params: "an object" }),
    "the result lists each transaction": simulation({ result: "transaction by transaction" }),
    "the result is a text": simulation({ result: "a text" }),
    "the result is null": simulation({ result: "null" }),
  },
};

const onlyBundles = offering("bundles");
const ownIds = /^OBS-(BND|BST|SIM|RATE-SB)-/;
const ids = idsLike(ownIds);
const subject: Subject = {
  name: "bundles",
  ids,
  choices,
  target: onlyBundles,
  judged: { suite, target: onlyBundles, tag: "@slow" },
};
testChoices(subject);
testHonest(subject);

test("without control or consent a probe that needs it is withheld with the reason", () => {
  const lacking = lackingOn((target) => asVendor({ allow: ["throttle"] })(onlyBundles(target)));
  expect(lacking.filter((line) => ownIds.test(line))).toEqual([
    "OBS-BND-TIP: no control over the platform",
    "OBS-BND-RESEND: the target doesn't allow `sendBundle`",
    "OBS-BND-DUPTX: the target doesn't allow `sendBundle`",
    "OBS-RATE-SB-REFUSAL: the target doesn't allow `sendBundle`",
    "OBS-SIM-RESULT: no control over the platform",
  ]);
});

/** As a vendor's, with a payer. */
const onVendor = (allow: Target["allow"], change: RpcChange = {}): Promise<Outcome> =>
  outcomeOf({
    choice: rpc(change),
    observe: ids,
    target: (target) => {
      const payer = new Secret("payer", textOf(new Uint8Array(32).fill(7)));
      const bundles = target.bundles ? { bundles: { ...target.bundles, payer } } : {};
      return asVendor({ allow, ...bundles })(onlyBundles(target));
    },
  });

test("without consent no bundle is sent that could run", async () => {
  const { observed, exchanges } = await onVendor(["throttle"]);
  const sent = exchanges.flatMap(({ sent: { body = "" } }) => (body.includes("sendBundle") ? [body] : []));
  expect(sent.length).toBeGreaterThan(50);
  expect(sent.filter((body) => /[\w+/=-]{20}/.test(body))).toEqual([]);
  expect(observed.filter(({ state }) => state === "unstable")).toEqual([]);
  expect(observed.filter(({ state }) => state === "withheld").map(({ id }) => id)).toEqual([
    "OBS-BST-ERR",
    "OBS-BND-TIP",
    "OBS-BND-RESEND",
    "OBS-BND-DUPTX",
    "OBS-RATE-SB-REFUSAL",
    "OBS-SIM-RESULT",
  ]);
});

test("with consent a vendor shows how a repeated bundle is answered", async () => {
  const outcome = await onVendor(["sendBundle"]);
  expect(valueOf(outcome, "OBS-BND-RESEND")).toEqual({ "the same bundle at once": "the same id" });
  expect(valueOf(outcome, "OBS-BND-DUPTX")).toEqual({ "[a, a]": "taken" });
  expect(valueOf(outcome, "OBS-BND-INVALIDRATE")).toBeUndefined();
});

test("codes of server errors are observed, though no bundle is sent again on a vendor", async () => {
  const outcome = await onVendor(["throttle"], refusal("params", -32000, "bundle rejected"));
  expect(valueOf(outcome, "OBS-BND-CODES")).toMatchObject({ "params absent": '200 error -32000 "bundle rejected"' });
  expect(valueOf(outcome, "OBS-BST-CODES")).toMatchObject({ "6 ids": '200 error -32000 "bundle rejected"' });
  expect(valueOf(outcome, "OBS-BND-INVALIDRATE")).toEqual({
    "12 at once: refused like one alone": "3 to 7",
    "12 at once: the others": '200 error -32097 "Too many requests"',
  });
});
