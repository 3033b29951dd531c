// Probes of bundles: each sees the choices of a platform, and no check judges them breaches.
import { expect, test } from "@playwright/test";
import { idsBy, rpc, bundles as rules, sends, simulation, statuses } from "../support/choices.ts";
import { testProbes } from "../support/probeChoices.ts";
import {
  asVendor,
  type Choice,
  type Choices,
  idsLike,
  lackingOn,
  type Outcome,
  offering,
  outcomeOf,
  type TargetChange,
  valueOf,
} from "../support/probeSpecs.ts";
import { payingVendor } from "../support/vendorsInProcess.ts";

type Cause = "params" | "key" | "rate" | "server";
const refusal = (cause: Cause, code: number, message: string) => ({
  refusals: { bundles: { [cause]: { code, message } } },
});
const refused = (...change: Parameters<typeof refusal>): Choice => rpc(refusal(...change));
/** Echoes ids of calls of sendBundle that are texts as something else. */
const echoing = (change: (id: string) => string | number | null): Choice => ({
  answer: (answer, { rpc: call }) =>
    call?.method === "sendBundle" && typeof call.id === "string" && !call.keyCause
      ? { ...answer, body: { ...(answer.body as object), id: change(call.id) } }
      : answer,
});
const minute_ms = 60_000;

