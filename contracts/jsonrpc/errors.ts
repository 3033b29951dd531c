// Checks of JSON-RPC refusals: each cause has its documented code and message, beside an accepted twin (§5, §7.2)
import { broken, held } from "../../harness/core/finding.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Stimulus } from "../../harness/core/stimulus.ts";
import { given } from "../../harness/core/template.ts";
import { type Check, type Oracle, type Shown } from "../../harness/model/check.ts";
import { isServed, rpcErrorOf } from "../../harness/transport/answers.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { forFeature } from "../shared/forFeature.ts";
import {
  type Cause,
  type ErrorTable,
  isRefusedBeside,
  refusedFor,
  rowOf,
  saysRow,
  servedLike,
} from "../shared/jsonRpcOracles.ts";
import { balance, health, owner, proofs, tokenAccounts } from "../shared/jsonRpcRequests.ts";
import { masked } from "../shared/masked.ts";
import { usage } from "../shared/stimuli.ts";
import { type BaselineRequest, baselineRequests, type Tabled, tabledRequests } from "./baselineRequests.ts";

type Table = Tabled["errorTable"];

const setOf = { tokenAccounts: "ERR-TA-SET-01", compression: "ERR-CMP-SET-01" } as const satisfies {
  [F in Table]: RequirementId;
};
/** The requirement of a row: its code and its message. */
const rowIdOf = (errorTable: Table, cause: Cause): RequirementId => rowOf(errorTable, cause).requirement;

const compression = forFeature("compression");

interface Refusal {
  readonly shows?: readonly RequirementId[];
  /** The message is checked as well as the code. */
  readonly words?: boolean;
}

/** A request that is refused for a cause, while its twin is served. An error table has the name of its feature. */
const refused = (
  id: RequirementId,
  errorTable: ErrorTable,
  cause: Cause,
  request: Stimulus,
  twin: Stimulus,
  { shows = [], words = false }: Refusal = {},
): Check => forFeature(errorTable).check(id, request, refusedFor(errorTable, cause, twin, { words }), { twin, shows });

const malformed = ["", "   ", "not a key", "ключ-密钥", "k".repeat(300)];

/** What holds for the keys of every method, bundles included. */
function anyKeyChecks({ feature, errorTable, ask }: BaselineRequest): readonly Check[] {
  const twin = ask();
  const nearKey: Stimulus = { ...twin, carriers: [{ in: "query", key: { nearKeyOf: "owner" } }] };
  return [
    forFeature(feature).check("AUTH-ALL-01", ask({ as: "anonymous", id: 17 }), isRefusedBeside(twin), { twin }),
    refused("AUTH-RPC-UNKN-01", errorTable, "key", nearKey, twin),
    ...malformed.map((key) => refused("AUTH-RPC-MALF-01", errorTable, "key", ask({ as: { key } }), twin)),
  ];
}

/** Without a known key every method answers -32001, with the message of its table. */
function keyChecks({ method, feature, errorTable, ask }: Tabled): readonly Check[] {
  const twin = ask();
  const [anonymous, unknownKey] = [ask({ as: "anonymous", id: 17 }), ask({ as: "unknownKey", id: 18 })];
  const row = rowIdOf(errorTable, "key");
  return [
    refused("AUTH-RPC-MISS-01", errorTable, "key", anonymous, twin, {
      shows: ["RPC-ENV-05", "RPC-ENV-06", "RPC-ENV-07"],
    }),
    refused("AUTH-RPC-UNKN-01", errorTable, "key", unknownKey, twin, { shows: ["RPC-ENV-07"] }),
    forFeature(feature).check("RPC-ENV-07", ask({ as: "anonymous", id: `${method} without a key` })),
    refused(row, errorTable, "key", anonymous, twin, {
      words: true,
      shows: [setOf[errorTable], "GEN-JSON-01", "EXT-JR-08"],
    }),
    refused(row, errorTable, "key", unknownKey, twin, { words: true }),
  ];
}

/** Each differs from the baseline request in one wrong member. */
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
  // The wrong container. What is no container at all JSON-RPC itself may refuse (its §4.2).
  tokenAccounts([], { id: 6 }),
];
const baselineProofs = proofs([given("/samples/newAddresses/0")]);
const badProofs = (
  [["not-base58!"], [given("/samples/newAddresses/0"), "0OIl"], [5], [null], [true], { addresses: [] }] as const
).map((params) => proofs(params as never, { id: 7 }));
const baselineBalance = balance({ address: given("/samples/compressed/0/address") });
/** 31 and 33 random bytes in base58. */
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
  ...badTokens.map((bad) => refused("TA-BAD-01", "tokenAccounts", "params", bad, baselineTokens)),
  refused("ERR-TA-32602", "tokenAccounts", "params", firstBadTokens, baselineTokens, {
    words: true,
    shows: ["RPC-ENV-07", "ERR-TA-SET-01"],
  }),
  ...badProofs.map((bad) => refused("NAP-BAD-01", "compression", "params", bad, baselineProofs, { words: true })),
  ...badBalances.map((bad) => refused("CB-BAD-01", "compression", "params", bad, baselineBalance, { words: true })),
  ...(
    [
      [firstBadProof, baselineProofs],
      [firstBadBalance, baselineBalance],
    ] as const
  ).map(([bad, twin]) =>
    refused("ERR-CMP-32602", "compression", "params", bad, twin, { words: true, shows: ["ERR-CMP-SET-01"] }),
  ),
];

