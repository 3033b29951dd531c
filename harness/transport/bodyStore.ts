// The body store: large bodies of answers, in a file until they are read again, so that a run's memory is bounded.
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Answer } from "./exchange.ts";
import { jsonOf } from "./recording.ts";

/** Hardly any answer is longer; a run keeps a few thousand. */
const usual_chars = 16 * 1024;

/** The work on one answer needs its body many times; parsed it takes several times as much. */
const mostRecent_chars = 4 * 1024 * 1024;

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

  /** The same answer; a long body is read again where something needs it later. */
  kept(answer: Answer): Answer {
    // What holds a key is kept in memory, as no key is written anywhere.
    if (answer.text.length <= usual_chars || answer.shown) return answer;
    const stored = this.#store(answer.text);
    if (stored === null) return answer;
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
  #store(text: string): Stored | null {
    try {
      this.#file ??= openNameless();
      const file = this.#file;
      const at = this.#end;
      const bytes = deflateRawSync(Buffer.from(text, "utf16le"), { level: 1 });
      if (writeSync(file, bytes, 0, bytes.length, at) < bytes.length) return null;
      const { length } = bytes;
      this.#end += length;
      return () => {
        const again = Buffer.alloc(length);
        readSync(file, again, 0, again.length, at);
        return inflateRawSync(again).toString("utf16le");
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
