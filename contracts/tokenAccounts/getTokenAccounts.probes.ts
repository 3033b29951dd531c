// Probes of the params of getTokenAccounts: filters, options, limits, nulls, unknown members (§2.2, §4.3)
import { type Json, valueAt } from "../../harness/core/json.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import { givenAt, pointerOf, type Template } from "../../harness/core/template.ts";
import type { AnsweredExchange } from "../../harness/model/fingerprint.ts";
import type { Probe, ProbeContext, Seen } from "../../harness/model/probe.ts";
import type { Target } from "../../harness/targets/target.ts";
import {
  asUndescribed,
  type Cases,
  describeLiteral,
  describeResult,
  isSame,
  resultsSeen,
  unknownDigest,
} from "../shared/describeCalls.ts";
import { forFeature } from "../shared/forFeature.ts";
import { owner, ownerWithEmptyAccounts, tokenAccounts } from "../shared/jsonRpcRequests.ts";
import { ofAccounts } from "./listedAccounts.ts";
import { accountsIn, addressesIn, emptyAccountsFlag as flag, howMany } from "./walks.ts";

const { answerProbe } = forFeature("tokenAccounts");
const { experiment } = ofAccounts;

type Params = { readonly [member: string]: Template };
const call = (params?: Params): RequestSpec => asUndescribed(tokenAccounts(params, { id: "open" }));
/** The owner's first two accounts, with params whose effect is unspecified. */
const owners = (params: Params): RequestSpec => call({ owner, limit: 2, ...params });

const firstTwo = tokenAccounts({ owner, limit: 2 });

const describeLimit = (answered: AnsweredExchange): string =>
  `limit ${describeLiteral(answered, "/result/limit")}, ${howMany(answered)}`;

const describePage = (answered: AnsweredExchange, isFirst: boolean): Json =>
  isFirst ? "the first page" : addressesIn(answered).length === 0 ? "no accounts" : "other accounts";

/** Each answer beside the owner's first two accounts. */
async function besideFirst(
  context: ProbeContext,
  cases: Cases,
  summary: (answered: AnsweredExchange, isFirst: boolean) => Json,
): Promise<readonly Seen[]> {
  const first = addressesIn(await context.ask(firstTwo));
  return resultsSeen(context, cases, (answered) => summary(answered, isSame(addressesIn(answered), first)));
}

const besideFirstTwo = (id: Probe["id"], cases: Cases, summary: Parameters<typeof besideFirst>[2]): Probe =>
  experiment(id, [firstTwo, ...Object.values(cases)], (context) => besideFirst(context, cases, summary));

const emptyOnes = (options: Template): RequestSpec => call({ owner: ownerWithEmptyAccounts, limit: 50, options });
const areEmptyShown = (answered: AnsweredExchange): Json =>
  accountsIn(answered).some((account) => valueAt(account, "/amount") === 0)
    ? "empty accounts shown"
    : "empty accounts left out";

/** An owner whose list stays short whatever the limit. */
const smallOwner = (target: Target): Template =>
  givenAt(target, pointerOf(ownerWithEmptyAccounts)) === undefined ? owner : ownerWithEmptyAccounts;
const limits = [100, 1000, 1001, 10_000];

/** For the small owner, since a limit far too high may be served. */
const limited = (context: ProbeContext, values: readonly number[]): Promise<readonly Seen[]> => {
  const cases = values.map((limit) => [`limit ${limit}`, call({ owner: smallOwner(context.target), limit })] as const);
  return resultsSeen(context, Object.fromEntries(cases), describeLimit);
};

const pages = Object.fromEntries([0, -1, 1.5, 1_000_000].map((page) => [`page ${page}`, owners({ page })]));

export const probes: readonly Probe[] = [
  answerProbe("OBS-TA-REQ", describeResult(howMany), {
    "{}": call({}),
    "{page: 1}": call({ page: 1 }),
    "params absent": call(),
  }),
  answerProbe("OBS-TA-OPT", describeResult(areEmptyShown), {
    "the flag": emptyOnes({ [flag]: true }),
    "the flag as a text": emptyOnes({ [flag]: "true" }),
    "the flag as 1": emptyOnes({ [flag]: 1 }),
    "an unknown child": emptyOnes({ assayUnknown: true }),
    null: emptyOnes(null),
  }),
  experiment("OBS-TA-MAXLIMIT", [firstTwo, ...limits.map((limit) => owners({ limit }))], (context) =>
    limited(context, limits),
  ),
  answerProbe(
    "OBS-TA-DEFLIMIT",
    describeResult((answered) => describeLiteral(answered, "/result/limit")),
    { "no limit": tokenAccounts({ owner }) },
  ),
  experiment("OBS-TA-RANGE", [firstTwo, ...Object.values(pages)], async (context) => [
    ...(await limited(context, [0, -1, 1.5, 1e9])),
    ...(await besideFirst(context, pages, describePage)),
  ]),
  besideFirstTwo(
    "OBS-TA-STRNUM",
    { 'limit "2"': owners({ limit: "2" }), 'page "1"': owners({ page: "1" }) },
    (answered, isFirst) => (isFirst ? "as a number" : howMany(answered)),
  ),
  besideFirstTwo(
    "OBS-TA-UNKNOWNKEY",
    { "{owner, foo}": owners({ foo: 1 }), "{Owner}": call({ Owner: owner, limit: 2 }) },
    (answered, isFirst) => (isFirst ? "the owner's accounts" : howMany(answered)),
  ),
  answerProbe("OBS-TA-ADDRFMT", describeResult(howMany), {
    "no base58": call({ owner: "0OIl", limit: 2 }),
    "too short": call({ owner: "abc", limit: 2 }),
    empty: call({ owner: "", limit: 2 }),
    "33 bytes": call({ owner: unknownDigest("owner", 33), limit: 2 }),
    "for comparison: an unknown owner": call({ owner: unknownDigest("owner"), limit: 2 }),
  }),
  besideFirstTwo(
    "OBS-TA-NULLS",
    {
      "mint and cursor null": owners({ mint: null, cursor: null }),
      "page null": owners({ page: null }),
      "limit null": owners({ limit: null }),
    },
    (answered, isFirst) => (isFirst ? "as absent" : describeLimit(answered)),
  ),
];
