// Was the answer the one that is due? A refusal counts only beside its accepted twin (register, amendment 3).

import { broken, type Finding, held } from "../../harness/core/finding.ts";
import { valueAt } from "../../harness/core/json.ts";
import { Inconclusive, Withheld } from "../../harness/core/outcomes.ts";
import { keyHolder, type Stimulus } from "../../harness/core/stimulus.ts";
import type { Oracle } from "../../harness/model/check.ts";
import type { Exchange, KnownAsker } from "../../harness/transport/exchange.ts";
import { usage } from "./stimuli.ts";

const statusOf = ({ answer }: Exchange): number => answer?.status ?? 0;
const isServed = (exchange: Exchange): boolean => statusOf(exchange) >= 200 && statusOf(exchange) < 300;
/** No answer, or a server error: failing isn't refusing. */
const hasFailed = (exchange: Exchange): boolean => !exchange.answer || statusOf(exchange) >= 500;
/** For people: the status, or what came instead of an answer. */
const outcomeOf = ({ answer, fault }: Exchange): number | string => answer?.status ?? `no answer (${fault?.kind})`;
const wrongStatus = (exchange: Exchange, expected: string): Finding => broken("status", expected, outcomeOf(exchange));

/** What the owner is served: the twin of every refusal of the usage endpoint. */
const ownersUsage = usage({ as: "owner" });

/**
 * Served with this status. With a twin, alike but for the one thing proved, a refusal counts only where the twin is served;
 * without one it counts unless the target file may be at fault.
 */
export const answers =
  (status: number, twin?: Stimulus): Oracle =>
  async (exchange, context) => {
    if (statusOf(exchange) === status) return held;
    if (twin) {
      const other = await context.ask(twin);
      const isOthersKey = other.asker?.role !== exchange.asker?.role;
      if (isOthersKey && statusOf(exchange) === 401 && exchange.asker && !context.target.isReference)
        throw new Inconclusive(unknownKey(exchange.asker));
      if (statusOf(other) === status) return wrongStatus(exchange, String(status));
      throw new Withheld(`hidden: its twin drew ${outcomeOf(other)} instead of ${status} too`);
    }
    const excuse = excuseFor(exchange);
    // Without its owner nothing can be judged; another key that the target has wrong costs only what it would have shown.
    if (excuse) throw keyHolder(exchange.stimulus) === "owner" ? new Inconclusive(excuse) : new Withheld(excuse);
    return wrongStatus(exchange, String(status));
  };

/** Served; of the refusals only these are its breach, the others are somebody else's. */
export const servedUnless =
  (...statuses: readonly number[]): Oracle =>
  (exchange) => {
    if (isServed(exchange)) return held;
    if (!statuses.includes(statusOf(exchange))) throw new Withheld(`hidden: the owner drew ${outcomeOf(exchange)}`);
    const excuse = excuseFor(exchange);
    if (excuse) throw new Inconclusive(excuse);
    return wrongStatus(exchange, "200");
  };

/**
 * Refused with exactly this status. Where the platform doesn't know the key at all, the target may hold a wrong one;
 * where it serves a foreign project and refuses the own one, the target may have mixed up ids.
 */
export const refuses =
  (status: number, twin: Stimulus = ownersUsage): Oracle =>
  async (exchange, context) => {
    const other = await context.ask(twin);
    if (isServed(exchange)) {
      if (!isServed(other) && exchange.asker && !exchange.isOwn)
        throw new Inconclusive(
          "a foreign project is served and the own one refused: correct the ids in the target, or ask the platform",
        );
      return wrongStatus(exchange, String(status));
    }
    if (!isServed(other)) throw new Withheld(`hidden: its accepted twin drew ${outcomeOf(other)}`);
    if (statusOf(exchange) === status) return held;
    if (statusOf(exchange) === 401 && exchange.asker && !context.target.isReference)
      throw new Inconclusive(unknownKey(exchange.asker));
    return wrongStatus(exchange, String(status));
  };

/** Not served, whatever the refusal looks like; failing isn't refusing. */
export const isRefused =
  (twin: Stimulus = ownersUsage): Oracle =>
  async (exchange, context) => {
    if (isServed(exchange)) return wrongStatus(exchange, "a refusal");
    const other = await context.ask(twin);
    if (!isServed(other)) throw new Withheld(`hidden: its accepted twin drew ${outcomeOf(other)}`);
    return hasFailed(exchange) ? wrongStatus(exchange, "a refusal that isn't a server error") : held;
  };

/** Anything but served: what mutants outside the interface may even fail. */
export const isNotServed = (): Oracle => (exchange) =>
  isServed(exchange) ? wrongStatus(exchange, "anything but a success") : held;

/** Not drawn into the refusal of a sibling: broken only where the owner is refused in the very words that the sibling is. */
export const isSparedFrom =
  (sibling: Stimulus): Oracle =>
  async (exchange, context) => {
    const other = await context.ask(sibling);
    if (isServed(other) || hasFailed(other))
      throw new Withheld(`hidden: the one that should be refused drew ${outcomeOf(other)}`);
    if (isServed(exchange)) return held;
    const isSame =
      [401, 403].includes(statusOf(exchange)) &&
      statusOf(exchange) === statusOf(other) &&
      messageOf(exchange) === messageOf(other);
    if (!isSame) throw new Withheld(`hidden: the owner drew ${outcomeOf(exchange)}`);
    const excuse = excuseFor(exchange);
    if (excuse) throw new Inconclusive(excuse);
    return wrongStatus(exchange, "200, whatever holds for the other");
  };

const messageOf = ({ answer }: Exchange): unknown => valueAt(answer?.json?.value, "/message");

const mend = "correct the target, or ask the platform";

const unknownKey = ({ role }: KnownAsker): string => `the key \`${role}\` is unknown there (401): ${mend}`;

/** What in the target file could explain that an owner isn't served; null where nothing can. */
function excuseFor(exchange: Exchange): string | null {
  const { answer, asker } = exchange;
  if (!answer || !asker) return null;
  if (answer.status === 401) return unknownKey(asker);
  if (answer.status === 400 && messageOf(exchange) === "Invalid project id") {
    return `the id of the project \`${asker.projectName}\` isn't accepted as that of the key \`${asker.role}\` (400): ${mend}`;
  }
  if (answer.status === 403 && asker.project.admin !== "enabled") {
    return `the project \`${asker.projectName}\` is refused (403) and the target doesn't say \`admin: enabled\`: ${mend}`;
  }
  return null;
}
