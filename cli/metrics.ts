// assay metrics: writes the last nights of histories as OpenMetrics, for Prometheus.
import { Command } from "commander";
import { historiesOf } from "../reports/history/history.ts";
import { openMetricsOf } from "../reports/history/openMetrics.ts";
import { described } from "./described.ts";
import { nightsAt } from "./historyFiles.ts";
import { refuseUnwritable, writeText } from "./writeText.ts";

export const metricsCommand = (): Command =>
  new Command("metrics")
    .description("Print the last nights of a history as OpenMetrics, for Prometheus.")
    .argument("<history>", "a history (.jsonl), or a folder of them")
    .option("--out <file>", "write a file instead, such as a .prom file of a node exporter's textfile folder")
    .addHelpText("after", "\nExample:\n  npx assay metrics history --out /var/lib/prometheus/node-exporter/assay.prom")
    .action(metrics);

function metrics(place: string, { out }: { readonly out?: string }): void {
  if (out !== undefined) refuseUnwritable("--out", out);
  const nights = nightsAt(place, described.tables);
  const text = openMetricsOf(historiesOf(nights, described));
  if (out === undefined) process.stdout.write(text);
  else writeText(out, text);
}
