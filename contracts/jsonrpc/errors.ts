// Is every documented refusal of JSON-RPC calls drawn by its cause, with its code and words? (§5, §7.2)

import { broken, held } from "../../harness/core/finding.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import { given } from "../../harness/core/template.ts";
import { type Check, check, type Oracle, type Shown, scenario } from "../../harness/model/check.ts";
import { isServed, rpcErrorOf } from "../../harness/transport/answers.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { type Cause, isRefusedBeside, refusedFor, rowOf, saysRow, servedLike } from "../shared/jsonRpcOracles.ts";
import { balance, health, owner, proofs, tokenAccounts } from "../shared/jsonRpcRequests.ts";
import { usage } from "../shared/stimuli.ts";
import { type BaselineRequest, baselineRequests, type Tabled, tabledRequests } from "./baselineRequests.ts";

const setOf = { tokenAccounts: "ERR-TA-SET-01", compression: "ERR-CMP-SET-01" } as const satisfies {
  [F in Tabled["errorTable"]]: RequirementId;
};
const wordsOf = (errorTable: Tabled["errorTable"], cause: Cause): RequirementId => rowOf(errorTable, cause).requirement;

const malformed = ["", "   ", "not a key", "ключ-密钥", "k".repeat(300)];

/** Without a good key nothing is served, and every method says so with -32001. */
function keyChecks({ method, feature, errorTable, ask }: Tabled): readonly Check[] {
  const good = ask();
  const [anonymous, unknownKey] = [ask({ as: "anonymous", id: 17 }), ask({ as: "unknownKey", id: 18 })];
  const isKeyRefusal = refusedFor(errorTable, "key", good);
  return [
    check("AUTH-ALL-01", anonymous, isRefusedBeside(good), { feature, twin: good }),
    check("AUTH-RPC-MISS-01", anonymous, isKeyRefusal, {
      feature,
      twin: good,
      shows: ["RPC-ENV-05", "RPC-ENV-06", "RPC-ENV-07"],
    }),
    check("AUTH-RPC-UNKN-01", unknownKey, isKeyRefusal, { feature, twin: good, shows: ["RPC-ENV-07"] }),
    check("RPC-ENV-07", ask({ as: "anonymous", id: `${method} without a key` }), undefined, { feature }),
    check("AUTH-RPC-UNKN-01", { ...good, carriers: [{ in: "query", key: { nearKeyOf: "owner" } }] }, isKeyRefusal, {
      feature,
      twin: good,
    }),
    ...malformed.map((key) => check("AUTH-RPC-MALF-01", ask({ as: { key } }), isKeyRefusal, { feature, twin: good })),
    check(wordsOf(errorTable, "key"), anonymous, refusedFor(errorTable, "key", good, { words: true }), {
      feature,
      twin: good,
      shows: [setOf[errorTable], "GEN-JSON-01", "EXT-JR-08"],
    }),
    check(wordsOf(errorTable, "key"), unknownKey, refusedFor(errorTable, "key", good, { words: true }), {
      feature,
      twin: good,
    }),
  ];
}

/** No words are shown for bundles, and one code alone. */
function bundleKeyChecks({ feature, ask }: BaselineRequest): readonly Check[] {
  const isKeyRefusal = refusedFor("bundles", "key", ask());
  return [
    check("AUTH-ALL-01", ask({ as: "anonymous", id: 17 }), isRefusedBeside(ask()), { feature, twin: ask() }),
    check("AUTH-RPC-UNKN-01", { ...ask(), carriers: [{ in: "query", key: { nearKeyOf: "owner" } }] }, isKeyRefusal, {
      feature,
      twin: ask(),
    }),
    ...malformed.map((key) => check("AUTH-RPC-MALF-01", ask({ as: { key } }), isKeyRefusal, { feature, twin: ask() })),
  ];
}

