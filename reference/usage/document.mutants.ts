// Mutants of the usage document (§2.1)
import { STATUS_CODES } from "node:http";
import {
  added,
  bothChanges,
  docWithout,
  getAt,
  mutantsOf,
  onFree,
  onPaid,
  refusedWith,
  renamed,
  replaced,
  usageDoc,
  without,
} from "../platform/mutant.ts";
import type { Doc, PlatformAnswer, ResponseMutation, Value } from "../platform/wire.ts";

/** Served documents, answered otherwise. */
const servedAs =
  (change: Partial<PlatformAnswer>): ResponseMutation =>
  (answer, { operation }) =>
    operation && answer.status === 200 ? { ...answer, ...change } : answer;
const asText = (pointer: string) => replaced(pointer, (honest) => String(honest));
const timestamp = (pointer: string) => replaced(pointer, (day) => `${String(day)}T00:00:00Z`);
const unpadded = (day: Value) => String(day).replaceAll("-0", "-");
/** A member left out where one, by default itself, has a certain value. */
const withoutWhere = (pointer: string, value: Value, decides = pointer): ResponseMutation =>
  usageDoc((doc) => (getAt(doc, decides) === value ? docWithout(doc, pointer) : doc));

/** Served documents with another status, and a body in its words. */
const refusing = (status: number, message: string): ResponseMutation =>
  servedAs({ status, body: { statusCode: status, message, error: STATUS_CODES[status] ?? "" } });

const inEvery = (
  member: "credits" | "requests" | "dataTransfer",
  change: (entries: [string, Value][]) => [string, Value][],
): ResponseMutation => replaced(`/${member}`, (honest) => Object.fromEntries(change(Object.entries(honest as Doc))));

const nonZero = (entries: [string, Value][]) => entries.filter(([, value]) => value !== 0);

