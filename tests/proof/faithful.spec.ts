// Tests that a platform that chooses differently wherever it may produces no finding
import { expect, test } from "@playwright/test";
import { parse, stringify } from "lossless-json";
import { suite } from "../../contracts/suite.ts";
import { Engine } from "../../harness/engine/engine.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { added, both, replaced } from "../../reference/platform/mutant.ts";
import type { RuleChange } from "../../reference/platform/rules.ts";
import { type ResponseMutation, textOf, type WireAnswer } from "../../reference/platform/wire.ts";

interface Choice {
  readonly title: string;
  readonly rules?: RuleChange;
  readonly answer?: ResponseMutation;
  /** Advisory requirements that the choice does break. */
  readonly warned?: readonly string[];
}

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

const choices: readonly Choice[] = [
  {
    title: "further members everywhere",
    answer: both(
      added("/requestId", () => "r-1"),
      added("/subscriptionDetails/seats", () => 3),
    ),
  },
  {
    title: "undocumented product keys, of any type",
    answer: both(
      added("/credits/agents", () => "many"),
      both(
        added("/requests/agents", () => 2.5),
        added("/dataTransfer/quic", () => null),
      ),
    ),
  },
  {
    title: "further members of refusals",
    answer: (answer) =>
      answer.status < 400
        ? answer
        : { ...answer, body: { ...(answer.body as object), path: "/x", timestamp: "2025-03-05T12:00:00Z" } },
  },
  { title: "fractional totals", rules: { rounding: { totals: "exact" } } },
  { title: "an invoicing year", rules: { billingCycle: "annual" } },
  { title: "an invoicing window one day later", rules: { billingCycle: "shifted by a day" } },
  {
    title: "a validator's text for an id that is no uuid",
    rules: {
      refusals: { notUuid: { status: 400, message: "Validation failed (uuid is expected)", error: "Bad Request" } },
    },
  },
  {
    title: "the same words for an IP block as for any refusal of a key",
    rules: {
      refusals: { blockedAddress: { status: 401, message: "Missing or invalid API key", error: "Unauthorized" } },
    },
  },
  {
    title: "an edge's page for an IP block",
    answer: (answer) =>
      answer.status === 403 && String(textOf(answer.body)).includes("not allowed from your address")
        ? {
            ...answer,
            headers: { "content-type": "text/html" },
            body: { raw: "<html><body>Access denied</body></html>" },
          }
        : answer,
  },
  {
    title: "the admin switch examined before the project",
    rules: { order: ["key", "address", "limit", "admin", "project", "billing"] },
  },
  { title: "ids whose case counts", rules: { idCase: "exact" }, warned: ["EXT-UUID-01"] },
  { title: "no Retry-After", rules: { retryAfter: null } },
  { title: "Retry-After as a date", rules: { retryAfter: "Wed, 05 Mar 2025 12:00:01 GMT" } },
  {
    title: "no word on caching and rates",
    answer: noHeaders(
      "cache-control",
      "x-ratelimit-limit",
      "x-ratelimit-remaining",
      "x-ratelimit-reset",
      "ratelimit-policy",
      "ratelimit",
    ),
  },
  { title: "no challenge with a 401", answer: noHeaders("www-authenticate"), warned: ["EXT-HTTP-01"] },
  { title: "no charset", answer: header("content-type", "application/json") },
  {
    title: "numbers as decimals with an exponent",
    answer: rewritten((text) => text.replace(/:(\d+)0([,}])/g, ":$1.0e1$2")),
  },
  { title: "pretty-printed JSON", answer: rewritten((text) => stringify(parse(text), null, 4) ?? "") },
  {
    title: "HTML for what the interface doesn't describe",
    answer: undescribed((answer) => ({
      ...answer,
      headers: { "content-type": "text/html" },
      body: { raw: "<h1>Not found</h1>" },
    })),
    warned: ["EXT-HTTP-02"],
  },
  {
    title: "404 for a wrong method",
    answer: undescribed((answer) => (answer.status === 405 ? { ...answer, status: 404 } : answer)),
  },
];

async function accused({ title, rules, answer }: Choice): Promise<string[]> {
  const mutant = { id: title, ...(rules ? { rules } : {}), ...(answer ? { answer } : {}) };
  const verdicts = await new Engine(inProcess(suite, mutant)).run();
  expect(verdicts.filter(({ verdict }) => verdict === "inconclusive")).toEqual([]);
  return verdicts.filter(({ verdict }) => verdict === "broken").map(({ id }) => id);
}

for (const choice of choices) {
  test(choice.title, async () => {
    expect(await accused(choice)).toEqual(choice.warned ?? []);
  });
}

test("billingCycle breaks only requirements about itself (CYC-BILL-04)", async () => {
  const long = { start: "1999-01-31", end: "2000-01-30" };
  expect(
    await accused({
      title: "an old invoice",
      answer: replaced("/subscriptionDetails/billingCycle", (cycle) => cycle && long),
    }),
  ).toEqual(["CYC-BILL-05"]);
});
