// Checks of JSON-RPC refusals: each cause has its documented code and message, beside a positive control (§5, §7.2)
import { broken, held } from "../../harness/core/finding.ts";
import { notSeen } from "../../harness/core/outcomes.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import { type Given, sample, type Template } from "../../harness/core/template.ts";
import type { Check, Needs, Oracle, Shown } from "../../harness/model/check.ts";
import { isServed, rpcErrorOf } from "../../harness/transport/answers.ts";
import { type CompleteTable, onlyCodesOf } from "../../specs/generated/operations.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { controlOf } from "../shared/control.ts";
import { forFeature } from "../shared/forFeature.ts";
import {
  errorRowOf,
  failuresOf,
  type RpcErrorCause,
  refusedFor,
  rpcServedLike,
  saysRow,
} from "../shared/jsonRpcOracles.ts";
import { balance, compressed, freshAddress, health, owner, proofs, tokenAccounts } from "../shared/jsonRpcRequests.ts";
import { notTested } from "../shared/masked.ts";
import { isRefusedBeside } from "../shared/oracles.ts";
import { usageRequest } from "../shared/requestSpecs.ts";
import { type BaselineRequest, baselineRequests, type Tabled, tabledRequests } from "./baselineRequests.ts";
import { sharedCode } from "./errors.laws.ts";

const compression = forFeature("compression");

interface Refusal extends Partial<Pick<Needs, "repeats">> {
  readonly shows?: readonly RequirementId[];
  /** The message is checked as well as the code. */
  readonly words?: boolean;
}

/** The methods of one feature that refuse by one error table. */
type MethodGroup = Pick<BaselineRequest, "feature" | "errorTable">;

/** Checks of requests that are refused for a cause, while their positive control is served. */
const refusals =
  ({ feature, errorTable }: MethodGroup, cause: RpcErrorCause, positiveControl: RequestSpec) =>
  (id: RequirementId, request: RequestSpec, { words = false, ...options }: Refusal = {}): Check =>
    forFeature(feature).check(id, request, refusedFor(errorTable, cause, positiveControl, { words }), {
      positiveControl,
      ...options,
    });

const malformed = ["", "   ", "not a key", "ключ-密钥", "k".repeat(300)];

/** What holds for the keys of every method, bundles included. */
function anyKeyChecks(request: BaselineRequest): readonly Check[] {
  const { feature, ask } = request;
  const positiveControl = ask();
  const refused = refusals(request, "key", positiveControl);
  return [
    forFeature(feature).check("AUTH-ALL-01", ask({ as: "anonymous", id: 17 }), isRefusedBeside(positiveControl), {
      positiveControl,
    }),
    refused("AUTH-RPC-UNKN-01", { ...positiveControl, carriers: [{ in: "query", key: { nearKeyOf: "owner" } }] }),
    ...malformed.map((key) => refused("AUTH-RPC-MALF-01", ask({ as: { key } }))),
  ];
}

/** Without a known key every method answers -32001, with the message of its table. */
function keyChecks(request: Tabled): readonly Check[] {
  const { method, feature, errorTable, ask } = request;
  const anonymous = ask({ as: "anonymous", id: 17 });
  const unknownKey = ask({ as: "unknownKey", id: 18 });
  const refused = refusals(request, "key", ask());
  const row = errorRowOf(errorTable, "key").requirement;
  return [
    refused("AUTH-RPC-MISS-01", anonymous, { shows: ["RPC-ENV-05", "RPC-ENV-06", "RPC-ENV-07"] }),
    refused("AUTH-RPC-UNKN-01", unknownKey, { shows: ["RPC-ENV-07"] }),
    forFeature(feature).check("RPC-ENV-07", ask({ as: "anonymous", id: `${method} without a key` })),
    refused(row, anonymous, { words: true, shows: [onlyCodesOf[errorTable], "GEN-JSON-01", "EXT-JR-08"] }),
    refused(row, unknownKey, { words: true }),
  ];
}

