// The text of a target file: what a first look at a platform saw, with what each line says of it.
import { Document, parseDocument } from "yaml";
import { type Json, pathFromPointer } from "../harness/core/json.ts";
import type { SampleNote } from "../harness/model/sampleFinder.ts";
import { oneLine } from "../reports/text.ts";

/** A value at a place of a target file, and what is said of it. */
export interface Noted {
  /** A JSON pointer, e.g. `/bases/admin`. */
  readonly at: string;
  readonly value: Json;
  readonly note?: string;
}

/** A comment ends with its line. */
const inOneLine = (text: string): string => ` ${oneLine(text.replaceAll(/\s+/g, " "))}`;

function put(document: Document, { at, value, note }: Noted): void {
  const node = document.createNode(value, { flow: true });
  if (note !== undefined) node.comment = inOneLine(note);
  document.setIn(pathFromPointer(at), node);
}

/** @param lines what stands at the end, a comment for each line */
export function targetText(head: string, all: readonly Noted[], lines: readonly string[]): string {
  const document = new Document({});
  document.commentBefore = inOneLine(head);
  for (const noted of all) put(document, noted);
  document.comment = lines.map(inOneLine).join("\n");
  return document.toString({ lineWidth: 0 });
}

/** What was found, as lines of a target file; what was made or is published needs none. */
export const foundIn = (samples: readonly SampleNote[]): readonly Noted[] =>
  samples.filter(({ by }) => by === "found").map(({ at, value, how }) => ({ at, value, note: how }));

export interface Completed {
  readonly text: string;
  /** Pointers to what was added. */
  readonly added: readonly string[];
  /** Pointers, as they came, to what has no place among samples, or isn't of its sample's form. */
  readonly refused: readonly string[];
}

/**
 * A target file with further samples; what it has stays as it is. Anybody may have written its
 * pointers, values and notes: only the values of samples are taken.
 * @param isTarget whether a text is that of a target file
 */
export function completed(text: string, found: readonly Noted[], isTarget: (text: string) => boolean): Completed {
  return found.reduce<Completed>(
    (done, { at, value }) => {
      const document = parseDocument(done.text);
      const path = pathFromPointer(at);
      const isSample = path[0] === "samples" && path.length > 1;
      if (isSample && document.hasIn(path)) return done;
      if (isSample) put(document, { at, value, note: "found by a run" });
      const changed = document.toString({ lineWidth: 0 });
      return isSample && isTarget(changed)
        ? { ...done, text: changed, added: [...done.added, at] }
        : { ...done, refused: [...done.refused, at] };
    },
    { text, added: [], refused: [] },
  );
}
