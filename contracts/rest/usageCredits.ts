// Do the credit figures follow the ledger? Projects of their own, exact expectations. (§2.1; register §1)
import Big from "big.js";
import { type Bench, type Check, check, keptByUs, type Shown, scenario, Withheld } from "../../harness/check.ts";
import type { MadeProject, ProjectWish } from "../../harness/control.ts";
import type { Exchange } from "../../harness/exchange.ts";
import { type Finding, held, must, near } from "../../harness/finding.ts";
import { exactAt, type Json, valueAt } from "../../harness/json.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { usage } from "../stimuli.ts";

const ownersUsage = usage({ as: "owner" });

/** One scenario's project, and fresh reads of its usage. */
export interface Desk {
  readonly project: MadeProject;
  read(headers?: readonly (readonly [string, string])[]): Promise<Exchange>;
}

/** A scenario with a project of its own; `reads` tells about how often its usage is read. */
export const withProject = (ids: RequirementId | readonly RequirementId[], reads: number, wish: ProjectWish, run: (desk: Desk, bench: Bench) => Promise<readonly Shown[]>): Check =>
  scenario(ids, { asks: [ownersUsage], control: { reads } }, async (bench) => run(await deskOf(bench, wish), bench));

export async function deskOf(bench: Bench, wish: ProjectWish): Promise<Desk> {
  const project = await bench.project(wish);
  let again = 0;
  return {
    project,
    read: async (headers = []) => {
      again += 1;
      const exchange = await bench.ask({ ...usage({ as: project.asker, again }), ...(headers.length ? { headers } : {}) });
      if (exchange.answer?.status !== 200) throw new Withheld(`hidden: a made project's usage was answered ${exchange.answer?.status}`);
      return exchange;
    },
  };
}

/** The exact value of a figure; undefined where the answer has none. */
const figure = ({ answer }: Exchange, at: string): Big | undefined => (answer?.json ? exactAt(answer.json, at) : undefined);

/** What is no number hides whether it is the right one. */
function numberAt(exchange: Exchange, at: string): Big {
  const got = figure(exchange, at);
  if (!got) throw new Withheld(`hidden: ${at} is no number`);
  return got;
}

const numberIs = (exchange: Exchange, at: string, expected: Big | string | number, within = 0): Shown => ({
  exchange,
  finding: near(at, numberAt(exchange, at), new Big(expected), { within }),
});

/** To the nearest whole, ties either way. */
const rounded = (exchange: Exchange, at: string, exact: Big | string | number): Shown => numberIs(exchange, at, exact, 0.5);

const counters = ["/creditsUsed", "/prepaidCreditsUsed"];
const groups = ["/credits", "/requests", "/dataTransfer"];

const valueIn = ({ answer }: Exchange, at: string): Json | undefined => valueAt(answer?.json?.value, at);

/** Every consumption figure of an answer, by pointer. */
function countersOf(exchange: Exchange): ReadonlyMap<string, Big> {
  const places = groups.flatMap((group) => {
    const products = valueIn(exchange, group);
    return typeof products === "object" && products !== null ? Object.keys(products).map((name) => `${group}/${name}`) : [];
  });
  const figures = [...counters, ...places].map((at) => [at, figure(exchange, at)] as const);
  return new Map(figures.flatMap(([at, value]) => (value ? [[at, value] as const] : [])));
}

/** Within one cycle nothing falls. */
function nothingFell(before: Exchange, after: Exchange): Shown {
  if (valueIn(before, "/creditCycle/start") !== valueIn(after, "/creditCycle/start")) return { exchange: after, finding: held };
  const later = countersOf(after);
  const fallen = [...countersOf(before)].find(([at, value]) => later.get(at)?.lt(value));
  const finding: Finding = fallen ? must(false, fallen[0], `at least ${fallen[1].toFixed()}, as read before`, later.get(fallen[0])) : held;
  return { exchange: after, finding };
}

