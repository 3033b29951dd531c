// Does each probe of the usage endpoint see the choice that it looks for, twice alike, and never hold it against the platform?

import { expect, test } from "@playwright/test";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { suite } from "../../contracts/suite.ts";
import { unspecifiedBehaviour } from "../../harness/core/interface.ts";
import { canonical } from "../../harness/core/json.ts";
import { Secret } from "../../harness/core/secret.ts";
import { Engine, type EngineOptions } from "../../harness/engine/engine.ts";
import type { Observed } from "../../harness/model/probe.ts";
import type { Target } from "../../harness/target/target.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { plusDays } from "../../reference/metering/calendar.ts";
import { added, replaced, usageDoc } from "../../reference/platform/mutant.ts";
import type { Choices, RuleChange, Step } from "../../reference/platform/rules.ts";
import type { ResponseMutation, WireAnswer } from "../../reference/platform/wire.ts";
import type { ObservationId } from "../../specs/generated/observations.ts";

interface Change {
  readonly rules?: RuleChange;
  readonly answer?: ResponseMutation;
  /** What the target says otherwise, on both sides of the comparison. */
  readonly target?: (target: Target) => Target;
  /** What only the changed side's target says. */
  readonly changedTarget?: (target: Target) => Target;
}

const chooses = (choices: Partial<Choices>): Change => ({ rules: { choices } });
const ordered = (...order: readonly Step[]): Change => ({ rules: { order } });
const header =
  (name: string, value: string | null, where: (answer: WireAnswer) => boolean = () => true): ResponseMutation =>
  (answer) => {
    const { [name]: _, ...rest } = answer.headers;
    return where(answer) ? { ...answer, headers: value === null ? rest : { ...rest, [name]: value } } : answer;
  };
const refusal = (status: number, change: (answer: WireAnswer) => WireAnswer): Change => ({
  answer: (answer) => (answer.status === status ? change(answer) : answer),
});
const literally = (change: (text: string) => string): Change => ({
  answer: (answer, { operation }) =>
    operation && answer.status === 200 && answer.body !== undefined
      ? { ...answer, body: { raw: change(JSON.stringify(answer.body)) } }
      : answer,
});

/** Longer than the narrowest band of latencies. */
const slow_ms = 320;
const slowly: ResponseMutation = (answer, { operation }) => {
  for (const until_ms = performance.now() + slow_ms; operation && performance.now() < until_ms; );
  return answer;
};
const overHttps = (target: Target): Target => ({
  ...target,
  bases: { admin: "https://reference.assay.example", rpc: "https://reference.assay.example" },
});
const withOtherKeys = (target: Target): Target => ({
  ...target,
  keys: new Map(
    [...target.keys].map(([role, key]) => [
      role,
      role === "free" ? { ...key, secret: new Secret("free", "sk_live_4eC39HqLyjWDarjtT1zdp7dc") } : key,
    ]),
  ),
});
const afterRollover_ms = Date.parse("2025-04-15T00:00:00Z");

