// Reads of the usage of a scenario's own project, and the figures expected in it (§2.1; register §1).
import Big from "big.js";
import { broken, held, near } from "../../harness/core/finding.ts";
import { exactAt, type Json, numbersIn, valueAt } from "../../harness/core/json.ts";
import { otherNeed, type UnmetNeed } from "../../harness/core/reason.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import type { Check, CheckContext, Shown } from "../../harness/model/check.ts";
import type { MadeProject, ProjectWish } from "../../harness/transport/control.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { controlOf } from "../shared/control.ts";
import { forFeature } from "../shared/forFeature.ts";
import { notTested } from "../shared/masked.ts";
import { ownersUsage, usageRequest } from "../shared/requestSpecs.ts";

const { scenario } = forFeature("usage");

/** What a vendor's target lacks where others may move its figures meanwhile. */
export const needsQuiet: UnmetNeed = otherNeed(
  "billing not checked: set `quiet: true` if nobody else uses these projects",
  [{ at: "/quiet" }],
);

/** A scenario's own project, and new reads of its usage. */
export interface UsageReader<Read = Exchange> {
  readonly project: MadeProject;
  read(headers?: readonly (readonly [string, string])[]): Promise<Read>;
}

/** What makes a project and reads its usage, in a check or in a probe. */
type Reads<Read> = Pick<CheckContext, "project" | "fresh"> & { ask(requestSpec: RequestSpec): Promise<Read> };

/** A scenario with a project of its own; `reads` is about how often its usage is read. */
export const withProject = (
  ids: RequirementId | readonly RequirementId[],
  reads: number,
  wish: ProjectWish,
  run: (reader: UsageReader, context: CheckContext) => Promise<readonly Shown[]>,
): Check =>
  scenario(ids, { requests: [ownersUsage], control: { reads, of: controlOf.billing } }, async (context) =>
    run(await usageReaderOf(context, wish), context),
  );

export async function usageReaderOf<Read extends Exchange>(
  { project: make, ask, fresh }: Reads<Read>,
  wish: ProjectWish,
): Promise<UsageReader<Read>> {
  const project = await make(wish);
  return {
    project,
    read: async (headers = []) => {
      const exchange = await ask(
        fresh({ ...usageRequest({ as: project.asker }), ...(headers.length ? { headers } : {}) }),
      );
      if (exchange.answer?.status !== 200)
        throw notTested(`the usage of a test project got ${exchange.answer?.status}`);
      return exchange;
    },
  };
}

export const valueIn = ({ answer }: Exchange, at: string): Json | undefined => valueAt(answer?.json?.value, at);

/** The exact value of a figure; undefined where the answer has none. */
export const figureAt = ({ answer }: Exchange, at: string): Big | undefined =>
  answer?.json ? exactAt(answer.json, at) : undefined;

/** @throws Withheld where it is not a number, which is another requirement's breach */
export function amountAt(exchange: Exchange, at: string): Big {
  const got = figureAt(exchange, at);
  if (!got) throw notTested(`${at} is not a number`);
  return got;
}

/** @throws Withheld where it is not a day, which is another requirement's breach */
export function dayAt(exchange: Exchange, at: "/creditCycle/start" | "/creditCycle/end"): string {
  const day = valueIn(exchange, at);
  if (typeof day !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(day)) throw notTested(`${at} is not a day`);
  return day;
}

export const numberIs = (exchange: Exchange, at: string, expected: Big | string | number, within = 0): Shown => ({
  exchange,
  finding: near(at, amountAt(exchange, at), new Big(expected), { within }),
});

/** A product: to the nearest whole, ties either way (§2.1 rule 2). */
export const rounded = (exchange: Exchange, at: string, exact: Big | string | number): Shown =>
  numberIs(exchange, at, exact, 0.5);

/** A total: rounded either way or not at all, so that it is less than one credit off (§2.1). */
export const totalIs = (exchange: Exchange, at: string, exact: Big | string | number): Shown =>
  numberIs(exchange, at, exact, 0.999);

/** Each of these figures exactly. */
export const numbersAre = (
  exchange: Exchange,
  expected: { readonly [at: string]: Big | string | number },
): readonly Shown[] => Object.entries(expected).map(([at, amount]) => numberIs(exchange, at, amount));

/** The pointers of an object's members, such as of those of `/credits`. */
export function pointersAt(exchange: Exchange, at: string): readonly string[] {
  const members = valueIn(exchange, at);
  return typeof members === "object" && members !== null ? Object.keys(members).map((name) => `${at}/${name}`) : [];
}

/** No consumption figure falls within one cycle. */
export function nothingFell(before: Exchange, after: Exchange): Shown {
  if (valueIn(before, "/creditCycle/start") !== valueIn(after, "/creditCycle/start"))
    return { exchange: after, finding: held };
  const groups = ["/credits", "/requests", "/dataTransfer"].flatMap((group) => pointersAt(before, group));
  for (const at of ["/creditsUsed", "/prepaidCreditsUsed", ...groups]) {
    const had = figureAt(before, at);
    const has = figureAt(after, at);
    if (had && has?.lt(had))
      return { exchange: after, finding: broken(at, `at least ${had.toFixed()}, as read before`, has) };
  }
  return { exchange: after, finding: held };
}

/** The difference of each figure that moved, by pointer. */
export function movedBetween(before: Exchange, after: Exchange): { readonly [at: string]: string } {
  const places = new Set([before, after].flatMap(({ answer }) => numbersIn(answer?.json?.value)));
  const zero = new Big(0);
  const moved = [...places].map(
    (at) => [at, (figureAt(after, at) ?? zero).minus(figureAt(before, at) ?? zero)] as const,
  );
  return Object.fromEntries(moved.filter(([, by]) => !by.eq(zero)).map(([at, by]) => [at, by.toFixed()]));
}