/** The target's samples name an owner that leads to this error. */
const tokenCause = (cause: "notFound" | "permission" | "server"): Check => {
  const request = tokenAccounts({ owner: given(`/samples/causes/getTokenAccounts/${cause}`), limit: 2 }, { id: 9 });
  return refused(rowIdOf("tokenAccounts", cause), "tokenAccounts", cause, request, baselineTokens, {
    words: true,
    shows: cause === "permission" ? ["ERR-X-01", "ERR-TA-SET-01"] : ["ERR-TA-SET-01"],
  });
};

const causesOfCompression = ["unavailable", "timeout", "server"] as const;
const compressionCause = (cause: (typeof causesOfCompression)[number]): readonly Check[] => {
  const sample = given(`/samples/causes/compression/${cause}`);
  const requests: readonly (readonly [request: Stimulus, twin: Stimulus])[] = [
    [proofs([sample], { id: 10 }), baselineProofs],
    [balance({ address: sample }, { id: 11 }), baselineBalance],
  ];
  return requests.map(([request, twin]) =>
    refused(rowIdOf("compression", cause), "compression", cause, request, twin, {
      words: true,
      shows: cause === "timeout" ? ["ERR-X-01", "ERR-CMP-SET-01"] : ["ERR-CMP-SET-01"],
    }),
  );
};

/** A method without params can't name a cause: control makes it fail. */
const healthCause = (cause: (typeof causesOfCompression)[number]): Check =>
  compression.scenario(
    rowIdOf("compression", cause),
    { requests: [health()], control: { reads: 3 } },
    async (context) => {
      const project = await context.project();
      await project.failWith("getIndexerHealth", cause);
      const exchange = await context.ask(health(undefined, { as: project.asker, id: 19 }));
      const oracle = refusedFor("compression", cause, health(), { words: true });
      return [{ exchange, finding: await oracle(exchange, context) }];
    },
  );

/** One project's calls at once, until its limit refuses some. */
function overLimit({ errorTable, method, feature, ask }: Tabled): Check {
  const calls = Array.from({ length: 12 }, (_, nth) => ask({ as: "slow", id: 100 + nth }));
  const row = rowOf(errorTable, "rate");
  return forFeature(feature).scenario(
    [row.requirement],
    { requests: calls, consent: "throttle", shows: [setOf[errorTable], "RPC-ENV-07"] },
    async ({ atOnce }): Promise<readonly Shown[]> => {
      const exchanges = await atOnce(calls);
      const refusals = exchanges.filter((exchange) => !isServed(exchange));
      if (refusals.length === 0 || refusals.length === exchanges.length)
        throw new Withheld(
          `no limit shows: ${refusals.length} of ${exchanges.length} ${method} calls at once were refused`,
        );
      return refusals.map((exchange) => ({ exchange, finding: saysRow(exchange, row) }));
    },
  );
}

/** One key for every API (§1, §5): a key that one API serves is known to the other. */
const isKnownEverywhere: Oracle = async (exchange, { ask }) => {
  const admin = await ask(usage({ as: "owner" }));
  const [onRpc, onAdmin] = [isServed(exchange), isServed(admin)];
  if (onRpc && onAdmin) return held;
  if (onRpc && admin.answer?.status === 401) return broken("status", "200: JSON-RPC serves the same key", 401);
  if (onAdmin && rpcErrorOf(exchange)?.code === -32001)
    return broken("/error/code", "a result: the usage endpoint serves the same key", -32001);
  throw masked("the owner is served by neither API, or is refused for another reason than the key");
};

const servedToPaid = health(undefined, { as: "paid" });

export const checks: readonly Check[] = [
  ...tabledRequests.flatMap((request) => [...anyKeyChecks(request), ...keyChecks(request)]),
  ...paramChecks,
  ...(["permission", "notFound", "server"] as const).map(tokenCause),
  ...causesOfCompression.flatMap((cause) => [...compressionCause(cause), healthCause(cause)]),
  ...tabledRequests.map(overLimit),
  ...baselineRequests.filter(({ errorTable }) => errorTable === "bundles").flatMap(anyKeyChecks),
  // The admin switch closes the usage endpoint only.
  compression.check("AUTH-ADM-ON-02", health(undefined, { as: "adminOff" }), servedLike(health()), {
    twin: health(),
    optional: true,
  }),
  compression.check("AUTH-ALL-03", health(), isKnownEverywhere, { twin: usage({ as: "owner" }) }),
  compression.check(
    "AUTH-IP-01",
    { ...health(undefined, { as: "ipBlocked" }), operation: null },
    isRefusedBeside(servedToPaid),
    { twin: servedToPaid, optional: true },
  ),
];