/** By open point: another choice than the honest platform's. What is chosen at the JSON-RPC address has tests of its own. */
const changes: { readonly [Id in ObservationId]?: Change } = {
  "OBS-HTTP-HEAD": chooses({ head: "refused" }),
  "OBS-HTTP-OPTIONS": chooses({ otherOrigins: "any" }),
  "OBS-HTTP-METHOD": refusal(405, (answer) => ({ ...answer, status: 404 })),
  "OBS-HTTP-SLASH": chooses({ slashAtEnd: "the same path" }),
  "OBS-HTTP-CASE": chooses({ pathCase: "any" }),
  "OBS-HTTP-404": chooses({ unknownPath: "key first" }),
  "OBS-HTTP-QUERY": chooses({ unknownQuery: "refused" }),
  "OBS-HTTP-CHARSET": { answer: header("content-type", "application/json") },
  "OBS-HTTP-ACCEPT": chooses({ accept: "honoured" }),
  "OBS-HTTP-GZIP": chooses({ compression: "where accepted" }),
  "OBS-HTTP-CACHE": chooses({ etag: "of the body" }),
  "OBS-HTTP-HDRS": { answer: header("x-request-id", "0193") },
  "OBS-HTTP-GETBODY": chooses({ bodyOfGet: "refused" }),
  "OBS-HTTP-SIZE": chooses({ longestAddress: 4096 }),
  "OBS-HTTP-TLS": { ...chooses({ plainHttp: "redirected" }), target: overHttps },
  "OBS-HTTP-DATE": { answer: header("date", null) },
  "OBS-HTTP-LATENCY": { answer: slowly },

  "OBS-AUTH-CONFLICT": chooses({ bothCarriers: "the query counts" }),
  "OBS-AUTH-BOTH": chooses({ bothCarriers: "refused" }),
  "OBS-AUTH-DUP": chooses({ repeatedKey: "the last counts" }),
  "OBS-AUTH-EMPTYHDR": chooses({ emptyHeader: "no key" }),
  "OBS-AUTH-WS": chooses({ keySpaces: "trimmed" }),
  "OBS-AUTH-QNAME": chooses({ queryNameCase: "any" }),
  "OBS-AUTH-BEARER": chooses({ bearer: "a key" }),
  "OBS-AUTH-KEYFMT": { changedTarget: withOtherKeys },
  "OBS-AUTH-IP": {
    rules: {
      refusals: { blockedAddress: { status: 401, message: "Missing or invalid API key", error: "Unauthorized" } },
    },
  },

  "OBS-AUTH-EXPIRY": {
    rules: { refusals: { revokedKey: { status: 403, message: "This API key was revoked", error: "Forbidden" } } },
  },
  "OBS-CRD-EXHAUST": {
    rules: { refusals: { exhausted: { status: 402, message: "No credits remain", error: "Payment Required" } } },
  },
  "OBS-CYC-PLANCHG": { rules: { planChange: "begins a cycle" } },

  "OBS-PREC-400-403": ordered("key", "address", "limit", "admin", "project", "billing"),
  "OBS-PREC-UUID": ordered("key", "address", "limit", "admin", "project", "billing"),
  "OBS-PREC-500": ordered("key", "address", "limit", "billing", "project", "admin"),
  "OBS-PREC-401-429": ordered("limitBeforeKey", "key", "address", "project", "admin", "billing"),
  "OBS-PREC-400-429": ordered("key", "address", "project", "limit", "admin", "billing"),
  "OBS-PREC-403-429": ordered("key", "address", "admin", "limit", "project", "billing"),

  "OBS-USG-NONUUID": {
    rules: {
      refusals: { notUuid: { status: 400, message: "Validation failed (uuid is expected)", error: "Bad Request" } },
    },
  },
  "OBS-USG-UUIDCASE": { rules: { idCase: "exact" } },
  "OBS-USG-EXTRA": { answer: added("/subscriptionDetails/seats", () => 3) },
  "OBS-USG-ORDER": { answer: usageDoc(({ creditsRemaining = null, ...rest }) => ({ ...rest, creditsRemaining })) },
  "OBS-USG-PLANS": {
    answer: replaced("/subscriptionDetails/plan", (name) => (typeof name === "string" ? name.toUpperCase() : name)),
  },
  "OBS-USG-FREELIMIT": { answer: replaced("/subscriptionDetails/creditsLimit", (limit) => Number(limit) * 10) },
  "OBS-USG-NUMTYPE": literally((text) => text.replace(/"creditsUsed":(\d+)/, '"creditsUsed":$1.0')),

  "OBS-CYC-END": { answer: replaced("/creditCycle/end", (day) => (typeof day === "string" ? plusDays(day, 1) : day)) },
  "OBS-CYC-LENGTH": { rules: { creditCycle: "rolling 30 days" } },
  "OBS-CYC-SHORT": { rules: { creditCycle: "calendar month" } },
  "OBS-CYC-BILL": { rules: { billingCycle: "shifted by a day" } },
  "OBS-CYC-BILLTZ": { rules: { billingCycle: "annual" } },
  "OBS-CYC-ROLL": { rules: { scopes: { used: "lifetime" } } },

  "OBS-CRD-RESIDUAL": { answer: replaced("/credits/other", (credits) => Number(credits) + 20) },
  "OBS-CRD-TIES": { rules: { rounding: { last: "half even" } } },
  "OBS-CRD-TOTALROUND": { answer: replaced("/creditsUsed", (used) => Number(used) + 0.25) },
  "OBS-CRD-PREROLL": {
    answer: replaced("/prepaidCreditsRemaining", (left, _, { now_ms }) => (now_ms < afterRollover_ms ? left : 0)),
  },
  "OBS-MET-RATIO": { answer: replaced("/credits/walletApi", (credits) => Number(credits) / 2) },
  "OBS-MET-SELF": chooses({ usageReads: "counted" }),

  "OBS-ERR-ADM-EXTRA": refusal(400, (answer) => ({ ...answer, body: { ...(answer.body as object), path: "/x" } })),
  "OBS-ERR-GATEWAY": refusal(403, (answer) => ({
    ...answer,
    status: 502,
    headers: { "content-type": "text/html" },
    body: { raw: "<html><h1>Bad Gateway</h1></html>" },
  })),
  "OBS-VER": { answer: header("api-version", "2.0.0") },
};

/** Probes alone: no check has asked anything before. */
const alone = { ...suite, checks: [] };

async function looked(
  options: EngineOptions,
): Promise<{ readonly observed: readonly Observed[]; readonly broken: readonly string[] }> {
  const observed: Observed[] = [];
  const onEvent: EngineOptions["onEvent"] = (event) => {
    if (event.event === "observation") observed.push(event.observation);
  };
  const verdicts = await new Engine({ ...options, onEvent }).run();
  return { observed, broken: verdicts.filter(({ verdict }) => verdict === "broken").map(({ id }) => id) };
}

