// How long new connections to each vendor take, phase by phase: histograms that can be pooled.
import { decodeFromCompressedBase64, encodeIntoCompressedBase64, type Histogram } from "hdr-histogram-js";
import { classOf } from "../harness/transport/answers.ts";
import { newHistogram, recordInto } from "./latencies.ts";
import type { ConnectionPhase, PanelReport } from "./panelReport.ts";
import type { Poll } from "./polling.ts";

type Of = Pick<ConnectionPhase, "vendor" | "phase">;

/** The connections of one panel, or of several pooled. */
export class PanelConnections {
  readonly #histograms = new Map<string, Of & { readonly all: Histogram }>();

  /** Adds those that were made for served answers, as latencies do. */
  add({ replies }: Pick<Poll, "replies">): void {
    for (const { vendor, exchange, connection } of replies) {
      if (connection === null || classOf(exchange) !== "served") continue;
      const { dns_ms, connect_ms, tls_ms } = connection;
      const server_ms = exchange.latency_ms - (dns_ms ?? 0) - connect_ms - (tls_ms ?? 0);
      const phases = { dns: dns_ms, connect: connect_ms, tls: tls_ms, server: Math.max(0, server_ms) };
      for (const [phase, ms] of Object.entries(phases))
        if (ms !== null) recordInto(this.#histogramOf({ vendor, phase: phase as keyof typeof phases }), ms);
    }
  }

  /** Adds those of another panel of the same vendors. */
  addAll({ connections = [] }: Pick<PanelReport, "connections">): this {
    for (const { histogram, ...of } of connections) this.#histogramOf(of).add(decodeFromCompressedBase64(histogram));
    return this;
  }

  get connections(): readonly ConnectionPhase[] {
    return [...this.#histograms.values()].map(({ all, ...of }) => {
      const p50_ms = all.getValueAtPercentile(50) / 1_000;
      return { ...of, count: all.totalCount, p50_ms, histogram: encodeIntoCompressedBase64(all) };
    });
  }

  #histogramOf({ vendor, phase }: Of): Histogram {
    const name = `${vendor} ${phase}`;
    const known = this.#histograms.get(name) ?? { vendor, phase, all: newHistogram() };
    this.#histograms.set(name, known);
    return known.all;
  }
}
