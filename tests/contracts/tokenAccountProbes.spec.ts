// Does each probe of token accounts and compression see the choice that it looks for, and does no check take the choice for a breach?

import { expect, test } from "@playwright/test";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { suite } from "../../contracts/suite.ts";
import { unspecifiedBehaviour } from "../../harness/core/interface.ts";
import { canonical } from "../../harness/core/json.ts";
import { Engine, type EngineOptions } from "../../harness/engine/engine.ts";
import type { Observed } from "../../harness/model/probe.ts";
import type { Suite } from "../../harness/model/suite.ts";
import type { Target } from "../../harness/target/target.ts";
import { inProcess } from "../../proof/inProcess.ts";
import type { MethodChange } from "../../reference/platform/rpcChoices.ts";
import type { RpcChange } from "../../reference/platform/rpcRules.ts";
import { type ObservationId, observations } from "../../specs/generated/observations.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";

interface Choice {
  readonly sees: ObservationId;
  readonly title: string;
  readonly rpc: RpcChange;
  /** Advisory standards that the choice does go against. */
  readonly warned?: readonly RequirementId[];
}

const tokens = (choices: NonNullable<MethodChange["tokenAccounts"]>): RpcChange => ({
  choices: { tokenAccounts: choices },
});
const proofs = (choices: NonNullable<MethodChange["proofs"]>): RpcChange => ({ choices: { proofs: choices } });
const balance = (choices: NonNullable<MethodChange["balance"]>): RpcChange => ({ choices: { balance: choices } });
const lag = (code: number, message: string): RpcChange => ({ refusals: { compression: { lag: { code, message } } } });

