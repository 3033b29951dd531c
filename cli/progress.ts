// Progress of a run: one moving line on a terminal, plain lines elsewhere.
import type { EngineEvent } from "../harness/model/event.ts";

export interface Progress {
  begin(lines: readonly string[], total: number): void;
  note(event: EngineEvent, requests: number): void;
  end(): void;
}

const barWidth = 24;
/** Without a terminal. */
const verdictsPerLine = 20;

export function progressOn(stream: NodeJS.WriteStream, { isQuiet }: { readonly isQuiet: boolean }): Progress {
  const judged = new Set<string>();
  let [total, observed] = [0, 0];
  if (isQuiet) return { begin: () => {}, note: () => {}, end: () => {} };
  return {
    begin: (lines, planned) => {
      total = planned;
      for (const line of lines) stream.write(`${line}\n`);
    },
    note: (event, requests) => {
      if (event.event === "observation") {
        observed += 1;
        const line = `  ${observed} unspecified behaviours observed · ${requests} requests`;
        if (stream.isTTY) stream.write(`\r\u001b[K${line}`);
        else if (observed % verdictsPerLine === 0) stream.write(`${line}\n`);
        return;
      }
      if (event.event !== "verdict" || judged.has(event.verdict.id)) return;
      judged.add(event.verdict.id);
      const done = Math.min(barWidth, Math.round((judged.size / Math.max(1, total)) * barWidth));
      if (stream.isTTY)
        stream.write(
          `\r\u001b[K  ${"█".repeat(done)}${"░".repeat(barWidth - done)} ${judged.size}/${total} judged ` +
            `· ${requests} requests`,
        );
      else if (judged.size === 1 || judged.size % verdictsPerLine === 0)
        stream.write(`  ${judged.size} of ${total} judged · ${requests} requests\n`);
    },
    end: () => {
      if (stream.isTTY) stream.write("\r\u001b[K");
    },
  };
}
