// Checks of getTokenAccounts: filters, limits, shape, empty accounts (§2.2, §2.3, §4.3)
import { held, must, onlyWarning } from "../../harness/core/finding.ts";
import { notSeen } from "../../harness/core/outcomes.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import { unmetNeedOf } from "../../harness/engine/unmetNeeds.ts";
import { type Check, type CheckContext, type Shown } from "../../harness/model/check.ts";
import { describeOutcome, isServed, rpcErrorOf } from "../../harness/transport/answers.ts";
import { returnedBy } from "../../harness/transport/fates.ts";
import { forFeature } from "../shared/forFeature.ts";
import type { Repeat } from "../shared/foundAgain.ts";
import { inTurn } from "../shared/inTurn.ts";
import { resultOf, shows } from "../shared/jsonRpcOracles.ts";
import { mint, owner, ownerWithEmptyAccounts, tokenAccounts } from "../shared/jsonRpcRequests.ts";
import { notTested } from "../shared/masked.ts";
import type { Ask } from "../shared/requestSpecs.ts";
import { about, accountsHeldBy, everyTime, lookOf } from "./comparedWalks.ts";
import { ofAccounts } from "./listedAccounts.ts";
import { addressesIn, emptyAccountsFlag, missing, pageRequest, type WalkRoute, walkToEnd } from "./walks.ts";

const { check, onlyRequest, scenario } = forFeature("tokenAccounts");
const byOwner = tokenAccounts({ owner, limit: 2 });
const first = pageRequest({ owner }, {});

const named = [
  { owner, limit: 3 },
  { mint, limit: 10 },
  { owner, mint, limit: 3 },
] as const;

const paramsCode = -32602;

/** Whether owner or mint is required isn't shown, nor whether both may be given: one accepted combination is enough. */
async function takesNamedMembers(context: CheckContext): Promise<readonly Shown[]> {
  const requests = [{ owner, limit: 2 }, ...named].map((params) => tokenAccounts(params));
  const possible = requests.filter((requestSpec) => unmetNeedOf(requestSpec, context.target) === null);
  const exchanges = await inTurn(possible, (requestSpec) => context.ask(requestSpec));
  const refused = exchanges.filter((exchange) => rpcErrorOf(exchange)?.code === paramsCode);
  const [exchange] = refused.length === exchanges.length ? refused : exchanges.filter(isServed);
  if (!exchange) throw notTested(`the requests got ${exchanges.map(describeOutcome).join(", ")}`);
  const expected = `an object with owner, with mint, or with both accepted, not ${returnedBy(exchange)}`;
  return [{ exchange, finding: must(isServed(exchange), "/error/code", expected, paramsCode) }];
}

/** A filter shows only where there are accounts. */
const someAccounts = shows((exchange) => {
  if (addressesIn(exchange).length === 0) throw notSeen("no account came, so no filter shows");
  return held;
});

/** With the target's own flag on, off, and left out. */
const flagged = (value: boolean | undefined): Omit<WalkRoute, "by" | "again"> => ({
  owner: ownerWithEmptyAccounts,
  ...(value === undefined ? {} : { options: { [emptyAccountsFlag]: value } }),
});
const firstOf = (value: boolean | undefined): RequestSpec => pageRequest(flagged(value), {});

/** Of all pages together, since the largest page is unspecified; walks of the same owner are the same. */
async function balancesWith(context: CheckContext, again: number, value: boolean | undefined) {
  const { owner: usual, ownerWithEmptyAccounts: sample } = context.target.samples;
  const whose = sample === usual ? { owner } : {};
  const walked = await walkToEnd(context, { ...flagged(value), ...whose, again });
  const list = walked.pages.flatMap(
    ({ exchange }) =>
      resultOf(exchange, "/token_accounts") as readonly { readonly address: string; readonly amount?: unknown }[],
  );
  if (list.some(({ amount }) => typeof amount !== "number")) throw notTested("an amount is not a number");
  const those = (isEmpty: boolean) =>
    list.filter(({ amount }) => (amount === 0) === isEmpty).map(({ address }) => address);
  return { walked, empty: those(true), filled: those(false) };
}

