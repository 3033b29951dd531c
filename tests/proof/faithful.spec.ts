// Tests that a platform that chooses differently wherever it may produces no finding
import { expect, test } from "@playwright/test";
import { parse, stringify } from "lossless-json";
import { suite } from "../../contracts/suite.ts";
import { Engine } from "../../harness/engine/engine.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { added, both, replaced, type Variant } from "../../reference/platform/mutant.ts";
import type { RuleChange } from "../../reference/platform/rules.ts";
import { type ResponseMutation, textOf, type WireAnswer } from "../../reference/platform/wire.ts";

test.describe.configure({ mode: "parallel" });

/** What is chosen, and the advisory requirements that the choice does break. */
type Choice = readonly [title: string, chosen: Omit<Variant, "id">, warned?: readonly string[]];

const [message, html] = ["Missing or invalid API key", { "content-type": "text/html" }];

const header =
  (name: string, value: string | null, where: (answer: WireAnswer) => boolean = () => true): ResponseMutation =>
  (answer) => {
    if (!where(answer)) return answer;
    const { [name]: _, ...rest } = answer.headers;
    return { ...answer, headers: value === null ? rest : { ...rest, [name]: value } };
  };
const noHeaders = (...names: readonly string[]): ResponseMutation =>
  names.map((name) => header(name, null)).reduce(both);
const rewritten =
  (change: (text: string) => string): ResponseMutation =>
  (answer) => {
    const text = textOf(answer.body);
    return typeof text === "string" ? { ...answer, body: { raw: change(text) } } : answer;
  };
const undescribed =
  (change: (answer: WireAnswer) => WireAnswer): ResponseMutation =>
  (answer, { operation, path }) =>
    operation === null && path !== "/" && path !== "/control" && !path.startsWith("/v1/wallet/")
      ? change(answer)
      : answer;

/** On two platforms: the choices of each go together. */
const platforms: readonly (readonly Choice[])[] = [
  [
    [
      "further members everywhere",
      {
        answer: both(
          added("/requestId", () => "r-1"),
          added("/subscriptionDetails/seats", () => 3),
        ),
      },
    ],
    [
      "undocumented product keys, of any type",
      {
        answer: [
          added("/credits/agents", () => "many"),
          added("/requests/agents", () => 2.5),
          added("/dataTransfer/quic", () => null),
        ].reduce(both),
      },
    ],
    [
      "further members of refusals",
      {
        answer: (answer) =>
          answer.status < 400
            ? answer
            : { ...answer, body: { ...(answer.body as object), path: "/x", timestamp: "2025-03-05T12:00:00Z" } },
      },
    ],
    ["an invoicing year", { rules: { billingCycle: "annual" } }],
    [
      "a validator's text for an id that is no uuid",
      {
        rules: {
          refusals: { notUuid: { status: 400, message: "Validation failed (uuid is expected)", error: "Bad Request" } },
        },
      },
    ],
    [
      "an edge's page for an IP block",
      {
        answer: (answer) =>
          answer.status === 403 && String(textOf(answer.body)).includes("not allowed from your address")
            ? { ...answer, headers: html, body: { raw: "<html><body>Access denied</body></html>" } }
            : answer,
      },
    ],
    [
      "the admin switch examined before the project",
      { rules: { order: ["key", "address", "limit", "admin", "project", "billing"] } },
    ],
    ["ids whose case counts", { rules: { idCase: "exact" } }, ["EXT-UUID-01"]],
    ["no Retry-After", { rules: { retryAfter: null } }],
    [
      "no word on caching and rates",
      {
        answer: noHeaders(
          "cache-control",
          "x-ratelimit-limit",
          "x-ratelimit-remaining",
          "x-ratelimit-reset",
          "ratelimit-policy",
          "ratelimit",
        ),
      },
    ],
    [
      "numbers as decimals with an exponent",
      { answer: rewritten((text) => text.replace(/:(\d+)0([,}])/g, ":$1.0e1$2")) },
    ],
    [
      "HTML for what the interface doesn't describe",
      { answer: undescribed((answer) => ({ ...answer, headers: html, body: { raw: "<h1>Not found</h1>" } })) },
      ["EXT-HTTP-02"],
    ],
  ],
  [
    ["fractional totals", { rules: { rounding: { totals: "exact" } } }],
    ["an invoicing window one day later", { rules: { billingCycle: "shifted by a day" } }],
    [
      "the same words for an IP block as for any refusal of a key",
      { rules: { refusals: { blockedAddress: { status: 401, message, error: "Unauthorized" } } } },
    ],
    ["Retry-After as a date", { rules: { retryAfter: "Wed, 05 Mar 2025 12:00:01 GMT" } }],
    ["no challenge with a 401", { answer: noHeaders("www-authenticate") }, ["EXT-HTTP-01"]],
    ["no charset", { answer: header("content-type", "application/json") }],
    ["pretty-printed JSON", { answer: rewritten((text) => stringify(parse(text), null, 4) ?? "") }],
    [
      "404 for a wrong method",
      { answer: undescribed((answer) => (answer.status === 405 ? { ...answer, status: 404 } : answer)) },
    ],
  ],
];

async function accused(variant: Variant): Promise<string[]> {
  const verdicts = await new Engine(inProcess(suite, variant)).run();
  expect(verdicts.filter(({ verdict }) => verdict === "inconclusive")).toEqual([]);
  return verdicts.filter(({ verdict }) => verdict === "broken").map(({ id }) => id);
}

for (const choices of platforms) {
  const titles = choices.map(([title]) => title);
  test(`all at once: ${titles.join(", ")}`, async () => {
    const rules = Object.assign({}, ...choices.map(([, one]) => one.rules)) as RuleChange;
    // None takes another's place.
    expect(Object.keys(rules).sort()).toEqual(choices.flatMap(([, one]) => Object.keys(one.rules ?? {})).sort());
    const answer = choices.flatMap(([, one]) => one.answer ?? []).reduce(both);
    const warned = choices.flatMap(([, , ids = []]) => ids);
    expect((await accused({ id: "all at once", rules, answer })).sort()).toEqual(warned.sort());
  });

  for (const [title, chosen, warned = []] of choices)
    test(title, { tag: "@slow" }, async () => expect(await accused({ id: title, ...chosen })).toEqual(warned));
}

test("billingCycle breaks only requirements about itself (CYC-BILL-04)", async () => {
  const long = { start: "1999-01-31", end: "2000-01-30" };
  const answer = replaced("/subscriptionDetails/billingCycle", (cycle) => cycle && long);
  expect(await accused({ id: "an old invoice", answer })).toEqual(["CYC-BILL-05"]);
});