const choices: Choices = {
  "OBS-BND-CODES: params are refused with another message": refused(
    "params",
    -32602,
    "failed to deserialize the bundle",
  ),
  "OBS-BND-CODES: params are refused as no request": refused("params", -32600, "Invalid Request"),
  "OBS-BND-CODES: params are refused with the code of server errors": refused("params", -32000, "bundle rejected"),
  "OBS-BND-CODES: params are refused with the code of internal errors": refused("params", -32603, "Internal error"),
  "OBS-BND-CODES: params are refused with a code of the platform's own": refused("params", -32087, "bundle rejected"),
  "OBS-BND-CODES: params are refused with a positive code": refused("params", 4001, "bundle rejected"),
  "OBS-BND-CODES: errors come with HTTP statuses of their own": rpc({ errorStatus: "by cause" }),
  "OBS-BND-CODES: texts that are no transactions is no request": sends({ undecodable: "invalid" }),
  "OBS-BND-CODES: texts that are no transactions is an internal error": sends({ undecodable: "server" }),
  "OBS-BND-CODES: texts that are no transactions is a server error": rpc({
    bundles: { choices: { sends: { undecodable: "server" } } },
    ...refusal("server", -32000, "transaction 0 can't be decoded"),
  }),
  "OBS-BND-CODES: a bad key is reported with another message": refused("key", -32001, "Invalid API key"),
  "OBS-BND-B64DEFAULT: base64 is read where no encoding is named": sends({ unnamedBase64: "read" }),
  "OBS-BND-B64DEFAULT: what isn't base58 is refused differently from texts that are no transactions": sends({
    misspelled: "invalid",
  }),
  "OBS-BND-ENCCASE: encodings are known in any case": sends({ encodingNames: "in any case" }),
  "OBS-BND-ENCCASE: an empty encoding is none": sends({ emptyEncoding: "as absent" }),
  "OBS-BND-ENCCASE: null is refused for the encoding and for options": sends({ nulls: "refused" }),
  "OBS-BND-ENCCASE: unknown options are refused": sends({ unknownOptions: "refused" }),
  "OBS-BND-ENCCASE: encodings are validated before texts": sends({ undecodable: "invalid" }),
  "OBS-BND-B64URL: url-safe base64 is read": sends({ base64: "url-safe too" }),
  "OBS-BND-B64URL: unpadded base64 is read": sends({ base64: "unpadded too" }),
  "OBS-BND-B64URL: white space in base64 is passed over": sends({ base64: "with white space too" }),
  "OBS-BND-STRID: texts for ids are refused": sends({ stringIds: "refused" }),
  "OBS-BND-STRID: texts for ids are refused, without an echo": {
    ...sends({ stringIds: "refused" }),
    ...echoing(() => null),
  },
  "OBS-BND-STRID: digits for ids are echoed as numbers": echoing((id) => (/^\d+$/.test(id) ? Number(id) : id)),
  "OBS-BND-MEVVAL: 1, yes and TRUE are true": sends({ mevTexts: "true" }),
  "OBS-BND-MEVVAL: 1, yes and TRUE are refused": sends({ mevTexts: "refused" }),
  "OBS-BND-MEVVAL: mev-protect without a text is true": sends({ emptyMev: "true" }),
  "OBS-BND-MEVVAL: mev-protect without a text is refused": sends({ emptyMev: "refused" }),
  "OBS-BND-MEVVAL: flags are validated before texts": {
    ...sends({ mevTexts: "refused", routed: "before them", undecodable: "invalid" }),
    base: sends({ mevTexts: "refused", undecodable: "invalid" }).rules,
  },
  "OBS-BND-REGION: unknown regions are ignored": sends({ unknownRegions: "ignored" }),
  "OBS-BND-REGION: regions are known in any case": sends({ regionCase: "any" }),
  "OBS-BND-REGION: an empty region is none": sends({ emptyRegion: "as absent" }),
  "OBS-BND-REGION: the first of several regions counts": sends({ regionLists: "the first counts" }),
  "OBS-BND-REGION: regions are validated before texts": {
    ...sends({ routed: "before them", undecodable: "invalid" }),
    base: sends({ undecodable: "invalid" }).rules,
  },
  "OBS-BND-REGOTHER: flag and region are refused elsewhere": statuses({ others: "refused" }),
  "OBS-BND-REGOTHER: unknown flags and regions are refused elsewhere": statuses({ others: "unknown values refused" }),
  "OBS-BND-RESEND: a bundle is taken once": rules({ resent: "refused" }),
  "OBS-BND-RESEND: a bundle that has landed isn't taken again": rules({ resent: "refused once it has landed" }),
  "OBS-BND-DUPTX: a transaction may be in a bundle once": sends({ duplicates: "refused" }),
  "OBS-BND-FORGED: signatures are judged after a bundle is taken": sends({ signaturesJudged: "after it is taken" }),
  "OBS-BND-TIP: twice as much is needed, and the target knows": {
    ...rules({ leastTip: 2000n }),
    ownTarget: ({ bundles, ...target }) => ({
      ...target,
      ...(bundles && { bundles: { ...bundles, tipLamports: 2000 } }),
    }),
  },
  "OBS-BND-TIP: half as much is enough": rules({ leastTip: 500n }),
  "OBS-BND-TIP: one lamport is enough": rules({ leastTip: 1n }),
  "OBS-BND-TIP: no lamport is enough": rules({ leastTip: 0n }),
  "OBS-BND-IDENC: ids are hex in capitals": idsBy({ idForm: "HEX" }),
  "OBS-BND-IDENC: ids are base58": idsBy({ idForm: "base58" }),
  "OBS-BND-IDENC: ids are base64": idsBy({ idForm: "base64" }),
  "OBS-BND-IDENC: ids are base64 for addresses": idsBy({ idForm: "base64url" }),
  "OBS-BND-IDENC: ids are hex behind 0x": idsBy({ idForm: "0x hex" }),
  ...Object.fromEntries(
    (["HEX", "0x hex", "base58", "base64", "base64url"] as const).map((idForm) => [
      `OBS-BND-IDENC: ids are ${idForm}, and other texts are refused`,
      idsBy({ idForm, choices: { statuses: { malformed: "refused" } } }),
    ]),
  ),
  "OBS-BND-IDRULE: signatures run together": idsBy({ id: "signatures run together" }),
  "OBS-BND-IDRULE: signatures are hashed as bytes": idsBy({ id: "raw bytes" }),
  "OBS-BND-IDRULE: signatures are hashed behind their count": idsBy({ id: "raw bytes behind their count" }),
  "OBS-BND-INVALIDRATE: refused calls don't count": rpc({ envelope: { limitJudged: "last" } }),
  "OBS-BND-INVALIDRATE: too many are refused like bad params": refused("rate", -32602, "Invalid params"),
  "OBS-RATE-SB-REFUSAL: too many are refused with another code": {
    ...refused("rate", -32429, "rate limited"),
    warned: ["EXT-JR-08"],
  },
  "OBS-RATE-SB-REFUSAL: too many are refused with another message": refused(
    "rate",
    -32097,
    "Network congested. Endpoint is globally rate limited.",
  ),
  "OBS-RATE-SB-REFUSAL: too many are refused with the code of server errors": refused("rate", -32000, "slow down"),
  "OBS-RATE-SB-REFUSAL: too many are refused with HTTP 429": rpc({ errorStatus: "by cause" }),
  "OBS-BST-CODES: params are refused as no request": refused("params", -32600, "Invalid Request"),
  "OBS-BST-CODES: params are refused with the code of server errors": refused("params", -32000, "bundle rejected"),
  "OBS-BST-CODES: a bad key is reported with another message": refused("key", -32001, "Invalid API key"),
  "OBS-BST-CODES: errors come with HTTP statuses of their own": rpc({ errorStatus: "by cause" }),
  "OBS-BST-EMPTY: an empty list is refused": statuses({ emptyList: "refused" }),
  "OBS-BST-DUP: a repeated id is answered once": statuses({ duplicates: "told once" }),
  "OBS-BST-DUP: a repeated id is answered once, then with null": statuses({ duplicates: "told once, then null" }),
  "OBS-BST-DUP: a repeated id is refused": statuses({ duplicates: "refused" }),
  "OBS-BST-BADID: what is no id is refused": statuses({ malformed: "refused" }),
  "OBS-BST-BADID: ids are known in any case": statuses({ idCase: "any" }),
  "OBS-BST-BADID: what is no text is nothing that landed": statuses({ nonTexts: "null" }),
  "OBS-BST-FLAT: flat params are taken too": statuses({ flat: "taken too" }),
  "OBS-BST-ERR: an error is a text in Err": statuses({ failure: "in Err" }),
  "OBS-BST-ERR: an error has Ok: false": statuses({ failure: "Ok is false" }),
  "OBS-BST-ERR: a bundle that failed has no status": statuses({ failure: "not told of" }),
  "OBS-BST-TRANS: processed bundles have no status": statuses({ stages: "from confirmed on" }),
  "OBS-BST-TRANS: bundles have no status before they are final": statuses({ stages: "finalized alone" }),
  "OBS-BST-TRANS: what was confirmed is processed once more": statuses({ stages: "with a step back" }),
  "OBS-BST-AGE: statuses are kept for five minutes": statuses({ kept_ms: 5 * minute_ms }),
  "OBS-BST-AGE: statuses are kept for two hours": statuses({ kept_ms: 120 * minute_ms }),
  "OBS-BST-SIGORDER: signatures are listed backwards": statuses({ signatureOrder: "reversed" }),
  "OBS-BST-EXTRA: statuses and errors have further members": statuses({ members: "further ones" }),
  "OBS-SIM-PARAMS: an empty bundle can be simulated": simulation({ ofNothing: "succeeds" }),
  "OBS-SIM-PARAMS: texts that are no transactions is no request": sends({ undecodable: "invalid" }),
  "OBS-SIM-PARAMS: an object without transactions can be simulated": simulation({
    params: "an object",
    ofNothing: "succeeds",
  }),
  "OBS-SIM-RESULT: params are an object": simulation({ params: "an object" }),
  "OBS-SIM-RESULT: the result lists each transaction": simulation({ result: "transaction by transaction" }),
  "OBS-SIM-RESULT: the result is a text": simulation({ result: "a text" }),
  "OBS-SIM-RESULT: the result is null": simulation({ result: "null" }),
};

