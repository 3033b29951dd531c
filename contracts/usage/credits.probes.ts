// Probes of credit arithmetic and metering that read usage alone (§2.1 rule 2).
import Big from "big.js";
import type { Json } from "../../harness/core/json.ts";
import type { AnsweredExchange } from "../../harness/model/fingerprint.ts";
import { sum } from "../../harness/model/law.ts";
import type { Probe } from "../../harness/model/probe.ts";
import { asUndescribed, seenAs } from "../shared/describeCalls.ts";
import { forFeature } from "../shared/forFeature.ts";
import { everyDocument, inBuckets, onMadeProject } from "../shared/probeRequests.ts";
import { ownersUsage, usageRequest } from "../shared/requestSpecs.ts";
import { figureAt, movedBetween, needsQuiet, pointersAt } from "./usageReader.ts";

const { experiment, observeEach } = forFeature("usage");

/** The size of a difference, in classes that stay the same while credits are spent. */
const sizeOf = (difference: Big, most: number): string =>
  difference.eq(0) ? "0" : difference.abs().lte(most) ? `up to ±${most}` : `beyond ±${most}`;

/** Eleven products and one total, each off by at most a half (register §1.4). */
const largestResidual = 6;

const residual = (answered: AnsweredExchange): string | undefined => {
  const products = pointersAt(answered, "/credits").flatMap((at) => figureAt(answered, at) ?? []);
  const used = figureAt(answered, "/creditsUsed");
  return used && products.length > 0 ? sizeOf(sum(products).minus(used), largestResidual) : undefined;
};

/** The remainder against the figures that it derives from; undefined at the floor of 0, which masks it. */
const remainder = (answered: AnsweredExchange): string | undefined => {
  const left = figureAt(answered, "/creditsRemaining");
  const used = figureAt(answered, "/creditsUsed");
  const prepaid = figureAt(answered, "/prepaidCreditsUsed");
  const limit = figureAt(answered, "/subscriptionDetails/creditsLimit");
  if (!left || !used || !prepaid || !limit || left.eq(0)) return undefined;
  const isWhole = [left, used, prepaid].every((one) => one.eq(one.round(0, 0)));
  return `${isWhole ? "whole" : "fractional"}, off by ${sizeOf(limit.minus(used.minus(prepaid)).minus(left), 1)}`;
};

const ratio = (answered: AnsweredExchange): string | undefined => {
  const credits = figureAt(answered, "/credits/walletApi");
  const requests = figureAt(answered, "/requests/walletApi");
  if (!credits || !requests || (requests.eq(0) && credits.eq(0))) return undefined;
  if (requests.eq(0)) return "credits without calls";
  const each = credits.div(requests);
  return each.eq(100) ? "100 exactly" : each.lt(100) ? "below 100" : "above 100";
};

/** Reads per repeat, of which all but the first may add to the figures. */
const reads = 4;
function perRead(moved: { readonly [at: string]: string }): Json {
  const each = (by: string): Big => new Big(by).div(reads - 1).round(2);
  const found = Object.entries(moved).map(([at, by]) => [at, `${each(by).toFixed()} per read`] as const);
  return found.length === 0 ? "nothing moves" : Object.fromEntries(found);
}

/** Half credits, by product. */
const ties = [
  ["rpc", "0.5"],
  ["das", "1.5"],
  ["archival", "2.5"],
] as const;

export const probes: readonly Probe[] = [
  observeEach("OBS-CRD-RESIDUAL", everyDocument, inBuckets(residual)),
  onMadeProject("OBS-CRD-TIES", 2, async ({ project, ask }) => {
    const made = await project();
    for (const [product, credits] of ties) await made.consume(product, credits);
    const answered = await ask(usageRequest({ as: made.asker }));
    const figures = ties.map(([product]) => figureAt(answered, `/credits/${product}`)?.toFixed() ?? "nothing");
    const shown = figures.join(", ");
    const rule = { "1, 2, 3": "up", "0, 2, 2": "to even", "0, 1, 2": "down" }[shown] ?? "by another rule";
    return [seenAs("0.5, 1.5 and 2.5 credits", answered, `shown as ${shown}: rounded ${rule}`)];
  }),
  observeEach("OBS-CRD-TOTALROUND", everyDocument, inBuckets(remainder)),
  onMadeProject("OBS-CRD-EXHAUST", 2, async ({ project, ask }) => {
    const made = await project({ plan: { creditsLimit: 100 } });
    await made.consume("rpc", "100");
    const answered = await ask(asUndescribed(usageRequest({ as: made.asker })));
    const { status } = answered.answer;
    const summary = status === 200 ? "usage is still served" : `usage is refused (${status})`;
    return [seenAs("nothing remains, nothing prepaid", answered, summary)];
  }),
  observeEach("OBS-MET-RATIO", everyDocument, inBuckets(ratio)),
  experiment(
    "OBS-MET-SELF",
    Array.from({ length: reads }, (_, nth) => usageRequest({ as: "owner", again: nth })),
    async ({ ask, fresh }) => {
      const first = await ask(fresh(ownersUsage));
      let last = first;
      for (let nth = 1; nth < reads; nth += 1) last = await ask(fresh(ownersUsage));
      return [seenAs(`${reads} reads`, last, perRead(movedBetween(first, last)))];
    },
    { unless: ({ quiet }) => (quiet ? null : needsQuiet), when: "alone" },
  ),
];
