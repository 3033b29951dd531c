// A source file with all its edits at once, each behind a switch that the process turns
import type { Edit } from "./edits.ts";

/** What the sources call: whether an edit is the one that is tried. */
export const switchName = "__isEdited";

/** The outermost first; of those on one place the one that leaves it out. */
const inOrder = ([a]: Numbered, [b]: Numbered): number =>
  a.start - b.start || b.end - a.end || Number(b.form === "element") - Number(a.form === "element");

export type Numbered = readonly [edit: Edit, id: number];

function around({ form, mutated }: Edit, id: number, inner: string): string {
  const isOn = `${switchName}(${id})`;
  switch (form) {
    case "expression":
      return `(${isOn}?(${mutated}):(${inner}))`;
    case "statement":
      // In braces, so that no `else` changes its `if`.
      return `{if(!${isOn}){${inner}}}`;
    case "element":
      return `...(${isOn}?[]:[${inner}])`;
    case "name":
      return `${inner.startsWith("?") ? "?." : ""}[${isOn}?"${mutated.slice(1)}":"${inner.replace(/^\W+/, "")}"]`;
  }
}

/** @param numbered the edits of this text, with the numbers that the switch knows them by */
export function switched(text: string, numbered: readonly Numbered[]): string {
  const left = [...numbered].sort(inOrder);
  const rendered = (start: number, end: number): string => {
    let [out, at] = ["", start];
    for (let next = left[0]; next && next[0].end <= end && next[0].start >= at; next = left[0]) {
      left.shift();
      const [edit, id] = next;
      out += text.slice(at, edit.start) + around(edit, id, rendered(edit.start, edit.end));
      at = edit.end;
    }
    return out + text.slice(at, end);
  };
  return rendered(0, text.length);
}
