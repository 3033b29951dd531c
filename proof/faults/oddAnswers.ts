// Runs in which one answer, or all of a short while, aren't the platform's: what they break
import type { ObservationId, RequirementId } from "../../harness/core/interface.ts";
import type { WireAnswer } from "../../harness/transport/wire.ts";
import { chanceOf } from "../../load/k6/chance.ts";
import { loadSuite } from "../../load/suite.ts";
import type { PlatformProxy, ProxyPassing } from "../../reference/platform/proxy.ts";
import { findingsOfRun, inProcess, virtualStart_ms } from "../inProcess.ts";
import { oneKey, withoutControl } from "../targets.ts";

const page = "<!doctype html><html><title>Log in</title><h1>Log in to continue</h1></html>";
const answer = (status: number, type: string | null, body: string): WireAnswer => ({
  status,
  headers: type === null ? [] : [["content-type", type]],
  body: new TextEncoder().encode(body),
});

/** What a captive portal or an edge answers in the platform's place, by name. */
export const oddAnswers = {
  "a page as JSON": answer(200, "application/json", page),
  "a page without a type": answer(200, null, page),
  "a page as HTML": answer(200, "text/html", page),
  "an empty 200": answer(200, null, ""),
  "a text": answer(200, "text/plain", "OK"),
  "JSON of an edge": answer(200, "application/json", '{"status":"ok"}'),
  "a 403 of an edge": answer(403, "application/json", '{"message":"Forbidden"}'),
  "a 400 of an edge": answer(400, "application/json", '{"message":"Bad Request"}'),
  "a 503 of a gateway": answer(503, "text/html", "<html><title>503</title></html>"),
  "a 504 of a gateway": answer(504, "text/html", "<html><title>504</title></html>"),
} as const;

export type OddAnswer = keyof typeof oddAnswers;

/** Which requests of a run get it; none of them reaches the platform. */
export type OddWhen =
  /** One, counted from 1. */
  | { readonly nth: number }
  /** Each with this chance, by the seed. */
  | { readonly rate: number; readonly seed: number }
  /** All within these ms of virtual time since the run began. */
  | { readonly from_ms: number; readonly until_ms: number };

export interface OddRun {
  readonly odd: OddAnswer;
  readonly when: OddWhen;
  /** What is observed; by default nothing. */
  readonly observe?: readonly ObservationId[];
  /** By default all. */
  readonly only?: readonly RequirementId[];
  /** Whether the target has one key and nothing else. */
  readonly isBare?: boolean;
  readonly hasSchedules?: boolean;
}

export interface OddFindings {
  readonly broken: readonly string[];
  readonly inconclusive: readonly string[];
  /** Those that were observed, alike in both repeats. */
  readonly observed: readonly ObservationId[];
  /** How many requests were sent, and which of them got the odd answer, e.g. `POST / {"jsonrpc":…`. */
  readonly sent: number;
  readonly met: readonly string[];
  readonly took_ms: number;
}

function isMet(when: OddWhen, nth: number, now_ms: number): boolean {
  if ("nth" in when) return nth === when.nth;
  if ("rate" in when) return chanceOf(when.seed, nth - 1) < when.rate;
  return now_ms >= when.from_ms && now_ms < when.until_ms;
}

const described = ({ method, url, body = "" }: ProxyPassing): string =>
  `${method} ${new URL(url).pathname} ${body}`.slice(0, 160);

/** The honest reference, judged as a vendor in virtual time, with odd answers in between. */
export async function oddRun(run: OddRun): Promise<OddFindings> {
  const { odd, when, only, observe = [], isBare = false, hasSchedules = false } = run;
  const met: string[] = [];
  let sent = 0;
  const proxy: PlatformProxy = (serve) => async (request) => {
    sent += 1;
    if (!isMet(when, sent, options.clock.now_ms() - virtualStart_ms)) return serve(request);
    met.push(described(request));
    const { body, ...head } = oddAnswers[odd];
    return { ...head, body: request.method === "HEAD" ? new Uint8Array() : body };
  };
  const options = inProcess(loadSuite, { id: "odd answers", proxy }, { hasSchedules });
  const full = withoutControl(options.target);
  const { verdicts, observed } = await findingsOfRun({
    ...options,
    target: isBare ? oneKey(full) : full,
    observe,
    ...(only && { only }),
  });
  const named = (name: string): readonly string[] =>
    verdicts.flatMap(({ id, verdict }) => (verdict === name ? [id] : []));
  return {
    broken: named("broken"),
    inconclusive: named("inconclusive"),
    observed: observed.flatMap(({ id, state }) => (state === "stable" ? [id] : [])),
    sent,
    met,
    took_ms: options.clock.now_ms() - virtualStart_ms,
  };
}
