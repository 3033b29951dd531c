// Mutants of the usage document (§2.1)
import { added, both, getAt, mutant, onPlan, renamed, replaced, usageDoc, without } from "../platform/mutant.ts";
import type { ResponseMutation, Value } from "../platform/wire.ts";

const asText = (pointer: string) => replaced(pointer, (honest) => String(honest));
const timestamp = (pointer: string) => replaced(pointer, (day) => `${String(day)}T00:00:00Z`);
const unpadded = (day: Value) => String(day).replaceAll("-0", "-");
const withoutWhen = (pointer: string, value: Value): ResponseMutation =>
  usageDocWhere((found) => found === value, pointer);

/** The member is left out where its honest value satisfies a condition. */
function usageDocWhere(condition: (honest: Value | undefined) => boolean, pointer: string): ResponseMutation {
  const leaveOut = without(pointer);
  return (answer, call) => (isDocWith(answer.body, pointer, condition) ? leaveOut(answer, call) : answer);
}

const isDocWith = (body: unknown, pointer: string, condition: (honest: Value | undefined) => boolean): boolean =>
  typeof body === "object" && body !== null && condition(getAt(body as { [member: string]: Value }, pointer));

const inEvery = (
  member: "credits" | "requests" | "dataTransfer",
  change: (entries: [string, Value][]) => [string, Value][],
): ResponseMutation =>
  replaced(`/${member}`, (honest) =>
    Object.fromEntries(change(Object.entries(honest as { [product: string]: Value }))),
  );

const nonZero = (entries: [string, Value][]) => entries.filter(([, value]) => value !== 0);

