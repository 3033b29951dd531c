// How many answers a figure needs before it is given.

/** Of one vendor: three answers and more lie beyond a percentile then. */
export const fewestAnswers = { p95: 60, p99: 300 } as const;

/** Polls that two vendors both answered, before their order is told: with fewer no interval is narrow enough. */
export const fewestPairs = 30;
