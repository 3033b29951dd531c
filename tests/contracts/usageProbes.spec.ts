// Probes of the usage endpoint: each sees another choice of the platform, twice alike, and no law judges it a breach.
import { expect, test } from "@playwright/test";
import { answers, header, http, platform, usage, usageAt, usageRefused, usageWith } from "../support/choices.ts";
import { testChoices } from "../support/probeChoices.ts";
import {
  asVendor,
  badGateway,
  type Choice,
  type Choices,
  keysWith,
  lackingOn,
  type Outcome,
  offering,
  outcomeOf,
  overHttps,
  planOf,
  slow,
} from "../support/probeSpecs.ts";

const order = ["key", "address", "limit", "project", "admin", "billing"] as const;
type Step = (typeof order)[number];
/** One step comes earlier than usual. */
const judged = (early: Step, before: Step): Choice =>
  platform({ order: order.flatMap((step) => (step === early ? [] : step === before ? [early, step] : [step])) });
const refusal = (status: number, change: NonNullable<Choice["answer"]>): Choice =>
  answers((answer, call) => (answer.status === status ? change(answer, call) : answer));
const literally = (change: (text: string) => string): Choice =>
  answers((answer, { operation }) =>
    operation && answer.status === 200 && answer.body !== undefined
      ? { ...answer, body: { raw: change(JSON.stringify(answer.body)) } }
      : answer,
  );
const dayAfter = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
const afterRollover_ms = Date.parse("2025-04-15T00:00:00Z");

