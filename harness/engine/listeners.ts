// Listeners: who is told of events, in the order in which they asked for it.

export class Listeners<Event> {
  readonly #listeners: ((event: Event) => void)[] = [];

  /** Tells a listener of each event from now on. */
  on(listener: (event: Event) => void): void {
    this.#listeners.push(listener);
  }

  emit(event: Event): void {
    for (const listener of this.#listeners) listener(event);
  }
}