/** One thing wrong at a time, beside the same call with it set right. */
const badTokenParams: readonly (readonly [name: string, value: string | number | boolean | object])[] = [
  ["mint", 1],
  ["mint", true],
  ["owner", { address: "x" }],
  ["owner", 123],
  ["limit", "abc"],
  ["limit", true],
  ["limit", [1]],
  ["page", {}],
  ["page", "first"],
  ["cursor", 5],
  ["before", 1],
  ["after", false],
  ["options", "yes"],
  ["options", 1],
];

const baselineTokens = tokenAccounts({ owner, limit: 2 });
const badTokens = [
  ...badTokenParams.map(([name, value]) => tokenAccounts({ owner, limit: 2, [name]: value as never }, { id: 5 })),
  // The wrong container. What is none at all JSON-RPC itself may refuse (its §4.2).
  tokenAccounts([], { id: 6 }),
];
const baselineProofs = proofs([given("/samples/newAddresses/0")]);
const badProofs = (
  [["not-base58!"], [given("/samples/newAddresses/0"), "0OIl"], [5], [null], [true], { addresses: [] }] as const
).map((params) => proofs(params as never, { id: 7 }));
const baselineBalance = balance({ address: given("/samples/compressed/0/address") });
/** 31 and 33 bytes in base58, from a digest made by chance. */
const odd31 = "3LMm4yJh7GuD3r6pH6K3yNAKD1BDPFC86yz9uGU2kYb";
const odd33 = "nTz89KhoCUM49dQuhFNKewP15bbyZXxid4paUgiZFFSFS";
const badBalances = (
  [
    { address: 5 },
    { address: true },
    { hash: 5 },
    { hash: {} },
    { hash: "0O" },
    { address: "not-base58!" },
    { hash: odd31 },
    { hash: odd33 },
    ["not-base58!"],
  ] as const
).map((params) => balance(params as never, { id: 8 }));

const [firstBadTokens = baselineTokens, firstBadProof = baselineProofs, firstBadBalance = baselineBalance] = [
  badTokens[0],
  badProofs[0],
  badBalances[6],
];

const paramChecks: readonly Check[] = [
  ...badTokens.map((bad) =>
    check("TA-BAD-01", bad, refusedFor("tokenAccounts", "params", baselineTokens), {
      feature: "tokenAccounts",
      twin: baselineTokens,
    }),
  ),
  check("ERR-TA-32602", firstBadTokens, refusedFor("tokenAccounts", "params", baselineTokens, { words: true }), {
    feature: "tokenAccounts",
    twin: baselineTokens,
    shows: ["RPC-ENV-07", "ERR-TA-SET-01"],
  }),
  ...badProofs.map((bad) =>
    check("NAP-BAD-01", bad, refusedFor("compression", "params", baselineProofs, { words: true }), {
      feature: "compression",
      twin: baselineProofs,
    }),
  ),
  ...badBalances.map((bad) =>
    check("CB-BAD-01", bad, refusedFor("compression", "params", baselineBalance, { words: true }), {
      feature: "compression",
      twin: baselineBalance,
    }),
  ),
  ...(
    [
      [firstBadProof, baselineProofs],
      [firstBadBalance, baselineBalance],
    ] as const
  ).map(([bad, good]) =>
    check("ERR-CMP-32602", bad, refusedFor("compression", "params", good, { words: true }), {
      feature: "compression",
      twin: good,
      shows: ["ERR-CMP-SET-01"],
    }),
  ),
];

/** What is known to lead to an error there, by the target's samples. */
const tokenCause = (cause: "notFound" | "permission" | "server"): Check => {
  const asked = tokenAccounts({ owner: given(`/samples/causes/getTokenAccounts/${cause}`), limit: 2 }, { id: 9 });
  const shows = cause === "permission" ? (["ERR-X-01", "ERR-TA-SET-01"] as const) : (["ERR-TA-SET-01"] as const);
  return check(
    wordsOf("tokenAccounts", cause),
    asked,
    refusedFor("tokenAccounts", cause, baselineTokens, { words: true }),
    { feature: "tokenAccounts", twin: baselineTokens, shows },
  );
};

