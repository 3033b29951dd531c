// Copies of bodies that pass the proxy, up to bounds of each and of all together.

/** What is held for requests that are under way. */
export interface Copies {
  bytes: number;
}

/** More of a body isn't copied. */
const largestCopy_bytes = 8 * 1024 * 1024;
const allCopies_bytes = 64 * 1024 * 1024;

export function copyIn(all: Copies) {
  let chunks: Buffer[] | null = [];
  let [length, held] = [0, 0];
  const take = (): Buffer | null => {
    const whole = chunks && Buffer.concat(chunks);
    all.bytes -= held;
    [chunks, held] = [null, 0];
    return whole;
  };
  return {
    length: () => length,
    add: (chunk: Buffer): void => {
      length += chunk.length;
      if (length > largestCopy_bytes || all.bytes + chunk.length > allCopies_bytes) chunks = null;
      if (chunks === null) {
        take();
        return;
      }
      chunks.push(chunk);
      held += chunk.length;
      all.bytes += chunk.length;
    },
    /** Null where it is longer, or was taken. */
    take,
  };
}
