// A context of checks on limits whose schedules are answered as letters say
import type { Made } from "../../harness/core/requestSpec.ts";
import type { Check, CheckContext, Shown } from "../../harness/model/check.ts";
import type { Target } from "../../harness/targets/target.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { TimedRequest, TimedResult } from "../../harness/transport/timedRequests.ts";
import { answeredUsage } from "../golden/made.ts";

const refusal = answeredUsage(1, 429);
const documented = { statusCode: 429, message: "ThrottlerException: Too Many Requests", error: "Too Many Requests" };
const parsed = { value: documented, literals: new Map<string, string>(), duplicates: [] };

/** `T`: refused in the documented words. */
const answers: { readonly [letter: string]: Exchange } = {
  S: answeredUsage(1, 200),
  R: refusal,
  U: answeredUsage(1, 403),
  F: { ...refusal, answer: null, fault: { kind: "reset", detail: "made" } },
  T: { ...refusal, answer: refusal.answer && { ...refusal.answer, json: parsed } },
};

/** What was sent, by the name of its schedule. */
export type SentSchedules = Map<string, readonly TimedRequest[]>;

/** @param lettersOf by the name of a schedule: a letter for each request, the last again and again */
export function limitContext(
  target: Target,
  lettersOf: (name: string, requests: readonly TimedRequest[]) => string,
  took_ms = 10,
) {
  const sent: SentSchedules = new Map();
  const made: unknown[] = [];
  const known = new Map<string, unknown>();
  const keys = new Map(target.keys);
  const sendSchedule = async (
    name: string,
    timedRequests: () => Promise<readonly TimedRequest[]>,
  ): Promise<readonly TimedResult[]> => {
    const requests = await timedRequests();
    sent.set(name, requests);
    const letters = lettersOf(name, requests);
    return requests.map(({ at_ms, requestSpec }, nth) => {
      const exchange = answers[letters[Math.min(nth, letters.length - 1)] ?? "S"] ?? refusal;
      return { sent_ms: at_ms, received_ms: at_ms + took_ms, exchange: { ...exchange, requestSpec, number: nth } };
    });
  };
  const context = {
    target: { ...target, keys },
    mostSends: { calls: 0, payments: 0, signatures: 0, deposits: 0 },
    now_ms: () => 0,
    fresh: <RequestSpec>(requestSpec: RequestSpec) => requestSpec,
    // No vendor here serves what only a chain does.
    ask: () => Promise.resolve(answers["U"]),
    sendSchedule,
    project: (wish?: unknown) => {
      made.push(wish);
      const [asker, other] = [`made-${made.length}`, `made-${made.length}0`] as [Made, Made];
      for (const held of [...target.keys.values()].slice(0, 1))
        for (const one of [asker, other]) keys.set(one, { ...held, isMade: true });
      return Promise.resolve({ asker, others: [other] });
    },
    once: (key: string, make: () => unknown) => {
      if (!known.has(key)) known.set(key, make());
      return known.get(key);
    },
  };
  return { context: context as unknown as CheckContext, sent, made };
}

/** What a check shows, or why it can't. */
export async function judgedBy(shown: Promise<readonly Shown[]>): Promise<string> {
  try {
    const [one] = await shown;
    const { finding, exchange } = one ?? {};
    if (finding?.outcome !== "broken") return `${finding?.outcome} by ${exchange?.number}`;
    return `broken by ${exchange?.number} at ${finding.at}: ${finding.expected}, but ${JSON.stringify(finding.got)}`;
  } catch (error) {
    return error instanceof Error ? `${error.constructor.name}: ${error.message}` : String(error);
  }
}

/** The check of a requirement; the first of them unless it says so. */
export const checkOf = (checks: readonly Check[], id: string, nth = 0): Check => {
  const check = checks.filter(({ ids }) => ids.some((one) => one === id))[nth];
  if (!check) throw new Error(`no check of ${id}`);
  return check;
};

/** Three bursts of 12 of which so many are served, and a request after them. */
export const triple = (served: number, rest = "R", after = "S"): string =>
  `${`${"S".repeat(served)}${rest.repeat(12 - served)}`.repeat(3)}${after}`;

/** Runs a check on answers by the name of the schedule, as it begins; anything else is served. */
export async function run(
  check: Check,
  of: Target,
  letters: { readonly [schedule: string]: string } = {},
  took_ms?: number,
) {
  const lettersOf = (name: string): string =>
    Object.entries(letters).find(([begin]) => name.startsWith(`${begin},`))?.[1] ?? "S";
  const { context, sent, made } = limitContext(of, lettersOf, took_ms);
  return { words: await judgedBy(check.run(context)), sent, made, names: [...sent.keys()] };
}
