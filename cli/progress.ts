// Progress of a run or a load: findings as they are made, and how far it is; one moving line on a terminal.
import { sum } from "simple-statistics";
import { clockText, type Wait } from "../harness/core/clock.ts";
import { apiOf, requirementOf } from "../harness/core/interface.ts";
import type { EngineEvent } from "../harness/model/event.ts";
import type { Outage } from "../harness/model/outage.ts";
import type { Verdict } from "../harness/model/verdict.ts";
import { describeOutcome } from "../harness/transport/answers.ts";
import type { Exchange } from "../harness/transport/exchange.ts";
import { requestTitle } from "../harness/transport/rendering.ts";
import type { LoadListener } from "../load/traffic/live.ts";
import { stopBoundsMember } from "../load/traffic/stopping.ts";
import type { TrafficTally } from "../load/traffic/tally.ts";
import { paintFor } from "../reports/document/terminal.ts";
import { counted, inMs, numberText, toTenths } from "../reports/numbers.ts";
import { liveLines } from "../reports/run/terminal.ts";
import { outageNotices } from "../reports/sentences.ts";
import { inert, oneLine } from "../reports/text.ts";
import { kindOf } from "../reports/words.ts";
import type { Invocation, InvokedProject, Output } from "./invocation.ts";

interface Options {
  readonly isQuiet: boolean;
  /** How long it is estimated to take. */
  readonly seconds: number;
}

const barWidth = 24;
/** Without a terminal. */
const betweenLines_ms = 15_000;

function movingLine(stream: Output, { isQuiet, ...options }: Options) {
  const began_ms = performance.now();
  let shown_ms = began_ms;
  let seconds = options.seconds;
  const clear = (): void => void (!isQuiet && stream.isTTY && stream.write("\r\u001b[K"));
  const time = (): string => {
    const elapsed = (performance.now() - began_ms) / 1000;
    const left = elapsed < seconds ? `about ${clockText(seconds - elapsed)} left` : `planned ${clockText(seconds)}`;
    return `${clockText(elapsed)} · ${left}`;
  };
  /** Lines that stay. */
  const print = (lines: readonly string[]): void => {
    clear();
    if (!isQuiet) stream.write(`${lines.map(inert).join("\n")}\n`);
  };
  return {
    /** @param bar shown on a terminal only */
    show: (text: string, bar = ""): void => {
      if (isQuiet) return;
      const now_ms = performance.now();
      if (stream.isTTY)
        stream.write(
          `\r\u001b[K${`  ${bar}${text} · ${time()}`.slice(0, (stream.columns ?? Number.POSITIVE_INFINITY) - 1)}`,
        );
      else if (now_ms - shown_ms >= betweenLines_ms) stream.write(`  ${text} · ${time()}\n`);
      if (stream.isTTY || now_ms - shown_ms >= betweenLines_ms) shown_ms = now_ms;
    },
    print,
    stopping: (reason: string): void =>
      print([
        `  The load is stopped automatically: ${reason}. \`${stopBoundsMember}\` in the target file sets the bounds.`,
      ]),
    /** Corrects the estimate. */
    expect: (estimate: number): void => {
      seconds = estimate;
    },
    end: clear,
  };
}

const waitingText = {
  charges: "waiting for charges to settle",
  schedule: "measuring limits over time",
  limits: "staying within limits",
} as const;

/** What a run waits for, and since when, unless something else is sent meanwhile. */
function waitsSeen({ described }: InvokedProject) {
  let since: (Pick<Wait, "on"> & { readonly from_ms: number }) | null = null;
  const { meter } = described.tables;
  const ofMeter = meter && apiOf(described.tables, meter);
  return {
    note: (event: EngineEvent): void => {
      if (event.event === "exchange" && event.exchange.requestSpec.api !== ofMeter) since = null;
      const isOther = event.event === "waiting" && since?.on !== event.on;
      // Reads that show whether charges have settled stay within limits as well.
      if (isOther && (since === null || event.on !== "limits")) since = { on: event.on, from_ms: performance.now() };
    },
    text: (): readonly string[] => {
      const waited = since && Math.floor((performance.now() - since.from_ms) / 1000);
      return since && waited ? [`${waitingText[since.on]}, ${waited} s so far`] : [];
    },
  };
}

/** A breach, when it is found. */
export function fallenLines(
  { project, stdout }: Invocation,
  verdict: Verdict,
  exchange: Exchange | undefined,
): readonly string[] {
  const { tables } = project.described;
  const asked = exchange && {
    title: requestTitle(exchange.requestSpec, tables),
    outcome: String(exchange.answer?.status ?? describeOutcome(exchange)),
  };
  return liveLines({ ...verdict, ...requirementOf(tables, verdict.id) }, asked, paintFor(stdout));
}

