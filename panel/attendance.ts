// Who is there to be asked: a vendor that gives no answer again and again is left out for a while, then tried again.
import type { Clock } from "../harness/core/clock.ts";
import type { Fault } from "../harness/transport/exchange.ts";
import type { Absence } from "./panelReport.ts";

/** Faults of an answer that came; all others cost the time of everyone who is asked the same. */
const answered: ReadonlySet<Fault["kind"]> = new Set(["encoding", "oversized", "other"]);

const mostFailures = 3;
const firstRest_ms = 30_000;
const longestRest_ms = 300_000;
/** Vendors that are back after that come back later than a panel of some rounds waits for. */
const longestWait_ms = 60_000;

interface Presence {
  /** Requests without an answer, one after the other. */
  readonly failures: number;
  readonly rest_ms: number;
  readonly until_ms: number;
}

interface Left extends Pick<Absence, "is" | "polls" | "why"> {
  readonly from_ms: number;
  readonly to_ms: number | null;
}

const present: Presence = { failures: 0, rest_ms: 0, until_ms: Number.NEGATIVE_INFINITY };

/** The members of a panel that can be asked, and since when others can't. */
export class Attendance<Member extends object> {
  readonly #clock: Clock;
  readonly #presences = new Map<Member, Presence>();
  readonly #absences = new Map<Member, Left[]>();
  readonly #leftOut = new Map<Member, Map<Left["is"], Left>>();
  /** Whether the panel ended because too few came back. */
  isGivenUp = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isResting(member: Member): boolean {
    return this.#presenceOf(member).until_ms > this.#clock.now_ms();
  }

  /** After each request of a member. */
  heard(member: Member, fault: Fault | null): void {
    const now_ms = this.#clock.now_ms();
    const { failures, rest_ms } = this.#presenceOf(member);
    const absence = this.#openOf(member);
    if (fault === null || answered.has(fault.kind)) {
      this.#presences.set(member, present);
      if (absence) this.#keep(member, { ...absence, to_ms: now_ms });
      return;
    }
    if (!absence && failures + 1 < mostFailures) {
      this.#presences.set(member, { ...present, failures: failures + 1 });
      return;
    }
    const next_ms = absence ? Math.min(2 * rest_ms, longestRest_ms) : firstRest_ms;
    this.#presences.set(member, { failures: failures + 1, rest_ms: next_ms, until_ms: now_ms + next_ms });
    const why = `${fault.kind}: ${fault.detail}`;
    this.#keep(member, { is: "silent", from_ms: now_ms, to_ms: null, polls: 0, ...absence, why });
  }

  /** A poll to which a member would have been asked, too. */
  missed(member: Member): void {
    const absence = this.#openOf(member);
    if (absence) this.#keep(member, { ...absence, polls: absence.polls + 1 });
  }

  /**
   * A poll without a member that could have answered.
   * @param is `limited`: others didn't wait for it · `spent`: its budget didn't cover the poll
   */
  leftOut(member: Member, is: "limited" | "spent"): void {
    const now_ms = this.#clock.now_ms();
    const all = this.#leftOut.get(member) ?? new Map<Left["is"], Left>();
    const { from_ms = now_ms, polls = 0 } = all.get(is) ?? {};
    const to_ms = is === "spent" ? null : now_ms;
    this.#leftOut.set(member, all.set(is, { is, from_ms, to_ms, polls: polls + 1, why: null }));
  }

  /** When the next of those that rest is asked again, as Unix time in ms; null where it is later than is waited for. */
  nextReturn_ms(isPatient: boolean): number | null {
    const now_ms = this.#clock.now_ms();
    const resting = [...this.#presences.values()].filter(({ until_ms }) => until_ms > now_ms);
    if (resting.length === 0) return now_ms;
    const isLate = resting.every(({ rest_ms }) => rest_ms > longestWait_ms);
    return isLate && !isPatient ? null : Math.min(...resting.map(({ until_ms }) => until_ms));
  }

  /** @param members by their places in the report */
  absencesOf(members: readonly Member[]): readonly Absence[] {
    const instant = (at_ms: number): string => new Date(at_ms).toISOString();
    return members.flatMap((member, vendor) =>
      [...(this.#absences.get(member) ?? []), ...(this.#leftOut.get(member)?.values() ?? [])].map(
        ({ from_ms, to_ms, ...left }) => {
          return { vendor, ...left, from: instant(from_ms), to: to_ms === null ? null : instant(to_ms) };
        },
      ),
    );
  }

  #presenceOf(member: Member): Presence {
    return this.#presences.get(member) ?? present;
  }

  #openOf(member: Member): Left | undefined {
    return this.#absences.get(member)?.find(({ to_ms }) => to_ms === null);
  }

  /** The absence that isn't over is the last one. */
  #keep(member: Member, absence: Left): void {
    const all = this.#absences.get(member) ?? [];
    this.#absences.set(member, [...all.filter(({ to_ms }) => to_ms !== null), absence]);
  }
}
