// Benchmark: how processor time grows with the length of what is worked on; with its square nothing of ours may
import type { Ratio } from "./ratio.ts";

/** Less can't be told from what else the process does. */
const shortest_ms = 5;

/** The least processor time that a work took of three. */
async function least_ms(work: () => unknown): Promise<number> {
  const took_ms: number[] = [];
  for (let time = 0; time < 3; time += 1) {
    const before = process.cpuUsage();
    await work();
    took_ms.push(process.cpuUsage(before).user / 1_000);
  }
  return Math.max(shortest_ms, Math.min(...took_ms));
}

interface Lengths {
  readonly short: number;
  readonly long: number;
}

/**
 * Time for the longer work, relative to the shorter.
 * @param atMost well above the ratio of the lengths, well below its square
 */
export async function growthOf(
  name: string,
  { short, long }: Lengths,
  atMost: number,
  workOn: (length: number) => () => unknown,
): Promise<Ratio> {
  const few_ms = await least_ms(workOn(short));
  const many_ms = await least_ms(workOn(long));
  return { name: `${name}, ${long} relative to ${short}`, measured: many_ms / few_ms, bound: { atMost } };
}
