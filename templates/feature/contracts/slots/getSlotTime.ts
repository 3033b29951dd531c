// Checks of getSlotTime: the order of times, the slot that is asked for, bad params (§4.3)
import { equals, must } from "../../harness/core/finding.ts";
import type { Json } from "../../harness/core/json.ts";
import type { Check } from "../../harness/model/check.ts";
import { forFeature } from "../shared/forFeature.ts";
import { refusedFor, resultOf, shows } from "../shared/jsonRpcOracles.ts";
import { notTested, onlyServed } from "../shared/masked.ts";
import { type Ask, jsonRpcRequest } from "../shared/requestSpecs.ts";

const { check, scenario } = forFeature("slots");
const timeOf = jsonRpcRequest("getSlotTime");
const [slot, later] = [310_000_000, 310_001_000];

export const baseline: Ask = (options) => timeOf([slot], options);

/** @throws Withheld where it is no number: the schema judges that */
function numberIn(time: Json | undefined): number {
  if (typeof time !== "number") throw notTested("the time is not a number");
  return time;
}

const bad: readonly Json[] = [[], ["310000000"], [1.5], [-1], [null], {}];

export const checks: readonly Check[] = [
  scenario("SLT-TIME-01", { requests: [baseline(), timeOf([later])] }, async ({ ask }) => {
    const first = numberIn(resultOf(onlyServed(await ask(baseline())), "/time"));
    const exchange = onlyServed(await ask(timeOf([later])));
    const second = numberIn(resultOf(exchange, "/time"));
    return [{ exchange, finding: must(second > first, "/result/time", `more than ${first}`, second) }];
  }),
  check(
    "SLT-RES-01",
    baseline(),
    shows((exchange) => equals("/result/slot", resultOf(exchange, "/slot"), slot)),
  ),
  ...bad.map((params) =>
    check("SLT-BAD-01", timeOf(params), refusedFor("slots", "params", baseline()), { positiveControl: baseline() }),
  ),
  check("SLT-ERR-01", timeOf([]), refusedFor("slots", "params", baseline(), { words: true }), {
    positiveControl: baseline(),
  }),
];
