// The survivors that are argued one by one in survivors.yaml, held against the code as it is

import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { type AreaEdit, root } from "./areas.ts";

/** An edit; `mutated` is empty where it is left out. */
export interface Argued extends Pick<AreaEdit, "file" | "on" | "original" | "mutated"> {
  /** Which of several edits on lines that read the same; the first unless it says so. */
  readonly nth?: number;
  readonly reason: string;
}

export const argued = (): readonly Argued[] =>
  (parse(readFileSync(`${root}proof/mutation/survivors.yaml`, "utf8")) as readonly Argued[] | null) ?? [];

/** The edit that is argued; undefined where the code no longer has it. */
export const editOf = ({ file, on, original, mutated, nth = 1 }: Argued, edits: readonly AreaEdit[]) =>
  edits.filter(
    (edit) => edit.file === file && edit.on === on && edit.original === original && edit.mutated === mutated,
  )[nth - 1];

/** What is wrong with the list, as sentences. */
export function complaintsOf(all: readonly Argued[], edits: readonly AreaEdit[]): readonly string[] {
  const keys = new Set<string>();
  return all.flatMap((one) => {
    const name = `${one.file}: ${one.original} → ${one.mutated || "nothing"} on "${one.on}"`;
    const edit = editOf(one, edits);
    if (!edit) return [`${name}: the code has no such edit`];
    if (keys.has(edit.key)) return [`${name}: argued twice`];
    keys.add(edit.key);
    return /^[A-Z].{30,}\.$/s.test(one.reason.trim()) ? [] : [`${name}: the reason is no sentence`];
  });
}
