// A run of many results, made of one of few
import { type Run, totalsOf } from "../harness/record/run.ts";

/**
 * The same findings and exchanges, repeated: `count` requirements, each with an exchange of its own, ten per second.
 */
export function repeatedRun(run: Run, count: number): Run {
  const began_ms = Date.parse(run.startedAt);
  // Of a list that isn't empty.
  const at = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item;
  const exchanges = Array.from({ length: count }, (_, index) => ({
    ...at(run.exchanges, index),
    number: index + 1,
    sentAt: new Date(began_ms + index * 100).toISOString(),
  }));
  const held = run.requirements.filter(({ verdict }) => verdict === "holds");
  const requirements = Array.from({ length: count }, (_, index) => {
    const one = index < run.requirements.length ? at(run.requirements, index) : at(held, index);
    const breaches = one.breaches.map((breach) => ({ ...breach, exchange: index + 1 }));
    return {
      ...one,
      id: `${one.id}-${index}` as typeof one.id,
      breaches,
      exchanges: [index + 1, ((index * 7) % count) + 1, ((index * 13) % count) + 1],
    };
  });
  return { ...run, exchanges, requirements, totals: totalsOf(requirements) };
}
