// Code and words of an error follow from its cause alone, for each method of a table and any id (§7.2)
import fc from "fast-check";
import { type Tabled, tabledRequests } from "../contracts/jsonrpc/baselineRequests.ts";
import { controlOf } from "../contracts/shared/control.ts";
import { errorRowOf, type Failure, failuresOf, refusedFor, saysRow } from "../contracts/shared/jsonRpcOracles.ts";
import { type As, jsonRpcRequest } from "../contracts/shared/requestSpecs.ts";
import { notSeen } from "../harness/core/outcomes.ts";
import type { Check, Shown } from "../harness/model/check.ts";
import type { Target } from "../harness/targets/target.ts";
import { isServed } from "../harness/transport/answers.ts";
import type { CompleteTable } from "../specs/generated/operations.ts";
import { baselineOf, ofAskable } from "./arbitraries/envelopes.ts";
import { type Arbitraries, listArbitrary, recordArbitrary } from "./arbitraries/lists.ts";
import { rpcId } from "./arbitraries/rpcIds.ts";
import { sourcesFor } from "./arbitraries/sources.ts";
import { judgeAnswer, propertyFrom } from "./property.ts";

const methodsOf = (errorTable: CompleteTable): readonly Tabled[] =>
  tabledRequests.filter((one) => one.errorTable === errorTable);

/** Cases with a method of an error table, by name, so that a case stays plain JSON. */
const ofAMethod =
  <Values extends object>(errorTable: CompleteTable, others: Arbitraries<Values>) =>
  (target: Target) =>
    ofAskable(methodsOf(errorTable), target, (tabled) =>
      fc
        .tuple(fc.constantFrom(...tabled.map(({ method }) => method)), recordArbitrary(others))
        .map(([method, values]) => ({ method, ...values })),
    );

const ofErrorTable = (errorTable: CompleteTable) => ({
  feature: methodsOf(errorTable)[0]?.feature ?? "compression",
  each: methodsOf(errorTable)
    .flatMap(({ ask }) => [ask(), ask({ as: "anonymous" })])
    .slice(0, 2),
});

/** Anonymous, an unknown key, or a text that can't be a key. */
const wrongKey: fc.Arbitrary<Exclude<As, "owner">> = fc.oneof(
  fc.constantFrom("anonymous", "unknownKey"),
  recordArbitrary({ key: fc.string({ minLength: 1, maxLength: 80 }) }),
);

const keyless = (errorTable: CompleteTable): Check =>
  propertyFrom(
    errorRowOf(errorTable, "key").requirement,
    ofAMethod(errorTable, { id: rpcId, as: wrongKey }),
    ({ method, id, as }, context) => {
      const { ask } = baselineOf(method);
      return judgeAnswer(context, ask({ as, id }), refusedFor(errorTable, "key", ask({ id }), { words: true }));
    },
    { ...ofErrorTable(errorTable), name: `${errorTable}WithoutKey` },
  );

/** Bad params of any method of an error table; null where the target lacks sample data for them. */
function badCalls(errorTable: CompleteTable, target: Target) {
  const ofErrorTable: readonly string[] = methodsOf(errorTable).map(({ method }) => method);
  const misses = sourcesFor(target).flatMap(({ operation, nearMisses }) =>
    ofErrorTable.includes(operation) ? (nearMisses() ?? []) : [],
  );
  return misses.length > 0 ? recordArbitrary({ miss: fc.oneof(...misses), id: rpcId }) : null;
}

const badParams = (errorTable: CompleteTable): Check =>
  propertyFrom(
    errorRowOf(errorTable, "params").requirement,
    (target) => badCalls(errorTable, target),
    ({ miss, id }, context) => {
      const ask = jsonRpcRequest(miss.operation as Tabled["method"]);
      const oracle = refusedFor(errorTable, "params", ask(miss.positiveControl, { id }), { words: true });
      return judgeAnswer(context, ask(miss.params, { id }), oracle);
    },
    { ...ofErrorTable(errorTable), name: `${errorTable}BadParams`, cases: { some: 6, few: 3 } },
  );

/** A project with its own limit per case, which the calls exceed at once; those within it are served. */
const tooMany = (errorTable: CompleteTable): Check =>
  propertyFrom(
    errorRowOf(errorTable, "rate").requirement,
    ofAMethod(errorTable, { ids: listArbitrary(rpcId, 2, 8), burst: fc.integer({ min: 1, max: 3 }) }),
    async ({ method, ids, burst }, context) => {
      const project = await context.project({ plan: { general: { perSecond: 1, burst } } });
      const { ask } = baselineOf(method);
      const exchanges = await context.atOnce(ids.map((id, nth) => ask({ as: project.asker, id, again: nth })));
      const refused = exchanges.filter((exchange) => !isServed(exchange));
      if (refused.length === exchanges.length) throw notSeen("no call was served");
      const shown: Shown[] = [];
      for (const exchange of refused) {
        const finding = saysRow(exchange, errorRowOf(errorTable, "rate"));
        // An id that is refused on its own shows nothing about rates.
        const isOfId =
          finding.outcome === "broken" &&
          !isServed(await context.ask(ask({ id: ids[exchanges.indexOf(exchange)] ?? 1 })));
        if (!isOfId) shown.push({ exchange, finding });
      }
      const decisive = shown.find(({ finding }) => finding.outcome === "broken") ?? shown[0];
      if (!decisive) throw notSeen(`none of ${ids.length} calls at once was refused for its rate`);
      return decisive;
    },
    // On a port requests after a burst wait for seconds.
    {
      ...ofErrorTable(errorTable),
      name: `${errorTable}TooMany`,
      control: { reads: 8 },
      consent: "throttle",
      each: [],
      cases: { many: 60, some: 1, few: 0 },
    },
  );

/** Only control makes a platform fail for a cause. A server error is requested three times between health checks. */
const failing = (errorTable: CompleteTable, cause: Failure): Check =>
  propertyFrom(
    errorRowOf(errorTable, cause).requirement,
    ofAMethod(errorTable, { id: rpcId }),
    async ({ method, id }, context) => {
      const project = await context.project();
      await project.failWith(method, cause);
      const { ask } = baselineOf(method);
      const oracle = refusedFor(errorTable, cause, ask({ id }), { words: true });
      return judgeAnswer(context, ask({ as: project.asker, id }), oracle);
    },
    {
      ...ofErrorTable(errorTable),
      name: `${errorTable}Failing${cause[0]?.toUpperCase()}${cause.slice(1)}`,
      control: { reads: 0, of: controlOf.failures },
      cases: { many: 60, some: 2, few: 0 },
    },
  );

const tables = [...new Set(tabledRequests.map(({ errorTable }) => errorTable))];

export const properties: readonly Check[] = [
  ...tables.map(keyless),
  ...tables.map(badParams),
  ...tables.map(tooMany),
  ...tables.flatMap((errorTable) => failuresOf(errorTable).map((cause) => failing(errorTable, cause))),
];