const onlyBundles = offering("bundles");
const ownIds = /^OBS-(BND|BST|SIM|RATE-SB)-/;
const ids = idsLike(ownIds);
testProbes({ name: "bundles", ids, choices, target: onlyBundles, judged: { target: onlyBundles } });

test("without control or consent a probe that needs it is withheld with the reason", () => {
  const lacking = lackingOn((target) => asVendor({ allow: ["throttle"] })(onlyBundles(target)));
  const readsStatuses = /^OBS-(?:BST-|SIM-PARAMS|BND-ID(?:ENC|RULE)|BND-REGOTHER)/;
  const control = ["OBS-BND-TIP", "OBS-SIM-RESULT"];
  expect(lacking.filter((line) => ownIds.test(line)).toSorted()).toEqual(
    [...ids.filter((id) => !readsStatuses.test(id))]
      .toSorted()
      .map((id) =>
        control.includes(id)
          ? `${id}: not testable from outside (needs a test project)`
          : `${id}: the target doesn't allow \`sendBundle\``,
      ),
  );
});

const onVendor = (known: TargetChange, choice?: Choice): Promise<Outcome> =>
  outcomeOf({ suite: "probes alone", choice, observe: ids, target: payingVendor(known) });

test("without consent nothing is sent that a lenient platform could take for a bundle", async () => {
  for (const suite of ["contracts", "probes alone"] as const) {
    const target = payingVendor({ allow: ["throttle"] });
    const { observed, exchanges } = await outcomeOf({ suite, observe: ids, target });
    expect(exchanges.length).toBeGreaterThan(50);
    expect(exchanges.filter(({ sent: { body = "" } }) => body.includes("sendBundle"))).toEqual([]);
    expect(observed.filter(({ state }) => state === "unstable")).toEqual([]);
  }
});

test("with consent a vendor shows how a repeated bundle is answered", async () => {
  const outcome = await onVendor({ allow: ["sendBundle"] });
  expect(valueOf(outcome, "OBS-BND-RESEND")).toEqual({ "the same bundle at once": "the same id" });
  expect(valueOf(outcome, "OBS-BND-DUPTX")).toEqual({ "[a, a]": "taken" });
  expect(valueOf(outcome, "OBS-BND-INVALIDRATE")).toBeUndefined();
});

test("codes of server errors are observed, though no bundle is sent again on a vendor", async () => {
  const outcome = await onVendor({ allow: ["throttle", "sendBundle"] }, refused("params", -32000, "bundle rejected"));
  expect(valueOf(outcome, "OBS-BND-CODES")).toMatchObject({
    "params absent": '200 error -32000 "bundle rejected: there is no list of signed transactions"',
  });
  expect(valueOf(outcome, "OBS-BST-CODES")).toMatchObject({ "6 ids": '200 error -32000 "bundle rejected"' });
  expect(valueOf(outcome, "OBS-BND-INVALIDRATE")).toEqual({
    "12 at once: refused like one alone": "3 to 7",
    "12 at once: the others": '200 error -32097 "Too many requests"',
  });
});
