// Probes of credit arithmetic and metering that read usage alone (§2.1 rule 2).
import Big from "big.js";
import { type Answered, fingerprintOf } from "../../harness/model/fingerprint.ts";
import { type Probe, readingOf, type Sight } from "../../harness/model/probe.ts";
import { figureAt, figuresIn, movedBetween } from "../shared/figures.ts";
import { forFeature } from "../shared/forFeature.ts";
import { documentOf, everyDocument, ownersUsage } from "../shared/probeRequests.ts";
import { usage } from "../shared/stimuli.ts";

const { experiment, observeEach } = forFeature("usage");

const sumOf = (figures: readonly Big[]): Big => figures.reduce((total, figure) => total.plus(figure), new Big(0));

/** The size of a difference, in classes that stay the same while credits are spent. */
const sizeOf = (difference: Big, most: number): string =>
  difference.eq(0) ? "0" : difference.abs().lte(most) ? `up to ±${most}` : `beyond ±${most}`;

/** Eleven products and one total, each off by at most a half (register §1.4). */
const largestResidual = 6;

const residual = (answered: Answered): string | undefined => {
  const [products, used] = [figuresIn(answered, "/credits"), figureAt(answered, "/creditsUsed")];
  if (!used || products.length === 0) return undefined;
  return sizeOf(sumOf(products).minus(used), largestResidual);
};

/** The remainder against the figures that it derives from; undefined at the floor of 0, which masks it. */
const remainder = (answered: Answered): string | undefined => {
  const [left, used, prepaid, limit] = [
    "/creditsRemaining",
    "/creditsUsed",
    "/prepaidCreditsUsed",
    "/subscriptionDetails/creditsLimit",
  ].map((at) => figureAt(answered, at));
  if (!left || !used || !prepaid || !limit || left.eq(0)) return undefined;
  const isWhole = [left, used, prepaid].every((figure) => figure.eq(figure.round(0, 0)));
  return `${isWhole ? "whole" : "fractional"}, off by ${sizeOf(limit.minus(used.minus(prepaid)).minus(left), 1)}`;
};

const ratio = (answered: Answered): string | undefined => {
  const [credits, requests] = [figureAt(answered, "/credits/walletApi"), figureAt(answered, "/requests/walletApi")];
  if (!credits || !requests || (requests.eq(0) && credits.eq(0))) return undefined;
  if (requests.eq(0)) return "credits without calls";
  const each = credits.div(requests);
  return each.eq(100) ? "100 exactly" : each.lt(100) ? "below 100" : "above 100";
};

const sight =
  (summary: (answered: Answered) => string | undefined): Sight =>
  (answered) => {
    const project = documentOf(answered);
    const bucket = project === undefined ? undefined : summary(answered);
    return project === undefined || bucket === undefined ? undefined : { case: project, bucket, summary: bucket };
  };

/** Reads per pass, of which all but the first may add to the figures. */
const reads = 7;
const perRead = (moved: { readonly [at: string]: string }) =>
  Object.keys(moved).length === 0
    ? "nothing moves"
    : Object.fromEntries(
        Object.entries(moved).map(([at, by]) => [
          at,
          `${new Big(by)
            .div(reads - 1)
            .round(2)
            .toFixed()} per read`,
        ]),
      );

export const probes: readonly Probe[] = [
  observeEach("OBS-CRD-RESIDUAL", everyDocument, sight(residual)),
  experiment(
    "OBS-CRD-TIES",
    [ownersUsage],
    async ({ project, ask }) => {
      const made = await project();
      for (const [product, credits] of [
        ["rpc", "0.5"],
        ["das", "1.5"],
        ["archival", "2.5"],
      ] as const)
        await made.consume(product, credits);
      const answered = await ask(usage({ as: made.asker }));
      const shown = ["rpc", "das", "archival"]
        .map((product) => figureAt(answered, `/credits/${product}`)?.toFixed() ?? "nothing")
        .join(", ");
      const rule = { "1, 2, 3": "up", "0, 2, 2": "to even", "0, 1, 2": "down" }[shown] ?? "by another rule";
      return readingOf([
        {
          fingerprint: fingerprintOf(answered, { case: "0.5, 1.5 and 2.5 credits" }),
          summary: `shown as ${shown}: rounded ${rule}`,
        },
      ]);
    },
    { control: { reads: 2 } },
  ),
  observeEach("OBS-CRD-TOTALROUND", everyDocument, sight(remainder)),
  experiment(
    "OBS-CRD-EXHAUST",
    [ownersUsage],
    async ({ project, ask }) => {
      const made = await project({ plan: { creditsLimit: 100 } });
      await made.consume("rpc", "100");
      const answered = await ask({ ...usage({ as: made.asker }), operation: null });
      const summary =
        answered.answer.status === 200 ? "usage is still served" : `usage is refused (${answered.answer.status})`;
      return readingOf([
        { fingerprint: fingerprintOf(answered, { case: "nothing remains, nothing prepaid" }), summary },
      ]);
    },
    { control: { reads: 2 } },
  ),
  observeEach("OBS-MET-RATIO", everyDocument, sight(ratio)),
  experiment(
    "OBS-MET-SELF",
    Array.from({ length: reads }, (_, nth) => usage({ as: "owner", again: nth })),
    async ({ ask, fresh }) => {
      const first = await ask(fresh(ownersUsage));
      let last = first;
      for (let nth = 1; nth < reads; nth += 1) last = await ask(fresh(ownersUsage));
      return readingOf([
        { fingerprint: fingerprintOf(last, { case: `${reads} reads` }), summary: perRead(movedBetween(first, last)) },
      ]);
    },
    { unless: ({ quiet }) => (quiet ? null : "the target doesn't say `quiet: true`") },
  ),
];
