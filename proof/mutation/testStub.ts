// In place of the test runner: collects tests, so that spec files run in this process again and again
import { expect } from "@playwright/test";

type Body = (fixtures: object, info: object) => unknown;

export interface CollectedTest {
  readonly title: string;
  run(): Promise<void>;
}

interface Group {
  readonly titles: readonly string[];
  readonly before: Body[];
  readonly beforeEach: Body[];
  readonly parent: Group | null;
  hasBegun: boolean;
}

export const collected: CollectedTest[] = [];
/** Called when a test is over. */
const afterwards: Body[] = [];

let group: Group = { titles: [], before: [], beforeEach: [], parent: null, hasBegun: false };

async function begin(some: Group): Promise<void> {
  if (some.parent) await begin(some.parent);
  if (!some.hasBegun) for (const hook of some.before) await hook({}, {});
  some.hasBegun = true;
  for (const hook of some.beforeEach) await hook({}, {});
}

const isSlow = (details: unknown): boolean => JSON.stringify(details).includes("@slow");

/** Slow tests and those with details beside a tag are left out, as in `npm test`. */
function test(title: string, ...rest: readonly unknown[]): void {
  const [body, own] = [rest.at(-1) as Body, group];
  if (rest.length > 1 && isSlow(rest[0])) return;
  const run = async (): Promise<void> => {
    await begin(own);
    await body({}, {});
  };
  collected.push({ title: [...own.titles, title].join(" › "), run });
}

function describe(title: string, ...rest: readonly unknown[]): void {
  if (rest.length > 1 && isSlow(rest[0])) return;
  const parent = group;
  group = { titles: [...parent.titles, title], before: [], beforeEach: [], parent, hasBegun: false };
  (rest.at(-1) as () => void)();
  group = parent;
}

const nothing = (): void => {};

const stub = Object.assign(test, {
  describe: Object.assign(describe, { configure: nothing }),
  beforeAll: (hook: Body) => group.before.push(hook),
  beforeEach: (hook: Body) => group.beforeEach.push(hook),
  afterAll: (hook: Body) => afterwards.push(hook),
  setTimeout: nothing,
  use: nothing,
  skip: nothing,
});

export async function finish(): Promise<void> {
  for (const hook of afterwards.splice(0)) await hook({}, {});
}

export { expect, stub as test };