const choices: Choices = {
  "OBS-HTTP-HEAD: HEAD is refused": http({ head: "refused" }),
  "OBS-HTTP-OPTIONS: any origin may call": http({ otherOrigins: "any" }),
  "OBS-HTTP-METHOD: another method isn't found": refusal(405, (answer) => ({ ...answer, status: 404 })),
  "OBS-HTTP-SLASH: a slash at the end makes no difference": http({ slashAtEnd: "the same path" }),
  "OBS-HTTP-CASE: paths are known in any case": http({ pathCase: "any" }),
  "OBS-HTTP-404: the key is judged before the path": http({ unknownPath: "key first" }),
  "OBS-HTTP-QUERY: unknown parameters are refused": http({ unknownQuery: "refused" }),
  "OBS-HTTP-CHARSET: no charset is named": header("content-type", "application/json"),
  "OBS-HTTP-ACCEPT: Accept is honoured": http({ accept: "honoured" }),
  "OBS-HTTP-GZIP: answers are compressed": http({ compression: "where accepted" }),
  "OBS-HTTP-CACHE: answers have an ETag": http({ etag: "of the body" }),
  "OBS-HTTP-HDRS: answers have a request id": header("x-request-id", "0193"),
  "OBS-HTTP-GETBODY: a GET with a body is refused": http({ bodyOfGet: "refused" }),
  "OBS-HTTP-SIZE: 4 KiB are the longest URL": http({ longestAddress: 4096 }),
  "OBS-HTTP-TLS: plain http is redirected": { ...http({ plainHttp: "redirected" }), target: overHttps },
  "OBS-HTTP-DATE: there is no Date header": header("date", null),
  "OBS-HTTP-LATENCY: usage takes longer": { ...slow(({ operation }) => operation !== null), isSlow: true },
  "OBS-AUTH-CONFLICT: the key in the query wins": http({ bothCarriers: "the query counts" }),
  "OBS-AUTH-BOTH: two keys are refused": http({ bothCarriers: "refused" }),
  "OBS-AUTH-DUP: the last of two keys wins": http({ repeatedKey: "the last counts" }),
  "OBS-AUTH-EMPTYHDR: an empty header is no key": http({ emptyHeader: "no key" }),
  "OBS-AUTH-WS: white space around a key is trimmed": http({ keySpaces: "trimmed" }),
  "OBS-AUTH-QNAME: the parameter is known in any case": http({ queryNameCase: "any" }),
  "OBS-AUTH-BEARER: a bearer token is a key": http({ bearer: "a key" }),
  "OBS-AUTH-KEYFMT: keys have another form": {
    ownTarget: (target) => ({ ...target, keys: keysWith(target, "free", "sk_live_4eC39HqLyjWDarjtT1zdp7dc") }),
  },
  "OBS-AUTH-IP: a blocked address is reported as a bad key": usageRefused(
    "blockedAddress",
    401,
    "Missing or invalid API key",
  ),
  "OBS-AUTH-EXPIRY: a revoked key is 403": usageRefused("revokedKey", 403, "This API key was revoked"),
  "OBS-CRD-EXHAUST: exhausted credits are 402": usageRefused("exhausted", 402, "No credits remain"),
  "OBS-CYC-PLANCHG: a new plan begins a cycle": platform({ planChange: "begins a cycle" }),
  "OBS-PREC-400-403: the admin switch is judged before the project": judged("admin", "project"),
  "OBS-PREC-UUID: the admin switch is judged before the form of the id": judged("admin", "project"),
  "OBS-PREC-500: billing is judged first": judged("billing", "project"),
  "OBS-PREC-401-429: the limit is judged before the key": platform({
    order: ["limitBeforeKey", "key", "address", "project", "admin", "billing"],
  }),
  "OBS-PREC-400-429: the limit is judged after the project": judged("project", "limit"),
  "OBS-PREC-403-429: the limit is judged after the admin switch": judged("admin", "limit"),
  "OBS-USG-NONUUID: an id that is no uuid has its own message": usageRefused(
    "notUuid",
    400,
    "Validation failed (uuid is expected)",
  ),
  "OBS-USG-UUIDCASE: the case of ids counts": platform({ idCase: "exact" }),
  "OBS-USG-EXTRA: there is a further member": usageWith("/subscriptionDetails/seats", () => 3),
  "OBS-USG-ORDER: members come in another order": usage(({ creditsRemaining = null, ...rest }) => ({
    ...rest,
    creditsRemaining,
  })),
  "OBS-USG-PLANS: plans are in capitals": usageAt("/subscriptionDetails/plan", (name) =>
    typeof name === "string" ? name.toUpperCase() : name,
  ),
  "OBS-USG-FREELIMIT: the limit is ten times as high": usageAt(
    "/subscriptionDetails/creditsLimit",
    (limit) => Number(limit) * 10,
  ),
  "OBS-USG-NUMTYPE: numbers are written with a point": literally((text) =>
    text.replace(/"creditsUsed":(\d+)/, '"creditsUsed":$1.0'),
  ),
  "OBS-CYC-END: cycles end a day later": usageAt("/creditCycle/end", (day) =>
    typeof day === "string" ? dayAfter(day) : day,
  ),
  "OBS-CYC-LENGTH: cycles take 30 days": platform({ creditCycle: "rolling 30 days" }),
  "OBS-CYC-SHORT: cycles are calendar months": platform({ creditCycle: "calendar month" }),
  "OBS-CYC-BILL: billing begins a day later": platform({ billingCycle: "shifted by a day" }),
  "OBS-CYC-BILLTZ: billing is annual": platform({ billingCycle: "annual" }),
  "OBS-CYC-ROLL: usage isn't reset": platform({ scopes: { used: "lifetime" } }),
  "OBS-CRD-RESIDUAL: other credits are more than the rest": usageAt(
    "/credits/other",
    (credits) => Number(credits) + 20,
  ),
  "OBS-CRD-TIES: ties are rounded to even": platform({ rounding: { last: "half even" } }),
  "OBS-CRD-TOTALROUND: the total has a fraction": usageAt("/creditsUsed", (used) => Number(used) + 0.25),
  "OBS-CRD-PREROLL: prepaid credits end with the cycle": usageAt("/prepaidCreditsRemaining", (left, _, { now_ms }) =>
    now_ms < afterRollover_ms ? left : 0,
  ),
  "OBS-MET-RATIO: wallet credits are half": usageAt("/credits/walletApi", (credits) => Number(credits) / 2),
  "OBS-MET-SELF: reading usage is usage": http({ usageReads: "counted" }),
  "OBS-ERR-ADM-EXTRA: a 400 has a further member": refusal(400, (answer) => ({
    ...answer,
    body: { ...(answer.body as object), path: "/x" },
  })),
  "OBS-ERR-GATEWAY: a gateway answers instead of a 403": refusal(403, () => badGateway),
  "OBS-VER: there is a version header": header("api-version", "2.0.0"),
};