export const mutants = mutantsOf({
  "USG-HTTP-01.status-206": [servedAs({ status: 206 }), "USG-HTTP-03"],
  "USG-HTTP-01.wrapped": [usageDoc((doc) => ({ data: doc })), "USG-FLD-", "CYC-PRES-01"],
  "USG-HTTP-01.array": usageDoc((doc) => [doc]),
  "USG-HTTP-02.body-required": [refusing(400, "Unexpected end of JSON input"), "USG-HTTP-01", "ERR-ADM-400-01"],
  "USG-HTTP-02.ctype-required": [refusing(415, "Unsupported Media Type"), "USG-HTTP-01", "USG-HTTP-03"],
  "USG-HTTP-03.uses-404": [refusedWith("unknownProject", 404, "Project not found"), "AUTH-ADM-OWN-02"],
  "USG-HTTP-03.uses-422": [refusedWith("notUuid", 422, "Validation failed (uuid is expected)"), "AUTH-ADM-OWN-03"],
  "USG-HTTP-03.uses-503": [refusedWith("unbilled", 503, "Service Unavailable"), "ERR-ADM-500-02"],

  "USG-FLD-01.absent": without("/creditsRemaining"),
  "USG-FLD-01.string": asText("/creditsRemaining"),
  "USG-FLD-01.null-when-zero": [replaced("/creditsRemaining", (left) => (left === 0 ? null : left)), "CRD-REM-02"],
  "USG-FLD-02.absent": withoutWhere("/creditsUsed", 0),
  "USG-FLD-02.string": asText("/creditsUsed"),
  "USG-FLD-02.renamed": renamed("/creditsUsed", "credits_used"),
  "USG-FLD-03.absent-when-none": withoutWhere("/prepaidCreditsRemaining", 0),
  "USG-FLD-03.null": replaced("/prepaidCreditsRemaining", (left) => (left === 0 ? null : left)),
  "USG-FLD-04.absent-when-zero": withoutWhere("/prepaidCreditsUsed", 0),
  "USG-FLD-04.object": replaced("/prepaidCreditsUsed", (amount) => ({ amount, unit: "credits" })),
  "USG-FLD-05.string": [
    replaced(
      "/creditCycle",
      (_, doc) => `${String(getAt(doc, "/creditCycle/start"))}/${String(getAt(doc, "/creditCycle/end"))}`,
    ),
    "CYC-PRES-01",
  ],
  "USG-FLD-05.end-missing": [without("/creditCycle/end"), "USG-FLD-07"],
  "USG-FLD-06.timestamp": [timestamp("/creditCycle/start"), "CYC-DATE-01"],
  "USG-FLD-06.epoch": replaced("/creditCycle/start", (day) => Date.parse(String(day))),
  "USG-FLD-06.unpadded": [replaced("/creditCycle/start", unpadded), "CYC-DATE-01"],
  "USG-FLD-07.timestamp": [timestamp("/creditCycle/end"), "CYC-DATE-01"],
  "USG-FLD-07.slashes": [replaced("/creditCycle/end", (day) => String(day).replaceAll("-", "/")), "CYC-DATE-01"],
  "USG-FLD-07.null-open": replaced("/creditCycle/end", () => null),
  "USG-FLD-08.absent-free": onFree(without("/subscriptionDetails")),
  "USG-FLD-08.flattened": usageDoc(({ subscriptionDetails, ...rest }) => ({
    ...rest,
    ...(subscriptionDetails as Doc),
  })),
  "USG-FLD-09.absent": [withoutWhere("/subscriptionDetails/billingCycle", null), "CYC-BILL-01"],
  "USG-FLD-09.empty-string": [replaced("/subscriptionDetails/billingCycle", (cycle) => cycle ?? ""), "CYC-BILL-01"],
  "USG-FLD-09.false": [replaced("/subscriptionDetails/billingCycle", (cycle) => cycle ?? false), "CYC-BILL-01"],
  "USG-FLD-10.timestamp": [timestamp("/subscriptionDetails/billingCycle/start"), "CYC-DATE-01"],
  "USG-FLD-10.absent": without("/subscriptionDetails/billingCycle/start"),
  "USG-FLD-11.timestamp": [timestamp("/subscriptionDetails/billingCycle/end"), "CYC-DATE-01"],
  "USG-FLD-11.absent": without("/subscriptionDetails/billingCycle/end"),
  "USG-FLD-12.string": asText("/subscriptionDetails/creditsLimit"),
  "USG-FLD-12.null-unlimited": replaced("/subscriptionDetails/creditsLimit", (limit) =>
    limit === 1_000_000 ? null : limit,
  ),
  "USG-FLD-12.absent-free": onFree(without("/subscriptionDetails/creditsLimit")),
  "USG-FLD-13.object": replaced("/subscriptionDetails/plan", (name) => ({ name })),
  "USG-FLD-13.numeric-id": replaced("/subscriptionDetails/plan", () => 3),
  "USG-FLD-13.null-free": onFree(replaced("/subscriptionDetails/plan", () => null)),
  "USG-FLD-14.array": replaced("/credits", (credits) =>
    Object.entries(credits as object).map(([product, amount]) => ({ product, credits: amount as Value })),
  ),
  "USG-FLD-14.absent-when-idle": withoutWhere("/credits", 0, "/creditsUsed"),
  "USG-FLD-15.number": replaced("/requests", () => 111_122),
  "USG-FLD-15.absent-when-idle": withoutWhere("/requests", 0, "/creditsUsed"),
  "USG-FLD-16.absent-without-streams": withoutWhere("/dataTransfer", 0, "/dataTransfer/streamGrpc"),
  "USG-FLD-16.number": replaced("/dataTransfer", () => 370_008_000),

  "USG-KEYS-01.omit-zero": [inEvery("credits", nonZero), "USG-KEYS-05", "USG-KEYS-07"],
  "USG-KEYS-01.snake-case": [renamed("/credits/streamGrpc", "stream_grpc"), "USG-KEYS-05", "USG-KEYS-07"],
  "USG-KEYS-01.other-missing": [without("/credits/other"), "USG-KEYS-07"],
  "USG-KEYS-01.string-values": inEvery("credits", (entries) =>
    entries.map(([product, amount]) => [product, String(amount)]),
  ),
  "USG-KEYS-02.omit-zero": inEvery("requests", nonZero),
  "USG-KEYS-02.no-webhooks": without("/requests/webhooks"),
  "USG-KEYS-02.archival-renamed": renamed("/requests/archival", "archive"),
  "USG-KEYS-03.ws-missing": [without("/dataTransfer/streamWebsocket"), "USG-KEYS-05"],
  "USG-KEYS-03.nested": inEvery("dataTransfer", (entries) => entries.map(([stream, bytes]) => [stream, { bytes }])),
  "USG-KEYS-04.streams-in-requests": added("/requests/streamGrpc", () => 17),
  "USG-KEYS-04.zero-streams-in-requests": bothChanges(
    added("/requests/streamGrpc", () => 0),
    added("/requests/streamWebsocket", () => 0),
  ),
  "USG-KEYS-05.credits-no-grpc": [without("/credits/streamGrpc"), "USG-KEYS-01", "USG-KEYS-07"],
  "USG-KEYS-05.transfer-no-grpc": [without("/dataTransfer/streamGrpc"), "USG-KEYS-03"],
  "USG-KEYS-05.merged-stream": [
    bothChanges(inEvery("credits", mergeStreams), inEvery("dataTransfer", mergeStreams)),
    "USG-KEYS-01",
    "USG-KEYS-03",
  ],
  "USG-KEYS-06.rpc-bytes": added("/dataTransfer/rpc", () => 123_456),
  "USG-KEYS-06.webhooks-bytes": added("/dataTransfer/webhooks", () => 98_765),
  "USG-KEYS-07.requests-only-product": [without("/credits/compression"), "USG-KEYS-01"],

  "USG-INT-01.one-decimal": [
    inEvery("credits", (entries) => entries.map(([product, amount]) => [product, Number(amount) + 0.5])),
    "CRD-",
  ],
  "USG-INT-01.float-noise": [replaced("/credits/walletApi", () => 300.00000000000006), "CRD-SUM-01", "CRD-ROUND-02"],
  "USG-INT-02.sampled": [replaced("/requests/rpc", (count) => Number(count) + 0.25), "CRD-SCOPE-02"],
  "USG-INT-02.negative-correction": [replaced("/requests/webhooks", () => -3), "CRD-SCOPE-02", "MET-HOOK-01"],
  "USG-INT-03.mebibytes": [
    inEvery("dataTransfer", (entries) => entries.map(([stream, bytes]) => [stream, Number(bytes) / 1_048_576])),
    "CRD-SCOPE-02",
    "MET-BYTE-01",
  ],
  "USG-INT-03.negative": [replaced("/dataTransfer/streamGrpc", () => -1_794_967_296), "CRD-SCOPE-02", "MET-BYTE-"],
  "USG-NNEG-01.other-as-plug": [replaced("/credits/other", () => -4), "CRD-SUM-01", "CRD-ROUND-02"],
  "USG-NNEG-01.prepaid-negative": [replaced("/prepaidCreditsRemaining", () => -250), "CRD-USE-02", "CRD-PRE-01"],

  "USG-PLAN-01.always-default": replaced("/subscriptionDetails/plan", () => "free"),
  "USG-PLAN-01.previous-plan": onPaid(replaced("/subscriptionDetails/plan", () => "starter")),
  "USG-PLAN-01.project-name": replaced("/subscriptionDetails/plan", (_, __, { project }) => project?.name ?? ""),

  "CRD-REM-02.negative": [replaced("/creditsRemaining", (left) => (left === 0 ? -250 : left)), "CRD-REM-01"],
  "CRD-REM-02.null": [replaced("/creditsRemaining", (left) => (left === 0 ? null : left)), "USG-FLD-01"],
});

function mergeStreams(entries: [string, Value][]): [string, Value][] {
  const rest = entries.filter(([product]) => !product.startsWith("stream"));
  const both = entries.filter(([product]) => product.startsWith("stream"));
  return [...rest, ["stream", both.reduce((total, [, amount]) => total + Number(amount), 0)]];
}
