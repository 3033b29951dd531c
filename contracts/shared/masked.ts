// Reasons not to judge: what a check needs isn't served, or the target file may be at fault.
import { Inconclusive, Withheld } from "../../harness/core/outcomes.ts";
import { keyHolder, type RequestSpec } from "../../harness/core/requestSpec.ts";
import type { CheckContext } from "../../harness/model/check.ts";
import { isServed } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { fateOf } from "../../harness/transport/fates.ts";

/** Another breach masks what a check tests. @param detail e.g. `the balance is not a number` */
export const notTested = (detail: string): Withheld => new Withheld({ kind: "masked", detail });

/** The request wasn't answered as a check needs it; the breach is another requirement's. */
export const maskedBy = (exchange: Exchange, what = "the request"): Withheld =>
  notTested(`${what} ${fateOf(exchange)}`);

/**
 * The exchange, once it is served.
 * @param what was sent, for the reason
 * @throws Withheld where it isn't served: the breach is another requirement's
 */
export function onlyServed<E extends Exchange>(exchange: E, what?: string): E {
  if (!isServed(exchange)) throw maskedBy(exchange, what);
  return exchange;
}

export const remedy = "correct the target, or ask the platform";

/** @param code the status or code of the refusal */
export const unknownKeyReason = (role: string, code: number): string =>
  `the key \`${role}\` is unknown there (${code}): ${remedy}`;

/** Why a refusal for the key may be the target file's fault; null where we made the key ourselves. */
export const excuseOf = ({ asker }: Exchange, { target }: CheckContext, code: number): string | null =>
  asker && !target.isReference ? unknownKeyReason(asker.role, code) : null;

/** @throws Inconclusive where the target file may be at fault: for that reason, if there is one */
export function unlessExcused(why: string | null): void {
  if (why !== null) throw new Inconclusive({ kind: "excused", detail: why });
}

/** @throws Withheld where the request isn't served that another is compared with, and differs from in one thing */
export const positiveControlServed = async ({ ask }: Pick<CheckContext, "ask">, positiveControl: RequestSpec) =>
  onlyServed(await ask(positiveControl), "the valid request it is compared with");

/** Without the owner nothing can be judged; another key that is wrong costs only what it would have shown. */
export function excused({ requestSpec }: Exchange, detail: string): Inconclusive | Withheld {
  const reason = { kind: "excused", detail } as const;
  return keyHolder(requestSpec) === "owner" ? new Inconclusive(reason) : new Withheld(reason);
}
