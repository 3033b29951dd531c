// assay metrics: writes the last nights of histories as OpenMetrics, for Prometheus.
import { Command } from "commander";
import { historiesOf } from "../reports/history/history.ts";
import { openMetricsOf } from "../reports/history/openMetrics.ts";
import { nightsAt } from "./historyFiles.ts";
import type { Invocation } from "./invocation.ts";
import { refuseUnwritable, writeText } from "./writeText.ts";

export const metricsCommand = (invocation: Invocation): Command =>
  new Command("metrics")
    .description("Print the last nights of a history as OpenMetrics, for Prometheus.")
    .argument("<history>", "a history (.jsonl), or a folder of them")
    .option("--out <file>", "write a file instead, such as a .prom file of a node exporter's textfile folder")
    .addHelpText("after", "\nExample:\n  npx assay metrics history --out /var/lib/prometheus/node-exporter/assay.prom")
    .action((place: string, flags: MetricsFlags) => metrics(invocation, place, flags));

interface MetricsFlags {
  readonly out?: string;
}

function metrics(invocation: Invocation, place: string, { out }: MetricsFlags): void {
  const { described } = invocation.project;
  if (out !== undefined) refuseUnwritable("--out", out);
  const nights = nightsAt(invocation, place, described.tables);
  const text = openMetricsOf(historiesOf(nights, described));
  if (out === undefined) invocation.stdout.write(text);
  else writeText(out, text);
}
