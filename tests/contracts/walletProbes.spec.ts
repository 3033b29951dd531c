// Does each probe of wallets see the choice that it looks for, and does no check take the choice for a breach?

import { expect, test } from "@playwright/test";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { suite } from "../../contracts/suite.ts";
import { unspecifiedBehaviour } from "../../harness/core/interface.ts";
import { canonical } from "../../harness/core/json.ts";
import { nameOf, secondTime } from "../../harness/core/stimulus.ts";
import { Engine, type EngineOptions } from "../../harness/engine/engine.ts";
import type { Observed } from "../../harness/model/probe.ts";
import type { Suite } from "../../harness/model/suite.ts";
import type { Target } from "../../harness/target/target.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { inProcess } from "../../proof/inProcess.ts";
import type { Choices, RuleChange } from "../../reference/platform/rules.ts";
import type { WalletCause, WalletChange, WalletChoices } from "../../reference/platform/walletRules.ts";
import { honestRefusals } from "../../reference/wallet/refusals.ts";
import { type ObservationId, observations } from "../../specs/generated/observations.ts";

interface Choice {
  readonly sees: ObservationId;
  readonly title: string;
  readonly rules: RuleChange;
}

const ruled = (wallet: WalletChange): RuleChange => ({ wallet });
const chosen = (choices: Partial<WalletChoices>): RuleChange => ruled({ choices });
const everywhere = (choices: Partial<Choices>): RuleChange => ({ choices });
const refusals = (change: { readonly [C in WalletCause]?: number }): RuleChange =>
  ruled({
    refusals: Object.fromEntries(
      Object.entries(change).map(([cause, status]) => [cause, { ...honestRefusals[cause as WalletCause], status }]),
    ),
  });
const said = (cause: WalletCause, message: string): RuleChange =>
  ruled({ refusals: { [cause]: { ...honestRefusals[cause], message } } });

const shapes = observations.map(({ id }) => id).filter((id) => id.startsWith("OBS-WAL-SHAPE-"));

/** None of them breaks a sentence of the interface. */
const choices: readonly Choice[] = [
  ...shapes.map(
    (sees): Choice => ({ sees, title: "every record says of which version it is", rules: chosen({ meta: "told" }) }),
  ),
  ...(["BALANCES", "BALANCEAT", "HISTORY", "TRANSFERS", "FUNDEDBY"] as const).map(
    (name): Choice => ({
      sees: `OBS-WAL-SHAPE-${name}`,
      title: "amounts are texts",
      rules: chosen({ amounts: "texts" }),
    }),
  ),
  ...(["HISTORY", "TRANSFERS"] as const).map(
    (name): Choice => ({
      sees: `OBS-WAL-SHAPE-${name}`,
      title: "lists say that there is no further page",
      rules: chosen({ paging: "told" }),
    }),
  ),
  { sees: "OBS-WAL-CURRENCY", title: "what nobody trades has no value at all", rules: chosen({ noPrice: "left out" }) },
  { sees: "OBS-WAL-CURRENCY", title: "what nobody trades is worth 0", rules: chosen({ noPrice: "zero" }) },
  { sees: "OBS-WAL-SUCCESS", title: "success is 203", rules: chosen({ successStatus: 203 }) },
  { sees: "OBS-WAL-LAG", title: "beta is told in a header", rules: chosen({ beta: "told" }) },

  { sees: "OBS-WAL-QUERY", title: "unknown parameters are refused", rules: chosen({ unknownQuery: "refused" }) },
  { sees: "OBS-WAL-UNKNOWN", title: "an address of nobody isn't found", rules: chosen({ unknown: "not found" }) },
  { sees: "OBS-WAL-DOMAIN", title: "domains are for identity alone", rules: chosen({ domains: "identity alone" }) },
  { sees: "OBS-WAL-DOMAIN", title: "the case of domains counts", rules: chosen({ domainCase: "exact" }) },
  { sees: "OBS-WAL-DOMAIN", title: "an unknown domain isn't found", rules: chosen({ unknown: "not found" }) },
  {
    sees: "OBS-WAL-DOMAIN",
    title: "the case of domains counts, and unknown ones aren't found",
    rules: chosen({ unknown: "not found", domainCase: "exact" }),
  },
  { sees: "OBS-WAL-WHEN", title: "a moment to come is now", rules: chosen({ future: "as now" }) },
  { sees: "OBS-WAL-WHEN", title: "moments before everything are refused", rules: chosen({ beforeAll: "refused" }) },
  { sees: "OBS-WAL-WHEN", title: "of two moments the first counts", rules: chosen({ twoMoments: "the first counts" }) },
  { sees: "OBS-WAL-WHEN", title: "no moment is now", rules: chosen({ noMoment: "now" }) },

  { sees: "OBS-WAL-BODY", title: "other members are refused", rules: chosen({ otherMembers: "refused" }) },
  { sees: "OBS-WAL-BODY", title: "bad bodies can't be processed", rules: refusals({ body: 422 }) },
  {
    sees: "OBS-WAL-BATCH-EMPTY",
    title: "an empty batch draws an empty list",
    rules: chosen({ emptyBatch: "an empty list" }),
  },
  {
    sees: "OBS-WAL-BATCH-DUP",
    title: "an entry that comes twice is told once",
    rules: chosen({ duplicates: "told once" }),
  },
  { sees: "OBS-WAL-BATCH-ALIGN", title: "unknown entries are left out", rules: chosen({ unknownEntries: "left out" }) },
  { sees: "OBS-WAL-BATCH-ALIGN", title: "known entries come first", rules: chosen({ batchOrder: "known ones first" }) },
  { sees: "OBS-WAL-BATCH-101", title: "a batch of 101 is too large", rules: refusals({ tooMany: 413 }) },
  {
    sees: "OBS-WAL-BATCH-101",
    title: "a batch of 101 is refused in other words",
    rules: said("tooMany", "Please send fewer"),
  },

  { sees: "OBS-AUTH-WAL-STATUS", title: "a missing key is 403", rules: refusals({ noKey: 403 }) },
  { sees: "OBS-AUTH-WAL-STATUS", title: "a malformed key is 400", rules: refusals({ malformedKey: 400 }) },
  { sees: "OBS-AUTH-WAL-STATUS", title: "an unknown key is 403", rules: refusals({ unknownKey: 403 }) },
  { sees: "OBS-WAL-403", title: "errors are nested", rules: chosen({ errorShape: "nested" }) },
  { sees: "OBS-WAL-403", title: "the plan is told in other words", rules: said("plan", "Upgrade to go on") },
  { sees: "OBS-WAL-ERR", title: "errors are nested", rules: chosen({ errorShape: "nested" }) },
  {
    sees: "OBS-WAL-ERR",
    title: "errors have the shape of the usage endpoint's",
    rules: chosen({ errorShape: "as of the usage endpoint" }),
  },
  { sees: "OBS-WAL-BADADDR", title: "what is no wallet isn't found", rules: refusals({ wallet: 404 }) },
  { sees: "OBS-PREC-WAL", title: "the plan is looked at last", rules: chosen({ planJudged: "behind it" }) },

  { sees: "OBS-HTTP-404", title: "unknown paths ask for a key first", rules: everywhere({ unknownPath: "key first" }) },
  { sees: "OBS-HTTP-OPTIONS", title: "any origin may ask", rules: everywhere({ otherOrigins: "any" }) },
  { sees: "OBS-HTTP-METHOD", title: "another verb isn't found", rules: refusals({ verb: 404 }) },
  { sees: "OBS-AUTH-IP", title: "a blocked address is told as a bad key", rules: refusals({ blockedAddress: 401 }) },
];