export const mutants = [
  mutant(
    "USG-HTTP-01.status-206",
    { answer: (answer, { operation }) => (operation && answer.status === 200 ? { ...answer, status: 206 } : answer) },
    "USG-HTTP-03",
  ),
  mutant("USG-HTTP-01.wrapped", { answer: usageDoc((doc) => ({ data: doc })) }, "USG-FLD-", "CYC-PRES-01"),
  mutant("USG-HTTP-01.array", { answer: usageDoc((doc) => [doc]) }),
  mutant(
    "USG-HTTP-02.body-required",
    {
      answer: (answer, { operation }) =>
        operation && answer.status === 200
          ? {
              ...answer,
              status: 400,
              body: { statusCode: 400, message: "Unexpected end of JSON input", error: "Bad Request" },
            }
          : answer,
    },
    "USG-HTTP-01",
    "ERR-ADM-400-01",
  ),
  mutant(
    "USG-HTTP-02.ctype-required",
    {
      answer: (answer, { operation }) =>
        operation && answer.status === 200
          ? {
              ...answer,
              status: 415,
              body: { statusCode: 415, message: "Unsupported Media Type", error: "Unsupported Media Type" },
            }
          : answer,
    },
    "USG-HTTP-01",
    "USG-HTTP-03",
  ),
  mutant(
    "USG-HTTP-03.uses-404",
    { rules: { refusals: { unknownProject: { status: 404, message: "Project not found", error: "Not Found" } } } },
    "AUTH-ADM-OWN-02",
  ),
  mutant(
    "USG-HTTP-03.uses-422",
    {
      rules: {
        refusals: {
          notUuid: { status: 422, message: "Validation failed (uuid is expected)", error: "Unprocessable Entity" },
        },
      },
    },
    "AUTH-ADM-OWN-03",
  ),
  mutant(
    "USG-HTTP-03.uses-503",
    {
      rules: { refusals: { unbilled: { status: 503, message: "Service Unavailable", error: "Service Unavailable" } } },
    },
    "ERR-ADM-500-02",
  ),

  mutant("USG-FLD-01.absent", { answer: without("/creditsRemaining") }),
  mutant("USG-FLD-01.string", { answer: asText("/creditsRemaining") }),
  mutant(
    "USG-FLD-01.null-when-zero",
    { answer: replaced("/creditsRemaining", (left) => (left === 0 ? null : left)) },
    "CRD-REM-02",
  ),
  mutant("USG-FLD-02.absent", { answer: withoutWhen("/creditsUsed", 0) }),
  mutant("USG-FLD-02.string", { answer: asText("/creditsUsed") }),
  mutant("USG-FLD-02.renamed", { answer: renamed("/creditsUsed", "credits_used") }),
  mutant("USG-FLD-03.absent-when-none", { answer: withoutWhen("/prepaidCreditsRemaining", 0) }),
  mutant("USG-FLD-03.null", { answer: replaced("/prepaidCreditsRemaining", (left) => (left === 0 ? null : left)) }),
  mutant("USG-FLD-04.absent-when-zero", { answer: withoutWhen("/prepaidCreditsUsed", 0) }),
  mutant("USG-FLD-04.object", { answer: replaced("/prepaidCreditsUsed", (amount) => ({ amount, unit: "credits" })) }),
  mutant(
    "USG-FLD-05.string",
    {
      answer: replaced(
        "/creditCycle",
        (_, doc) => `${String(getAt(doc, "/creditCycle/start"))}/${String(getAt(doc, "/creditCycle/end"))}`,
      ),
    },
    "CYC-PRES-01",
  ),
  mutant("USG-FLD-05.end-missing", { answer: without("/creditCycle/end") }, "USG-FLD-07"),
  mutant("USG-FLD-06.timestamp", { answer: timestamp("/creditCycle/start") }, "CYC-DATE-01"),
  mutant("USG-FLD-06.epoch", { answer: replaced("/creditCycle/start", (day) => Date.parse(String(day))) }),
  mutant("USG-FLD-06.unpadded", { answer: replaced("/creditCycle/start", unpadded) }, "CYC-DATE-01"),
  mutant("USG-FLD-07.timestamp", { answer: timestamp("/creditCycle/end") }, "CYC-DATE-01"),
  mutant(
    "USG-FLD-07.slashes",
    { answer: replaced("/creditCycle/end", (day) => String(day).replaceAll("-", "/")) },
    "CYC-DATE-01",
  ),
  mutant("USG-FLD-07.null-open", { answer: replaced("/creditCycle/end", () => null) }),
  mutant("USG-FLD-08.absent-free", { answer: onPlan("free", without("/subscriptionDetails")) }),
  mutant("USG-FLD-08.flattened", {
    answer: usageDoc(({ subscriptionDetails, ...rest }) => ({
      ...rest,
      ...(subscriptionDetails as { [member: string]: Value }),
    })),
  }),
  mutant(
    "USG-FLD-09.absent",
    { answer: usageDocWhere((cycle) => cycle === null, "/subscriptionDetails/billingCycle") },
    "CYC-BILL-01",
  ),
  mutant(
    "USG-FLD-09.empty-string",
    { answer: replaced("/subscriptionDetails/billingCycle", (cycle) => cycle ?? "") },
    "CYC-BILL-01",
  ),
  mutant(
    "USG-FLD-09.false",
    { answer: replaced("/subscriptionDetails/billingCycle", (cycle) => cycle ?? false) },
    "CYC-BILL-01",
  ),
  mutant("USG-FLD-10.timestamp", { answer: timestamp("/subscriptionDetails/billingCycle/start") }, "CYC-DATE-01"),
  mutant("USG-FLD-10.absent", { answer: without("/subscriptionDetails/billingCycle/start") }),
  mutant("USG-FLD-11.timestamp", { answer: timestamp("/subscriptionDetails/billingCycle/end") }, "CYC-DATE-01"),
  mutant("USG-FLD-11.absent", { answer: without("/subscriptionDetails/billingCycle/end") }),
  mutant("USG-FLD-12.string", { answer: asText("/subscriptionDetails/creditsLimit") }),
  mutant("USG-FLD-12.null-unlimited", {
    answer: replaced("/subscriptionDetails/creditsLimit", (limit) => (limit === 1_000_000 ? null : limit)),
  }),
  mutant("USG-FLD-12.absent-free", { answer: onPlan("free", without("/subscriptionDetails/creditsLimit")) }),
  mutant("USG-FLD-13.object", { answer: replaced("/subscriptionDetails/plan", (name) => ({ name })) }),
  mutant("USG-FLD-13.numeric-id", { answer: replaced("/subscriptionDetails/plan", () => 3) }),
  mutant("USG-FLD-13.null-free", {
    answer: onPlan(
      "free",
      replaced("/subscriptionDetails/plan", () => null),
    ),
  }),
  mutant("USG-FLD-14.array", {
    answer: replaced("/credits", (credits) =>
      Object.entries(credits as object).map(([product, amount]) => ({ product, credits: amount as Value })),
    ),
  }),
  mutant("USG-FLD-14.absent-when-idle", {
    answer: usageDoc((doc) => (doc["creditsUsed"] === 0 ? withoutMember(doc, "credits") : doc)),
  }),
  mutant("USG-FLD-15.number", { answer: replaced("/requests", () => 111_122) }),
  mutant("USG-FLD-15.absent-when-idle", {
    answer: usageDoc((doc) => (doc["creditsUsed"] === 0 ? withoutMember(doc, "requests") : doc)),
  }),
  mutant("USG-FLD-16.absent-without-streams", {
    answer: usageDoc((doc) =>
      getAt(doc, "/dataTransfer/streamGrpc") === 0 ? withoutMember(doc, "dataTransfer") : doc,
    ),
  }),
  mutant("USG-FLD-16.number", { answer: replaced("/dataTransfer", () => 370_008_000) }),

  mutant("USG-KEYS-01.omit-zero", { answer: inEvery("credits", nonZero) }, "USG-KEYS-05", "USG-KEYS-07"),
  mutant(
    "USG-KEYS-01.snake-case",
    { answer: renamed("/credits/streamGrpc", "stream_grpc") },
    "USG-KEYS-05",
    "USG-KEYS-07",
  ),
  mutant("USG-KEYS-01.other-missing", { answer: without("/credits/other") }, "USG-KEYS-07"),
  mutant("USG-KEYS-01.string-values", {
    answer: inEvery("credits", (entries) => entries.map(([product, amount]) => [product, String(amount)])),
  }),
  mutant("USG-KEYS-02.omit-zero", { answer: inEvery("requests", nonZero) }),
  mutant("USG-KEYS-02.no-webhooks", { answer: without("/requests/webhooks") }),
  mutant("USG-KEYS-02.archival-renamed", { answer: renamed("/requests/archival", "archive") }),
  mutant("USG-KEYS-03.ws-missing", { answer: without("/dataTransfer/streamWebsocket") }, "USG-KEYS-05"),
  mutant("USG-KEYS-03.nested", {
    answer: inEvery("dataTransfer", (entries) => entries.map(([stream, bytes]) => [stream, { bytes }])),
  }),
  mutant("USG-KEYS-04.streams-in-requests", { answer: added("/requests/streamGrpc", () => 17) }),
  mutant("USG-KEYS-04.zero-streams-in-requests", {
    answer: both(
      added("/requests/streamGrpc", () => 0),
      added("/requests/streamWebsocket", () => 0),
    ),
  }),
  mutant("USG-KEYS-05.credits-no-grpc", { answer: without("/credits/streamGrpc") }, "USG-KEYS-01", "USG-KEYS-07"),
  mutant("USG-KEYS-05.transfer-no-grpc", { answer: without("/dataTransfer/streamGrpc") }, "USG-KEYS-03"),
  mutant(
    "USG-KEYS-05.merged-stream",
    { answer: both(inEvery("credits", mergeStreams), inEvery("dataTransfer", mergeStreams)) },
    "USG-KEYS-01",
    "USG-KEYS-03",
  ),
  mutant("USG-KEYS-06.rpc-bytes", { answer: added("/dataTransfer/rpc", () => 123_456) }),
  mutant("USG-KEYS-06.webhooks-bytes", { answer: added("/dataTransfer/webhooks", () => 98_765) }),
  mutant("USG-KEYS-07.requests-only-product", { answer: without("/credits/compression") }, "USG-KEYS-01"),

  mutant(
    "USG-INT-01.one-decimal",
    { answer: inEvery("credits", (entries) => entries.map(([product, amount]) => [product, Number(amount) + 0.5])) },
    "CRD-",
  ),
  mutant(
    "USG-INT-01.float-noise",
    { answer: replaced("/credits/walletApi", () => 300.00000000000006) },
    "CRD-SUM-01",
    "CRD-ROUND-02",
  ),
  mutant("USG-INT-02.sampled", { answer: replaced("/requests/rpc", (count) => Number(count) + 0.25) }, "CRD-SCOPE-02"),
  mutant(
    "USG-INT-02.negative-correction",
    { answer: replaced("/requests/webhooks", () => -3) },
    "CRD-SCOPE-02",
    "MET-HOOK-01",
  ),
  mutant(
    "USG-INT-03.mebibytes",
    {
      answer: inEvery("dataTransfer", (entries) =>
        entries.map(([stream, bytes]) => [stream, Number(bytes) / 1_048_576]),
      ),
    },
    "CRD-SCOPE-02",
    "MET-BYTE-01",
  ),
  mutant(
    "USG-INT-03.negative",
    { answer: replaced("/dataTransfer/streamGrpc", () => -1_794_967_296) },
    "CRD-SCOPE-02",
    "MET-BYTE-",
  ),
  mutant("USG-NNEG-01.other-as-plug", { answer: replaced("/credits/other", () => -4) }, "CRD-SUM-01", "CRD-ROUND-02"),
  mutant(
    "USG-NNEG-01.prepaid-negative",
    { answer: replaced("/prepaidCreditsRemaining", () => -250) },
    "CRD-USE-02",
    "CRD-PRE-01",
  ),

  mutant("USG-PLAN-01.always-default", { answer: replaced("/subscriptionDetails/plan", () => "free") }),
  mutant("USG-PLAN-01.previous-plan", {
    answer: onPlan(
      "paid",
      replaced("/subscriptionDetails/plan", () => "starter"),
    ),
  }),
  mutant("USG-PLAN-01.project-name", {
    answer: replaced("/subscriptionDetails/plan", (_, __, { project }) => project?.name ?? ""),
  }),

  mutant(
    "CRD-REM-02.negative",
    { answer: replaced("/creditsRemaining", (left) => (left === 0 ? -250 : left)) },
    "CRD-REM-01",
  ),
  mutant(
    "CRD-REM-02.null",
    { answer: replaced("/creditsRemaining", (left) => (left === 0 ? null : left)) },
    "USG-FLD-01",
  ),
];

function mergeStreams(entries: [string, Value][]): [string, Value][] {
  const rest = entries.filter(([product]) => !product.startsWith("stream"));
  const both = entries.filter(([product]) => product.startsWith("stream"));
  return [...rest, ["stream", both.reduce((total, [, amount]) => total + Number(amount), 0)]];
}

function withoutMember(doc: { [member: string]: Value }, member: string): { [member: string]: Value } {
  const { [member]: _, ...rest } = doc;
  return rest;
}
