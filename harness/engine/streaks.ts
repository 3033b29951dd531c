// Streaks: how often in a row each operation has answered alike

export class Streaks<Kind> {
  readonly #last = new Map<string | null, { readonly kind: Kind; readonly count: number }>();

  /** The length of the operation's streak, with an answer of this kind added. */
  note(operation: string | null, kind: Kind): number {
    const before = this.#last.get(operation);
    const count = before && before.kind === kind ? before.count + 1 : 1;
    this.#last.set(operation, { kind, count });
    return count;
  }
}
