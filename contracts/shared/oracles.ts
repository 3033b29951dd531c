// Oracles of REST answers, and of refusals by any API, which count only beside a positive control (amendment 3).
import { broken, type Finding, held } from "../../harness/core/finding.ts";
import { valueAt } from "../../harness/core/json.ts";
import { Inconclusive } from "../../harness/core/outcomes.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import type { CheckContext, Oracle } from "../../harness/model/check.ts";
import { describeOutcome, isServed } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { fateOf } from "../../harness/transport/fates.ts";
import {
  excused,
  excuseOf,
  maskedBy,
  notTested,
  onlyServed,
  positiveControlServed,
  remedy,
  unknownKeyReason,
  unlessExcused,
} from "./masked.ts";
import { ownersUsage } from "./requestSpecs.ts";

export const statusOf = ({ answer }: Exchange): number => answer?.status ?? 0;
/** No answer, or a server error: failing isn't refusing. */
const hasFailed = (exchange: Exchange): boolean => !exchange.answer || statusOf(exchange) >= 500;
const wrongStatus = (exchange: Exchange, expected: string): Finding =>
  broken("status", expected, exchange.answer?.status ?? describeOutcome(exchange));

/** Why the target file may be at fault: the key is unknown. */
export const excuse = (exchange: Exchange, context: CheckContext): string | null =>
  statusOf(exchange) === 401 ? excuseOf(exchange, context, 401) : null;

/**
 * Served with this status. With a positive control, which differs only in what is proved, a refusal counts only where
 * that is served; without one it counts unless the target file may be at fault.
 */
export const answers =
  (status: number, positiveControl?: RequestSpec): Oracle =>
  async (exchange, context) => {
    if (statusOf(exchange) === status) return held;
    if (positiveControl) {
      const other = await context.ask(positiveControl);
      if (other.asker?.role !== exchange.asker?.role) unlessExcused(excuse(exchange, context));
      if (statusOf(other) === status) return wrongStatus(exchange, String(status));
      throw notTested(`the valid request it is compared with ${fateOf(other)}, instead of ${status}, too`);
    }
    const why = whyOwnerRefused(exchange);
    if (why) throw excused(exchange, why);
    return wrongStatus(exchange, String(status));
  };

/** Served; only refusals with these statuses are a breach here, others are another requirement's. */
export const servedUnless =
  (...statuses: readonly number[]): Oracle =>
  (exchange) => {
    if (isServed(exchange)) return held;
    if (!statuses.includes(statusOf(exchange))) throw maskedBy(exchange, "the owner's request");
    unlessExcused(whyOwnerRefused(exchange));
    return wrongStatus(exchange, "200");
  };

const needing = (positiveControl: RequestSpec, oracle: Oracle): Oracle =>
  Object.assign(oracle, { requests: [positiveControl] });

/**
 * Refused with exactly this status. Where the platform doesn't know the key, the target file may hold a wrong one;
 * where it serves a foreign project and refuses the key's own, the target file may have mixed up ids.
 */
export const refuses = (status: number, positiveControl: RequestSpec = ownersUsage): Oracle =>
  needing(positiveControl, async (exchange, context) => {
    const other = await context.ask(positiveControl);
    if (isServed(exchange)) {
      if (!isServed(other) && exchange.asker && !exchange.isOwn)
        throw new Inconclusive({
          kind: "excused",
          detail:
            "a foreign project is served and the key's own refused: correct the ids in the target, or ask the platform",
        });
      return wrongStatus(exchange, String(status));
    }
    onlyServed(other, "the valid request it is compared with");
    if (statusOf(exchange) === status) return held;
    unlessExcused(excuse(exchange, context));
    return wrongStatus(exchange, String(status));
  });

/** Refused in any form; a failure isn't a refusal. */
export const isRefused = (positiveControl: RequestSpec = ownersUsage): Oracle =>
  needing(positiveControl, async (exchange, context) => {
    if (isServed(exchange)) return wrongStatus(exchange, "a refusal");
    await positiveControlServed(context, positiveControl);
    return hasFailed(exchange) ? wrongStatus(exchange, "a refusal that isn't a server error") : held;
  });

/** Not served by any API, in whatever form, while the positive control is served. */
export const isRefusedBeside =
  (positiveControl: RequestSpec): Oracle =>
  async (exchange, context) => {
    if (isServed(exchange))
      return exchange.requestSpec.api === "rpc"
        ? broken("/result", "a refusal", valueAt(exchange.answer?.json?.value, "/result"))
        : broken("status", "a refusal", describeOutcome(exchange));
    await positiveControlServed(context, positiveControl);
    return held;
  };

/** Anything but served: outside the interface a platform may even fail. */
export const isNotServed = (): Oracle => (exchange) =>
  isServed(exchange) ? wrongStatus(exchange, "anything but a success") : held;

/** Not refused along with a sibling: broken only where both get the same refusal, word for word. */
export const isSparedFrom =
  (sibling: RequestSpec): Oracle =>
  async (exchange, context) => {
    const other = await context.ask(sibling);
    if (isServed(other) || hasFailed(other)) throw maskedBy(other, "the request that should be refused");
    if (isServed(exchange)) return held;
    const isSame =
      [401, 403].includes(statusOf(exchange)) &&
      statusOf(exchange) === statusOf(other) &&
      messageOf(exchange) === messageOf(other);
    if (!isSame) throw maskedBy(exchange, "the owner's request");
    unlessExcused(whyOwnerRefused(exchange));
    return wrongStatus(exchange, "200, although the other is refused");
  };

const messageOf = ({ answer }: Exchange): unknown => valueAt(answer?.json?.value, "/message");

/** What in the target file could explain that an owner isn't served; null where nothing could. */
function whyOwnerRefused(exchange: Exchange): string | null {
  const { answer, asker } = exchange;
  if (!answer || !asker) return null;
  const project = `the project \`${asker.projectName}\``;
  if (answer.status === 401) return unknownKeyReason(asker.role, 401);
  if (answer.status === 400 && messageOf(exchange) === "Invalid project id")
    return `the key \`${asker.role}\` isn't accepted for the id of ${project} (400): ${remedy}`;
  return answer.status === 403 && asker.project.admin !== "enabled"
    ? `${project} is refused (403) and the target doesn't say \`admin: enabled\`: ${remedy}`
    : null;
}
