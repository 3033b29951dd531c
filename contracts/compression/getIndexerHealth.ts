// Checks of getIndexerHealth: ok within the permitted lag, an error beyond it (§4.3)
import { must } from "../../harness/core/finding.ts";
import type { Check, Shown } from "../../harness/model/check.ts";
import { describeOutcome, isServed, rpcErrorOf } from "../../harness/transport/answers.ts";
import { controlOf } from "../shared/control.ts";
import { forFeature } from "../shared/forFeature.ts";
import { inTurn } from "../shared/inTurn.ts";
import { takesParams } from "../shared/jsonRpcOracles.ts";
import { health } from "../shared/jsonRpcRequests.ts";
import { onlyServed } from "../shared/masked.ts";
import type { Ask } from "../shared/requestSpecs.ts";

const { check, scenario } = forFeature("compression");

/** The threshold that lags are set around. */
const threshold = 20;

/** A project whose index lags by these amounts in turn. */
const lags = (
  id: "IH-LAG-01" | "IH-LAG-02" | "IH-LAG-03" | "IH-LAG-04",
  ...turns: readonly (readonly [behindBy: number, mayBeBehindBy: number, healthy: boolean])[]
): Check =>
  scenario(id, { requests: [health()], control: { reads: turns.length, of: controlOf.index } }, async (context) => {
    const project = await context.project();
    return inTurn(turns, async ([behindBy, mayBeBehindBy, healthy], turn): Promise<Shown> => {
      await project.setIndexer(behindBy, mayBeBehindBy);
      const exchange = await context.ask(health(undefined, { as: project.asker, id: 30 + turn }));
      onlyServed(await context.ask(health()), "the owner's own call");
      const isRight = healthy ? isServed(exchange) : rpcErrorOf(exchange) !== null;
      const expected = healthy ? 'the result "ok"' : "an error";
      return { exchange, finding: must(isRight, "/error", expected, describeOutcome(exchange)) };
    });
  });

export const baseline: Ask = (options) => health(undefined, options);

export const checks: readonly Check[] = [
  check("IH-PAR-01", health(), takesParams),
  check("IH-OK-01", health()),
  lags("IH-LAG-01", [threshold + 1, threshold, false], [1_000, threshold, false]),
  lags("IH-LAG-02", [threshold, threshold, true]),
  lags("IH-LAG-03", [30, 40, true], [30, 10, false]),
  lags("IH-LAG-04", [0, threshold, true], [1_000, threshold, false], [0, threshold, true]),
];