const causesOfCompression = ["unavailable", "timeout", "server"] as const;
const compressionCause = (cause: (typeof causesOfCompression)[number]): readonly Check[] => {
  const known = given(`/samples/causes/compression/${cause}`);
  const shows = cause === "timeout" ? (["ERR-X-01", "ERR-CMP-SET-01"] as const) : (["ERR-CMP-SET-01"] as const);
  return [
    [proofs([known], { id: 10 }), baselineProofs],
    [balance({ address: known }, { id: 11 }), baselineBalance],
  ].map(([asked = baselineProofs, good = baselineProofs]) =>
    check(wordsOf("compression", cause), asked, refusedFor("compression", cause, good, { words: true }), {
      feature: "compression",
      twin: good,
      shows,
    }),
  );
};

/** A method without params has no cause to name, so that control makes one. */
const healthCause = (cause: (typeof causesOfCompression)[number]): Check =>
  scenario(
    wordsOf("compression", cause),
    { feature: "compression", requests: [health()], control: { reads: 3 } },
    async (context) => {
      const project = await context.project();
      await project.failWith("getIndexerHealth", cause);
      const exchange = await context.ask(health(undefined, { as: project.asker, id: 19 }));
      return [
        { exchange, finding: await refusedFor("compression", cause, health(), { words: true })(exchange, context) },
      ];
    },
  );

/** One project's calls at once, until its limit refuses some. */
function overLimit({ errorTable, method, feature, ask }: Tabled): Check {
  const calls = Array.from({ length: 12 }, (_, nth) => ask({ as: "slow", id: 100 + nth }));
  const row = rowOf(errorTable, "rate");
  return scenario(
    [row.requirement],
    { feature, requests: calls, consent: "throttle", shows: [setOf[errorTable], "RPC-ENV-07"] },
    async ({ atOnce }): Promise<readonly Shown[]> => {
      const exchanges = await atOnce(calls);
      const refused = exchanges.filter((exchange) => !isServed(exchange));
      if (refused.length === 0 || refused.length === exchanges.length)
        throw new Withheld(
          `${refused.length} of ${exchanges.length} ${method} calls at once were refused, so no limit shows`,
        );
      return refused.map((exchange) => ({ exchange, finding: saysRow(exchange, row) }));
    },
  );
}

/** One key for every surface (§1, §5): what one surface knows, the other doesn't call unknown. */
const isKnownEverywhere: Oracle = async (exchange, { ask }) => {
  const admin = await ask(usage({ as: "owner" }));
  const [onRpc, onAdmin] = [isServed(exchange), isServed(admin)];
  if (onRpc && onAdmin) return held;
  if (onRpc && admin.answer?.status === 401) return broken("status", "200: JSON-RPC serves the same key", 401);
  if (onAdmin && rpcErrorOf(exchange)?.code === -32001)
    return broken("/error/code", "a result: the usage endpoint serves the same key", -32001);
  throw new Withheld("hidden: the owner is served by neither, or refused for something else");
};

const isBlocked = isRefusedBeside(health(undefined, { as: "paid" }));

export const checks: readonly Check[] = [
  ...tabledRequests.flatMap(keyChecks),
  ...paramChecks,
  ...(["permission", "notFound", "server"] as const).map(tokenCause),
  ...causesOfCompression.flatMap((cause) => [...compressionCause(cause), healthCause(cause)]),
  ...tabledRequests.map(overLimit),
  ...baselineRequests.filter(({ errorTable }) => errorTable === "bundles").flatMap(bundleKeyChecks),
  // The switch is that of the usage endpoint.
  check("AUTH-ADM-ON-02", health(undefined, { as: "adminOff" }), servedLike(health()), {
    feature: "compression",
    twin: health(),
    optional: true,
  }),
  check("AUTH-ALL-03", health(), isKnownEverywhere, { feature: "compression", twin: usage({ as: "owner" }) }),
  check("AUTH-IP-01", { ...health(undefined, { as: "ipBlocked" }), operation: null }, isBlocked, {
    feature: "compression",
    twin: health(undefined, { as: "paid" }),
    optional: true,
  }),
];
