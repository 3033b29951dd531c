// Shares of requests that got no answer to use: in words, and when one vendor's is surely below another's.
import { sum } from "simple-statistics";
import { intervalOf } from "../../harness/core/interval.ts";
import { numberText, toTenths } from "../numbers.ts";
import { isIntervalBelow } from "./scorecard.ts";

export interface Share {
  readonly have: number;
  readonly of: number;
}

type Named = readonly (readonly [name: string, share: Share])[];

/** `12 of 240`, `none of 240`. */
export const shareText = ({ have, of }: Share): string =>
  `${have === 0 ? "none" : numberText(have)} of ${numberText(of)}`;

const percentText = ({ have, of }: Share): string => `${toTenths(of === 0 ? 0 : (100 * have) / of)} %`;

/** `4.2 % rate-limited, 1.3 % failed`. */
export function refusalText(shares: Named): string {
  const some = shares.filter(([, { have }]) => have > 0);
  return some.length === 0
    ? `none of ${numberText(shares[0]?.[1].of ?? 0)}`
    : some.map(([name, share]) => `${percentText(share)} ${name}`).join(", ");
}

/** Whether the first share is below the second, as their intervals of 95 % say. */
export const isShareBelow = (one: Share, other: Share): boolean =>
  isIntervalBelow(intervalOf(one.have, one.of), intervalOf(other.have, other.of));

/** The same of several shares of one whole together. */
export const sharesApart = (one: Named, other: Named): boolean => isShareBelow(together(one), together(other));

const together = (shares: Named): Share => ({
  have: sum(shares.map(([, { have }]) => have)),
  of: shares[0]?.[1].of ?? 0,
});