export const checks: readonly Check[] = [
  check(["CRD-REM-01", "CRD-REM-03", "CRD-SUM-01", "CRD-REM-02"], ownersUsage),
  check("CRD-USE-01", usage({ as: "paid" })),
  check("CRD-LIM-01", usage({ as: "paid" }), undefined, {
    unless: ({ keys }) => (keys.get("paid")?.project.creditsLimit === undefined ? "the target gives no creditsLimit of the paid project" : null),
  }),
  keptByUs(["CRD-REM-04", "CRD-SUM-02"], "tests/mutants.spec.ts"),
  keptByUs("CRD-ROUND-04", "nobody: no billing interface is in scope"),

  withProject("CRD-REM-02", 4, { plan: { creditsLimit: 1000 } }, async ({ project, read }) => {
    const shown: Shown[] = [];
    for (const [credits, left] of [
      ["999", 1],
      ["1", 0],
      ["1", 0],
      ["99", 0],
    ] as const) {
      await project.consume("rpc", credits);
      shown.push(numberIs(await read(), "/creditsRemaining", left));
    }
    return shown;
  }),

  withProject(["CRD-REM-01", "CRD-USE-01"], 1, { prepaid: "100000" }, async ({ project, read }) => {
    await project.consume("rpc", "219004");
    await project.consume("das", "40000", { pool: "prepaid" });
    const exchange = await read();
    return [numberIs(exchange, "/creditsRemaining", 780_996), numberIs(exchange, "/creditsUsed", 259_004), numberIs(exchange, "/prepaidCreditsUsed", 40_000)];
  }),

  withProject("CRD-USE-02", 1, { prepaid: "9000", standsAt: "2025-03-10T08:00:00Z" }, async ({ project, read }) => {
    await project.consume("rpc", "700.5");
    await project.consume("das", "80.25", { pool: "prepaid" });
    await project.moveClock("2025-03-20T12:10:00Z");
    await project.consume("compression", "120.75", { times: 3 });
    await project.consume("archival", "33.5", { pool: "prepaid" });
    await project.moveClock("2025-03-20T12:40:00Z");
    const { used, prepaidUsed, prepaidRemaining } = await project.ledger();
    const left = new Big(1_000_000).minus(new Big(used).minus(prepaidUsed));
    const exchange = await read();
    return [
      rounded(exchange, "/creditsUsed", used),
      rounded(exchange, "/prepaidCreditsUsed", prepaidUsed),
      rounded(exchange, "/prepaidCreditsRemaining", prepaidRemaining),
      rounded(exchange, "/creditsRemaining", left),
      rounded(exchange, "/creditsUsed", "395.75"),
    ];
  }),

  withProject("CRD-PRE-01", 2, { plan: { creditsLimit: 1000 }, prepaid: "5000" }, async ({ project, read }) => {
    await project.consume("rpc", "1000");
    const before = await read();
    await project.consume("rpc", "250");
    const after = await read();
    const moved = (at: string): Big => numberAt(after, at).minus(numberAt(before, at));
    return [
      { exchange: after, finding: near("/prepaidCreditsRemaining", moved("/prepaidCreditsRemaining"), moved("/prepaidCreditsUsed").times(-1), { within: 0 }) },
      { exchange: after, finding: near("/prepaidCreditsUsed", moved("/prepaidCreditsUsed"), new Big(250), { within: 0 }) },
    ];
  }),

  withProject("CRD-LIM-01", 2, { invoicing: "yearly", prepaid: "5000", plan: { creditsLimit: 120_000 } }, async ({ project, read }) => {
    const before = await read();
    await project.consume("rpc", "4321");
    return [numberIs(before, "/subscriptionDetails/creditsLimit", 120_000), numberIs(await read(), "/subscriptionDetails/creditsLimit", 120_000)];
  }),

  withProject("CRD-MONO-01", 5, { standsAt: "2025-03-20T23:50:00Z" }, async ({ project, read }) => {
    await project.consume("rpc", "40");
    await project.consume("das", "50");
    const reads = [await read(), await read()];
    await project.consume("rpc", "10");
    reads.push(await read());
    await project.moveClock("2025-03-21T00:10:00Z");
    reads.push(await read(), await read());
    return reads.slice(1).map((after, index) => nothingFell(reads[index] ?? after, after));
  }),

  scenario("CRD-MONO-01", { asks: [1, 2].map((again) => usage({ as: "owner", again: 100 + again })) }, async ({ ask }) => {
    const before = await ask(usage({ as: "owner", again: 101 }));
    await ask(usage({ as: "owner", of: { id: "c1a2e3f4-5b6c-4d7e-8f90-a1b2c3d4e5f6" } }));
    const after = await ask(usage({ as: "owner", again: 102 }));
    if (before.answer?.status !== 200 || after.answer?.status !== 200) throw new Withheld("hidden: the owner's usage isn't served");
    return [nothingFell(before, after)];
  }),
];

export { numberIs, rounded };
