// Listeners: called on each event, in the order in which they were added.

export class Listeners<Event> {
  readonly #listeners: ((event: Event) => void)[] = [];

  /** Calls a listener on each event from now on. */
  on(listener: (event: Event) => void): void {
    this.#listeners.push(listener);
  }

  emit(event: Event): void {
    for (const listener of this.#listeners) listener(event);
  }
}
