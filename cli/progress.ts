// Progress of a run or a load: one moving line on a terminal, plain lines now and then elsewhere.
import type { EngineEvent } from "../harness/model/event.ts";
import type { Tally } from "../load/traffic/tally.ts";

interface Quiet {
  readonly isQuiet: boolean;
}

const barWidth = 24;
/** Without a terminal. */
const verdictsPerLine = 20;
/** Without a terminal; there is one tally per second. */
const talliesPerLine = 10;

function movingLine(stream: NodeJS.WriteStream, { isQuiet }: Quiet) {
  return {
    /** @param isDue whether this is printed without a terminal, as `plain` */
    show: (moving: string, isDue: boolean, plain = moving): void => {
      if (isQuiet) return;
      if (stream.isTTY) stream.write(`\r\u001b[K  ${moving}`);
      else if (isDue) stream.write(`  ${plain}\n`);
    },
    end: (): void => {
      if (!isQuiet && stream.isTTY) stream.write("\r\u001b[K");
    },
  };
}

export function progressOn(stream: NodeJS.WriteStream, quiet: Quiet) {
  const { show, end } = movingLine(stream, quiet);
  const judged = new Set<string>();
  let [total, observed] = [0, 0];
  return {
    begin: (line: string, planned: number): void => {
      total = planned;
      if (!quiet.isQuiet) stream.write(`${line}\n`);
    },
    note: (event: EngineEvent, requests: number): void => {
      if (event.event === "observation") {
        observed += 1;
        const line = `${observed} unspecified behaviours observed · ${requests} requests`;
        show(line, observed % verdictsPerLine === 0);
      }
      if (event.event !== "verdict" || judged.has(event.verdict.id)) return;
      judged.add(event.verdict.id);
      const done = Math.min(barWidth, Math.round((judged.size / Math.max(1, total)) * barWidth));
      show(
        `${"█".repeat(done)}${"░".repeat(barWidth - done)} ${judged.size}/${total} judged · ${requests} requests`,
        judged.size === 1 || judged.size % verdictsPerLine === 0,
        `${judged.size} of ${total} judged · ${requests} requests`,
      );
    },
    end,
  };
}

export function loadProgressOn(stream: NodeJS.WriteStream, seconds: number, quiet: Quiet) {
  const { show, end } = movingLine(stream, quiet);
  let tallies = 0;
  return {
    note: ({ phases, broken }: Tally): void => {
      tallies += 1;
      const all = (of: "requests" | "limited" | "failed"): number =>
        phases.reduce((total, phase) => total + phase[of], 0);
      const line = [
        `${Math.min(tallies, Math.ceil(seconds))} of ${Math.ceil(seconds)} s`,
        `${all("requests")} requests`,
        `${all("limited")} rate-limited`,
        `${all("failed")} failed`,
        `${broken.size} requirements broken`,
      ].join(" · ");
      show(line, tallies % talliesPerLine === 0);
    },
    end,
  };
}
