// Probes of API keys and their carriers (§5).
import type { Carrier, KeySpelling, RequestSpec } from "../../harness/core/requestSpec.ts";
import type { Template } from "../../harness/core/template.ts";
import { fingerprintOf } from "../../harness/model/fingerprint.ts";
import type { Probe } from "../../harness/model/probe.ts";
import { unjudgedHealth } from "../jsonrpc/probeRequests.ts";
import { asUndescribed } from "../shared/describeCalls.ts";
import { describeEnvelope } from "../shared/describeEnvelope.ts";
import { probesFor } from "../shared/forFeature.ts";
import { health } from "../shared/jsonRpcRequests.ts";
import { knownKey, onMadeProject, open, unknownKeyCarrier } from "../shared/probeRequests.ts";
import { rawRpc, usagePath, usageRequest } from "../shared/requestSpecs.ts";
import { balances } from "../wallet/requests.ts";
import { describeAnswer, describeWithMessage } from "./everyKind.ts";

const { experiment, requestProbe } = probesFor("usage");
const onCompression = probesFor("compression");

const keys = (...carriers: readonly Carrier[]): RequestSpec => open({ carriers });
const on = (whose: "paid" | "other", ...carriers: readonly Carrier[]): RequestSpec =>
  open({ carriers, path: usagePath({ projectOf: whose }) });

const headerWins = { 200: "the header wins", 401: "the query wins" };
const queryWins = { 200: "the query wins", 401: "the header wins" };
const firstCounts = { 200: "the first counts", 401: "the first alone doesn't count" };
const lastCounts = { 200: "the last counts", 401: "the last alone doesn't count" };

const spelled = (spelling: KeySpelling): RequestSpec =>
  keys({ in: "query", key: { keyOf: "owner", spelled: spelling } });
const named = (name: string): RequestSpec => keys({ in: "query", name, key: { keyOf: "owner" } });

const bearer: Carrier = { in: "header", name: "Authorization", key: { keyOf: "owner", spelled: "bearer" } };
const withUnknownKey = { carriers: [unknownKeyCarrier("query")] };
const method = (name: string, params?: Template): RequestSpec =>
  rawRpc(
    { json: { jsonrpc: "2.0", id: 1, method: name, ...(params === undefined ? {} : { params }) } },
    withUnknownKey,
  );

export const probes: readonly Probe[] = [
  requestProbe("OBS-AUTH-CONFLICT", {
    "known header, unknown query": { ask: keys(knownKey("header"), unknownKeyCarrier("query")), wins: headerWins },
    "unknown header, known query": { ask: keys(unknownKeyCarrier("header"), knownKey("query")), wins: queryWins },
    "header of one, query of another, the one's project": {
      ask: on("paid", knownKey("header", "paid"), knownKey("query", "other")),
      wins: { 200: "the header wins", 400: "the query wins" },
    },
    "header of one, query of another, the other's project": {
      ask: on("other", knownKey("header", "paid"), knownKey("query", "other")),
      wins: { 200: "the query wins", 400: "the header wins" },
    },
  }),
  requestProbe("OBS-AUTH-BOTH", { "one key in both": keys(knownKey("header"), knownKey("query")) }),
  requestProbe("OBS-AUTH-DUP", {
    "two headers, known and unknown": { ask: keys(knownKey("header"), unknownKeyCarrier("header")), wins: firstCounts },
    "two headers, unknown and known": { ask: keys(unknownKeyCarrier("header"), knownKey("header")), wins: lastCounts },
    "two parameters, known and unknown": {
      ask: keys(knownKey("query"), unknownKeyCarrier("query")),
      wins: firstCounts,
    },
    "two parameters, unknown and known": { ask: keys(unknownKeyCarrier("query"), knownKey("query")), wins: lastCounts },
  }),
  requestProbe("OBS-AUTH-EMPTYHDR", {
    "empty header, known query": {
      ask: keys({ in: "header", key: { text: "" } }, knownKey("query")),
      wins: { 200: "the query counts", 401: "the empty header counts" },
    },
  }),
  requestProbe("OBS-AUTH-WS", {
    "a space before": spelled("spaceBefore"),
    "a space after": spelled("spaceAfter"),
    "the other case": spelled("otherCase"),
    "percent-encoded": spelled("percentEncoded"),
  }),
  requestProbe(
    "OBS-AUTH-QNAME",
    Object.fromEntries(["API-KEY", "Api-Key", "api_key", "apiKey", "apikey"].map((name) => [name, named(name)])),
  ),
  onCompression.answerProbe("OBS-AUTH-RPCHDR", describeEnvelope, {
    "in the header alone": unjudgedHealth({ carriers: [knownKey("header")] }),
    "known header, unknown query": unjudgedHealth({ carriers: [knownKey("header"), unknownKeyCarrier("query")] }),
  }),
  probesFor(["usage", "compression"]).answerProbe("OBS-AUTH-BEARER", describeAnswer, {
    "Authorization: Bearer": keys(bearer),
    "JSON-RPC: Authorization: Bearer": unjudgedHealth({ carriers: [bearer] }),
  }),
  onCompression.answerProbe("OBS-AUTH-TIMING", describeEnvelope, {
    "an unknown key, and malformed JSON": rawRpc('{"jsonrpc": "2.0", "id": 1, "method": ', withUnknownKey),
    "an unknown key, and an unknown method": method("noSuchMethod"),
    "an unknown key, and bad params": method("getIndexerHealth", { unknown: 1 }),
  }),
  experiment("OBS-AUTH-KEYFMT", [], ({ target }) => {
    const own = [...target.keys].filter(([, { isMade }]) => !isMade);
    return Promise.resolve(own.map(([role, { secret }]) => ({ case: role, summary: secret.shape })));
  }),
  onMadeProject("OBS-AUTH-EXPIRY", 2, async ({ project, ask }) => {
    const made = await project();
    await made.revokeKey();
    const answered = await ask(asUndescribed(usageRequest({ as: made.asker })));
    const fingerprint = fingerprintOf(answered, { case: "a key that was revoked" });
    return [{ fingerprint, summary: describeWithMessage(answered, fingerprint) }];
  }),
  probesFor(["usage", "compression", "wallet"]).answerProbe("OBS-AUTH-IP", describeWithMessage, {
    "a key restricted to another address": asUndescribed(usageRequest({ as: "ipBlocked" })),
    "JSON-RPC: a key restricted to another address": asUndescribed(health(undefined, { as: "ipBlocked" })),
    "wallet: a key restricted to another address": asUndescribed(balances({ as: "ipBlocked" })),
  }),
];
