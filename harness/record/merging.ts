// The shards of one run as one: their journals together, as the whole run would have left it.
import type { ObservationId, RequirementId } from "../core/interface.ts";
import type { Held } from "../engine/sharding.ts";
import { type Observed, observedTogether } from "../model/probe.ts";
import type { Verdict } from "../model/verdict.ts";
import { nothingSpent, type Spent, sumOf } from "../target/budget.ts";
import type { JournalLine, RunStart } from "./journal.ts";
import { unjudged } from "./run.ts";

/** The journal of one shard. */
export interface ShardLines {
  readonly start: RunStart & Required<Pick<RunStart, "shard">>;
  readonly lines: readonly JournalLine[];
}

/** What a shard adds to the journal of all. */
interface ShardRecord {
  readonly nth: number;
  readonly lines: readonly JournalLine[];
  readonly observed: ReadonlyMap<ObservationId, Observed>;
  readonly verdicts: ReadonlyMap<RequirementId, Verdict>;
}

const linesOf = <Name extends JournalLine["record"]>(lines: readonly JournalLine[], name: Name) =>
  lines.filter((line): line is Extract<JournalLine, { readonly record: Name }> => line.record === name);
const spentIn = (lines: readonly JournalLine[]): Spent =>
  linesOf(lines, "end")[0]?.spent ?? linesOf(lines, "verdict").at(-1)?.spent ?? nothingSpent;

const shardRecordOf = (nth: number, lines: readonly JournalLine[]): ShardRecord => ({
  nth,
  lines,
  observed: new Map(linesOf(lines, "observation").map(({ observation }) => [observation.id, observation])),
  verdicts: new Map(linesOf(lines, "verdict").map(({ verdict }) => [verdict.id, verdict])),
});

/** The journal of a whole run without its end, and what all shards spent. */
interface Merged {
  readonly start: RunStart;
  readonly lines: readonly JournalLine[];
  readonly spent: Spent;
}

/**
 * @param all shards of one run in the order of their numbers, at least one
 * @param command that repeats the whole run
 */
