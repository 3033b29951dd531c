// Judges recorded exchanges by all laws. A recording can break a requirement, and never verifies one.
import { createHash } from "node:crypto";
import { answerPlaceIn, type Broken, type Finding, shownBroken } from "../core/finding.ts";
import { type Operation, type RequirementId, requirementOf } from "../core/interface.ts";
import { canonical, valueAt } from "../core/json.ts";
import type { Reason } from "../core/reason.ts";
import { Failures, isRefusal } from "../engine/failures.ts";
import type { Law } from "../model/law.ts";
import { type Breach, enforcementOf, unjudgedVerdict, type Verdict, verdictOf } from "../model/verdict.ts";
import type { RecordingReport } from "../record/recording.ts";
import { classOf, describeOutcome, isRateRefusal, isServed, suspicion } from "../transport/answers.ts";
import { type Exchange, headerOf } from "../transport/exchange.ts";
import { type Foreign, foreignnessOf } from "../transport/foreign.ts";
import { matcherFor } from "../transport/matching.ts";
import { unmatched } from "../transport/unmatched.ts";
import type { RecordedCallers } from "./callers.ts";
import { idOf, recordedExchanges } from "./exchanges.ts";
import { habitIn } from "./readings.ts";
import type { Recorded, RecordedEntry } from "./recorded.ts";

interface Options {
  readonly callers: RecordedCallers;
  readonly laws: readonly Law[];
  readonly impliedFails: boolean;
  /** Receives exchanges that are worth being kept, without keys. */
  readonly onExchange: (exchange: Exchange) => void;
  /** Called for each breach that is kept, with what follows from all so far. */
  readonly onBroken?: (verdict: Verdict, exchange: Exchange) => void;
}

/** What is known of one requirement. */
interface Seen {
  /** In how many exchanges it held or was broken. */
  times: number;
  broken: number;
  readonly breaches: Breach[];
  readonly exchanges: number[];
}

/** What was found in a call of a recorded request; a request that makes none counts as one. */
export interface JudgedCall {
  /** Null where it isn't one of the interface. */
  readonly operation: Operation | null;
  /** Null where there is no answer that can be read, either. */
  readonly exchange: Exchange | null;
  /** Null where it was judged. */
  readonly unjudged: string | null;
  readonly held: readonly RequirementId[];
  /** Without keys. */
  readonly broken: readonly (readonly [RequirementId, Broken])[];
}

export const unjudgedCall = (reason: string): JudgedCall => ({
  operation: null,
  exchange: null,
  unjudged: reason,
  held: [],
  broken: [],
});

const mostBreaches = 10;
const mostExamples = 5;
const mostOfAKind = 3;
const mostRemembered = 1_000;
const mostNames = 100;
const mostShown = 50;