/** None of them breaks a sentence of the interface. */
const choices: readonly Choice[] = [
  { sees: "OBS-TA-BURNT", title: "burnt is null", rpc: tokens({ burnt: "null" }) },
  { sees: "OBS-TA-BURNT", title: "burnt is an object", rpc: tokens({ burnt: "an object" }) },
  { sees: "OBS-TA-BURNT", title: "burnt is absent", rpc: tokens({ burnt: "absent" }) },
  {
    sees: "OBS-TA-REQ",
    title: "everything is listed where neither owner nor mint is given",
    rpc: { tokenAccounts: { unfiltered: "everything" } },
  },
  { sees: "OBS-TA-OPT", title: "unknown children of options are refused", rpc: tokens({ unknownOptions: "refused" }) },
  {
    sees: "OBS-TA-MAXLIMIT",
    title: "limits beyond the largest are cut",
    rpc: { tokenAccounts: { beyondLargest: "cut to the largest" } },
  },
  { sees: "OBS-TA-MAXLIMIT", title: "no more than 500 per page", rpc: { tokenAccounts: { largestLimit: 500 } } },
  {
    sees: "OBS-TA-MAXLIMIT",
    title: "no more than 20 per page, cut",
    rpc: { tokenAccounts: { largestLimit: 20, defaultLimit: 20, beyondLargest: "cut to the largest" } },
  },
  {
    sees: "OBS-TA-MAXLIMIT",
    title: "no more than 20 per page, refused",
    rpc: { tokenAccounts: { largestLimit: 20, defaultLimit: 20 } },
  },
  {
    sees: "OBS-TA-DEFLIMIT",
    title: "50 per page where no limit is given",
    rpc: { tokenAccounts: { defaultLimit: 50 } },
  },
  { sees: "OBS-TA-TOTAL", title: "total counts the page", rpc: tokens({ total: "of the page" }) },
  {
    sees: "OBS-TA-RANGE",
    title: "limits and pages are brought into range",
    rpc: tokens({ outOfRange: "brought into range" }),
  },
  { sees: "OBS-TA-STRNUM", title: "numeric texts are numbers", rpc: tokens({ numericStrings: "numbers" }) },
  { sees: "OBS-TA-PAGEBASE", title: "the first page is 0", rpc: { tokenAccounts: { firstPage: 0 } } },
  {
    sees: "OBS-TA-PAGECURSOR",
    title: "page and cursor together are refused",
    rpc: tokens({ pageAndCursor: "refused" }),
  },
  {
    sees: "OBS-TA-PAGECURSOR",
    title: "the page counts beside a cursor",
    rpc: tokens({ pageAndCursor: "the page counts" }),
  },
  {
    sees: "OBS-TA-PAGECURSOR",
    title: "the cursor counts beside a page",
    rpc: tokens({ pageAndCursor: "the cursor counts" }),
  },
  {
    sees: "OBS-TA-BEFOREAFTER",
    title: "before and after together are refused",
    rpc: tokens({ severalCursors: "refused" }),
  },
  {
    sees: "OBS-TA-BEFORE",
    title: "pages before a cursor run backwards",
    rpc: tokens({ beforePages: "the nearest, reversed" }),
  },
  {
    sees: "OBS-TA-BEFORE",
    title: "pages before a cursor begin at the beginning",
    rpc: tokens({ beforePages: "the first" }),
  },
  { sees: "OBS-TA-LASTCUR", title: "the last page has a cursor", rpc: tokens({ lastCursor: "of the last account" }) },
  { sees: "OBS-TA-LASTCUR", title: "the last page has an empty cursor", rpc: tokens({ lastCursor: "an empty text" }) },
  { sees: "OBS-TA-CURSHAPE", title: "a cursor is the last address", rpc: tokens({ cursorForm: "an address" }) },
  { sees: "OBS-TA-BADCURSOR", title: "a garbage cursor leads nowhere", rpc: tokens({ badCursors: "lead nowhere" }) },
  { sees: "OBS-TA-SORT", title: "sorted by mint", rpc: tokens({ order: "by mint" }) },
  {
    sees: "OBS-TA-SORT",
    title: "each page in another order with each call",
    rpc: tokens({ order: "shuffled on each page" }),
  },
  { sees: "OBS-TA-UNKNOWNKEY", title: "unknown members are refused", rpc: tokens({ unknownMembers: "refused" }) },
  { sees: "OBS-TA-ADDRFMT", title: "what is no address owns nothing", rpc: tokens({ badAddresses: "match nothing" }) },
  { sees: "OBS-TA-ADDRFMT", title: "an owner of nothing isn't found", rpc: tokens({ unknownOwners: "not found" }) },
  { sees: "OBS-TA-NULLS", title: "null members are refused", rpc: tokens({ nulls: "refused" }) },
  {
    sees: "OBS-TA-U64",
    title: "amounts are doubles",
    rpc: tokens({ bigAmounts: "as doubles" }),
    warned: ["EXT-JSON-02"],
  },
  { sees: "OBS-TA-SLOTMONO", title: "a replica lags", rpc: tokens({ replicas: "one behind" }) },
  {
    sees: "OBS-TA-DELEG",
    title: "without a delegate all is told as delegated",
    rpc: tokens({ withoutDelegate: "the amount" }),
  },

  { sees: "OBS-NAP-MAX", title: "4 addresses at most", rpc: { proofs: { most: 4 } } },
  { sees: "OBS-NAP-MAX", title: "2 addresses at most", rpc: { proofs: { most: 2 } } },
  { sees: "OBS-NAP-EMPTY", title: "no address, no proof", rpc: proofs({ noAddresses: "no proofs" }) },
  { sees: "OBS-NAP-DUP", title: "an address asked twice is proved once", rpc: proofs({ duplicates: "proved once" }) },
  { sees: "OBS-NAP-DUP", title: "an address asked twice is refused", rpc: proofs({ duplicates: "refused" }) },
  {
    sees: "OBS-NAP-EXISTS",
    title: "an address that exists is proved by its own leaf",
    rpc: proofs({ existing: "proved by their own leaf" }),
  },
  { sees: "OBS-NAP-ORDER", title: "proofs are sorted by address", rpc: proofs({ order: "by address" }) },
  { sees: "OBS-NAP-LEN", title: "short addresses are filled up", rpc: proofs({ shortAddresses: "filled up" }) },
  { sees: "OBS-NAP-SHAPE", title: "the tree's account holds the highest ten hashes", rpc: proofs({ canopy: 10 }) },

  { sees: "OBS-CB-NEITHER", title: "neither address nor hash is worth 0", rpc: { balance: { neither: "nothing" } } },
  { sees: "OBS-CB-BOTH", title: "address and hash together are refused", rpc: balance({ bothGiven: "refused" }) },
  { sees: "OBS-CB-BOTH", title: "the address counts beside a hash", rpc: balance({ bothGiven: "the address counts" }) },
  { sees: "OBS-CB-BOTH", title: "the hash counts beside an address", rpc: balance({ bothGiven: "the hash counts" }) },
  { sees: "OBS-CB-UNKNOWN", title: "unknown accounts are refused", rpc: balance({ unknownAccounts: "refused" }) },
  { sees: "OBS-CB-U64", title: "balances are doubles", rpc: balance({ bigBalances: "as doubles" }) },

  { sees: "OBS-IH-CODE", title: "an index that lags is an internal error", rpc: lag(-32603, "Internal error") },
  { sees: "OBS-IH-CODE", title: "an index that lags is unavailable", rpc: lag(-32002, "Service unavailable") },
  {
    sees: "OBS-IH-CODE",
    title: "an index that lags takes the code of the rate limit",
    rpc: lag(-32005, "Too many requests"),
  },
  {
    sees: "OBS-IH-CODE",
    title: "an index that lags says by how much, with the code of the rate limit",
    rpc: lag(-32005, "Node is behind by 1000 slots"),
  },
  { sees: "OBS-IH-PARAMS", title: "params are refused, empty ones too", rpc: { health: { params: "none at all" } } },
  { sees: "OBS-IH-PARAMS", title: "any params are accepted", rpc: { health: { params: "anything" } } },
];

