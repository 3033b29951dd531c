// Is the index called healthy exactly where it is? (§4.3)

import { broken, held } from "../../harness/core/finding.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import { type Check, type CheckContext, check, type Shown, scenario } from "../../harness/model/check.ts";
import { isServed, outcomeOf, rpcErrorOf } from "../../harness/transport/answers.ts";
import type { MadeProject } from "../../harness/transport/control.ts";
import { takesParams } from "../shared/jsonRpcOracles.ts";
import { health } from "../shared/jsonRpcRequests.ts";
import type { Ask } from "../shared/stimuli.ts";

const feature = "compression";

/** The threshold that lags are set around. */
const threshold = 20;

async function look(context: CheckContext, project: MadeProject, turn: number, healthy: boolean): Promise<Shown> {
  const exchange = await context.ask(health(undefined, { as: project.asker, id: 30 + turn }));
  const owners = await context.ask(health());
  if (!isServed(owners)) throw new Withheld(`hidden: the owner's own call drew ${outcomeOf(owners)}`);
  if (healthy) {
    const isOk = isServed(exchange);
    return { exchange, finding: isOk ? held : broken("/error", 'the result "ok"', outcomeOf(exchange)) };
  }
  const isError = rpcErrorOf(exchange) !== null;
  return { exchange, finding: isError ? held : broken("/error", "an error", outcomeOf(exchange)) };
}

/** A project whose index lags by each of these in turn, and whether it is healthy then. */
const lags = (
  id: "IH-LAG-01" | "IH-LAG-02" | "IH-LAG-03" | "IH-LAG-04",
  turns: readonly (readonly [behindBy: number, mayBeBehindBy: number, healthy: boolean])[],
): Check =>
  scenario(id, { feature, requests: [health()], control: { reads: turns.length } }, async (context) => {
    const project = await context.project();
    const shown: Shown[] = [];
    for (const [turn, [behindBy, mayBeBehindBy, healthy]] of turns.entries()) {
      await project.setIndexer(behindBy, mayBeBehindBy);
      shown.push(await look(context, project, turn, healthy));
    }
    return shown;
  });

export const baseline: Ask = (options) => health(undefined, options);

export const checks: readonly Check[] = [
  check("IH-PAR-01", health(), takesParams, { feature }),
  check("IH-OK-01", health(), undefined, { feature }),
  lags("IH-LAG-01", [
    [threshold + 1, threshold, false],
    [1_000, threshold, false],
  ]),
  lags("IH-LAG-02", [[threshold, threshold, true]]),
  lags("IH-LAG-03", [
    [30, 40, true],
    [30, 10, false],
  ]),
  lags("IH-LAG-04", [
    [0, threshold, true],
    [1_000, threshold, false],
    [0, threshold, true],
  ]),
];
