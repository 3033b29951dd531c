// Subjects: which operation, key and carrier a check stands for, and which checks count beside others
import { expect, test } from "@playwright/test";
import { usageRequest } from "../../contracts/shared/requestSpecs.ts";
import { contractSuite } from "../../contracts/suite.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import { type Check, check, scenario, verifiedBySelfTest } from "../../harness/model/check.ts";
import {
  type CheckCoverage,
  type CoverageScope,
  checkCoverageOf,
  countingOf,
  coverageScopeOf,
} from "../../harness/model/narrowing.ts";
import type { Target } from "../../harness/targets/target.ts";
import { inProcess } from "../../proof/inProcess.ts";

const target: Target = inProcess(contractSuite).target;

type Options = Partial<Omit<Parameters<typeof scenario>[1], "requests">>;
const needing = (requests: readonly RequestSpec[], options: Options = {}): Check =>
  scenario("USG-FLD-01", { feature: "wallet", requests, ...options }, () => Promise.resolve([]));

const meter = usageRequest({ as: "owner", keyIn: "query" });
const called = (
  operation: RequestSpec["operation"],
  key: string,
  carrier: "header" | "query" | "either",
): RequestSpec => ({
  ...{ operation, api: "api", method: "GET", path: ["/a"] },
  carriers: [{ in: carrier, key: { keyOf: key as "paid" } }],
});
const balances = called("getWalletBalances", "free", "header");
const history = called("getWalletHistory", "other", "query");
const undescribed = called(null, "slow", "header");
const raw: RequestSpec = { ...called(null, "paid", "query"), api: "rpc", json: { method: "getTokenAccounts" } };
const bare: RequestSpec = { ...balances, carriers: [] };
const withText: RequestSpec = { ...balances, carriers: [{ in: "query", key: { text: "x" } }] };
const twice: RequestSpec = { ...balances, carriers: [...balances.carriers, ...history.carriers] };
const generating = { generates: { property: "p", cases: { few: 1, some: 2, many: 3 }, each: [history] } };

/** Operation, key, carrier, feature and API. */
const described = (one: Check): string => {
  const { operation, key, carrier, feature, api } = coverageScopeOf(one, target);
  return [operation, key, carrier, feature, api].join(" · ");
};
const ofBundles = { feature: "bundles" } as const;
const sending = { ...ofBundles, sends: { calls: 1, payments: 0 } };
const ownReads = usageRequest({ as: "free", keyIn: "header" });

const scopes: readonly (readonly [what: string, check: Check, scope: string])[] = [
  ["the first request", needing([balances, history]), "getWalletBalances · free · header · wallet · api"],
  [
    "the first that isn't a read of the meter",
    needing([meter, balances, history]),
    "getWalletBalances · free · header · wallet · api",
  ],
  [
    "the first that the interface describes",
    needing([undescribed, balances]),
    "getWalletBalances · free · header · wallet · api",
  ],
  [
    "a read of the meter before what isn't described",
    needing([undescribed, meter]),
    "getProjectUsage · paid · query · usage · admin",
  ],
  ["the first of several reads", needing([ownReads, meter]), "getProjectUsage · free · header · usage · admin"],
  ["what a raw JSON-RPC body names", needing([raw]), "getTokenAccounts · paid · query · tokenAccounts · rpc"],
  [
    "the first operation of its feature, for what isn't described",
    needing([undescribed]),
    "getWalletIdentity · slow · header · wallet · api",
  ],
  [
    "the first operation of its feature, without any request",
    verifiedBySelfTest("wallet", "USG-FLD-01", "a test"),
    "getWalletIdentity · anonymous · no carrier · wallet · api",
  ],
  [
    "what can't be undone, if it sends that",
    needing([], sending),
    "sendBundle · anonymous · no carrier · bundles · rpc",
  ],
  [
    "nothing that can't be undone, if not",
    needing([], ofBundles),
    "getBundleStatuses · anonymous · no carrier · bundles · rpc",
  ],
  ["what it generates", needing([meter], generating), "getWalletHistory · other · query · wallet · api"],
  [
    "a project that is made",
    needing([balances], { control: { reads: 1 } }),
    "getWalletBalances · a test project · header · wallet · api",
  ],
  ["a request without a key", needing([bare]), "getWalletBalances · anonymous · no carrier · wallet · api"],
  ["a request with a key of nobody", needing([withText]), "getWalletBalances · unknown key · query · wallet · api"],
  ["a request with two keys", needing([twice]), "getWalletBalances · free · header and query · wallet · api"],
  [
    "a key in either carrier",
    needing([called("getWalletBalances", "free", "either")]),
    "getWalletBalances · free · header or query · wallet · api",
  ],
  [
    "a key that the target lacks",
    needing([called("getWalletBalances", "made-9", "header")]),
    "getWalletBalances · made-9 · header · wallet · api",
  ],
];

