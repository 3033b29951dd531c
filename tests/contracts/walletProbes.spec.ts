// Probes of wallets: each sees the choices of a platform, and no check judges them breaches.
import { expect, test } from "@playwright/test";
import { wallets as chosen, http, walletRefused as refused } from "../support/choices.ts";
import { testProbes } from "../support/probeChoices.ts";
import {
  asVendor,
  type Choice,
  type Choices,
  idsLike,
  keysOf,
  type OfTarget,
  type Outcome,
  offering,
  outcomeOf,
  planOf,
} from "../support/probeSpecs.ts";

const shapeIds = idsLike(/^OBS-WAL-SHAPE-/);
const withPages = idsLike(/^OBS-WAL-SHAPE-(HISTORY|TRANSFERS)$/);
const withAmounts = idsLike(/^OBS-WAL-SHAPE-(BALANCES|BALANCEAT|HISTORY|TRANSFERS|FUNDEDBY)$/);
const each = (ids: readonly string[], title: string, choice: Choice): Choices =>
  Object.fromEntries(ids.map((id) => [`${id}: ${title}`, choice]));

const choices: Choices = {
  ...each(shapeIds, "every record has its version", chosen({ meta: "told" })),
  ...each(withAmounts, "amounts are texts", chosen({ amounts: "texts" })),
  ...each(withPages, "lists report that there is no further page", chosen({ paging: "told" })),
  "OBS-WAL-CURRENCY: assets without a market have no price member": chosen({ noPrice: "left out" }),
  "OBS-WAL-CURRENCY: assets without a market have the price 0": chosen({ noPrice: "zero" }),
  "OBS-WAL-SUCCESS: success is 203": chosen({ successStatus: 203 }),
  "OBS-WAL-LAG: a header announces the beta": chosen({ beta: "told" }),
  "OBS-WAL-QUERY: unknown parameters are refused": chosen({ unknownQuery: "refused" }),
  "OBS-WAL-UNKNOWN: an unknown address isn't found": chosen({ unknown: "not found" }),
  "OBS-WAL-DOMAIN: domains are for identity alone": chosen({ domains: "identity alone" }),
  "OBS-WAL-DOMAIN: the case of domains counts": chosen({ domainCase: "exact" }),
  "OBS-WAL-DOMAIN: an unknown domain isn't found": chosen({ unknown: "not found" }),
  "OBS-WAL-DOMAIN: the case of domains counts, and unknown ones aren't found": chosen({
    unknown: "not found",
    domainCase: "exact",
  }),
  "OBS-WAL-WHEN: a future moment means now": chosen({ future: "as now" }),
  "OBS-WAL-WHEN: moments before everything are refused": chosen({ beforeAll: "refused" }),
  "OBS-WAL-WHEN: of two moments the first counts": chosen({ twoMoments: "the first counts" }),
  "OBS-WAL-WHEN: no moment means now": chosen({ noMoment: "now" }),
  "OBS-WAL-BODY: other members are refused": chosen({ otherMembers: "refused" }),
  "OBS-WAL-BODY: bad bodies can't be processed": refused("body", { status: 422 }),
  "OBS-WAL-BATCH-EMPTY: an empty batch returns an empty list": chosen({ emptyBatch: "an empty list" }),
  "OBS-WAL-BATCH-DUP: an entry that comes twice is answered once": chosen({ duplicates: "told once" }),
  "OBS-WAL-BATCH-ALIGN: unknown entries are left out": chosen({ unknownEntries: "left out" }),
  "OBS-WAL-BATCH-ALIGN: known entries come first": chosen({ batchOrder: "known ones first" }),
  "OBS-WAL-BATCH-101: a batch of 101 is too large": refused("tooMany", { status: 413 }),
  "OBS-WAL-BATCH-101: a batch of 101 is refused with another message": refused("tooMany", {
    message: "Please send fewer",
  }),
  "OBS-AUTH-WAL-STATUS: a missing key is 403": refused("noKey", { status: 403 }),
  "OBS-AUTH-WAL-STATUS: a malformed key is 400": refused("malformedKey", { status: 400 }),
  "OBS-AUTH-WAL-STATUS: an unknown key is 403": refused("unknownKey", { status: 403 }),
  "OBS-WAL-403: errors are nested": chosen({ errorShape: "nested" }),
  "OBS-WAL-403: the plan is reported with another message": refused("plan", { message: "Upgrade to go on" }),
  "OBS-WAL-ERR: errors are nested": chosen({ errorShape: "nested" }),
  "OBS-WAL-ERR: errors look like those of the usage endpoint": chosen({ errorShape: "as of the usage endpoint" }),
  "OBS-WAL-BADADDR: what is no wallet isn't found": refused("wallet", { status: 404 }),
  "OBS-PREC-WAL: the plan is checked last": chosen({ planJudged: "behind it" }),
  "OBS-HTTP-404: unknown paths ask for a key first": http({ unknownPath: "key first" }),
  "OBS-HTTP-OPTIONS: any origin may ask": http({ otherOrigins: "any" }),
  "OBS-HTTP-METHOD: another verb isn't found": refused("verb", { status: 404 }),
  "OBS-AUTH-IP: a blocked address is reported as a bad key": refused("blockedAddress", { status: 401 }),
};

