// What a vendor sees of a run: broken requirements with requests and answers, but not how we found them.
import type { DeviationReason, Reason } from "../../harness/core/reason.ts";
import type { Breach } from "../../harness/model/verdict.ts";
import type { ExchangeRecord } from "../../harness/record/journal.ts";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { withVariables } from "../curl.ts";
import { type Kind, kindOf } from "../words.ts";

export interface VendorFinding extends Pick<JudgedRequirement, "id" | "sentence" | "clause"> {
  /** When the first answer that breaks it was asked for; null where no answer does by itself. */
  readonly firstSeen: string | null;
  /** Of a known issue: why it is accepted, and until when; null of any other. */
  readonly known: KnownTerms | null;
  readonly answers: readonly BreakingAnswer[];
  /** Further answers that break it. */
  readonly more: number;
}

export interface BreakingAnswer {
  /** In the order of the run's; without the generated case that led there. */
  readonly breaches: readonly Breach[];
  /** Null where the journal lacks it. */
  readonly exchange: ExchangeRecord | null;
  /** A shell line with a variable for each key; a loop where the request was one of a burst. */
  readonly curl: string;
  /** How often the same request was sent within a second of it. */
  readonly times: number;
  /** Headers by which the vendor finds the request in logs of its own. */
  readonly traces: ExchangeRecord["sent"]["headers"];
}

/** The owner and the place of the entry are not the vendor's. */
type KnownTerms = Pick<DeviationReason, "accepted" | "until" | "link">;

const mostAnswers = 3;

/** Of a breach that the list of known deviations has as it came. */
function knownTermsOf(reasons: readonly Reason[]): KnownTerms | null {
  const [terms] = reasons.flatMap((reason) => (reason.kind === "deviation" ? [reason] : []));
  return terms?.state === "expected" ? terms : null;
}

/** Those that fail the run, then known issues: warnings aren't reported to vendors, nor known issues that are fixed. */
export function vendorFindings({ requirements, exchanges }: Run): readonly VendorFinding[] {
  const byNumber = new Map(exchanges.map((exchange) => [exchange.number, exchange]));
  const ofKind = (kind: Kind) => requirements.filter((one) => kindOf(one) === kind);
  return [...ofKind("broken"), ...ofKind("deviates")]
    .filter((one) => one.breaches.length > 0)
    .map(({ id, sentence, clause, breaches, reasons = [] }) => {
      const numbers = [...new Set(breaches.map(({ exchange }) => exchange))];
      const sent = numbers.flatMap((number) => byNumber.get(number)?.sentAt ?? []).sort();
      return {
        id,
        sentence,
        clause,
        firstSeen: sent[0] ?? null,
        known: knownTermsOf(reasons),
        answers: numbers.slice(0, mostAnswers).map((number) =>
          answerOf(
            breaches.filter(({ exchange }) => exchange === number),
            byNumber.get(number) ?? null,
            exchanges,
          ),
        ),
        more: Math.max(0, numbers.length - mostAnswers),
      };
    });
}

const tracing =
  /^date$|^traceparent$|^cf-ray$|^x-amz-cf-id$|(?:^|[-_])(?:request|correlation|trace|transaction)[-_]?id$/i;

function answerOf(
  breaches: readonly Breach[],
  exchange: ExchangeRecord | null,
  all: readonly ExchangeRecord[],
): BreakingAnswer {
  const times = exchange ? burstOf(exchange, all) : 0;
  const line = withVariables(exchange?.curl ?? "");
  return {
    breaches: breaches.map(({ counterexample: _, ...breach }) => breach),
    exchange,
    curl: times > 1 ? `for i in $(seq ${times}); do ${line} & done; wait` : line,
    times,
    traces: exchange?.answer?.headers.filter(([name]) => tracing.test(name)) ?? [],
  };
}

const second_ms = 1_000;

function burstOf({ curl, sentAt }: ExchangeRecord, all: readonly ExchangeRecord[]): number {
  const isNear = (other: string): boolean => Math.abs(Date.parse(other) - Date.parse(sentAt)) < second_ms;
  return all.filter((other) => other.curl === curl && isNear(other.sentAt)).length;
}

/** The variables that its lines name, in alphabetical order. */
export const variablesIn = (findings: readonly VendorFinding[]): readonly string[] =>
  [
    ...new Set(
      findings
        .flatMap(({ answers }) => answers)
        .flatMap(({ curl }) => [...curl.matchAll(/"\$(KEY_\w+)"/g)].map(([, name = ""]) => name)),
    ),
  ].sort();
