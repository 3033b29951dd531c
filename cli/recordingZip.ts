// Recordings in a .zip: Playwright's HAR with the bodies beside it, or any that somebody has packed.
import { posix } from "node:path";
import type { Readable } from "node:stream";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { largestBody_bytes } from "../harness/transport/contentCoding.ts";
import { CutFile, mostUnpacked_bytes, refuseAbove } from "./recordingBytes.ts";

const mostMembers = 200_000;

/** Members of a .zip by their names, without folders. */
export type ZipMembers = ReadonlyMap<string, Entry>;

export interface OpenZip {
  readonly members: ZipMembers;
  stream(name: string): AsyncGenerator<Buffer>;
  /** Null where there is none, or it is too large. */
  body(name: string): Promise<Buffer | null>;
  close(): void;
}

/**
 * @param most_bytes that all that is read of it may unpack to: members may be packed a thousandfold, and read often
 * @throws CommandLineError where it is damaged, or its members have names that lead out of it
 */
export async function openZip(path: string, most_bytes = mostUnpacked_bytes): Promise<OpenZip> {
  try {
    const zip = await openPromise(path, { autoClose: false, lazyEntries: true });
    const members = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.endsWith("/")) members.set(entry.fileName, entry);
      if (members.size > mostMembers) throw new Error(`more than ${mostMembers} files`);
    }
    return readerOf(zip, members, most_bytes);
  } catch (error) {
    throw new CommandLineError(`${path} is a zip that can't be read (${(error as Error).message}). Pack it anew.`);
  }
}

function readerOf(zip: ZipFile, members: ZipMembers, most_bytes: number): OpenZip {
  let unpacked_bytes = 0;
  async function* stream(name: string): AsyncGenerator<Buffer> {
    const entry = members.get(name);
    if (!entry) return;
    try {
      for await (const chunk of (await zip.openReadStreamPromise(entry)) as Readable & AsyncIterable<Buffer>) {
        unpacked_bytes += chunk.length;
        refuseAbove(most_bytes, unpacked_bytes);
        yield chunk;
      }
    } catch (error) {
      throw error instanceof CutFile
        ? error
        : new CutFile(`can't be unpacked to its end (${(error as Error).message})`);
    }
  }
  return {
    members,
    stream,
    close: () => zip.close(),
    body: async (name) => {
      const entry = members.get(name);
      if (!entry || entry.uncompressedSize > largestBody_bytes) return null;
      const chunks: Buffer[] = [];
      for await (const chunk of stream(name)) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
  };
}

/** The file beside another one in the same .zip. */
export const besideIn = (name: string, file: string): string => posix.join(posix.dirname(name), file);
