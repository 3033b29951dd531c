// Benchmark: memory for reading a large answer in a process of its own, through the real transport
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { onLoopback } from "../proof/loopbackServer.ts";
import type { Peak } from "./answerReader.ts";
import { enlarged, fullPage } from "./page.ts";
import type { Ratio } from "./ratio.ts";

const answer_bytes = 10_000_000;

/** MB above idle. */
const most_mb = 120;

const reader = fileURLToPath(new URL("answerReader.ts", import.meta.url));

export async function measureMemory(): Promise<Ratio> {
  const exchange = await fullPage();
  const small = exchange.answer?.text ?? "";
  const large = enlarged(exchange, answer_bytes);
  const { base, close } = await onLoopback((request, response) => {
    const body = request.url?.startsWith("/large") ? large : small;
    request.resume().on("end", () => response.writeHead(200, { "content-type": "application/json" }).end(body));
  });
  try {
    const args = ["--expose-gc", "--import", "tsx", reader, base];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const { idle_bytes, peak_bytes, read_bytes } = JSON.parse(stdout) as Peak;
    if (read_bytes < answer_bytes) throw new Error(`${read_bytes} bytes were read`);
    return {
      name: `memory for an answer of ${Math.round(read_bytes / 1e6)} MB, above idle`,
      measured: (peak_bytes - idle_bytes) / 1e6,
      bound: { atMost: most_mb },
      unit: "MB",
    };
  } finally {
    await close();
  }
}
