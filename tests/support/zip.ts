// A .zip for tests, its members packed.
import { crc32, deflateRawSync } from "node:zlib";

const numbers = (...parts: readonly (readonly [value: number, bytes: number])[]): Buffer =>
  Buffer.concat(
    parts.map(([value, bytes]) => {
      const buffer = Buffer.alloc(bytes);
      buffer.writeUIntLE(value, 0, bytes);
      return buffer;
    }),
  );

/** APPNOTE 4.3: each member behind its header, then the directory, then its end. */
export function zipOf(members: { readonly [name: string]: string | Buffer }): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(members)) {
    const bytes = Buffer.from(content as string);
    const packed = deflateRawSync(bytes);
    const named = Buffer.from(name);
    // Version, flags, method, time and date, checksum, sizes, lengths of names.
    const both = numbers([20, 2], [0, 2], [8, 2], [0, 4], [crc32(bytes), 4], [packed.length, 4], [bytes.length, 4]);
    const body = Buffer.concat([numbers([0x04034b50, 4]), both, numbers([named.length, 2], [0, 2]), named, packed]);
    directory.push(
      Buffer.concat([
        numbers([0x02014b50, 4], [20, 2]),
        both,
        numbers([named.length, 2], [0, 2], [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]),
        named,
      ]),
    );
    bodies.push(body);
    at += body.length;
  }
  const listed = Buffer.concat(directory);
  const count = directory.length;
  const end = numbers([0x06054b50, 4], [0, 4], [count, 2], [count, 2], [listed.length, 4], [at, 4], [0, 2]);
  return Buffer.concat([...bodies, listed, end]);
}