const alone: Suite = { ...suite, checks: [] };
const onlyHere = (target: Target): Target => ({ ...target, offers: ["wallet"] });

interface Judged {
  readonly observed: readonly Observed[];
  readonly broken: readonly string[];
  readonly inconclusive: readonly string[];
  readonly exchanges: readonly Exchange[];
}

async function judged(
  judges: Suite,
  rules: RuleChange | undefined,
  observe: readonly ObservationId[],
  change: (target: Target) => Target = onlyHere,
): Promise<Judged> {
  const [observed, exchanges]: [Observed[], Exchange[]] = [[], []];
  const options = inProcess(judges, rules ? { id: "another choice", rules } : undefined);
  const onEvent: EngineOptions["onEvent"] = (event) => {
    if (event.event === "observation") observed.push(event.observation);
    if (event.event === "exchange") exchanges.push(event.exchange);
  };
  const verdicts = await new Engine({ ...options, target: change(options.target), observe, onEvent }).run();
  const idsOf = (wanted: string): string[] => verdicts.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
  return { observed, broken: idsOf("broken"), inconclusive: idsOf("inconclusive"), exchanges };
}

/** Those that are about wallets alone. */
const mine: readonly ObservationId[] = observations
  .map(({ id }) => id)
  .filter((id) => /^OBS-(WAL-|AUTH-WAL-|PREC-WAL)/.test(id));
/** Of every surface, but for what only the clock can tell. */
const shared: readonly ObservationId[] = [
  "OBS-HTTP-404",
  "OBS-HTTP-OPTIONS",
  "OBS-HTTP-METHOD",
  "OBS-HTTP-CHARSET",
  "OBS-HTTP-HDRS",
  "OBS-AUTH-IP",
  "OBS-VER",
];
const summary = (observed: readonly Observed[]): string =>
  canonical(observed.map(({ values }) => values.map((reading) => reading.summary)));

test("every open point of wallets has a probe, and a choice that it sees", () => {
  const probed = suite.probes.map(({ id }) => id);
  expect(mine.filter((id) => !probed.includes(id))).toEqual([]);
  expect(mine.filter((id) => !choices.some(({ sees }) => sees === id))).toEqual([]);
  expect(mine).toHaveLength(24);
});