const alone: Suite = { ...suite, checks: [] };
const onlyHere = (target: Target): Target => ({ ...target, offers: ["tokenAccounts", "compression"] });

async function judged(
  judges: Suite,
  rpc: RpcChange | null,
  observe: readonly ObservationId[],
): Promise<{ readonly observed: readonly Observed[]; readonly broken: readonly string[] }> {
  const observed: Observed[] = [];
  const options = inProcess(judges, rpc ? { id: "another choice", rules: { rpc } } : undefined);
  const onEvent: EngineOptions["onEvent"] = (event) => {
    if (event.event === "observation") observed.push(event.observation);
  };
  const verdicts = await new Engine({ ...options, target: onlyHere(options.target), observe, onEvent }).run();
  return { observed, broken: verdicts.filter(({ verdict }) => verdict === "broken").map(({ id }) => id) };
}

const mine: readonly ObservationId[] = observations.map(({ id }) => id).filter((id) => /^OBS-(TA|NAP|CB|IH)-/.test(id));
const summary = (observed: readonly Observed[]): string =>
  canonical(observed.map(({ values }) => values.map((reading) => reading.summary)));

test("every open point of token accounts and compression has a probe, and a choice that it sees", () => {
  const probed = suite.probes.map(({ id }) => id);
  expect(mine.filter((id) => !probed.includes(id))).toEqual([]);
  expect(mine.filter((id) => !choices.some(({ sees }) => sees === id))).toEqual([]);
});

test("the honest platform shows the same in both looks and in another run", async () => {
  const [first, second] = [await judged(alone, null, mine), await judged(alone, null, mine)];
  expect(first.observed.filter(({ state }) => state !== "stable")).toEqual([]);
  expect(first.observed).toHaveLength(mine.length);
  expect(second.observed).toEqual(first.observed);
  expect(first.broken).toEqual([]);
});

for (const { sees, title, rpc } of choices) {
  test(`${sees} sees that ${title}: ${unspecifiedBehaviour(dataPlatform, sees).question}`, async () => {
    const [honest, other] = [await judged(alone, null, [sees]), await judged(alone, rpc, [sees])];
    expect(other.observed.map(({ state, reason }) => ({ state, reason }))).toEqual([{ state: "stable", reason: null }]);
    expect(summary(other.observed)).not.toBe(summary(honest.observed));
  });
}

for (const { title, rpc, warned = [] } of choices) {
  test(`no requirement is broken where ${title}`, { tag: "@slow" }, async () => {
    const { broken, observed } = await judged(suite, rpc, mine);
    expect([...broken].sort()).toEqual([...warned].sort());
    expect(observed.filter(({ reason }) => reason?.startsWith("the probe itself"))).toEqual([]);
  });
}

test("a platform without control shows what needs none, and says what does", () => {
  const options = inProcess(alone);
  const { control: _, ...target } = onlyHere(options.target);
  const { probes } = new Engine({ ...options, target: { ...target, isReference: false } }).plan;
  const lacking = probes.filter(({ lacks }) => lacks !== null).map(({ probe, lacks }) => `${probe.id}: ${lacks}`);
  expect(lacking.filter((line) => /^OBS-(TA|NAP|CB|IH)-/.test(line))).toEqual([
    "OBS-CB-U64: no control over the platform",
  ]);
});
