// Smooth weighted round robin (as in nginx): each of some items comes as often as it weighs, evenly spaced.

/** Takes turns without end. @returns the place of whose turn it is, each time it is called */
export function weightedTurns(weights: readonly number[]): () => number {
  const all = weights.reduce((total, weight) => total + weight, 0);
  const credit = weights.map(() => 0);
  return () => {
    for (const [nth, weight] of weights.entries()) credit[nth] = (credit[nth] ?? 0) + weight / all;
    const next = credit.indexOf(Math.max(...credit));
    credit[next] = (credit[next] ?? 0) - 1;
    return next;
  };
}
