// Copies of bodies that pass the proxy, up to bounds of each and of all together.

/** More of a body isn't copied. */
const largestCopy_bytes = 8 * 1024 * 1024;
const allCopies_bytes = 64 * 1024 * 1024;

/** @param all counts what is held for requests that are under way */
export function copyIn(all: { bytes: number }) {
  let chunks: Buffer[] | null = [];
  let length = 0;
  const take = (): Buffer | null => {
    const whole = chunks && Buffer.concat(chunks);
    all.bytes -= whole?.length ?? 0;
    chunks = null;
    return whole;
  };
  return {
    length: () => length,
    add: (chunk: Buffer): void => {
      if (length + chunk.length > largestCopy_bytes || all.bytes + chunk.length > allCopies_bytes) take();
      length += chunk.length;
      if (chunks === null) return;
      chunks.push(chunk);
      all.bytes += chunk.length;
    },
    /** Null where it is longer, or was taken. */
    take,
  };
}
