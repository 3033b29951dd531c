// The text of a target file: what a first look at a platform saw, with what each line says of it.
import { Document, parseDocument } from "yaml";
import { type Json, pathFromPointer } from "../harness/core/json.ts";
import type { SampleNote } from "../harness/model/sampleFinder.ts";

/** A value at a place of a target file, and what is said of it. */
export interface Noted {
  /** A JSON pointer, e.g. `/bases/admin`. */
  readonly at: string;
  readonly value: Json;
  readonly note?: string;
}

const inOneLine = (text: string): string => ` ${text.replaceAll(/\s+/g, " ")}`;

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

/**
 * A target file with further samples; what it has stays as it is.
 * @returns its text, and the places that were added
 */
export function completed(text: string, samples: readonly Noted[]): readonly [text: string, added: readonly string[]] {
  const document = parseDocument(text);
  const added = samples.filter(({ at }) => !document.hasIn(pathFromPointer(at)));
  for (const noted of added) put(document, noted);
  return [document.toString({ lineWidth: 0 }), added.map(({ at }) => at)];
}
