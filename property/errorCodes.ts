// Are code and words of an error a function of its cause alone, for every method of a family and whatever the id? (§5, §7.2)
import fc from "fast-check";
import { type Tabled, tabledRequests } from "../contracts/jsonrpc/baselineRequests.ts";
import { type Cause, refusedFor, rowOf, saysRow } from "../contracts/shared/jsonRpcOracles.ts";
import { type As, rpc } from "../contracts/shared/stimuli.ts";
import { type Check, type Shown, Withheld } from "../harness/model/check.ts";
import type { Target } from "../harness/target/target.ts";
import { isServed } from "../harness/transport/jsonRpc.ts";
import { listOf } from "./arbitraries/lists.ts";
import type { NearMiss } from "./arbitraries/requests.ts";
import { rpcId } from "./arbitraries/rpcIds.ts";
import { sourcesFor } from "./arbitraries/sources.ts";
import { property, propertyFrom } from "./property.ts";

type Family = Tabled["family"];

const methodsOf = (family: Family): readonly Tabled[] => tabledRequests.filter((one) => one.family === family);

/** A method of a family, by its place among them, so that a case stays plain JSON. */
const aMethod = (family: Family): fc.Arbitrary<Tabled["method"]> =>
  fc.constantFrom(...methodsOf(family).map(({ method }) => method));

function askOf(method: Tabled["method"]): Tabled["ask"] {
  const good = tabledRequests.find((one) => one.method === method);
  if (!good) throw new Error(`no good request of ${method}`);
  return good.ask;
}

const ofFamily = (family: Family) => ({
  part: methodsOf(family)[0]?.part ?? "compression",
  each: methodsOf(family)
    .flatMap(({ ask }) => [ask(), ask({ as: "nobody" })])
    .slice(0, 2),
});

/** No key at all, one that nobody was given, or no key but a text. */
const noGoodKey: fc.Arbitrary<Exclude<As, "owner">> = fc.oneof(
  fc.constantFrom("nobody" as const, "stranger" as const),
  fc.record({ key: fc.string({ minLength: 1, maxLength: 80 }) }, { noNullPrototype: true }),
);

const keyless = (family: Family): Check =>
  property(
    rowOf(family, "key").requirement,
    { method: aMethod(family), id: rpcId, as: noGoodKey },
    async ({ method, id, as }, bench) => {
      const ask = askOf(method);
      const exchange = await bench.ask(ask({ as, id }));
      return { exchange, finding: await refusedFor(family, "key", ask({ id }), { words: true })(exchange, bench) };
    },
    { ...ofFamily(family), name: `${family}WithoutKey` },
  );

interface BadCall {
  readonly miss: NearMiss;
  readonly id: string | number;
}

/** Whatever any method of a family has refused for its params; null where the target gives nothing to ask for. */
function badCalls(family: Family, target: Target): fc.Arbitrary<BadCall> | null {
  const ofFamily: readonly string[] = methodsOf(family).map(({ method }) => method);
  const misses = sourcesFor(target).flatMap(({ operation, nearMisses }) =>
    ofFamily.includes(operation) ? (nearMisses() ?? []) : [],
  );
  return misses.length > 0 ? fc.record({ miss: fc.oneof(...misses), id: rpcId }, { noNullPrototype: true }) : null;
}

const badParams = (family: Family): Check =>
  propertyFrom(
    rowOf(family, "params").requirement,
    (target) => badCalls(family, target),
    async ({ miss, id }, bench) => {
      const ask = rpc(miss.operation as Tabled["method"]);
      const exchange = await bench.ask(ask(miss.params, { id }));
      return {
        exchange,
        finding: await refusedFor(family, "params", ask(miss.twin, { id }), { words: true })(exchange, bench),
      };
    },
    { ...ofFamily(family), name: `${family}BadParams`, cases: { some: 6, few: 3 } },
  );

/** A limit of its own for each case, which its calls pass at once: those within are served. */
const tooMany = (family: Family): Check =>
  property(
    rowOf(family, "rate").requirement,
    { method: aMethod(family), ids: listOf(rpcId, 2, 8), burst: fc.integer({ min: 1, max: 3 }) },
    async ({ method, ids, burst }, bench) => {
      const project = await bench.project({ plan: { general: { perSecond: 1, burst } } });
      const ask = askOf(method);
      const exchanges = await bench.atOnce(ids.map((id, nth) => ask({ as: project.asker, id, again: nth })));
      const refused = exchanges.filter((exchange) => !isServed(exchange));
      if (refused.length === exchanges.length) throw new Withheld("no call was served");
      const shown: Shown[] = [];
      for (const exchange of refused) {
        const finding = saysRow(exchange, rowOf(family, "rate"));
        // An id that is refused for itself says nothing of rates.
        const isOfId =
          finding.outcome === "broken" &&
          !isServed(await bench.ask(ask({ id: ids[exchanges.indexOf(exchange)] ?? 1 })));
        if (!isOfId) shown.push({ exchange, finding });
      }
      const one = shown.find(({ finding }) => finding.outcome === "broken") ?? shown[0];
      if (!one) throw new Withheld(`none of ${ids.length} calls at once was refused for their rate`);
      return one;
    },
    // On a port what follows a burst waits for seconds.
    {
      ...ofFamily(family),
      name: `${family}TooMany`,
      control: { reads: 8 },
      consent: "throttle",
      each: [],
      cases: { many: 60, some: 1, few: 0 },
    },
  );

type Made = Extract<Cause, "permission" | "notFound" | "server" | "unavailable" | "timeout">;

/** Only power over the platform makes it fail for a cause. A server's failure is asked for three times between controls. */
const failing = (family: Family, cause: Made): Check =>
  property(
    rowOf(family, cause).requirement,
    { method: aMethod(family), id: rpcId },
    async ({ method, id }, bench) => {
      const project = await bench.project();
      await project.failWith(method, cause);
      const ask = askOf(method);
      const exchange = await bench.ask(ask({ as: project.asker, id }));
      return { exchange, finding: await refusedFor(family, cause, ask({ id }), { words: true })(exchange, bench) };
    },
    {
      ...ofFamily(family),
      name: `${family}Failing${cause[0]?.toUpperCase()}${cause.slice(1)}`,
      control: { reads: 0 },
      cases: { many: 60, some: 2, few: 0 },
    },
  );

export const properties: readonly Check[] = [
  keyless("tokenAccounts"),
  keyless("compression"),
  badParams("tokenAccounts"),
  badParams("compression"),
  tooMany("tokenAccounts"),
  tooMany("compression"),
  ...(["permission", "notFound", "server"] as const).map((cause) => failing("tokenAccounts", cause)),
  ...(["server", "unavailable", "timeout"] as const).map((cause) => failing("compression", cause)),
];
