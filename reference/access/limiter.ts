// Limiters: a request is admitted, delayed or refused, by one of several algorithms (§8)
import type { Algorithm, LimitRules } from "../platform/limitRules.ts";
import type { Key, Project } from "../platform/project.ts";

/** By what limits may count a request. */
export interface Client {
  readonly project: Project | null;
  readonly key: Key | null;
  readonly address: string;
  readonly connection: object;
}

/** The platform drops the connection instead of answering. */
export class ConnectionReset extends Error {}

interface Connection {
  readonly number: number;
  readonly since_ms: number;
  requests: number;
}

/** The state of those who are counted together. */
const fresh = (now_ms: number, tokens: number) => ({
  /** When requests were served, oldest first; for queued ones, when they will be. */
  served: [] as number[],
  /** When refused requests came. */
  refused: [] as number[],
  window: Number.NEGATIVE_INFINITY,
  current: 0,
  previous: 0,
  tokens,
  at_ms: now_ms,
  bannedUntil_ms: Number.NEGATIVE_INFINITY,
});
type State = ReturnType<typeof fresh>;

/** Whether one more is within the limit; counts it in the state that the algorithm keeps itself. */
type Counting = (state: State, most: number, now_ms: number, rules: LimitRules) => boolean;

const within = (times: readonly number[], now_ms: number, window_ms: number): number =>
  times.filter((at_ms) => now_ms - at_ms < window_ms).length;

/** @param windowAt the window of an instant; a request counts whether or not it is served */
const byWindow =
  (windowAt: (state: State, now_ms: number, rules: LimitRules) => number): Counting =>
  (state, most, now_ms, rules) => {
    const window = windowAt(state, now_ms, rules);
    if (window !== state.window) Object.assign(state, { window, current: 0 });
    state.current += 1;
    return state.current <= most;
  };

const countings: { readonly [A in Algorithm]: Counting } = {
  "sliding log": ({ served }, most, now_ms, { window_ms, seenAfter_ms }) =>
    within(served, now_ms, window_ms) - (seenAfter_ms > 0 ? within(served, now_ms, seenAfter_ms) : 0) < most,
  "sliding log of all that comes": ({ served, refused }, most, now_ms, { window_ms }) =>
    within(served, now_ms, window_ms) + within(refused, now_ms, window_ms) < most,
  "windows at set times": byWindow((_, now_ms, { window_ms }) => Math.floor(now_ms / window_ms)),
  "windows from the first request": byWindow(({ window }, now_ms, { window_ms }) =>
    now_ms - window < window_ms ? window : now_ms,
  ),
  "weighted windows": (state, most, now_ms, { window_ms }) => {
    const place = now_ms / window_ms;
    const window = Math.floor(place);
    if (window !== state.window)
      Object.assign(state, { window, previous: window === state.window + 1 ? state.current : 0, current: 0 });
    if (state.previous * (1 - (place - window)) + state.current + 1 > most) return false;
    state.current += 1;
    return true;
  },
  bucket: (state, most, now_ms, { window_ms, bucket }) => {
    const { burst, perSecond: refill } = bucket ?? { burst: most, perSecond: (most * 1_000) / window_ms };
    state.tokens = Math.min(burst, state.tokens + ((now_ms - state.at_ms) * refill) / 1_000);
    state.at_ms = now_ms;
    if (state.tokens < 1) return false;
    state.tokens -= 1;
    return true;
  },
  "blocks for one window": (state, most, now_ms, rules) => {
    const isIn = countings["windows from the first request"](state, most, now_ms, rules);
    if (!isIn) state.bannedUntil_ms = now_ms + rules.window_ms;
    return isIn;
  },
};

export class Limiter {
  readonly #states = new Map<string, State>();
  readonly #connections = new WeakMap<object, Connection>();
  #connectionsSoFar = 0;

  /** Counts a request: in how many ms it is served, or null where it is refused. */
  admit(what: string, rules: LimitRules, algorithm: Algorithm, client: Client, now_ms: number): number | null {
    if (rules.most === null) return 0;
    const state = this.#state(`${what} ${this.#nameOf(rules.per, client, now_ms)}`, rules, now_ms);
    state.served = state.served.filter(
      (at_ms) => now_ms - at_ms < Math.max(rules.window_ms, rules.besides?.window_ms ?? 0),
    );
    if (rules.excess === "queued") return queued(state, rules.most, rules.window_ms, now_ms);
    const { besides, bucket } = rules;
    const isFirst = rules.first !== null && this.#countBeyondFirst(client, rules.first, now_ms);
    const isBeyond = besides !== null && within(state.served, now_ms, besides.window_ms) >= besides.most;
    const isAdmitted =
      now_ms >= state.bannedUntil_ms &&
      !isFirst &&
      !isBeyond &&
      countings[bucket ? "bucket" : algorithm](state, rules.most, now_ms, rules);
    if (isAdmitted) state.served.push(now_ms);
    else state.refused = [...state.refused.filter((at_ms) => now_ms - at_ms < rules.window_ms), now_ms];
    if (!isAdmitted && rules.ban_ms > 0 && now_ms >= state.bannedUntil_ms) state.bannedUntil_ms = now_ms + rules.ban_ms;
    if (!isAdmitted && rules.excess === "the connection is reset") throw new ConnectionReset();
    return isAdmitted ? 0 : null;
  }

  /** Requests left in the current second of a project. */
  left(what: string, { most, window_ms }: LimitRules, { id }: Project, now_ms: number): number {
    return Math.max(0, (most ?? 0) - within(this.#states.get(`${what} ${id}`)?.served ?? [], now_ms, window_ms));
  }

  #state(name: string, { most, bucket }: LimitRules, now_ms: number): State {
    const state = this.#states.get(name) ?? fresh(now_ms, bucket?.burst ?? most ?? 0);
    this.#states.set(name, state);
    return state;
  }

  #nameOf(per: LimitRules["per"], { project, key, address, connection }: Client, now_ms: number): string {
    const names = {
      project: project?.id ?? "anonymous",
      key: key?.value ?? "none",
      address: `address ${address}`,
      connection: `connection ${this.#connectionOf(connection, now_ms).number}`,
      platform: "all",
    };
    return names[per];
  }

  #connectionOf(connection: object, now_ms: number): Connection {
    const known = this.#connections.get(connection) ?? {
      number: (this.#connectionsSoFar += 1),
      since_ms: now_ms,
      requests: 0,
    };
    this.#connections.set(connection, known);
    return known;
  }

  #countBeyondFirst({ connection }: Client, first: number, now_ms: number): boolean {
    const known = this.#connectionOf(connection, now_ms);
    known.requests += 1;
    return now_ms - known.since_ms < 1_000 && known.requests > first;
  }
}

/** It waits until the request that came `most` before it was served a window ago. */
function queued(state: State, most: number, window_ms: number, now_ms: number): number {
  const before_ms = state.served.at(-most);
  const turn_ms = Math.max(now_ms, before_ms === undefined ? now_ms : before_ms + window_ms);
  state.served.push(turn_ms);
  return turn_ms - now_ms;
}