export class RecordingJudge {
  readonly #options: Options;
  readonly #match: ReturnType<typeof matcherFor>;
  readonly #seen = new Map<RequirementId, Seen>();
  readonly #failures = new Failures();
  /** Failures of one request that were alike, one after the other, with something served between. */
  readonly #streaks = new Map<string, Readonly<{ failure: Exchange; count: number; served: number }>>();
  readonly #failed = new Set<string>();
  /** Ids of the last JSON-RPC requests, and what they asked. */
  readonly #asked = new Map<string, Readonly<{ question: string; number: number }>>();
  readonly #counts = new Map<string, number>();
  readonly #unjudged = new Map<string, number>();
  readonly #kinds = new Map<string, number>();
  #served = 0;
  #exchanges = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#match = matcherFor(options.callers.target);
  }

  /** Judges what a recording holds at one place. Entries must not be added at the same time. */
  async add(entry: RecordedEntry): Promise<readonly JudgedCall[]> {
    try {
      return "unread" in entry ? [this.#leave(entry.unread)] : await this.#addExchange(entry);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return [this.#leave("a request or an answer nested too deeply, or with too long names, to be read")];
    }
  }

  async #addExchange(entry: Recorded): Promise<readonly JudgedCall[]> {
    const { callers } = this.#options;
    callers.note(entry);
    const found = this.#match(entry);
    const isWebSocket = "status" in entry.answer && entry.answer.status === 101;
    // Browsers call many hosts and paths: the names of some leave room for other reasons.
    if ("unmatched" in found && (found.unmatched === "host" || !isWebSocket))
      return [this.#leave(callers.target.redact(found.says), mostShown, unmatched[found.unmatched])];
    if ("unmatched" in found || isWebSocket) return [this.#leave(unmatched.webSocket)];
    const exchanges = await recordedExchanges(entry, found, callers, this.#exchanges + 1);
    return exchanges.map((exchange, nth) => ({
      ...(typeof exchange === "string" ? this.#leave(exchange) : this.#enter(exchange, entry)),
      operation: found.calls[nth]?.operation ?? null,
    }));
  }

  get report(): Omit<RecordingReport, "sources"> {
    const broken = [...this.#seen].flatMap(([id, seen]) => (seen.broken > 0 ? [{ id, exchanges: seen.broken }] : []));
    return {
      exchanges: this.#exchanges,
      judged: [...this.#counts.values()].reduce((sum, count) => sum + count, 0),
      operations: mostFirst([...this.#counts].map(([operation, exchanges]) => ({ operation, exchanges }))),
      broken: mostFirst(broken),
      unjudged: mostFirst([...this.#unjudged].map(([reason, exchanges]) => ({ reason, exchanges }))),
    };
  }

  verdictOn(id: RequirementId): Verdict {
    const { laws, impliedFails, callers } = this.#options;
    const { times = 0, breaches = [], exchanges = [] } = this.#seen.get(id) ?? {};
    if (breaches.length === 0) {
      const isLaws = laws.some(({ ids }) => ids.includes(id));
      const reason: Reason = isLaws ? { kind: "recorded", exchanges: times } : { kind: "onlyByCheck" };
      return { ...unjudgedVerdict(id, reason), exchanges };
    }
    const requirement = requirementOf(callers.target.interface, id);
    return verdictOf({
      requirement,
      enforced: enforcementOf(requirement, callers.target, impliedFails, breaches),
      outcomes: [{ is: "broken" }],
      breaches,
      exchanges,
      deviation: callers.target.deviations.find((deviation) => deviation.requirement === id),
      // No check judges a recording.
      ran: () => false,
      today: new Date().toISOString().slice(0, 10),
    });
  }

  #leave(reason: string, most = mostNames, others = "other reasons"): JudgedCall {
    this.#exchanges += 1;
    const isNamed = this.#unjudged.has(reason) || this.#unjudged.size < most;
    add(this.#unjudged, isNamed ? reason : others);
    return unjudgedCall(reason);
  }

  #enter(read: Exchange, recorded: Recorded): Omit<JudgedCall, "operation"> {
    const question = questionOf(read, recorded);
    const exchange = this.#marked(read, question);
    const first = suspicion(exchange);
    const foreign = foreignnessOf(exchange);
    const found = this.#findingsOf(exchange, recorded);
    // A single refusal of access may be a proxy's in the platform's form. Of a limit the code alone is judged.
    const isLimit = isRateRefusal(exchange) && exchange.protocol.kind === "json-rpc";
    const isBreaking = [...found.values()].some(({ outcome }) => outcome === "broken");
    const isDoubtful = isRefusal(exchange) && !isLimit && isBreaking;
    if ((first !== null || isDoubtful) && this.#noteFailure(exchange, question))
      return { ...this.#leave("a refusal or failure that is recorded twice"), exchange };
    const isUsual = this.#failures.note(exchange) && foreign?.isJson === true;
    const suspicious = isUsual || foreign?.isOwn ? null : first;
    const doubt = suspicious === null && !isDoubtful ? null : doubtSays(exchange, suspicious);
    const isSure = recorded.isExact || recorded.isConfirmed;
    // Edges have limits of their own, which clients exceed again and again.
    if (foreign && ((foreign.mayBeRecorders && !isSure) || isRateRefusal(exchange)))
      return { ...this.#leave(foreignSays(foreign, exchange)), exchange };
    // A recording can't be asked again: a failure counts once the same request has failed alike often enough.
    if (doubt !== null && this.#countFailure(exchange, question) < this.#failures.enough && !recorded.isConfirmed)
      return { ...this.#leave(doubt), exchange };
    if (doubt === null && this.#streaks.delete(question)) this.#failures.comeAndGone();
    if (doubt === null && isServed(exchange)) this.#served += 1;
    this.#exchanges += 1;
    add(this.#counts, exchange.requestSpec.operation ?? "");
    return this.#record(exchange, found);
  }

  /** The exchange, with the number of the one whose answer it got. */
  #marked(exchange: Exchange, question: string): Exchange {
    const { number, sent, answer } = exchange;
    if (sent.json === undefined) return exchange;
    if (this.#asked.size === mostRemembered) this.#asked.clear();
    this.#asked.set(idOf(sent.json), { question, number });
    const other = this.#asked.get(idOf(answer?.json?.value));
    return other && other.question !== question ? { ...exchange, repeats: other.number } : exchange;
  }

  /** How often in a row the same request has failed alike, others being served between. */
  #countFailure(exchange: Exchange, question: string): number {
    const before = this.#streaks.get(question);
    const isAlike = before !== undefined && this.#failures.areAlike(before.failure, exchange);
    const count = isAlike ? before.count + (this.#served > before.served ? 1 : 0) : 1;
    if (this.#streaks.size === mostRemembered) this.#streaks.clear();
    this.#streaks.set(question, { failure: exchange, count, served: this.#served });
    return count;
  }

  /** Gives whether others have recorded a failure before: recorders write entries twice, and files are named twice. */
  #noteFailure({ recordedAs, sent, sentAt_ms }: Exchange, question: string): boolean {
    if (recordedAs === undefined) return false;
    const failure = `${question} ${idOf(sent.json)} ${sentAt_ms}`;
    const isKnown = this.#failed.has(failure);
    if (this.#failed.size === mostRemembered) this.#failed.clear();
    this.#failed.add(failure);
    return isKnown;
  }

  #findingsOf(exchange: Exchange, { answer }: Recorded): ReadonlyMap<RequirementId, Finding> {
    const found = new Map<RequirementId, Finding>();
    const lacksHeaders = "lacksHeaders" in answer && answer.lacksHeaders;
    const headers = exchange.answer?.headers ?? [];
    const isRecorded = ({ at }: Broken): boolean => {
      const place = answerPlaceIn(at);
      return !lacksHeaders || place.in !== "header" || headerOf({ headers }, place.name) !== undefined;
    };
    for (const law of this.#options.laws)
      for (const [id, finding] of law.judge(exchange))
        if (found.get(id)?.outcome !== "broken" && (finding.outcome === "held" || isRecorded(finding)))
          found.set(id, finding);
    return found;
  }

  #record(exchange: Exchange, findings: ReadonlyMap<RequirementId, Finding>): Omit<JudgedCall, "operation"> {
    const { callers, onExchange, onBroken } = this.#options;
    const { number } = exchange;
    const kind = `${exchange.requestSpec.operation} ${classOf(exchange)}`;
    const isBreaching = [...findings].some(
      ([id, { outcome }]) => outcome === "broken" && (this.#seen.get(id)?.breaches.length ?? 0) < mostBreaches,
    );
    const isKept = isBreaching || add(this.#kinds, kind) <= mostOfAKind;
    if (isKept) onExchange(callers.shown(exchange));
    const held: RequirementId[] = [];
    const broken: (readonly [RequirementId, Broken])[] = [];
    for (const [id, finding] of findings) {
      const seen = this.#seen.get(id) ?? { times: 0, broken: 0, breaches: [], exchanges: [] };
      this.#seen.set(id, seen);
      seen.times += 1;
      if (isKept && seen.exchanges.length < mostExamples) seen.exchanges.push(number);
      if (finding.outcome === "held") {
        held.push(id);
        continue;
      }
      const breach = shownBroken(finding, callers.target.redact);
      broken.push([id, breach]);
      seen.broken += 1;
      if (seen.breaches.length === mostBreaches) continue;
      seen.breaches.push({ ...breach, exchange: number, causedBy: [] });
      onBroken?.(this.verdictOn(id), exchange);
    }
    return { exchange, unjudged: null, held, broken };
  }
}

/** Why a failure isn't judged yet. @param suspicious why it may be no answer of the platform's */
function doubtSays(exchange: Exchange, suspicious: string | null): string {
  const what = describeOutcome(exchange);
  if (isRateRefusal(exchange)) return `a refusal for rate (${what}) that breaks something: limits come and go`;
  return suspicious ?? `a refusal (${what}) whose breach must repeat between served answers to count`;
}

/** Why an answer isn't judged that isn't in the platform's form. */
function foreignSays({ says, mayBeRecorders }: Foreign, exchange: Exchange): string {
  const { answer, recordedAs } = exchange;
  const status = `(HTTP ${answer?.status})`;
  if (isRateRefusal(exchange)) return `a refusal for rate in a form of others ${status}: limits come and go`;
  return answer && recordedAs && mayBeRecorders === "changed" ? `${habitIn(answer.text)} ${status}` : says;
}

const mostFirst = <One extends { readonly exchanges: number }>(all: readonly One[]): readonly One[] =>
  all.toSorted((a, b) => b.exchanges - a.exchanges);

/** Counts one more; gives how many that makes. */
function add(counts: Map<string, number>, name: string): number {
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  return count;
}

/** A digest of a request but for its id, with the key that it carries. */
function questionOf({ requestSpec, sent }: Exchange, { url, headers }: Recorded): string {
  const keys = headers.filter(([name]) => /key|authorization/.test(name));
  const parts = [requestSpec.operation, url, ...keys.flat(), canonical(valueAt(sent.json, "/params") ?? sent.body)];
  return createHash("sha256").update(parts.join(" ")).digest("base64");
}
