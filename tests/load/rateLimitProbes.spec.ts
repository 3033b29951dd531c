// Probes of limits over time: each sees the choices of a platform
import { expect, test } from "@playwright/test";
import { http, platform } from "../support/choices.ts";
import { testChoices } from "../support/probeChoices.ts";
import { asVendor, type Choices, idsLike, outcomeOf, summaryOf, type Trial, valueOf } from "../support/probeSpecs.ts";

const choices: Choices = {
  "OBS-RATE-ALGO: the limiter is a bucket": http({ limiter: "bucket" }),
  "OBS-RATE-ALGO: windows are at set times": http({ limiter: "windows at set times" }),
  "OBS-RATE-REFUSEDCOUNT: refused requests count": http({ limiter: "sliding log of all that comes" }),
  "OBS-RATE-RECOVERY: nothing is served for 1.3 s beyond the limit": platform({ limits: { admin: { ban_ms: 1_300 } } }),
  "OBS-RATE-SCOPE: each key has its own limit": platform({ limits: { admin: { per: "key" } } }),
  "OBS-RATE-SCOPE: each address has its own limit": platform({ limits: { admin: { per: "address" } } }),
  "OBS-RATE-OTHERROUTES: HEAD isn't served": http({ head: "refused" }),
  "OBS-RATE-CROSS: JSON-RPC calls count too": http({ usageBudget: "JSON-RPC calls too" }),
  "OBS-RATE-RA: there is no Retry-After": platform({ retryAfter: null }),
  "OBS-RATE-RA: Retry-After is a date": platform({ retryAfter: "Wed, 05 Mar 2025 12:00:01 GMT" }),
  "OBS-RATE-HDR: no headers are about rates": {
    answer: (answer) => ({
      ...answer,
      headers: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !name.includes("ratelimit"))),
    }),
  },
  "OBS-RATE-FAMILY: refusals are HTTP 429": platform({ rpc: { errorStatus: "by cause" } }),
  "OBS-RATE-QUOTA: refusals are HTTP 429": platform({ rpc: { errorStatus: "by cause" } }),
  "OBS-RATE-GEN: eight per second is the limit": platform({
    general: { paid: { perSecond: 8, burst: 8 }, free: { perSecond: 8, burst: 8 } },
  }),
  "OBS-RATE-WAL: some wallet requests are refused": {
    answer: (answer, { path }) =>
      path.startsWith("/v1/wallet/") && answer.status === 403
        ? { status: 429, headers: { "content-type": "application/json" }, body: { message: "slow down" } }
        : answer,
  },
};

/** Checks that cause refusals for rates, and a few wallet requests. */
const limited = ["ERR-CMP-32005", "ERR-TA-32029", "ERR-ADM-429-01"];
const trial = {
  suite: "contracts and limits",
  checks: ({ shows, ids }) => [...ids, ...shows].some((id) => limited.includes(id)) || ids[0] === "WAL-FREE-01",
  target: (target) => ({ ...target, allow: [...target.allow, "load"] }),
  hasSchedules: true,
} satisfies Trial;
const ids = idsLike(/^OBS-RATE-(?!SB-REFUSAL)/);

testChoices({ name: "rate limits", ids, choices, unseen: ["OBS-RATE-WAL"], ...trial });

test("the honest platform shows the same in both passes, and its documented limits", async () => {
  const outcome = await outcomeOf({ ...trial, observe: ids });
  const { observed, broken } = outcome;
  expect(broken).toEqual([]);
  expect(
    Object.fromEntries(observed.filter(({ state }) => state !== "stable").map(({ id, reason }) => [id, reason])),
  ).toEqual({ "OBS-RATE-WAL": "no wallet request was refused for its rate" });
  expect(valueOf(outcome, "OBS-RATE-ALGO")).toEqual({
    "the limit": "5 in 1 s",
    "served at once after a rest": 5,
    "the window": "slides",
  });
  expect(valueOf(outcome, "OBS-RATE-SCOPE")).toEqual({
    "two keys of one project": "shared",
    "two projects": "each its own",
  });
  expect(valueOf(outcome, "OBS-RATE-RECOVERY")).toEqual({
    "0.3 s after a burst": "refused",
    "0.6 s after a burst": "refused",
    "0.9 s after a burst": "refused",
    "1.1 s after a burst": "served",
    "1.5 s after a burst": "served",
    "2.1 s after a burst": "served",
  });
});

test("without control experiments run one after the other and show the same", async () => {
  const observe = ["OBS-RATE-RECOVERY", "OBS-RATE-OTHERROUTES", "OBS-RATE-CROSS", "OBS-RATE-SCOPE"] as const;
  const [honest, vendor] = [
    await outcomeOf({ ...trial, observe }),
    await outcomeOf({ ...trial, observe, target: (target) => asVendor()(trial.target(target)) }),
  ];
  expect(summaryOf(vendor)).toEqual(summaryOf(honest));
});

test("two callers share a limit, or have one each, or none is seen", async () => {
  const scopesAt = async (rules: Parameters<typeof platform>[0]) =>
    valueOf(await outcomeOf({ ...trial, observe: ["OBS-RATE-SCOPE"], choice: platform(rules) }), "OBS-RATE-SCOPE");
  const of = (keys: string, projects: string) => ({ "two keys of one project": keys, "two projects": projects });
  expect(await scopesAt({ limits: { admin: { per: "key" } } })).toEqual(of("each its own", "each its own"));
  expect(await scopesAt({ limits: { admin: { per: "platform", most: 7 } } })).toEqual(of("shared", "shared"));
  expect(await scopesAt({ limits: { admin: { per: "platform", most: 50 } } })).toEqual(
    of("nothing refused", "nothing refused"),
  );
});