export function mergedOf(all: readonly [ShardLines, ...ShardLines[]], command: string): Merged {
  const [{ start: first }] = all;
  const { shard, ...start } = first;
  const { held } = shard;
  let [last, before] = [0, nothingSpent];
  const records = held.map((one, index): ShardRecord => {
    const [nth, name] = [index + 1, `shard ${index + 1} of ${held.length}`];
    const own = all.find((each) => each.start.shard.nth === nth)?.lines;
    if (!own) return shardRecordOf(nth, missingLines(one, `${name} is missing`));
    const lines = own.flatMap((line) => movedLine(line, last, before, name));
    last = linesOf(lines, "exchange").reduce((most, { exchange }) => Math.max(most, exchange.number), last);
    before = sumOf([before, spentIn(own)]);
    return shardRecordOf(nth, linesOf(own, "end").length > 0 ? lines : [...lines, cutShort(`${name} didn't end`)]);
  });
  const merged = all.map(({ start: one, lines }) => {
    return { nth: one.shard.nth, id: one.id, requests: spentIn(lines).requests };
  });
  const missing = records.map(({ nth }) => nth).filter((nth) => !merged.some((one) => one.nth === nth));
  return {
    start: {
      ...start,
      ...{ id: `${first.id}-merged`, command, shards: { of: held.length, merged, missing } },
      startedAt: all.map((one) => one.start.startedAt).sort()[0] ?? first.startedAt,
      planned: [
        ...all.flatMap((one) => one.start.planned),
        ...missing.flatMap((nth) => held[nth - 1]?.requirements ?? []),
      ],
      plan: sumOf(all.map((one) => one.start.plan)),
    },
    lines: [
      ...oncePerRun(records.flatMap(({ lines }) => lines)),
      ...observationsOf(records, held).map((observation) => ({ record: "observation", observation }) as const),
      ...verdictsOf(records, held).map((verdict) => ({ record: "verdict", verdict, spent: before }) as const),
    ],
    spent: before,
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
function movedLine(line: JournalLine, after: number, before: Spent, name: string): readonly JournalLine[] {
  const moved = (exchange: number): number => exchange + after;
  if (line.record === "start" || line.record === "end") return [];
  if (line.record === "exchange")
    return [{ ...line, exchange: { ...line.exchange, number: moved(line.exchange.number) } }];
  if (line.record === "intermittent") return [{ ...line, exchange: moved(line.exchange) }];
  if (line.record === "cutShort") return [cutShort(`${line.reason} (${name})`)];
  if (line.record === "load" && line.load.after !== undefined)
    return [{ ...line, load: { ...line.load, after: moved(line.load.after) } }];
  if (line.record !== "verdict") return [line];
  const { breaches, exchanges } = line.verdict;
  const verdict = {
    ...line.verdict,
    breaches: breaches.map((breach) => ({ ...breach, exchange: moved(breach.exchange) })),
    exchanges: exchanges.map(moved),
  };
  return [{ ...line, verdict, spent: sumOf([before, line.spent]) }];
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
  const notes = linesOf(lines, "sample").map(({ sample }) => sample);
  const missingFirst = notes.toSorted((a, b) => Number(b.by === "missing") - Number(a.by === "missing"));
  const samples = new Map(missingFirst.map((one) => [one.at, one]));
  const others = lines.filter(({ record }) => !["preflight", "audit", "sample", "observation"].includes(record));
  return [
    ...(preflights.length > 0 ? [{ record: "preflight", preflight } as const] : []),
    ...[...samples.values()].map((sample) => ({ record: "sample", sample }) as const),
    ...others,
    ...(audits.length > 0 ? [{ record: "audit", audit } as const] : []),
  ];
}

/** The shard that holds something first. */
const holderFirst = (all: readonly ShardRecord[], nth: number | undefined): readonly ShardRecord[] =>
  all.toSorted((a, b) => Number(b.nth === nth) - Number(a.nth === nth));

/** What the shard that holds it observed, and all others in the answers that they read. */
const observationsOf = (all: readonly ShardRecord[], held: readonly Held[]): readonly Observed[] =>
  held.flatMap(({ observations }, index) =>
    observations.flatMap((id) => {
      const [own, ...others] = holderFirst(all, index + 1).map(({ observed }) => observed.get(id));
      const seen = others.filter((one) => one !== undefined);
      return own ? [observedTogether(own, seen)] : [];
    }),
  );

/** The verdicts on what several shards report; all others stand. */
function verdictsOf(all: readonly ShardRecord[], held: readonly Held[]): readonly Verdict[] {
  const holders = new Map(held.flatMap((one, index) => one.requirements.map((id) => [id, index + 1] as const)));
  return [...new Set(all.flatMap(({ verdicts }) => [...verdicts.keys()]))].flatMap((id) => {
    const found = holderFirst(all, holders.get(id)).flatMap(({ verdicts }) => verdicts.get(id) ?? []);
    return found.length > 1 ? [verdictTogether(found)] : [];
  });
}

const ranks = { note: 1, warn: 2, fail: 3 };
const rankOf = ({ verdict, enforced }: Verdict): number => (verdict === "broken" ? ranks[enforced] : 0);

/**
 * What answers to one shard break is broken, whatever the others found; the gravest counts.
 * @param found that of the holder first
 */
function verdictTogether(found: readonly Verdict[]): Verdict {
  const [own] = found;
  if (!own) throw new Error("there is no verdict");
  const broken = found.filter(({ breaches }) => breaches.length > 0);
  const gravest = broken.reduce((most, one) => (rankOf(one) > rankOf(most) ? one : most), broken[0] ?? own);
  return {
    ...gravest,
    breaches: found.flatMap(({ breaches }) => breaches),
    exchanges: found.flatMap(({ exchanges }) => exchanges),
    ...(own.checks ? { checks: own.checks } : {}),
  };
}