const same = (target: Target): Target => target;
/** Of the other surfaces the tests beside this one tell. */
const usageOf = (target: Target): Target => ({ ...target, offers: ["usage"] });
const honestly = ({ target = same }: Change): EngineOptions => {
  const options = inProcess(alone);
  return { ...options, target: target(usageOf(options.target)) };
};
const otherwise = (id: string, { rules, answer, target = same, changedTarget = same }: Change): EngineOptions => {
  const options = inProcess(alone, { id, ...(rules ? { rules } : {}), ...(answer ? { answer } : {}) });
  return { ...options, target: changedTarget(target(usageOf(options.target))) };
};

for (const [id, change] of Object.entries(changes) as [ObservationId, Change][]) {
  test(`${id} sees another choice: ${unspecifiedBehaviour(dataPlatform, id).question}`, async () => {
    const honest = await looked({ ...honestly(change), observe: [id] });
    const other = await looked({ ...otherwise(id, change), observe: [id] });
    expect([...honest.observed, ...other.observed].map(({ state, reason }) => ({ state, reason }))).toEqual(
      [1, 2].map(() => ({ state: "stable", reason: null })),
    );
    const summary = ({ observed }: typeof honest): string =>
      canonical(observed.flatMap(({ values }) => values.map((reading) => reading.summary)));
    expect(summary(other)).not.toBe(summary(honest));
  });
}

for (const [id, change] of Object.entries(changes).filter(([, { rules }]) => rules?.choices)) {
  test(`no look at ${id} is held against the platform that chose otherwise`, async () => {
    const { broken, observed } = await looked(otherwise(id, change));
    expect(broken).toEqual([]);
    expect(observed.filter(({ reason }) => reason?.startsWith("the probe itself"))).toEqual([]);
  });
}

test("every probe that can be tried has a choice that it sees", () => {
  const { probes } = new Engine({ ...inProcess(alone), target: overHttps(inProcess(alone).target) }).plan;
  // Charges have tests of their own, beside this file.
  const isOfCharges = (id: ObservationId): boolean => /^OBS-(MET-(?!RATIO|SELF)|CRD-ORDER|USG-FRESH)/.test(id);
  const tried = probes
    .filter(({ lacks, probe }) => lacks === null && probe.features.includes("usage") && !isOfCharges(probe.id))
    .map(({ probe }) => probe.id);
  expect(Object.keys(changes).sort()).toEqual([...tried].sort());
});

test("what can't be tried says why", () => {
  const { probes } = new Engine(inProcess(alone)).plan;
  const lacking = probes.filter(({ lacks }) => lacks !== null).map(({ probe, lacks }) => `${probe.id}: ${lacks}`);
  expect(lacking.sort()).toEqual([
    "OBS-EVT: webhooks have no interface that could be asked (§6): what they send, and how, isn't seen from here",
    "OBS-HTTP-TLS: every base is plain http itself",
    "OBS-VER-DESC: the target names no address of a description",
  ]);
});

test("two runs at the honest platform see the same, and break nothing", async () => {
  const [first, second] = [await looked(inProcess(suite)), await looked(inProcess(suite))];
  expect(second.observed).toEqual(first.observed);
  expect(first.broken).toEqual([]);
  expect(first.observed.filter(({ state }) => state === "unstable")).toEqual([]);
  expect(first.observed.length).toBeGreaterThan(55);
});

test("two looks that differ are kept, both of them", async () => {
  let reads = 0;
  const fickle: ResponseMutation = (answer, { method, path }) =>
    method === "OPTIONS" && path !== "/" ? { ...answer, status: (reads += 1) % 2 ? 404 : 405 } : answer;
  const { observed } = await looked({ ...otherwise("fickle", { answer: fickle }), observe: ["OBS-HTTP-OPTIONS"] });
  expect(observed.map(({ state, values }) => ({ state, looks: values.length }))).toEqual([
    { state: "unstable", looks: 2 },
  ]);
});

test("a platform that tells nobody apart shows nothing", async () => {
  const { observed } = await looked(otherwise("open", { rules: { refusals: { noKey: null } } }));
  expect(observed.filter(({ state }) => state !== "withheld")).toEqual([]);
  expect(observed.find(({ id }) => id === "OBS-HTTP-CASE")?.reason).toContain("owner and unauthorized requests were both served");
});

test("what isn't consented to isn't tried", () => {
  const options = inProcess(alone);
  const { probes } = new Engine({ ...options, target: { ...options.target, allow: [], isReference: false } }).plan;
  const reasons = new Map(probes.map(({ probe, lacks }) => [probe.id, lacks]));
  expect(reasons.get("OBS-PREC-401-429")).toBe("the target doesn't allow `throttle`");
  expect(reasons.get("OBS-HTTP-SIZE")).toBe("asked of the reference only");
});

test("only what informs a requirement is looked at beside it", () => {
  const { probes } = new Engine({ ...inProcess(suite), only: ["CYC-BILL-03", "USG-HTTP-01"] }).plan;
  expect(probes.map(({ probe }) => probe.id)).toEqual(["OBS-CYC-BILL"]);
});
