// Findings of a panel: standings by question and vendor, lags, latencies, and the polls in which vendors differed.
import type { Interface } from "../harness/core/interface.ts";
import { recordOf } from "../harness/record/journal.ts";
import { classOf } from "../harness/transport/answers.ts";
import { agreementIn, type Vote } from "./agreement.ts";
import { backwardsIn, type OwnAnswer, ownAnswerOf, replacedIn } from "./backwards.ts";
import { differencesIn } from "./differing.ts";
import { freshnessIn, type Sighting } from "./freshness.ts";
import { PanelLatencies } from "./latencies.ts";
import { type Meaning, meaningOf, votesOf } from "./meaning.ts";
import { type Dissent, type PanelReport, type Standing, type StandingCounts, standings } from "./panelReport.ts";
import type { Poll, Reply } from "./polling.ts";
import type { PolledQuestion } from "./questions.ts";

/** Of each question, the exchanges of the first polls that differ and of the latest are kept. */
const firstKept = 20;
const mostKept = 30;
const mostDissents = 60;
const mostBody_chars = 4_000;

/** All polls of a question, as far as they are remembered. */
interface Known {
  readonly question: PolledQuestion;
  readonly polls: {
    readonly votes: readonly Vote[];
    readonly others: readonly (Standing | null)[];
    readonly own: readonly OwnAnswer[];
  }[];
  readonly kept: (Pick<Dissent, "exchanges" | "differences" | "differing"> & { readonly nth: number })[];
}

export type PollFinding = Pick<
  PanelReport,
  "rounds" | "questions" | "freshness" | "latencies" | "leads" | "backwards" | "dissents" | "apart"
>;

/** Of an answer that isn't compared, by its class. */
const standingBy = {
  served: "incomparable",
  refused: "refused",
  limited: "rate-limited",
  failed: "unavailable",
} as const;

export class PanelFindings {
  readonly #vendors: readonly number[];
  readonly #reference: number | null;
  readonly #tables: Interface;
  readonly #known = new Map<string, Known>();
  readonly #sightings = new Map<string, Sighting[][]>();
  readonly #own: OwnAnswer[] = [];
  readonly #latencies = new PanelLatencies();
  #apart = 0;
  #rounds = 0;

  /** @param vendors how many there are */
  constructor(vendors: number, reference: number | null, tables: Interface) {
    this.#vendors = [...Array(vendors).keys()];
    this.#reference = reference;
    this.#tables = tables;
  }

  add({ question, round, replies, isTogether }: Poll): void {
    this.#rounds = round + 1;
    const { id, operation } = question;
    const served = replies.filter(({ exchange }) => classOf(exchange) === "served");
    const own = served.flatMap((reply) => ownAnswerOf(operation, reply) ?? []);
    if (!isTogether) {
      // Going back is about one vendor alone: it doesn't matter when others were asked.
      this.#own.push(...own);
      this.#apart += 1;
      return;
    }
    const meanings = served.flatMap((reply): (readonly [Reply, Meaning])[] => {
      const meaning = meaningOf(reply.exchange, question.limit);
      return meaning ? [[reply, meaning]] : [];
    });
    const votes = votesOf(meanings.map(([{ vendor }, meaning]) => [vendor, meaning]));
    const byVendor = this.#vendors.map((vendor) => replies.find((one) => one.vendor === vendor));
    const others = byVendor.map((reply) => (reply ? standingBy[classOf(reply.exchange)] : null));
    const isDivided = new Set(votes.map(({ value }) => value)).size > 1;
    const exchanges = byVendor.map((reply) =>
      reply && isDivided ? recordOf(reply.exchange, this.#tables, mostBody_chars) : null,
    );
    const answers = meanings.map(([{ vendor, exchange }, meaning]) => ({ vendor, exchange, meaning }));
    const differing = isDivided ? differencesIn(answers) : null;
    // Nothing is kept of a poll before all of it is read.
    const known = this.#known.get(id) ?? { question, polls: [], kept: [] };
    this.#known.set(id, known);
    this.#own.push(...own);
    const nth = known.polls.push({ votes, others, own }) - 1;
    if (differing) {
      known.kept.push({ nth, exchanges, ...differing });
      if (known.kept.length > mostKept) known.kept.splice(firstKept, 1);
    }
    this.#latencies.add(
      operation,
      served.map(({ vendor, exchange, isCold }) => ({ vendor, ms: exchange.latency_ms, isCold })),
    );
    const sightings = meanings.map(([{ vendor, exchange, received_ms }, { slot }]) => {
      return { vendor, slot, sent_ms: exchange.sentAt_ms, received_ms };
    });
    const all = this.#sightings.get(operation) ?? [];
    this.#sightings.set(operation, all);
    all.push(sightings);
  }

