// Probes of the JSON-RPC address: each sees the choices of a platform, and no check judges them breaches.
import { expect, test } from "@playwright/test";
import { envelope, http, rpc } from "../support/choices.ts";
import { methodsOf } from "../support/meteredVendors.ts";
import { testChoices } from "../support/probeChoices.ts";
import {
  badGateway,
  type Choice,
  type Choices,
  offering,
  outcomeOf,
  overHttps,
  planOf,
  slow,
  withHeader,
} from "../support/probeSpecs.ts";

/** At the JSON-RPC address only. */
const answers = (change: NonNullable<Choice["answer"]>): Choice => ({
  answer: (answer, call) => (call.path === "/" ? change(answer, call) : answer),
});
const header = (name: string, value: string | null): Choice => answers((answer) => withHeader(answer, name, value));

const choices: Choices = {
  "OBS-RPC-OKSTATUS: results come with HTTP 202": envelope({ servedStatus: 202 }),
  "OBS-RPC-PARSE: what isn't JSON comes with HTTP 400": envelope({ parseStatus: 400 }),
  "OBS-RPC-INVALID: the version isn't validated": envelope({ version: "not looked at" }),
  "OBS-RPC-METHOD: methods are known however they are spelled": envelope({
    methodSpelling: "any case and white space",
  }),
  "OBS-RPC-ID: ids of any type are echoed": envelope({ otherIds: "echoed" }),
  "OBS-RPC-ID: fractional ids are refused": envelope({ fractionalIds: "refused" }),
  "OBS-RPC-ID: ids of more than 1,024 characters are refused": envelope({ longestId: 1024 }),
  "OBS-RPC-NOTIFY: notifications return HTTP 200": envelope({ notificationStatus: 200 }),
  "OBS-RPC-NOTIFY: notifications return HTTP 202": envelope({ notificationStatus: 202 }),
  "OBS-RPC-NOTIFY: notifications are answered": {
    ...rpc({ notifications: "answered" }),
    warned: ["EXT-JR-05", "EXT-JR-07"],
  },
  "OBS-RPC-BATCH: batches are refused": rpc({ batches: "refused" }),
  "OBS-RPC-BATCH: batches of more than 10 are refused": envelope({ longestBatch: 10 }),
  "OBS-RPC-BATCH: batches are answered in another order": envelope({ batchOrder: "the last first" }),
  "OBS-RPC-DUPKEY: the first of two members counts": envelope({ duplicates: "the first counts" }),
  "OBS-RPC-DUPKEY: a member that is there twice is refused": envelope({ duplicates: "refused" }),
  "OBS-RPC-EXTRA: unknown members are refused": envelope({ otherMembers: "refused" }),
  "OBS-RPC-PARAMS: scalar params are bad params": envelope({ scalarParams: "bad params" }),
  "OBS-RPC-DEPTH: 100 levels are the most": envelope({ deepest: 100 }),
  "OBS-RPC-GET: GET finds nothing": envelope({ get: "not found" }),
  "OBS-RPC-GET: GET returns a page": envelope({ get: "a page" }),
  "OBS-RPC-DISCOVER: rpc.discover is unknown": envelope({ discover: "unknown" }),
  "OBS-RPC-UNICODE: lone surrogates are refused": envelope({ loneSurrogates: "refused" }),
  "OBS-RPC-UNICODE: lone surrogates are replaced": envelope({ loneSurrogates: "replaced" }),
  "OBS-CTX-MONO: one of several machines is behind": envelope({ contextSlots: "of several" }),
  "OBS-CTX-EXTRA: context has a version": envelope({ contextMembers: "slot and version" }),
  "OBS-ERR-RPC-DATA: errors carry data": envelope({ errorData: "the cause" }),
  "OBS-ERR-RPC-HTTP: errors come with HTTP statuses of their own": rpc({ errorStatus: "by cause" }),
  "OBS-ERR-RPC-EXTRA: envelopes carry a request id": envelope({ requestId: "in every envelope" }),
  "OBS-ERR-GATEWAY: a gateway answers to GET": {
    ...answers((answer, { method }) => (method === "GET" ? badGateway : answer)),
    beside: ["OBS-RPC-GET"],
  },
  "OBS-ERR-TA-NOTFOUND: an owner of nothing isn't found": rpc({
    choices: { tokenAccounts: { unknownOwners: "not found" } },
  }),
  "OBS-ERR-TA-PERM: a blocked address is reported by HTTP alone": envelope({ blockedAddress: "by HTTP alone" }),
  "OBS-AUTH-RPCHDR: a key in the header is accepted": envelope({ keyInHeader: "as good as in the query" }),
  "OBS-AUTH-BEARER: a bearer is a key": http({ bearer: "a key" }),
  "OBS-AUTH-TIMING: the key is judged before the body": envelope({ keyJudged: "before the envelope" }),
  "OBS-AUTH-TIMING: the key is judged after the method": envelope({ keyJudged: "after the method" }),
  "OBS-AUTH-IP: a blocked address is reported by HTTP alone": envelope({ blockedAddress: "by HTTP alone" }),
  "OBS-PREC-RPC: the key is judged before the body": envelope({ keyJudged: "before the envelope" }),
  "OBS-PREC-RPC: the limit is judged last": envelope({ limitJudged: "last" }),
  "OBS-HTTP-OPTIONS: pages of other origins may ask": http({ otherOrigins: "any" }),
  "OBS-HTTP-METHOD: GET finds nothing": envelope({ get: "not found" }),
  "OBS-HTTP-SLASH: doubled slashes are one": http({ doubledSlashes: "the same path" }),
  "OBS-HTTP-SLASH: a slash at the end of the base makes no difference": {
    rules: { choices: { slashAtEnd: "the same path" }, rpc: { paths: ["/rpc/"] } },
    base: { rpc: { paths: ["/rpc/"] } },
    target: (target) => ({ ...target, bases: { ...target.bases, rpc: `${target.bases.rpc}/rpc` } }),
  },
  "OBS-HTTP-404: the key is judged before the path": http({ unknownPath: "key first" }),
  "OBS-HTTP-QUERY: unknown parameters are refused": http({ unknownQuery: "refused" }),
  "OBS-HTTP-CTYPE: text/plain is refused": rpc({ mediaTypes: ["application/json", "application/json-rpc", ""] }),
  "OBS-HTTP-CTYPE: all but application/json is refused": rpc({ mediaTypes: ["application/json"] }),
  "OBS-HTTP-CHARSET: no charset is named": answers((answer) =>
    "content-type" in answer.headers ? withHeader(answer, "content-type", "application/json") : answer,
  ),
  "OBS-HTTP-GZIP: compressed bodies are refused": envelope({ gzipped: "refused" }),
  "OBS-HTTP-GZIP: compressed bodies are unpacked": envelope({ gzipped: "unpacked" }),
  "OBS-HTTP-CACHE: answers aren't to be stored": header("cache-control", "no-store"),
  "OBS-HTTP-HDRS: answers have a request id": header("x-request-id", "0193"),
  "OBS-HTTP-SIZE: 128 KiB are the most": envelope({ largestBody: 128 * 1024 }),
  "OBS-HTTP-TLS: plain http is redirected": { ...http({ plainHttp: "redirected" }), target: overHttps },
  "OBS-HTTP-TLS: h2 isn't spoken": { protocol: "http/1.1", target: overHttps },
  "OBS-HTTP-DATE: there is no Date header": header("date", null),
  "OBS-HTTP-LATENCY: proofs take longer": {
    ...slow(({ rpc: call }) => call?.method === "getMultipleNewAddressProofs"),
    // In one process a slow answer delays those beside it.
    varies: ["OBS-HTTP-LATENCY"],
    isSlow: true,
  },
  "OBS-VER: there is a version header": header("api-version", "2.0.0"),
};