/** How many requirements are judged of those that the target can show, and whether the verdict stands. */
function judgedCounts() {
  const open = new Set<string>();
  const judged = new Set<string>();
  let standing: string | null = null;
  const total = (): number => open.size + judged.size;
  return {
    begin: (tried: readonly string[]): void => {
      for (const id of tried) open.add(id);
    },
    /** What turns out to be withheld can't be shown; what is inconclusive is tried again. */
    note: ({ id, verdict }: Verdict): void => {
      if (!open.has(id) && !judged.has(id)) return;
      for (const ids of [open, judged]) ids.delete(id);
      if (verdict === "inconclusive") open.add(id);
      else if (verdict !== "withheld") judged.add(id);
    },
    /** @param now how the run would end now; null as long as checks are left */
    stand: (now: string | null): void => {
      standing = now;
    },
    // Answers to observations are judged as well, so that only a failure is final.
    text: (): string =>
      standing === null
        ? `${judged.size} of ${total()} judged`
        : `${standing === "passed" ? "passed so far" : standing}; only observing now, Ctrl-C keeps the verdict`,
    bar: (): string => {
      const done = Math.round((judged.size / Math.max(1, total())) * barWidth);
      return `${"█".repeat(done)}${"░".repeat(barWidth - done)} `;
    },
  };
}

export function progressOn(invocation: Invocation, options: Options) {
  const { show, print, expect, stopping, end } = movingLine(invocation.stdout, options);
  const waits = waitsSeen(invocation.project);
  const counts = judgedCounts();
  const reported = new Set<string>();
  const outages = new Set<string>();
  const exchanges = new Map<number, Exchange>();
  let observed = 0;
  let requests = 0;

  const report = (verdict: Verdict): void => {
    if (!["broken", "warned"].includes(kindOf(verdict)) || reported.has(verdict.id)) return;
    reported.add(verdict.id);
    print(fallenLines(invocation, verdict, exchanges.get(verdict.breaches[0]?.exchange ?? 0)));
  };

  /** A lag is told by what it concerns. */
  const noteOutage = (outage: Outage): void => {
    const [sentence = ""] = outageNotices({ outages: [outage] });
    const isNew = outage.by !== "lag" && !outages.has(sentence);
    outages.add(sentence);
    if (isNew) print([`  ${oneLine(sentence)}.`]);
  };

  const draw = (): void => {
    const seen = observed > 0 ? [`${counted(observed, "unspecified behaviour")} observed`] : [];
    show([counts.text(), ...seen, counted(requests, "request"), ...waits.text()].join(" · "), counts.bar());
  };
  let timer: NodeJS.Timeout | undefined;

  return {
    expect,
    stopping,
    /**
     * @param tried ids of the requirements that this target can show
     * @param standingNow how the run would end now; null as long as checks are left
     */
    begin: (lines: readonly string[], tried: readonly string[], standingNow: () => string | null): void => {
      counts.begin(tried);
      timer = setInterval(() => {
        counts.stand(standingNow());
        draw();
      }, 1_000).unref();
      print(lines);
    },
    note: (event: EngineEvent, sent: number): void => {
      requests = sent;
      waits.note(event);
      if (event.event === "exchange") exchanges.set(event.exchange.number, event.exchange);
      if (event.event === "preflight" && !event.preflight.ended)
        print(event.preflight.unusable.map((sentence) => `  ${sentence}.`));
      if (event.event === "outage") noteOutage(event.outage);
      if (event.event === "observation" && event.observation.state === "stable") observed += 1;
      if (event.event === "verdict") {
        counts.note(event.verdict);
        report(event.verdict);
      }
      draw();
    },
    end: (): void => {
      clearInterval(timer);
      end();
    },
  };
}

/** The rate is that of the last stretches. */
const recent_s = 5;

/** `54/s · p95 4.1 ms · 3 rate-limited · 0 failed · 2 requirements broken`, of all generators together. */
function loadLine(tally: TrafficTally): string {
  const { phases, broken } = tally;
  const all = (of: "limited" | "failed"): number => phases.reduce((total, phase) => total + phase[of], 0);
  const stretches = tally.overTime();
  // The last one isn't over yet.
  const ended = stretches.length > 1 ? stretches.slice(0, -1) : stretches;
  const last = ended.slice(-Math.max(1, Math.ceil(recent_s / (ended[0]?.seconds ?? 1))));
  const seconds = Math.max(1, sum(last.map((stretch) => stretch.seconds)));
  const { p95_ms = null } = phases.findLast((phase) => phase.requests > 0) ?? {};
  return [
    `${toTenths(sum(last.map((stretch) => stretch.requests)) / seconds)}/s`,
    `p95 ${p95_ms === null ? "–" : `${inMs(p95_ms)} ms`}`,
    `${numberText(all("limited"))} rate-limited`,
    `${numberText(all("failed"))} failed`,
    ...(broken.size > 0 ? [`${counted(broken.size, "requirement")} broken`] : []),
  ].join(" · ");
}

export function loadProgressOn(invocation: Invocation, options: Options) {
  const { show, print, stopping, end } = movingLine(invocation.stdout, options);
  return {
    onProgress: ({ tally }: { readonly tally: TrafficTally }): void => show(loadLine(tally)),
    onStopped: stopping,
    /** Prints each breach as it is found, and passes it on. */
    printing: (listener: LoadListener): LoadListener => ({
      ...listener,
      broken: (verdict, exchange) => {
        if (["broken", "warned"].includes(kindOf(verdict))) print(fallenLines(invocation, verdict, exchange));
        listener.broken(verdict, exchange);
      },
    }),
    end,
  };
}