  get progress(): string {
    const polls = [...this.#known.values()].reduce((total, one) => total + one.polls.length, 0);
    return `round ${this.#rounds}, ${polls} polls`;
  }

  /** @param replayOf the command that repeats one question */
  report(replayOf: (question: string) => string): PollFinding {
    const judged = [...this.#known.values()].map((known) => this.#judged(known, replayOf));
    const dissents = judged.flatMap((one) => one.dissents);
    const isOfWrong = (one: Dissent): boolean => one.standings.includes("wrong");
    const freshness = [...this.#sightings].flatMap(([operation, polls]) => {
      const lags = freshnessIn(polls, this.#reference);
      return lags.length > 0 ? [[operation, lags] as const] : [];
    });
    return {
      rounds: this.#rounds,
      questions: judged.map(({ question }) => question),
      freshness: Object.fromEntries(freshness),
      latencies: this.#latencies.latencies,
      leads: this.#latencies.leads,
      backwards: backwardsIn(this.#own, new Set(judged.flatMap(({ replaced }) => replaced))),
      dissents: [...dissents.filter(isOfWrong), ...dissents.filter((one) => !isOfWrong(one))].slice(0, mostDissents),
      apart: this.#apart,
    };
  }

  #judged({ question: { id, operation, about }, polls, kept }: Known, replayOf: (question: string) => string) {
    const votes = polls.map((poll) => poll.votes);
    const found = agreementIn(votes, this.#vendors.length, this.#reference);
    const all = polls.map(({ others }, nth) =>
      others.map((other, vendor) => {
        const at = votes[nth]?.findIndex((vote) => vote.vendor === vendor) ?? -1;
        return found.standings[nth]?.[at] ?? other;
      }),
    );
    const counts = this.#vendors.map((vendor) => {
      const own = all.map((one) => one[vendor]);
      const counted = standings.map((one) => [one, own.filter((other) => other === one).length]);
      return Object.fromEntries(counted) as StandingCounts;
    });
    // Of each group of vendors that differed, the first poll, or the first in which one was wrong: the last here.
    const isWrong = ({ nth }: (typeof kept)[number]): number => Number(all[nth]?.includes("wrong"));
    const groupOf = ({ nth }: (typeof kept)[number]): string => String(all[nth]?.map((one) => one === "agrees"));
    const sorted = kept.toReversed().sort((a, b) => isWrong(a) - isWrong(b));
    const shown = [...new Map(sorted.map((one) => [groupOf(one), one])).values()];
    const dissents = shown.map(({ nth, ...differed }): Dissent => {
      return { question: id, standings: all[nth] ?? [], ...differed, replay: replayOf(id) };
    });
    const question = { id, operation, about, polls: polls.length, counts, splits: found.splits };
    const replaced = replacedIn(votes, found, this.#reference).flatMap(
      ([nth, vendor]) => polls[nth]?.own.filter((answer) => answer.vendor === vendor) ?? [],
    );
    return { question, dissents, replaced };
  }
}
