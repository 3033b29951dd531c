// The shards of one run as one: their journals together, as the whole run would have left it.
import { joinedById } from "../core/joined.ts";
import type { Held } from "../engine/sharding.ts";
import { type Observed, observedTogether } from "../model/probe.ts";
import { unjudged, type Verdict, verdictTogether } from "../model/verdict.ts";
import { nothingSpent, type Spent, sumOf } from "../target/budget.ts";
import type { JournalLine, RunEnd, RunStart } from "./journal.ts";
import { spentIn } from "./run.ts";

/** The journal of one shard. */
export interface ShardLines {
  readonly start: RunStart & Required<Pick<RunStart, "shard">>;
  readonly lines: readonly JournalLine[];
}

/** What a shard adds to the journal of all. */
interface MovedShard extends Pick<ShardLines, "lines"> {
  readonly held: Held;
}

const linesOf = <Name extends JournalLine["record"]>(lines: readonly JournalLine[], name: Name) =>
  lines.filter((line): line is Extract<JournalLine, { readonly record: Name }> => line.record === name);

/** The journal of a whole run without its end, and what is known of that. */
interface Merged extends Pick<RunEnd, "spent" | "endedAt"> {
  readonly start: RunStart;
  readonly lines: readonly JournalLine[];
}

/**
 * @param all shards of one run in the order of their numbers, at least one
 * @param command that repeats the whole run
 */
export function mergedOf(all: readonly [ShardLines, ...ShardLines[]], command: string): Merged {
  const [{ start: first }] = all;
  const { shard, ...start } = first;
  const { held } = shard;
  let [last, spent] = [0, nothingSpent];
  const shards = held.map((one, index): MovedShard => {
    const name = `shard ${index + 1} of ${held.length}`;
    const own = all.find((each) => each.start.shard.nth === index + 1)?.lines;
    if (!own) return { held: one, lines: missingLines(one, `${name} is missing`) };
    const found = own.filter(({ record }) => record !== "start" && record !== "end");
    const lines = found.map((line) => movedLine(line, last, spent, name));
    last = linesOf(lines, "exchange").reduce((most, { exchange }) => Math.max(most, exchange.number), last);
    spent = sumOf([spent, spentIn(own)]);
    const isWhole = linesOf(own, "end").length > 0;
    return { held: one, lines: isWhole ? lines : [...lines, cutShort(`${name} didn't end`)] };
  });
  // What the shard that holds it observed, and all others in the answers that they read.
  const observed = joinedById(holdersFirst(shards, observationsIn), observedTogether);
  const verdicts = holdersFirst(shards, verdictsIn);
  const judged = joinedById(verdicts, verdictTogether);
  const merged = all.map(({ start: { id, shard: one }, lines }) => {
    return { nth: one.nth, id, requests: spentIn(lines).requests };
  });
  const missing = held.map((_, index) => index + 1).filter((nth) => !merged.some((one) => one.nth === nth));
  const ends = all.flatMap(({ lines }) => linesOf(lines, "end").map(({ endedAt }) => endedAt));
  const startedAt = all.map((one) => one.start.startedAt).sort()[0] ?? first.startedAt;
  return {
    start: {
      ...start,
      ...{ id: `${first.id}-merged`, command, startedAt, shards: { of: held.length, merged, missing } },
      planned: [
        ...all.flatMap((one) => one.start.planned),
        ...missing.flatMap((nth) => held[nth - 1]?.requirements ?? []),
      ],
      plan: sumOf(all.map((one) => one.start.plan)),
    },
    lines: [
      ...oncePerRun(shards.flatMap(({ lines }) => lines)),
      ...observed.map((observation) => ({ record: "observation", observation }) as const),
      // Those that stand are there already.
      ...judged
        .filter((one) => !verdicts.includes(one))
        .map((verdict) => ({ record: "verdict", verdict, spent }) as const),
    ],
    spent,
    endedAt: ends.sort().at(-1) ?? startedAt,
  };
}

const cutShort = (reason: string) => ({ record: "cutShort", reason }) as const;

