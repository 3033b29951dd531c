// What is left open about API keys and how they are carried? (§5)

import type { Carrier, KeySpelling, Stimulus } from "../../harness/core/stimulus.ts";
import type { Template } from "../../harness/core/template.ts";
import { type Answered, fingerprintOf } from "../../harness/model/fingerprint.ts";
import { experiment, type Probe, type Reading, readingOf, requestProbe } from "../../harness/model/probe.ts";
import { describeEnvelope, unjudgedHealth } from "../jsonrpc/describeEnvelope.ts";
import { unjudged } from "../shared/describeCalls.ts";
import { health } from "../shared/jsonRpcRequests.ts";
import { good, open, unknown } from "../shared/probeRequests.ts";
import { rawRpc, usage, usagePath } from "../shared/stimuli.ts";
import { walletBaseline } from "../wallet/requests.ts";

const keys = (...carriers: readonly Carrier[]): Stimulus => open({ carriers });
const on = (whose: "paid" | "other", ...carriers: readonly Carrier[]): Stimulus =>
  open({ carriers, path: usagePath({ projectOf: whose }) });

const headerOrQuery = { 200: "the header wins", 400: "the query wins" };
const queryOrHeader = { 200: "the query wins", 400: "the header wins" };
const firstCounts = { 200: "the first counts", 401: "the first alone doesn't count" };
const lastCounts = { 200: "the last counts", 401: "the last alone doesn't count" };

const spelled = (spelling: KeySpelling): Stimulus => keys({ in: "query", key: { keyOf: "owner", spelled: spelling } });
const named = (name: string): Stimulus => keys({ in: "query", name, key: { keyOf: "owner" } });

const bearer: Carrier = { in: "header", name: "Authorization", key: { keyOf: "owner", spelled: "bearer" } };
/** At the JSON-RPC address a status says little without what came with it. */
const came = (answered: Answered): string | number =>
  answered.stimulus.api === "rpc" ? describeEnvelope(answered) : answered.answer.status;
const withoutKey = { carriers: [unknown("query")] };
const method = (name: string, params?: Template): Stimulus =>
  rawRpc({ json: { jsonrpc: "2.0", id: 1, method: name, ...(params === undefined ? {} : { params }) } }, withoutKey);

export const probes: readonly Probe[] = [
  requestProbe(
    "OBS-AUTH-CONFLICT",
    {
      "good header, unknown query": {
        ask: keys(good("header"), unknown("query")),
        wins: { 200: "the header wins", 401: "the query wins" },
      },
      "unknown header, good query": {
        ask: keys(unknown("header"), good("query")),
        wins: { 200: "the query wins", 401: "the header wins" },
      },
      "header of one, query of another, the one's project": {
        ask: on("paid", good("header", "paid"), good("query", "other")),
        wins: headerOrQuery,
      },
      "header of one, query of another, the other's project": {
        ask: on("other", good("header", "paid"), good("query", "other")),
        wins: queryOrHeader,
      },
    },
    { feature: "usage" },
  ),
  requestProbe("OBS-AUTH-BOTH", { "one key in both": keys(good("header"), good("query")) }, { feature: "usage" }),
  requestProbe(
    "OBS-AUTH-DUP",
    {
      "two headers, good and unknown": { ask: keys(good("header"), unknown("header")), wins: firstCounts },
      "two headers, unknown and good": { ask: keys(unknown("header"), good("header")), wins: lastCounts },
      "two parameters, good and unknown": { ask: keys(good("query"), unknown("query")), wins: firstCounts },
      "two parameters, unknown and good": { ask: keys(unknown("query"), good("query")), wins: lastCounts },
    },
    { feature: "usage" },
  ),
  requestProbe(
    "OBS-AUTH-EMPTYHDR",
    {
      "empty header, good query": {
        ask: keys({ in: "header", key: { text: "" } }, good("query")),
        wins: { 200: "the query counts", 401: "the empty header counts" },
      },
    },
    { feature: "usage" },
  ),
  requestProbe(
    "OBS-AUTH-WS",
    {
      "a space before": spelled("spaceBefore"),
      "a space after": spelled("spaceAfter"),
      "the other case": spelled("otherCase"),
      "percent-encoded": spelled("percentEncoded"),
    },
    { feature: "usage" },
  ),
  requestProbe(
    "OBS-AUTH-QNAME",
    Object.fromEntries(["API-KEY", "Api-Key", "api_key", "apiKey", "apikey"].map((name) => [name, named(name)])),
    { feature: "usage" },
  ),
  requestProbe(
    "OBS-AUTH-RPCHDR",
    {
      "in the header alone": unjudgedHealth({ carriers: [good("header")] }),
      "good header, unknown query": unjudgedHealth({ carriers: [good("header"), unknown("query")] }),
    },
    { feature: "compression", summary: describeEnvelope },
  ),
  requestProbe(
    "OBS-AUTH-BEARER",
    {
      "Authorization: Bearer": keys(bearer),
      "JSON-RPC: Authorization: Bearer": unjudgedHealth({ carriers: [bearer] }),
    },
    { feature: ["usage", "compression"], summary: came },
  ),
  requestProbe(
    "OBS-AUTH-TIMING",
    {
      "an unknown key, and malformed JSON": rawRpc('{"jsonrpc": "2.0", "id": 1, "method": ', withoutKey),
      "an unknown key, and an unknown method": method("noSuchMethod"),
      "an unknown key, and bad params": method("getIndexerHealth", { unknown: 1 }),
    },
    { feature: "compression", summary: describeEnvelope },
  ),
  experiment(
    "OBS-AUTH-KEYFMT",
    [],
    ({ target }): Promise<Reading> => {
      const shapes = [...target.keys].map(([role, { secret }]) => [role, secret.shape] as const);
      return Promise.resolve({
        summary: Object.fromEntries(shapes.filter(([role]) => !role.startsWith("made-"))),
        fingerprints: [],
      });
    },
    { feature: "usage" },
  ),
  experiment(
    "OBS-AUTH-EXPIRY",
    [usage({ as: "owner" })],
    async ({ project, ask }) => {
      const made = await project();
      await made.revokeKey();
      const answered = await ask({ ...usage({ as: made.asker }), operation: null });
      const fingerprint = fingerprintOf(answered, { case: "a key that was revoked" });
      return readingOf([
        {
          fingerprint,
          summary: fingerprint.error
            ? `${answered.answer.status} ${fingerprint.error.message}`
            : answered.answer.status,
        },
      ]);
    },
    { feature: "usage", control: { reads: 2 } },
  ),
  requestProbe(
    "OBS-AUTH-IP",
    {
      "a key restricted to another address": { ...usage({ as: "ipBlocked" }), operation: null },
      "JSON-RPC: a key restricted to another address": unjudged(health(undefined, { as: "ipBlocked" })),
      "wallet: a key restricted to another address": unjudged(
        walletBaseline("getWalletBalances").ask({ as: "ipBlocked" }),
      ),
    },
    {
      feature: ["usage", "compression", "wallet"],
      summary: (answered, { error }) => (error ? `${came(answered)} ${error.message}` : came(answered)),
    },
  ),
];
