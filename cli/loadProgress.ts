// Progress of a load: one moving line on a terminal, a line every ten seconds elsewhere.
import type { Tally } from "../load/traffic/tally.ts";

export interface LoadProgress {
  note(tally: Tally): void;
  end(): void;
}

/** Without a terminal; there is one tally per second. */
const talliesPerLine = 10;

export function loadProgressOn(
  stream: NodeJS.WriteStream,
  seconds: number,
  { isQuiet }: { readonly isQuiet: boolean },
): LoadProgress {
  let tallies = 0;
  if (isQuiet) return { note: () => {}, end: () => {} };
  return {
    note: ({ phases, broken }) => {
      tallies += 1;
      const all = (of: "requests" | "limited" | "failed"): number =>
        phases.reduce((total, phase) => total + phase[of], 0);
      const line = `  ${[
        `${Math.min(tallies, Math.ceil(seconds))} of ${Math.ceil(seconds)} s`,
        `${all("requests")} requests`,
        `${all("limited")} rate-limited`,
        `${all("failed")} failed`,
        `${broken.size} requirements broken`,
      ].join(" · ")}`;
      if (stream.isTTY) stream.write(`\r\u001b[K${line}`);
      else if (tallies % talliesPerLine === 0) stream.write(`${line}\n`);
    },
    end: () => {
      if (stream.isTTY) stream.write("\r\u001b[K");
    },
  };
}