const baselineTokens = tokenAccounts({ owner, limit: 2 });
/** Each differs from the baseline request in one wrong member. */
const wrongMembers: { readonly [member: string]: readonly Template[] } = {
  mint: [1, true],
  owner: [{ address: "x" }, 123],
  limit: ["abc", true, [1]],
  page: [{}, "first"],
  cursor: [5],
  before: [1],
  after: [false],
  options: ["yes", 1],
};
const badTokens = [
  ...Object.entries(wrongMembers).flatMap(([member, values]) =>
    values.map((value) => tokenAccounts({ owner, limit: 2, [member]: value }, { id: 5 })),
  ),
  // The wrong container; JSON-RPC itself may refuse params that aren't a container (its §4.2).
  tokenAccounts([], { id: 6 }),
];
const baselineProofs = proofs([freshAddress(0)]);
const wrongAddresses: readonly Template[] = [
  ["not-base58!"],
  [freshAddress(0), "0OIl"],
  [5],
  [null],
  [true],
  { addresses: [] },
];
const baselineBalance = balance({ address: compressed(0, "address") });
/** 31 random bytes in base58. */
const odd31 = { hash: "3LMm4yJh7GuD3r6pH6K3yNAKD1BDPFC86yz9uGU2kYb" };
const odd33 = { hash: "nTz89KhoCUM49dQuhFNKewP15bbyZXxid4paUgiZFFSFS" };
const wrongAccounts: readonly Template[] = [
  { address: 5 },
  { address: true },
  { hash: 5 },
  { hash: {} },
  { hash: "0O" },
  { address: "not-base58!" },
  odd31,
  odd33,
  ["not-base58!"],
];

const ofTokens: MethodGroup = { feature: "tokenAccounts", errorTable: "tokenAccounts" };
const ofCompression: MethodGroup = { feature: "compression", errorTable: "compression" };
const refusesTokens = refusals(ofTokens, "params", baselineTokens);
const refusesProofs = refusals(ofCompression, "params", baselineProofs);
const refusesBalance = refusals(ofCompression, "params", baselineBalance);
const paramChecks: readonly Check[] = [
  ...badTokens.map((bad) => refusesTokens("TA-BAD-01", bad)),
  refusesTokens("ERR-TA-32602", tokenAccounts({ owner, limit: 2, mint: 1 }, { id: 5 }), {
    words: true,
    shows: ["RPC-ENV-07", "ERR-TA-SET-01"],
  }),
  ...wrongAddresses.map((params) => refusesProofs("NAP-BAD-01", proofs(params, { id: 7 }), { words: true })),
  ...wrongAccounts.map((params) => refusesBalance("CB-BAD-01", balance(params, { id: 8 }), { words: true })),
  refusesProofs("ERR-CMP-32602", proofs(["not-base58!"], { id: 7 }), { words: true, shows: ["ERR-CMP-SET-01"] }),
  refusesBalance("ERR-CMP-32602", balance(odd31, { id: 8 }), { words: true, shows: ["ERR-CMP-SET-01"] }),
];

/** A failure is asked for twice more before it counts, with a health check after each answer. */
const confirmations = 5;

/** The target's samples name an owner or an address that leads to this error. */
const ofSample = (
  table: CompleteTable,
  at: string,
  positiveControl: RequestSpec,
  ask: (sample: Given) => RequestSpec,
) =>
  failuresOf(table).map((cause): Check => {
    const { requirement, code } = errorRowOf(table, cause);
    const shows: readonly RequirementId[] = [
      ...(code === sharedCode ? (["ERR-X-01"] as const) : []),
      onlyCodesOf[table],
    ];
    const request = ask(sample(`causes/${at}/${cause}`));
    return refusals({ feature: table, errorTable: table }, cause, positiveControl)(requirement, request, {
      words: true,
      shows,
      repeats: confirmations,
    });
  });

