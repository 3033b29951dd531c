// How far is the load? One moving line on a terminal, a line every ten seconds elsewhere.
import type { Tally } from "../load/traffic/tally.ts";

export interface LoadProgress {
  note(tally: Tally): void;
  end(): void;
}

/** Without a terminal, a line every so many looks, of which there is one a second. */
const linesApart = 10;

export function loadProgressOn(
  stream: NodeJS.WriteStream,
  seconds: number,
  { isQuiet }: { readonly isQuiet: boolean },
): LoadProgress {
  let looks = 0;
  if (isQuiet) return { note: () => {}, end: () => {} };
  return {
    note: ({ phases, broken }) => {
      looks += 1;
      const all = (of: "requests" | "limited" | "failed"): number =>
        phases.reduce((total, phase) => total + phase[of], 0);
      const line = `  ${Math.min(looks, Math.ceil(seconds))} of ${Math.ceil(seconds)} s · ${all("requests")} requests · ${all("limited")} refused for their rate · ${all("failed")} failed · ${broken.size} requirements broken`;
      if (stream.isTTY) stream.write(`\r\u001b[K${line}`);
      else if (looks % linesApart === 0) stream.write(`${line}\n`);
    },
    end: () => {
      if (stream.isTTY) stream.write("\r\u001b[K");
    },
  };
}