/** What is left out shows only once the walk with the flag has ended. */
async function includesEmpty(context: CheckContext, again: number): Promise<Repeat> {
  const usual = await balancesWith(context, again, undefined);
  const { walked, empty } = await balancesWith(context, again, true);
  if (usual.empty.length > 0) throw notTested("empty accounts are listed without the flag too");
  const finding = accountsHeldBy([walked], [walked]);
  if (!walked.isWhole && empty.length === 0) throw notSeen("no empty account came on the pages that are read");
  const gone = walked.isWhole ? missing(usual.filled, walked.addresses) : [];
  const none = empty.length === 0 ? ["none"] : [];
  const breaches = [
    ...about(walked.last, "all that is listed without the flag, and empty accounts", gone, (one) => `${one} is gone`),
    ...about(walked.last, "accounts with empty balances among the others", none, () => "none"),
  ];
  return lookOf([walked, usual.walked], breaches, finding);
}

/** Entailed is only what the flag given as false shows (amendment 12). */
async function leavesEmptyOut(context: CheckContext, again: number): Promise<Repeat> {
  if ((await balancesWith(context, again, true)).empty.length === 0)
    throw notSeen("no empty account is listed with the flag, so nothing shows that it makes a difference");
  const off = await balancesWith(context, again, false);
  const absent = await balancesWith(context, again, undefined);
  const shownIn = ({ walked, empty }: typeof off) =>
    about(walked.last, "no empty balance without the flag", empty, (one) => one);
  const breaches = [
    ...shownIn(off),
    ...shownIn(absent).map(([one, shown]) => [one, { ...shown, finding: onlyWarning(shown.finding) }] as const),
  ];
  return lookOf([off.walked, absent.walked], breaches, accountsHeldBy([off.walked], [off.walked]));
}

export const baseline: Ask = (options) => tokenAccounts({ owner, limit: 2 }, options);

export const checks: readonly Check[] = [
  scenario("TA-PAR-01", { requests: [byOwner] }, takesNamedMembers),
  ofAccounts.check("TA-FLT-02", tokenAccounts(named[0]), someAccounts),
  check("TA-FLT-01", tokenAccounts(named[1]), someAccounts),
  ...[
    { owner, limit: 50 },
    { mint, limit: 50 },
  ].map((params) => check("GEN-NNEG-01", tokenAccounts(params), someAccounts, { optional: true })),
  ofAccounts.check(["TA-FLT-01", "TA-FLT-02", "TA-FLT-03"], tokenAccounts(named[2]), someAccounts),
  ...[1, 2, 3].flatMap((limit) => [
    ofAccounts.check("TA-LIM-01", tokenAccounts({ owner, limit })),
    check("TA-LIM-02", tokenAccounts({ owner, limit })),
  ]),
  // Beyond the end, where it is served, a page is shorter than its limit.
  onlyRequest(tokenAccounts({ owner, limit: 3, page: 5_000 })),
  ...[10, 50].map((limit) => onlyRequest(tokenAccounts({ owner, limit }))),
  onlyRequest(tokenAccounts({ mint, limit: 50 })),
  check("TA-LIM-03", tokenAccounts({ owner })),
  check("GEN-NNEG-01", tokenAccounts({ owner }), someAccounts, { optional: true }),
  check(["TA-RES-01", "TA-TOT-01", "TA-SLOT-01", "TA-ARR-01"], first),
  check(["TA-TOT-01"], tokenAccounts({ owner, limit: 3, page: 2 })),
  check("TA-CUR-01", first),
  ofAccounts.check(["TA-ELT-01", "TA-ELT-02", "TA-ELT-03", "TA-ELT-04", "TA-ELT-05", "TA-ELT-06"], first),
  ofAccounts.check("EXT-SOL-01", first),
  check(["TA-ELT-02", "TA-ARR-01"], tokenAccounts({ mint, limit: 20 })),
  scenario("TA-ZERO-01", { requests: [firstOf(true), firstOf(undefined)] }, everyTime(includesEmpty)),
  scenario("TA-ZERO-02", { requests: [firstOf(true), firstOf(false), firstOf(undefined)] }, everyTime(leavesEmptyOut)),
];
