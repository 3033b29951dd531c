// A rate limit as a probe measures it, and its notation in observations and histories.

export interface MeasuredLimit {
  readonly most: number;
  readonly window_s: number;
}

export const measuredLimitText = ({ most, window_s }: MeasuredLimit): string => `${most} in ${window_s} s`;

const notation = /^(\d+) in ([\d.]+) s$/;

/** Reads what `measuredLimitText` writes, several of them joined by `or`; none in other words. */
export const measuredLimitsIn = (text: string): readonly MeasuredLimit[] =>
  text.split(" or ").flatMap((part) => {
    const [, most, window_s] = notation.exec(part) ?? [];
    return most === undefined ? [] : [{ most: Number(most), window_s: Number(window_s) }];
  });