const onlyWallets = offering("wallet");
const ids = idsLike(/^OBS-(WAL-|AUTH-WAL-|PREC-WAL)/);
testProbes({
  name: "wallets",
  ids,
  // About every API. Those about time are left out.
  shared: idsLike(/^OBS-(HTTP-(404|OPTIONS|METHOD|CHARSET|HDRS)|AUTH-IP|VER)$/),
  choices,
  target: onlyWallets,
  judged: { target: onlyWallets },
});

/** As a vendor's, with one paid and one free key. */
const withTwoKeys =
  (...allow: readonly "paidProbes"[]): OfTarget =>
  (target) =>
    asVendor({ allow, keys: keysOf(target, "paid", "free") })(onlyWallets(target));

const priced = idsLike(/^OBS-WAL-(QUERY|UNKNOWN|DOMAIN|WHEN|BODY|BATCH-(EMPTY|DUP|ALIGN)|BADADDR)$/);

test("without consent paid probes send nothing, and no other is served a call that checks don't send", async () => {
  const [checked, seen] = [
    await outcomeOf({ observe: [], target: withTwoKeys() }),
    await outcomeOf({ observe: ids, target: withTwoKeys() }),
  ];
  const withheld = seen.observed.filter(({ state }) => state === "withheld");
  expect(withheld.map(({ id, reason }) => `${id}: ${reason}`).sort()).toEqual(
    priced.map((id) => `${id}: the target doesn't allow \`paidProbes\``).sort(),
  );
  expect(seen.observed.filter(({ state }) => state === "stable")).toHaveLength(ids.length - priced.length);
  const served = ({ exchanges }: Outcome): number =>
    exchanges.filter(({ answer }) => answer !== null && answer.status < 300).length;
  expect(served(checked)).toBeGreaterThan(20);
  expect(served(seen)).toBe(served(checked));
});

test("the plan counts the cost of every unspecified call where paid probes are allowed", async () => {
  const paying = { target: withTwoKeys("paidProbes") };
  const [without, paid] = [planOf({ target: withTwoKeys(), observe: ids }), planOf({ ...paying, observe: ids })];
  expect({ unpriced: without.unpriced, credits: without.credits <= 7_500 }).toEqual({ unpriced: 0, credits: true });
  expect(paid.unpriced).toBe(0);
  const planned = paid.credits - without.credits;
  expect(planned).toBeGreaterThan(5_000);
  // What several probes ask for is asked for, and counted, once; a tenth is in reserve.
  const { exchanges } = await outcomeOf({ ...paying, suite: "probes alone", observe: priced });
  expect(planned).toBeLessThanOrEqual(exchanges.length * 110);
});

test("requests that a probe marks as paid for are sent by checks, and need no consent", () => {
  const { checks, probes } = planOf({ target: asVendor({ allow: [] }) });
  const asked = new Set(
    checks.flatMap(({ check }) => check.needs.requests.map((requestSpec) => JSON.stringify(requestSpec))),
  );
  const paidFor = probes.filter(({ probe }) => probe.isPaidFor);
  expect(paidFor.length).toBeGreaterThan(shapeIds.length);
  for (const { probe, unmetNeed: lacks } of paidFor) {
    const unasked = probe.needs.requests.filter((requestSpec) => !asked.has(JSON.stringify(requestSpec)));
    expect([probe.id, probe.asksOnce, lacks, unasked]).toEqual([probe.id, true, null, []]);
  }
});
