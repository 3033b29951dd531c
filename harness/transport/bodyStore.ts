// The body store: large bodies of answers, in a file until they are read again, so that a run's memory is bounded.
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import type { Answer, Exchange, Fault } from "./exchange.ts";
import { jsonOf } from "./recording.ts";

/** Hardly any answer is longer; a run keeps a few thousand. */
const usual_chars = 16 * 1024;

/** The work on one answer needs its body many times; parsed it takes several times as much. */
const mostRecent_chars = 4 * 1024 * 1024;

/** Of the file: many nights of large answers, and less than a disk has. */
const mostStored_bytes = 2_000_000_000;

/** As cheap as gzip, with a window larger than any body: one that repeats itself takes as little as it took to send. */
const compression = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS },
};

/** Reads a text again. */
type Stored = () => string;
type Body = Pick<Answer, "text" | "json">;

/** Keeps bodies in a file that has no name, so that it ends with the process. */
export class BodyStore {
  #file: number | null = null;
  #end = 0;
  /** Bodies at hand, by what reads them again, the oldest first. */
  readonly #recent = new Map<Stored, Body>();
  #recent_chars = 0;
  readonly #most_bytes: number;

  constructor(most_bytes = mostStored_bytes) {
    this.#most_bytes = most_bytes;
  }

  /** The same exchange; once the file is full, without its answer where that is large. */
  kept(exchange: Exchange): Exchange {
    const { answer } = exchange;
    // What holds a key is kept in memory, as no key is written anywhere.
    if (answer === null || answer.text.length <= usual_chars || answer.shown) return exchange;
    const bytes = brotliCompressSync(answer.text, compression);
    if (this.#end + bytes.length > this.#most_bytes) return { ...exchange, answer: null, fault: this.#full() };
    const stored = this.#store(bytes);
    return stored === null ? exchange : { ...exchange, answer: this.#readAgain(answer, stored) };
  }

  #full(): Fault {
    const most = `the ${this.#most_bytes} bytes that Assay keeps of large bodies`;
    return { kind: "oversized", detail: `answers of this run have filled ${most}; this one was discarded` };
  }

  /** The same answer; its body is read where something needs it later. */
  #readAgain(answer: Answer, stored: Stored): Answer {
    const { text, json, ...rest } = answer;
    // What a closure names is kept, so that none names the body itself.
    const isJson = json !== null;
    const read = (): Body => {
      const again = stored();
      return { text: again, json: isJson ? jsonOf(again) : null };
    };
    this.#note(stored, { text, json });
    const body = (): Body => this.#recent.get(stored) ?? this.#note(stored, read());
    return {
      ...rest,
      get text() {
        return body().text;
      },
      get json() {
        return body().json;
      },
    };
  }

  #note(stored: Stored, body: Body): Body {
    this.#recent.set(stored, body);
    this.#recent_chars += body.text.length;
    for (const [oldest, { text }] of this.#recent) {
      if (this.#recent_chars <= mostRecent_chars || this.#recent.size === 1) break;
      this.#recent.delete(oldest);
      this.#recent_chars -= text.length;
    }
    return body;
  }

  /** Returns a function that reads the text again; null where there is no room for it. */
  #store(bytes: Buffer): Stored | null {
    try {
      this.#file ??= openNameless();
      const file = this.#file;
      const at = this.#end;
      if (writeSync(file, bytes, 0, bytes.length, at) < bytes.length) return null;
      const { length } = bytes;
      this.#end += length;
      return () => {
        const again = Buffer.alloc(length);
        readSync(file, again, 0, again.length, at);
        return brotliDecompressSync(again).toString();
      };
    } catch {
      return null;
    }
  }
}

function openNameless(): number {
  const folder = mkdtempSync(join(tmpdir(), "assay-bodies-"));
  try {
    return openSync(join(folder, "bodies"), "wx+", 0o600);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
