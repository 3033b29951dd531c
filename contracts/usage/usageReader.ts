// Reads of the usage of a scenario's own project, and the figures expected in it (§2.1; register §1).
import Big from "big.js";
import { type Finding, held, must, near } from "../../harness/core/finding.ts";
import { exactAt, type Json, valueAt } from "../../harness/core/json.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Check, CheckContext, Shown } from "../../harness/model/check.ts";
import type { MadeProject, ProjectWish } from "../../harness/transport/control.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { sites } from "../../specs/generated/operations.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { forFeature } from "../shared/forFeature.ts";
import { usage } from "../shared/stimuli.ts";

const { scenario } = forFeature("usage");

const ownersUsage = usage({ as: "owner" });

/** A scenario's own project, and new reads of its usage. */
export interface UsageReader {
  readonly project: MadeProject;
  read(headers?: readonly (readonly [string, string])[]): Promise<Exchange>;
}

/** A scenario with a project of its own; `reads` is about how often its usage is read. */
export const withProject = (
  ids: RequirementId | readonly RequirementId[],
  reads: number,
  wish: ProjectWish,
  run: (reader: UsageReader, context: CheckContext) => Promise<readonly Shown[]>,
): Check =>
  scenario(ids, { requests: [ownersUsage], control: { reads } }, async (context) =>
    run(await usageReaderOf(context, wish), context),
  );

export async function usageReaderOf(context: CheckContext, wish: ProjectWish): Promise<UsageReader> {
  const project = await context.project(wish);
  return {
    project,
    read: async (headers = []) => {
      const exchange = await context.ask(
        context.fresh({ ...usage({ as: project.asker }), ...(headers.length ? { headers } : {}) }),
      );
      if (exchange.answer?.status !== 200)
        throw new Withheld(`masked: the usage of a made project returned ${exchange.answer?.status}`);
      return exchange;
    },
  };
}

/** Every documented place of a usage document but the document itself. */
export const documentedPlaces = [...new Set((sites["getProjectUsage 200"] ?? []).map(({ at }) => at))].filter(
  (at) => at !== "",
);

export const valueIn = ({ answer }: Exchange, at: string): Json | undefined => valueAt(answer?.json?.value, at);

/** The exact value of a figure; undefined where the answer has none. */
export const figure = ({ answer }: Exchange, at: string): Big | undefined =>
  answer?.json ? exactAt(answer.json, at) : undefined;

/** @throws Withheld where it is not a number, which is another requirement's breach */
export function numberAt(exchange: Exchange, at: string): Big {
  const got = figure(exchange, at);
  if (!got) throw new Withheld(`masked: ${at} is not a number`);
  return got;
}

export const numberIs = (exchange: Exchange, at: string, expected: Big | string | number, within = 0): Shown => ({
  exchange,
  finding: near(at, numberAt(exchange, at), new Big(expected), { within }),
});

/** A product: to the nearest whole, ties either way (§2.1 rule 2). */
export const rounded = (exchange: Exchange, at: string, exact: Big | string | number): Shown =>
  numberIs(exchange, at, exact, 0.5);

/** A total: rounded either way or not at all, so that it is less than one credit off (§2.1). */
export const totalIs = (exchange: Exchange, at: string, exact: Big | string | number): Shown =>
  numberIs(exchange, at, exact, 0.999);

const counters = ["/creditsUsed", "/prepaidCreditsUsed"];
const groups = ["/credits", "/requests", "/dataTransfer"];

/** Every consumption figure of an answer, by pointer. */
function countersOf(exchange: Exchange): ReadonlyMap<string, Big> {
  const places = groups.flatMap((group) => {
    const products = valueIn(exchange, group);
    return typeof products === "object" && products !== null
      ? Object.keys(products).map((name) => `${group}/${name}`)
      : [];
  });
  const figures = [...counters, ...places].map((at) => [at, figure(exchange, at)] as const);
  return new Map(figures.flatMap(([at, value]) => (value ? [[at, value] as const] : [])));
}

/** No consumption figure falls within one cycle. */
export function nothingFell(before: Exchange, after: Exchange): Shown {
  if (valueIn(before, "/creditCycle/start") !== valueIn(after, "/creditCycle/start"))
    return { exchange: after, finding: held };
  const later = countersOf(after);
  const fallen = [...countersOf(before)].find(([at, value]) => later.get(at)?.lt(value));
  const finding: Finding = fallen
    ? must(false, fallen[0], `at least ${fallen[1].toFixed()}, as read before`, later.get(fallen[0]))
    : held;
  return { exchange: after, finding };
}
