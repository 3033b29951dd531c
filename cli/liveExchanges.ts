// What the proxy's live page shows: a line for each exchange, what was found so far, and why some isn't judged.
import type { Interface } from "../harness/core/interface.ts";
import { isObject, type Json, jsonOrNull } from "../harness/core/json.ts";
import type { Breach } from "../harness/model/verdict.ts";
import type { RecordedCallers } from "../harness/recordings/callers.ts";
import type { JudgedCall } from "../harness/recordings/judge.ts";
import type { Recorded } from "../harness/recordings/recorded.ts";
import { rpcErrorOf } from "../harness/transport/answers.ts";
import { requestTitle } from "../harness/transport/rendering.ts";
import {
  type LiveBreach,
  type LiveCall,
  type LiveExchange,
  type LiveFinding,
  type LiveNames,
  mostListed,
} from "../proxy/livePage.ts";
import { gotText, isMissing, placeName } from "../reports/breach.ts";
import { fewOf } from "../reports/lists.ts";
import { countsOf } from "../reports/numbers.ts";
import { capped, oneLine } from "../reports/text.ts";
import { countedKind, type Kind, kinds, words } from "../reports/words.ts";

const longestText_chars = 300;
const longestRequest_chars = 120;
/** Larger bodies are judged, but not read again for a line of a page. */
const longestRead_chars = 100_000;
const mostBatched = 4;
const mostReasons = 50;
/** A key in an address can't be told from another long word with digits. */
const opaque = /[^/?&=#]{16,}/g;

const short = (text: string, longest_chars = longestText_chars): string => capped(oneLine(text), longest_chars);

/** What was found in an exchange, and of whose calls. */
export interface JudgedExchange {
  readonly recorded: Recorded;
  readonly calls: readonly JudgedCall[];
  readonly callers: RecordedCallers;
  readonly kindOn: (id: JudgedCall["held"][number]) => Kind;
  /** Whose name stands before the request; "" where there is one platform only. */
  readonly platform: string;
}

export class LiveExchanges {
  readonly #counts = new Map<Kind | "unjudged", number>([
    ["holds", 0],
    ["broken", 0],
    ["unjudged", 0],
  ]);
  readonly #operations = new Map<string, number>();
  readonly #reasons = new Map<string, number>();
  readonly #findings = new Map<string, LiveFinding>();
  #fresh: LiveExchange[] = [];
  #number = 0;
  #unlisted = 0;

  add(judged: JudgedExchange): void {
    const { recorded, calls, callers, platform } = judged;
    this.#number += 1;
    const methods = methodsIn(recorded.body);
    const lines: readonly LiveCall[] = calls.map((call) => ({
      title: call.exchange ? requestTitle(call.exchange.requestSpec, callers.target.interface) : "",
      unjudged: call.unjudged === null ? "" : short(callers.target.redact(call.unjudged)),
      held: call.held,
      broken: breachesIn(call, judged),
    }));
    const breaches = lines.flatMap(({ broken }) => broken);
    const isJudged = calls.some(({ unjudged }) => unjudged === null);
    const kind =
      kinds.find((one) => breaches.some((breach) => breach.kind === one)) ?? (isJudged ? "holds" : "unjudged");
    const line: LiveExchange = {
      number: this.#number,
      ...requestIn(judged, methods),
      sentAt_ms: recorded.sentAt_ms,
      status: statusOf(recorded, calls),
      latency_ms: recorded.latency_ms,
      kind,
      calls: [...lines, ...leftOut(methods, calls)],
    };
    count(this.#counts, kind);
    for (const { operation, unjudged } of calls) if (unjudged === null) count(this.#operations, operation?.id ?? "");
    for (const { unjudged } of lines) if (unjudged !== "") this.#leave(unjudged);
    for (const breach of breaches) this.#note(`${platform} ${breach.id}`, breach, line);
    this.#fresh = [...this.#fresh, line].slice(-mostListed);
  }

  /** Counts one that came faster than it could be judged. */
  leaveOut(reason: string): void {
    this.#unlisted += 1;
    count(this.#counts, "unjudged");
    this.#leave(reason);
  }

  /** Those since it was last asked. */
  fresh(): readonly LiveExchange[] {
    const fresh = this.#fresh;
    this.#fresh = [];
    return fresh;
  }

  get state() {
    return {
      unlisted: this.#unlisted,
      counts: [...this.#counts].map(([kind, times]) => ({
        kind,
        count: times,
        text: kind === "unjudged" ? `${times} not judged` : countedKind(times, kind),
      })),
      operations: mostFirst(this.#operations),
      reasons: mostFirst(this.#reasons),
      findings: [...this.#findings.values()].sort(worstFirst),
    };
  }

  #leave(reason: string): void {
    // Reasons may name what a platform answers.
    const isNamed = this.#reasons.has(reason) || this.#reasons.size < mostReasons;
    count(this.#reasons, isNamed ? reason : "other reasons");
  }

  #note(key: string, breach: LiveBreach, { sentAt_ms, request }: LiveExchange): void {
    const { times, ...first } = this.#findings.get(key) ?? { ...breach, sentAt_ms, request, times: 0 };
    this.#findings.set(key, { ...first, kind: breach.kind, times: times + 1 });
  }
}

function count<Name>(counts: Map<Name, number>, name: Name): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

const mostFirst = (counts: ReadonlyMap<string, number>) =>
  [...counts].map(([name, exchanges]) => ({ name: short(name), exchanges })).sort((a, b) => b.exchanges - a.exchanges);

const rankOf = ({ kind }: LiveBreach): number => kinds.findIndex((one) => one === kind);
const worstFirst = (a: LiveBreach, b: LiveBreach): number => rankOf(a) - rankOf(b);

const breachesIn = ({ broken }: JudgedCall, { kindOn }: JudgedExchange): readonly LiveBreach[] =>
  broken
    .map(([id, breach]) => ({
      id,
      kind: kindOn(id),
      place: short(placeName(breach.at)),
      expected: short(breach.expected),
      got: gotIn(breach),
    }))
    .sort(worstFirst);

const gotIn = (breach: Pick<Breach, "got">): string => (isMissing(breach) ? "missing" : short(gotText(breach)));

/** An HTTP status with the error of a JSON-RPC method. */
function statusOf({ answer }: Recorded, calls: readonly JudgedCall[]): string {
  if ("fault" in answer) return "no answer";
  const [call, ...others] = calls;
  const error = call?.exchange && others.length === 0 ? rpcErrorOf(call.exchange) : null;
  return `${answer.status}${error ? `, error ${error.code ?? "without a code"}` : ""}`;
}

type Request = Pick<LiveExchange, "request" | "about" | "line">;

function requestIn({ recorded, calls, callers, platform }: JudgedExchange, methods: Methods | null): Request {
  const shownUrl = callers.shownUrl(recorded.url).replace(/^[a-z]+:\/\/[^/?#]*/i, "");
  const isKnown = calls.some(({ operation }) => operation !== null);
  const projects = [...callers.target.keys.values()].map(({ project }) => project.id);
  const isShown = (word: string): boolean => isKnown || projects.includes(word) || !/\d/.test(word);
  const url = shownUrl.replaceAll(opaque, (word) => (isShown(word) ? word : "…"));
  const line = short(`${recorded.method} ${url}`);
  const method = (called: Called): string => short(callers.target.redact(called.method), longestRequest_chars);
  const named = (request: string, about = ""): Request => ({
    request: platform === "" ? request : `${platform}: ${request}`,
    about,
    line,
  });
  if (methods === null) return named(line);
  const [first] = methods.all;
  if (!methods.isBatch) {
    const isAbout = isKnown && first.params !== undefined;
    return named(method(first), isAbout ? oneLine(callers.shownJson(first.params, longestText_chars)) : "");
  }
  const { shown, rest } = fewOf(methods.all, mostBatched);
  return named(
    `batch of ${methods.all.length}`,
    [...shown.map(method), ...countsOf([rest, "more", "more"])].join(", "),
  );
}

/** What isn't judged of a batch beside its calls. */
function leftOut(methods: Methods | null, calls: readonly JudgedCall[]): readonly LiveCall[] {
  const others = (methods?.all.length ?? 0) - calls.length;
  const one = "request of the batch that isn't an operation of the interface";
  const many = "requests of the batch that aren't operations of the interface";
  return countsOf([others, one, many]).map((unjudged) => ({ title: "", unjudged, held: [], broken: [] }));
}

interface Called {
  readonly method: string;
  readonly params: Json | undefined;
}

interface Methods {
  readonly isBatch: boolean;
  readonly all: readonly [Called, ...Called[]];
}

/** The JSON-RPC methods that a body calls, whether the interface has them or not; null where it calls none. */
function methodsIn(body: string | null): Methods | null {
  const json = body === null || body.length > longestRead_chars ? null : (jsonOrNull(body) as Json);
  const isBatch = Array.isArray(json);
  const requests: readonly Json[] = isBatch ? (json as readonly Json[]) : [json];
  const [first, ...others] = requests.flatMap((one): readonly Called[] => {
    if (!isObject(one) || one["jsonrpc"] === undefined || typeof one["method"] !== "string") return [];
    return [{ method: one["method"], params: one["params"] }];
  });
  return first ? { isBatch, all: [first, ...others] } : null;
}

const namesOfKinds = kinds.map((kind) => [kind, { sign: words[kind].sign, name: words[kind].one }] as const);

export const liveNamesOf = ({ requirements }: Pick<Interface, "requirements">): LiveNames => ({
  kinds: { ...Object.fromEntries(namesOfKinds), unjudged: { sign: "–", name: "not judged" } },
  requirements: Object.fromEntries(requirements.map(({ id, sentence, clause }) => [id, `${sentence} (${clause})`])),
});