testChoices({
  name: "the JSON-RPC address",
  // Other subjects have specs of their own.
  ids: planOf({})
    .probes.filter(
      ({ probe: { id, features } }) =>
        features.some((feature) => feature !== "usage" && feature !== "wallet") &&
        !/^OBS-(TA|NAP|CB|IH|BND|BST|SIM|RATE-SB|MET|CRD|USG)-/.test(id),
    )
    .map(({ probe }) => probe.id),
  choices,
  target: offering("tokenAccounts", "compression"),
  judged: { observe: (id, { beside = [] }) => [id, ...beside] },
});

const compressionMethods = methodsOf("compression");

for (const [feature, called, tag] of [
  ["usage", ["admin"], "@slow"],
  ["compression", [...compressionMethods, "rpc"], null],
  ["tokenAccounts", ["getTokenAccounts", "rpc"], "@slow"],
] as const)
  test(`where only ${feature} is offered, other features get no request`, { tag: tag ?? [] }, async () => {
    const { exchanges, observed } = await outcomeOf({ suite: "probes alone", target: offering(feature) });
    expect(
      observed.filter(
        ({ state, id }) => state === "unstable" || (state === "withheld" && /^OBS-(RPC|CTX|HTTP-(?!TLS)|ERR)/.test(id)),
      ),
    ).toEqual([]);
    const methods = exchanges.map(({ sent }) =>
      typeof sent.json === "object" && sent.json !== null && "method" in sent.json ? sent.json["method"] : null,
    );
    const requested = new Set([
      ...exchanges.map(({ requestSpec }) => requestSpec.api),
      ...methods.filter((method) => typeof method === "string" && /^get[A-Z]/.test(method)),
    ]);
    expect([...requested].map(String).sort()).toEqual([...called].sort());
    expect(compressionMethods.length).toBeGreaterThanOrEqual(3);
  });
