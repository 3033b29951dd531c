// How far is the run? One moving line on a terminal, plain lines elsewhere.
import type { EngineEvent } from "../harness/model/event.ts";

export interface Progress {
  begin(lines: readonly string[], total: number): void;
  note(event: EngineEvent, requests: number): void;
  end(): void;
}

const barWidth = 24;
/** Without a terminal, a line every so many verdicts. */
const linesApart = 20;

export function progressOn(stream: NodeJS.WriteStream, { isQuiet }: { readonly isQuiet: boolean }): Progress {
  const judged = new Set<string>();
  let [total, looked] = [0, 0];
  if (isQuiet) return { begin: () => {}, note: () => {}, end: () => {} };
  return {
    begin: (lines, planned) => {
      total = planned;
      for (const line of lines) stream.write(`${line}\n`);
    },
    note: (event, requests) => {
      if (event.event === "observation") {
        looked += 1;
        if (stream.isTTY) stream.write(`\r\u001b[K  ${looked} open points looked at · ${requests} requests`);
        else if (looked % linesApart === 0) stream.write(`  ${looked} open points looked at · ${requests} requests\n`);
        return;
      }
      if (event.event !== "verdict" || judged.has(event.verdict.id)) return;
      judged.add(event.verdict.id);
      const done = Math.min(barWidth, Math.round((judged.size / Math.max(1, total)) * barWidth));
      if (stream.isTTY)
        stream.write(
          `\r\u001b[K  ${"█".repeat(done)}${"░".repeat(barWidth - done)} ${judged.size}/${total} judged · ${requests} requests`,
        );
      else if (judged.size === 1 || judged.size % linesApart === 0)
        stream.write(`  ${judged.size} of ${total} judged · ${requests} requests\n`);
    },
    end: () => {
      if (stream.isTTY) stream.write("\r\u001b[K");
    },
  };
}