test("the honest platform shows the same in both looks and in another run", async () => {
  const every = [...mine, ...shared];
  const [first, second] = [await judged(alone, undefined, every), await judged(alone, undefined, every)];
  expect(first.observed.filter(({ state }) => state !== "stable")).toEqual([]);
  expect(first.observed).toHaveLength(every.length);
  expect(second.observed).toEqual(first.observed);
  expect(first.broken).toEqual([]);
});

for (const { sees, title, rules } of choices) {
  test(`${sees} sees that ${title}: ${unspecifiedBehaviour(dataPlatform, sees).question}`, async () => {
    const [honest, other] = [await judged(alone, undefined, [sees]), await judged(alone, rules, [sees])];
    expect(other.observed.map(({ state, reason }) => ({ state, reason }))).toEqual([{ state: "stable", reason: null }]);
    expect(summary(other.observed)).not.toBe(summary(honest.observed));
  });
}

for (const { sees, title, rules } of choices) {
  test(`no requirement is broken where ${title} (${sees})`, { tag: "@slow" }, async () => {
    const { broken, inconclusive, observed } = await judged(suite, rules, mine);
    expect({ broken, inconclusive }).toEqual({ broken: [], inconclusive: [] });
    expect(
      observed.filter(({ reason, state }) => state === "unstable" || reason?.startsWith("the probe itself")),
    ).toEqual([]);
  });
}

/** The reference as a vendor: no control, nothing known of it, and one paid and one free key. */
const asVendor =
  (allow: Target["allow"]) =>
  ({ control: _, ...target }: Target): Target => ({
    ...onlyHere(target),
    isReference: false,
    allow,
    keys: new Map([...target.keys].filter(([role]) => role === "paid" || role === "free")),
  });

const priced: readonly ObservationId[] = [
  "OBS-WAL-QUERY",
  "OBS-WAL-UNKNOWN",
  "OBS-WAL-DOMAIN",
  "OBS-WAL-WHEN",
  "OBS-WAL-BODY",
  "OBS-WAL-BATCH-EMPTY",
  "OBS-WAL-BATCH-DUP",
  "OBS-WAL-BATCH-ALIGN",
  "OBS-WAL-BADADDR",
];

test("a vendor that allows no paid probes is asked by them for nothing, and by the others for no call that is served and that checks don't make", async () => {
  const [checked, seen] = [
    await judged(suite, undefined, [], asVendor([])),
    await judged(suite, undefined, mine, asVendor([])),
  ];
  const withheld = seen.observed.filter(({ state }) => state === "withheld");
  expect(withheld.map(({ id, reason }) => `${id}: ${reason}`)).toEqual(
    priced.map((id) => `${id}: the target doesn't allow \`paidProbes\``),
  );
  expect(seen.observed.filter(({ state }) => state === "stable")).toHaveLength(mine.length - priced.length);
  const served = ({ exchanges }: Judged): number =>
    exchanges.filter(({ answer }) => answer !== null && answer.status < 300).length;
  expect(served(checked)).toBeGreaterThan(20);
  expect(served(seen)).toBe(served(checked));
});

test("a vendor that allows paid probes is told what they may cost, with every call that the interface leaves open", () => {
  const options = inProcess(suite);
  const planOf = (allow: Target["allow"]) =>
    new Engine({ ...options, target: asVendor(allow)(options.target), observe: mine }).plan;
  const [without, paid] = [planOf([]), planOf(["paidProbes"])];
  expect({ unpriced: without.unpriced, credits: without.credits <= 4_000 }).toEqual({ unpriced: 0, credits: true });
  expect(paid.unpriced).toBe(0);
  const asked = new Set(
    suite.probes
      .filter(({ id }) => priced.includes(id))
      .flatMap(({ needs, asksOnce }) =>
        needs.requests.flatMap((stimulus) => (asksOnce ? [stimulus] : [stimulus, secondTime(stimulus)])),
      )
      .map(nameOf),
  );
  expect(paid.credits - without.credits).toBeGreaterThan(5_000);
  expect(paid.credits - without.credits).toBeLessThanOrEqual(asked.size * 100);
});

test("what a probe says is paid for, checks do ask", () => {
  const asked = new Set(suite.checks.flatMap(({ needs }) => needs.requests.map(nameOf)));
  const paidFor = suite.probes.filter(({ isPaidFor }) => isPaidFor);
  expect(paidFor.length).toBeGreaterThan(shapes.length);
  for (const { id, needs, asksOnce } of paidFor)
    expect([
      id,
      asksOnce,
      needs.requests.filter(
        (stimulus) => !asked.has(nameOf(stimulus)) || unspecifiedBehaviour(dataPlatform, id).safety === "irreversible",
      ),
    ]).toEqual([id, true, []]);
});
