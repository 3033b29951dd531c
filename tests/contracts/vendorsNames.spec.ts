// A vendor that names its own params in refusals: people are told, and nothing is guessed
import { expect, test } from "@playwright/test";
import { asVendor, type Between, offering, outcomeOf } from "../support/probeSpecs.ts";
import { surveyed } from "../support/scenarios.ts";
import { enveloped } from "../support/vendorsInProcess.ts";

const words = "Invalid params: unknown field `owner`, expected one of `ownerAddress`, `mintAddress`, `limit`";

/** Refuses what has other members, once it knows who calls. */
const strict: Between = (wire) => async (request, signal) => {
  const answer = await wire(request, signal);
  const isServed = Buffer.from(answer.body).includes('"result"');
  const { body = "" } = request;
  const isStrange = body.includes('"getTokenAccounts"') && /"(owner|mint)"/.test(body);
  return isServed && isStrange ? enveloped(request, { error: { code: -32602, message: words } }) : answer;
};

test("what a refusal of params says stands in the reasons of what it masks, and in the breach", async () => {
  const { verdicts, broken } = await outcomeOf({
    only: ["TA-PAR-01", "TA-RES-01", "TA-FLT-02", "RPC-ENV-09"],
    observe: [],
    target: (given) => offering("tokenAccounts")(asVendor({ perSecond: 1_000 })(given)),
    between: strict,
  });
  expect(broken).toEqual(expect.arrayContaining(["TA-PAR-01", "ERR-TA-32602"]));
  const texts = verdicts
    .filter(({ id }) => id !== "ERR-TA-32602")
    .map(({ id, reason, breaches }) => [id, reason ?? breaches[0]?.expected ?? ""] as const);
  expect(texts.filter(([, text]) => !text.includes("`ownerAddress`"))).toEqual([]);
});

test("a first look says it, too", async () => {
  const { features } = await surveyed(
    { offers: ["usage", "tokenAccounts"] },
    {
      answer: (answer, { rpc }) =>
        rpc?.method === "getTokenAccounts"
          ? { ...answer, body: { jsonrpc: "2.0", id: rpc.id, error: { code: -32602, message: words } } }
          : answer,
    },
  );
  expect(features).toEqual([{ feature: "tokenAccounts", is: "offered", outcome: `-32602 ${JSON.stringify(words)}` }]);
});

test("of words that hold the key, the key isn't quoted", async () => {
  const echoing: Between = (wire) => async (request, signal) => {
    const answer = await wire(request, signal);
    const [, key = ""] = /api-key=([^&]*)/.exec(request.url) ?? [];
    const isServed = Buffer.from(answer.body).includes('"result"');
    return isServed ? enveloped(request, { error: { code: -32602, message: `no params of ${key}` } }) : answer;
  };
  const target = (given: Parameters<ReturnType<typeof asVendor>>[0]) => offering("tokenAccounts")(asVendor()(given));
  const { verdicts } = await outcomeOf({ only: ["TA-RES-01"], observe: [], target, between: echoing });
  const reason = verdicts.find(({ id }) => id === "TA-RES-01")?.reason;
  expect(reason).toBe('no answer showed it (answers: -32602 "no params of <key:paid>")');
});