/** Charges, and the other APIs, have specs of their own. */
const onlyUsage = offering("usage");
const probing = { suite: "probes alone", target: onlyUsage } as const;
const ofCharges = /^OBS-(MET-(?!RATIO|SELF)|CRD-ORDER|USG-FRESH)/;

testChoices({
  name: "the usage endpoint",
  ids: planOf({ target: overHttps })
    .probes.filter(
      ({ unmetNeed: lacks, probe }) => lacks === null && probe.features.includes("usage") && !ofCharges.test(probe.id),
    )
    .map(({ probe }) => probe.id),
  choices,
  target: onlyUsage,
  // The other changes stand for platforms that break requirements, too.
  judged: {
    suite: "probes alone",
    target: onlyUsage,
    observe: () => undefined,
    isJudged: ({ rules }) => rules?.choices !== undefined,
  },
});

test("a probe that can't be run says why", () => {
  expect([...lackingOn((target) => target)].sort()).toEqual([
    "OBS-EVT: webhooks have no interface that could be asked (§6): what they send, and how, isn't seen from here",
    "OBS-HTTP-TLS: every base address is plain http",
    "OBS-VER-DESC: the target gives no address of an OpenAPI document",
  ]);
});

test("two runs on the honest platform observe the same and break nothing", { tag: "@slow" }, async () => {
  const run = () => outcomeOf({ clockFrom: "stepped" });
  const [first, second] = [await run(), await run()];
  const byId = ({ observed }: Outcome) => new Map(observed.map((one) => [one.id, one]));
  expect(byId(second)).toEqual(byId(first));
  expect(first.broken).toEqual([]);
  expect(first.observed.filter(({ state }) => state === "unstable")).toEqual([]);
  expect(first.observed.length).toBeGreaterThan(55);
});

test("passes that differ are unstable, with both values", async () => {
  let reads = 0;
  const choice = answers((answer, { method, path }) =>
    method === "OPTIONS" && path !== "/" ? { ...answer, status: (reads += 1) % 2 ? 404 : 405 } : answer,
  );
  const { observed } = await outcomeOf({ ...probing, observe: ["OBS-HTTP-OPTIONS"], choice });
  expect(observed.map(({ state, values }) => ({ state, passes: values.length }))).toEqual([
    { state: "unstable", passes: 2 },
  ]);
});

test("a platform that answers owner and anonymous alike shows nothing", async () => {
  const { observed } = await outcomeOf({ ...probing, choice: platform({ refusals: { noKey: null } }) });
  expect(observed.filter(({ state }) => state !== "withheld")).toEqual([]);
  expect(observed.find(({ id }) => id === "OBS-HTTP-CASE")?.reason).toContain(
    "owner and unauthorized requests were both served",
  );
});

test("probes without consent aren't run", () => {
  expect(lackingOn((target) => ({ ...target, allow: [], isReference: false }))).toEqual(
    expect.arrayContaining([
      "OBS-PREC-401-429: the target doesn't allow `throttle`",
      "OBS-HTTP-SIZE: sent to the reference only",
    ]),
  );
});

test("only probes that inform a requirement are run with it", () => {
  const { probes } = planOf({ only: ["CYC-BILL-03", "USG-HTTP-01"] });
  expect(probes.map(({ probe }) => probe.id)).toEqual(["OBS-CYC-BILL"]);
});

test("on a vendor the owner's usage is asked for right after a burst of unknown keys", async () => {
  const { exchanges } = await outcomeOf({
    ...{ suite: "probes alone", observe: ["OBS-PREC-401-429"] },
    ...{ target: asVendor(), clockFrom: "stepped" },
  });
  const last = exchanges.at(-1);
  const burst = exchanges.filter(({ sentAt_ms }) => sentAt_ms === last?.sentAt_ms);
  expect(burst).toHaveLength(13);
  expect(burst.filter(({ asker }) => asker?.role === "paid")).toHaveLength(1);
});
