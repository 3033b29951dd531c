// Are code and words of an error a function of its cause alone, for every method of a family and whatever the id? (§5, §7.2)
import fc from "fast-check";
import { type Tabled, tabledRequests } from "../contracts/rpc/goodRequests.ts";
import { type Cause, refusedFor, rowOf } from "../contracts/rpcOracles.ts";
import type { As } from "../contracts/stimuli.ts";
import type { Check } from "../harness/check.ts";
import { rpcId } from "./arbitraries/rpcIds.ts";
import { property } from "./property.ts";

type Family = Tabled["family"];

const methodsOf = (family: Family): readonly Tabled[] => tabledRequests.filter((one) => one.family === family);

/** A method of a family, by its place among them, so that a case stays plain JSON. */
const aMethod = (family: Family): fc.Arbitrary<Tabled["method"]> => fc.constantFrom(...methodsOf(family).map(({ method }) => method));

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
      return { exchange, finding: await refusedFor(family, "key", ask(), { words: true })(exchange, bench) };
    },
    { ...ofFamily(family), name: `${family}WithoutKey` },
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
      return { exchange, finding: await refusedFor(family, cause, ask(), { words: true })(exchange, bench) };
    },
    { ...ofFamily(family), name: `${family}Failing${cause[0]?.toUpperCase()}${cause.slice(1)}`, control: { reads: 0 }, cases: { many: 60, some: 2, few: 0 } },
  );

export const properties: readonly Check[] = [
  keyless("tokenAccounts"),
  keyless("compression"),
  ...(["permission", "notFound", "server"] as const).map((cause) => failing("tokenAccounts", cause)),
  ...(["server", "unavailable", "timeout"] as const).map((cause) => failing("compression", cause)),
];
