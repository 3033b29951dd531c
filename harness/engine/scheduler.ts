// The scheduler: a readers–writer lock over names, taken all at once, by priority and with backfilling.

/**
 * What a job reads, others may read too; what it writes, no other job reads or writes meanwhile. A name is that of a
 * resource, such as `meter:main`; one that ends in `*` stands for all that begin so.
 */
export interface Locks {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

export interface ScheduledJob<Item> {
  readonly item: Item;
  /** The same object for jobs with the same locks, of which only the first is looked at. */
  readonly locks: Locks;
  /** Lower ones come first. */
  readonly priority: number;
  /** Whether it takes so long that it fills no time before jobs that come first. */
  readonly isLong?: boolean;
}

type Waiting = Omit<ScheduledJob<unknown>, "item">;

const isWithin = (name: string, all: string): boolean => all.endsWith("*") && name.startsWith(all.slice(0, -1));

/** Whether two names have a resource in common. */
const meet = (name: string, other: string): boolean => name === other || isWithin(name, other) || isWithin(other, name);

/** Whether a job with these locks writes a resource of that name. */
export const writesTo = (locks: Locks, name: string): boolean => locks.writes.some((written) => meet(written, name));

/** Whether jobs with these locks can't run side by side. */
export const exclude = (locks: Locks, other: Locks): boolean =>
  [...other.reads, ...other.writes].some((name) => writesTo(locks, name)) ||
  locks.reads.some((name) => writesTo(other, name));

/** As `exclude`, computed once for each two. */
function rememberedExclude(): typeof exclude {
  const results = new WeakMap<Locks, WeakMap<Locks, boolean>>();
  return (locks, other) => {
    const ofLocks = results.get(locks) ?? new WeakMap<Locks, boolean>();
    results.set(locks, ofLocks);
    const result = ofLocks.get(other) ?? exclude(locks, other);
    ofLocks.set(other, result);
    return result;
  };
}

/** The first of those with the same locks. */
function firstOfEach<Item>(jobs: readonly ScheduledJob<Item>[]): readonly ScheduledJob<Item>[] {
  const firsts = new Map<Locks, ScheduledJob<Item>>();
  for (const job of jobs) if (!firsts.has(job.locks)) firsts.set(job.locks, job);
  return [...firsts.values()];
}

/**
 * Which jobs start now: backfilling with reservations (D. Lifka, EASY, 1995). A job starts ahead of those before it,
 * unless one of them waits for later ones alone: its locks are reserved then, so that only what has filled the time
 * until then delays it.
 * @param heads by priority
 */
function startable<Item>(
  heads: readonly ScheduledJob<Item>[],
  running: readonly Waiting[],
  areExclusive: typeof exclude,
): readonly ScheduledJob<Item>[] {
  const started: ScheduledJob<Item>[] = [];
  const reserved: Waiting[] = [];
  for (const head of heads) {
    const isBefore = ({ locks, priority }: Waiting): boolean =>
      priority < head.priority && areExclusive(locks, head.locks);
    if (reserved.some(({ locks }) => areExclusive(locks, head.locks))) continue;
    const blocking = [...running, ...started].filter(({ locks }) => areExclusive(locks, head.locks));
    const isTooLong = head.isLong === true && heads.some(isBefore);
    if (blocking.length === 0 && !isTooLong) started.push(head);
    else if (blocking.every(({ priority }) => priority > head.priority)) reserved.push(head);
  }
  return started;
}

/** Runs all jobs; those of one priority in the order given, as far as their locks allow. */
export async function runJobs<Item>(
  jobs: readonly ScheduledJob<Item>[],
  execute: (item: Item) => Promise<void>,
): Promise<void> {
  const areExclusive = rememberedExclude();
  const waiting = [...jobs].sort((job, other) => job.priority - other.priority);
  const running = new Map<ScheduledJob<Item>, Promise<void>>();
  for (;;) {
    const next = startable(firstOfEach(waiting), [...running.keys()], areExclusive);
    for (const job of next) {
      waiting.splice(waiting.indexOf(job), 1);
      running.set(
        job,
        execute(job.item).finally(() => running.delete(job)),
      );
    }
    if (running.size === 0) return;
    if (next.length === 0) await Promise.race(running.values());
  }
}