/** What a missing shard held is withheld. */
const missingLines = ({ requirements, observations }: Held, reason: string): readonly JournalLine[] => [
  cutShort(reason),
  ...observations.map((id) => {
    return { record: "observation", observation: { id, features: [], state: "withheld", values: [], reason } } as const;
  }),
  ...requirements.map((id) => ({ record: "verdict", verdict: unjudged(id, reason), spent: nothingSpent }) as const),
];

/** A line of one shard in the journal of all: numbered after the exchanges before, with what these cost added. */
function movedLine(line: JournalLine, after: number, before: Spent, name: string): JournalLine {
  const moved = (exchange: number): number => exchange + after;
  if (line.record === "exchange")
    return { ...line, exchange: { ...line.exchange, number: moved(line.exchange.number) } };
  if (line.record === "intermittent") return { ...line, exchange: moved(line.exchange) };
  if (line.record === "cutShort") return cutShort(`${line.reason} (${name})`);
  if (line.record === "load") return { ...line, load: { ...line.load, after: moved(line.load.after ?? 0) } };
  if (line.record !== "verdict") return line;
  const { breaches, exchanges } = line.verdict;
  const verdict = {
    ...line.verdict,
    breaches: breaches.map((breach) => ({ ...breach, exchange: moved(breach.exchange) })),
    exchanges: exchanges.map(moved),
  };
  return { ...line, verdict, spent: sumOf([before, line.spent]) };
}

/** What stands once in a journal: one preflight, one audit, one note on each sample. */
function oncePerRun(lines: readonly JournalLine[]): readonly JournalLine[] {
  const preflights = linesOf(lines, "preflight").map(({ preflight }) => preflight);
  const unusable = [...new Set(preflights.flatMap((one) => one.unusable))];
  const preflight = { unusable, ended: preflights.every(({ ended }) => ended) };
  const audits = linesOf(lines, "audit").map(({ audit }) => audit);
  const withEntries = audits.filter(({ entries }) => entries.length > 0);
  const reasons = new Set((withEntries.length > 0 ? withEntries : audits).flatMap(({ reason }) => reason ?? []));
  const shown = audits.flatMap(({ shownAfter_s }) => shownAfter_s ?? []);
  const audit = {
    entries: audits.flatMap(({ entries }) => entries),
    reason: [...reasons].join("; ") || null,
    ...(shown.length > 0 ? { shownAfter_s: Math.max(...shown) } : {}),
  };
  // What one shard has found counts, though another hasn't.
  const notes = linesOf(lines, "sample");
  const missingFirst = notes.toSorted((a, b) => Number(b.sample.by === "missing") - Number(a.sample.by === "missing"));
  const samples = new Map(missingFirst.map((one) => [one.sample.at, one]));
  const others = lines.filter(({ record }) => !["preflight", "audit", "sample", "observation"].includes(record));
  return [
    ...(preflights.length > 0 ? [{ record: "preflight", preflight } as const] : []),
    ...samples.values(),
    ...others,
    ...(audits.length > 0 ? [{ record: "audit", audit } as const] : []),
  ];
}

/** What was found in all shards, first what each of them holds itself. */
function holdersFirst<One extends { readonly id: string }>(
  shards: readonly MovedShard[],
  foundIn: (lines: readonly JournalLine[]) => readonly One[],
): readonly One[] {
  const found = shards.flatMap(({ held, lines }) => {
    const own: readonly string[] = [...held.requirements, ...held.observations];
    return foundIn(lines).map((one) => ({ one, isOwn: own.includes(one.id) }));
  });
  return found.toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn)).map(({ one }) => one);
}

const observationsIn = (lines: readonly JournalLine[]): readonly Observed[] =>
  linesOf(lines, "observation").map(({ observation }) => observation);

/** The last of a shard on a requirement is its verdict. */
const verdictsIn = (lines: readonly JournalLine[]): readonly Verdict[] =>
  joinedById(
    linesOf(lines, "verdict").map(({ verdict }) => verdict),
    (_, later) => later,
  );