/** Control makes a method fail; the first of its table needs the least sample data. */
function failing({ method, feature, errorTable, ask }: Tabled): readonly Check[] {
  if (tabledRequests.find((one) => one.errorTable === errorTable)?.method !== method) return [];
  return failuresOf(errorTable).map((cause) =>
    forFeature(feature).scenario(
      errorRowOf(errorTable, cause).requirement,
      { requests: [ask()], control: { reads: 3, of: controlOf.failures } },
      async (context) => {
        const project = await context.project();
        await project.failWith(method, cause);
        const exchange = await context.ask(ask({ as: project.asker, id: 19 }));
        return [{ exchange, finding: await refusedFor(errorTable, cause, ask(), { words: true })(exchange, context) }];
      },
    ),
  );
}

/** One project's calls at once, until its limit refuses some. */
function overLimit({ errorTable, method, feature, ask }: Tabled): Check {
  const calls = Array.from({ length: 12 }, (_, nth) => ask({ as: "slow", id: 100 + nth }));
  const row = errorRowOf(errorTable, "rate");
  return forFeature(feature).scenario(
    [row.requirement],
    { requests: calls, consent: "throttle", shows: [onlyCodesOf[errorTable], "RPC-ENV-07"] },
    async ({ atOnce }): Promise<readonly Shown[]> => {
      const exchanges = (await atOnce(calls)).filter(({ answer }) => answer !== null);
      const refused = exchanges.filter((exchange) => !isServed(exchange));
      if (refused.length === 0 || refused.length === exchanges.length)
        throw notSeen(`no limit shows: ${refused.length} of ${exchanges.length} ${method} calls at once were refused`);
      return refused.map((exchange) => ({ exchange, finding: saysRow(exchange, row) }));
    },
  );
}

/** One key for every API (§1, §5): a key that one API serves is known to the other. */
const isKnownEverywhere: Oracle = async (exchange, { ask }) => {
  const admin = await ask(usageRequest({ as: "owner" }));
  const onRpc = isServed(exchange);
  const onAdmin = isServed(admin);
  if (onRpc && onAdmin) return held;
  if (onRpc && admin.answer?.status === 401) return broken("status", "200: JSON-RPC serves the same key", 401);
  if (onAdmin && rpcErrorOf(exchange)?.code === -32001)
    return broken("/error/code", "a result: the usage endpoint serves the same key", -32001);
  throw notTested("the owner is served by neither API, or is refused for another reason than the key");
};

const servedToPaid = health(undefined, { as: "paid" });

export const checks: readonly Check[] = [
  ...tabledRequests.flatMap((request) => [...anyKeyChecks(request), ...keyChecks(request)]),
  ...paramChecks,
  ...ofSample("tokenAccounts", "getTokenAccounts", baselineTokens, (owned) =>
    tokenAccounts({ owner: owned, limit: 2 }, { id: 9 }),
  ),
  ...ofSample("compression", "compression", baselineProofs, (address) => proofs([address], { id: 10 })),
  ...ofSample("compression", "compression", baselineBalance, (address) => balance({ address }, { id: 11 })),
  ...tabledRequests.flatMap(failing),
  ...tabledRequests.map(overLimit),
  ...baselineRequests.filter(({ errorTable }) => errorTable === "bundles").flatMap(anyKeyChecks),
  // The admin switch closes the usage endpoint only.
  compression.check("AUTH-ADM-ON-02", health(undefined, { as: "adminOff" }), rpcServedLike(health()), {
    positiveControl: health(),
    optional: true,
  }),
  compression.check("AUTH-ALL-03", health(), isKnownEverywhere, { positiveControl: usageRequest({ as: "owner" }) }),
  compression.check(
    "AUTH-IP-01",
    { ...health(undefined, { as: "ipBlocked" }), operation: null },
    isRefusedBeside(servedToPaid),
    { positiveControl: servedToPaid, optional: true },
  ),
];
