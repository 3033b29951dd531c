// What a load finds while it is sent, passed on at once: nothing of it is lost where the load has no end.
import { realClock } from "../../harness/core/clock.ts";
import type { Verdict } from "../../harness/model/verdict.ts";
import type { LoadReport } from "../../harness/record/load.ts";
import type { Spent } from "../../harness/targets/budget.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { TrafficShown } from "../k6/orders.ts";
import { secondsOfPhases } from "../shapes/shapes.ts";
import { findingsOf } from "./findings.ts";
import type { MixShare } from "./mix.ts";
import { countedReport, doubtedFor, type LoadReporting, spentBy } from "./report.ts";
import type { TrafficTally } from "./tally.ts";
import { type ShownExchange, shownExchangeOf } from "./traffic.ts";

export interface LoadListener {
  /** A whole answer, as it came. */
  exchange(exchange: Exchange): void;
  /** The first breach of a requirement. */
  broken(verdict: Verdict, exchange: Exchange): void;
  /** What was counted so far. */
  report(report: LoadReport, spent: Spent): void;
}

/** How many reports there are of a load while it is sent; at least one every ten seconds. */
const mostReports = 30;
const longestBetween_s = 10;

/** Passes findings on to a listener; keeps the whole answers for the end. */
export class LiveFindings {
  readonly #reporting: LoadReporting;
  readonly #listener: LoadListener;
  readonly #between_s: number;
  readonly #length_s: number;
  readonly #broken = new Set<string>();
  readonly #shown: ShownExchange[] = [];
  #sinceReport_s = 0;
  /** Answers become exchanges one after another. */
  #entering: Promise<void> = Promise.resolve();

  constructor(reporting: LoadReporting, listener: LoadListener) {
    this.#reporting = reporting;
    this.#listener = listener;
    this.#length_s = secondsOfPhases(reporting.plan.phases);
    this.#between_s = Math.min(longestBetween_s, Math.ceil(this.#length_s / mostReports));
  }

  add(shown: TrafficShown, share: MixShare): void {
    this.#entering = this.#entering.then(() => this.#enter(shown, share));
  }

  /** Called every second. */
  progress(tally: TrafficTally): void {
    this.#sinceReport_s += 1;
    if (this.#sinceReport_s < this.#between_s || tally.requests === 0) return;
    this.#sinceReport_s = 0;
    const after_s = tally.sentFor_s;
    const summary = { iterations: tally.requests, droppedIterations: 0, requests: tally.requests };
    const soFar = { tally, summary, stopped: { reason: "", after_s, isAutomatic: false } };
    const { report } = countedReport(this.#reporting, soFar, { isComplete: true, untimely: null });
    const doubt = doubtedFor({ kind: "loadEnded", by: null, after_s, of_s: Math.round(this.#length_s) });
    this.#listener.report({ ...report, ...doubt }, spentBy(this.#reporting, soFar));
  }

  /** All whole answers, once they are exchanges. */
  async all(): Promise<readonly ShownExchange[]> {
    await this.#entering;
    return this.#shown;
  }

  async #enter(trafficShown: TrafficShown, share: MixShare): Promise<void> {
    const { target } = this.#reporting;
    const shown = await shownExchangeOf(target, share, trafficShown, this.#shown.length + 1);
    this.#shown.push(shown);
    this.#listener.exchange(shown.exchange);
    if (!shown.broken?.some((id) => !this.#broken.has(id))) return;
    const { verdicts } = findingsOf([shown], { ...this.#reporting, clock: realClock, doubt: null, untried: [] });
    for (const verdict of verdicts.filter(({ id, breaches }) => breaches.length > 0 && !this.#broken.has(id))) {
      this.#broken.add(verdict.id);
      this.#listener.broken(verdict, shown.exchange);
    }
  }
}