test("a check stands for the first request that isn't only read to measure others, and for its key and carrier", () => {
  expect(scopes.map(([what, one]) => [what, one, described(one)])).toEqual(scopes);
});

test("where the interface describes no operation of a feature, a check of it stands for the feature", () => {
  const silent: Target = { ...target, interface: { ...target.interface, operations: [] } };
  const scope = { operation: "wallet", key: "anonymous", carrier: "no carrier", feature: "wallet", api: "" };
  expect(coverageScopeOf(needing([]), silent)).toStrictEqual(scope);
});

test("the coverage of a check is its scope, and whether it is optional or generates cases", () => {
  const standing = (one: Check) => {
    const { scope, ...rest } = checkCoverageOf(one, target);
    return [scope?.operation, rest];
  };
  const optional = check("wallet", "USG-FLD-01", balances, undefined, { optional: true });
  expect(standing(optional)).toEqual(["getWalletBalances", { optional: true, generated: false }]);
  expect(standing(needing([], generating))).toEqual(["getWalletHistory", { optional: false, generated: true }]);
});

interface Named extends CheckCoverage {
  readonly name: string;
  readonly isWithheld?: boolean;
}
const on = (key: string): { readonly scope: CoverageScope } => ({
  scope: { operation: "getWalletHistory", key, carrier: "query", feature: "wallet", api: "api" },
});
const spare = { optional: true, isWithheld: true } as const;

const counting: readonly (readonly [
  what: string,
  over: "key" | undefined,
  all: readonly Named[],
  counted: readonly string[],
])[] = [
  ["one that isn't optional", undefined, [{ name: "a", isWithheld: true }, { name: "b" }], ["a", "b"]],
  ["an optional one that isn't withheld", undefined, [{ name: "a", optional: true }, { name: "b" }], ["a", "b"]],
  ["no spare beside another", undefined, [{ name: "a", ...spare }, { name: "b" }], ["b"]],
  [
    "spares alone",
    undefined,
    [
      { name: "a", ...spare },
      { name: "b", ...spare, generated: true },
    ],
    ["a", "b"],
  ],
  [
    "a spare of a member for which no other stands",
    "key",
    [
      { name: "a", ...spare, ...on("paid") },
      { name: "b", ...on("paid") },
      { name: "c", ...spare, ...on("free") },
    ],
    ["b", "c"],
  ],
  [
    "no generated cases beside any other",
    "key",
    [
      { name: "a", ...spare, ...on("free"), generated: true },
      { name: "b", ...on("paid") },
    ],
    ["b"],
  ],
  [
    "a spare that stands for no member",
    "key",
    [
      { name: "a", ...spare },
      { name: "b", ...on("paid") },
    ],
    ["a", "b"],
  ],
];

for (const [what, over, all, counted] of counting)
  test(`of the checks of a requirement count: ${what}`, () => {
    const found = countingOf(over ? { coverage: { over } } : {}, all, ({ isWithheld = false }) => isWithheld);
    expect(found.map(({ name }) => name)).toEqual(counted);
  });
