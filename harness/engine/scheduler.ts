// The scheduler: starts what may run beside what runs already, the most wanted first.

/** What may run beside it. */
export type Kind = keyof typeof besides;

/**
 * `own`: has projects of its own and takes long · `reads`: reads the meter · `calls`: calls anything else · `bursts`:
 * exceeds limits in projects of its own · `charges`: counts calls · `limits`: exceeds limits that may count all of a
 * project's requests · `rates`: the same for long · `alone`: disturbs others, or reads what all others were answered.
 */
const besides = {
  own: ["own", "reads", "calls", "bursts", "charges", "limits", "rates", "alone"],
  reads: ["own", "reads", "calls"],
  calls: ["own", "reads", "calls"],
  bursts: ["own", "bursts", "charges", "limits"],
  charges: ["own", "bursts"],
  limits: ["own", "bursts", "limits", "rates"],
  rates: ["own", "limits", "rates"],
  alone: ["own"],
} as const satisfies { readonly [kind: string]: readonly string[] };

export interface Job<Item> {
  readonly item: Item;
  readonly kind: Kind;
  /** Jobs of one queue run one after another: of a rank as given, but for those that others would disturb. */
  readonly queue: string;
  /** Lower ones come first; others fill the time in which these can't start. */
  readonly rank: number;
  /** Whether it takes so long that it fills no time before more wanted jobs. */
  readonly isLong?: boolean;
  /** Jobs of one feature share a pace, so that those of a higher rank wait. */
  readonly feature: string;
  /** Names of the projects that it calls; null: any. */
  readonly projects: readonly string[] | null;
}

type Place = Omit<Job<unknown>, "item">;

/** Whether one counts calls, or tries a rate, and the other is about other projects. */
const isApart = ({ kind, projects }: Place, other: Place): boolean =>
  ((kind === "charges" && isOrdinary(other)) || (kind === "rates" && other.kind === "calls")) &&
  !(projects?.some((name) => other.projects?.includes(name) ?? true) ?? true);

const disturb = (one: Place, other: Place): boolean =>
  one.queue === other.queue ||
  !((besides[one.kind] as readonly Kind[]).includes(other.kind) || isApart(one, other) || isApart(other, one)) ||
  (one.feature === other.feature && one.rank !== other.rank && isOrdinary(one) && isOrdinary(other));

const isOrdinary = ({ kind }: Place): boolean => kind === "reads" || kind === "calls";

/**
 * The heads of queues that may start now. Where one waits for less wanted jobs only, no more of these start that would
 * disturb it; others may fill the time until it can.
 */
export function startable<Item>(heads: readonly Job<Item>[], running: readonly Place[]): readonly Job<Item>[] {
  const [started, next]: [Job<Item>[], Place[]] = [[], []];
  for (const head of [...heads].sort((a, b) => a.rank - b.rank)) {
    const before = [...running, ...started].filter((one) => disturb(one, head));
    const isNext = before.every(({ rank }) => rank > head.rank) && !next.some((one) => disturb(one, head));
    const isTooLong = head.isLong && heads.some((one) => one.rank < head.rank && disturb(one, head));
    if (isNext && before.length === 0 && !isTooLong) started.push(head);
    else if (isNext) next.push(head);
  }
  return started;
}

/** Runs all jobs. */
export async function runJobs<Item>(jobs: readonly Job<Item>[], execute: (item: Item) => Promise<void>): Promise<void> {
  const queues = new Map<string, Job<Item>[]>();
  for (const job of jobs) queues.set(job.queue, [...(queues.get(job.queue) ?? []), job]);
  for (const queue of queues.values()) queue.sort((a, b) => a.rank - b.rank);
  const running = new Map<Job<Item>, Promise<void>>();
  /** The next of each queue. */
  const idle = (): readonly Job<Item>[] => {
    const busy = [...running.keys()];
    const isFree = (job: Job<Item>): boolean => !busy.some((one) => disturb(one, job));
    const taken = new Set(busy.map(({ queue }) => queue));
    return [...queues].flatMap(([name, queue]) => {
      const [head] = queue;
      if (!head) return [];
      return [(taken.has(name) ? null : queue.find((one) => one.rank === head.rank && isFree(one))) ?? head];
    });
  };
  for (;;) {
    const next = startable(idle(), [...running.keys()]);
    for (const job of next) {
      const queue = queues.get(job.queue) ?? [];
      queue.splice(queue.indexOf(job), 1);
      running.set(
        job,
        execute(job.item).finally(() => running.delete(job)),
      );
    }
    if (running.size === 0) return;
    if (next.length === 0) await Promise.race(running.values());
  }
}
